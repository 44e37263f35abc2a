import { differencesOf, differencesOfRegistered, fitByParts, type NameParts } from '@kitlane/lab-reader/parse/person'
import { ADULT_AGE, ageOn } from '../../domain/age.ts'
import { AppError } from '../../domain/errors.ts'
import type { Tx } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import { type Home, homeRefusal, type PanelRules, personRefusal } from '../catalogue/eligibility.ts'
import { findPanel } from '../catalogue/service.ts'
import { maybeFindGuardian } from '../customers/guardians.ts'
import { selectCustomerOf } from '../customers/queries.ts'
import { identityOf } from '../customers/rules.ts'
import type { Address } from '../customers/sealed-queries.ts'
import * as customers from '../customers/service.ts'
import type { KitRow } from './queries.ts'
import { maybeFindApproval, type SealedApproval, type Shown, selectOthers } from './recipient-queries.ts'
import { nameOf, nameOfRegistered, stateOf } from './records.ts'
import { illegal } from './rules.ts'
import type { RegisterInput } from './schema.ts'

/**
 * By the age on the day of the sample: today, if it is still to be taken.
 * @throws AGE_NOT_ALLOWED, SEX_NOT_ALLOWED, GUARDIAN_REQUIRED, VALIDATION_FAILED
 */
export async function assertTestable(
  tx: Tx,
  kit: KitRow,
  { dateOfBirth, sex, guardian }: RegisterInput,
): Promise<void> {
  const taken = kit.progress.sampleInTransit ?? tx.now.toISOString()
  const age = ageOn(dateOfBirth, taken.slice(0, 10))
  const refusal = personRefusal(await findPanel(tx, kit.kitType), { age, sex, hasGuardian: guardian !== undefined })
  if (!refusal) return
  const { code, field, sentence } = refusal
  throw new AppError(code, sentence, { details: [{ message: sentence, path: field }] })
}

/**
 * Why a kit is not for its person as they are recorded now: by age, sex or guardian when they were registered, or by where they live;
 * undefined where it is. Nobody is too old only because time has passed.
 */
export const whyNotFor = async (tx: Tx, kit: KitRow): Promise<string | undefined> => (await judged(tx, kit)).why

/** The same, or that a provider approved it for another person than they are by now: for who tests it, or publishes its report. */
export async function refusalOfRegistered(tx: Tx, kit: KitRow, panel?: PanelRules): Promise<string | undefined> {
  const { why, approval, sex } = await judged(tx, kit, panel)
  if (why || !approval) return why
  const { dateOfBirth, approvedName } = (kit.registration ?? {}) as Partial<RegisterInput> & { approvedName?: string }
  const name = nameOfRegistered(kit.registration)
  if (name !== approvedName && isOtherName(kit, { name })) return OTHER_THAN_SHOWN
  return (await whyOther(tx, kit, { dateOfBirth, sex }, approval.shown)) && OTHER_THAN_SHOWN
}

type Identity = Pick<Approvable, 'email' | 'dateOfBirth' | 'sex'>

/** Whether two are different people, as far as both are known. X is neither F nor M. */
const areOther = (one: Identity, other: Identity): boolean =>
  (['dateOfBirth', 'sex'] as const).some((part) => one[part] && other[part] && one[part] !== other[part])

/**
 * Why a person is not the one for whom an order was approved: as the provider was shown, and for the rest as each other kit of the order
 * says, since all are for one person.
 */
async function whyOther(tx: Tx, kit: KitRow, person: Identity, shown?: Shown | null): Promise<string | undefined> {
  if (areOther(person, shown ?? {})) return OTHER_PERSON
  if (!(person.dateOfBirth || person.sex) || (shown?.dateOfBirth && shown.sex)) return undefined
  for (const other of await selectOthers(tx, kit)) {
    if (!other) return ERASED_PERSON
    const { dateOfBirth, sex } = (other.registration ?? {}) as Partial<RegisterInput>
    // Under the same e-mail they are the same customer, of whom X contradicts nothing.
    const isSame = person.email !== undefined && person.email.toLowerCase() === other.email?.toLowerCase()
    const recorded = other.gender !== 'X' ? sex : isSame ? undefined : 'X'
    if (areOther(person, { dateOfBirth, sex: recorded, ...shown })) return OTHER_PERSON
  }
  return undefined
}

interface Judged {
  why?: string | undefined
  /** X: as their record says, whatever they registered. */
  sex?: Approvable['sex']
  approval?: Pick<SealedApproval, 'shown'> | undefined
}

async function judged(tx: Tx, kit: KitRow, panel?: PanelRules): Promise<Judged> {
  const { customerId, registeredAt, progress, orderId } = kit
  if (customerId === null || registeredAt === null) return {}
  const rules = panel ?? (await findPanel(tx, kit.kitType))
  const registration = (kit.registration ?? {}) as Partial<RegisterInput>
  const { dateOfBirth } = registration
  const approval = await maybeFindApproval(tx, orderId)
  const isOfPlace = approval !== undefined || rules.offeredIn !== null || rules.notOfferedIn.length > 0
  const customer = isOfPlace || rules.sex !== null ? await customers.maybeFind(tx, customerId) : undefined
  const sex = customer?.gender === 'X' ? 'X' : registration.sex
  const days = [progress.sampleInTransit, registeredAt.toISOString()].map((day) => day?.slice(0, 10) ?? '')
  const age = dateOfBirth ? ageOn(dateOfBirth, days.filter(Boolean).sort()[0] ?? '') : ADULT_AGE
  const isGuarded = age >= ADULT_AGE ? undefined : (await maybeFindGuardian(tx, customerId)) !== undefined
  const refusal = dateOfBirth ? personRefusal(rules, { age, sex, hasGuardian: isGuarded }) : undefined
  if (refusal) return { why: refusal.sentence }
  if (!isOfPlace) return {}
  const home = homeFrom(registration as Home, customer?.address)
  return { why: notThere(kit, home, rules, approval !== undefined), approval, sex }
}

/** Where a person lives: as they said when they registered, or else as is known of them. */
export function homeFrom<H extends Home>(said: H, known: Address | null | undefined) {
  const { street1: addressLine1, street2: addressLine2, city, state, zip, country } = known ?? {}
  const isKnown = Boolean(addressLine1 || city || state || zip)
  return said.addressLine1 || !isKnown ? said : { addressLine1, addressLine2, city, state, zip, country }
}

/** Why nobody who lives there is tested with a kit; undefined where they may be. */
async function whyNotThere(tx: Tx, kit: KitRow, home: Home): Promise<string | undefined> {
  const isApproved = (await maybeFindApproval(tx, kit.orderId)) !== undefined
  return notThere(kit, home, await findPanel(tx, kit.kitType), isApproved)
}

function notThere({ sentTo }: KitRow, home: Home, rules: PanelRules, isApproved: boolean): string | undefined {
  const refusal = homeRefusal(rules, { home, sentTo, isApproved })
  return refusal && { approved: OTHER_STATE, offered: NOT_OFFERED }[refusal]
}

/** The address that was known of a customer before counts as one that they give. @throws ILLEGAL_TRANSITION */
export async function assertLivesThere(tx: Tx, kit: KitRow, customerId: number, said: Home): Promise<void> {
  if (said.addressLine1) return
  const customer = await customers.maybeFind(tx, customerId)
  const why = await whyNotThere(tx, kit, homeFrom(said, customer?.address))
  if (why) throw illegal(stateOf(kit), 'registered', why)
}

/**
 * A panel is offered in some places, and a provider approves an order for its recipient, by a licence in their state: not for whoever
 * opens the box. Names fit as where a laboratory sends results, and so do date of birth and sex of the customer whom the provider was
 * shown. `isSamePerson`: the business made sure of it. Returns whether only its word counts. @throws ILLEGAL_TRANSITION
 */
export async function assertApprovedFor(
  tx: Tx,
  kit: KitRow,
  { home, ...person }: Approvable,
  isSamePerson = false,
): Promise<boolean> {
  const why = await whyNotThere(tx, kit, home)
  const wayOut = kit.registeredAt !== null ? [{ path: 'address', message: END_FIRST }] : undefined
  if (why) throw illegal(stateOf(kit), 'registered', why, wayOut)
  const approval = await maybeFindApproval(tx, kit.orderId)
  const differing = approval && (await whyNotApproved(tx, kit, person, approval.shown))
  if (!differing) return false
  if (!isSamePerson) throw illegal(stateOf(kit), 'registered', differing)
  await audit.record(tx, [{ action: 'kit.approved_person_confirmed', objectType: 'kit', objectId: kit.id }])
  return true
}

async function whyNotApproved(
  tx: Tx,
  kit: KitRow,
  { name, parts, ...identity }: Omit<Approvable, 'home'>,
  shown: Shown | null | undefined,
): Promise<string | undefined> {
  const isSaid = name !== nameOf(kit) || Boolean(identity.dateOfBirth || identity.sex)
  if (kit.sentTo === null) return isSaid ? ERASED_PERSON : undefined
  if (isOtherName(kit, { name, parts })) return OTHER_NAME
  return whyOther(tx, kit, identity, shown ?? (await shownOf(tx, kit)))
}

const isOtherName = (kit: KitRow, { name, parts }: Pick<Approvable, 'name' | 'parts'>): boolean =>
  kit.sentTo !== null &&
  (differencesOfRegistered({ name }, { name: nameOf(kit) }).length > 0 ||
    (parts !== undefined && !fitByParts(parts, kit)))

/** What is known of the recipient, where an approval does not say what was shown of them. */
async function shownOf(tx: Tx, kit: KitRow): Promise<Shown> {
  const known = await selectCustomerOf(tx, kit.recipientEmail ?? '', 'none')
  if (!known || differencesOf({ name: known.name }, { name: nameOf(kit) }).length > 0) return {}
  const { name: _, ...shown } = identityOf(known)
  return shown
}

interface Approvable {
  name: string
  /** The same, as it was registered. */
  parts?: NameParts | undefined
  /** Of a registration. */
  email?: string | undefined
  dateOfBirth?: string | undefined
  sex?: 'M' | 'F' | 'X' | undefined
  /** Where they say to live. */
  home: Home
}

const END_FIRST =
  'If they really live there, their kit must end first: cancel its order, or reject its sample, and then correct the address'
const OTHER_THAN_SHOWN =
  'A provider approved this test for one person, who was known by another name, date of birth or sex, or is registered so with another kit of the order, or was erased with such a kit.'
const ERASED_PERSON =
  'A provider approved this test for a person who was erased since, so that nobody can compare: order one for this person. If it is that person, say so with `isApprovedPerson=true`'
const OTHER_PERSON =
  'A provider approved this test for the person to whom it was sent, whose date of birth or sex is another one, as was known then or as another kit of the order says: order one for this person. If it is that person, correct them, or say so with `isApprovedPerson=true`'
const OTHER_STATE =
  'A provider approved this test for the state to which it was sent, and this address is of another one, or does not say: correct it, or order one for the other state'
const NOT_OFFERED =
  'This test is not offered where this person lives, or the address does not say in which state that is'
const OTHER_NAME =
  'A provider approved this test for the person to whom it was sent: order one for this person. If it is that person by another name, say so with `isApprovedPerson=true`'
