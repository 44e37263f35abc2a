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
import { type Attempt, type Claimed, claimDeliveries, extendLeases, releaseDeliveries } from './claim-queries.ts'
import { deliver, type Receipt } from './deliver.ts'
import { type Dispatch, DispatchQueue, MAX_FAILING, MAX_HELD, REFILL } from './dispatch-queue.ts'
import { recordAttempts } from './outcome.ts'

export interface SenderOptions {
  database: Database
  egress: Egress
  context: ProcessContext
  clock: Clock
  log: Logger
}

export interface Sender {
  /** Deliveries may be due in this realm; in any, when absent. */
  wake(realmId?: number): void
  /** Claims nothing more, waits up to 3 s for requests in flight, and releases the rest. */
  stop(): Promise<void>
}

const actor = { name: 'webhooks' }
// After this another process takes over what a killed one had claimed; a living one extends its leases.
const LEASE_MS = 8_000
const EXTEND_AFTER_MS = 2_000
// No notification announces a retry that comes due.
const LOOK_EVERY_MS = 500
// Outcomes are written in batches: one commit for what ends within 4 ms.
const WRITE_AFTER_MS = 4
const WRITE_AT = 64
// Less than what a supervisor waits for the whole program.
const STOP_MS = 3_000

/** Sends what is due for as long as the process runs. Any number of processes can run beside each other. */
export function startSender({ database, egress, context, clock, log }: SenderOptions): Sender {
  const lease = randomUUID()
  const queue = new DispatchQueue()
  const signerOf = openSigners(context)
  const sending = new Set<Promise<void>>()
  let unwritten: { attempt: Attempt; dispatch: Dispatch }[] = []
  let writing: Promise<void> = Promise.resolve()
  let writeTimer: NodeJS.Timeout | undefined
  /** Where to look: some realms, or everywhere. */
  const realms = new Set<number>()
  let everywhere = true
  let failingToo = true
  /** More was due than could be claimed. */
  let full = false
  let looking: Promise<void> | undefined
  let stopped = false
  let over = false

  function wake(realmId?: number): void {
    if (realmId === undefined) everywhere = true
    else realms.add(realmId)
    // A look that ends at once would reset `looking` before it is assigned, and block every later one.
    if (mayLook()) looking ??= lookUntilNothing()
  }

  const mayLook = () => !stopped && (everywhere || realms.size > 0) && queue.held < MAX_HELD

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
    const limit = MAX_HELD - queue.held
    // Many endpoints give an equal share each, so that fewer than the limit may be claimed although more is due.
    full = (await claimMore({ failing: false, limit, perEndpoint: REFILL, realmIds })) >= limit / 2
    if (!failingToo || stopped) return
    failingToo = false
    await claimMore({ failing: true, limit: MAX_FAILING - queue.failing, perEndpoint: 1 })
  }

  async function claimMore(what: { failing: boolean; limit: number; perEndpoint: number; realmIds?: number[] }) {
    const options = { ...what, lease, leaseMs: LEASE_MS, saturated: queue.saturated() }
    const claimed = await database.asSystem(actor, (tx) => claimDeliveries(tx, options))
    queue.add(claimed, what.failing)
    if (stopped) giveBack(queue.drop())
    else sendNext()
    return claimed.length
  }

  function sendNext(): void {
    for (let next = queue.next(); next; next = queue.next()) send(next)
  }

  function send(dispatch: Dispatch): void {
    const { delivery } = dispatch
    const at = clock.now()
    const done = deliver(egress, signerOf, delivery, at).then((receipt) => {
      sending.delete(done)
      if (over) return
      dispatch.answered()
      // No answer: what waits for the same endpoint goes back to the database.
      if (receipt.error) giveBack(queue.drop(delivery))
      unwritten.push({ attempt: attemptOf(delivery, at, receipt, clock.now()), dispatch })
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

  /** Writes all that has ended since the last write. */
  async function writeAll(): Promise<void> {
    const batch = unwritten
    unwritten = []
    if (batch.length === 0) return
    const attempts = batch.map(({ attempt }) => attempt)
    await recordAttempts(database, lease, attempts, log)
    for (const { dispatch } of batch) if (dispatch.written()) wake(dispatch.delivery.realmId)
    if (full && queue.held < MAX_HELD / 2) wake()
    if (!stopped) sendNext()
  }

  /** If this fails, the leases expire. */
  function change(deliveries: readonly Claimed[], how: (tx: SystemTx) => Promise<void>): void {
    if (deliveries.length === 0) return
    const warn = (err: unknown) => log.warn({ err }, 'the leases of webhooks could not be changed')
    writing = writing.then(() => database.asSystem(actor, how)).catch(warn)
  }

  const giveBack = (deliveries: readonly Claimed[]) =>
    change(deliveries, (tx) => releaseDeliveries(tx, lease, deliveries))

  function tick(): void {
    const old = queue.heldFor(EXTEND_AFTER_MS)
    change(old, (tx) => extendLeases(tx, lease, old, LEASE_MS))
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
      giveBack(queue.drop())
      const inTime = new AbortController()
      // An aborted delay is no error: it only ends early.
      await Promise.race([Promise.all(sending), delay(STOP_MS, undefined, { signal: inTime.signal }).catch(() => {})])
      inTime.abort()
      // What is still in flight ends with the process, and is sent again by the next one that claims it.
      over = true
      write()
      giveBack(queue.heldFor(0))
      await writing
    },
  }
}

function attemptOf(delivery: Claimed, at: Date, receipt: Receipt, now: Date): Attempt {
  const { realmId, id, endpointId, attempt } = delivery
  const { status, error, answer, durationMs, retryAfter } = receipt
  const delivered = status !== null && status >= 200 && status < 300 && error === null
  const wish = retryAfterSeconds(retryAfter, now)
  const dueAt = delivered ? undefined : nextAttempt(attempt, { now, random: randomFraction(), retryAfterSeconds: wish })
  return { realmId, id, endpointId, attempt, at, durationMs, status, error, answer, delivered, ...(dueAt && { dueAt }) }
}
