import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import type { Line } from '../credits/rules.ts'

export interface NewRefund {
  orderId: string
  paymentId: string
  amountMinor: number
  /** The kits that are given back. */
  items: Line[]
}

export async function insertRefund(tx: Tx, { orderId, paymentId, amountMinor, items }: NewRefund): Promise<void> {
  await tx.run(sql`
    insert into refunds (realm_id, order_id, payment_id, amount_minor, items, state, created_at)
    values (${tx.realm.id}, ${orderId}, ${paymentId}, ${amountMinor}, ${JSON.stringify(items)}::jsonb, 'requested', ${tx.now})`)
}

export interface OpenRefund {
  paymentId: string
  amountMinor: number
  gatewayRef: string | null
  paymentState: string
  currency: string
  /** Null in refunds of versions before. */
  items: Line[] | null
}

export function selectOpenRefund(tx: Tx, orderId: string): Promise<OpenRefund | undefined> {
  return tx.maybeRow(sql<OpenRefund>`
    select r.payment_id as "paymentId", r.amount_minor as "amountMinor", p.gateway_ref as "gatewayRef", p.state as "paymentState",
           p.currency, r.items
    from refunds r join payments p on p.realm_id = r.realm_id and p.id = r.payment_id
    where r.realm_id = ${tx.realm.id} and r.order_id = ${orderId} and r.state = 'requested' and r.failed_at is null`)
}

/** Returns 1, or 0 where it is done already. */
export function updateRefundDone(tx: Tx, orderId: string): Promise<number> {
  return tx.run(sql`
    update refunds set state = 'done', done_at = ${tx.now}
    where realm_id = ${tx.realm.id} and order_id = ${orderId} and state = 'requested' and failed_at is null`)
}

export interface OwnRefund {
  orderId: string
  amountMinor: number
  isDone: boolean
}

/** The refunds of a payment that this program made or is about to make. */
export function selectOwnRefunds(tx: Tx, paymentId: string): Promise<OwnRefund[]> {
  return tx.rows(sql<OwnRefund>`
    select order_id as "orderId", amount_minor as "amountMinor", state = 'done' as "isDone" from refunds
    where realm_id = ${tx.realm.id} and payment_id = ${paymentId} and failed_at is null order by created_at, order_id`)
}

export async function updateRefundFailed(tx: Tx, orderId: string): Promise<void> {
  await tx.run(sql`
    update refunds set failed_at = ${tx.now} where realm_id = ${tx.realm.id} and order_id = ${orderId} and failed_at is null`)
}

export async function updateRefundAmount(tx: Tx, orderId: string, amountMinor: number): Promise<void> {
  await tx.run(sql`
    update refunds set amount_minor = ${amountMinor} where realm_id = ${tx.realm.id} and order_id = ${orderId}`)
}
