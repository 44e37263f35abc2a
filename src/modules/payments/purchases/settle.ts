import type { ChargeResult } from '../../../domain/payment-gateway.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import { refusalToWire, toWire } from '../../../platform/http/wire.ts'
import type { RealmPorts } from '../../../platform/ports/realm-ports.ts'
import * as audit from '../../audit/service.ts'
import { publicKitType } from '../../catalogue/kit-type.ts'
import * as credits from '../../credits/service.ts'
import { requestTopUps } from '../../credits/top-up-request.ts'
import * as events from '../../events/service.ts'
import { type Payment, type PaymentPurpose, selectPayment } from '../queries.ts'
import { issueReceipt } from '../receipts/issue.ts'
import { paymentFailed } from '../rules.ts'
import { type Recorded, settle } from '../settle.ts'
import { selectTopUpForUpdate, type TopUp, upsertTopUp } from '../top-ups/queries.ts'
import { failTopUp } from '../top-ups/start.ts'
import type { Purchase } from './buy.ts'

/** What became of a purchase. The payment keeps it, so its shape is stored. */
export type PurchaseOutcome = { kind: 'bought'; bought: Bought } | { kind: 'declined'; code: string }

/** As the API answers it. */
export interface Bought {
  paymentID: string
  /** The balance after it. */
  credits: number
}

export const isPurchase = (purpose: PaymentPurpose): boolean => purpose === 'credits' || purpose === 'top_up'

/**
 * Finishes a purchase of credits. Whoever started it calls this, and after a crash a job.
 * @throws OVERLOADED while it is not known whether the card was charged
 */
export async function settlePurchase(ports: RealmPorts, paymentId: string): Promise<PurchaseOutcome> {
  const payment = await ports.open((tx) => selectPayment(tx, paymentId))
  return settle(ports, payment, recordPurchase)
}

/** What the buyer reads. @throws PAYMENT_FAILED */
export function boughtOf(outcome: PurchaseOutcome): Bought {
  if (outcome.kind === 'declined') throw paymentFailed(outcome.code)
  return outcome.bought
}

async function recordPurchase(tx: Tx, payment: Payment, result: ChargeResult): Promise<Recorded<PurchaseOutcome>> {
  const { kitType, amount, unitMinor } = payment.request as Purchase
  // Before the balance: settings are changed in this order, too.
  const topUp = payment.purpose === 'top_up' ? await lockTopUpOf(tx, payment.id, kitType) : undefined
  if (result.outcome === 'declined') {
    if (topUp) await finishTopUp(tx, topUp, { declined: result.code })
    const answer = async () => refusalToWire(paymentFailed(result.code), payment.requestId ?? '')
    return { outcome: { kind: 'declined', code: result.code }, answer }
  }
  const balance = await credits.addPurchased(tx, { kitType, amount, paymentId: payment.id })
  const { amountMinor } = payment
  const bought = { paymentID: payment.id, credits: balance }
  if (topUp) await finishTopUp(tx, topUp, { balance })
  const lines = [{ kitType, quantity: amount, unitMinor }]
  await issueReceipt(tx, payment, { kind: 'invoice', orderIds: [], amountMinor, lines })
  const isAutomatic = payment.purpose === 'top_up'
  const data = { ...bought, type: publicKitType(kitType), amount, automatic: isAutomatic }
  await events.record(tx, [{ type: 'credits.topped_up', data }])
  await audit.record(tx, [
    {
      action: 'credits.purchased',
      objectType: 'credits',
      objectId: kitType,
      details: { amount, payment: payment.id, automatic: isAutomatic },
    },
  ])
  const outcome = { kind: 'bought', bought } as const
  return { outcome, answer: async () => toWire({ status: 201, body: outcome.bought }) }
}

/** The top-up that made a payment, locked; undefined where it no longer waits for it. */
async function lockTopUpOf(tx: Tx, paymentId: string, kitType: string): Promise<TopUp | undefined> {
  const topUp = await selectTopUpForUpdate(tx, kitType)
  return topUp?.paymentId === paymentId ? topUp : undefined
}

/** Ends one purchase of a top-up. Paid: another may follow, at once if the balance is still low. Declined: see `failTopUp`. */
async function finishTopUp(tx: Tx, topUp: TopUp, result: { balance: number } | { declined: string }): Promise<void> {
  if ('declined' in result) return failTopUp(tx, topUp, result.declined)
  await upsertTopUp(tx, { ...topUp, paymentId: null, failures: 0, retryAt: null })
  const { kitType, below, isOn } = topUp
  if (isOn && result.balance < below) await requestTopUps(tx, [{ realm: tx.realm, kitType }])
}
