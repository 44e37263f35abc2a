import { sql } from 'kysely'
import { statement } from '../../platform/database/statement.ts'
import type { SystemTx, Tx } from '../../platform/database/tx.ts'
import { type Batch, idOf } from './lines.ts'

// Writers take turns, so that what has a lower ID is committed before a higher one is given. A turn takes milliseconds.
const takeTurn = statement<never, []>('request_log_turn', `select pg_advisory_xact_lock(hashtext('request log'))`)

const insert = statement<never, [number[], number[], number[], number[], Date[], Date[], string]>(
  'request_log_insert',
  `insert into request_log (slot, count, worst, realm_id, first_at, last_at, requests)
   select * from unnest($1::smallint[], $2::smallint[], $3::smallint[], $4::int[], $5::timestamptz[], $6::timestamptz[],
     $7::text[])`,
)

/** Writes batches. */
export async function insertBatches(tx: SystemTx, batches: readonly Batch[]): Promise<void> {
  await Promise.all([
    tx.run(takeTurn()),
    tx.run(
      insert(
        ...[batches.map(({ slot }) => slot), batches.map(({ count }) => count), batches.map(({ worst }) => worst)],
        batches.map(({ realmId }) => realmId),
        batches.map(({ firstAt }) => firstAt),
        batches.map(({ lastAt }) => lastAt),
        // As PostgreSQL reads an array. The driver looks at each character for quotes, of which there are none.
        `{${batches.map(({ requests }) => `"${requests}"`).join()}}`,
      ),
    ),
  ])
}

/** Which batches may have what is asked for. */
export interface BatchFilter {
  since: Date
  until: Date
  /** The partitions of that time. */
  slots: readonly number[]
  /** The lowest status that is asked for. */
  least: number
}

export interface BatchRow {
  id: number
  requests: string
}

// A service that is asked seldom has few requests in each.
const BATCHES = 250

/**
 * Batches of the realm from an ID on, forwards or backwards: as many as hold so many requests, of the next 250. Empty: there
 * are none.
 */
export function selectBatches(
  tx: Tx,
  { since, until, slots, least }: BatchFilter,
  { from, isForwards, requests }: { from: number; isForwards: boolean; requests: number },
): Promise<BatchRow[]> {
  const order = sql`order by b.id ${isForwards ? sql`` : sql`desc`}`
  return tx.rows(sql<BatchRow>`
    select b.id, b.requests from (
      select b.id, b.requests, sum(b.count) over (${order}) - b.count as before from (
        select b.id, b.count, b.requests from request_log b
        where b.realm_id = ${tx.realm.id} and b.slot = any(${slots}) and b.last_at >= ${since} and b.first_at <= ${until}
          and b.worst >= ${least} and b.id ${isForwards ? sql`>=` : sql`<=`} ${from}
        ${order} limit ${BATCHES}) b) b
    where b.before < ${requests} ${order}`)
}

/** The ID of the last request of the realm that was written; 0 without one. */
export async function lastId(tx: Tx, slots: readonly number[]): Promise<number> {
  const row = await tx.maybeRow(sql<{ id: number; count: number }>`
    select id, count from request_log where realm_id = ${tx.realm.id} and slot = any(${slots}) order by id desc limit 1`)
  return row ? idOf(row.id, row.count - 1) : 0
}

/** The names of tokens of the realm, by ID. */
export async function tokenNames(tx: Tx, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx.rows(sql<{ id: string; name: string }>`
    select id, name from tokens where realm_id = ${tx.realm.id} and id = any(${ids})`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The partitions of these slots that hold anything. */
export async function filledSlots(tx: SystemTx, slots: readonly number[]): Promise<number[]> {
  const rows = await tx.rows(sql<{ slot: number }>`
    select slot from unnest(${slots}::int[]) slot
    where pg_relation_size(('request_log_' || to_char(slot, 'FM00'))::regclass) > 0 order by slot`)
  return rows.map(({ slot }) => slot)
}

// A reader of the log locks all partitions for a moment, and later statements wait behind it.
const LOCK_MS = 100

/** Empties a partition. @throws what the database says, where it is in use: the job tries again */
export async function emptySlot(tx: SystemTx, slot: number): Promise<void> {
  await tx.run(sql`select set_config('lock_timeout', ${`${LOCK_MS}ms`}, true)`)
  await tx.run(sql`truncate ${sql.table(`request_log_${String(slot).padStart(2, '0')}`)}`)
}
