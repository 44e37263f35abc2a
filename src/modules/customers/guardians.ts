import { newOpaqueId } from '../../domain/ids.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { type Guardian, lockWards, selectGuardian, selectWards, upsertGuardian } from './guardian-queries.ts'
import { noAddress } from './rules.ts'
import { type CustomerRow, type FoundPerson, findOrCreate, maybeFind, type RegisteredPerson } from './service.ts'

export type { Guardian } from './guardian-queries.ts'

/**
 * The minor that a guardian registers: the one of this name that they registered before, or a new one. The guardian's
 * e-mail is not the minor's: a parent may have two children, and be tested too. Another date of birth or sex for a known name does not match.
 * @throws EXTERNAL_ID_EXISTS
 */
export async function findOrCreateWard(
  tx: Tx,
  person: Omit<RegisteredPerson, 'email'>,
  guardian: Guardian,
): Promise<FoundPerson> {
  // Two registrations at the same moment would both find nobody, and make the child twice.
  await lockWards(tx, guardian.email)
  const known = await maybeFindWard(tx, person, guardian.email)
  const email = known?.email ?? noAddress(newOpaqueId('minor'))
  const found = await findOrCreate(tx, { ...person, email })
  if (found.differences.length === 0) await upsertGuardian(tx, found.id, guardian)
  return found
}

async function maybeFindWard(
  tx: Tx,
  { firstName, lastName, dateOfBirth }: Omit<RegisteredPerson, 'email'>,
  guardianEmail: string,
): Promise<CustomerRow | undefined> {
  const name = `${firstName} ${lastName}`.toLowerCase()
  const wards: CustomerRow[] = []
  for (const id of await selectWards(tx, guardianEmail)) {
    const ward = await maybeFind(tx, id)
    if (ward?.name.toLowerCase() === name) wards.push(ward)
  }
  return wards.find((ward) => ward.dateOfBirth === dateOfBirth) ?? wards[0]
}

/** Who decides for a customer; undefined for a person who was registered without one. */
export const maybeFindGuardian = (tx: Tx, customerId: number): Promise<Guardian | undefined> =>
  selectGuardian(tx, customerId)
