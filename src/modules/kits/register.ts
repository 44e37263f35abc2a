import type { Difference } from '@kitlane/lab-reader/parse/person'
import { ADULT_AGE } from '../../domain/age.ts'
import { AppError } from '../../domain/errors.ts'
import type { Language } from '../../domain/translations/translator.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { refuse } from '../../platform/http/validate.ts'
import { plain } from '../../platform/sealing/plain.ts'
import * as audit from '../audit/service.ts'
import { settings } from '../businesses/service.ts'
import { findOrCreateWard } from '../customers/guardians.ts'
import * as customers from '../customers/service.ts'
import { maybeFindBoxOfKit } from '../stock/find.ts'
import { agreedWords } from './consent/texts.ts'
import { isTestingStopped } from './consent/withdraw.ts'
import { insertConsent, type StandingConsent, selectStandingConsents } from './consent-queries.ts'
import { assertApprovedFor, assertLivesThere, assertTestable } from './for-whom.ts'
import { announceFact, applyChanges, lockKit } from './move.ts'
import type { KitRow } from './queries.ts'
import { selectRecallOf } from './recall-queries.ts'
import { nameOf, stateOf } from './records.ts'
import { advance, allowed, exceptionOf, freed, illegal, isFinal, type Step } from './rules.ts'
import type { ConsentInput, KitRecord, RegisterInput } from './schema.ts'

/** Who is registered, and under which e-mail: of a minor, the guardian's. */
interface Registered {
  firstName: string
  email: string
  /** Only a minor has one. */
  guardian?: object | undefined
}

/**
 * Whether a consent counts for the person who is registered, also after one was taken back. For a minor somebody gave it who says
 * with a `relation` that it is on their behalf. An adult gave it, or their guardian or caregiver did. Families share an e-mail, so
 * the first name has to fit too, word by word: "Maria" fits "Maria Luisa" and not "Mariana". Accents do not matter.
 */
function countsFor(
  { relation, email, firstName }: Pick<StandingConsent, 'relation' | 'email' | 'firstName'>,
  registered: Registered,
): boolean {
  if (registered.guardian) return relation !== null
  if (relation !== null) return relation === 'guardian' || relation === 'caregiver'
  if (email?.toLowerCase() !== registered.email.toLowerCase()) return false
  const [given, wanted] = [wordsOf(firstName ?? ''), wordsOf(registered.firstName)]
  const common = Math.min(given.length, wanted.length)
  return common > 0 && given.slice(0, common).join(' ') === wanted.slice(0, common).join(' ')
}

const wordsOf = (name: string): string[] => plain(name).match(/\p{L}+/gu) ?? []

/**
 * Keeps a person's consent with its version, time and source address. A kit may have several; the last one of the person who
 * is registered counts.
 * @throws KIT_NOT_FOUND; ILLEGAL_TRANSITION for a canceled kit; VALIDATION_FAILED for a version that is not the panel's;
 * CONSENT_REQUIRED for another's, once the person who is registered took theirs back
 */
export async function consent(tx: Tx, kitId: string, input: ConsentInput): Promise<{ consentedAt: Date }> {
  const kit = await lockKit(tx, kitId)
  const state = stateOf(kit)
  if (exceptionOf(state) === 'canceled') throw illegal(state, 'kitRegistered', 'The kit is canceled')
  await assertOwnConsent(tx, kit, input)
  const words = await agreedWords(tx, kit.kitType, input)
  const { firstName, lastName, email, relation, consentForResearch: research } = input
  await insertConsent(tx, {
    kitId,
    kitType: kit.kitType,
    firstName,
    lastName,
    email,
    relation,
    research,
    ...words,
  })
  await audit.record(tx, [
    { action: 'kit.consented', objectType: 'kit', objectId: kitId, details: { version: words.version } },
  ])
  await announceFact(tx, [kitId], 'consent')
  return { consentedAt: tx.now }
}

/** Whether a consent stands for a kit: one that counts for the person who is registered, or anybody's while nobody is. */
export async function hasConsent(tx: Tx, kit: KitRow): Promise<boolean> {
  if (kit.registeredAt === null) return (await selectStandingConsents(tx, kit.id)).length > 0
  const registered = { ...(kit.registration as RegisterInput), email: kit.registeredEmail ?? '' }
  return (await findConsent(tx, kit.id, registered)).agreed !== undefined
}

/** The consent that counts for a person: that of a parent as long as nobody took one back. */
async function findConsent(tx: Tx, kitId: string, registered: Registered) {
  const others = await selectStandingConsents(tx, kitId)
  const own = others.find((one) => countsFor(one, registered))
  const ofParent = own ? undefined : others.find(({ relation }) => relation === 'parent')
  const agreed = ofParent && !(await isTestingStopped(tx, kitId)) ? ofParent : own
  return { agreed, others }
}

/** After a withdrawal, only a consent that counts for the person is valid again. */
async function assertOwnConsent(tx: Tx, kit: KitRow, { email, firstName, relation }: ConsentInput): Promise<void> {
  if (kit.registeredAt === null || !(await isTestingStopped(tx, kit.id))) return
  const registered = { ...(kit.registration as RegisterInput), email: kit.registeredEmail ?? '' }
  if (countsFor({ email, firstName, relation: relation ?? null }, registered)) return
  throw new AppError('CONSENT_REQUIRED', `The person who is registered took their consent back: ${NEEDED}`)
}

interface Registering {
  /** The person gets the e-mail with the way to their pages even where the order wants no e-mails. */
  isEmailWanted?: boolean
  /** Of the page on which the person registers; e-mails then come in it. */
  language?: Language
  /** When another vendor registered it: nobody hears of it. */
  elsewhereAt?: Date
  /** The business says that they are the one for whom a provider approved it, whatever the name. */
  isApprovedPerson?: boolean | undefined
}

/**
 * Links a kit to the person who will be tested: the realm's customer with this e-mail, created if missing.
 * A kit is registered once, from any state before that but canceled; a sample that came first is linked where it stands.
 * When name, date of birth or sex are not the customer's, the kit belongs to nobody and waits as registrationException, from which
 * the right data registers it.
 * A guardian registers a minor: the e-mail is then the guardian's.
 * @throws KIT_NOT_FOUND, KIT_ALREADY_REGISTERED, CONSENT_REQUIRED, ILLEGAL_TRANSITION, AGE_NOT_ALLOWED, SEX_NOT_ALLOWED,
 * GUARDIAN_REQUIRED, REGISTER_BY_PASSED, KIT_RECALLED
 */
export async function registerKit(
  tx: Tx,
  kitId: string,
  input: RegisterInput,
  { isEmailWanted = false, language, elsewhereAt, isApprovedPerson = false }: Registering = {},
): Promise<{ customerId: number; differences?: undefined } | { customerId?: undefined; differences: Difference[] }> {
  if (input.dateOfBirth > tx.now.toISOString().slice(0, 10)) {
    refuse([{ message: 'The date of birth is in the future', path: 'dateOfBirth' }])
  }
  const isUnannounced = elsewhereAt !== undefined
  const at = elsewhereAt ?? tx.now
  const kit = await lockKit(tx, kitId)
  if (kit.registeredAt !== null) throw new AppError('KIT_ALREADY_REGISTERED', 'This kit is already registered')
  if (!elsewhereAt && (await isTooLateToRegister(tx, kit))) {
    throw new AppError('REGISTER_BY_PASSED', 'This kit had to be registered earlier: its box is close to its expiry')
  }
  if (!elsewhereAt && (await selectRecallOf(tx, kitId))?.stopsUse) {
    throw new AppError('KIT_RECALLED', 'This kit was recalled: it must not be used')
  }
  await assertTestable(tx, kit, input)
  const approvable = { ...input, name: nameOf(input), parts: input, home: input }
  const isConfirmed = !isUnannounced && (await assertApprovedFor(tx, kit, approvable, isApprovedPerson))
  const { agreed, others } = await findConsent(tx, kitId, input)
  await assertConsent(tx, kitId, input, { agreed, others })
  const { email, external_id: externalId, consentForResearch = agreed?.research, ...given } = input
  const { firstName, lastName, dateOfBirth, sex, phone, race, guardian } = given
  const person = {
    firstName,
    lastName,
    dateOfBirth,
    sex,
    phone,
    race,
    externalId,
    address: addressOf(input),
    research: consentForResearch,
  }
  const customer = guardian
    ? await findOrCreateWard(tx, person, { ...guardian, email })
    : await customers.findOrCreate(tx, { ...person, email }, { isUnannounced })
  const registrationData = {
    registeredEmail: email,
    registration: {
      ...given,
      consentForResearch: consentForResearch ?? false,
      ...(isConfirmed && { approvedName: nameOf(input) }),
    },
  }
  if (customer.differences.length > 0) {
    await applyChanges(tx, [
      {
        kit,
        steps: doubtSteps(kit, at, customer.differences),
        besides: registrationData,
        isEmailWanted,
        language,
        isUnannounced,
      },
    ])
    await audit.record(tx, [{ action: 'kit.registration_doubted', objectType: 'kit', objectId: kitId }])
    return { differences: customer.differences }
  }
  if (!isUnannounced) await assertLivesThere(tx, kit, customer.id, input)
  if (language) await customers.saveLanguage(tx, customer.id, language)
  const registration = { ...registrationData, customerId: customer.id, registeredAt: at }
  await applyChanges(tx, [{ kit, steps: registrationSteps(kit, at), registration, isEmailWanted, isUnannounced }])
  await audit.record(tx, [
    { action: 'kit.registered', objectType: 'kit', objectId: kitId, details: { customerId: customer.id } },
  ])
  return { customerId: customer.id }
}

/** A sample that was taken in time is not lost because its person registers it late. */
export async function isTooLateToRegister(tx: Tx, { id, progress }: KitRow): Promise<boolean> {
  if (progress.sampleInTransit !== undefined) return false
  const box = await maybeFindBoxOfKit(tx, id)
  return box !== undefined && tx.now.toISOString().slice(0, 10) > box.registerBy
}

/** A minor is registered with their guardian's consent, and nobody against a consent that was taken back. */
async function assertConsent(
  tx: Tx,
  kitId: string,
  { guardian }: RegisterInput,
  { agreed, others }: { agreed: StandingConsent | undefined; others: readonly StandingConsent[] },
): Promise<void> {
  if (guardian && !agreed) {
    throw new AppError('CONSENT_REQUIRED', 'A guardian consents for a minor: record that first, with its `relation`')
  }
  if (agreed) return
  if ((await settings(tx)).requireConsent || (await isTestingStopped(tx, kitId))) {
    throw new AppError('CONSENT_REQUIRED', whatIsNeeded(others))
  }
}

const NEEDED =
  'record one of the person tested (the same first name and e-mail), or of somebody on their behalf (`relation`: guardian, caregiver)'

/** Why no consent for a kit counts for an adult. */
function whatIsNeeded([last]: readonly StandingConsent[]): string {
  if (!last) return 'This kit needs a consent before it is registered'
  if (last.relation === null) return `The consent for this kit is of somebody else: ${NEEDED}`
  return `The consent for this kit has the relation ${last.relation}, and from ${ADULT_AGE} on it is the person tested who decides: ${NEEDED}`
}

/** A kit whose registration was filled in (a sample came without a person) stays where it is and gets its person. */
function registrationSteps(kit: KitRow, at: Date): Step[] {
  const state = stateOf(kit)
  const isFilledIn = kit.progress.kitRegistered !== undefined
  if (isFilledIn && !isFinal(state)) return [{ event: 'kitRegistered', state }]
  return advance(state, 'kitRegistered', { at })
}

const WORDS: Record<Difference, string> = { name: 'name', dateOfBirth: 'date of birth', sex: 'sex' }

/** Somebody who differs from the customer may be another person under a shared e-mail: a human looks at it. */
function doubtSteps(kit: KitRow, at: Date, differences: readonly Difference[]): Step[] {
  const state = stateOf(kit)
  if (exceptionOf(state) === 'registrationException') return []
  const what = differences.map((one) => WORDS[one]).join(' and the ')
  const are = differences.length > 1 ? 'are not those' : 'is not the one'
  const reason = `The ${what} ${are} known of the customer with this e-mail`
  // A person who registers a lost parcel has received it.
  const isLost = exceptionOf(state) === 'deliveryException' && allowed(state).includes('kitDelivered')
  const arrived = isLost ? advance(state, 'kitDelivered', { at }) : []
  const now = arrived.at(-1)?.state ?? state
  // Past registration there is no waiting: a sample under way is not linked to a doubtful person.
  if (!allowed(now).includes('registrationException')) throw illegal(state, 'kitRegistered', reason)
  return [...arrived, ...advance(now, 'registrationException', { at, reason })]
}

/**
 * Takes a registration in doubt off its kit, which another person can then register. Its data is deleted.
 * @throws KIT_NOT_FOUND; ILLEGAL_TRANSITION for a registration that is not in doubt
 */
export async function clearRegistration(tx: Tx, kitId: string): Promise<KitRecord> {
  const kit = await lockKit(tx, kitId)
  const [record] = await applyChanges(tx, [{ kit, steps: [freed(stateOf(kit))], isQuiet: true }])
  if (!record) throw new Error('no kit was freed')
  await audit.record(tx, [{ action: 'kit.registration_cleared', objectType: 'kit', objectId: kitId }])
  return record
}

function addressOf({ addressLine1, addressLine2, city, state, zip, country }: RegisterInput) {
  if (!addressLine1) return undefined
  return { street1: addressLine1, street2: addressLine2, city, state, zip, country }
}
