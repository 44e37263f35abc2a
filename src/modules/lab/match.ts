import type { IdentifiedReport } from '@kitlane/lab-reader/identify/identify'
import { isNoDay, mayMean } from '@kitlane/lab-reader/parse/date'
import type { ParsedReport, Patient } from '@kitlane/lab-reader/parse/parsed'
import { type Difference, differencesOf, SEVERAL_PEOPLE } from '@kitlane/lab-reader/parse/person'
import type { Tx } from '../../platform/database/tx.ts'
import * as customers from '../customers/service.ts'
import { STOPPED } from '../kits/consent/withdrawal-rules.ts'
import { personOf } from './messages/difference.ts'
import type { LabKit } from './messages/queries.ts'

/**
 * Why a person must look at a file before it counts for a customer; undefined if it counts. A file that names several
 * people, or a person with another date of birth or sex, may belong to somebody else. The day that was given with the file counts
 * where the file says none, or one that may mean it. @throws CUSTOMER_NOT_FOUND
 */
export async function reasonForReview(
  tx: Tx,
  customerId: number,
  { notes, reports, date }: { notes: readonly string[]; reports: readonly IdentifiedReport[]; date: string },
): Promise<'person' | 'date' | 'unmatched' | undefined> {
  const customer = await customers.find(tx, customerId, 'share')
  const { dateOfBirth } = customer
  const isOther = ({ patient }: ParsedReport) =>
    patient?.isDeceased || differencesOfUpload(patient, customer).some((one) => one !== 'name')
  if (notes.includes(SEVERAL_PEOPLE) || reports.some(isOther)) return 'person'
  const isUndated = ({ unreadDay, collectedDate, otherDay }: ParsedReport) =>
    otherDay !== undefined ||
    (unreadDay !== undefined && !mayMean(unreadDay, date.slice(0, 10))) ||
    isImpossible(collectedDate, dateOfBirth, tx.now)
  if (reports.some(isUndated)) return 'date'
  return reports.every(({ results }) => results.length === 0) ? 'unmatched' : undefined
}

/**
 * Reports whose person has another name than the customer, however well the birth fits, with a line that a person must see
 * before they are published: names change, and files are mixed up. @throws CUSTOMER_NOT_FOUND
 */
export async function withOtherNames(
  tx: Tx,
  customerId: number,
  reports: readonly ParsedReport[],
): Promise<ParsedReport[]> {
  const customer = await customers.find(tx, customerId, 'share')
  return reports.map((report) => {
    const { patient, observations } = report
    if (!differencesOfUpload(patient, customer).includes('name')) return report
    const named = { name: 'The person whom the file names', valueText: patient?.name ?? '', raw: '' }
    const line = { ...named, status: 'final', doubt: 'otherName', position: 'the whole document' } as const
    return { ...report, observations: [...observations, line] }
  })
}

type Customer = Pick<customers.CustomerRow, 'name' | 'dateOfBirth' | 'gender'>

/** In what the person of an upload cannot be its customer. A name alone holds the report, anything else the file. */
export const differencesOfUpload = (patient: Patient | undefined, { name, dateOfBirth, gender }: Customer) =>
  differencesOf(patient, { name: name ?? undefined, dateOfBirth: dateOfBirth ?? undefined, sex: sexOf(gender) })

/** X and what is not known contradict nothing. */
const sexOf = (gender: string | null | undefined) => (gender === 'M' || gender === 'F' ? gender : undefined)

/** The latest zone is 14 hours ahead. */
const AHEAD_MS = 14 * 3_600_000

/** A day that is still to come, or before the person's birth, is not that of the collection. */
function isImpossible(collected: string | undefined, born: string | null, now: Date): boolean {
  if (collected === undefined) return false
  const day = collected.slice(0, 10)
  const latest = new Date(now.getTime() + AHEAD_MS).toISOString().slice(0, 10)
  return day > latest || (born !== null && day < born)
}

/**
 * Why a message does not count for the kit that it names; undefined if it counts. `isStopped`: the consent was taken back
 * before the sample arrived.
 */
export function doubtOfMessage(
  kit: LabKit,
  { patient, isOfSeveral, collectedDate, unreadDay, otherDay, message }: ParsedReport,
  { isStopped, now }: { isStopped: boolean; now: Date },
): string | undefined {
  if (isOfSeveral) return 'The message names more than one person: ask the laboratory for one message for each'
  if (kit.realm.mode !== 'live') return 'The number is that of a sandbox kit: ask the laboratory for the right one'
  if (message?.isTest)
    return 'The message is not marked as one of production (MSH-11), so it may be about nobody: close it, or ask the laboratory'
  if (isStopped) return STOPPED
  if (kit.isWithNobody)
    return 'The box of this kit reached nobody, as far as we know: see whether the sample is of this kit, and receive it first'
  if (!kit.registration) return unregistered(kit)
  if (kit.kitStatus === 'registrationException') return 'The registration of the kit is in doubt: settle that first'
  if (patient?.isDeceased) return 'The message says that the person has died: ask the laboratory whose it is'
  const [difference] = differencesOf(patient, personOf(kit))
  if (difference) return DIFFERS[difference]
  if (isImpossible(collectedDate, kit.registration.dateOfBirth ?? null, now)) {
    return 'The day of collection is still to come, or before the birth of the person: ask the laboratory for the right one'
  }
  if (unreadDay && isNoDay(unreadDay))
    return 'The day of collection is none that there is: ask the laboratory for the right one'
  if (otherDay) return 'Request and specimen have different days of collection: ask the laboratory which one is right'
  return undefined
}

const unregistered = ({ isErased, isUseStopped }: LabKit): string =>
  isErased ? ERASED : isUseStopped ? UNREGISTRABLE : UNREGISTERED
const ERASED = 'The person who registered the kit was erased: these results go on no report'
const UNREGISTERED = 'Nobody has registered the kit: ask the customer to do so'
const UNREGISTRABLE = 'The kit was recalled, so that nobody can register it: close this message'

/** A reason that was kept, as it is now: a recall begins, or ends, while a message waits. */
export const reasonNow = (reason: string, kit: LabKit | undefined): string =>
  kit && !kit.registration && (reason === UNREGISTERED || reason === UNREGISTRABLE) ? unregistered(kit) : reason

const DIFFERS: Record<Difference, string> = {
  name: 'The name is not that of the person who registered the kit: see that it is the same person',
  dateOfBirth: 'The date of birth is not that of the person who registered the kit: see that it is the same person',
  sex: 'The sex is not that of the person who registered the kit: see that it is the same person',
}

/** Why an upload under review may be about somebody else than the customer. */
export function doubtOfPerson(read: Patient | undefined, customer: Customer): string | undefined {
  if (read?.isDeceased) return 'It says that the person has died: see that it is the same person'
  const differing = differencesOfUpload(read, customer)
  if (differing.includes('sex')) return 'The sex on it is not that of the customer: see that it is the same person'
  if (differing.includes('name')) return 'The name on it is not that of the customer: see that it is the same person'
  if (!read?.dateOfBirth) return 'No date of birth was read: see that it is the same person'
  if (customer.dateOfBirth === null)
    return 'The date of birth of the customer is not known: see that it is the same person'
  return read.dateOfBirth === customer.dateOfBirth
    ? undefined
    : 'The date of birth on it is not that of the customer: see that it is the same person'
}
