import { oldestFirst, type Part } from '../../platform/database/oldest-first.ts'
import type { Tx } from '../../platform/database/tx.ts'
import type { GroupCommit, MemberOutcome } from '../../platform/http/group-commit.ts'
import type { Keyring } from '../../platform/sealing/keyring.ts'
import { keyringIn, keyringOf } from '../../platform/sealing/sealed-columns.ts'
import { recordHealthAccesses } from '../audit/access-audit.ts'
import { publicKitType } from '../catalogue/kit-type.ts'
import { ordersPlacedBy } from '../events/service.ts'
import { sealedApprovals, sealedRecipients } from '../kits/recipient-queries.ts'
import { sealedKits } from '../kits/sealed-queries.ts'
import { idsOfPersonalOrders } from './health-access.ts'
import { type OrderFilter, selectAfter, selectPart } from './list-queries.ts'
import { orderNotFound } from './lock.ts'
import type { ApprovalState, StoredApproval } from './queries.ts'
import { type PackedKit, type PackedOrder, selectOrders } from './read-queries.ts'
import type { Order, OrderStatus } from './schema.ts'

/** @throws ORDER_NOT_FOUND, also for orders of other realms */
export async function find(tx: Tx, id: string): Promise<Order> {
  const order = await maybeFind(tx, id)
  if (!order) throw orderNotFound()
  return order
}

export async function maybeFind(tx: Tx, id: string): Promise<Order | undefined> {
  const [row] = await selectOrders(tx, [{ realmId: tx.realm.id, id }])
  return row && toOrder(row, tx.realm.mode === 'sandbox', await keyringOf(tx))
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
  inOrder: false,
  async open(tx, members) {
    const rows = await selectOrders(
      tx,
      members.map(({ realm, input }) => ({ realmId: realm.id, id: input })),
    )
    const keyrings = await tx.vault.ofAll(members.map(({ realm }) => realm.id))
    const found = new Map(rows.map((row) => [`${row.packed[0]} ${row.packed[1]}`, row]))
    return async (fresh) => {
      const outcomes = fresh.map(({ realm, input }): MemberOutcome => {
        const row = found.get(`${realm.id} ${input}`)
        // It may be a test order that this live token placed.
        if (!row) return realm.mode === 'live' ? 'alone' : { refusal: orderNotFound() }
        return { answer: { status: 200, body: toOrder(row, realm.mode === 'sandbox', keyringIn(keyrings, realm.id)) } }
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

interface Listing {
  size: number
  isOldestFirst: boolean
}

/** A page of orders. */
export async function list(
  tx: Tx,
  filter: OrderFilter,
  { page, size, isOldestFirst }: Listing & { page: number },
): Promise<{ total: number; orders: Order[] }> {
  const read = (part: Part) => selectPart(tx, filter, part)
  const part = { skip: page * size, size }
  const { total, rows } = isOldestFirst ? await oldestFirst(part, read) : await read(part)
  const keys = await keyringOf(tx)
  return { total, orders: rows.map((row) => toOrder(row, tx.realm.mode === 'sandbox', keys)) }
}

/** Orders after one in the order of the list; without one, from its beginning on. */
export async function listAfter(
  tx: Tx,
  filter: OrderFilter,
  listing: Listing & { id: string | undefined },
): Promise<Order[]> {
  const rows = await selectAfter(tx, filter, listing)
  const keys = await keyringOf(tx)
  return rows.map((row) => toOrder(row, tx.realm.mode === 'sandbox', keys))
}

interface KitState {
  kitStatus: string
  sampleStatus: string
  status: string
  replaced: boolean
}

const isException = (kit: KitState) =>
  kit.kitStatus.endsWith('Exception') || kit.sampleStatus.endsWith('Exception') || kit.sampleStatus === 'rejected'

/**
 * The fulfilment of an order, from its kits. `needs_review`: a person has to act, because a kit has an exception or was
 * rejected and is not replaced, or because its report waits for review.
 */
function orderStatusOf(status: 'created' | 'pending' | 'canceled', kits: readonly KitState[]): OrderStatus {
  if (status !== 'created') return status
  const current = kits.filter((kit) => kit.kitStatus !== 'canceled' && !kit.replaced)
  if (current.length === 0) return 'canceled'
  if (current.some((kit) => isException(kit) || kit.status === 'inReview')) return 'needs_review'
  if (current.every((kit) => kit.status === 'published')) return 'completed'
  if (current.every((kit) => kit.kitStatus === 'preparing')) return 'preparing'
  return 'in_progress'
}

function toOrder({ packed }: PackedOrder, isTest: boolean, keys: Keyring): Order {
  const [
    ,
    id,
    createdAt,
    status,
    sku,
    quantity,
    recipient,
    externalId,
    externalTags,
    notify,
    method,
    paymentStatus,
    amountMinor,
    currency,
    settling,
    items,
    packedKits,
    refundedMinor,
    approval,
  ] = packed
  const stored = packedKits ?? []
  const kits = stored.map((kit) => toKit(kit, keys))
  const { firstName, lastName, email, phone, address } = sealedRecipients.open(keys, [id], recipient)
  return {
    orderID: id,
    createdDate: toTimestamp(createdAt),
    status,
    orderStatus: orderStatusOf(status, stored.map(stateOf)),
    sku: publicKitType(sku),
    quantity,
    items: items.map(([kitType, quantity]) => ({ kitType: publicKitType(kitType), quantity })),
    recipientEmail: email || undefined,
    recipientName: [firstName, lastName].filter(Boolean).join(' ') || undefined,
    recipientPhone: phone || undefined,
    recipientAddress: address ?? undefined,
    externalID: externalId || undefined,
    externalTags,
    isNotifyReceiver: notify,
    isTest,
    payment: {
      method,
      status: paymentStatus,
      amount: amountMinor ?? undefined,
      refundedAmount: (paymentStatus === 'refunded' ? amountMinor : refundedMinor) || undefined,
      currency: currency ?? undefined,
      settling: settling || undefined,
    },
    approval:
      approval && (status !== 'canceled' || approval[0] !== 'waiting') ? openedApproval(id, approval, keys) : undefined,
    registeredTo: firstRegistered(kits),
    kits,
  }
}

const openedApproval = (id: string, [state, approval, said]: NonNullable<PackedOrder['packed'][18]>, keys: Keyring) =>
  shownApproval(state, approval, sealedApprovals.open(keys, [id], said).reason)

/** The approval of an order, as fields. */
export const shownApproval = (
  status: ApprovalState,
  { provider, at }: StoredApproval,
  reason: string | null,
): NonNullable<Order['approval']> => ({
  status,
  provider: provider?.name,
  npi: provider?.npi,
  date: at,
  reason: reason ?? undefined,
})

const toTimestamp = (text: string): string => new Date(text).toISOString()

const stateOf = ([, , kitStatus, sampleStatus, status, , , , , replaced]: PackedKit) => ({
  kitStatus,
  sampleStatus,
  status,
  replaced,
})

/** Whose the kit is that was registered first. */
function firstRegistered(kits: Order['kits']): Order['registeredTo'] {
  let first: { at: string; email: string | undefined; customerID: number } | undefined
  for (const { registrationDate: at, customerID, registeredToEmail: email } of kits) {
    if (at === undefined || customerID === undefined) continue
    if (!first || at < first.at) first = { at, email, customerID }
  }
  return first && { email: first.email, customerID: first.customerID }
}

function toKit(kit: PackedKit, keys: Keyring): Order['kits'][number] {
  const [id, kitType, kitStatus, sampleStatus, status, sealed, registeredAt, customerId, updatedAt] = kit
  return {
    kitID: id,
    kitType: publicKitType(kitType),
    kitStatus,
    sampleStatus,
    status,
    // A registration without its time waits for a person, so the kit is still nobody's.
    registeredToEmail: (sealed && sealedKits.open(keys, [id], sealed).registeredEmail) || undefined,
    registrationDate: registeredAt === null ? undefined : toTimestamp(registeredAt),
    customerID: customerId ?? undefined,
    lastUpdatedDate: toTimestamp(updatedAt),
  }
}
