import type { SystemTx } from '../../platform/database/tx.ts'
import { insertLists, isList } from './list-queries.ts'
import { readOn } from './reader.ts'

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
