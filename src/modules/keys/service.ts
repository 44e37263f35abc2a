import { setTimeout as delay } from 'node:timers/promises'
import type { FileStore } from '../../domain/file-store.ts'
import type { Actor, Database } from '../../platform/database/tx.ts'
import { inBatches } from '../../platform/jobs/batches.ts'
import { startPacking } from '../../platform/sealing/packing.ts'
import * as sealRows from '../../platform/sealing/seal-rows.ts'
import { valueName } from '../../platform/sealing/sealed-columns.ts'
import { modulesOf, sealedTablesOf } from '../define-module.ts'
import { filesStatus, moveFiles } from '../files/move.ts'
import * as queries from './queries.ts'
import { resealSecretsOnce, SECRETS } from './secrets.ts'

/** Every table that seals what it holds of people. */
export const sealedTablesIn = ({ context }: Database): sealRows.AnySealed[] => sealedTablesOf(modulesOf(context))

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
    queries.selectUnfinished(tx, [SECRETS, ...sealing.keys(), ...packing.keys()]),
  )
  const walk = async (tables: ReadonlyMap<string, sealRows.AnySealed>, which: sealRows.Which) => {
    for (const [name, table] of tables) {
      if (!unfinished.has(name)) continue
      await inBatches(signal, async () => (await sealBatch(database, actor, table, name, which)).more)
    }
  }
  if (unfinished.has(SECRETS)) await resealSecretsOnce(database, actor)
  await walk(sealing, sealRows.isOld)
  const hasToPack = [...packing.keys()].some((name) => unfinished.has(name))
  if (hasToPack && (await database.asSystem(actor, startPacking))) await walk(packing, sealRows.isUnpacked)
}

/** The name of the progress of sealing a table. */
export const progressOf = ({ declaration }: sealRows.AnySealed): string => `seal ${valueName(declaration)}`

/** Seals one batch of a table, and notes the progress under a name. `more` is false at the end of the table. */
export function sealBatch(
  database: Database,
  actor: Actor,
  table: sealRows.AnySealed,
  name: string,
  which: sealRows.Which = sealRows.isOld,
): Promise<{ sealed: number; more: boolean }> {
  return database.asSystem(actor, async (tx) => {
    const progress = await queries.lockProgress(tx, name)
    if (!progress || progress.finishedAt) return { sealed: 0, more: false }
    const step = await sealRows.sealNext(tx, table, progress.after, {
      size: table.declaration.rowsAtOnce ?? BATCH,
      which,
    })
    await queries.writeProgress(tx, name, step)
    return { sealed: step.sealed, more: step.after !== undefined }
  })
}

interface TableCount {
  table: string
  /** Rows whose value is sealed. */
  sealed: number
  /** Of all rows: in clear, or sealed with a key that was replaced. */
  old: number
}

// Reads whole tables.
const COUNT_MS = 600_000

async function countTables(database: Database, actor: Actor): Promise<TableCount[]> {
  const rows = await countRows(database, actor)
  return [...rows, ...(await countSealedFiles(database, actor))]
}

function countRows(database: Database, actor: Actor): Promise<TableCount[]> {
  return database.asSystem(actor, async (tx) => {
    await tx.allowMs(COUNT_MS)
    const counts: TableCount[] = []
    for (const table of sealedTablesIn(database)) {
      counts.push({ table: valueName(table.declaration), ...(await sealRows.countSealed(tx, table)) })
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
    masters: await queries.selectMasters(tx),
    rotation: await queries.selectRotation(tx),
  }))
  return { masters, rotatingSince: rotation?.startedAt, tables: await countTables(database, actor) }
}

// Every process knows a key after ten seconds, and the longest transaction ends within twenty more.
const KNOWN_AFTER_MS = 30_000
const REALMS_AT_ONCE = 100

interface RotationOptions {
  /** Where files are: they are sealed again as well. */
  store: FileStore
  /** How long processes have to learn of the new keys. Default 30 s. */
  knownAfterMs?: number
  signal?: AbortSignal
  say?(line: string): void
}

interface Rotated {
  /** Values that were sealed again. */
  sealed: number
  /** Keys that were destroyed. */
  destroyed: number
}

/**
 * Replaces the data keys of all realms, while everything runs: makes new ones, seals every value again, and destroys the old
 * keys once no value needs them. Interrupted, it goes on where it was when it is called again.
 */
export async function rotateDataKeys(database: Database, actor: Actor, options: RotationOptions): Promise<Rotated> {
  const { knownAfterMs = KNOWN_AFTER_MS, signal = new AbortController().signal, say = () => {}, store } = options
  const rotation = await database.asSystem(actor, queries.startRotation)
  const usedFrom = rotation.usedFrom ?? (await makeKeys(database, actor, rotation, knownAfterMs))
  const waitMs = usedFrom.getTime() + knownAfterMs - (await timeOf(database, actor)).getTime()
  if (waitMs > 0) say(`The new keys are made. All processes know them in ${Math.ceil(waitMs / 1000)} s.`)
  await delay(Math.max(0, waitMs), undefined, { signal })
  await database.asSystem(actor, async (tx) => tx.vault.forget())
  let sealed = 0
  for (let pass = 1; ; pass++) {
    for (const table of sealedTablesIn(database)) {
      const name = valueName(table.declaration)
      await inBatches(signal, async () => {
        const step = await sealBatch(database, actor, table, `rotation ${rotation.id} pass ${pass} ${name}`)
        sealed += step.sealed
        return step.more
      })
      signal.throwIfAborted()
      say(`${name}: done, ${sealed} values in all`)
    }
    sealed += await moveFiles({ database, store, actor, signal }, 'under old keys')
    signal.throwIfAborted()
    const old = (await countTables(database, actor)).reduce((sum, table) => sum + table.old, 0)
    if (old === 0) break
    say(`${old} values were sealed meanwhile with the old keys, or are locked. Once more.`)
  }
  const destroyed = await database.asSystem(actor, (tx) => queries.finishRotation(tx, rotation))
  return { sealed, destroyed }
}

async function makeKeys(
  database: Database,
  actor: Actor,
  rotation: queries.Rotation,
  knownAfterMs: number,
): Promise<Date> {
  for (;;) {
    const { realms, vault, now } = await database.asSystem(actor, async (tx) => ({
      realms: await queries.selectRealmsToRenew(tx, rotation, REALMS_AT_ONCE),
      vault: tx.vault,
      now: tx.now,
    }))
    // Outside of the transaction: a key management service wraps each key.
    if (realms.length > 0) await vault.renew(realms, new Date(now.getTime() + knownAfterMs))
    else return database.asSystem(actor, (tx) => queries.writeUsedFrom(tx, rotation))
  }
}

const timeOf = (database: Database, actor: Actor) => database.asSystem(actor, async (tx) => tx.now)
