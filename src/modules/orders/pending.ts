import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import type { Line } from '../credits/rules.ts'
import * as credits from '../credits/service.ts'
import * as events from '../events/service.ts'
import { createKits } from '../kits/create.ts'
import { illegal, type LockedOrder, lockOrder } from './cancel.ts'
import { created, kitsOf, tellRecipients } from './placement.ts'

/** A pending order that nobody is paying yet, locked. @throws ORDER_NOT_FOUND, ILLEGAL_TRANSITION */
export async function lockPending(tx: Tx, id: string): Promise<LockedOrder & { items: Line[] }> {
  const order = await lockOrder(tx, id)
  if (order.status !== 'pending') throw illegal('Only a pending order can be paid', order.status)
  if (order.paymentId) throw illegal('A payment of this order is under way', order.status)
  return { ...order, items: await itemsOf(tx, id) }
}

function itemsOf(tx: Tx, id: string): Promise<Line[]> {
  return tx.rows(sql<Line>`
    select kit_type as "kitType", quantity from order_items
    where realm_id = ${tx.realm.id} and order_id = ${id} order by kit_type`)
}

/** Pays a pending order with credits: its kits are made and ship. @throws NOT_ENOUGH_CREDITS */
export async function payWithCredits(tx: Tx, order: LockedOrder & { items: Line[] }): Promise<void> {
  await credits.spend(tx, order.id, order.items)
  await tx.run(sql`
    update orders set status = 'created', payment_method = 'credits', payment_status = 'paid', amount_minor = null, currency = null
    where realm_id = ${tx.realm.id} and id = ${order.id}`)
  await ship(tx, order)
}

/** Notes that a card is being charged for a pending order: until that is known it is neither paid again nor canceled. */
export async function markPaying(tx: Tx, id: string, paymentId: string): Promise<void> {
  await tx.run(sql`update orders set payment_id = ${paymentId} where realm_id = ${tx.realm.id} and id = ${id}`)
}

/** Ends the payment of a pending order by card: paid, its kits are made; declined, it waits as before. */
export async function finishPaying(tx: Tx, id: string, isPaid: boolean): Promise<void> {
  const order = await lockOrder(tx, id)
  if (!isPaid) {
    await tx.run(sql`update orders set payment_id = null where realm_id = ${tx.realm.id} and id = ${id}`)
    return
  }
  await tx.run(sql`
    update orders set status = 'created', payment_method = 'card', payment_status = 'paid'
    where realm_id = ${tx.realm.id} and id = ${id}`)
  await ship(tx, { ...order, items: await itemsOf(tx, id) })
}

async function ship(tx: Tx, order: LockedOrder & { items: Line[] }): Promise<void> {
  await createKits(tx, kitsOf(order))
  await events.record(tx, [
    created({ ...order, externalId: order.externalId ?? undefined, createdAt: tx.now }, 'created'),
  ])
  await tellRecipients(tx, [{ ...order, realm: tx.realm }])
  await audit.record(tx, [{ action: 'order.paid', objectType: 'order', objectId: order.id }])
}
