import { type RawBuilder, sql } from 'kysely'
import type { Queries } from '../../../platform/database/tx.ts'
import { at, type CountedRange, countedOf, either, withReports } from './range-queries.ts'
import { LENGTHS_OF_E, LENGTHS_OF_LEG, type LegHours, type LegLength } from './rules.ts'
import type { Leg } from './schema.ts'

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
 * The times of the steps of kits, as the table `known`, with the columns `also`. A step that nobody recorded is filled in
 * with the time of the next one, and is null here.
 */
export const knownTimes = (
  kits: RawBuilder<unknown>,
  publishedAt: RawBuilder<unknown>,
  also: Readonly<Record<string, RawBuilder<unknown>>> = {},
): RawBuilder<unknown> => {
  const [made, passed] = [
    Object.entries(also).map(([name, value]) => sql`${value} as ${sql.ref(name)}, `),
    Object.keys(also).map((name) => sql`${sql.ref(name)}, `),
  ]
  // Materialized: otherwise each time would be read from its text wherever it is compared.
  return sql`
    t as materialized (
      select ${sql.join(made, sql``)} ${at('orderPlaced')} as ordered, ${at('kitInTransit')} as shipped, ${at('kitDelivered')} as delivered,
        ${at('kitRegistered')} as registered, ${at('sampleInTransit')} as returned, ${at('sampleReceived')} as received,
        ${at('reportReady')} as resulted, ${publishedAt} as reported, k.registered_at is not null as is_registered
      from ${kits}),
    known as (
      select ${sql.join(passed, sql``)} ordered, case when is_registered then registered end as registered, reported,
        case when shipped < coalesce(delivered, 'infinity') then shipped end as shipped,
        case when delivered < coalesce(registered, 'infinity') then delivered end as delivered,
        case when returned < coalesce(received, 'infinity') then returned end as returned,
        case when received < coalesce(resulted, 'infinity') then received end as received
      from t)`
}

/** How long each leg took. A leg that begins or ends with a step that nobody recorded is left out. */
export function selectLegs(tx: Queries, range: CountedRange): Promise<LegHours[]> {
  const measured = ends.map(([leg, since, till]) => {
    const [from, to] = [sql.ref(since), sql.ref(till)]
    return sql`count(*) filter (where ${to} >= ${from})::int as ${sql.ref(`${leg}Kits`)},
      percentile_cont(array[0.5, 0.95]) within group (order by ${to} - ${from}) filter (where ${to} >= ${from}) as ${sql.ref(leg)}`
  })
  const rows = ends.map(([leg]) => sql`(${leg}::text, ${sql.ref(`${leg}Kits`)}, ${sql.ref(leg)})`)
  return tx.rows(sql<LegHours>`
    with ${knownTimes(withReports(range), sql`r.published_at`)},
    measured as (select ${sql.join(measured)} from known)
    select v.leg, v.kits, extract(epoch from v.taken[1])::float8 / 3600 as "p50Hours",
      extract(epoch from v.taken[2])::float8 / 3600 as "p95Hours"
    from measured cross join lateral (values ${sql.join(rows)}) v(leg, kits, taken)`)
}

/** How many kits of `known` took so long for each leg, by the columns `also`. Lengths are as `counted_kits` has them. */
export const lengthsOfLegs = (also: readonly string[] = []): RawBuilder<unknown> => {
  const taken = ends.map(([, since, till], leg) => sql`(${sql.lit(leg)}, ${sql.ref(till)} - ${sql.ref(since)})`)
  const columns = sql.join([...also.map((name) => sql`${sql.ref(name)}, `)], sql``)
  return sql`
    select ${columns} v.leg * ${sql.lit(LENGTHS_OF_LEG)} + floor(${sql.lit(LENGTHS_OF_E)} * ln(1 + extract(epoch from v.taken)::float8 / 360))::int as length, count(*)::int as kits
    from known cross join lateral (values ${sql.join(taken)}) v(leg, taken) where v.taken >= interval '0'
    group by ${columns} length`
}

/** The same of all kits that are asked for, from counted days where there are. */
export async function selectLegLengths(tx: Queries, range: CountedRange): Promise<LegLength[]> {
  const known = knownTimes(withReports(range), sql`r.published_at`)
  const rows = either(
    range,
    lengthsOfLegs(),
    sql`select l.length, sum(l.kits)::int as kits
      from (select n.leg_lengths, n.leg_kits from ${countedOf(range)}) n
      cross join lateral unnest(n.leg_lengths, n.leg_kits) l(length, kits) group by 1`,
  )
  const lengths = await tx.rows(sql<{ length: number; kits: number }>`
    with ${known} select length, sum(kits)::int as kits from (${rows}) l group by 1 order by 1`)
  return lengths.map(({ length, kits }) => ({
    leg: ends[Math.floor(length / LENGTHS_OF_LEG)]?.[0] ?? 'orderedToReported',
    length: length % LENGTHS_OF_LEG,
    kits,
  }))
}
