import type { SystemTx } from '../../platform/database/tx.ts'
import {
  lockReader,
  moveReader,
  type ReaderName,
  type ReaderPosition,
  type SealedEntry,
  selectSealed,
  type Wanted,
} from './reader-queries.ts'
import type { Sealed } from './seal-queries.ts'

/** The next entries of a reader, with the position after them; undefined if there are none. */
export async function nextEntries(
  tx: SystemTx,
  position: ReaderPosition,
  limit: number,
  wanted?: Wanted,
): Promise<{ entries: SealedEntry[]; next: Sealed } | undefined> {
  const { reader, sealed } = position
  const entries = await selectSealed(tx, position, limit, wanted)
  const last = entries.at(-1)
  if (last) return { entries, next: { xact: last.xact, id: last.id, floor: reader.floor } }
  if (reader.floor >= sealed.floor) return undefined
  // All from before the restore is read: the count of transactions begins again.
  return { entries: [], next: { xact: 0, id: 0, floor: sealed.floor } }
}

/**
 * Reads the next sealed entries in the order of sealing, and moves on, in one transaction with what `work` does: each
 * entry is worked on exactly once. `wanted`, a condition on an entry `e`, keeps most of the others in the database. True
 * while more may wait.
 */
export async function readOn(
  tx: SystemTx,
  name: ReaderName,
  { limit, wanted }: { limit: number; wanted: Wanted },
  work: (entries: readonly SealedEntry[]) => Promise<void>,
): Promise<boolean> {
  const position = await lockReader(tx, name)
  // Another process reads: it goes on with what is new.
  if (!position) return false
  const found = await nextEntries(tx, position, limit, wanted)
  if (!found) return false
  await work(found.entries)
  await moveReader(tx, name, found.next)
  return true
}
