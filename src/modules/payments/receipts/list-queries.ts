import { sql } from 'kysely'
import type { Tx } from '../../../platform/database/tx.ts'
import type { Payment, PaymentPurpose, PaymentState } from '../queries.ts'

export interface PaymentRow
  extends Pick<
    Payment,
    'id' | 'state' | 'purpose' | 'amountMinor' | 'currency' | 'cardBrand' | 'cardLast4' | 'declineCode' | 'createdAt'
  > {
  capturedMinor: number
  refundedMinor: number
}

/** Which payments are wanted; all where nothing is said. */
export interface PaymentFilter {
  from?: Date | undefined
  to?: Date | undefined
  states?: readonly PaymentState[] | undefined
  purposes?: readonly PaymentPurpose[] | undefined
  orderIds?: readonly string[] | undefined
}

/** One page of payments, newest first, with how many there are in all. */
export async function selectPaymentPage(
  tx: Tx,
  { filter, page, size }: { filter: PaymentFilter; page: number; size: number },
): Promise<{ total: number; rows: PaymentRow[] }> {
  const { from, to, states, purposes, orderIds } = filter
  const conditions = [
    sql`p.realm_id = ${tx.realm.id}`,
    from && sql`p.created_at >= ${from}`,
    to && sql`p.created_at <= ${to}`,
    states && sql`p.state = any(${[...states]}::text[])`,
    purposes && sql`p.purpose = any(${[...purposes]}::text[])`,
    orderIds &&
      sql`p.id = any(array(select o.payment_id from orders o
        where o.realm_id = ${tx.realm.id} and o.id = any(${[...orderIds]}::text[]) and o.payment_id is not null))`,
  ].filter((condition) => condition !== undefined)
  const wanted = sql.join(conditions, sql` and `)
  const { total } = await tx.row(sql<{ total: number }>`select count(*)::int as total from payments p where ${wanted}`)
  const rows = await tx.rows(sql<PaymentRow>`
    select p.id, p.state, p.purpose, p.amount_minor as "amountMinor", p.captured_minor as "capturedMinor", p.currency,
      p.card_brand as "cardBrand", p.card_last4 as "cardLast4", p.decline_code as "declineCode", p.created_at as "createdAt",
      coalesce((select sum(r.amount_minor) from refunds r
        where r.realm_id = p.realm_id and r.payment_id = p.id and r.state = 'done' and r.failed_at is null), 0)::bigint as "refundedMinor"
    from payments p where ${wanted}
    order by p.created_at desc, p.id desc limit ${size} offset ${page * size}`)
  return { total, rows }
}
