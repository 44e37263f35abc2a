import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import type { FileStore } from '../../domain/file-store.ts'
import { publicKitType } from '../../modules/catalogue/kit-type.ts'
import type { Actor, Database, SystemTx } from '../../platform/database/tx.ts'
import { csvCell } from '../../platform/http/csv.ts'
import * as queries from './queries.ts'

const DAY_MS = 24 * 3600 * 1000
// A transaction that began before midnight may end after it, and is rolled back after two minutes.
const SETTLED_MS = 5 * 60_000
// 10 to 20 ms of the event loop.
const PART = 1000
// A first night with years behind it goes on in the next one.
const MOST_DAYS = 400

type Read<R> = (tx: SystemTx, realmId: number, day: queries.Day, last: R | undefined, limit: number) => Promise<R[]>

type Column<R> =
  | { type: 'STRING'; of(row: R): string | null | undefined }
  | { type: 'INT32'; of(row: R): number }
  | { type: 'TIMESTAMP'; of(row: R): Date | null }

/** A table of the nightly files: its columns by name, in their order. */
type Table<R> = Record<string, Column<R>>

interface TableFiles {
  parquet: Buffer
  /** RFC 4180 in UTF-8, compressed by gzip; times in ISO 8601, UTC. */
  csv: Buffer
}

/** The same rows as Parquet, with a row group for each part that is read, and as CSV. */
async function writeTable<R>(table: Table<R>, parts: AsyncIterable<readonly R[]>): Promise<TableFiles> {
  // Once a night, by one process.
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = await import('hyparquet-writer')
  const columns = Object.entries(table).map(([name, column]) => ({ name, ...column }))
  const writer = new ByteWriter()
  const schema = schemaFromColumnData({ columnData: columns.map(({ name, type }) => ({ name, type, data: [] })) })
  const parquet = new ParquetWriter({ writer, schema, createdBy: 'kitlane' })
  const gzip = createGzip()
  const csv = buffer(gzip)
  gzip.write(`${columns.map(({ name }) => name).join(',')}\r\n`)
  for await (const part of parts) {
    const columnData = columns.map(({ name, type, of }) => ({ name, type, data: part.map((row) => of(row) ?? null) }))
    await parquet.write({ columnData, rowGroupSize: part.length })
    const lines = part.map((row) => `${columns.map(({ of }) => csvCell(textOf(of(row)))).join(',')}\r\n`)
    if (!gzip.write(lines.join(''))) await once(gzip, 'drain')
  }
  await parquet.finish()
  gzip.end()
  return { parquet: Buffer.from(writer.getBytes()), csv: await csv }
}

const textOf = (cell: string | number | Date | null | undefined): string | number | undefined =>
  cell instanceof Date ? cell.toISOString() : (cell ?? undefined)

/** A kit whose last change was on that day. Nothing of its person, and nothing that was measured. */
const kitTable: Table<queries.KitOfDay> = {
  kitID: { type: 'STRING', of: (kit) => kit.kitId },
  orderID: { type: 'STRING', of: (kit) => kit.orderId },
  businessID: { type: 'STRING', of: (kit) => kit.businessId },
  business: { type: 'STRING', of: (kit) => kit.business },
  kitType: { type: 'STRING', of: (kit) => publicKitType(kit.kitType) },
  panel: { type: 'STRING', of: (kit) => kit.panel },
  kitStatus: { type: 'STRING', of: (kit) => kit.kitStatus },
  sampleStatus: { type: 'STRING', of: (kit) => kit.sampleStatus },
  reportStatus: { type: 'STRING', of: (kit) => kit.reportStatus },
  outboundCarrier: { type: 'STRING', of: (kit) => kit.outboundCarrier },
  returnCarrier: { type: 'STRING', of: (kit) => kit.returnCarrier },
  replacementFor: { type: 'STRING', of: (kit) => kit.replacementFor },
  replacedBy: { type: 'STRING', of: (kit) => kit.replacedBy },
  orderedDate: { type: 'TIMESTAMP', of: (kit) => kit.orderedAt },
  shippedDate: { type: 'TIMESTAMP', of: (kit) => kit.shippedAt },
  deliveredDate: { type: 'TIMESTAMP', of: (kit) => kit.deliveredAt },
  registeredDate: { type: 'TIMESTAMP', of: (kit) => kit.registeredAt },
  postedDate: { type: 'TIMESTAMP', of: (kit) => kit.postedAt },
  returnedDate: { type: 'TIMESTAMP', of: (kit) => kit.returnedAt },
  receivedDate: { type: 'TIMESTAMP', of: (kit) => kit.receivedAt },
  resultedDate: { type: 'TIMESTAMP', of: (kit) => kit.resultedAt },
  publishedDate: { type: 'TIMESTAMP', of: (kit) => kit.publishedAt },
  lastUpdatedDate: { type: 'TIMESTAMP', of: (kit) => kit.updatedAt },
  // Such as `delivered,returned`: their dates are those of a later step.
  inferredSteps: { type: 'STRING', of: (kit) => kit.inferred },
}

/** A transfer of credits on that day: the ledger, which never changes. */
const creditTable: Table<queries.CreditsOfDay> = {
  businessID: { type: 'STRING', of: (transfer) => transfer.businessId },
  number: { type: 'INT32', of: (transfer) => transfer.seq },
  date: { type: 'TIMESTAMP', of: (transfer) => transfer.at },
  kind: { type: 'STRING', of: (transfer) => transfer.kind },
  kitType: { type: 'STRING', of: (transfer) => publicKitType(transfer.kitType) },
  from: { type: 'STRING', of: (transfer) => transfer.fromAccount },
  to: { type: 'STRING', of: (transfer) => transfer.toAccount },
  amount: { type: 'INT32', of: (transfer) => transfer.amount },
  availableAfter: { type: 'INT32', of: (transfer) => transfer.availableAfter },
  orderID: { type: 'STRING', of: (transfer) => transfer.orderId },
}

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
    begun: await queries.selectBeginning(tx),
    realmIds: await queries.selectLiveRealms(tx),
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
    await write(store, `kits/${name}`, kitTable, parts(queries.selectKitsOfDay))
    await write(store, `credits/${name}`, creditTable, parts(queries.selectCreditsOfDay))
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
