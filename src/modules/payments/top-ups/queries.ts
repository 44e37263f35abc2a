import { sql } from 'kysely'
import type { SystemTx, Tx } from '../../../platform/database/tx.ts'
import { realmColumn } from '../../businesses/queries.ts'
import type { WantedTopUp } from '../../credits/queries.ts'

export interface TopUp {
  kitType: string
  /** Credits are bought when fewer are left. */
  below: number
  amount: number
  isOn: boolean
  /** Why it switched itself off. */
  offReason: string | null
  /** Tries that failed, one after another. */
  failures: number
  /** The purchase under way. */
  paymentId: string | null
  /** Not before: after a decline, or until the next month begins. */
  retryAt: Date | null
}

const columns = sql`kit_type as "kitType", below, amount, is_on as "isOn", off_reason as "offReason", failures,
  payment_id as "paymentId", retry_at as "retryAt"`

export function selectTopUps(tx: Tx): Promise<TopUp[]> {
  return tx.rows(sql<TopUp>`select ${columns} from top_ups where realm_id = ${tx.realm.id} order by kit_type`)
}

export function selectTopUpForUpdate(tx: Tx, kitType: string): Promise<TopUp | undefined> {
  return tx.maybeRow(sql<TopUp>`
    select ${columns} from top_ups where realm_id = ${tx.realm.id} and kit_type = ${kitType} for update`)
}

export async function upsertTopUp(tx: Tx, topUp: TopUp): Promise<void> {
  const { kitType, below, amount, isOn, offReason, failures, paymentId, retryAt } = topUp
  await tx.run(sql`
    insert into top_ups (realm_id, kit_type, below, amount, is_on, off_reason, failures, payment_id, retry_at)
    values (${tx.realm.id}, ${kitType}, ${below}, ${amount}, ${isOn}, ${offReason}, ${failures}, ${paymentId}, ${retryAt})
    on conflict (realm_id, kit_type) do update set below = excluded.below, amount = excluded.amount, is_on = excluded.is_on,
      off_reason = excluded.off_reason, failures = excluded.failures, payment_id = excluded.payment_id,
      retry_at = excluded.retry_at`)
}

/** The monthly ceiling in minor units. Until this transaction ends, no other top-up of the business decides. */
export async function lockCeiling(tx: Tx): Promise<number | null> {
  await tx.run(sql`insert into top_up_terms (realm_id) values (${tx.realm.id}) on conflict do nothing`)
  const { ceiling } = await tx.row(sql<{ ceiling: number | null }>`
    select ceiling_minor as ceiling from top_up_terms where realm_id = ${tx.realm.id} for update`)
  return ceiling
}

export async function selectCeiling(tx: Tx): Promise<number | null> {
  const row = await tx.maybeRow(sql<{ ceiling: number | null }>`
    select ceiling_minor as ceiling from top_up_terms where realm_id = ${tx.realm.id}`)
  return row?.ceiling ?? null
}

export async function updateCeiling(tx: Tx, ceilingMinor: number | null): Promise<void> {
  await tx.run(sql`update top_up_terms set ceiling_minor = ${ceilingMinor} where realm_id = ${tx.realm.id}`)
}

/** What top-ups have spent since then, or are about to. */
export async function sumTopUps(tx: Tx, since: Date): Promise<number> {
  const { spent } = await tx.row(sql<{ spent: number }>`
    select coalesce(sum(amount_minor), 0)::bigint as spent from payments
    where realm_id = ${tx.realm.id} and purpose = 'top_up' and created_at >= ${since} and state in ('requested', 'charged')`)
  return spent
}

/** What is to be topped up and nobody is at: a fall whose job is gone, a try that is due again, a fall beyond one purchase. */
export function selectDueTopUps(tx: SystemTx, limit: number): Promise<WantedTopUp[]> {
  return tx.rows(sql<WantedTopUp>`
    select ${realmColumn}, b.kit_type as "kitType"
    from credit_balances b join top_ups t using (realm_id, kit_type) join realms r on r.id = b.realm_id
    where b.top_up_below is not null and b.available < b.top_up_below and t.is_on and t.payment_id is null
      and (t.retry_at is null or t.retry_at <= ${tx.now})
    order by b.realm_id, b.kit_type limit ${limit}`)
}

/** In a sandbox that is emptied: the settings stay. */
export async function forgetTries(tx: Tx): Promise<void> {
  await tx.run(sql`
    update top_ups set payment_id = null, failures = 0, retry_at = null where realm_id = ${tx.realm.id}`)
}

/** Lets time pass in a sandbox. */
export async function advanceClock(tx: Tx, ms: number): Promise<void> {
  await tx.run(sql`
    update top_ups set retry_at = retry_at - ${ms} * interval '1 millisecond'
    where realm_id = ${tx.realm.id} and retry_at is not null`)
}
