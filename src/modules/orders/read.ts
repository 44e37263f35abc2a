import type { Tx } from '../../platform/database/tx.ts'
import type { GroupCommit, MemberOutcome } from '../../platform/http/group-commit.ts'
import { recordHealthAccesses } from '../audit/access-audit.ts'
import { publicKitType } from '../catalogue/kit-type.ts'
import { ordersPlacedBy } from '../events/service.ts'
import { idsOfPersonalOrders } from './health-access.ts'
import { type OrderFilter, selectBefore, selectPage } from './list-queries.ts'
import { orderNotFound } from './lock.ts'
import { type OrderKitRow, type OrderRow, selectOrders } from './queries.ts'
import { orderStatusOf } from './rules.ts'
import type { Order } from './schema.ts'

/** @throws ORDER_NOT_FOUND, also for orders of other realms */
export async function find(tx: Tx, id: string): Promise<Order> {
  const order = await maybeFind(tx, id)
  if (!order) throw orderNotFound()
  return order
}

export async function maybeFind(tx: Tx, id: string): Promise<Order | undefined> {
  const [row] = await selectOrders(tx, [{ realmId: tx.realm.id, id }])
  return row && toOrder(row, tx.realm.mode === 'sandbox')
}

/** A test order in the sandbox that this live token placed with `is_test_order`. @throws ORDER_NOT_FOUND */
export async function findTest(tx: Tx, id: string, actor: string): Promise<Order> {
  const placed = await ordersPlacedBy(tx, actor, [id])
  if (!placed.has(id)) throw orderNotFound()
  return find(tx, id)
}

/** Single orders read by callers of all businesses, in one transaction; `asked` is the order's ID. */
export const orderReads: GroupCommit<string> = {
  role: 'reading',
  // While the database reads for one group, the service answers the other.
  inFlight: 2,
  async open(tx, members) {
    const rows = await selectOrders(
      tx,
      members.map(({ realm, asked }) => ({ realmId: realm.id, id: asked })),
    )
    const found = new Map(rows.map((row) => [`${row.realmId} ${row.id}`, row]))
    return async (fresh) => {
      const outcomes = fresh.map(({ realm, asked }): MemberOutcome => {
        const row = found.get(`${realm.id} ${asked}`)
        // It may be a test order that this live token placed.
        if (!row) return realm.mode === 'live' ? 'alone' : { refusal: orderNotFound() }
        return { answer: { status: 200, body: toOrder(row, realm.mode === 'sandbox') } }
      })
      const accesses = fresh.flatMap(({ realm, actor }, index) => {
        const outcome = outcomes[index]
        if (!outcome || outcome === 'alone' || !('answer' in outcome)) return []
        const ids = idsOfPersonalOrders([outcome.answer.body as Order])
        const access = { verb: 'read', object: 'order', ids, details: { operation: 'getOrder' } } as const
        return ids.length > 0 ? [{ realm, actor, access }] : []
      })
      return { outcomes, writes: accesses.length > 0 ? [recordHealthAccesses(tx, accesses)] : [] }
    }
  },
}

/** A page of orders, newest first. */
export async function list(
  tx: Tx,
  filter: OrderFilter,
  page: number,
  size: number,
): Promise<{ total: number; orders: Order[] }> {
  const { total, rows } = await selectPage(tx, filter, page, size)
  return { total, orders: rows.map((row) => toOrder(row, tx.realm.mode === 'sandbox')) }
}

/** Orders placed before one, newest first; without one, from the newest on. */
export async function listBefore(tx: Tx, filter: OrderFilter, id: string | undefined, size: number): Promise<Order[]> {
  const rows = await selectBefore(tx, filter, id, size)
  return rows.map((row) => toOrder(row, tx.realm.mode === 'sandbox'))
}

function toOrder(row: OrderRow, isTest: boolean): Order {
  const kits = row.kits.map(toKit)
  const registered = row.kits
    .filter((kit) => kit.registeredAt !== null && kit.customerId !== null)
    .sort((a, b) => Date.parse(a.registeredAt ?? '') - Date.parse(b.registeredAt ?? ''))[0]
  const name = [row.firstName, row.lastName].filter(Boolean).join(' ')
  return {
    orderID: row.id,
    createdDate: row.createdAt.toISOString(),
    status: row.status,
    orderStatus: orderStatusOf(
      row.status,
      row.kits.map((kit) => ({ ...kit, status: kit.reportStatus })),
    ),
    sku: publicKitType(row.sku),
    quantity: row.quantity,
    items: row.items.map(({ kitType, quantity }) => ({ kitType: publicKitType(kitType), quantity })),
    ...(row.email && { recipientEmail: row.email }),
    ...(name && { recipientName: name }),
    ...(row.phone && { recipientPhone: row.phone }),
    ...(row.address && { recipientAddress: row.address }),
    ...(row.externalId && { externalID: row.externalId }),
    externalTags: row.externalTags,
    isNotifyReceiver: row.notify,
    isTest,
    payment: {
      method: row.paymentMethod,
      status: row.paymentStatus,
      ...(row.amountMinor !== null && { amount: row.amountMinor }),
      ...(row.currency && { currency: row.currency }),
      ...(row.settling && { settling: true as const }),
    },
    ...(registered?.customerId && {
      registeredTo: {
        ...(registered.registeredEmail && { email: registered.registeredEmail }),
        customerID: registered.customerId,
      },
    }),
    kits,
  }
}

function toKit(kit: OrderKitRow): Order['kits'][number] {
  return {
    kitID: kit.id,
    kitType: publicKitType(kit.kitType),
    kitStatus: kit.kitStatus,
    sampleStatus: kit.sampleStatus,
    status: kit.reportStatus,
    // A registration without its time waits for a person, so the kit is still nobody's.
    ...(kit.registeredAt && kit.registeredEmail && { registeredToEmail: kit.registeredEmail }),
    ...(kit.registeredAt && { registrationDate: new Date(kit.registeredAt).toISOString() }),
    ...(kit.customerId && { customerID: kit.customerId }),
    lastUpdatedDate: new Date(kit.updatedAt).toISOString(),
  }
}
