import { sql } from 'kysely'
import type { Tx } from '../../../platform/database/tx.ts'
import { isLeftAlone, needs, waitsSince } from '../../kits/attention-queries.ts'
import type { KitAttention } from '../../kits/lifecycle.ts'
import type { Waiting } from '../../kits/usual-days.ts'

export interface Balance {
  kitType: string
  name: string
  available: number
  low: boolean
}

export function selectBalances(tx: Tx): Promise<Balance[]> {
  return tx.rows(sql<Balance>`
    select p.kit_type as "kitType", n.name, coalesce(b.available, 0) as available,
           coalesce(b.available, 0) < coalesce(r.low_credit_threshold, 0) as low
    from realm_panels p join panels n on n.kit_type = p.kit_type join realms r on r.id = p.realm_id
    left join credit_balances b on b.realm_id = p.realm_id and b.kit_type = p.kit_type
    where p.realm_id = ${tx.realm.id} order by p.created_at, p.kit_type`)
}

/**
 * How many orders were placed on each day (UTC), in the order of `days`: orders are dated in the order of their gapless
 * numbers, so a day is a range of them.
 */
export function countOrdersByDay(tx: Tx, days: readonly string[]): Promise<{ date: string; orders: number }[]> {
  // As times: a cast beside the index column would be a filter below row-level security, and read all orders.
  const begin = days.map((day) => new Date(`${day}T00:00:00Z`))
  return tx.rows(sql<{ date: string; orders: number }>`
    with starts as (
      select day, coalesce(
        (select o.seq from orders o where o.realm_id = ${tx.realm.id} and o.created_at >= d.begin
         order by o.created_at, o.seq limit 1), c.orders + 1) as seq, c.orders + 1 as next
      from unnest(${days}::text[], ${begin}::timestamptz[]) d(day, begin) cross join realm_counters c where c.realm_id = ${tx.realm.id})
    select day as date, lead(seq, 1, next) over (order by day) - seq as orders from starts order by day`)
}

/** Counting stops there, so that it costs the same however many are late. */
export const LATE_COUNTED = 1000

/** How many kits wait too long in each place, with the one that waits longest. */
export function selectLate(tx: Tx, places: readonly Waiting[]): Promise<{ count: number; example: string }[]> {
  // As values and not as JSON: the planner would take it for a hundred places, and compile for 200 ms what runs for one.
  const rows = places.map(
    ({ kitStatus, sampleStatus, before }) => sql`(${kitStatus}::text, ${sampleStatus}::text, ${before}::timestamptz)`,
  )
  return tx.rows(sql<{ count: number; example: string }>`
    select count(*)::int as count, (array_agg(k.id order by k.updated_at))[1] as example
    from (values ${sql.join(rows)}) as p("kitStatus", "sampleStatus", before)
    cross join lateral (
      select k.id, k.updated_at from kits k
      where k.realm_id = ${tx.realm.id}
        and ${waitsSince(sql`k.kit_status = p."kitStatus" and k.sample_status = p."sampleStatus"`, sql`p.before`)}
        and not ${isLeftAlone}
      order by k.updated_at limit ${LATE_COUNTED}) k
    group by p."kitStatus", p."sampleStatus" order by min(k.updated_at)`)
}

export interface Examples {
  exception: string | null
  rejected: string | null
  pendingPayment: string | null
  inReview: string | null
  /** How many of the pending orders wait for a provider: nobody can pay them yet. */
  waitingForProvider: number
  /** How many kits that are in an exception need nobody, since nothing more is done with their boxes. */
  givenUp: number
  /** How many requests of people are open: there are few. */
  dataRequests: number
}

/** One of each kind: the newest kit or order, the report that waits longest. */
export function selectExamples(tx: Tx): Promise<Examples> {
  const kit = (kind: KitAttention) => sql`
    (select k.id from kits k where k.realm_id = ${tx.realm.id} and ${needs(kind, tx.now)} order by k.seq desc limit 1)`
  return tx.row(sql<Examples>`
    select ${kit('exception')} as exception, ${kit('rejected')} as rejected,
      (select id from orders where realm_id = ${tx.realm.id} and status = 'pending' and approval_state is distinct from 'waiting'
       order by seq desc limit 1) as "pendingPayment",
      (select count(*)::int from orders where realm_id = ${tx.realm.id} and status = 'pending' and approval_state = 'waiting') as "waitingForProvider",
      (select id from reports where realm_id = ${tx.realm.id} and status = 'inReview' order by created_at limit 1) as "inReview",
      (select count(*)::int from undelivered_kits c join kits k on k.realm_id = c.realm_id and k.id = c.kit_id
       where c.realm_id = ${tx.realm.id} and c.state = 'closed' and k.kit_status = 'deliveryException' and k.replaced_by is null) as "givenUp",
      (select count(*)::int from data_requests where realm_id = ${tx.realm.id} and status = 'open') as "dataRequests"`)
}
