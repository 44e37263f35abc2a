import type { Actor, Database } from '../../platform/database/tx.ts'
import { inBatches } from '../../platform/jobs/batches.ts'
import { startPacking } from '../../platform/sealing/packing-queries.ts'
import { type AnySealed, isOld, isUnpacked, sealNext, type Which } from '../../platform/sealing/seal-rows.ts'
import { valueName } from '../../platform/sealing/sealed-columns.ts'
import { modulesOf, sealedTablesOf } from '../define-module.ts'
import { lockProgress, selectUnfinished, writeProgress } from './queries.ts'
import { resealSecretsOnce, SECRETS } from './secrets.ts'

/** Every table that seals what it holds of people. */
export const sealedTablesIn = ({ context }: Database): AnySealed[] => sealedTablesOf(modulesOf(context))

// About 10 ms of the database and 2 ms of this process.
const BATCH = 100

/**
 * Seals what earlier versions wrote in clear, and packs what they sealed once every process reads that. Each batch is a
 * transaction: an interruption loses nothing.
 */
export async function sealOldRows(database: Database, actor: Actor, signal: AbortSignal): Promise<void> {
  const sealedTables = sealedTablesIn(database)
  const sealing = new Map(sealedTables.map((table) => [progressOf(table), table]))
  const withWords = sealedTables.filter(({ declaration }) => declaration.words)
  const packing = new Map(withWords.map((table) => [`pack ${valueName(table.declaration)}`, table]))
  // One transaction for all: once everything is done, that is all there is to do.
  const unfinished = await database.asSystem(actor, (tx) =>
    selectUnfinished(tx, [SECRETS, ...sealing.keys(), ...packing.keys()]),
  )
  const walk = async (tables: ReadonlyMap<string, AnySealed>, which: Which) => {
    for (const [name, table] of tables) {
      if (!unfinished.has(name)) continue
      await inBatches(signal, async () => (await sealBatch(database, actor, table, name, which)).more)
    }
  }
  if (unfinished.has(SECRETS)) await resealSecretsOnce(database, actor)
  await walk(sealing, isOld)
  const hasToPack = [...packing.keys()].some((name) => unfinished.has(name))
  if (hasToPack && (await database.asSystem(actor, startPacking))) await walk(packing, isUnpacked)
}

/** The name of the progress of sealing a table. */
export const progressOf = ({ declaration }: AnySealed): string => `seal ${valueName(declaration)}`

/** Seals one batch of a table, and notes the progress under a name. `more` is false at the end of the table. */
export function sealBatch(
  database: Database,
  actor: Actor,
  table: AnySealed,
  name: string,
  which: Which = isOld,
): Promise<{ sealed: number; more: boolean }> {
  return database.asSystem(actor, async (tx) => {
    const progress = await lockProgress(tx, name)
    if (!progress || progress.finishedAt) return { sealed: 0, more: false }
    const step = await sealNext(tx, table, progress.after, { size: table.declaration.rowsAtOnce ?? BATCH, which })
    await writeProgress(tx, name, step)
    return { sealed: step.sealed, more: step.after !== undefined }
  })
}
