import { sql } from 'kysely'
import type { Queries, SystemTx } from '../../../platform/database/tx.ts'
import { isUse, used } from './credit-queries.ts'
import { knownTimes, lengthsOfLegs } from './leg-queries.ts'
import { funnelColumns, promiseColumns, promisedDays, promisedKits } from './queries.ts'
import { type CountedRange, dayOf } from './range-queries.ts'

/** What there is to read of some realms: which of them are counted, and how much the range that is asked for has. */
export interface Standing {
  counted: number[]
  uncounted: number[]
  /** Whether something changed in a counted realm since it was counted. */
  isChanged: boolean
  /** Kits of the range, up to one more than `limit`, and kits that were ordered since. */
  kits: number
  countedAt: Date | null
}

/** How the counting of these realms stands. Realms without kits are left out. */
export function selectStanding(
  tx: Queries,
  realmIds: readonly number[],
  { from, before }: Pick<CountedRange, 'from' | 'before'>,
  limit: number,
): Promise<Standing> {
  return tx.row(sql<Standing>`
    with each as (
      select c.realm_id, c.kits - coalesce(u.kits, 0) as fresh, coalesce(u.whole, false) and l.at is not null as is_counted, l.at,
        exists (select from tallies t where t.realm_id = c.realm_id and t.name = 'kit.changed') as is_changed
      from realm_counters c cross join counted_at l left join counted_upto u on u.realm_id = c.realm_id
      where c.realm_id = any(${realmIds}::int[]) and c.kits > 0)
    select coalesce(array_agg(realm_id) filter (where is_counted), '{}') as counted,
      coalesce(array_agg(realm_id) filter (where not is_counted), '{}') as uncounted,
      coalesce(bool_or(fresh > 0 or is_changed) filter (where is_counted), false) as "isChanged",
      (coalesce(sum(fresh), 0) + (
        select coalesce(sum(ordered), 0) from (
          select ordered from counted_kits
          where realm_id = any(${realmIds}::int[]) and day >= ${dayOf(from)}::date and day < ${dayOf(before)}::date
          limit ${limit + 1}) n))::bigint as kits,
      max(at) as "countedAt"
    from each`)
}

/** Those of the realms whose days are counted. */
export async function selectCountedRealms(tx: Queries, realmIds: readonly number[]): Promise<number[]> {
  const rows = await tx.rows(sql<{ id: number }>`
    select realm_id as id from counted_upto where realm_id = any(${realmIds}::int[]) and whole`)
  return rows.map(({ id }) => id)
}

/** Live realms with something that is not counted yet. */
export async function selectUncounted(tx: SystemTx): Promise<number[]> {
  const rows = await tx.rows(sql<{ id: number }>`
    select r.id from realms r join realm_counters c on c.realm_id = r.id left join counted_upto u on u.realm_id = r.id
    where r.mode = 'live' and (c.kits > coalesce(u.kits, 0) or c.transfers > coalesce(u.transfers, 0)
      or exists (select from tallies t where t.realm_id = r.id and t.name = 'kit.changed'))
    order by r.id`)
  return rows.map(({ id }) => id)
}

export interface CountedUpto {
  kits: number
  transfers: number
  /** Whether all was counted once. */
  whole: boolean
  /** The last numbers of the realm. */
  lastKit: number
  lastTransfer: number
}

/** Up to where a realm is counted, locked until the transaction ends. */
export async function lockCounted(tx: SystemTx, realmId: number): Promise<CountedUpto> {
  await tx.run(sql`insert into counted_upto (realm_id) values (${realmId}) on conflict do nothing`)
  const upto = await tx.row(sql<Pick<CountedUpto, 'kits' | 'transfers' | 'whole'>>`
    select kits, transfers, whole from counted_upto where realm_id = ${realmId} for update`)
  // Numbers are given out under a lock that ends with the transaction: all kits up to the last one are there.
  const last = await tx.row(sql<Pick<CountedUpto, 'lastKit' | 'lastTransfer'>>`
    select kits as "lastKit", transfers as "lastTransfer" from realm_counters where realm_id = ${realmId}`)
  return { ...upto, ...last }
}

export interface ChangedDay {
  /** Of ordering, as 2026-11-22; null where there is no such kit. */
  day: string | null
  kitIds: string[]
  changes: number
  /** Kits that are counted of it. */
  counted: number
}

const day = sql`to_char(o.created_at at time zone 'UTC', 'YYYY-MM-DD')`

/** The days of kits that changed, of up to `limit` changes. */
export function selectChangedDays(tx: SystemTx, realmId: number, limit: number): Promise<ChangedDay[]> {
  return tx.rows(sql<ChangedDay>`
    select x.*, (select coalesce(sum(ordered), 0)::int from counted_kits n where n.realm_id = ${realmId} and n.day = x.day::date) as counted
    from (select ${day} as day, array_agg(c.key) as "kitIds", sum(c.changes)::int as changes
    from (select key, count(*) as changes from (
      select key from tallies where realm_id = ${realmId} and name = 'kit.changed' limit ${limit}) c group by 1) c
    left join lateral (select order_id from kits where realm_id = ${realmId} and id = c.key offset 0) k on true
    left join lateral (select created_at from orders where realm_id = ${realmId} and id = k.order_id offset 0) o on true
    group by 1) x order by 1`)
}

/** The days of ordering of kits by their numbers, with the kits that are counted of each. */
export function selectDaysOfKits(
  tx: SystemTx,
  realmId: number,
  after: number,
  upto: number,
): Promise<{ day: string; counted: number }[]> {
  return tx.rows(sql<{ day: string; counted: number }>`
    select x.day, (select coalesce(sum(ordered), 0)::int from counted_kits n where n.realm_id = ${realmId} and n.day = x.day::date) as counted
    from (
      select distinct ${day} as day
      from (select order_id from kits where realm_id = ${realmId} and seq > ${after} and seq <= ${upto} offset 0) k
      cross join lateral (select created_at from orders where realm_id = ${realmId} and id = k.order_id offset 0) o) x order by 1`)
}

/** Recounts the kits of these days. */
export async function recountDays(tx: SystemTx, realmId: number, days: readonly string[]): Promise<void> {
  const begins = days.map((one) => new Date(`${one}T00:00:00Z`))
  const ends = begins.map((begin) => new Date(begin.getTime() + 86_400_000))
  const columnsOf = (counts: Readonly<Record<string, unknown>>) => Object.keys(counts).map((name) => sql.ref(name))
  const [funnel, promises] = [columnsOf(funnelColumns), columnsOf(promiseColumns)]
  const key = ['day', 'kit_type', 'carrier']
  const ofKey = sql.join(key.map((name) => sql.ref(name)))
  const ofKit = sql.join(key.map((name) => sql`k.${sql.ref(name)}`))
  await tx.run(sql`delete from counted_kits where realm_id = ${realmId} and day = any(${days}::date[])`)
  await tx.run(sql`
    with k as materialized (
      select d.day, k.kit_type, coalesce(k.shipment->'toUser'->>'carrier', '') as carrier, k.progress, k.registered_at,
        k.kit_status, k.sample_status, k.report_status, r.published_at
      from unnest(${days}::date[], ${begins}::timestamptz[], ${ends}::timestamptz[]) d(day, begins, ends)
      cross join lateral (
        select id from orders where realm_id = ${realmId} and created_at >= d.begins and created_at < d.ends offset 0) o
      cross join lateral (select * from kits where realm_id = ${realmId} and order_id = o.id offset 0) k
      left join lateral (
        select published_at from reports where realm_id = ${realmId} and kit_id = k.id and status = 'published' offset 0) r on true),
    funnel as (
      select ${ofKit}, ${sql.join(Object.entries(funnelColumns).map(([name, count]) => sql`${count} as ${sql.ref(name)}`))}
      from k group by ${ofKit}),
    due as materialized (
      ${promisedKits(sql`k ${promisedDays}`, sql`k.published_at`, { also: sql`k.day, k.carrier,` })}),
    promises as (
      select ${ofKey}, ${sql.join(Object.entries(promiseColumns).map(([name, count]) => sql`${count} as ${sql.ref(name)}`))}
      from due group by ${ofKey}),
    open as (
      select ${ofKey}, jsonb_object_agg(ends, kits) as due from (
        select ${ofKey}, to_char(ends at time zone 'UTC', 'YYYY-MM-DD') as ends, count(*) as kits
        from due where reported is null group by ${ofKey}, 4) x group by ${ofKey}),
    ${knownTimes(sql`k`, sql`k.published_at`, { day: sql`k.day`, kit_type: sql`k.kit_type`, carrier: sql`k.carrier` })},
    legs as (
      select ${ofKey}, array_agg(length order by length) as leg_lengths, array_agg(kits order by length) as leg_kits
      from (${lengthsOfLegs(key)}) l group by ${ofKey})
    insert into counted_kits (realm_id, ${ofKey}, ${sql.join([...funnel, ...promises])}, due, leg_lengths, leg_kits)
    select ${realmId}, f.day, f.kit_type, f.carrier, ${sql.join(funnel)},
      ${sql.join(promises.map((name) => sql`coalesce(${name}, 0)`))}, coalesce(due, '{}'), coalesce(leg_lengths, '{}'), coalesce(leg_kits, '{}')
    from funnel f left join promises using (${ofKey}) left join open using (${ofKey}) left join legs using (${ofKey})`)
}

/** Adds transfers by their numbers to the credits that were used on their days. */
export async function countCredits(tx: SystemTx, realmId: number, after: number, upto: number): Promise<void> {
  await tx.run(sql`
    insert into counted_credits as c (realm_id, day, kit_type, used, upto)
    select ${realmId}, (t.at at time zone 'UTC')::date, t.kit_type, ${used}, max(t.seq)
    from credit_transfers t where t.realm_id = ${realmId} and t.seq > ${after} and t.seq <= ${upto} and ${isUse}
    group by 2, 3
    on conflict (realm_id, day, kit_type) do update set used = c.used + excluded.used, upto = excluded.upto`)
}

export async function updateCounted(
  tx: SystemTx,
  realmId: number,
  { kits, transfers, isWhole }: { kits: number; transfers: number; isWhole: boolean },
): Promise<void> {
  await tx.run(sql`
    update counted_upto set kits = ${kits}, transfers = ${transfers}, whole = whole or ${isWhole} where realm_id = ${realmId}`)
}

/** When the last run that counted everything began. */
export async function selectCountedAt(tx: SystemTx): Promise<Date | null> {
  const { at } = await tx.row(sql<{ at: Date | null }>`select at from counted_at`)
  return at
}

export const updateCountedAt = (tx: SystemTx, at: Date): Promise<unknown> =>
  tx.run(sql`update counted_at set at = ${at} where at is null or at < ${at}`)
