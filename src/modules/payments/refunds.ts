import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import type { RealmPorts } from '../../platform/ports/realm-ports.ts'
import { keyOf } from './service.ts'

export const REFUND_JOB = 'payments.refund'

/** Promises a refund of one order's part of a payment; a job carries it out. Once for each order. */
export async function requestRefund(
  tx: Tx,
  refund: { orderId: string; paymentId: string; amountMinor: number },
): Promise<void> {
  await tx.run(sql`
    insert into refunds (realm_id, order_id, payment_id, amount_minor, state, created_at)
    values (${tx.realm.id}, ${refund.orderId}, ${refund.paymentId}, ${refund.amountMinor}, 'requested', ${tx.now})`)
  await tx.enqueue(REFUND_JOB, { realm: tx.realm, orderId: refund.orderId })
}

interface OpenRefund {
  paymentId: string
  amountMinor: number
  gatewayRef: string | null
  paymentState: string
}

/** Carries out a promised refund. Safe to repeat. @throws GatewayUnknown; an error while the charge itself is not taken yet */
export async function refund(ports: RealmPorts, orderId: string): Promise<void> {
  const open = await ports.open((tx) =>
    tx.maybeRow(sql<OpenRefund>`
      select r.payment_id as "paymentId", r.amount_minor as "amountMinor", p.gateway_ref as "gatewayRef", p.state as "paymentState"
      from refunds r join payments p on p.realm_id = r.realm_id and p.id = r.payment_id
      where r.realm_id = ${tx.realm.id} and r.order_id = ${orderId} and r.state = 'requested'`),
  )
  if (!open) return
  if (open.paymentState === 'authorised') throw new Error('the authorisation is not captured yet: try again later')
  if (open.gatewayRef === null) throw new Error(`payment ${open.paymentId} was never charged`)
  await ports.gateway.refund({
    ref: open.gatewayRef,
    amountMinor: open.amountMinor,
    idempotencyKey: keyOf(ports.realm.mode, open.paymentId, orderId, 'refund'),
  })
  await ports.open((tx) =>
    tx.run(sql`
      update refunds set state = 'done', done_at = ${tx.now}
      where realm_id = ${tx.realm.id} and order_id = ${orderId} and state = 'requested'`),
  )
}
