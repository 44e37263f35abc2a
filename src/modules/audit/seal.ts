import type { SystemTx } from '../../platform/database/tx.ts'
import { insertSeals, lockSealing, restartSealing } from './seal-queries.ts'

// 40 ms of the database. More would hold back the feed of events for longer; fewer would make a seal of one entry.
const AT_ONCE = 5_000

/**
 * Seals the next entries, in the order of the transactions, and leaves what an older one that still runs could come before.
 * One seal for each realm with something new: the SHA-256 of its last seal and of the entries. True when more wait.
 */
export async function sealEntries(tx: SystemTx): Promise<boolean> {
  // The lock keeps two processes from sealing the same entry; the second one skips, and does not wait.
  const last = await lockSealing(tx)
  if (!last) return false
  if (!last.restored) return isFull(await insertSeals(tx, last, 'settled', AT_ONCE))
  // Restored into a cluster with lower transaction numbers: the entries of before are sealed first, then the count restarts.
  const sealed = await insertSeals(tx, last, 'restored', AT_ONCE)
  if (sealed === 0) await restartSealing(tx)
  return true
}

// A share ends with a transaction, so that it may have some entries fewer.
const isFull = (sealed: number) => sealed > AT_ONCE / 2
