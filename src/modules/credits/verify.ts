import type { SystemTx } from '../../platform/database/tx.ts'
import {
  type BalanceCheck,
  deleteLedgerChecks,
  insertLedgerCheck,
  type OrderMismatch,
  selectBalanceChecks,
  selectOrderMismatches,
} from './check-queries.ts'

export interface LedgerVerification {
  ok: boolean
  balances: BalanceCheck[]
  orders: OrderMismatch[]
}

// The whole ledger takes longer to read than a request may.
const WHOLE_LEDGER_MS = 10 * 60_000
const CHECKS_KEPT_MS = 90 * 24 * 3600 * 1000

/** Proves that no credit was lost or made: balances equal their entries, and orders cost what they should. */
export async function verifyLedger(tx: SystemTx): Promise<LedgerVerification> {
  await tx.allowMs(WHOLE_LEDGER_MS)
  const balances = await selectBalanceChecks(tx)
  const orders = await selectOrderMismatches(tx)
  return { ok: orders.length === 0 && balances.every((balance) => balance.ok), balances, orders }
}

/** Verifies the ledger and keeps the result for 90 days. Returns whether it is right. */
export async function checkLedger(tx: SystemTx): Promise<boolean> {
  const { ok } = await verifyLedger(tx)
  await insertLedgerCheck(tx, ok)
  await deleteLedgerChecks(tx, new Date(tx.now.getTime() - CHECKS_KEPT_MS))
  return ok
}
