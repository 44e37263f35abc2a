import type { SystemTx, Tx } from '../../../platform/database/tx.ts'
import { selectFigures, selectFiguresOfAll } from './figures-queries.ts'

const DAY_MS = 24 * 3_600_000

/** Days, UTC, both included. */
interface Days {
  from?: string | undefined
  to?: string | undefined
}

function periodOf(now: Date, { from, to = now.toISOString().slice(0, 10) }: Days) {
  const first = from ?? new Date(Date.parse(to) - 29 * DAY_MS).toISOString().slice(0, 10)
  return { from: first, to, after: new Date(first), before: new Date(Date.parse(to) + DAY_MS) }
}

/** How long critical results that were raised in these days waited. */
export async function criticalFigures(tx: Tx, days: Days) {
  const { from, to, ...period } = periodOf(tx.now, days)
  return { from, to, ...(await selectFigures(tx, period)) }
}

/** The same for each business that had any, live. */
export async function criticalFiguresOfAll(tx: SystemTx, days: Days) {
  const { from, to, ...period } = periodOf(tx.now, days)
  return { from, to, businesses: await selectFiguresOfAll(tx, period) }
}
