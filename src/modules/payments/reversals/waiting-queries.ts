import { sql } from 'kysely'
import type { Realm, SystemTx, Tx } from '../../../platform/database/tx.ts'
import { realmColumn } from '../../businesses/queries.ts'
import type { KnownReversal } from './rules.ts'

export interface WaitingRow extends Omit<KnownReversal, 'hasCreditNote'> {
  realm: Realm
  businessName: string
  paymentId: string
  currency: string
  createdAt: Date
  settledAt: Date | null
  settledReason: string | null
}

const columns = sql`
  select ${realmColumn}, b.name as "businessName", v.id, v.payment_id as "paymentId", v.kind, v.state, v.amount_minor as "amountMinor",
    v.reason, p.currency, v.credits_taken as "creditsTaken", v.credits_waiting as "creditsWaiting", v.created_at as "createdAt",
    v.settled_at as "settledAt", v.settled_reason as "settledReason"
  from payment_reversals v
  join payments p on p.realm_id = v.realm_id and p.id = v.payment_id
  join realms r on r.id = v.realm_id join businesses b on b.id = r.business_id`
const waiting = sql`v.credits_waiting > 0 and v.settled_at is null`

/** A page of what went back of payments whose credits were spent, oldest first, until a person says what became of them. */
export async function selectWaiting(
  tx: SystemTx,
  page: number,
  size: number,
): Promise<{ total: number; rows: WaitingRow[] }> {
  const { total } = await tx.row(sql<{ total: number }>`
    select count(*)::int as total from payment_reversals v where ${waiting}`)
  const rows = await tx.rows(sql<WaitingRow>`
    ${columns} where ${waiting} order by v.created_at, v.id limit ${size} offset ${page * size}`)
  return { total, rows }
}

export function selectReversal(tx: SystemTx, businessId: string, id: string): Promise<WaitingRow | undefined> {
  return tx.maybeRow(
    sql<WaitingRow>`${columns} where r.business_id = ${businessId} and r.mode = 'live' and v.id = ${id}`,
  )
}

/** Returns 1, or 0 where nothing waits. */
export function updateSettled(tx: Tx, id: string, reason: string): Promise<number> {
  return tx.run(sql`
    update payment_reversals v set settled_at = ${tx.now}, settled_reason = ${reason}
    where v.realm_id = ${tx.realm.id} and v.id = ${id} and ${waiting}`)
}
