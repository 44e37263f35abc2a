import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Client } from 'pg'
import { attachEmbedded } from '../../src/platform/database/embedded/cluster.ts'

/** Something that a stranger could get hold of. */
export interface Place {
  name: string
  /** Where the bytes are from: a table, a file. */
  parts(): readonly [from: string, bytes: Buffer][]
}

/** What a dump holds: every row of every table as text, columns of bytes decoded too. And the table of each file. */
export async function dumpOf(dataDir: string): Promise<{ dump: Place; tables: Map<string, string> }> {
  const urls = await attachEmbedded(dataDir)
  if (!urls) throw new Error('the embedded PostgreSQL does not run')
  const url = new URL(urls.superUrl)
  url.pathname = '/kitlane'
  const db = new Client({ connectionString: url.href })
  await db.connect()
  try {
    // Statistics hold the most frequent values of each column.
    await db.query('analyze')
    const { rows: tables } = await db.query<{ name: string; bytes: string[] }>(`
      select c.oid::regclass::text as name,
        coalesce(array_agg(quote_ident(a.attname)) filter (where a.atttypid = 'bytea'::regtype), '{}') as bytes
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relkind = 'r' and c.relnamespace <> 'information_schema'::regnamespace group by c.oid`)
    const parts: [string, Buffer][] = []
    for (const { name, bytes } of tables) {
      const { rows } = await db.query<unknown[]>({
        text: `select ${['t::text', ...bytes.map((column) => `t.${column}`)].join(', ')} from ${name} t`,
        rowMode: 'array',
      })
      for (const row of rows) for (const value of row) if (value !== null) parts.push([name, bufferOf(value)])
    }
    const { rows: paths } = await db.query<{ path: string; name: string }>(
      'select pg_relation_filepath(oid) as path, oid::regclass::text as name from pg_class where relfilenode <> 0',
    )
    return {
      dump: { name: 'a dump of the database', parts: () => parts },
      tables: new Map(paths.map(({ path, name }) => [path, name])),
    }
  } finally {
    await db.end()
  }
}

const bufferOf = (value: unknown): Buffer => (Buffer.isBuffer(value) ? value : Buffer.from(String(value)))

/** Every file below the data folder as it lies on the disk: tables, indexes, the write-ahead log, PostgreSQL's log. */
export function filesOf(folder: string, tables: ReadonlyMap<string, string>): Place {
  const parts: [string, Buffer][] = []
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const path = relative(folder, join(entry.parentPath, entry.name))
    const table = tables.get(path.replace(/^postgres\//, ''))
    parts.push([
      table ? `${path} (${table})` : path,
      Buffer.concat([Buffer.from(`${path}\n`), readFileSync(join(folder, path))]),
    ])
  }
  return { name: 'the files of the data folder', parts: () => parts }
}

export const textOf = (name: string, texts: Record<string, string>): Place => ({
  name,
  parts: () => Object.entries(texts).map(([from, text]) => [from, Buffer.from(text)]),
})
