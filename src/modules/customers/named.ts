import type { SessionScope } from '../../domain/scopes.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { selectNames } from './queries.ts'

/** Rows about customers, each with the name of the customer where the caller may read customers. */
export async function named<R extends { customerID: number }>(
  tx: Tx,
  scopes: ReadonlySet<SessionScope>,
  rows: readonly R[],
): Promise<(R & { customerName?: string })[]> {
  if (rows.length === 0 || !scopes.has('customers:read')) return [...rows]
  const names = await selectNames(tx, [...new Set(rows.map(({ customerID }) => customerID))])
  return rows.map((row) => {
    const customerName = names.get(row.customerID)
    return { ...row, ...(customerName && { customerName }) }
  })
}
