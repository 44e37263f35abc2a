import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Stack } from './stack.ts'

const SETTLED_MS = 120_000
const PAUSE_MS = 2000
// The schedule of retries is minutes and hours long, and so is the claim of a process that died.
const HURRY = [
  `update webhook_deliveries set due_at = now() where status = 'pending' and due_at > now() and lease is null`,
  `update emails set claimed_at = claimed_at - interval '10 minutes' where status = 'queued' and claimed_at < now() - interval '10 seconds'`,
  `update pgboss.job set start_after = now(), retry_count = least(retry_count, 3) where state = 'retry' and start_after > now()`,
]
const LEFT = {
  'webhooks to deliver': `select count(*) n from webhook_deliveries where status = 'pending'`,
  'e-mails to send': `select count(*) n from emails where status = 'queued'`,
  'payments under way': `select count(*) n from payments where state in ('requested', 'authorised')`,
  'refunds under way': `select count(*) n from refunds where state = 'requested'`,
  'orders to laboratories under way': `select count(*) n from lab_orders o where o.pending is not null
    or o.due_at is not null and exists (
      select from lab_order_messages m where m.realm_id = o.realm_id and m.kit_id = o.kit_id and m.outcome is null)`,
  'credits reserved': 'select coalesce(sum(reserved), 0) n from credit_balances',
}

/** Waits until nothing is left to do. Returns what is left after two minutes. */
export async function settle(stack: Stack): Promise<string[]> {
  const db = await stack.connect()
  try {
    // A trigger refuses claims of processes that cannot read sealed e-mails.
    await db.query('set session_replication_role = replica')
    for (const deadline = performance.now() + SETTLED_MS; ; await delay(PAUSE_MS)) {
      for (const text of HURRY) await db.query(text)
      const left = await leftIn(db)
      if (stack.laboratory.late.length > 0) left.push(`late answers: ${stack.laboratory.late.length}`)
      if (left.length === 0 || performance.now() > deadline) return left
    }
  } finally {
    await db.end()
  }
}

async function leftIn(db: Client): Promise<string[]> {
  const left: string[] = []
  for (const [what, text] of Object.entries(LEFT)) {
    const { rows } = await db.query(text)
    if (Number(rows[0].n) > 0) left.push(`${what}: ${rows[0].n}`)
  }
  return left
}
