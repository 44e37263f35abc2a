import { differencesOf } from '@kitlane/lab-reader/parse/person'
import type { Tx } from '../../platform/database/tx.ts'
import type { Home } from '../catalogue/eligibility.ts'
import { assertApprovedFor } from './for-whom.ts'
import { type KitRow, updateRegistrations } from './queries.ts'
import { nameOf, nameOfRegistered, stateOf } from './records.ts'
import { isFinal } from './rules.ts'
import type { RegisterInput } from './schema.ts'

export interface CorrectedPerson {
  email?: string | undefined
  dateOfBirth?: string | undefined
  gender?: 'M' | 'F' | 'X' | undefined
  phone?: string | undefined
  address?: Partial<Record<'street1' | 'street2' | 'city' | 'state' | 'zip' | 'country', string>> | undefined
  /** Of the registration itself. */
  firstName?: string | undefined
  lastName?: string | undefined
  /** Of the person, in place of another one. */
  name?: string | undefined
  /** The business made sure that it is the person whom a provider approved. */
  isApprovedPerson?: boolean | undefined
}

/** What a registration keeps beside what was given. */
export interface WithCorrectedName {
  /** The name that the person has by now. The given one was theirs, too. */
  correctedName?: string
  /** The name that the business said to be another of the person whom a provider approved. */
  approvedName?: string
}

/**
 * Writes what was corrected of their person into locked kits: e-mails, results, ages and orders to laboratories go by it. A kit that
 * was registered under another name than `nameBefore`, such as that of a twin with the same e-mail, keeps its name. Returns the
 * kits as they are then.
 */
export async function correctRegistrations(
  tx: Tx,
  kits: readonly KitRow[],
  change: CorrectedPerson,
  nameBefore = '',
): Promise<KitRow[]> {
  const { email, dateOfBirth, gender, phone, address, firstName, lastName, name, isApprovedPerson } = change
  const sex = gender === 'X' ? undefined : gender
  const { street1: addressLine1, street2: addressLine2, city, state, zip } = address ?? {}
  const countryOf = ({ registration }: KitRow) =>
    address?.country ?? (registration as { country?: string } | null)?.country
  const isOfPerson = ({ registration }: KitRow) =>
    nameBefore.trim() !== '' &&
    differencesOf({ name: nameOfRegistered(registration) }, { name: nameBefore }).length === 0
  const corrected = kits.map((kit) => ({
    ...kit,
    registeredEmail: email ?? kit.registeredEmail,
    registration: {
      ...(kit.registration as object | null),
      ...(dateOfBirth && { dateOfBirth }),
      ...(sex && { sex }),
      ...(phone && { phone }),
      ...(address && { addressLine1, addressLine2, city, state, zip, country: countryOf(kit) }),
      ...(firstName && lastName && { firstName, lastName, correctedName: undefined }),
      ...(firstName && lastName && isApprovedPerson && { approvedName: nameOf({ firstName, lastName }) }),
      ...(name && isOfPerson(kit) && { correctedName: name, ...(isApprovedPerson && { approvedName: name }) }),
    },
  }))
  if (email || dateOfBirth || sex || phone || address || firstName || name) await updateRegistrations(tx, corrected)
  return corrected
}

/**
 * A correction must not take the approval of a provider to another person, nor, until the sample arrived, a kit to where it is not
 * approved or offered.
 * `isSamePerson`: somebody made sure that only the name is another. `gender`: what was corrected, which no registration says if it is X. @throws ILLEGAL_TRANSITION
 */
export async function assertStillApproved(
  tx: Tx,
  before: readonly KitRow[],
  after: readonly KitRow[],
  { isSamePerson, gender }: { isSamePerson?: boolean | undefined; gender?: CorrectedPerson['gender'] },
): Promise<void> {
  for (const [index, kit] of after.entries()) {
    if (isFinal(stateOf(kit))) continue
    const [was = {}, is = {}] = [before[index], kit].map((one) => (one?.registration ?? {}) as Registered)
    const given = nameOfRegistered(is)
    const name = given === nameOfRegistered(was) ? nameOf(kit) : given
    const hasMoved = kit.progress.sampleReceived === undefined && partsOfHome.some((part) => is[part] !== was[part])
    const corrected = {
      ...(is.dateOfBirth !== was.dateOfBirth && { dateOfBirth: is.dateOfBirth }),
      ...(gender === 'X' ? { sex: gender } : is.sex !== was.sex && { sex: is.sex }),
    }
    await assertApprovedFor(tx, kit, { name, home: hasMoved ? is : {}, ...corrected }, isSamePerson)
  }
}

type Registered = Home & Partial<Pick<RegisterInput, 'dateOfBirth' | 'sex'>>

const partsOfHome = ['addressLine1', 'city', 'state', 'zip', 'country'] as const
