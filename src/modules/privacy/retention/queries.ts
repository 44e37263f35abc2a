import { sql } from 'kysely'
import type { Queries, Realm, SystemTx, Tx } from '../../../platform/database/tx.ts'
import { sealedBytes } from '../../../platform/sealing/sealed-bytes.ts'
import { keyringOf } from '../../../platform/sealing/sealed-columns.ts'
import type { Count, RetainedKind, StoredTerms } from './rules.ts'

export interface TermsRow extends StoredTerms {
  /** Null: the operator's default. */
  businessId: string | null
}

const columns = sql`business_id as "businessId", laboratory_days as "laboratoryDays", requisition_days as "requisitionDays",
  correspondence_days as "correspondenceDays", by_age as "byAge"`

/** The rows that decide for a business: its own, and the operator's default. */
export const selectTermsOf = (tx: Queries, businessId: string): Promise<TermsRow[]> =>
  tx.rows(sql<TermsRow>`
    select ${columns} from retention_terms where business_id is null or business_id = ${businessId} order by business_id nulls last`)

/** Every row, the default first. */
export const selectAllTerms = (tx: SystemTx): Promise<(TermsRow & { businessName: string | null })[]> =>
  tx.rows(sql<TermsRow & { businessName: string | null }>`
    select ${columns}, b.name as "businessName" from retention_terms t left join businesses b on b.id = t.business_id
    order by t.business_id is not null, b.name, t.business_id`)

export async function upsertTerms(tx: SystemTx, { businessId, ...terms }: TermsRow): Promise<void> {
  const { laboratoryDays, requisitionDays, correspondenceDays, byAge } = terms
  await tx.run(sql`
    insert into retention_terms (business_id, laboratory_days, requisition_days, correspondence_days, by_age)
    values (${businessId}, ${laboratoryDays}, ${requisitionDays}, ${correspondenceDays}, ${byAge})
    on conflict (business_id) do update set laboratory_days = excluded.laboratory_days,
      requisition_days = excluded.requisition_days, correspondence_days = excluded.correspondence_days, by_age = excluded.by_age`)
}

/** The live realms: nothing is kept of the people of a sandbox, who are made up. */
export const selectLiveRealms = (tx: SystemTx): Promise<Realm[]> =>
  tx.rows(sql<Realm>`select id, business_id as "businessId", mode from realms where mode = 'live' order by id`)

export interface RunRow {
  id: string
  by: string
  startedAt: Date
  /** Null: it runs, or was interrupted. */
  finishedAt: Date | null
  counts: Count[]
}

export async function upsertRun(tx: SystemTx, { id, counts }: Pick<RunRow, 'id' | 'counts'>, isOver: boolean) {
  const finishedAt = isOver ? tx.now : null
  await tx.run(sql`
    insert into retention_runs (id, run_by, started_at, finished_at, counts)
    values (${id}, ${tx.actor.name}, ${tx.now}, ${finishedAt}, ${JSON.stringify(counts)})
    on conflict (id) do update set counts = excluded.counts, finished_at = excluded.finished_at`)
}

/** The last runs, newest first. */
export const selectRuns = (tx: SystemTx, limit: number): Promise<RunRow[]> =>
  tx.rows(sql<RunRow>`
    select id, run_by as by, started_at as "startedAt", finished_at as "finishedAt", counts
    from retention_runs order by started_at desc limit ${limit}`)

/** A record of an erased person: JSON, or the bytes of a file. */
export const sealedRetained = sealedBytes({
  table: 'kept_records',
  key: { id: 'text' },
  // There never was a form in clear.
  clear: 'sealed',
  emptied: [],
  // Files of up to 25 MB are among them.
  rowsAtOnce: 1,
})

interface RetainedRecord {
  id: string
  customerId: number
  kind: RetainedKind
  /** What it was: `report`, `document`, `order`. */
  source: string
  recordedAt: Date
}

export async function insertRetained(tx: Tx, record: RetainedRecord, content: Buffer): Promise<void> {
  const { id, customerId, kind, source, recordedAt } = record
  const sealed = sealedRetained.sealBytes(await keyringOf(tx), [id], content)
  await tx.run(sql`
    insert into kept_records (realm_id, id, customer_id, kind, source, recorded_at, kept_at, sealed)
    values (${tx.realm.id}, ${id}, ${customerId}, ${kind}, ${source}, ${recordedAt}, ${tx.now}, ${sealed})`)
}

export async function hasRetained(tx: Queries, realmId: number, customerId: number): Promise<boolean> {
  const found = await tx.maybeRow(
    sql`select 1 from kept_records where realm_id = ${realmId} and customer_id = ${customerId} limit 1`,
  )
  return found !== undefined
}

/** The records of a person, oldest first, opened. */
export async function selectRetained(tx: Tx, customerId: number): Promise<(RetainedRecord & { content: Buffer })[]> {
  const rows = await tx.rows(sql<RetainedRecord & { sealed: Buffer }>`
    select id, customer_id as "customerId", kind, source, recorded_at as "recordedAt", sealed
    from kept_records where realm_id = ${tx.realm.id} and customer_id = ${customerId} order by recorded_at, id`)
  const keys = await keyringOf(tx)
  return rows.map(({ sealed, ...row }) => ({ ...row, content: sealedRetained.openBytes(keys, [row.id], sealed) }))
}

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
