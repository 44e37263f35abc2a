import { type RawBuilder, sql } from 'kysely'
import type { SystemTx } from '../../platform/database/tx.ts'

export interface BalanceCheck {
  business: string
  mode: string
  kitType: string
  available: number
  reserved: number
  /** What the transfers add up to. */
  ledgerAvailable: number
  ledgerReserved: number
  spent: number
  issued: number
  ok: boolean
}

/** How far the ledger of a realm is read: up to these numbers of its rows. */
export interface ReadLedger {
  transfers: number
  orders: number
  kits: number
  /** What the transfers up to there add up to, by kit type. */
  sums: Record<string, Sums>
}

export interface Sums {
  available: number
  reserved: number
  spent: number
  issued: number
}

const sums = sql`
  coalesce(sum(case when t.to_account = 'available' then t.amount when t.from_account = 'available' then -t.amount else 0 end), 0)::bigint as available,
  coalesce(sum(case when t.to_account = 'reserved' then t.amount when t.from_account = 'reserved' then -t.amount else 0 end), 0)::bigint as reserved,
  coalesce(sum(case when t.to_account = 'spent' then t.amount when t.from_account = 'spent' then -t.amount else 0 end), 0)::bigint as spent,
  coalesce(sum(case when t.from_account = 'issued' then t.amount when t.to_account = 'issued' then -t.amount else 0 end), 0)::bigint as issued`

/** Compares each balance with its transfers: those that were read, and those that came since. */
export function selectBalanceChecks(
  tx: SystemTx,
  read: readonly (ReadLedger & { realmId: number })[],
): Promise<BalanceCheck[]> {
  const known = read.map(({ realmId, transfers, sums: ofRealm }) => ({ realmId, transfers, sums: ofRealm }))
  return tx.rows(sql<BalanceCheck>`
    with known as materialized (
      select * from json_to_recordset(${JSON.stringify(known)}::json) as k("realmId" int, transfers bigint, sums jsonb)
    ), summed as (
      select b.realm_id, b.kit_type, b.available as has, b.reserved as holds,
        s.available + coalesce((k.sums -> b.kit_type ->> 'available')::bigint, 0) as available,
        s.reserved + coalesce((k.sums -> b.kit_type ->> 'reserved')::bigint, 0) as reserved,
        s.spent + coalesce((k.sums -> b.kit_type ->> 'spent')::bigint, 0) as spent,
        s.issued + coalesce((k.sums -> b.kit_type ->> 'issued')::bigint, 0) as issued
      from credit_balances b left join known k on k."realmId" = b.realm_id
      cross join lateral (
        select ${sums} from credit_transfers t
        where t.realm_id = b.realm_id and t.seq > coalesce(k.transfers, 0) and t.kit_type = b.kit_type) s)
    select n.name as business, r.mode, s.kit_type as "kitType", s.has as available, s.holds as reserved,
      s.available as "ledgerAvailable", s.reserved as "ledgerReserved", s.spent, s.issued,
      s.has = s.available and s.holds = s.reserved and s.issued = s.available + s.reserved + s.spent as ok
    from summed s join realms r on r.id = s.realm_id join businesses n on n.id = r.business_id
    order by n.created_at, n.id, r.mode, s.kit_type`)
}

/** Rows of a realm above a number, up to another. */
export interface WantedRows {
  realmId: number
  above: number
  upTo: number
}

const wantedRows = (wanted: readonly WantedRows[]) => sql`
  json_to_recordset(${JSON.stringify(wanted)}::json) as w("realmId" int, above bigint, "upTo" bigint)`

/** The last numbers that each realm has given. */
export const selectLastRows = (
  tx: SystemTx,
): Promise<{ realmId: number; transfers: number; orders: number; kits: number }[]> =>
  tx.rows(sql<{ realmId: number; transfers: number; orders: number; kits: number }>`
    select r.id as "realmId", coalesce((select max(seq) from credit_transfers where realm_id = r.id), 0) as transfers,
      coalesce((select max(seq) from orders where realm_id = r.id), 0) as orders,
      coalesce((select max(seq) from kits where realm_id = r.id), 0) as kits
    from realms r order by r.id`)

export interface SummedTransfers extends Sums {
  realmId: number
  kitType: string
}

/** Adds up transfers, by realm and kit type. */
export const sumTransfers = (tx: SystemTx, wanted: readonly WantedRows[]): Promise<SummedTransfers[]> =>
  tx.rows(sql<SummedTransfers>`
    select t.realm_id as "realmId", t.kit_type as "kitType", ${sums}
    from ${wantedRows(wanted)} join credit_transfers t on t.realm_id = w."realmId" and t.seq > w.above and t.seq <= w."upTo"
    group by 1, 2`)

export interface OrderMismatch {
  orderId: string
  kitType: string
  taken: number
  expected: number
}

/** Orders among `picked` whose credits do not match: each kit of a valid order costs one, a canceled order none. */
const mismatches = (tx: SystemTx, picked: RawBuilder<unknown>): Promise<OrderMismatch[]> =>
  tx.rows(sql<OrderMismatch>`
    with picked as materialized (${picked})
    select id as "orderId", kit_type as "kitType", sum(taken)::bigint as taken, sum(expected)::bigint as expected
    from (
      select p.realm_id, p.id, t.kit_type, 0 as expected,
        case when t.kind in ('order', 'capture') then t.amount when t.kind = 'refund' then -t.amount else 0 end as taken
      from picked p cross join lateral (
        -- The only kinds that are of an order: their index has the condition, too.
        select kit_type, kind, amount from credit_transfers
        where realm_id = p.realm_id and order_id = p.id and kind in ('order', 'capture', 'refund') offset 0) t
      union all
      select p.realm_id, p.id, i.kit_type,
        case when p.payment_method = 'credits' and p.status = 'created' then i.quantity else 0 end, 0
      from picked p cross join lateral (
        select kit_type, quantity from order_items where realm_id = p.realm_id and order_id = p.id offset 0) i) both_sides
    group by realm_id, id, kit_type having sum(taken) <> sum(expected) limit 100`)

/** The next rows of each realm: at most `limit`. */
const nextRows = (
  table: 'orders' | 'kits',
  columns: RawBuilder<unknown>,
  wanted: readonly WantedRows[],
  limit: number,
) =>
  sql`select x.* from ${wantedRows(wanted)} cross join lateral (
    select ${columns} from ${sql.table(table)} where realm_id = w."realmId" and seq > w.above and seq <= w."upTo"
    order by seq limit ${limit}) x`

const orderColumns = sql`realm_id, id, payment_method, status`

export const selectOrderMismatches = (
  tx: SystemTx,
  wanted: readonly WantedRows[],
  limit: number,
): Promise<OrderMismatch[]> => mismatches(tx, nextRows('orders', orderColumns, wanted, limit))

/** The same of the orders that transfers are about. */
export const selectMismatchesOfTransfers = (tx: SystemTx, wanted: readonly WantedRows[]): Promise<OrderMismatch[]> =>
  mismatches(
    tx,
    sql`select distinct o.realm_id, o.id, o.payment_method, o.status
      from ${wantedRows(wanted)} join credit_transfers t on t.realm_id = w."realmId" and t.seq > w.above and t.seq <= w."upTo"
      join orders o on o.realm_id = t.realm_id and o.id = t.order_id`,
  )

/** Kits whose order is not there: no foreign key looks. At most 100. */
export async function selectOrphanKits(tx: SystemTx, wanted: readonly WantedRows[], limit: number): Promise<string[]> {
  const kits = await tx.rows(sql<{ id: string }>`
    select k.id from (${nextRows('kits', sql`realm_id, id, order_id`, wanted, limit)}) k
    where not exists (select from orders o where o.realm_id = k.realm_id and o.id = k.order_id) limit 100`)
  return kits.map(({ id }) => id)
}

/** The number of the last of the next rows of each realm. */
export const selectReached = (
  tx: SystemTx,
  table: 'orders' | 'kits',
  wanted: readonly WantedRows[],
  limit: number,
): Promise<{ realmId: number; rows: number; last: number }[]> =>
  tx.rows(sql<{ realmId: number; rows: number; last: number }>`
    select x.realm_id as "realmId", count(*)::int as rows, max(x.seq) as last
    from (${nextRows(table, sql`realm_id, seq`, wanted, limit)}) x group by 1`)

export interface LedgerCheck {
  at: Date
  ok: boolean
}

export function selectLatestLedgerCheck(tx: SystemTx): Promise<LedgerCheck | undefined> {
  return tx.maybeRow(sql<LedgerCheck>`select at, ok from ledger_checks order by at desc limit 1`)
}

export async function insertLedgerCheck(tx: SystemTx, ok: boolean): Promise<void> {
  await tx.run(sql`insert into ledger_checks (at, ok) values (${tx.now}, ${ok}) on conflict do nothing`)
}

export async function deleteLedgerChecks(tx: SystemTx, before: Date): Promise<void> {
  await tx.run(sql`delete from ledger_checks where at < ${before}`)
}
