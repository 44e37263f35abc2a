import { AppError } from '../../../domain/errors.ts'
import { newDatedId } from '../../../domain/ids.ts'
import { type SystemTx, type Tx, within } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import * as customers from '../../customers/service.ts'
import { consentWithdrawn } from '../../emails/templates.ts'
import * as events from '../../events/service.ts'
import { selectLastConsentId, selectStandingConsents } from '../consent-queries.ts'
import { emailsTo, queueEmails } from '../emails.ts'
import { announceFact, applyChanges, cancelReplacement, lockKit } from '../move.ts'
import { type KitRow, lockKitsOfCustomer, selectKitsByIds, updateRegistrations } from '../queries.ts'
import { stateOf } from '../records.ts'
import type { UnconfirmedWithdrawal, Withdrawable, WithdrawalOutcome } from './schema.ts'
import {
  insertWithdrawal,
  selectRealmOfWithdrawal,
  selectStoppedKits,
  selectTakenBack,
  selectUnconfirmed,
  selectWithdrawals,
  type UnconfirmedRow,
  updateConfirmed,
} from './withdrawal-queries.ts'
import { outcomeOf, stopSteps } from './withdrawal-rules.ts'

/** What a person can take back of a kit, and what it would do to the test. */
export interface Standing {
  testing: boolean
  research: boolean
  outcome: Exclude<WithdrawalOutcome, 'researchEnded'>
}

/** What can be taken back of a kit now. */
export async function standingConsent(tx: Tx, kit: KitRow): Promise<Standing> {
  const [consent] = await selectStandingConsents(tx, kit.id)
  const lastConsent = await selectLastConsentId(tx, kit.id)
  const taken = (await selectWithdrawals(tx, [kit.id])).some(
    (one) => one.what === 'testing' && one.lastConsent >= lastConsent,
  )
  const customer = kit.customerId === null ? undefined : await customers.maybeFind(tx, kit.customerId)
  return {
    // A kit that was registered without a recorded consent was agreed to elsewhere.
    testing: !taken && (consent !== undefined || kit.registeredAt !== null),
    research: customer ? customer.research : consent?.research === true,
    outcome: outcomeOf(heldOf(kit)),
  }
}

const heldOf = (kit: KitRow) => ({ state: stateOf(kit), isRegistered: kit.registeredAt !== null })

export interface ConsentWithdrawn {
  what: Withdrawable
  outcome: WithdrawalOutcome
  withdrawnAt: Date
}

/**
 * Takes back what was agreed for a kit: the whole of it, or only the sharing of the person's results for research, which ends
 * with the whole too. The test stops unless the sample has arrived: then the laboratory is notified, and its results stay.
 * @throws KIT_NOT_FOUND, NOTHING_TO_WITHDRAW
 */
export async function withdrawConsent(tx: Tx, kitId: string, what: Withdrawable): Promise<ConsentWithdrawn> {
  const kit = await lockWithOthers(tx, kitId)
  const standing = await standingConsent(tx, kit)
  if (!standing[what])
    throw new AppError('NOTHING_TO_WITHDRAW', 'Nobody has agreed to this, or the consent was taken back before')
  const outcome = what === 'testing' ? standing.outcome : 'researchEnded'
  const steps = what === 'testing' ? stopSteps(heldOf(kit), tx.now) : []
  if (what === 'testing') await cancelReplacement(tx, kit)
  // Nobody gets an e-mail about a lost parcel: there is none.
  if (steps.length > 0) await applyChanges(tx, [{ kit, steps, isQuiet: true }])
  if (standing.research) await endResearch(tx, kit)
  const lastConsent = await selectLastConsentId(tx, kitId)
  await insertWithdrawal(tx, { id: newDatedId('cwd', tx.now), kitId, what, outcome, lastConsent })
  const { orderId, customerId } = kit
  const data = {
    kitID: kitId,
    ...(customerId !== null && { customerID: customerId }),
    what,
    outcome,
    withdrawnDate: tx.now.toISOString(),
  }
  await queueEmails(tx, emailsTo(kit, { person: consentWithdrawn(kitId, outcome) }, { isWanted: true }))
  await events.record(tx, [{ type: 'consent.withdrawn', orderId, kitId, data }])
  await audit.record(tx, [
    { action: 'kit.consent_withdrawn', objectType: 'kit', objectId: kitId, details: { what, outcome } },
  ])
  if (what === 'testing') await announceFact(tx, [kitId], 'consent')
  return { what, outcome, withdrawnAt: tx.now }
}

/** Locks a kit after all kits of its person, in the order that everybody locks them. */
async function lockWithOthers(tx: Tx, kitId: string): Promise<KitRow> {
  const [kit] = await selectKitsByIds(tx, [kitId])
  if (kit && kit.customerId !== null) await lockKitsOfCustomer(tx, kit.customerId)
  return lockKit(tx, kitId)
}

/** Results are a person's, not a kit's: with one withdrawal none of them is shared any more. */
async function endResearch(tx: Tx, { customerId }: KitRow): Promise<void> {
  if (customerId === null) return
  const kits = await lockKitsOfCustomer(tx, customerId)
  await customers.endResearch(tx, customerId)
  const ended = kits.map((kit) => ({
    ...kit,
    registration: { ...(kit.registration as object | null), consentForResearch: false },
  }))
  await updateRegistrations(tx, ended)
}

/** Whether a sample must not be tested. */
export async function isTestingStopped(tx: Tx, kitId: string): Promise<boolean> {
  return (await selectStoppedKits(tx, [kitId])).length > 0
}

/** Whether the consent was taken back and none given since, also where the sample had arrived before. */
export async function isTakenBack(tx: Tx, kitId: string): Promise<boolean> {
  return (await selectTakenBack(tx, [kitId])).length > 0
}

/** Withdrawals of which laboratories have to be notified, oldest first. */
export async function listUnconfirmed(tx: SystemTx): Promise<UnconfirmedWithdrawal[]> {
  return (await selectUnconfirmed(tx)).map(toUnconfirmed)
}

const toUnconfirmed = ({
  id,
  kitId,
  accession,
  businessId,
  businessName,
  outcome,
  at,
}: UnconfirmedRow): UnconfirmedWithdrawal => ({
  id,
  kitID: kitId,
  ...(accession !== null && { accession }),
  business: { id: businessId, name: businessName },
  outcome,
  withdrawnAt: at.toISOString(),
  sentence:
    outcome === 'received'
      ? 'Begin no further test of this sample. Keep what was done as the law asks, and then destroy the sample.'
      : 'Do not test this sample when it arrives: reject it, and destroy it.',
})

/** Notes that the laboratory knows of a withdrawal. A second time nothing happens. @throws WITHDRAWAL_NOT_FOUND */
export async function confirmWithdrawal(tx: SystemTx, id: string): Promise<void> {
  const found = await selectRealmOfWithdrawal(tx, id)
  if (!found) throw new AppError('WITHDRAWAL_NOT_FOUND', 'There is no such withdrawal')
  const realm = within(tx, found.realm)
  if (!(await updateConfirmed(realm, id))) return
  await audit.record(realm, [
    { action: 'kit.consent_withdrawal_told', objectType: 'kit', objectId: found.kitId, details: { withdrawal: id } },
  ])
}
