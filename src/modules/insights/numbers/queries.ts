import { type RawBuilder, sql } from 'kysely'
import type { Queries, SystemTx } from '../../../platform/database/tx.ts'
import { keyringIn, keyringsOf, type Sealed } from '../../../platform/sealing/sealed-columns.ts'
import { promisedDaysAt, promiseEnd } from '../../catalogue/promise-queries.ts'
import { sealedReasons } from '../../kits/sealed-queries.ts'
import type { CohortUnit, Grouping, Leg } from './schema.ts'

/** Which kits are counted: those of orders placed in [from, before) in these realms. */
export interface Asked {
  realmIds: readonly number[]
  from: Date
  before: Date
  /** As it is stored. */
  kitType: string | undefined
}

// By order and not by kit: orders have an index on when they were placed, and kits one on their order. The offset keeps it a
// look for each order, so that it costs what the range has: as a join, it would read all kits of the realms.
const kitsOf = ({ realmIds, from, before, kitType }: Asked, joined = sql``): RawBuilder<unknown> => sql`
  orders o cross join lateral (
    select * from kits k where k.realm_id = o.realm_id and k.order_id = o.id offset 0) k ${joined}
  where o.realm_id = any(${realmIds}::int[]) and o.created_at >= ${from} and o.created_at < ${before}
    and (${kitType ?? null}::text is null or k.kit_type = ${kitType ?? null})`

/** The live realms of a business, or of all. */
export async function selectLiveRealms(tx: SystemTx, businessId: string | undefined): Promise<number[]> {
  const rows = await tx.rows(sql<{ id: number }>`
    select id from realms where mode = 'live' and (${businessId ?? null}::text is null or business_id = ${businessId ?? null})`)
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

/** How many kits have come to each step, for each week or month of ordering and each key; up to `limit` rows. */
export function selectFunnel(
  tx: Queries,
  asked: Asked,
  { per, by, limit }: { per: CohortUnit; by: Grouping | undefined; limit: number },
): Promise<FunnelCounts[]> {
  const none = sql<string>`null::text`
  // A step has happened if it has a time. One ?| for each row would do no less work than one ? for each step.
  const has = (step: string) => sql`count(*) filter (where k.progress ? ${step})::int`
  const inferred = (step: string, next: string) => sql`count(*) filter (where ${isInferred(step, next)})::int`
  return tx.rows(sql<FunnelCounts>`
    select to_char(x.cohort, 'YYYY-MM-DD') as cohort, ${by ? shownKeys[by] : none} as key, ${by ? names[by] : none} as name,
      x.ordered, x.delivered, x.registered, x.returned, x.received, x.reported, x.rejected, x.failed, x.canceled,
      x.unregistered, x.inferred
    from (
      select date_trunc(${per}, o.created_at at time zone 'UTC') as cohort, ${by ? keys[by] : none} as key,
        count(*)::int as ordered, ${has('kitDelivered')} as delivered, count(k.registered_at)::int as registered,
        ${has('sampleInTransit')} as returned, ${has('sampleReceived')} as received,
        count(*) filter (where k.report_status = 'published')::int as reported,
        count(*) filter (where k.sample_status = 'rejected')::int as rejected,
        count(*) filter (where k.kit_status in ('deliveryException', 'registrationException')
          or k.sample_status in ('deliveryException', 'collectionException'))::int as failed,
        count(*) filter (where k.kit_status = 'canceled')::int as canceled,
        count(*) filter (where k.progress ? 'kitRegistered' and k.registered_at is null)::int as unregistered,
        jsonb_build_object('delivered', ${inferred('kitDelivered', 'kitRegistered')},
          'returned', ${inferred('sampleInTransit', 'sampleReceived')},
          'received', ${inferred('sampleReceived', 'reportReady')}) as inferred
      from ${kitsOf(asked)} group by 1, 2) x
    order by x.cohort, 3 nulls last, 2 limit ${limit}`)
}

export interface LegHours {
  leg: Leg
  kits: number
  /** Null where no kit took it. */
  p50Hours: number | null
  p95Hours: number | null
}

// From which column of the statement below to which.
const ends: readonly [leg: Leg, since: string, till: string][] = [
  ['orderedToShipped', 'ordered', 'shipped'],
  ['shippedToDelivered', 'shipped', 'delivered'],
  ['deliveredToRegistered', 'delivered', 'registered'],
  ['registeredToReturned', 'registered', 'returned'],
  ['registeredToReceived', 'registered', 'received'],
  ['receivedToReported', 'received', 'reported'],
  ['orderedToReported', 'ordered', 'reported'],
]

/**
 * How long each leg took. A step that nobody recorded is filled in with the time of the next one; a leg that begins or ends
 * with such a step is left out.
 */
export function selectLegs(tx: Queries, asked: Asked): Promise<LegHours[]> {
  const at = (step: string) => sql`(k.progress->>${step})::timestamptz`
  const measured = ends.map(([leg, since, till]) => {
    const [from, to] = [sql.ref(since), sql.ref(till)]
    return sql`count(*) filter (where ${to} >= ${from})::int as ${sql.ref(`${leg}Kits`)},
      percentile_cont(array[0.5, 0.95]) within group (order by ${to} - ${from}) filter (where ${to} >= ${from}) as ${sql.ref(leg)}`
  })
  const rows = ends.map(([leg]) => sql`(${leg}::text, ${sql.ref(`${leg}Kits`)}, ${sql.ref(leg)})`)
  // Materialized: otherwise each time would be read from its text wherever it is compared.
  return tx.rows(sql<LegHours>`
    with t as materialized (
      select ${at('orderPlaced')} as ordered, ${at('kitInTransit')} as shipped, ${at('kitDelivered')} as delivered,
        ${at('kitRegistered')} as registered, ${at('sampleInTransit')} as returned, ${at('sampleReceived')} as received,
        ${at('reportReady')} as resulted, r.published_at as reported, k.registered_at is not null as is_registered
      from ${kitsOf(asked, sql`left join reports r on r.realm_id = k.realm_id and r.kit_id = k.id and r.status = 'published'`)}),
    known as (
      select ordered, case when is_registered then registered end as registered, reported,
        case when shipped < coalesce(delivered, 'infinity') then shipped end as shipped,
        case when delivered < coalesce(registered, 'infinity') then delivered end as delivered,
        case when returned < coalesce(received, 'infinity') then returned end as returned,
        case when received < coalesce(resulted, 'infinity') then received end as received
      from t),
    measured as (select ${sql.join(measured)} from known)
    select v.leg, v.kits, extract(epoch from v.taken[1])::float8 / 3600 as "p50Hours",
      extract(epoch from v.taken[2])::float8 / 3600 as "p95Hours"
    from measured cross join lateral (values ${sql.join(rows)}) v(leg, kits, taken)`)
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

/** How promised reports came, by panel: each kit by what was promised when its sample came. */
export function selectPromised(tx: Queries, asked: Asked): Promise<PromiseCounts[]> {
  const received = sql`(k.progress->>'sampleReceived')::timestamptz`
  return tx.rows(sql<PromiseCounts>`
    with due as (
      select k.kit_type, r.published_at as reported, ${promiseEnd(received, sql`d.days`)} as ends
      from ${kitsOf(
        asked,
        sql`
          left join reports r on r.realm_id = k.realm_id and r.kit_id = k.id and r.status = 'published'
          cross join lateral (select ${promisedDaysAt(sql`k.kit_type`, received)} as days) d`,
      )} and d.days is not null and k.sample_status <> 'rejected')
    select p.kit_type as "kitType", p.name, count(*)::int as promised,
      count(*) filter (where reported < ends)::int as kept, count(*) filter (where reported >= ends)::int as late,
      count(*) filter (where reported is null and ends <= ${tx.now})::int as overdue,
      count(*) filter (where reported is null and ends > ${tx.now})::int as open
    from due join panels p using (kit_type) group by 1, 2 order by 2, 1`)
}

/** How many samples came to the laboratory, and how many of them were rejected. */
export function countRejected(tx: Queries, asked: Asked): Promise<{ received: number; rejected: number }> {
  return tx.row(sql<{ received: number; rejected: number }>`
    select count(*) filter (where k.progress ? 'sampleReceived')::int as received,
      count(*) filter (where k.sample_status = 'rejected')::int as rejected
    from ${kitsOf(asked)}`)
}

/** Why samples were rejected, of the newest kits first. */
export async function selectRejectionReasons(tx: Queries, asked: Asked, limit: number): Promise<(string | null)[]> {
  const rows = await tx.rows(sql<{ realmId: number; id: string; why: Sealed<{ reason: string | null }> }>`
    select k.realm_id as "realmId", k.id, ${sealedReasons.of('k')} as why from ${kitsOf(asked)}
      and k.sample_status = 'rejected'
    order by o.created_at desc limit ${limit}`)
  const keyrings = await keyringsOf(tx, rows)
  return rows.map(({ realmId, id, why }) => sealedReasons.open(keyringIn(keyrings, realmId), [id], why).reason)
}
