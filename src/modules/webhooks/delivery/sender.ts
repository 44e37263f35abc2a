import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Histogram } from 'prom-client'
import { randomFraction } from '../../../domain/ids.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { ProcessContext } from '../../../platform/database/process-context.ts'
import type { Database, SystemTx } from '../../../platform/database/tx.ts'
import type { Egress } from '../../../platform/egress/client.ts'
import type { Logger } from '../../../platform/log.ts'
import { processFigures } from '../../../platform/process-figures.ts'
import { type SpanOptions, traced } from '../../../platform/tracing.ts'
import { nextAttempt, retryAfterSeconds } from '../rules.ts'
import { openSigners } from '../secrets.ts'
import * as claimQueries from './claim-queries.ts'
import { deliver, type Receipt } from './deliver.ts'
import { type Dispatch, DispatchQueue, MAX_FAILING, MAX_HELD, REFILL } from './dispatch-queue.ts'
import { recordAttempts } from './outcome.ts'

// Four looks a second for an endpoint with a limit that more waits for: each finds a quarter of a second's worth.
const EVERY_MS = 250
// The database counts to the microsecond, a timer may be a millisecond early.
const MARGIN_MS = 5

/** Wakes the sender when the limits of endpoints leave room again. */
class WakesLater {
  readonly #wake: (realmId: number) => void
  readonly #timers = new Map<string, NodeJS.Timeout>()

  constructor(wake: (realmId: number) => void) {
    this.#wake = wake
  }

  /** Of what was claimed: more may wait for the same endpoints. */
  note(claimed: readonly claimQueries.Claimed[]): void {
    for (const { realmId, rateLimit } of claimed) {
      if (rateLimit === null) continue
      const ms = Math.max(EVERY_MS, 1000 / rateLimit) + MARGIN_MS
      const key = `${realmId}/${ms}`
      if (this.#timers.has(key)) continue
      const timer = setTimeout(() => {
        this.#timers.delete(key)
        this.#wake(realmId)
      }, ms)
      this.#timers.set(key, timer)
    }
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }
}

export interface SenderOptions {
  database: Database
  egress: Egress
  context: ProcessContext
  clock: Clock
  log: Logger
  traceOf?: ((eventId: string) => string | undefined) | undefined
}

export interface Sender {
  /** Deliveries may be due in this realm; in any, when absent. */
  wake(realmId?: number): void
  /** Claims nothing more, waits up to 3 s for requests in flight, and releases the rest. */
  stop(): Promise<void>
}

const attemptSeconds = new Histogram({
  name: 'kitlane_webhook_attempt_seconds',
  help: 'How long attempts to deliver a webhook took, by how they ended.',
  labelNames: ['outcome'],
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
  registers: [processFigures],
})

const actor = { name: 'webhooks' }
// After this another process takes over what a killed one had claimed; a living one extends its leases.
const LEASE_MS = 8_000
const EXTEND_AFTER_MS = 2_000
// No notification announces a retry that comes due, or one that a killed process had claimed. While some are sent, while
// some wait, and while none are there.
const LOOK_EVERY_MS = { sending: 500, waiting: 1000, idle: 10_000 } as const
// Outcomes are written in batches: one commit for what ends within 4 ms.
const WRITE_AFTER_MS = 4
const WRITE_AT = 64
// Less than what a supervisor waits for the whole program.
const STOP_MS = 3_000

// Endpoints with an order or a limit get at least so many, however much is due for the others.
const PACED_SHARE = 64

/** Claims what is due. Most installations have no endpoint with an order or a limit, and pay one small statement for them. */
async function claimDeliveries(tx: SystemTx, options: claimQueries.ClaimOptions): Promise<claimQueries.Claimed[]> {
  const [paced, ordinary] = await Promise.all([
    claimQueries.lockPaced(tx, options),
    claimQueries.claimOrdinary(tx, options),
  ])
  if (paced.length === 0) return ordinary
  const limit = Math.max(options.limit - ordinary.length, PACED_SHARE)
  return [...ordinary, ...(await claimQueries.claimPaced(tx, paced, { ...options, limit }))]
}

/** Sends what is due for as long as the process runs. Any number of processes can run beside each other. */
export function startSender({ database, egress, context, clock, log, traceOf }: SenderOptions): Sender {
  const lease = randomUUID()
  const queue = new DispatchQueue()
  const signerOf = openSigners(context)
  const sending = new Set<Promise<void>>()
  const later = new WakesLater(wake)
  let unwritten: { attempt: claimQueries.Attempt; dispatch: Dispatch }[] = []
  let writing: Promise<void> = Promise.resolve()
  let writeTimer: NodeJS.Timeout | undefined
  /** Where to look: some realms, or everywhere. */
  const realms = new Set<number>()
  let everywhere = true
  let failingToo = true
  /** More was due than could be claimed. */
  let full = false
  let looking: Promise<void> | undefined
  let everyMs: number = LOOK_EVERY_MS.sending
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
    const ofFailing = failingToo ? MAX_FAILING - queue.failing : 0
    failingToo = false
    const options = { lease, leaseMs: LEASE_MS, saturated: queue.saturated() }
    const since = performance.now()
    const { claimed, failing, waits } = await database.asSystem(actor, async (tx) => {
      const claimed = await claimDeliveries(tx, { ...options, failing: false, limit, perEndpoint: REFILL, realmIds })
      const failing =
        ofFailing > 0 ? await claimDeliveries(tx, { ...options, failing: true, limit: ofFailing, perEndpoint: 1 }) : []
      const sends = claimed.length + failing.length + queue.held > 0
      return { claimed, failing, waits: sends || (await claimQueries.hasPending(tx)) }
    })
    queue.add(claimed, false, since)
    queue.add(failing, true, since)
    later.note(claimed)
    lookEvery(queue.held > 0 ? LOOK_EVERY_MS.sending : waits ? LOOK_EVERY_MS.waiting : LOOK_EVERY_MS.idle)
    // Many endpoints give an equal share each, so that fewer than the limit may be claimed although more is due.
    full = claimed.length >= limit / 2
    if (stopped) giveBack(queue.drop())
    else sendNext()
  }

  function sendNext(): void {
    for (let next = queue.next(); next; next = queue.next()) send(next)
  }

  function send(dispatch: Dispatch): void {
    const { delivery } = dispatch
    const at = clock.now()
    const sent = traced(
      () => spanOf(delivery, traceOf),
      () => deliver(egress, signerOf, delivery, { clock, isHeld: () => dispatch.isHeld(LEASE_MS) }),
    )
    const done = sent.then((receipt) => {
      sending.delete(done)
      if (over) return
      dispatch.answered()
      if (!receipt) return leave(dispatch)
      // No answer: what waits for the same endpoint goes back to the database.
      if (receipt.error) giveBack(queue.drop(delivery))
      const attempt = attemptOf(delivery, at, receipt, clock.now())
      attemptSeconds.observe({ outcome: outcomeOf(attempt) }, receipt.durationMs / 1000)
      unwritten.push({ attempt, dispatch })
      if (unwritten.length >= WRITE_AT) write()
      else writeTimer ??= setTimeout(write, WRITE_AFTER_MS)
      if (!stopped) sendNext()
    })
    sending.add(done)
  }

  /** Another process may hold it: the next process that claims it sends it. */
  function leave(dispatch: Dispatch): void {
    log.info({ code: 'WEBHOOK_LEASE_LOST' }, 'a webhook was not sent: its lease was over')
    if (dispatch.written()) wake(dispatch.delivery.realmId)
    if (!stopped) sendNext()
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
  function change(deliveries: readonly claimQueries.Claimed[], how: (tx: SystemTx) => Promise<void>): void {
    if (deliveries.length === 0) return
    const warn = (err: unknown) => log.warn({ err }, 'the leases of webhooks could not be changed')
    writing = writing.then(() => database.asSystem(actor, how)).catch(warn)
  }

  const giveBack = (deliveries: readonly claimQueries.Claimed[]) =>
    change(deliveries, (tx) => claimQueries.releaseDeliveries(tx, lease, deliveries))

  function lookEvery(ms: number): void {
    if (stopped || ms === everyMs) return
    everyMs = ms
    clearInterval(ticker)
    ticker = setInterval(tick, ms)
  }

  function tick(): void {
    const old = queue.heldFor(EXTEND_AFTER_MS, LEASE_MS)
    change(old, (tx) => claimQueries.extendLeases(tx, lease, old, LEASE_MS))
    failingToo = true
    wake()
  }

  let ticker = setInterval(tick, everyMs)
  wake()
  return {
    wake,
    async stop() {
      stopped = true
      clearInterval(ticker)
      later.stop()
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

const spanOf = ({ id, eventId, attempt }: claimQueries.Claimed, traceOf: SenderOptions['traceOf']): SpanOptions => ({
  name: 'webhook',
  kind: 'client',
  parent: traceOf?.(eventId),
  attributes: { 'kitlane.event_id': eventId, 'kitlane.delivery_id': id, 'kitlane.attempt': attempt },
})

const outcomeOf = ({ delivered, dueAt }: claimQueries.Attempt) =>
  delivered ? 'delivered' : dueAt ? 'retried' : 'failed'

function attemptOf(delivery: claimQueries.Claimed, at: Date, receipt: Receipt, now: Date): claimQueries.Attempt {
  const { realmId, id, endpointId, attempt } = delivery
  const { status, error, answer, durationMs, retryAfter } = receipt
  const delivered = status !== null && status >= 200 && status < 300 && error === null
  const wish = retryAfterSeconds(retryAfter, now)
  const dueAt = delivered ? undefined : nextAttempt(attempt, { now, random: randomFraction(), retryAfterSeconds: wish })
  return { realmId, id, endpointId, attempt, at, durationMs, status, error, answer, delivered, ...(dueAt && { dueAt }) }
}
