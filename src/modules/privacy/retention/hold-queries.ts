import { sql } from 'kysely'
import type { Queries, Realm, SystemTx, Tx } from '../../../platform/database/tx.ts'

export interface HoldRow {
  id: string
  realm: Realm
  businessName: string
  /** Null: of the whole business. */
  customerId: number | null
  reason: string
  setBy: string
  setAt: Date
  liftReason: string | null
  liftedBy: string | null
  liftedAt: Date | null
}

// Any number that nothing else takes a lock by.
const HOLDS = 5_714_014

/** What erases or purges takes this first, so that a hold which is being set waits for it, and counts from then on. */
export async function lockOutHolds(tx: Queries): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock_shared(${HOLDS}::bigint)`)
}

/** Waits for every transaction that erases or purges. */
export async function lockToHold(tx: SystemTx): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(${HOLDS}::bigint)`)
}

/** The condition that a hold stands on a customer of a realm, or on all of it. */
export const isHeld = (realmId: unknown, customerId: unknown) => sql<boolean>`exists (
  select from legal_holds h where h.realm_id = ${realmId} and h.lifted_at is null
    and (h.customer_id is null or h.customer_id = ${customerId}))`

/** The condition that a realm has a hold. */
const holdsAny = (realmId: unknown) =>
  sql<boolean>`exists (select from legal_holds h where h.realm_id = ${realmId} and h.lifted_at is null)`

export async function isCustomerHeld(tx: Queries, realmId: number, customerId: number): Promise<boolean> {
  const { held } = await tx.row(
    sql<{ held: boolean }>`select ${isHeld(sql`${realmId}::int`, sql`${customerId}::bigint`)} as held`,
  )
  return held
}

/** The same of the realm of a parcel `p`. */
export const holdsParcel = holdsAny(sql`p.realm_id`)

export async function hasHold(tx: Tx): Promise<boolean> {
  return (await tx.row(sql<{ held: boolean }>`select ${holdsAny(sql`${tx.realm.id}::int`)} as held`)).held
}

/** False where one stands already. */
export async function insertHold(
  tx: SystemTx,
  { id, realm, customerId, reason }: Pick<HoldRow, 'id' | 'realm' | 'customerId' | 'reason'>,
): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into legal_holds (realm_id, id, customer_id, reason, set_by, set_at)
    values (${realm.id}, ${id}, ${customerId}, ${reason}, ${tx.actor.name}, ${tx.now})
    on conflict (realm_id, coalesce(customer_id, 0)) where lifted_at is null do nothing`)
  return inserted === 1
}

const rows = sql`
  select h.id, jsonb_build_object('id', r.id, 'businessId', r.business_id, 'mode', r.mode) as realm, b.name as "businessName",
    h.customer_id as "customerId", h.reason, h.set_by as "setBy", h.set_at as "setAt", h.lift_reason as "liftReason",
    h.lifted_by as "liftedBy", h.lifted_at as "liftedAt"
  from legal_holds h join realms r on r.id = h.realm_id join businesses b on b.id = r.business_id`

export const selectHold = (tx: SystemTx, id: string): Promise<HoldRow | undefined> =>
  tx.maybeRow(sql<HoldRow>`${rows} where h.id = ${id}`)

/** Newest first. */
export async function selectHolds(
  tx: SystemTx,
  { state, page, size }: { state: readonly ('standing' | 'all')[]; page: number; size: number },
): Promise<{ holds: HoldRow[]; total: number }> {
  const where = state.includes('all') ? sql`true` : sql`h.lifted_at is null`
  const { total } = await tx.row(
    sql<{ total: number }>`select count(*)::int as total from legal_holds h where ${where}`,
  )
  const holds = await tx.rows(
    sql<HoldRow>`${rows} where ${where} order by h.set_at desc, h.id limit ${size} offset ${page * size}`,
  )
  return { holds, total }
}

export async function updateLifted(tx: SystemTx, id: string, reason: string): Promise<boolean> {
  const lifted = await tx.run(sql`
    update legal_holds set lift_reason = ${reason}, lifted_by = ${tx.actor.name}, lifted_at = ${tx.now}
    where id = ${id} and lifted_at is null`)
  return lifted === 1
}
