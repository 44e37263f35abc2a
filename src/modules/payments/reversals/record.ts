import type { Reversal } from '../../../domain/payment-gateway.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import * as credits from '../../credits/service.ts'
import { noticeOnce } from '../notices.ts'
import { type Payment, selectPayment } from '../queries.ts'
import { issueReversalNote } from '../receipts/issue.ts'
import { selectReceipts } from '../receipts/queries.ts'
import { moneyText } from '../receipts/rules.ts'
import { switchTopUpsOff } from '../top-ups/finish.ts'
import { selectCharged, selectReversals, upsertReversal } from './queries.ts'
import { creditsOwed, isBack, isFinal, isNews, type KnownReversal, sumBack } from './rules.ts'

/** How a payment stands with what the gateway gave back of it. */
export interface PaymentStanding {
  /** Whether none of it is left. */
  isAllBack: boolean
}

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
  const { capturedMinor, ownRefundsMinor } = await selectCharged(tx, paymentId)
  const rows = await selectReversals(tx, [paymentId])
  const known = new Map<string, KnownReversal>(rows.map((row) => [row.id, row]))
  const left = capturedMinor - ownRefundsMinor
  let isChanged = false
  for (const fact of facts) {
    if (!isNews(known.get(fact.id), fact)) continue
    isChanged = true
    known.set(fact.id, await recordOne(tx, payment, fact, { known, left }))
  }
  return isChanged ? { isAllBack: sumBack([...known.values()], left) >= left } : undefined
}

interface Others {
  known: ReadonlyMap<string, KnownReversal>
  /** What was charged and not given back by this program. */
  left: number
}

async function recordOne(tx: Tx, payment: Payment, fact: Reversal, { known, left }: Others): Promise<KnownReversal> {
  const { ref: _, ...shown } = fact
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
  await upsertReversal(tx, payment.id, next)
  const { kind, state, amountMinor, reason, creditsTaken, creditsWaiting } = next
  const details = { reversal: fact.id, state, amountMinor, ...(reason && { reason }), creditsTaken, creditsWaiting }
  const action = kind === 'refund' ? 'payment.refunded_at_provider' : 'payment.disputed'
  await audit.record(tx, [{ action, objectType: 'payment', objectId: payment.id, details }])
  await noticeOnce(tx, 'payment_reversed', `${fact.id} ${state} ${amountMinor}`, {
    ...{ kind, state, payment: payment.id, amount: moneyText(amountMinor, payment.currency), reason: reason ?? '' },
    ...{ creditsTaken, creditsWaiting },
  })
  return next
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
