import type { Queries } from '../../platform/database/tx.ts'
import { selectCountersForUpdate, updateCounters } from './counters-queries.ts'

export type NumberedList = 'orders' | 'kits' | 'transfers'

/** The gapless numbers of some realms, locked until the transaction ends. */
export interface Numbers {
  next(realmId: number, of: NumberedList): number
  /** The date of an order placed now: never before the previous order, even if the clocks of two processes differ. */
  orderDate(realmId: number, now: Date): Date
  /** Writes the last numbers that were given out. */
  save(tx: Queries): Promise<void>
}

/** Locks the numbers of some realms, always in the same order. A transaction that needs balances, too, locks those first. */
export async function lockNumbers(tx: Queries, realmIds: readonly number[]): Promise<Numbers> {
  const rows = await selectCountersForUpdate(tx, realmIds)
  const counters = new Map(rows.map((row) => [row.realmId, row]))
  const counterOf = (realmId: number) => {
    const counter = counters.get(realmId)
    if (!counter) throw new Error(`no locked numbers of realm ${realmId}`)
    return counter
  }
  return {
    next(realmId, of) {
      const counter = counterOf(realmId)
      counter[of]++
      return counter[of]
    },
    orderDate(realmId, now) {
      const counter = counterOf(realmId)
      const { orderedAt } = counter
      counter.orderedAt = orderedAt !== null && orderedAt > now ? orderedAt : now
      return counter.orderedAt
    },
    save: (tx) => updateCounters(tx, rows),
  }
}
