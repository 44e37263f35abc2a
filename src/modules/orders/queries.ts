import { type RawBuilder, sql } from 'kysely'
import { statement } from '../../platform/database/statement.ts'
import type { Queries, Tx } from '../../platform/database/tx.ts'
import type { Keyring } from '../../platform/sealing/keyring.ts'
import { keyringIn, keyringOf, type Sealed } from '../../platform/sealing/sealed-columns.ts'
import type { Line } from '../credits/rules.ts'
import {
  type SealedApproval,
  type Recipient as StoredRecipient,
  sealedApprovals,
  sealedRecipients,
} from '../kits/recipient-queries.ts'
import type { Recipient } from './request.ts'
import { MIXED } from './rules.ts'

/** What is kept of the approval of an order, as it was when a provider decided. */
export interface StoredApproval {
  /** How the order is paid once it is approved: `credits`, `card`, a payment method, or null: later. */
  pay: string | null
  provider?: { id: string; name: string; npi: string }
  /** When it was approved or refused. */
  at?: string
}

export type ApprovalState = 'waiting' | 'approved' | 'refused'

/** Who approved the order of a kit, and when, with the names of fields that answers have; null: nobody had to. */
export const approvalOfKit = (
  realmId: RawBuilder<unknown>,
  kitId: RawBuilder<unknown>,
): RawBuilder<KitApproval | null> => sql`
  (select jsonb_build_object('provider', o.approval->'provider'->>'name', 'npi', o.approval->'provider'->>'npi', 'date', o.approval->>'at')
   from kits ak join orders o on o.realm_id = ak.realm_id and o.id = ak.order_id
   where ak.realm_id = ${realmId} and ak.id = ${kitId} and o.approval_state = 'approved')`

export interface KitApproval {
  provider: string
  npi: string
  date: string
}

/** Of several kits, by their IDs. */
export async function selectApprovalsOfKits(tx: Tx, kitIds: readonly string[]): Promise<Map<string, KitApproval>> {
  const rows = await tx.rows(sql<{ id: string; approval: KitApproval | null }>`
    select k.id, ${approvalOfKit(sql`${tx.realm.id}::int`, sql`k.id`)} as approval from unnest(${kitIds}::text[]) k(id)`)
  return new Map(rows.flatMap(({ id, approval }) => (approval ? [[id, approval] as const] : [])))
}

export interface NewOrderRow {
  realmId: number
  id: string
  seq: number
  createdAt: Date
  status: 'created' | 'pending'
  sku: string
  quantity: number
  recipient: Recipient
  externalId?: string
  externalTags: string[]
  notify: boolean
  paymentMethod: 'credits' | 'card' | 'none'
  paymentStatus: 'paid' | 'pending'
  amountMinor?: number
  currency?: string
  paymentId?: string
  approvalState?: 'waiting'
  approval?: StoredApproval
  /** `priceMinor`: what one costs, where a card pays now or later. */
  items: (Line & { priceMinor?: number })[]
}

const insert = statement<never, [string]>(
  'orders_insert',
  `insert into orders (realm_id, id, seq, status, sku, quantity, sealed, email_hash, external_id, external_tags, notify, payment_method,
     payment_status, amount_minor, currency, payment_id, created_at, approval_state, approval)
   select g."realmId", g.id, g.seq, g.status, g.sku, g.quantity, g.sealed, g.email_hash, g."externalId", g."externalTags", g.notify, g."paymentMethod", g."paymentStatus", g."amountMinor", g.currency, g."paymentId", g."createdAt", g."approvalState", g.approval
   from json_to_recordset($1::json) as g("realmId" int, id text, seq bigint, status text, sku text, quantity int,
     sealed bytea, email_hash bytea, "externalId" text, "externalTags" text[],
     notify boolean, "paymentMethod" text, "paymentStatus" text, "amountMinor" bigint, currency text, "paymentId" text, "createdAt" timestamptz,
     "approvalState" text, approval jsonb)`,
)

const insertLines = statement<never, [string]>(
  'order_lines_insert',
  `insert into order_lines (realm_id, order_id, kit_type, quantity, position, price_minor)
   select "realmId", "orderId", "kitType", quantity, position, "priceMinor"
   from json_to_recordset($1::json)
     as i("realmId" int, "orderId" text, "kitType" text, quantity int, position smallint, "priceMinor" bigint)`,
)

/**
 * Queues what inserts N orders. Only orders of several kit types have lines: the others say it all themselves.
 * `keyrings`: of all their realms.
 */
export function insertOrders(
  tx: Queries,
  keyrings: ReadonlyMap<number, Keyring>,
  rows: readonly NewOrderRow[],
): Promise<unknown>[] {
  const lines = rows
    .filter(({ sku }) => sku === MIXED)
    .flatMap(({ realmId, id, items }) => items.map((item, position) => ({ realmId, orderId: id, position, ...item })))
  const orders = rows.map(({ items: _, recipient: { phone = null, ...given }, ...order }) => {
    const keys = keyringIn(keyrings, order.realmId)
    const recipient = { ...given, phone }
    const sealed = sealedRecipients.seal(keys, [order.id], recipient)
    return { ...order, sealed, ...sealedRecipients.hashes(keys, recipient) }
  })
  return [
    tx.run(insert(JSON.stringify(orders))),
    ...(lines.length > 0 ? [tx.run(insertLines(JSON.stringify(lines)))] : []),
  ]
}

export interface LockedOrder {
  id: string
  status: 'created' | 'pending' | 'canceled'
  paymentMethod: 'credits' | 'card' | 'none'
  paymentId: string | null
  amountMinor: number | null
  currency: string | null
  externalId: string | null
  notify: boolean
  approvalState: ApprovalState | null
  approval: StoredApproval | null
  /** Of the approval. */
  why: string | null
  email: string | null
  firstName: string | null
}

type StoredOrder = Omit<LockedOrder, 'email' | 'firstName' | 'why'> & {
  recipient: Sealed<StoredRecipient>
  said: Sealed<SealedApproval>
}

export async function selectOrderForUpdate(tx: Tx, id: string): Promise<LockedOrder | undefined> {
  const row = await tx.maybeRow(sql<StoredOrder>`
    select id, status, payment_method as "paymentMethod", payment_id as "paymentId", amount_minor as "amountMinor", currency,
           external_id as "externalId", notify, approval_state as "approvalState", approval, ${sealedApprovals.of('o')} as said, ${sealedRecipients.of('o')} as recipient
    from orders o where realm_id = ${tx.realm.id} and id = ${id} for update`)
  if (!row) return undefined
  const { recipient, said, ...order } = row
  const { email, firstName } = sealedRecipients.open(await keyringOf(tx), [id], recipient)
  const { reason: why } = sealedApprovals.open(await keyringOf(tx), [id], said)
  return { ...order, email, firstName, why }
}

export function selectItems(tx: Tx, orderId: string): Promise<Line[]> {
  return tx.rows(sql<Line>`
    select i.kit_type as "kitType", i.quantity
    from order_items i left join order_lines l using (realm_id, order_id, kit_type)
    where i.realm_id = ${tx.realm.id} and i.order_id = ${orderId} order by l.position, i.kit_type`)
}

/** The same with what one costs, where the order has several kit types and is paid by card or later. */
export function selectPricedItems(tx: Tx, orderId: string): Promise<(Line & { priceMinor: number | null })[]> {
  return tx.rows(sql<Line & { priceMinor: number | null }>`
    select i.kit_type as "kitType", i.quantity, l.price_minor as "priceMinor"
    from order_items i left join order_lines l using (realm_id, order_id, kit_type)
    where i.realm_id = ${tx.realm.id} and i.order_id = ${orderId} order by l.position, i.kit_type`)
}

/** The kits of all orders of a payment, canceled ones included: those are refunded on their own. */
export function selectItemsPaidBy(tx: Tx, paymentId: string): Promise<Line[]> {
  return tx.rows(sql<Line>`
    select i.kit_type as "kitType", sum(i.quantity)::int as quantity
    from orders o join order_items i on i.realm_id = o.realm_id and i.order_id = o.id
    where o.realm_id = ${tx.realm.id} and o.payment_id = ${paymentId} group by 1 order by 1`)
}

export async function updateApproval(
  tx: Tx,
  id: string,
  { state, reason, shown, ...approval }: StoredApproval & SealedApproval & { state: ApprovalState },
): Promise<void> {
  const sealed = reason === null && !shown ? null : sealedApprovals.seal(await keyringOf(tx), [id], { reason, shown })
  await tx.run(sql`
    update orders set approval_state = ${state}, approval = ${JSON.stringify(approval)}::jsonb, sealed_approval = ${sealed}
    where realm_id = ${tx.realm.id} and id = ${id}`)
}

export async function updateCanceled(tx: Tx, id: string, paymentStatus: 'canceled' | 'refunded'): Promise<void> {
  await tx.run(sql`
    update orders set status = 'canceled', payment_status = ${paymentStatus}
    where realm_id = ${tx.realm.id} and id = ${id}`)
}

export async function updatePaidWithCredits(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`
    update orders set status = 'created', payment_method = 'credits', payment_status = 'paid', amount_minor = null, currency = null
    where realm_id = ${tx.realm.id} and id = ${id}`)
}

export async function updatePaidByCard(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`
    update orders set status = 'created', payment_method = 'card', payment_status = 'paid'
    where realm_id = ${tx.realm.id} and id = ${id}`)
}

/**
 * What the placed orders of a payment are after the payment provider gave it back, or took it again. A part of it is noted where there
 * is one order: of several, nobody says which.
 */
export async function updatePaidOrders(
  tx: Tx,
  paymentId: string,
  { isAllBack, backMinor }: { isAllBack: boolean; backMinor: number },
): Promise<void> {
  const to = isAllBack ? 'refunded' : 'paid'
  const part = isAllBack || backMinor === 0 ? null : backMinor
  await tx.run(sql`
    with o as materialized (select id from orders where realm_id = ${tx.realm.id} and payment_id = ${paymentId}),
    of as (select case when count(*) = 1 then ${part}::bigint end as part from o)
    update orders set payment_status = ${to}, refunded_minor = of.part from of
    where realm_id = ${tx.realm.id} and payment_id = ${paymentId} and payment_status in ('paid', 'refunded')
      and (payment_status <> ${to} or refunded_minor is distinct from of.part)
      and (status = 'created' or exists (
        select 1 from refunds r where r.realm_id = orders.realm_id and r.order_id = orders.id and r.failed_at is not null))`)
}

/** What the canceled orders of a payment cost. */
export async function sumCanceled(tx: Tx, paymentId: string): Promise<number> {
  const { sum } = await tx.row(sql<{ sum: number }>`
    select coalesce(sum(amount_minor), 0)::bigint as sum from orders
    where realm_id = ${tx.realm.id} and payment_id = ${paymentId} and status = 'canceled'`)
  return sum
}

/** The canceled orders of a payment of which this program has given nothing back. */
export function selectCanceledUnrefunded(tx: Tx, paymentId: string): Promise<{ id: string; amountMinor: number }[]> {
  return tx.rows(sql<{ id: string; amountMinor: number }>`
    select o.id, o.amount_minor as "amountMinor" from orders o
    where o.realm_id = ${tx.realm.id} and o.payment_id = ${paymentId} and o.status = 'canceled' and o.amount_minor > 0
      and not exists (select 1 from refunds r where r.realm_id = o.realm_id and r.order_id = o.id)
    order by o.id`)
}

/** Names the payment that a pending order waits for; null without one. */
export async function updatePaymentUnderWay(tx: Tx, id: string, paymentId: string | null): Promise<void> {
  await tx.run(sql`update orders set payment_id = ${paymentId} where realm_id = ${tx.realm.id} and id = ${id}`)
}

/** What the placed orders of a payment cost, canceled ones included: those are refunded on their own. */
export async function sumPaidByCard(tx: Tx, paymentId: string): Promise<number> {
  const { used } = await tx.row(sql<{ used: number }>`
    select coalesce(sum(amount_minor), 0)::bigint as used from orders
    where realm_id = ${tx.realm.id} and payment_id = ${paymentId}`)
  return used
}
