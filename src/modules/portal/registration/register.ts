import { AppError } from '../../../domain/errors.ts'
import { isKitId, normalizeId } from '../../../domain/ids.ts'
import type { Realm, SystemTx, Tx } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import type { Brand } from '../../emails/layout.ts'
import { selectBrand } from '../../emails/queries.ts'
import * as emails from '../../emails/service.ts'
import { newLink } from '../../emails/templates.ts'
import { selectByIds } from '../../kits/queries.ts'
import { stateOf } from '../../kits/records.ts'
import { consent, registerKit } from '../../kits/register.ts'
import { exceptionOf } from '../../kits/rules.ts'
import { ConsentInput, type RegisterInput } from '../../kits/schema.ts'
import * as links from '../../links/service.ts'
import type { Label } from '../label.ts'
import { type KnownPerson, selectKitOfLabel, selectOrderStatus, selectRealmOfKit } from '../queries.ts'
import { type Draft, saveDraft } from './drafts.ts'
import { type RegistrationStatus, registrationStatusOf, typedId } from './rules.ts'

/** How a page shows itself: the business's paper, and whether all of it is a test. */
export interface Paper extends Brand {
  isTest: boolean
}

/** The paper of the realm. */
export async function paperOf(tx: Tx): Promise<Paper> {
  return { ...(await selectBrand(tx)), isTest: tx.realm.mode === 'sandbox' }
}

export type TypedKit =
  | { is: 'mistyped' }
  | { is: 'known'; kitId: string; realm: Realm }
  | { is: 'unknown'; kitId: string }

/** What a person typed from a box. The check character tells a slip of the finger without asking the database. */
export async function findTypedKit(
  text: string,
  ask: <T>(work: (tx: SystemTx) => Promise<T>) => Promise<T>,
): Promise<TypedKit> {
  const kitId = normalizeId(typedId(text).slice(0, 64))
  if (!isKitId(kitId)) return { is: 'mistyped' }
  const realm = await ask((tx) => selectRealmOfKit(tx, kitId))
  return realm ? { is: 'known', kitId, realm } : { is: 'unknown', kitId }
}

/** Which page a kit of this realm gets. @throws KIT_NOT_FOUND */
export async function findRegistrationStatus(tx: Tx, kitId: string): Promise<RegistrationStatus> {
  const [kit] = await selectByIds(tx, [kitId])
  if (!kit) throw new AppError('KIT_NOT_FOUND', 'There is no such kit')
  const orderStatus = await selectOrderStatus(tx, kit.orderId)
  const state = stateOf(kit)
  // In doubt it is for the business to clear: nobody tries dates of birth here.
  const isRegistered = kit.registeredAt !== null || exceptionOf(state) === 'registrationException'
  return registrationStatusOf({ state, isRegistered, orderStatus })
}

export interface Registering {
  kitId: string
  visitor: string
  consent: NonNullable<Draft['consent']>
  details: RegisterInput
}

/**
 * Keeps the consent and registers the kit, as the API does, in one transaction; the draft then only says that it is done.
 * The person always gets the e-mail that leads to their pages. @throws as `consent` and `registerKit`
 */
export async function registerFromDraft(
  tx: Tx,
  { kitId, visitor, consent: given, details }: Registering,
): Promise<void> {
  const { firstName, lastName, email } = details
  const { version: consentVersion, research: consentForResearch } = given
  await consent(
    tx,
    kitId,
    ConsentInput.parse({ firstName, lastName, email, consentVersion, consentToTesting: true, consentForResearch }),
  )
  await registerKit(tx, kitId, { ...details, consentForResearch }, true)
  const [kit] = await selectByIds(tx, [kitId])
  const isDoubtful = kit !== undefined && exceptionOf(stateOf(kit)) === 'registrationException'
  await saveDraft(tx, kitId, visitor, { done: { email, isDoubtful } })
}

/** What the label of a box says; undefined for a kit that is not there. */
export async function findLabel(tx: SystemTx, kitId: string): Promise<Label | undefined> {
  const { publicUrl } = tx.context
  if (!publicUrl) throw new Error('PUBLIC_URL is needed for a label')
  const kit = await selectKitOfLabel(tx, kitId)
  return kit && { kitId, businessName: kit.name, isTest: kit.mode === 'sandbox', address: `${publicUrl}/k/${kitId}` }
}

/** Sends a person a new link to their pages, at most 5 a day. Fails where nobody said under which address they are. */
export async function sendNewLink(tx: Tx, { customerId, email, firstName }: Omit<KnownPerson, 'realm'>): Promise<void> {
  if (!tx.context.publicUrl) throw new Error('PUBLIC_URL is needed for a link')
  if (!(await links.mayRenew(tx, customerId))) return
  const link = { customerId, isRenewal: true }
  await emails.queue(tx, [{ content: newLink(), to: email, name: firstName, link }])
  await audit.record(tx, [{ action: 'customer.link_sent', objectType: 'customer', objectId: String(customerId) }])
}
