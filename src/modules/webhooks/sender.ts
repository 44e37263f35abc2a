import { randomUUID } from 'node:crypto'
import type { Clock } from '../../platform/clock.ts'
import type { Local } from '../../platform/database/local.ts'
import type { Database } from '../../platform/database/tx.ts'
import { randomFraction } from '../../platform/ids.ts'
import type { Logger } from '../../platform/log.ts'
import type { Outbound } from '../../platform/outbound/client.ts'
import { type Attempted, type Claimed, claim } from './claim-queries.ts'
import { deliver, type Receipt } from './deliver.ts'
import { record } from './outcome.ts'
import { nextAttempt, retryAfterSeconds } from './rules.ts'

export interface SenderOptions {
  database: Database
  outbound: Outbound
  local: Local
  clock: Clock
  log: Logger
}

export interface Sender {
  /** Something is owed in this realm; in any, when absent. */
  wake(realmId?: number): void
  /** Takes nothing on any more, and waits for what is on its way. */
  stop(): Promise<void>
}

const actor = { name: 'webhooks' }
const AT_ONCE = 128
const PER_ENDPOINT = 16
// Longer than the longest attempt: what is still leased after that was left by a process that died.
const LEASE_MS = 45_000
// Retries come due without anyone saying so.
const LOOK_EVERY_MS = 500
// Attempts are written together: one commit for what ends within some milliseconds.
const WRITE_AFTER_MS = 4
const WRITE_AT = 64

/** Sends what is owed, as long as the process runs. Any number of processes may do so beside each other. */
export function startSender({ database, outbound, local, clock, log }: SenderOptions): Sender {
  const lease = randomUUID()
  const inFlight = new Map<string, number>()
  const sending = new Set<Promise<void>>()
  let unwritten: Attempted[] = []
  let writing: Promise<void> = Promise.resolve()
  let writeTimer: NodeJS.Timeout | undefined
  /** Where to look: some realms, or everywhere. */
  const realms = new Set<number>()
  let everywhere = true
  let looking: Promise<void> | undefined
  let stopped = false

  function wake(realmId?: number): void {
    if (realmId === undefined) everywhere = true
    else realms.add(realmId)
    if (!stopped) looking ??= lookUntilNothing()
  }

  async function lookUntilNothing(): Promise<void> {
    try {
      while (!stopped && (everywhere || realms.size > 0) && sending.size < AT_ONCE) await look()
    } catch (err) {
      log.warn({ err }, 'webhooks cannot be looked for')
    } finally {
      looking = undefined
    }
  }

  async function look(): Promise<void> {
    const realmIds = everywhere ? undefined : [...realms]
    everywhere = false
    realms.clear()
    const busy = [...inFlight].filter(([, count]) => count >= PER_ENDPOINT).map(([key]) => key)
    const options = {
      lease,
      limit: AT_ONCE - sending.size,
      perEndpoint: PER_ENDPOINT,
      leaseMs: LEASE_MS,
      realmIds,
      busy,
    }
    const taken = await database.asSystem(actor, (tx) => claim(tx, options))
    for (const delivery of taken) {
      send(delivery)
      // What was taken may not have been all.
      realms.add(delivery.realmId)
    }
  }

  function send(delivery: Claimed): void {
    const key = `${delivery.realmId}/${delivery.endpointId}`
    inFlight.set(key, (inFlight.get(key) ?? 0) + 1)
    const at = clock.now()
    const done = deliver(outbound, local, delivery, at).then((receipt) => {
      const left = (inFlight.get(key) ?? 1) - 1
      if (left > 0) inFlight.set(key, left)
      else inFlight.delete(key)
      sending.delete(done)
      unwritten.push(attemptOf(delivery, at, receipt, clock.now()))
      if (unwritten.length >= WRITE_AT) write()
      else writeTimer ??= setTimeout(write, WRITE_AFTER_MS)
    })
    sending.add(done)
  }

  function write(): void {
    clearTimeout(writeTimer)
    writeTimer = undefined
    const batch = unwritten
    unwritten = []
    writing = writing.then(() => record(database, lease, batch, log))
    for (const { realmId } of batch) wake(realmId)
  }

  const ticker = setInterval(() => wake(), LOOK_EVERY_MS)
  wake()
  return {
    wake,
    async stop() {
      stopped = true
      clearInterval(ticker)
      await looking
      await Promise.all(sending)
      write()
      await writing
    },
  }
}

function attemptOf(delivery: Claimed, at: Date, receipt: Receipt, now: Date): Attempted {
  const { realmId, id, endpointId, attempt } = delivery
  const { status, error, answer, durationMs, retryAfter } = receipt
  const delivered = status !== null && status >= 200 && status < 300 && error === null
  const wish = retryAfterSeconds(retryAfter, now)
  const dueAt = delivered ? undefined : nextAttempt(attempt, { now, random: randomFraction(), retryAfterSeconds: wish })
  return { realmId, id, endpointId, attempt, at, durationMs, status, error, answer, delivered, ...(dueAt && { dueAt }) }
}
