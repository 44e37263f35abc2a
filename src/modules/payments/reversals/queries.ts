import { sql } from 'kysely'
import type { Realm, SystemTx, Tx } from '../../../platform/database/tx.ts'
import { realmColumn } from '../../businesses/queries.ts'
import type { KnownReversal } from './rules.ts'

export interface ReversalRow extends KnownReversal {
  paymentId: string
  createdAt: Date
  settledAt: Date | null
  settledReason: string | null
}

/** The live payment of a charge at the gateway. */
export async function findChargedPayment(tx: SystemTx, ref: string): Promise<{ realm: Realm; id: string } | undefined> {
  return tx.maybeRow(sql<{ realm: Realm; id: string }>`
    select ${realmColumn}, p.id from payments p join realms r on r.id = p.realm_id
    where p.gateway_ref = ${ref} and r.mode = 'live' and p.state in ('charged', 'captured')`)
}

/** The live payments whose disputes the bank has not decided, as far as is known. */
export function selectDisputedPayments(tx: SystemTx): Promise<{ realm: Realm; id: string }[]> {
  return tx.rows(sql<{ realm: Realm; id: string }>`
    select distinct ${realmColumn}, v.payment_id as id from payment_reversals v join realms r on r.id = v.realm_id
    where v.kind = 'dispute' and v.state in ('inquiry', 'open') order by v.payment_id`)
}

/** What went back of these payments at the gateway, oldest first. */
export function selectReversals(tx: Tx, paymentIds: readonly string[]): Promise<ReversalRow[]> {
  return tx.rows(sql<ReversalRow>`
    select id, payment_id as "paymentId", kind, state, amount_minor as "amountMinor", reason, credits_taken as "creditsTaken",
      credits_waiting as "creditsWaiting", has_credit_note as "hasCreditNote", created_at as "createdAt",
      settled_at as "settledAt", settled_reason as "settledReason"
    from payment_reversals where realm_id = ${tx.realm.id} and payment_id = any(${[...paymentIds]}::text[])
    order by created_at, id`)
}

export async function upsertReversal(tx: Tx, paymentId: string, reversal: KnownReversal): Promise<void> {
  const { id, kind, state, amountMinor, reason, creditsTaken, creditsWaiting, hasCreditNote } = reversal
  await tx.run(sql`
    insert into payment_reversals (realm_id, id, payment_id, kind, state, amount_minor, reason, credits_taken,
      credits_waiting, has_credit_note, created_at, changed_at)
    values (${tx.realm.id}, ${id}, ${paymentId}, ${kind}, ${state}, ${amountMinor}, ${reason ?? null}, ${creditsTaken},
      ${creditsWaiting}, ${hasCreditNote}, ${tx.now}, ${tx.now})
    on conflict (realm_id, id) do update set state = excluded.state, amount_minor = excluded.amount_minor,
      reason = excluded.reason, credits_taken = excluded.credits_taken, credits_waiting = excluded.credits_waiting,
      has_credit_note = excluded.has_credit_note, changed_at = excluded.changed_at,
      settled_at = case when excluded.credits_waiting <= payment_reversals.credits_waiting then payment_reversals.settled_at end`)
}

export interface Charged {
  capturedMinor: number
  /** What this program itself gives back. */
  ownRefundsMinor: number
}

export function selectCharged(tx: Tx, paymentId: string): Promise<Charged> {
  return tx.row(sql<Charged>`
    select p.captured_minor as "capturedMinor",
      coalesce((select sum(r.amount_minor) from refunds r
        where r.realm_id = p.realm_id and r.payment_id = p.id and r.failed_at is null), 0)::bigint as "ownRefundsMinor"
    from payments p where p.realm_id = ${tx.realm.id} and p.id = ${paymentId}`)
}

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
