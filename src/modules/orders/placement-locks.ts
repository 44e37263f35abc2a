import type { Queries } from '../../platform/database/tx.ts'
import { lockNumbers, type Numbers } from '../businesses/counters.ts'
import { type Balances, lockBalances } from '../credits/balances.ts'

/** The rows that placing orders changes, locked until the transaction ends. */
export interface PlacementLocks {
  balances: Balances
  numbers: Numbers
}

/** Locks balances first, then the realms' counters: every transaction takes these locks in this order. */
export async function lockForPlacement(
  tx: Queries,
  realmIds: readonly number[],
  kitTypes: readonly { realmId: number; kitType: string }[],
): Promise<PlacementLocks> {
  // Both statements are sent at once and run in this order.
  const [balances, numbers] = await Promise.all([lockBalances(tx, kitTypes), lockNumbers(tx, realmIds)])
  return { balances, numbers }
}
