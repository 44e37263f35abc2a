import { type RawBuilder, sql } from 'kysely'
import { isOneOf } from '../../../platform/database/one-of.ts'
import type { Queries, SystemTx } from '../../../platform/database/tx.ts'
import { keyringIn, keyringsOf, type Sealed } from '../../../platform/sealing/sealed-columns.ts'
import { promisedDaysAt, promiseEnd } from '../../catalogue/queries.ts'
import { sealedReasons } from '../../kits/sealed-queries.ts'
import { at, type CountedRange, countedOf, dayOf, either, kitsOf, withReports } from './range-queries.ts'
import type { CohortUnit, Grouping } from './schema.ts'

/** The live realms of some businesses, or of all. */
export async function selectLiveRealms(tx: SystemTx, businessIds: readonly string[] | undefined): Promise<number[]> {
  const rows = await tx.rows(sql<{ id: number }>`
    select id from realms where mode = 'live' and ${isOneOf(sql`business_id`, businessIds)}`)
  return rows.map(({ id }) => id)
}

export interface FunnelCounts {
  cohort: string
  key: string | null
  name: string | null
  ordered: number
  delivered: number
  registered: number
  returned: number
  received: number
  reported: number
  rejected: number
  failed: number
  canceled: number
  unregistered: number
  inferred: { delivered: number; returned: number; received: number }
}

/** Whether a step was filled in when a later one was recorded: both have one time. */
export const isInferred = (step: string, next: string): RawBuilder<boolean> =>
  sql`k.progress->>${step} = k.progress->>${next}`

const keys: Record<Grouping, RawBuilder<string>> = {
  panel: sql`k.kit_type`,
  carrier: sql`k.shipment->'toUser'->>'carrier'`,
  business: sql`k.realm_id::text`,
}

const names: Record<Grouping, RawBuilder<string>> = {
  panel: sql`(select p.name from panels p where p.kit_type = x.key)`,
  carrier: sql`x.key`,
  business: sql`(select b.name from realms r join businesses b on b.id = r.business_id where r.id = x.key::int)`,
}

const shownKeys: Record<Grouping, RawBuilder<string>> = {
  panel: sql`x.key`,
  carrier: sql`x.key`,
  business: sql`(select r.business_id from realms r where r.id = x.key::int)`,
}

const countOf = (condition: RawBuilder<unknown>) => sql`count(*) filter (where ${condition})::int`
// A step has happened if it has a time. One ?| for each row would do no less work than one ? for each step.
const has = (step: string) => countOf(sql`k.progress ? ${step}`)

/** What is counted of kits `k`, by its column of `counted_kits`. */
export const funnelColumns: Readonly<Record<string, RawBuilder<unknown>>> = {
  ordered: sql`count(*)::int`,
  delivered: has('kitDelivered'),
  registered: sql`count(k.registered_at)::int`,
  returned: has('sampleInTransit'),
  received: has('sampleReceived'),
  reported: countOf(sql`k.report_status = 'published'`),
  rejected: countOf(sql`k.sample_status = 'rejected'`),
  failed: countOf(sql`k.kit_status in ('deliveryException', 'registrationException')
    or k.sample_status in ('deliveryException', 'collectionException')`),
  canceled: countOf(sql`k.kit_status = 'canceled'`),
  unregistered: countOf(sql`k.progress ? 'kitRegistered' and k.registered_at is null`),
  inferred_delivered: countOf(isInferred('kitDelivered', 'kitRegistered')),
  inferred_returned: countOf(isInferred('sampleInTransit', 'sampleReceived')),
  inferred_received: countOf(isInferred('sampleReceived', 'reportReady')),
}

const countedKeys: Record<Grouping, RawBuilder<string>> = {
  panel: sql`n.kit_type`,
  carrier: sql`nullif(n.carrier, '')`,
  business: sql`n.realm_id::text`,
}

/** How many kits have come to each step, for each week or month of ordering and each key; up to `limit` rows. */
export function selectFunnel(
  tx: Queries,
  range: CountedRange,
  { per, by, limit }: { per: CohortUnit; by: Grouping | undefined; limit: number },
): Promise<FunnelCounts[]> {
  const none = sql<string>`null::text`
  const sums = (of: string) =>
    sql.join(Object.keys(funnelColumns).map((name) => sql`sum(${sql.ref(`${of}.${name}`)})::int as ${sql.ref(name)}`))
  const counts = sql.join(Object.entries(funnelColumns).map(([name, count]) => sql`${count} as ${sql.ref(name)}`))
  const rows = either(
    range,
    sql`select date_trunc(${per}, o.created_at at time zone 'UTC') as cohort, ${by ? keys[by] : none} as key, ${counts}
      from ${kitsOf(range)} group by 1, 2`,
    sql`select date_trunc(${per}, n.day::timestamp) as cohort, ${by ? countedKeys[by] : none} as key, ${sums('n')}
      from ${countedOf(range)} group by 1, 2`,
  )
  return tx.rows(sql<FunnelCounts>`
    select to_char(x.cohort, 'YYYY-MM-DD') as cohort, ${by ? shownKeys[by] : none} as key, ${by ? names[by] : none} as name,
      x.ordered, x.delivered, x.registered, x.returned, x.received, x.reported, x.rejected, x.failed, x.canceled,
      x.unregistered, jsonb_build_object('delivered', x.inferred_delivered, 'returned', x.inferred_returned,
        'received', x.inferred_received) as inferred
    from (select y.cohort, y.key, ${sums('y')} from (${rows}) y group by 1, 2) x
    order by x.cohort, 3 nulls last, 2 limit ${limit}`)
}

export interface PromiseCounts {
  kitType: string
  name: string
  promised: number
  kept: number
  late: number
  overdue: number
  open: number
}

const receivedAt = at('sampleReceived')

/** The kits `k` whose reports were promised, each by what was promised when its sample came; `and` begins more conditions. */
export const promisedKits = (
  kits: RawBuilder<unknown>,
  publishedAt: RawBuilder<unknown>,
  { also = sql``, and = sql`where` }: { also?: RawBuilder<unknown>; and?: RawBuilder<unknown> } = {},
): RawBuilder<unknown> => sql`
  select ${also} k.kit_type, ${publishedAt} as reported, ${promiseEnd(receivedAt, sql`d.days`)} as ends
  from ${kits} ${and} d.days is not null and k.sample_status <> 'rejected'`

export const promisedDays = sql`cross join lateral (select ${promisedDaysAt(sql`k.kit_type`, receivedAt)} as days) d`

/** What is counted of those kits. */
export const promiseColumns: Readonly<Record<string, RawBuilder<unknown>>> = {
  promised: sql`count(*)::int`,
  kept: countOf(sql`reported < ends`),
  late: countOf(sql`reported >= ends`),
}

/** How promised reports came, by panel. */
export function selectPromised(tx: Queries, range: CountedRange): Promise<PromiseCounts[]> {
  const kits = withReports(range, promisedDays)
  const counts = sql.join(Object.entries(promiseColumns).map(([name, count]) => sql`${count} as ${sql.ref(name)}`))
  const rows = either(
    range,
    sql`select kit_type, ${counts}, ${countOf(sql`reported is null and ends <= ${tx.now}`)} as overdue
      from (${promisedKits(kits, sql`r.published_at`, { and: sql`and` })}) due group by 1`,
    sql`select n.kit_type, n.promised, n.kept, n.late, (
        select coalesce(sum(d.value::int), 0) from jsonb_each_text(n.due) d where d.key::date <= ${dayOf(tx.now)}::date) as overdue
      from ${countedOf(range)} and n.promised > 0`,
  )
  return tx.rows(sql<PromiseCounts>`
    select p.kit_type as "kitType", p.name, x.promised, x.kept, x.late, x.overdue, x.promised - x.kept - x.late - x.overdue as open
    from (
      select kit_type, sum(promised)::int as promised, sum(kept)::int as kept, sum(late)::int as late, sum(overdue)::int as overdue
      from (${rows}) y group by 1) x
    join panels p using (kit_type) order by 2, 1`)
}

/** How many samples came to the laboratory, and how many of them were rejected. */
export function countRejected(tx: Queries, range: CountedRange): Promise<{ received: number; rejected: number }> {
  const rows = either(
    range,
    sql`select ${funnelColumns.received} as received, ${funnelColumns.rejected} as rejected from ${kitsOf(range)}`,
    sql`select sum(n.received)::int as received, sum(n.rejected)::int as rejected from ${countedOf(range)}`,
  )
  return tx.row(sql<{ received: number; rejected: number }>`
    select coalesce(sum(received), 0)::int as received, coalesce(sum(rejected), 0)::int as rejected from (${rows}) x`)
}

// An order is dated after its kits only where the clocks of two processes differ.
const CLOCKS_DIFFER_MS = 3_600_000

/** Why samples were rejected, of the newest kits first. */
export async function selectRejectionReasons(
  tx: Queries,
  range: CountedRange,
  limit: number,
): Promise<(string | null)[]> {
  const { from, before, kitTypes } = range
  const earliest = new Date(from.getTime() - CLOCKS_DIFFER_MS)
  const rejected = sql`k.realm_id = m.id and k.sample_status = 'rejected' and ${isOneOf(sql`k.kit_type`, kitTypes)}`
  const ordered = sql`cross join lateral (select o.created_at from orders o where o.realm_id = k.realm_id and o.id = k.order_id offset 0) o`
  const within = sql`o.created_at >= ${from} and o.created_at < ${before}`
  const rows = await tx.rows(sql<{ realmId: number; id: string; why: Sealed<{ reason: string | null }> }>`
    select k.realm_id as "realmId", k.id, ${sealedReasons.of('k')} as why
    from unnest(${[...range.live, ...range.counted]}::int[]) m(id) cross join lateral (
      (select k.*, o.created_at as ordered_at from kits k ${ordered}
       where ${rejected} and k.replacement_for is null and k.created_at >= ${earliest} and k.created_at < ${before} and ${within}
       order by k.created_at desc, k.id desc limit ${limit})
      union all
      select k.*, o.created_at from kits k ${ordered} where ${rejected} and k.replacement_for is not null and ${within}) k
    order by k.ordered_at desc limit ${limit}`)
  const keyrings = await keyringsOf(tx, rows)
  return rows.map(({ realmId, id, why }) => sealedReasons.open(keyringIn(keyrings, realmId), [id], why).reason)
}
