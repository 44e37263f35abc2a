import type { Tx } from '../../platform/database/tx.ts'
import type { RealmPorts } from '../../platform/ports/realm-ports.ts'
import { insertRefund, type NewRefund, selectOpenRefund, selectPayment, updateRefundDone } from './queries.ts'
import { issueCreditNote } from './receipts/issue.ts'
import { selectCharged, selectReversals } from './reversals/queries.ts'
import { sumBack } from './reversals/rules.ts'
import { refundKeyOf } from './service.ts'

/** The job that carries out a refund. */
export const REFUND_JOB = 'payments.refund'

/**
 * Requests a refund of one order's part of a payment; a job carries it out. Once for each order. `canceledMinor`: what all canceled
 * orders of the payment cost, this one included.
 */
export async function requestRefund(
  tx: Tx,
  { canceledMinor, ...refund }: NewRefund & { canceledMinor: number },
): Promise<void> {
  await selectPayment(tx, refund.paymentId, 'update')
  const { capturedMinor, ownRefundsMinor } = await selectCharged(tx, refund.paymentId)
  const back = sumBack(await selectReversals(tx, [refund.paymentId]), capturedMinor)
  // What went back at the payment provider is not given back again, and it counts for canceled orders first.
  const amountMinor =
    back > 0 ? Math.min(refund.amountMinor, canceledMinor - ownRefundsMinor - back) : refund.amountMinor
  if (amountMinor <= 0) return
  await insertRefund(tx, { ...refund, amountMinor })
  await tx.enqueue(REFUND_JOB, { realm: tx.realm, orderId: refund.orderId })
}

/** Carries out a requested refund, with its credit note. Safe to repeat. @throws GatewayUnknown; an error until the charge is captured */
export async function carryOutRefund(ports: RealmPorts, orderId: string): Promise<void> {
  const open = await ports.open((tx) => selectOpenRefund(tx, orderId))
  if (!open) return
  if (open.paymentState === 'authorised') throw new Error('the authorisation is not captured yet: try again later')
  if (open.gatewayRef === null) throw new Error(`payment ${open.paymentId} was never charged`)
  await ports.gateway.refund({
    ref: open.gatewayRef,
    amountMinor: open.amountMinor,
    idempotencyKey: refundKeyOf(ports.realm.mode, open.paymentId, orderId),
  })
  const { paymentId, amountMinor, currency, items } = open
  await ports.open(async (tx) => {
    const isMine = (await updateRefundDone(tx, orderId)) === 1
    if (isMine) await issueCreditNote(tx, { paymentId, orderId, amountMinor, currency, items: items ?? [] })
  })
}
