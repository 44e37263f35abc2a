import type { FileStore } from '../../domain/file-store.ts'
import type { Actor, Database, SystemTx } from '../../platform/database/tx.ts'
import { type Table, writeTable } from './files.ts'
import { type Day, selectBeginning, selectCreditsOfDay, selectKitsOfDay, selectLiveRealms } from './queries.ts'
import { creditTable, kitTable } from './tables.ts'

const DAY_MS = 24 * 3600 * 1000
// A transaction that began before midnight may end after it, and is rolled back after two minutes.
const SETTLED_MS = 5 * 60_000
// 10 to 20 ms of the event loop.
const PART = 1000
// A first night with years behind it goes on in the next one.
const MOST_DAYS = 400

type Read<R> = (tx: SystemTx, realmId: number, day: Day, last: R | undefined, limit: number) => Promise<R[]>

/**
 * Writes the days that the store does not have yet, from that of the first business to yesterday, the oldest first. A kit
 * is in the file of the day of its last change, so that the newest file with it says how it stands.
 * @returns the days that were written, as 2026-11-22. @throws FileStoreError; the next call goes on
 */
export async function writeMissingDays(
  database: Database,
  actor: Actor,
  store: FileStore,
  signal: AbortSignal,
): Promise<string[]> {
  const { begun, realmIds } = await database.asSystem(actor, async (tx) => ({
    begun: await selectBeginning(tx),
    realmIds: await selectLiveRealms(tx),
  }))
  const days = begun ? await missingDays(store, begun, new Date(database.now().getTime() - SETTLED_MS)) : []
  for (const name of days) {
    const from = new Date(name)
    const day = { from, before: new Date(from.getTime() + DAY_MS) }
    const parts = async function* <R>(read: Read<R>) {
      for (const realmId of realmIds) {
        let rows: R[] = []
        do {
          signal.throwIfAborted()
          const last = rows.at(-1)
          rows = await database.readAsSystem('nightly numbers', actor, (tx) => read(tx, realmId, day, last, PART))
          if (rows.length > 0) yield rows
        } while (rows.length === PART)
      }
    }
    await write(store, `kits/${name}`, kitTable, parts(selectKitsOfDay))
    await write(store, `credits/${name}`, creditTable, parts(selectCreditsOfDay))
  }
  return days
}

async function missingDays(store: FileStore, begun: Date, end: Date): Promise<string[]> {
  const written = new Set<string>()
  for await (const { name } of store.list(LAST_OF_DAY)) written.add(name)
  const days: string[] = []
  const first = Math.floor(begun.getTime() / DAY_MS) * DAY_MS
  for (let from = first; from + DAY_MS <= end.getTime() && days.length < MOST_DAYS; from += DAY_MS) {
    const name = new Date(from).toISOString().slice(0, 10)
    if (!written.has(`${LAST_OF_DAY}${name}.parquet`)) days.push(name)
  }
  return days
}

// The Parquet file of the credits is written last: a day that has it has all.
const LAST_OF_DAY = 'credits/'

async function write<R>(store: FileStore, name: string, table: Table<R>, parts: AsyncIterable<R[]>): Promise<void> {
  const { csv, parquet } = await writeTable(table, parts)
  await store.write(`${name}.csv.gz`, csv)
  await store.write(`${name}.parquet`, parquet)
}
