import type { Tx } from '../../platform/database/tx.ts'
import type { Correction, Customer } from '../customers/schema.ts'
import * as customers from '../customers/service.ts'
import { assertStillApproved, correctRegistrations } from '../kits/correct.ts'
import { announceFact } from '../kits/move.ts'
import { lockKitsOfCustomer } from '../kits/queries.ts'
import * as links from '../links/service.ts'
import { rejudgeReports } from '../reports/versions/rejudge.ts'

/**
 * Corrects a person everywhere: their record, what their kits go by, and the reports that were judged by another age or
 * sex. With another e-mail the links that went to the old one end.
 * @throws CUSTOMER_NOT_FOUND, CUSTOMER_EXISTS, EXTERNAL_ID_EXISTS, VALIDATION_FAILED; as `assertStillApproved`
 */
export async function correctCustomer(
  tx: Tx,
  idOrExternalId: string,
  {
    change,
    reason,
    isApprovedPerson,
  }: { change: Correction; reason?: string | undefined; isApprovedPerson?: boolean | undefined },
): Promise<Customer> {
  const { id } = await customers.find(tx, idOrExternalId)
  // Kits before their person, as registrations and results lock them; a second time, since one may have been registered meanwhile.
  await lockKitsOfCustomer(tx, id)
  const before = await customers.find(tx, id, 'update')
  const kits = await lockKitsOfCustomer(tx, id)
  const changed = new Set(await customers.correct(tx, before, change, reason))
  if (changed.size === 0) return customers.get(tx, String(id))
  const corrected: Correction = Object.fromEntries(Object.entries(change).filter(([name]) => changed.has(name)))
  const after = await correctRegistrations(tx, kits, { ...corrected, isApprovedPerson }, before.name)
  await assertStillApproved(tx, kits, after, { isSamePerson: isApprovedPerson, gender: corrected.gender })
  const kitIds = kits.map((kit) => kit.id)
  await announceFact(tx, kitIds, changed.has('name') ? 'name' : 'person')
  if (changed.has('email') && change.email?.toLowerCase() !== before.email.toLowerCase()) await links.endLinks(tx, id)
  if (changed.has('dateOfBirth') || changed.has('gender')) {
    await rejudgeReports(tx, { customer: before, kits }, { customer: await customers.find(tx, id), kits: after })
  }
  return customers.get(tx, String(id))
}
