import { setTimeout as delay } from 'node:timers/promises'
import type { FileStore } from '../../domain/file-store.ts'
import type { Actor, Database } from '../../platform/database/tx.ts'
import { inBatches } from '../../platform/jobs/batches.ts'
import { valueName } from '../../platform/sealing/sealed-columns.ts'
import { moveFiles } from '../files/move.ts'
import { finishRotation, type Rotation, selectRealmsToRenew, startRotation, writeUsedFrom } from './queries.ts'
import { sealBatch, sealedTablesIn } from './service.ts'
import { countTables } from './status.ts'

// Every process knows a key after ten seconds, and the longest transaction ends within twenty more.
const KNOWN_AFTER_MS = 30_000
const REALMS_AT_ONCE = 100

export interface RotationOptions {
  /** Where files are: they are sealed again as well. */
  store: FileStore
  /** How long processes have to learn of the new keys. Default 30 s. */
  knownAfterMs?: number
  signal?: AbortSignal
  say?(line: string): void
}

export interface Rotated {
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
  const rotation = await database.asSystem(actor, startRotation)
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
  const destroyed = await database.asSystem(actor, (tx) => finishRotation(tx, rotation))
  return { sealed, destroyed }
}

async function makeKeys(database: Database, actor: Actor, rotation: Rotation, knownAfterMs: number): Promise<Date> {
  for (;;) {
    const { realms, vault, now } = await database.asSystem(actor, async (tx) => ({
      realms: await selectRealmsToRenew(tx, rotation, REALMS_AT_ONCE),
      vault: tx.vault,
      now: tx.now,
    }))
    // Outside of the transaction: a key management service wraps each key.
    if (realms.length > 0) await vault.renew(realms, new Date(now.getTime() + knownAfterMs))
    else return database.asSystem(actor, (tx) => writeUsedFrom(tx, rotation))
  }
}

const timeOf = (database: Database, actor: Actor) => database.asSystem(actor, async (tx) => tx.now)
