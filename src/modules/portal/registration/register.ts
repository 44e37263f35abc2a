import { isKitId, normalizeId } from '@kitlane/display/short-id'
import { z } from 'zod'
import { AppError } from '../../../domain/errors.ts'
import type { Language } from '../../../domain/translations/translator.ts'
import { sha256 } from '../../../platform/crypto.ts'
import type { Realm, SystemTx, Tx } from '../../../platform/database/tx.ts'
import { selectKitsByIds } from '../../kits/queries.ts'
import { selectRecallOf } from '../../kits/recall-queries.ts'
import { stateOf } from '../../kits/records.ts'
import { consent, isTooLateToRegister, registerKit } from '../../kits/register.ts'
import { allowed, exceptionOf, isFinal, type KitState } from '../../kits/rules.ts'
import { ConsentInput, type RegisterInput } from '../../kits/schema.ts'
import { maybeFindBoxOfKit, maybeFindKitOfBox } from '../../stock/find.ts'
import { selectOrderStatus, selectRealmOfKit, selectSealedDraft, upsertSealedDraft } from '../queries.ts'
import { awaitsSample } from '../words.ts'

const VALID_MS = 2 * 3_600_000

/** The answers so far on the pages that register a kit. */
const Draft = z.object({
  consent: z.object({ version: z.string(), research: z.boolean() }).optional(),
  /** The sealed box that the kit was in then. */
  box: z.string().optional(),
  /** Research was ticked on a form without the consent to testing. */
  wantsResearch: z.boolean().optional(),
  /** The fields as they were typed, right or not. */
  details: z.record(z.string(), z.string()).optional(),
  /** The kit was registered here. If it is doubtful, a person checks it. */
  done: z.object({ email: z.string(), isDoubtful: z.boolean() }).optional(),
})
export type Draft = z.infer<typeof Draft>

const placeOf = (tx: Tx, kitId: string) => `registration_drafts.sealed/${tx.realm.id}/${kitId}`

/** The draft of this browser for a kit; empty without one. */
export async function readDraft(tx: Tx, kitId: string, visitor: string): Promise<Draft> {
  const sealed = await selectSealedDraft(tx, kitId, sha256(visitor))
  return sealed ? Draft.parse(JSON.parse(tx.context.open(sealed, placeOf(tx, kitId)))) : {}
}

/** Stores a draft, encrypted, for two hours. */
export async function saveDraft(tx: Tx, kitId: string, visitor: string, draft: Draft): Promise<void> {
  const sealed = tx.context.seal(JSON.stringify(draft), placeOf(tx, kitId))
  const expiresAt = new Date(tx.now.getTime() + VALID_MS)
  await upsertSealedDraft(tx, { kitId, visitor: sha256(visitor), sealed, expiresAt })
}

/** Whether a person who holds a kit can register it, or why not. */
export type RegistrationStatus = 'open' | 'registered' | 'canceled' | 'unpaid' | 'late' | 'recalled' | 'closed'

/** `isGuess`: it may be: whoever tries serial numbers finds some. */
type TypedKit = { isGuess: boolean } & (
  | { is: 'mistyped' }
  | { is: 'known'; kitId: string; realm: Realm }
  | { is: 'unknown'; kitId: string }
)

interface HeldKit {
  state: KitState
  isRegistered: boolean
  orderStatus: string
}

/** `recalled`: it must not be used. `late`: its box is too close to its expiry. `closed`: the kit was never registered and can no longer be, such as after its sample was rejected. */
function registrationStatusOf({ state, isRegistered, orderStatus }: HeldKit): RegistrationStatus {
  if (exceptionOf(state) === 'canceled' || orderStatus === 'canceled') return 'canceled'
  if (isRegistered) return 'registered'
  if (orderStatus === 'pending') return 'unpaid'
  const isFilledIn = state.progress.kitRegistered !== undefined
  return allowed(state).includes('kitRegistered') || (isFilledIn && !isFinal(state)) ? 'open' : 'closed'
}

/** An ID as a person typed it, without the spaces and dashes that group its characters. */
const typedId = (text: string): string => text.replace(/[\s\u2010-\u2015-]+/g, '')

// With a wrong check character it is a typing error of an ID: nothing is looked up.
const KIT_LIKE = /^K[0-9A-Z]{7,10}$/

/** Finds the kit whose ID, or whose box's code, a person typed from a box. */
export async function findTypedKit(
  text: string,
  ask: <T>(work: (tx: SystemTx) => Promise<T>) => Promise<T>,
): Promise<TypedKit> {
  const typed = normalizeId(typedId(text).slice(0, 64))
  const isId = isKitId(typed)
  if (!isId && KIT_LIKE.test(typed)) return { is: 'mistyped', isGuess: false }
  // Whoever bought a box in a shop has its serial number, or scans its code. Numbers that follow one another are found by trying.
  const kitId = isId ? typed : await ask((tx) => maybeFindKitOfBox(tx, text))
  if (kitId === undefined) return { is: 'mistyped', isGuess: true }
  const realm = await ask((tx) => selectRealmOfKit(tx, kitId))
  return realm ? { is: 'known', kitId, realm, isGuess: !isId } : { is: 'unknown', kitId, isGuess: true }
}

/** Whether a kit can be registered. @throws KIT_NOT_FOUND */
export async function findRegistrationStatus(tx: Tx, kitId: string): Promise<RegistrationStatus> {
  const [kit] = await selectKitsByIds(tx, [kitId])
  if (!kit) throw new AppError('KIT_NOT_FOUND', 'There is no such kit')
  const orderStatus = await selectOrderStatus(tx, kit.orderId)
  const state = stateOf(kit)
  // The business resolves a doubtful registration: nobody can try dates of birth here.
  const isRegistered = kit.registeredAt !== null || exceptionOf(state) === 'registrationException'
  const status = registrationStatusOf({ state, isRegistered, orderStatus })
  const isUsable = status === 'open' || (status === 'registered' && awaitsSample(kit))
  if (isUsable && (await selectRecallOf(tx, kitId))?.stopsUse) return 'recalled'
  return status === 'open' && (await isTooLateToRegister(tx, kit)) ? 'late' : status
}

/** The sealed box that a kit is in. */
export async function boxOf(tx: Tx, kitId: string): Promise<string | undefined> {
  const box = await maybeFindBoxOfKit(tx, kitId)
  return box && `${box.gtin} ${box.serial}`
}

interface Registering extends Pick<Draft, 'box'> {
  kitId: string
  visitor: string
  consent: NonNullable<Draft['consent']>
  details: RegisterInput
  /** In which the person reads, and gets e-mails from now on. */
  language: Language
}

/**
 * Stores the consent and registers the kit, as the API does, in one transaction; the draft then only says that it is done.
 * The person always gets the e-mail with the link to their pages. @throws as `consent` and `registerKit`
 */
export async function registerFromDraft(
  tx: Tx,
  { kitId, visitor, consent: given, box, details, language }: Registering,
): Promise<void> {
  const { email, guardian } = details
  const { firstName, lastName } = guardian ?? details
  const relation = guardian?.relation
  const { version: consentVersion, research: consentForResearch } = given
  await consent(
    tx,
    kitId,
    ConsentInput.parse({
      firstName,
      lastName,
      email,
      relation,
      consentVersion,
      consentToTesting: true,
      consentForResearch,
    }),
  )
  await registerKit(tx, kitId, { ...details, consentForResearch }, { isEmailWanted: true, language })
  // Whose box was taken off the kit meanwhile holds another kit's sample, or none's.
  if (box !== undefined && box !== (await boxOf(tx, kitId))) {
    throw new AppError('ILLEGAL_TRANSITION', 'The kit is in another box now')
  }
  const [kit] = await selectKitsByIds(tx, [kitId])
  const isDoubtful = kit !== undefined && exceptionOf(stateOf(kit)) === 'registrationException'
  await saveDraft(tx, kitId, visitor, { done: { email, isDoubtful } })
}
