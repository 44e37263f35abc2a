import { setTimeout as delay } from 'node:timers/promises'
import type { Actor, Database, SystemTx } from '../../platform/database/tx.ts'
import { insertSeals, lockSealing, restartSealing } from './seal-queries.ts'

// 40 ms of the database. More would hold back the feed of events for longer; fewer would make a seal of one entry.
const AT_ONCE = 5_000

/**
 * Seals the next entries, in the order of the transactions, and leaves what an older one that still runs could come before.
 * One seal for each realm with something new: the SHA-256 of its last seal and of the entries. True when more wait.
 */
export const sealEntries = async (tx: SystemTx): Promise<boolean> => (await sealNext(tx)) === 'more'

// What another process seals: 5,000 entries take 40 ms.
const WAIT_MS = 5000

/** Seals all that can be sealed now. What another process is sealing is waited for, so that it is not missed; 5 s at most. */
export async function sealAll(database: Database, actor: Actor): Promise<void> {
  for (let waited = 0; waited < WAIT_MS; ) {
    const left = await database.asSystem(actor, sealNext)
    if (left === 'none') return
    if (left === 'more') continue
    waited += 50
    await delay(50)
  }
}

async function sealNext(tx: SystemTx): Promise<'more' | 'none' | 'busy'> {
  // The lock keeps two processes from sealing the same entry.
  const last = await lockSealing(tx)
  if (!last) return 'busy'
  if (!last.restored) return isFull(await insertSeals(tx, last, 'settled', AT_ONCE)) ? 'more' : 'none'
  // Restored into a cluster with lower transaction numbers: the entries of before are sealed first, then the count restarts.
  const sealed = await insertSeals(tx, last, 'restored', AT_ONCE)
  if (sealed === 0) await restartSealing(tx)
  return 'more'
}

// A share ends with a transaction, so that it may have some entries fewer.
const isFull = (sealed: number) => sealed > AT_ONCE / 2
