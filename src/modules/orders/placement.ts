import { newOrderIds } from '../../domain/ids.ts'
import type { Actor, Queries, Realm, Tx } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import { type Price, priceBook } from '../catalogue/prices.ts'
import { bookTransfers, type Transfer } from '../credits/ledger.ts'
import { warnOfLowCredits } from '../credits/low-credits.ts'
import type { Line } from '../credits/rules.ts'
import { requestTopUps } from '../credits/top-up-request.ts'
import * as events from '../events/service.ts'
import { makeKits } from '../kits/create.ts'
import { emailRecipients, orderCreated } from './announce.ts'
import type { OrderOutcome } from './answer.ts'
import { type Decided, needsApproval } from './decision.ts'
import { lockForPlacement, type PlacementLocks } from './placement-locks.ts'
import { insertOrders } from './queries.ts'
import type { NewOrder, OrderRequest } from './request.ts'
import { kitsOf, MIXED, quantityOf } from './rules.ts'
import type { LockedTerms } from './terms.ts'

/**
 * How an order is paid: with credits (of `jobId`: reserved ones), by a charged card, later (without kits until then), or to the
 * vendor that it is taken over from: then nobody is told of it.
 */
export type OrderPayment =
  | { method: 'credits'; jobId?: string }
  | { method: 'card'; paymentId: string; price: PriceOf }
  | { method: 'later'; price: PriceOf }
  | { method: 'elsewhere' }

type PriceOf = (items: readonly Line[]) => Price

/** An order to place: where, by whom, and how it is paid. */
interface Placement {
  realm: Realm
  actor: Actor
  /** Who asked for it, where a job places it: its event says so. */
  placedBy?: string
  order: NewOrder
  payment: OrderPayment
  /** A provider approves it first; `pay` says how it is paid then, null: later. */
  waits?: { pay: string | null }
}

/** Places those requests, of any realms, for which this was decided. The caller awaits the writes, which are queued. */
export async function placeDecided<R extends Decided<{ realm: Realm; actor: Actor; request: OrderRequest }>>(
  tx: Queries,
  requests: readonly R[],
  { of, locks }: LockedTerms,
): Promise<{ results: (R & { placed?: OrderOutcome })[]; writes: Promise<unknown>[] }> {
  const placements = requests.flatMap(({ realm, actor, request, decision }) => {
    if (decision.kind !== 'place') return []
    const { method, pay = null } = decision
    const { prices } = of(realm.id)
    const later: OrderPayment = { method: 'later', price: prices.price }
    const payment: OrderPayment = method === 'credits' ? { method } : later
    return request.orders.map((order): Placement => {
      const asked = { realm, actor, order }
      return needsApproval(order, prices) ? { ...asked, payment: later, waits: { pay } } : { ...asked, payment }
    })
  })
  const { ids, writes } = await queuePlacement(tx, placements, locks)
  let next = 0
  const results = requests.map((orderRequest) => {
    const { request, decision } = orderRequest
    if (decision.kind !== 'place') return orderRequest
    const orderIds = ids.slice(next, next + request.orders.length)
    next += orderIds.length
    const { prices } = of(orderRequest.realm.id)
    const pending = decision.method === 'later' || request.orders.some((order) => needsApproval(order, prices))
    return { ...orderRequest, placed: { kind: 'placed' as const, orderIds, pending } }
  })
  return { results, writes }
}

/** Places N orders of this realm that are paid alike. Returns their IDs, in order. `placedBy`: who asked a job for them. */
export async function placeOrders(
  tx: Tx,
  orders: readonly NewOrder[],
  payment: OrderPayment,
  placedBy?: string,
): Promise<string[]> {
  const { realm, actor } = tx
  const waiting = await waitingOf(tx, orders, payment)
  const lines = payment.method === 'credits' ? orders.flatMap(({ items }) => items) : []
  const kitTypes = lines.map(({ kitType }) => ({ realmId: realm.id, kitType }))
  const locks = await lockForPlacement(tx, { realmIds: [realm.id], kitTypes })
  const { ids, writes } = await queuePlacement(
    tx,
    orders.map((order) => ({ realm, actor, placedBy, order, payment, ...waiting.get(order) })),
    locks,
  )
  await Promise.all(writes)
  return ids
}

/** The orders that a provider approves first, with how they are placed. What a card has paid, and what is taken over, does not wait. */
async function waitingOf(
  tx: Tx,
  orders: readonly NewOrder[],
  payment: OrderPayment,
): Promise<Map<NewOrder, Pick<Placement, 'payment' | 'waits'>>> {
  if (payment.method === 'card' || payment.method === 'elsewhere') return new Map()
  const prices = await priceBook(tx)
  const pay = payment.method === 'credits' ? 'credits' : null
  const price = 'price' in payment ? payment.price : prices.price
  return new Map(
    orders
      .filter((order) => needsApproval(order, prices))
      .map((order) => [order, { payment: { method: 'later', price }, waits: { pay } }]),
  )
}

const skuOf = (items: readonly Line[]): string => (items.length === 1 && items[0] ? items[0].kitType : MIXED)

/**
 * Queues the statements that place N orders of any realms whose credits are covered: a fixed number for any N. There is no
 * other way of making an order.
 */
async function queuePlacement(
  tx: Queries,
  placements: readonly Placement[],
  { balances, numbers }: PlacementLocks,
): Promise<{ ids: string[]; writes: Promise<unknown>[] }> {
  if (placements.length === 0) return { ids: [], writes: [] }
  const ids = newOrderIds(placements.length)
  const placed = placements.map((placement, index) => ({
    ...placement,
    id: at(ids, index),
    createdAt: numbers.orderDate(placement.realm.id, tx.now),
  }))
  const keyrings = await tx.vault.ofAll(placements.map(({ realm }) => realm.id))
  const paid = placed.filter(({ payment }) => payment.method !== 'later')
  const announced = placed.filter(({ payment }) => payment.method !== 'elsewhere')
  const booking = bookTransfers(balances, numbers, placed.flatMap(transfersOf))
  // These e-mails are rare, and their statements wait for one another; what is queued below does not.
  await warnOfLowCredits(tx, booking.low)
  await requestTopUps(tx, booking.topUps)
  await emailRecipients(
    tx,
    announced
      .filter(({ payment }) => payment.method !== 'later')
      .map(({ realm, id, order: { recipient, notify, items } }) => ({ realm, id, items, notify, ...recipient })),
  )
  const kits = paid.flatMap(({ realm, id, order }) =>
    kitsOf({ id, items: order.items }).map((kit) => ({ ...kit, realm })),
  )
  const writes = [
    ...insertOrders(
      tx,
      keyrings,
      placed.map(({ realm, id, createdAt, order, payment, waits }) => ({
        ...order,
        items: 'price' in payment ? pricedItems(order.items, payment.price) : order.items,
        realmId: realm.id,
        id,
        createdAt,
        seq: numbers.next(realm.id, 'orders'),
        status: payment.method === 'later' ? 'pending' : 'created',
        sku: skuOf(order.items),
        quantity: quantityOf(order.items),
        paymentMethod: payment.method === 'later' || payment.method === 'elsewhere' ? 'none' : payment.method,
        paymentStatus: payment.method === 'later' ? 'pending' : 'paid',
        ...('price' in payment && payment.price(order.items)),
        ...(payment.method === 'card' && { paymentId: payment.paymentId }),
        ...(waits && { approvalState: 'waiting' as const, approval: waits }),
      })),
    ),
    ...booking.write(tx),
    ...(kits.length > 0 ? [makeKits(tx, numbers, kits).written] : []),
    events.recordIn(
      tx,
      announced.map(({ realm, actor, placedBy = actor.name, id, createdAt, order, payment }) => ({
        realm,
        actor: placedBy,
        ...orderCreated({ ...order, id, createdAt }, payment.method === 'later' ? 'pending' : 'created'),
      })),
    ),
    audit.recordIn(
      tx,
      placed.map(({ realm, actor, id }) => ({
        realm,
        actor,
        action: 'order.placed',
        objectType: 'order',
        objectId: id,
      })),
    ),
    numbers.save(tx),
  ]
  return { ids, writes }
}

/** With what one kit costs, for the receipt of an order of several kit types. */
const pricedItems = (items: readonly Line[], price: PriceOf) =>
  items.map((item) => ({ ...item, priceMinor: price([{ ...item, quantity: 1 }]).amountMinor }))

function transfersOf({ realm, actor, order, payment, id }: Placement & { id: string }): Transfer[] {
  if (payment.method !== 'credits') return []
  const { jobId } = payment
  const kind = jobId === undefined ? 'order' : 'capture'
  return order.items.map(({ kitType, quantity: amount }) => ({
    realm,
    actor: actor.name,
    kind,
    kitType,
    amount,
    orderId: id,
    jobId,
  }))
}

function at(ids: readonly string[], index: number): string {
  const id = ids[index]
  if (id === undefined) throw new Error('fewer identifiers than orders')
  return id
}
