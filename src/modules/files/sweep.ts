import {
  deleteFiles,
  selectDropped,
  selectKnown,
  selectSweptUntil,
  updateSweptUntil,
} from '../../platform/files/queries.ts'
import { inBatches } from '../../platform/jobs/batches.ts'
import type { Moving } from './move.ts'

// A caller that has just read the name of a file can still read the file.
const GRACE_MS = 60_000
const AT_ONCE = 100

/** Deletes the files that no row refers to any more, such as those of a person who was erased. Returns how many. */
export async function deleteDropped({ database, store, actor, signal }: Moving, graceMs = GRACE_MS): Promise<number> {
  let deleted = 0
  await inBatches(signal, async () => {
    const before = new Date(database.now().getTime() - graceMs)
    const dropped = await database.asSystem(actor, (tx) => selectDropped(tx, before, AT_ONCE))
    if (dropped.length === 0) return false
    for (const { name } of dropped) await store.delete(name)
    await database.asSystem(actor, (tx) =>
      deleteFiles(
        tx,
        dropped.map(({ name }) => name),
      ),
    )
    deleted += dropped.length
    return dropped.length === AT_ONCE
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
    const sweptUntil = await database.asSystem(actor, selectSweptUntil)
    if (sweptUntil === undefined || sweptUntil >= last || signal.aborted) return deleted
    const day = dayOf(new Date(Date.parse(sweptUntil) + DAY_MS))
    deleted += await sweepDay(moving, day)
    if (!signal.aborted) await database.asSystem(actor, (tx) => updateSweptUntil(tx, day))
  }

  async function sweepDay({ store: from }: Moving, day: string): Promise<number> {
    let count = 0
    let names: string[] = []
    const compare = async () => {
      const known = await database.asSystem(actor, (tx) => selectKnown(tx, names))
      const orphans = names.filter((name) => !known.has(name))
      for (const name of orphans) await store.delete(name)
      count += orphans.length
      names = []
    }
    for await (const { name } of from.list(`${day}/`)) {
      if (signal.aborted) return count
      names.push(name)
      if (names.length === AT_ONCE) await compare()
    }
    if (names.length > 0) await compare()
    return count
  }
}
