import type { Tx } from '../../platform/database/tx.ts'
import * as customers from '../customers/service.ts'
import { STOPPED } from '../kits/consent/withdrawal-rules.ts'
import type { IdentifiedReport } from './identify/identify.ts'
import type { LabKit } from './messages/queries.ts'
import type { ParsedReport } from './parse/parsed.ts'
import { areSeveralPeople, SEVERAL_PEOPLE } from './parse/person.ts'

/**
 * Why a person must look at a file before it counts for a customer; undefined if it counts. A file that names several
 * people, or a person with another date of birth, may belong to somebody else. @throws CUSTOMER_NOT_FOUND
 */
export async function reasonForReview(
  tx: Tx,
  customerId: number,
  { notes, reports }: { notes: readonly string[]; reports: readonly IdentifiedReport[] },
): Promise<'person' | 'unmatched' | undefined> {
  const { dateOfBirth } = await customers.find(tx, customerId, 'share')
  const isOther = ({ patient }: ParsedReport) =>
    dateOfBirth !== null && patient?.dateOfBirth !== undefined && patient.dateOfBirth !== dateOfBirth
  if (notes.includes(SEVERAL_PEOPLE) || reports.some(isOther)) return 'person'
  return reports.every(({ results }) => results.length === 0) ? 'unmatched' : undefined
}

/**
 * Why a message does not count for the kit that it names; undefined if it counts. `isStopped`: the consent was taken back
 * before the sample arrived.
 */
export function doubtOfMessage(
  kit: LabKit,
  { patient, isOfSeveral }: ParsedReport,
  isStopped: boolean,
): string | undefined {
  if (isOfSeveral) return 'The message names more than one person'
  if (kit.realm.mode !== 'live') return 'The number is that of a sandbox kit'
  if (isStopped) return STOPPED
  if (!kit.registration) return 'Nobody has registered the kit'
  if (kit.kitStatus === 'registrationException') return 'The registration of the kit is in doubt'
  if (patient?.dateOfBirth && patient.dateOfBirth !== kit.registration.dateOfBirth) {
    return 'The date of birth is not that of the person who registered the kit'
  }
  const { firstName = '', lastName = '' } = kit.registration
  if (patient?.name && areSeveralPeople([{ name: patient.name }, { name: `${firstName} ${lastName}` }])) {
    return 'The name is not that of the person who registered the kit'
  }
  return undefined
}

/** Why an upload under review may be about somebody else than the customer. */
export function doubtOfPerson(
  read: { dateOfBirth?: string } | undefined,
  customer: { dateOfBirth: string | null },
): string | undefined {
  if (!read?.dateOfBirth) return 'No date of birth was read: see that it is the same person'
  if (customer.dateOfBirth === null)
    return 'The date of birth of the customer is not known: see that it is the same person'
  return read.dateOfBirth === customer.dateOfBirth
    ? undefined
    : 'The date of birth on it is not that of the customer: see that it is the same person'
}
