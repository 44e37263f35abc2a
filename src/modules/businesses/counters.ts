import type { Queries } from '../../platform/database/tx.ts'
import * as countersQueries from './counters-queries.ts'

export type NumberedList = 'orders' | 'kits' | 'transfers'

/** The gapless numbers of some realms, which nobody else gives out until the transaction ends. */
export interface Numbers {
  next(realmId: number, of: NumberedList): number
  /** The date of an order placed now: never before the previous order, even if the clocks of two processes differ. */
  orderDate(realmId: number, now: Date): Date
  /** The last numbers given out; undefined where the realm is none of these. */
  last(realmId: number): countersQueries.Counters | undefined
  /** Queues what locks numbers that were only read, and fails the transaction if they are not what was read. */
  claim(tx: Queries): Promise<unknown>[]
  /** Writes the last numbers that were given out. */
  save(tx: Queries): Promise<void>
}

/** Locks the numbers of some realms, always in the same order. A transaction that needs balances, too, locks those first. */
export async function lockNumbers(tx: Queries, realmIds: readonly number[]): Promise<Numbers> {
  return numbersOf(await countersQueries.selectCountersForUpdate(tx, realmIds), () => [])
}

/** Reads numbers, to be claimed before anything is written. Those that transactions under way change are as these leave them. */
export async function readNumbers(
  tx: Queries,
  realmIds: readonly number[],
  ahead: readonly Numbers[],
): Promise<Numbers> {
  const newest = ahead.toReversed()
  const left = realmIds.flatMap((realmId) => {
    const counters = newest.map((numbers) => numbers.last(realmId)).find((found) => found !== undefined)
    return counters ? [{ ...counters }] : []
  })
  const known = new Set(left.map(({ realmId }) => realmId))
  const rest = realmIds.filter((id) => !known.has(id))
  const rows = [...left, ...(rest.length > 0 ? await countersQueries.selectCounters(tx, rest) : [])]
  const expected = rows.map((row) => ({ ...row }))
  return numbersOf(rows, (tx) => (expected.length > 0 ? [countersQueries.claimCounters(tx, expected)] : []))
}

function numbersOf(rows: readonly countersQueries.Counters[], claim: Numbers['claim']): Numbers {
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
    last: (realmId) => counters.get(realmId),
    claim,
    save: (tx) => countersQueries.updateCounters(tx, rows),
  }
}
