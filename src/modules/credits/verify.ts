import type { SystemTx } from '../../platform/database/tx.ts'
import { checkBalances, checkOrders, type LedgerCheck, type OrderMismatch } from './queries.ts'

export interface Verification {
  ok: boolean
  balances: LedgerCheck[]
  orders: OrderMismatch[]
}

// The whole ledger takes longer to read than a request may.
const WHOLE_LEDGER_MS = 10 * 60_000

/** Proves that no credit was lost or made: balances equal their entries, and orders cost what they should. */
export async function verify(tx: SystemTx): Promise<Verification> {
  await tx.allowMs(WHOLE_LEDGER_MS)
  const balances = await checkBalances(tx)
  const orders = await checkOrders(tx)
  return { ok: orders.length === 0 && balances.every((balance) => balance.ok), balances, orders }
}
