import type { SystemTx } from '../../platform/database/tx.ts'
import { insertLists, isList } from './person-queries.ts'
import * as readerQueries from './reader-queries.ts'
import type { Sealed } from './seal-queries.ts'

/** The next entries of a reader, with the position after them; undefined if there are none. */
export async function nextEntries(
  tx: SystemTx,
  position: readerQueries.ReaderPosition,
  limit: number,
  wanted?: readerQueries.Wanted,
): Promise<{ entries: readerQueries.SealedEntry[]; next: Sealed } | undefined> {
  const { reader, sealed } = position
  const entries = await readerQueries.selectSealed(tx, position, limit, wanted)
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
  name: readerQueries.ReaderName,
  { limit, wanted }: { limit: number; wanted: readerQueries.Wanted },
  work: (entries: readonly readerQueries.SealedEntry[]) => Promise<void>,
): Promise<boolean> {
  const position = await readerQueries.lockReader(tx, name)
  // Another process reads: it goes on with what is new.
  if (!position) return false
  const found = await nextEntries(tx, position, limit, wanted)
  if (!found) return false
  await work(found.entries)
  await readerQueries.moveReader(tx, name, found.next)
  return true
}

// 50 ms of the database where a tenth of them are lists of 50.
const AT_ONCE = 500

/** Writes what lists showed where it is found by the name of one object. True while more may wait. */
export const indexLists = (tx: SystemTx): Promise<boolean> =>
  readOn(tx, 'lists', { limit: AT_ONCE, wanted: isList }, async (entries) => {
    const lists = entries.filter(({ objectId, details }) => objectId === '*' && Array.isArray(details?.ids))
    if (lists.length > 0)
      await insertLists(
        tx,
        lists.map(({ id }) => id),
      )
  })
