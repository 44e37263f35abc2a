import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'

export interface NewRefund {
  orderId: string
  paymentId: string
  amountMinor: number
}

export async function insertRefund(tx: Tx, { orderId, paymentId, amountMinor }: NewRefund): Promise<void> {
  await tx.run(sql`
    insert into refunds (realm_id, order_id, payment_id, amount_minor, state, created_at)
    values (${tx.realm.id}, ${orderId}, ${paymentId}, ${amountMinor}, 'requested', ${tx.now})`)
}

export interface OpenRefund {
  paymentId: string
  amountMinor: number
  gatewayRef: string | null
  paymentState: string
}

export function selectOpenRefund(tx: Tx, orderId: string): Promise<OpenRefund | undefined> {
  return tx.maybeRow(sql<OpenRefund>`
    select r.payment_id as "paymentId", r.amount_minor as "amountMinor", p.gateway_ref as "gatewayRef", p.state as "paymentState"
    from refunds r join payments p on p.realm_id = r.realm_id and p.id = r.payment_id
    where r.realm_id = ${tx.realm.id} and r.order_id = ${orderId} and r.state = 'requested'`)
}

export async function updateRefundDone(tx: Tx, orderId: string): Promise<void> {
  await tx.run(sql`
    update refunds set state = 'done', done_at = ${tx.now}
    where realm_id = ${tx.realm.id} and order_id = ${orderId} and state = 'requested'`)
}
