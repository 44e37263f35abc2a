import type { Queries, Realm } from '../../platform/database/tx.ts'
import type { Numbers } from '../businesses/counters.ts'
import type { Balances } from './balances.ts'
import type { LowBalance } from './low-credits.ts'
import { type Balance, insertTransfers, type NewTransferRow, updateBalances, type WantedTopUp } from './queries.ts'
import { type TransferKind, transferEffects } from './rules.ts'

export interface Transfer {
  realm: Realm
  actor: string
  kind: TransferKind
  kitType: string
  /** Credits, > 0. */
  amount: number
  orderId?: string
  /** The bulk job that the credits are reserved for. */
  jobId?: string
  /** The payment that bought the credits. */
  paymentId?: string
  note?: string
}

export interface Booking {
  /** The balances that fell below their threshold now. */
  low: LowBalance[]
  /** The balances that fell below what tops them up. */
  topUps: WantedTopUp[]
  /** Queues the statements that write the booking. */
  write(tx: Queries): Promise<unknown>[]
}

/**
 * Books transfers, in their order, on balances that this transaction has locked. Callers check first that the credits
 * suffice; the database refuses a negative balance.
 */
export function bookTransfers(balances: Balances, numbers: Numbers, transfers: readonly Transfer[]): Booking {
  const touched = new Map<Balance, Realm>()
  const low: LowBalance[] = []
  const topUps: WantedTopUp[] = []
  const rows = transfers.map(
    ({ realm, actor, kind, kitType, amount, orderId, jobId, paymentId, note }): NewTransferRow => {
      const balance = balances.find(realm.id, kitType)
      if (!balance) throw new Error(`no locked balance of ${kitType}`)
      touched.set(balance, realm)
      const before = balance.available
      const { from, to, available, reserved } = transferEffects[kind]
      balance.available += available * amount
      balance.reserved += reserved * amount
      const { available: after, threshold, topUpBelow } = balance
      if (topUpBelow !== null && after < topUpBelow && before >= topUpBelow) topUps.push({ realm, kitType })
      if (threshold !== null && after < threshold && before >= threshold) {
        low.push({ realm, kitType, available: after, threshold })
      }
      const seq = numbers.next(realm.id, 'transfers')
      return {
        realmId: realm.id,
        seq,
        kind,
        kitType,
        from,
        to,
        amount,
        after: balance.available,
        orderId,
        jobId,
        paymentId,
        note,
        actor,
      }
    },
  )
  const changed = [...touched]
  return {
    low,
    topUps,
    write(tx) {
      if (rows.length === 0) return []
      const updated = changed.map(([balance, realm]) => ({ ...balance, realmId: realm.id }))
      return [updateBalances(tx, updated), insertTransfers(tx, rows)]
    },
  }
}
