import type { Reversal } from '../../../domain/payment-gateway.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import type { RealmPorts } from '../../../platform/ports/realm-ports.ts'
import { selectPayment } from '../../payments/queries.ts'
import { requestRefund } from '../../payments/refunds.ts'
import { recordReversals } from '../../payments/reversals/record.ts'
import { selectCanceledUnrefunded, selectItems, sumCanceled, updatePaidOrders } from '../queries.ts'

/** The job that asks the payment provider what it gave back of a payment. */
export const REVERSALS_JOB = 'checkout.reversals'

/**
 * Records what was given back at the payment provider; orders with nothing left paid are refunded. An order that was
 * canceled while the bank had the money is refunded once it is back: after a dispute that is won, or a refund that fails.
 */
export async function noteReversals(tx: Tx, paymentId: string, facts: readonly Reversal[]): Promise<void> {
  const standing = await recordReversals(tx, paymentId, facts)
  if (!standing) return
  await updatePaidOrders(tx, paymentId, standing)
  const canceledMinor = await sumCanceled(tx, paymentId)
  for (const { id: orderId, amountMinor } of await selectCanceledUnrefunded(tx, paymentId))
    await requestRefund(tx, { orderId, paymentId, amountMinor, canceledMinor, items: await selectItems(tx, orderId) })
}

/** Asks the payment provider, whose answer counts over what its events showed. @throws GatewayUnknown */
export async function lookForReversals({ gateway, open }: RealmPorts, paymentId: string): Promise<void> {
  const { gatewayRef: ref } = await open((tx) => selectPayment(tx, paymentId))
  const found = ref === null ? undefined : await gateway.reversals?.({ ref })
  if (found?.length) await open((tx) => noteReversals(tx, paymentId, found))
}
