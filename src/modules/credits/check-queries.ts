import { sql } from 'kysely'
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

/** Adds up every transfer of every realm and compares the sums with the balances. */
export function selectBalanceChecks(tx: SystemTx): Promise<BalanceCheck[]> {
  return tx.rows(sql<BalanceCheck>`
    with sums as (
      select realm_id, kit_type,
        sum(case when to_account = 'available' then amount when from_account = 'available' then -amount else 0 end) as available,
        sum(case when to_account = 'reserved' then amount when from_account = 'reserved' then -amount else 0 end) as reserved,
        sum(case when to_account = 'spent' then amount when from_account = 'spent' then -amount else 0 end) as spent,
        sum(case when from_account = 'issued' then amount when to_account = 'issued' then -amount else 0 end) as issued
      from credit_transfers group by 1, 2)
    select n.name as business, r.mode, b.kit_type as "kitType", b.available, b.reserved,
      coalesce(s.available, 0)::bigint as "ledgerAvailable", coalesce(s.reserved, 0)::bigint as "ledgerReserved",
      coalesce(s.spent, 0)::bigint as spent, coalesce(s.issued, 0)::bigint as issued,
      b.available = coalesce(s.available, 0) and b.reserved = coalesce(s.reserved, 0)
        and coalesce(s.issued, 0) = coalesce(s.available + s.reserved + s.spent, 0) as ok
    from credit_balances b
    join realms r on r.id = b.realm_id join businesses n on n.id = r.business_id
    left join sums s using (realm_id, kit_type)
    order by n.created_at, n.id, r.mode, b.kit_type`)
}

export interface OrderMismatch {
  orderId: string
  kitType: string
  taken: number
  expected: number
}

/**
 * Orders whose credits do not match: each kit of a valid order costs one, a canceled order none. It adds up instead of
 * joining, because a planner without statistics would read all transfers again for each order.
 */
export function selectOrderMismatches(tx: SystemTx): Promise<OrderMismatch[]> {
  return tx.rows(sql<OrderMismatch>`
    select order_id as "orderId", kit_type as "kitType", sum(taken)::bigint as taken, sum(expected)::bigint as expected
    from (
      select realm_id, order_id, kit_type, 0 as expected, false as is_order,
        case when kind in ('order', 'capture') then amount when kind = 'refund' then -amount else 0 end as taken
      from credit_transfers where order_id is not null
      union all
      select o.realm_id, o.id, i.kit_type,
        case when o.payment_method = 'credits' and o.status = 'created' then i.quantity else 0 end, true, 0
      from orders o join order_items i on i.realm_id = o.realm_id and i.order_id = o.id) both_sides
    group by realm_id, order_id, kit_type
    having bool_or(is_order) and sum(taken) <> sum(expected)
    limit 100`)
}

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
