import { newOrderIds } from '../../domain/ids.ts'
import { type Actor, type Queries, type Realm, type Tx, within } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import { lockNumbers, type Numbers } from '../businesses/counters.ts'
import { publicKitType } from '../catalogue/kit-type.ts'
import type { Price } from '../catalogue/prices.ts'
import { type Balances, book, lockBalances, type Transfer } from '../credits/ledger.ts'
import { warn } from '../credits/low.ts'
import type { Line } from '../credits/rules.ts'
import * as emails from '../emails/service.ts'
import { orderPlaced } from '../emails/templates.ts'
import * as events from '../events/service.ts'
import { makeKits } from '../kits/create.ts'
import { insertOrders } from './queries.ts'
import { type NewOrder, quantityOf, skuOf } from './rules.ts'

/** How an order is paid: with credits (`jobId`: those put aside for it), by a card that was charged, or later (no kits until then). */
export type Payment =
  | { method: 'credits'; jobId?: string }
  | { method: 'card'; paymentId: string; price: PriceOf }
  | { method: 'later'; price: PriceOf }

export type PriceOf = (items: readonly Line[]) => Price

/** An order to place: where, by whom, and how it is paid. */
export interface Placement {
  realm: Realm
  actor: Actor
  order: NewOrder
  payment: Payment
}

/** What placing changes, locked in this order. */
export interface Books {
  balances: Balances
  numbers: Numbers
}

/** Locks what orders of some realms change. */
export async function lockBooks(
  tx: Queries,
  realmIds: readonly number[],
  credits: readonly { realmId: number; kitType: string }[],
): Promise<Books> {
  // Queued one behind the other: balances first.
  const [balances, numbers] = await Promise.all([lockBalances(tx, credits), lockNumbers(tx, realmIds)])
  return { balances, numbers }
}

/** Places N orders of this realm that are paid alike. Returns their IDs, in order. */
export async function place(tx: Tx, orders: readonly NewOrder[], payment: Payment): Promise<string[]> {
  const { realm, actor } = tx
  const lines = payment.method === 'credits' ? orders.flatMap(({ items }) => items) : []
  const books = await lockBooks(
    tx,
    [realm.id],
    lines.map(({ kitType }) => ({ realmId: realm.id, kitType })),
  )
  const placing = await startPlacing(
    tx,
    orders.map((order) => ({ realm, actor, order, payment })),
    books,
  )
  await Promise.all(placing.writes)
  return placing.ids
}

/**
 * Places N orders of any realms whose credits are covered, in a fixed number of statements. There is no other way of
 * making an order. The writes are queued and still to be awaited.
 */
export async function startPlacing(
  tx: Queries,
  placements: readonly Placement[],
  { balances, numbers }: Books,
): Promise<{ ids: string[]; writes: Promise<unknown>[] }> {
  if (placements.length === 0) return { ids: [], writes: [] }
  const ids = newOrderIds(placements.length)
  const placed = placements.map((placement, index) => ({
    ...placement,
    ...{ id: at(ids, index), createdAt: numbers.orderDate(placement.realm.id, tx.now) },
  }))
  const paid = placed.filter(({ payment }) => payment.method !== 'later')
  const booking = book(balances, numbers, placed.flatMap(transfersOf))
  // EmailsByEvent are rare, and take statements that wait for one another; what is queued below does not.
  await warn(tx, booking.fallen)
  await tellRecipients(
    tx,
    paid.map(({ realm, id, order: { recipient, notify, items } }) => ({ realm, id, items, notify, ...recipient })),
  )
  const kits = paid.flatMap(({ realm, id, order }) =>
    kitsOf({ id, items: order.items }).map((kit) => ({ ...kit, realm })),
  )
  const writes = [
    ...insertOrders(
      tx,
      placed.map(({ realm, id, createdAt, order: { recipient, ...order }, payment }) => ({
        ...order,
        ...recipient,
        realmId: realm.id,
        id,
        createdAt,
        seq: numbers.next(realm.id, 'orders'),
        status: payment.method === 'later' ? 'pending' : 'created',
        sku: skuOf(order.items),
        quantity: quantityOf(order.items),
        paymentMethod: payment.method === 'later' ? 'none' : payment.method,
        paymentStatus: payment.method === 'later' ? 'pending' : 'paid',
        ...(payment.method !== 'credits' && payment.price(order.items)),
        ...(payment.method === 'card' && { paymentId: payment.paymentId }),
      })),
    ),
    ...booking.write(tx),
    ...(kits.length > 0 ? [makeKits(tx, numbers, kits).written] : []),
    events.recordIn(
      tx,
      placed.map(({ realm, actor, id, createdAt, order, payment }) => ({
        ...{ realm, actor: actor.name },
        ...created({ ...order, id, createdAt }, payment.method === 'later' ? 'pending' : 'created'),
      })),
    ),
    audit.recordIn(
      tx,
      placed.map(({ realm, actor, id }) => ({
        ...{ realm, actor },
        ...{ action: 'order.placed', objectType: 'order', objectId: id },
      })),
    ),
    numbers.save(tx),
  ]
  return { ids, writes }
}

function transfersOf({ realm, actor, order, payment, id }: Placement & { id: string }): Transfer[] {
  if (payment.method !== 'credits') return []
  const { jobId } = payment
  const kind = jobId === undefined ? 'order' : 'capture'
  return order.items.map(({ kitType, quantity: amount }) => ({
    ...{ realm, actor: actor.name, kind, kitType, amount, orderId: id, jobId },
  }))
}

/** One kit for each credit. */
export const kitsOf = ({ id, items }: { id: string; items: readonly Line[] }) =>
  items.flatMap(({ kitType, quantity }) => Array.from({ length: quantity }, () => ({ orderId: id, kitType })))

interface Told {
  realm: Realm
  id: string
  items: readonly Line[]
  notify: boolean
  email: string | null
  firstName: string | null
}

/** Tells those who want it that their orders are placed, once they are paid. */
export async function tellRecipients(tx: Queries, orders: readonly Told[]): Promise<void> {
  const told = orders.filter(({ notify }) => notify)
  for (const [realm, own] of Map.groupBy(told, (order) => order.realm)) {
    await emails.queue(
      within(tx, realm),
      own.flatMap(({ id, items, email, firstName }) =>
        email === null
          ? []
          : [{ content: orderPlaced(id, quantityOf(items)), to: email, name: firstName, orderId: id }],
      ),
    )
  }
}

interface Announced {
  id: string
  items: readonly Line[]
  externalId?: string
  createdAt: Date
}

/** `order.created`: on placing, and again when a pending order is paid. */
export function created(
  { id, items, externalId, createdAt }: Announced,
  status: 'created' | 'pending',
): events.NewEvent {
  return {
    type: 'order.created',
    orderId: id,
    data: {
      orderID: id,
      status,
      createdDate: createdAt.toISOString(),
      items: items.map((item) => ({ kitType: publicKitType(item.kitType), quantity: item.quantity })),
      externalID: externalId,
    },
  }
}

function at(ids: readonly string[], index: number): string {
  const id = ids[index]
  if (id === undefined) throw new Error('fewer identifiers than orders')
  return id
}
