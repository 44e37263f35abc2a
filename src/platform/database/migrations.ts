import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

const DIRECTORY = new URL('../../../migrations/', import.meta.url)

export interface Migration {
  version: number
  name: string
  sql: string
  checksum: string
  /** One statement, repeated in a transaction each until it changes no more rows. */
  inBatches: boolean
}

/** The files of `migrations/`, in their order. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(DIRECTORY)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, DIRECTORY), 'utf8')
      const checksum = createHash('sha256').update(sql).digest('hex')
      return { version: Number(name.slice(0, 4)), name, sql, checksum, inBatches: sql.startsWith('-- In batches:') }
    }),
  )
}
