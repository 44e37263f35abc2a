import type { Queries } from '../../platform/database/tx.ts'
import { lockNumbers, type Numbers, readNumbers } from '../businesses/counters.ts'
import { type Balances, lockBalances, readBalances } from '../credits/balances.ts'

/** The rows that placing orders changes. */
export interface PlacementLocks {
  balances: Balances
  numbers: Numbers
  /** Queues what locks rows that were only read: first of all writes. Fails the transaction if they have changed since. */
  claim(tx: Queries): Promise<unknown>[]
}

interface Wanted {
  realmIds: readonly number[]
  kitTypes: readonly { realmId: number; kitType: string }[]
}

/** Locks balances first, then the realms' counters: every transaction takes these locks in this order. */
export async function lockForPlacement(tx: Queries, { realmIds, kitTypes }: Wanted): Promise<PlacementLocks> {
  // Both statements are sent at once and run in this order.
  const [balances, numbers] = await Promise.all([lockBalances(tx, kitTypes), lockNumbers(tx, realmIds)])
  return { balances, numbers, claim: () => [] }
}

/** Reads the same rows without waiting for those that change them now: `ahead`, of this process, oldest first. */
export async function readForPlacement(
  tx: Queries,
  { realmIds, kitTypes }: Wanted,
  ahead: readonly PlacementLocks[],
): Promise<PlacementLocks> {
  const [balances, numbers] = await Promise.all([
    readBalances(
      tx,
      kitTypes,
      ahead.map((locks) => locks.balances),
    ),
    readNumbers(
      tx,
      realmIds,
      ahead.map((locks) => locks.numbers),
    ),
  ])
  return { balances, numbers, claim: (tx) => [...balances.claim(tx), ...numbers.claim(tx)] }
}
