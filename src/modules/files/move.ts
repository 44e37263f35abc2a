import type { FileStore } from '../../domain/file-store.ts'
import type { Actor, Database } from '../../platform/database/tx.ts'
import * as queries from '../../platform/files/queries.ts'
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

interface FilesStatus {
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

// A caller that has just read the name of a file can still read the file.
const GRACE_MS = 60_000
const DELETED_AT_ONCE = 100

/** Deletes the files that no row refers to any more, such as those of a person who was erased. Returns how many. */
export async function deleteDropped({ database, store, actor, signal }: Moving, graceMs = GRACE_MS): Promise<number> {
  let deleted = 0
  await inBatches(signal, async () => {
    const before = new Date(database.now().getTime() - graceMs)
    const dropped = await database.asSystem(actor, (tx) => queries.selectDropped(tx, before, DELETED_AT_ONCE))
    if (dropped.length === 0) return false
    for (const { name } of dropped) await store.delete(name)
    await database.asSystem(actor, (tx) =>
      queries.deleteFiles(
        tx,
        dropped.map(({ name }) => name),
      ),
    )
    deleted += dropped.length
    return dropped.length === DELETED_AT_ONCE
  })
  return deleted
}

const DAY_MS = 24 * 3600 * 1000
const dayOf = (time: Date) => time.toISOString().slice(0, 10)

/**
 * Deletes files that were written and never got a row, since the process died in between: those of days that ended a day ago
 * or earlier and were not looked through yet. Returns how many.
 */
export async function sweepOrphans(moving: Moving): Promise<number> {
  const { database, store, actor, signal } = moving
  const last = dayOf(new Date(database.now().getTime() - 2 * DAY_MS))
  let deleted = 0
  for (;;) {
    const sweptUntil = await database.asSystem(actor, queries.selectSweptUntil)
    if (sweptUntil === undefined || sweptUntil >= last || signal.aborted) return deleted
    const day = dayOf(new Date(Date.parse(sweptUntil) + DAY_MS))
    deleted += await sweepDay(moving, day)
    if (!signal.aborted) await database.asSystem(actor, (tx) => queries.updateSweptUntil(tx, day))
  }

  async function sweepDay({ store: from }: Moving, day: string): Promise<number> {
    let count = 0
    let names: string[] = []
    const compare = async () => {
      const known = await database.asSystem(actor, (tx) => queries.selectKnown(tx, names))
      const orphans = names.filter((name) => !known.has(name))
      for (const name of orphans) await store.delete(name)
      count += orphans.length
      names = []
    }
    for await (const { name } of from.list(`${day}/`)) {
      if (signal.aborted) return count
      names.push(name)
      if (names.length === DELETED_AT_ONCE) await compare()
    }
    if (names.length > 0) await compare()
    return count
  }
}
