import type { SystemTx } from '../../platform/database/tx.ts'
import {
  type BrokenSeal,
  countSealed,
  insertSeals,
  lockSealing,
  restartSealing,
  selectBrokenSeal,
} from './seal-queries.ts'

// One run's share: the text of so many entries is some megabytes.
const AT_ONCE = 10_000

/**
 * Seals what was written since the last time, in the order of the transactions, and leaves what an older one that still
 * runs could come before. One seal for each realm with something new: the SHA-256 of its last seal and of the entries.
 * Returns how many entries were sealed.
 */
export async function sealEntries(tx: SystemTx): Promise<number> {
  // The lock keeps two processes from sealing the same entry; the second one skips, and does not wait.
  const last = await lockSealing(tx)
  if (!last) return 0
  // Restored into a cluster with lower transaction numbers: the entries of before are sealed first, then the count restarts.
  const left = last.restored ? await sealAll(tx, 'all') : 0
  if (last.restored) await restartSealing(tx)
  return left + (await sealAll(tx, 'settled'))
}

async function sealAll(tx: SystemTx, which: 'all' | 'settled'): Promise<number> {
  let sealed = 0
  for (;;) {
    const share = await insertSeals(tx, which, AT_ONCE)
    sealed += share
    if (share < AT_ONCE) return sealed
  }
}

export interface Verification {
  entries: number
  sealed: number
  /** Everything that is sealed is as it was, and something is: where nothing was checked nothing is known. */
  intact: boolean
  /** The first thing found wrong, as a sentence. */
  brokenAt?: string
}

const words: Record<BrokenSeal['what'], string> = {
  changed: 'an entry of this seal, or the seal itself, was changed',
  missing: 'an entry of this seal was removed',
  gap: 'the seal before this one was removed',
  end: 'the seals at the end were removed',
  outside: 'an entry was put in among those that were sealed',
}

/**
 * Computes every seal again from the entries as they are. A changed byte, a removed entry, a removed seal and an entry that
 * was put in later are found; only the newest entries, which wait for the next seal, are not covered yet.
 */
export async function verifyAudit(tx: SystemTx): Promise<Verification> {
  // Years of entries take longer than any other statement may.
  await tx.allowMs(15 * 60_000)
  const { entries, sealed } = await countSealed(tx)
  const broken = await selectBrokenSeal(tx)
  if (!broken) return { entries, sealed, intact: sealed > 0 }
  const where = broken.chain === 0 ? 'entries of no business' : `realm ${broken.chain}`
  return { entries, sealed, intact: false, brokenAt: `${where}, seal ${broken.number}: ${words[broken.what]}` }
}
