import { type RawBuilder, sql } from 'kysely'
import { statement } from '../../platform/database/statement.ts'
import type { Queries, Tx } from '../../platform/database/tx.ts'

/** The last gapless number that each list of a realm has given out. */
export interface Counters {
  realmId: number
  orders: number
  kits: number
  transfers: number
  /** When the last order was placed; null before the first. */
  orderedAt: Date | null
}

const select = `select realm_id as "realmId", orders, kits, transfers, ordered_at as "orderedAt" from realm_counters
   where realm_id = any($1::int[])`

const countersSelect = statement<Counters, [number[]]>('numbers_select', select)

export function selectCounters(tx: Queries, realmIds: readonly number[]): Promise<Counters[]> {
  return tx.rows(countersSelect([...realmIds]))
}

const countersForUpdate = statement<Counters, [number[]]>('numbers_lock', `${select} order by realm_id for update`)

/** Locks the counters of realms in the order of their IDs. */
export function selectCountersForUpdate(tx: Queries, realmIds: readonly number[]): Promise<Counters[]> {
  return tx.rows(countersForUpdate([...realmIds]))
}

const countersClaim = statement<never, [number[], number[], number[], number[]]>(
  'numbers_claim',
  `with locked as (
     select realm_id, orders, kits, transfers from realm_counters where realm_id = any($1::int[]) order by realm_id for update)
   select kitlane_claimed(count(*), cardinality($1)) from locked
   join unnest($1::int[], $2::bigint[], $3::bigint[], $4::bigint[]) as e(realm_id, orders, kits, transfers)
     using (realm_id, orders, kits, transfers)`,
)

/** Locks counters in the same order, and fails the transaction if one is not as given. */
export function claimCounters(tx: Queries, expected: readonly Counters[]): Promise<unknown> {
  return tx.rows(
    countersClaim(
      expected.map(({ realmId }) => realmId),
      expected.map(({ orders }) => orders),
      expected.map(({ kits }) => kits),
      expected.map(({ transfers }) => transfers),
    ),
  )
}

const countersUpdate = statement<never, [number[], number[], number[], number[], (Date | null)[]]>(
  'numbers_save',
  `update realm_counters c set orders = n.orders, kits = n.kits, transfers = n.transfers, ordered_at = n.ordered_at
   from unnest($1::int[], $2::bigint[], $3::bigint[], $4::bigint[], $5::timestamptz[])
     as n(realm_id, orders, kits, transfers, ordered_at)
   where c.realm_id = n.realm_id`,
)

export async function updateCounters(tx: Queries, counters: readonly Counters[]): Promise<void> {
  await tx.run(
    countersUpdate(
      counters.map(({ realmId }) => realmId),
      counters.map(({ orders }) => orders),
      counters.map(({ kits }) => kits),
      counters.map(({ transfers }) => transfers),
      counters.map(({ orderedAt }) => orderedAt),
    ),
  )
}

/** Sets a counter after its rows were renumbered. */
export async function updateCounter(tx: Tx, list: 'orders' | 'kits', count: number): Promise<void> {
  await tx.run(sql`update realm_counters set ${sql.id(list)} = ${count} where realm_id = ${tx.realm.id}`)
}

/** Draws the number of the next customer, as `customers`: a part of the statement that inserts them. */
export const drawCustomerNumber = ({ realm }: Tx): RawBuilder<unknown> =>
  sql`update realm_counters set customers = customers + 1 where realm_id = ${realm.id} returning customers`
