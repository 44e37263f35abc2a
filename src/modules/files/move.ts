import type { FileStore } from '../../domain/file-store.ts'
import type { Actor, Database } from '../../platform/database/tx.ts'
import { realmFiles } from '../../platform/files/sealed-files.ts'
import { inBatches } from '../../platform/jobs/batches.ts'
import type { SealedBytes } from '../../platform/sealing/sealed-bytes.ts'
import { fileTablesOf, modulesOf } from '../define-module.ts'
import { countFiles, type RowOfFile, selectToMove, updateFile } from './queries.ts'

// Up to 25 MB each.
const AT_ONCE = 4

export interface Moving {
  database: Database
  store: FileStore
  actor: Actor
  signal: AbortSignal
}

/**
 * Writes to the store what rows still hold themselves (`in rows`), or seals files again whose key was replaced. Each file is
 * readable throughout; an interruption leaves at most files without a row. Returns how many were moved.
 */
export async function moveFiles(moving: Moving, which: 'in rows' | 'under old keys'): Promise<number> {
  const { database, actor, signal } = moving
  let moved = 0
  for (const table of fileTablesOf(modulesOf(database.context))) {
    await inBatches(signal, async () => {
      const rows = await database.asSystem(actor, (tx) => selectToMove(tx, table, which, AT_ONCE))
      for (const row of rows) if (await moveFile(moving, table, row)) moved += 1
      return rows.length === AT_ONCE
    })
  }
  return moved
}

async function moveFile({ database, store, actor }: Moving, table: SealedBytes, row: RowOfFile): Promise<boolean> {
  const { realmId, key, content } = row
  const files = realmFiles(store, { vault: database.vault, realmId, now: () => database.now() })
  const file = await files.keep(table, key, await files.contentOf(table, key, content))
  return database
    .asSystem(actor, async (tx) => {
      if (await updateFile(tx, table, row, file)) return true
      // Its row is gone or has another file: the sweep deletes this one.
      throw new Unchanged()
    })
    .catch((err: unknown) => {
      if (err instanceof Unchanged) return false
      throw err
    })
}

/** Undoes the transaction. */
class Unchanged extends Error {}

export interface FilesStatus {
  table: string
  files: number
  /** Bytes that are in the database still. */
  inRows: number
  /** Sealed with a key that was replaced. */
  old: number
}

// Reads whole tables.
const COUNT_MS = 600_000

export const filesStatus = (database: Database, actor: Actor): Promise<FilesStatus[]> =>
  database.asSystem(actor, async (tx) => {
    await tx.allowMs(COUNT_MS)
    const counts: FilesStatus[] = []
    for (const table of fileTablesOf(modulesOf(database.context)))
      counts.push({ table: table.declaration.table, ...(await countFiles(tx, table)) })
    return counts
  })
