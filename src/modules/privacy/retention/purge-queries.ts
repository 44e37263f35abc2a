import { type RawBuilder, sql } from 'kysely'
import type { SystemTx, Tx } from '../../../platform/database/tx.ts'
import { keyringOf } from '../../../platform/sealing/sealed-columns.ts'
import { isSentTo } from '../../kits/recipient-queries.ts'
import { isHeld } from './queries.ts'
import type { Count, RetainedKind } from './rules.ts'

export type Found = Pick<Count, 'due' | 'held' | 'awaitingReport'>

/** Records of erased people that have reached their term. */
const isRetainedDue = (realmId: number, kind: RetainedKind, before: Date) =>
  sql`k.realm_id = ${realmId} and k.kind = ${kind} and k.recorded_at <= ${before}`

export const countRetained = (tx: SystemTx, realmId: number, kind: RetainedKind, before: Date): Promise<Found> =>
  tx.row(sql<Found>`
    select count(*)::int as due, 0 as "awaitingReport",
      count(*) filter (where ${isHeld(sql`k.realm_id`, sql`k.customer_id`)})::int as held
    from kept_records k where ${isRetainedDue(realmId, kind, before)}`)

/** Deletes up to `limit` of them. Returns how many. */
export const deleteRetained = (
  tx: SystemTx,
  realmId: number,
  kind: RetainedKind,
  before: Date,
  limit: number,
): Promise<number> =>
  tx.run(sql`
    delete from kept_records where (realm_id, id) in (
      select k.realm_id, k.id from kept_records k
      where ${isRetainedDue(realmId, kind, before)} and not ${isHeld(sql`k.realm_id`, sql`k.customer_id`)}
      order by k.recorded_at limit ${limit} for update skip locked)`)

/** How many records are kept of erased people, and until when at the earliest by their kind's term. */
export const countAllRetained = (tx: SystemTx): Promise<{ kind: RetainedKind; people: number; records: number }[]> =>
  tx.rows(sql<{ kind: RetainedKind; people: number; records: number }>`
    select kind, count(distinct (realm_id, customer_id))::int as people, count(*)::int as records
    from kept_records group by kind order by kind`)

/** What of a person who was not erased may end: which rows, of whom, and what else holds them back. */
interface Aged {
  rows: RawBuilder<unknown>
  isHeld: RawBuilder<unknown>
  awaitsReport: RawBuilder<unknown>
}

const never = sql`false`

/** Reports by their last version. */
const agedReports = (tx: Tx, before: Date): Aged => ({
  rows: sql`select r.id, r.customer_id from reports r where r.realm_id = ${tx.realm.id} and r.created_at <= ${before}
    and not exists (select from report_versions v where v.realm_id = r.realm_id and v.report_id = r.id and v.created_at > ${before})`,
  isHeld: isHeld(tx.realm.id, sql`x.customer_id`),
  awaitsReport: never,
})

/** Results and files that were added, once their reports have ended. */
const agedData = (tx: Tx, before: Date): Aged => ({
  rows: sql`select d.id, d.customer_id from customer_data d where d.realm_id = ${tx.realm.id} and d.kind <> 'quiz'
    and d.created_at <= ${before}`,
  isHeld: isHeld(tx.realm.id, sql`x.customer_id`),
  awaitsReport: sql`exists (select from reports r where r.realm_id = ${tx.realm.id} and r.data_id = x.id)`,
})

/** Results that nobody judged, once their reports have ended. */
const agedUnassessed = (tx: Tx, before: Date): Aged => ({
  rows: sql`select u.id, u.customer_id, u.report_id from unassessed_results u
    where u.realm_id = ${tx.realm.id} and u.received_at <= ${before}`,
  isHeld: isHeld(tx.realm.id, sql`x.customer_id`),
  awaitsReport: sql`x.report_id is not null`,
})

/** Registrations of kits, and consents. */
const agedKits = (tx: Tx, before: Date): Aged => ({
  rows: sql`select k.id, k.customer_id from kits k where k.realm_id = ${tx.realm.id}
    and coalesce(k.registered_at, k.created_at) <= ${before} and (k.sealed is not null or k.registration is not null)`,
  isHeld: isHeld(tx.realm.id, sql`x.customer_id`),
  awaitsReport: sql`exists (select from reports r where r.realm_id = ${tx.realm.id} and r.kit_id = x.id)`,
})

/** Recipients of orders. One whom a hold stands on is known by the e-mail address, or by a kit. */
async function agedOrders(tx: Tx, before: Date, heldEmails: readonly string[]): Promise<Aged> {
  const keys = await keyringOf(tx)
  const isTheirs = [
    sql`exists (select from kits k where k.realm_id = ${tx.realm.id} and k.order_id = x.id
      and ${isHeld(tx.realm.id, sql`k.customer_id`)})`,
    isHeld(tx.realm.id, sql`null::bigint`),
    ...heldEmails.map(
      (email) => sql`exists (
      select from orders o where o.realm_id = ${tx.realm.id} and o.id = x.id and ${isSentTo(keys, email)})`,
    ),
  ]
  return {
    rows: sql`select o.id from orders o where o.realm_id = ${tx.realm.id} and o.created_at <= ${before}
      and (o.sealed is not null or o.email is not null or o.first_name is not null)`,
    isHeld: sql`(${sql.join(isTheirs, sql` or `)})`,
    awaitsReport: sql`exists (select from kits k join reports r on r.realm_id = k.realm_id and r.kit_id = k.id
      where k.realm_id = ${tx.realm.id} and k.order_id = x.id)`,
  }
}

export const aged = { agedReports, agedData, agedUnassessed, agedKits, agedOrders }

export const countAged = (tx: Tx, { rows, isHeld: held, awaitsReport }: Aged): Promise<Found> =>
  tx.row(sql<Found>`
    select count(*)::int as due, count(*) filter (where ${held})::int as held,
      count(*) filter (where not ${held} and ${awaitsReport})::int as "awaitingReport"
    from (${rows}) x`)

/** The IDs of up to `limit` that nothing holds back. */
export async function selectAged(tx: Tx, { rows, isHeld: held, awaitsReport }: Aged, limit: number): Promise<string[]> {
  const found = await tx.rows(sql<{ id: string }>`
    select x.id from (${rows}) x where not ${held} and not ${awaitsReport} order by x.id limit ${limit}`)
  return found.map(({ id }) => id)
}

/** Customers that a hold stands on, who were not erased. */
export async function selectHeldCustomers(tx: Tx): Promise<number[]> {
  const rows = await tx.rows(sql<{ id: number }>`
    select h.customer_id as id from legal_holds h
    where h.realm_id = ${tx.realm.id} and h.customer_id is not null and h.lifted_at is null`)
  return rows.map(({ id }) => id)
}
