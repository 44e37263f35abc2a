import { setTimeout as delay } from 'node:timers/promises'
import { figures } from '../crash/checks.ts'
import type { Load } from '../load.ts'
import type { Figure } from '../record.ts'
import { command } from './nodes.ts'
import type { Stack } from './stack.ts'

// A delivery that was under way when a worker was stopped is tried again after its lease.
const SILENT_MS = 60_000

/** Compares what was acknowledged with the database, the gateway's books and the receiver of webhooks. */
export async function check(stack: Stack, load: Load, launcher: string): Promise<Figure[]> {
  const { acknowledged, begun } = load
  const missing = await untilArrived(stack, load)
  const exitCode = (name: string) =>
    command(stack.machines, stack.asOwner(launcher), name).then(
      () => 0,
      (err) => {
        console.log(String(err))
        return 1
      },
    )
  const ledger = await exitCode('verify-ledger')
  const audit = await exitCode('verify-audit')
  const db = await stack.connect()
  try {
    const number = async (text: string, values: unknown[] = []) => Number((await db.query(text, values)).rows[0].n)
    const expected = { jobs: [], answers: acknowledged, requests: begun, keyed: true, masterKey: stack.masterKey }
    const lost = await number(
      `select count(*) n from jsonb_to_recordset($1::jsonb) as t(key text, "orderId" text)
       where not exists (select from orders o where o.external_id = t.key and o.id = t."orderId")`,
      [JSON.stringify(acknowledged)],
    )
    const spent = await number(`select coalesce(sum(amount), 0) n from credit_transfers where to_account = 'spent'`)
    return [
      { name: 'acknowledged orders that are lost', actual: lost, expected: 0 },
      { name: 'reads without what was written before', actual: load.stale.length, expected: 0 },
      { name: 'credits spent', actual: spent, expected: acknowledged.filter(({ card }) => !card).length },
      ...(await figures(db, expected)),
      { name: 'failures of verify-ledger', actual: ledger, expected: 0 },
      { name: 'failures of verify-audit', actual: audit, expected: 0 },
      { name: 'acknowledged orders whose webhook did not arrive', actual: missing, expected: 0 },
      { name: 'webhooks that were wrong', actual: stack.receiver.breaches.length, expected: 0 },
      {
        name: 'ends of nodes that nobody asked for',
        actual: stack.nodes.reduce((sum, { crashes }) => sum + crashes.length, 0),
        expected: 0,
      },
    ]
  } finally {
    await db.end()
  }
}

/** How many acknowledged orders have no webhook when no more have arrived for a while. */
async function untilArrived({ receiver }: Stack, { acknowledged }: Load): Promise<number> {
  let [least, since] = [Number.POSITIVE_INFINITY, performance.now()]
  for (; ; await delay(250)) {
    const delivered = new Set(
      [...receiver.accepted.values()].flatMap(({ type, data }) => (type === 'order.created' ? data.orderID : [])),
    )
    const missing = acknowledged.filter(({ orderId }) => !delivered.has(orderId)).length
    if (missing < least) [least, since] = [missing, performance.now()]
    if (missing === 0 || performance.now() - since > SILENT_MS) return missing
  }
}
