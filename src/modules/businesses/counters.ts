import { statement } from '../../platform/database/statement.ts'
import type { Queries } from '../../platform/database/tx.ts'

interface Counters {
  realmId: number
  orders: number
  kits: number
  transfers: number
  /** When the last order was placed; null before the first. */
  orderedAt: Date | null
}
export type Counted = 'orders' | 'kits' | 'transfers'

/** The gapless numbers of some realms, locked until the transaction ends. */
export interface Numbers {
  next(realmId: number, of: Counted): number
  /** The date of an order placed now: never before that of the order before it, whatever the clocks of two processes say. */
  orderDate(realmId: number, now: Date): Date
  /** Writes how far they were used. */
  save(tx: Queries): Promise<void>
}

const lock = statement<Counters, [number[]]>(
  'numbers_lock',
  `select realm_id as "realmId", orders, kits, transfers, ordered_at as "orderedAt" from realm_counters
   where realm_id = any($1::int[]) order by realm_id for update`,
)

const save = statement<never, [number[], number[], number[], number[], (Date | null)[]]>(
  'numbers_save',
  `update realm_counters c set orders = n.orders, kits = n.kits, transfers = n.transfers, ordered_at = n.ordered_at
   from unnest($1::int[], $2::bigint[], $3::bigint[], $4::bigint[], $5::timestamptz[])
     as n(realm_id, orders, kits, transfers, ordered_at)
   where c.realm_id = n.realm_id`,
)

/** Locks the numbers of some realms, always in the same order. Whoever needs balances locks those before. */
export async function lockNumbers(tx: Queries, realmIds: readonly number[]): Promise<Numbers> {
  const rows = await tx.rows(lock([...realmIds]))
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
    async save(tx) {
      await tx.run(
        save(
          rows.map((row) => row.realmId),
          rows.map((row) => row.orders),
          rows.map((row) => row.kits),
          rows.map((row) => row.transfers),
          rows.map((row) => row.orderedAt),
        ),
      )
    },
  }
}
