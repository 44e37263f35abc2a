import type { Actor, Database } from '../../platform/database/tx.ts'
import { countSealed } from '../../platform/sealing/seal-rows.ts'
import { valueName } from '../../platform/sealing/sealed-columns.ts'
import { filesStatus } from '../files/move.ts'
import { selectMasters, selectRotation } from './queries.ts'
import { sealedTablesIn } from './service.ts'

export interface TableCount {
  table: string
  /** Rows whose value is sealed. */
  sealed: number
  /** Of all rows: in clear, or sealed with a key that was replaced. */
  old: number
}

// Reads whole tables.
const COUNT_MS = 600_000

export async function countTables(database: Database, actor: Actor): Promise<TableCount[]> {
  const rows = await countRows(database, actor)
  return [...rows, ...(await countSealedFiles(database, actor))]
}

function countRows(database: Database, actor: Actor): Promise<TableCount[]> {
  return database.asSystem(actor, async (tx) => {
    await tx.allowMs(COUNT_MS)
    const counts: TableCount[] = []
    for (const table of sealedTablesIn(database)) {
      counts.push({ table: valueName(table.declaration), ...(await countSealed(tx, table)) })
    }
    return counts
  })
}

/** Files in the store, by the table that refers to them. */
async function countSealedFiles(database: Database, actor: Actor): Promise<TableCount[]> {
  const counts = await filesStatus(database, actor)
  return counts.map(({ table, files, old }) => ({ table: `${table}.file`, sealed: files, old }))
}

export interface KeysStatus {
  masters: { master: string; keys: number; realms: number }[]
  /** When the rotation under way began. */
  rotatingSince: Date | undefined
  tables: TableCount[]
}

/** Which master keys wrap how many keys, and how many rows are sealed. */
export async function keysStatus(database: Database, actor: Actor): Promise<KeysStatus> {
  const { masters, rotation } = await database.asSystem(actor, async (tx) => ({
    masters: await selectMasters(tx),
    rotation: await selectRotation(tx),
  }))
  return { masters, rotatingSince: rotation?.startedAt, tables: await countTables(database, actor) }
}
