import { sentence } from '@kitlane/display/sentence'
import { AppError } from '../../../domain/errors.ts'
import type { Reversal } from '../../../domain/payment-gateway.ts'
import { type SystemTx, type Tx, within } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import * as businesses from '../../businesses/service.ts'
import * as credits from '../../credits/service.ts'
import { noticeOnce } from '../notices.ts'
import { type Payment, selectOwnRefunds, selectPayment, updateRefundAmount, updateRefundFailed } from '../queries.ts'
import { issueReversalNote } from '../receipts/issue.ts'
import { selectReceipts } from '../receipts/queries.ts'
import { moneyText } from '../receipts/rules.ts'
import { refundKeyOf } from '../service.ts'
import { switchTopUpsOff } from '../top-ups/start.ts'
import * as queries from './queries.ts'
import { isBack, type KnownReversal, sumBack } from './rules.ts'

/** How a payment stands with what the gateway gave back of it. */
interface PaymentStanding {
  /** Whether none of it is left. */
  isAllBack: boolean
  /** What went back at the gateway. */
  backMinor: number
}

// What happens later. A dispute that was decided is not open again, and a refund that failed is not done again.
const ranks: Readonly<Record<Reversal['state'], number>> = { done: 0, inquiry: 0, open: 1, failed: 2, won: 2, lost: 2 }

/** Whether a fact says more than what is known. Facts come twice and in any order; the bank may reverse its own decision. */
function isNews(known: KnownReversal | undefined, { state, amountMinor }: Reversal): boolean {
  if (!known) return true
  if (state === known.state) return amountMinor !== known.amountMinor
  return ranks[state] >= ranks[known.state]
}

/** Whether it stays there. */
const isFinal = (state: Reversal['state']): boolean => state === 'done' || state === 'lost'

/** How many of the credits that a payment bought are owed back: whole ones, all for all of the money. */
const creditsOwed = (bought: number, back: number, charged: number): number =>
  charged > 0 ? Math.floor((bought * back) / charged) : 0

/**
 * Records refunds and disputes that were made at the gateway, each by the gateway's ID: in the ledger of credits, on a credit note,
 * in the audit and to the administrators. Undefined where nothing of it is new.
 */
export async function recordReversals(
  tx: Tx,
  paymentId: string,
  facts: readonly Reversal[],
): Promise<PaymentStanding | undefined> {
  const payment = await selectPayment(tx, paymentId, 'update')
  const rows = await queries.selectReversals(tx, [paymentId])
  const known = new Map<string, KnownReversal>(rows.map((row) => [row.id, row]))
  const news = facts.filter((fact) => isNews(known.get(fact.id), fact))
  for (const fact of news) if (fact.ownKey !== undefined) known.set(fact.id, await recordFailed(tx, payment, fact))
  const unchanged = [...known.values()].filter(({ id }) => !news.some((fact) => fact.id === id))
  await withdrawRefunds(tx, paymentId, [...unchanged, ...news])
  const { capturedMinor, ownRefundsMinor } = await queries.selectCharged(tx, paymentId)
  const left = capturedMinor - ownRefundsMinor
  for (const fact of news)
    if (fact.ownKey === undefined) known.set(fact.id, await recordOne(tx, payment, fact, { known, left }))
  const isChanged = news.length > 0
  const backMinor = sumBack([...known.values()], left)
  return isChanged ? { isAllBack: backMinor >= left, backMinor } : undefined
}

/** A refund that this program made came back from the bank: it gave nothing back, and a person has to find another way. */
async function recordFailed(tx: Tx, payment: Payment, { ownKey, ref: _, ...fact }: Reversal): Promise<KnownReversal> {
  const own = await selectOwnRefunds(tx, payment.id)
  const refund = own.find(({ orderId }) => refundKeyOf(tx.realm.mode, payment.id, orderId) === ownKey)
  if (refund) await updateRefundFailed(tx, refund.orderId)
  // The credit note of its order stands for a refund that follows it, too.
  const next = { ...fact, creditsTaken: 0, creditsWaiting: 0, hasCreditNote: refund?.isDone ?? false }
  await queries.upsertReversal(tx, payment.id, next)
  const details = { reversal: fact.id, amountMinor: fact.amountMinor, ...(refund && { orderId: refund.orderId }) }
  await audit.record(tx, [{ action: 'payment.refund_failed', objectType: 'payment', objectId: payment.id, details }])
  await notice(tx, payment, next)
  return next
}

/** What is about to go back is less by what somebody gave back at the gateway meanwhile. */
async function withdrawRefunds(
  tx: Tx,
  paymentId: string,
  all: readonly Pick<Reversal, 'state' | 'amountMinor'>[],
): Promise<void> {
  const { capturedMinor } = await queries.selectCharged(tx, paymentId)
  const own = await selectOwnRefunds(tx, paymentId)
  const done = own.reduce((sum, { isDone, amountMinor }) => sum + (isDone ? amountMinor : 0), 0)
  let room = capturedMinor - done - sumBack(all, capturedMinor - done)
  for (const { orderId, amountMinor, isDone } of own) {
    if (isDone) continue
    if (room <= 0) await updateRefundFailed(tx, orderId)
    else if (room < amountMinor) await updateRefundAmount(tx, orderId, room)
    room -= amountMinor
  }
}

interface Others {
  known: ReadonlyMap<string, KnownReversal>
  /** What was charged and not given back by this program. */
  left: number
}

async function recordOne(tx: Tx, payment: Payment, fact: Reversal, { known, left }: Others): Promise<KnownReversal> {
  const { ref: _, ownKey: __, ...shown } = fact
  const empty = { creditsTaken: 0, creditsWaiting: 0, hasCreditNote: false }
  const next: KnownReversal = { ...empty, ...known.get(fact.id), ...shown }
  const all = [...new Map(known).set(fact.id, next).values()]
  const bought = await boughtBy(tx, payment.id)
  // Before the balances: settings are changed in this order, too.
  if (fact.kind === 'dispute' && fact.state !== 'won') await switchTopUpsOff(tx, 'disputed')
  else if (bought && isBack(fact.state)) await switchTopUpsOff(tx, 'refunded', bought.kitType)
  if (bought) await moveCredits(tx, payment.id, { ...bought, all, next, left })
  if (isFinal(fact.state) && !next.hasCreditNote) {
    const noted = all.reduce((sum, one) => sum + (one.hasCreditNote ? one.amountMinor : 0), 0)
    const amountMinor = Math.min(fact.amountMinor, left - noted)
    if (amountMinor > 0) await issueReversalNote(tx, payment, amountMinor)
    next.hasCreditNote = true
  }
  await queries.upsertReversal(tx, payment.id, next)
  const { kind, state, amountMinor, reason, creditsTaken, creditsWaiting } = next
  const details = { reversal: fact.id, state, amountMinor, ...(reason && { reason }), creditsTaken, creditsWaiting }
  const action = kind === 'refund' ? 'payment.refunded_at_provider' : 'payment.disputed'
  await audit.record(tx, [{ action, objectType: 'payment', objectId: payment.id, details }])
  await notice(tx, payment, next)
  return next
}

async function notice(tx: Tx, { id: payment, currency }: Payment, reversal: KnownReversal): Promise<void> {
  const { id, kind, state, amountMinor, reason, creditsTaken, creditsWaiting } = reversal
  await noticeOnce(tx, 'payment_reversed', `${id} ${state} ${amountMinor}`, {
    kind,
    state,
    payment,
    amount: moneyText(amountMinor, currency),
    reason: reason ?? '',
    creditsTaken,
    creditsWaiting,
  })
}

/** The credits that a payment bought, as its invoice says; undefined where it paid for orders. */
async function boughtBy(tx: Tx, paymentId: string): Promise<{ kitType: string; bought: number } | undefined> {
  const invoice = (await selectReceipts(tx, [paymentId])).find(({ kind }) => kind === 'invoice')
  const [line] = invoice?.content.lines ?? []
  return line?.kitType === undefined ? undefined : { kitType: line.kitType, bought: line.quantity }
}

interface CreditsOf {
  kitType: string
  bought: number
  all: readonly KnownReversal[]
  next: KnownReversal
  left: number
}

/** Revokes what is owed now, as far as it is there, or gives back what is no longer owed. */
async function moveCredits(tx: Tx, paymentId: string, { kitType, bought, all, next, left }: CreditsOf): Promise<void> {
  const owed = creditsOwed(bought, sumBack(all, left), left)
  const settled = all.reduce((sum, one) => sum + one.creditsTaken + one.creditsWaiting, 0)
  const transfer = { kitType, paymentId, note: `${next.kind} ${next.id}` }
  if (owed > settled) {
    const taken = await credits.takeBack(tx, { ...transfer, amount: owed - settled })
    next.creditsTaken += taken
    next.creditsWaiting += owed - settled - taken
    return
  }
  const forgiven = Math.min(next.creditsWaiting, settled - owed)
  const returned = Math.min(next.creditsTaken, settled - owed - forgiven)
  if (returned > 0) await credits.giveBack(tx, { ...transfer, amount: returned })
  next.creditsWaiting -= forgiven
  next.creditsTaken -= returned
}

/**
 * Notes what a person decided about credits that were spent before their payment was given back.
 * @throws BUSINESS_NOT_FOUND, REVERSAL_NOT_FOUND, ILLEGAL_TRANSITION where none wait
 */
export async function settleWaiting(
  tx: SystemTx,
  { businessId, id, reason }: { businessId: string; id: string; reason: string },
): Promise<queries.WaitingRow> {
  const { id: business } = await businesses.find(tx, businessId)
  const find = async () => {
    const found = await queries.selectReversal(tx, business, id)
    if (!found) throw new AppError('REVERSAL_NOT_FOUND', sentence('There is no such refund or dispute'))
    return found
  }
  const { realm, paymentId, creditsWaiting } = await find()
  const own = within(tx, realm)
  if ((await queries.updateSettled(own, id, reason)) === 0)
    throw new AppError('ILLEGAL_TRANSITION', sentence('No credits of this refund or dispute wait'), {
      extra: { current: 'settled', allowed: [] },
    })
  const details = { reversal: id, creditsWaiting, reason }
  await audit.record(own, [{ action: 'payment.credits_settled', objectType: 'payment', objectId: paymentId, details }])
  return find()
}
