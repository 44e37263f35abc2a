import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { randomFraction } from '../../../domain/ids.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { ProcessContext } from '../../../platform/database/process-context.ts'
import type { Database, SystemTx } from '../../../platform/database/tx.ts'
import type { Egress } from '../../../platform/egress/client.ts'
import type { Logger } from '../../../platform/log.ts'
import { nextAttempt, retryAfterSeconds } from '../rules.ts'
import { openSigners } from '../secrets.ts'
import { type Attempted, type Claimed, claim, extend, release } from './claim-queries.ts'
import { deliver, type Receipt } from './deliver.ts'
import { FAILING, HELD, Lines, REFILL, type Turn } from './dispatch-queue.ts'
import { record } from './outcome.ts'

export interface SenderOptions {
  database: Database
  egress: Egress
  context: ProcessContext
  clock: Clock
  log: Logger
}

export interface Sender {
  /** Something is owed in this realm; in any, when absent. */
  wake(realmId?: number): void
  /** Takes nothing on any more, waits some seconds for what is on its way, and gives back the rest. */
  stop(): Promise<void>
}

const actor = { name: 'webhooks' }
// What a killed process had taken on is taken over after that; as long as it lives, it extends what takes longer.
const LEASE_MS = 8_000
const EXTEND_AFTER_MS = 2_000
// Retries come due without anyone saying so.
const LOOK_EVERY_MS = 500
// Attempts are written together: one commit for what ends within some milliseconds.
const WRITE_AFTER_MS = 4
const WRITE_AT = 64
// Less than what a supervisor waits for the whole program.
const STOP_MS = 3_000

/** Sends what is owed, as long as the process runs. Any number of processes may do so beside each other. */
export function startSender({ database, egress, context, clock, log }: SenderOptions): Sender {
  const lease = randomUUID()
  const lines = new Lines()
  const signerOf = openSigners(context)
  const sending = new Set<Promise<void>>()
  let unwritten: { attempted: Attempted; turn: Turn }[] = []
  let writing: Promise<void> = Promise.resolve()
  let writeTimer: NodeJS.Timeout | undefined
  /** Where to look: some realms, or everywhere. */
  const realms = new Set<number>()
  let everywhere = true
  let failingToo = true
  /** There was more than could be taken on. */
  let full = false
  let looking: Promise<void> | undefined
  let stopped = false
  let over = false

  function wake(realmId?: number): void {
    if (realmId === undefined) everywhere = true
    else realms.add(realmId)
    // Only where it has something to wait for: one that ends at once would be kept as if it still looked.
    if (mayLook()) looking ??= lookUntilNothing()
  }

  const mayLook = () => !stopped && (everywhere || realms.size > 0) && lines.held < HELD

  async function lookUntilNothing(): Promise<void> {
    try {
      while (mayLook()) await look()
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
    const limit = HELD - lines.held
    // Of many endpoints each gives an equal share, so that what was taken may stay below the limit.
    full = (await take({ failing: false, limit, perEndpoint: REFILL, realmIds })) >= limit / 2
    if (!failingToo || stopped) return
    failingToo = false
    await take({ failing: true, limit: FAILING - lines.failing, perEndpoint: 1 })
  }

  async function take(what: { failing: boolean; limit: number; perEndpoint: number; realmIds?: number[] }) {
    const options = { ...what, lease, leaseMs: LEASE_MS, busy: lines.busy() }
    const taken = await database.asSystem(actor, (tx) => claim(tx, options))
    lines.add(taken, what.failing)
    if (stopped) giveBack(lines.drop())
    else sendNext()
    return taken.length
  }

  function sendNext(): void {
    for (let next = lines.next(); next; next = lines.next()) send(next)
  }

  function send(turn: Turn): void {
    const { delivery } = turn
    const at = clock.now()
    const done = deliver(egress, signerOf, delivery, at).then((receipt) => {
      sending.delete(done)
      if (over) return
      turn.answered()
      // No answer: what waits for the same endpoint is left to its turn in the database.
      if (receipt.error) giveBack(lines.drop(delivery))
      unwritten.push({ attempted: attemptOf(delivery, at, receipt, clock.now()), turn })
      if (unwritten.length >= WRITE_AT) write()
      else writeTimer ??= setTimeout(write, WRITE_AFTER_MS)
      if (!stopped) sendNext()
    })
    sending.add(done)
  }

  function write(): void {
    clearTimeout(writeTimer)
    writeTimer = undefined
    writing = writing.then(writeAll)
  }

  /** All that has ended by the time that the write before is over. */
  async function writeAll(): Promise<void> {
    const batch = unwritten
    unwritten = []
    if (batch.length === 0) return
    const attempted = batch.map((one) => one.attempted)
    await record(database, lease, attempted, log)
    for (const { turn } of batch) if (turn.written()) wake(turn.delivery.realmId)
    if (full && lines.held < HELD / 2) wake()
    if (!stopped) sendNext()
  }

  /** Where it fails the leases run out by themselves. */
  function change(deliveries: readonly Claimed[], how: (tx: SystemTx) => Promise<void>): void {
    if (deliveries.length === 0) return
    const warn = (err: unknown) => log.warn({ err }, 'the leases of webhooks could not be changed')
    writing = writing.then(() => database.asSystem(actor, how)).catch(warn)
  }

  const giveBack = (deliveries: readonly Claimed[]) => change(deliveries, (tx) => release(tx, lease, deliveries))

  function tick(): void {
    const old = lines.heldFor(EXTEND_AFTER_MS)
    change(old, (tx) => extend(tx, lease, old, LEASE_MS))
    failingToo = true
    wake()
  }

  const ticker = setInterval(tick, LOOK_EVERY_MS)
  wake()
  return {
    wake,
    async stop() {
      stopped = true
      clearInterval(ticker)
      await looking
      giveBack(lines.drop())
      const inTime = new AbortController()
      // The delay only ends early: its abort is no error.
      await Promise.race([Promise.all(sending), delay(STOP_MS, undefined, { signal: inTime.signal }).catch(() => {})])
      inTime.abort()
      // What is still on its way ends with the program, and is sent again by whoever looks next.
      over = true
      write()
      giveBack(lines.heldFor(0))
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
