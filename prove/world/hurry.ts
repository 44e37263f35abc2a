import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Server } from '../outage/servers.ts'

// Retries to a laboratory pause for 10 seconds and more, and what a process has claimed is left alone for 90: only that is due
// exactly then. Claims from before the last fault may be of a process that is gone.
const LAB_ORDERS = `
  update lab_orders o set due_at = now() from lab_order_messages m
  where m.realm_id = o.realm_id and m.kit_id = o.kit_id and m.outcome is null and o.due_at > now()
    and (o.due_at - m.sent_at <> interval '90 seconds' or m.sent_at <= $1)`
const HOLDS = `update held_samples set discard_at = now() where kit_id = any($1) and state = 'open' and discard_at > now()`
const JOBS = `
  insert into pgboss.job (name, data)
    select 'lab-orders.due', '{}'::jsonb where exists (select from lab_orders where due_at <= now())
    union all select 'holds.due', '{}' where exists (select from held_samples where state = 'open' and discard_at <= now())`
const PAUSE_MS = 1000

/** Makes what is due in minutes and days due at once, all the while. */
export class Hurry {
  /** When the last fault ended. */
  struckAt = new Date(0)
  readonly #expiring = new Set<string>()
  readonly #over = new AbortController()
  readonly #running: Promise<void>

  constructor(server: Server) {
    this.#running = this.#run(server)
  }

  /** The sample of a kit is not stable any more. */
  expire(kitId: string): void {
    this.#expiring.add(kitId)
  }

  async stop(): Promise<void> {
    this.#over.abort()
    await this.#running
  }

  async #run(server: Server): Promise<void> {
    let db: Client | undefined
    for (; !this.#over.signal.aborted; await delay(PAUSE_MS)) {
      try {
        db ??= await server.connect()
        await db.query(LAB_ORDERS, [this.struckAt])
        await db.query(HOLDS, [[...this.#expiring]])
        await db.query(JOBS)
      } catch {
        // The database is away, as a fault has it.
        await db?.end().catch(() => undefined)
        db = undefined
      }
    }
    await db?.end()
  }
}
