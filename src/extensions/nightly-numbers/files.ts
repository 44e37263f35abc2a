import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import { csvCell } from '../../platform/http/csv.ts'

type Column<R> =
  | { type: 'STRING'; of(row: R): string | null | undefined }
  | { type: 'INT32'; of(row: R): number }
  | { type: 'TIMESTAMP'; of(row: R): Date | null }

/** A table of the nightly files: its columns by name, in their order. */
export type Table<R> = Record<string, Column<R>>

export interface TableFiles {
  parquet: Buffer
  /** RFC 4180 in UTF-8, compressed by gzip; times in ISO 8601, UTC. */
  csv: Buffer
}

/** The same rows as Parquet, with a row group for each part that is read, and as CSV. */
export async function writeTable<R>(table: Table<R>, parts: AsyncIterable<readonly R[]>): Promise<TableFiles> {
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
