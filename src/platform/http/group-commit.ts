import { AppError } from '../../domain/errors.ts'
import { FAILS_TOO_AFTER_MS } from '../database/timeouts.ts'
import type { Actor, Database, GroupRole, GroupTx, Realm } from '../database/tx.ts'
import { isClaimLost, isOfDatabase } from '../database/unavailable.ts'
import type { Logger } from '../log.ts'
import { traceparent } from '../tracing.ts'
import type { Access } from './caller.ts'
import { inTurns } from './fair-pick.ts'
import { type IdempotencyKey, isStored } from './idempotency.ts'
import { observedGroup } from './metrics.ts'
import { findAnswers, keepAnswers, keyringsOfAnswers, placeOf } from './realm-keys.ts'
import { refusalToWire, toWire, type WireAnswer } from './wire.ts'

// At 64 connections, groups reach about 32; a larger limit only makes the last request wait longer.
const MAX_GROUP = 64
// One that the database writes, and one that the service reads and decides or that waits for the first.
const MAX_IN_FLIGHT = 2
// After another process was faster, groups take their locks at once for so long.
const LOCKS_MS = 1000
// Long enough to outlast a group that waits for a lock (2 s); clients give up after 30 s.
const MAX_WAIT_MS = 10_000

export interface Member<G> {
  realm: Realm
  actor: Actor
  /** What the route asks of the group, from path, query and body. */
  input: G
}

/** `alone`: this one takes more than a transaction, and is performed as a single request. */
export type MemberOutcome =
  | { answer: { status: number; headers?: Record<string, string>; body: unknown } }
  | { refusal: AppError }
  | 'alone'

/** Requests that one transaction answers, each by itself, in order of arrival. */
export interface GroupCommit<G = unknown, L = unknown> {
  role: GroupRole
  /** How much of a group one takes; 1 by default. A group takes up to 64, and realms take turns. */
  weightOf?(input: G): number
  /** Whether transactions change the same rows: each then begins with what those ahead of it leave. */
  inOrder: boolean
  /**
   * Reads what answering the members takes; what it returns answers those that are not replays. `ahead`: what the
   * transactions leave that are still under way, oldest first. Without it, `open` takes its locks at once.
   */
  open(
    tx: GroupTx,
    members: readonly Member<G>[],
    ahead?: readonly L[],
  ): Promise<
    (
      fresh: readonly Member<G>[],
    ) => Promise<{ outcomes: MemberOutcome[]; writes: readonly Promise<unknown>[]; leaves?: L }>
  >
}

/** Which requests of a route join a group, and as what; undefined is performed alone. */
export interface JoinsGroup<I> {
  group: GroupCommit
  inputOf(input: I, access: Access): unknown
}

export const joinsGroup = <G, L, I>(
  group: GroupCommit<G, L>,
  inputOf: (input: I, access: Access) => G | undefined,
): JoinsGroup<I> => ({ group: group as GroupCommit, inputOf })

export interface GroupRequest extends Member<unknown> {
  key?: IdempotencyKey
  requestId: string
  language?: string
  /** The same request in a transaction of its own. */
  alone(): Promise<WireAnswer>
}

interface Waiting extends GroupRequest {
  /** In order of arrival. */
  number: number
  since: number
  /** Of the request's trace. */
  trace: string | undefined
  resolve(answer: WireAnswer | Promise<WireAnswer>): void
  reject(err: unknown): void
}

type Outcome = { answer: WireAnswer } | { refusal: AppError } | 'alone' | 'again'

const tooLate = () => new AppError('OVERLOADED', 'The service is busy, try again in a moment')

export type StartedGroupCommit = ReturnType<typeof startGroupCommit>

/** A transaction under way. */
interface Flight {
  group: readonly Waiting[]
  /** What it leaves, once its writes are on their way. */
  leaves?: unknown
}

/** Collects requests, and answers them in groups: one reads and decides while the database writes the one before. */
export function startGroupCommit(database: Database, groupCommit: GroupCommit, log: Logger) {
  const { inOrder } = groupCommit
  let waiting: Waiting[] = []
  let arrived = 0
  // Oldest first.
  const flights: Flight[] = []
  let opening = false
  let locksUntil = 0
  // Between the beginnings of groups lately, while more than a group waited.
  let gapMs = 0
  let tookAt: number | undefined
  // Realms whose requests are being answered one by one: later requests of these wait, those of others do not.
  const oneByOneRealms = new Set<number>()

  function next(): void {
    if (opening || flights.length === MAX_IN_FLIGHT || waiting.length === 0) return
    const locks = inOrder && performance.now() < locksUntil
    if (locks && flights.length > 0) return
    const group = takeGroup()
    if (group.length === 0) return
    noteGap()
    opening = true
    const ahead = flights.map(({ leaves }) => leaves)
    const flight: Flight = { group }
    flights.push(flight)
    void fly(flight, locks ? undefined : ahead)
  }

  function noteGap(): void {
    const now = performance.now()
    if (tookAt !== undefined) gapMs = (gapMs + now - tookAt) / 2
    tookAt = waiting.length >= MAX_GROUP ? now : undefined
  }

  function takeGroup(): Waiting[] {
    const group = new Set<Waiting>()
    const late = new Set<Waiting>()
    const keys = new Set(flights.flatMap(({ group }) => group.flatMap(idempotencyKeysOf)))
    const behind = new Set(oneByOneRealms)
    let sum = 0
    for (const member of inTurns(waiting, ({ realm }) => realm.id)) {
      if (isLate(member)) {
        late.add(member)
        member.reject(tooLate())
        continue
      }
      if (sum >= MAX_GROUP) continue
      const weight = groupCommit.weightOf?.(member.input) ?? 1
      const isTooMuch = sum > 0 && sum + weight > MAX_GROUP
      // A duplicate waits for the answer of the first, and so does what comes after it in its realm.
      if (isTooMuch || idempotencyKeysOf(member).some((place) => keys.has(place))) behind.add(member.realm.id)
      if (behind.has(member.realm.id)) continue
      group.add(member)
      sum += weight
    }
    const taken = waiting.filter((member) => group.has(member))
    waiting = waiting.filter((member) => !group.has(member) && !late.has(member))
    return taken
  }

  async function fly(flight: Flight, ahead: readonly unknown[] | undefined): Promise<void> {
    const { group } = flight
    let isOpening = true
    const written = (leaves?: unknown) => {
      if (!isOpening) return
      flight.leaves = leaves
      isOpening = false
      opening = false
      next()
    }
    const land = () => {
      flights.splice(flights.indexOf(flight), 1)
      written()
      next()
    }
    try {
      const outcomes = await observedGroup(groupCommit.role, group, () =>
        inOneTransaction(database, groupCommit, { group, ahead, written }),
      )
      putBack(group.filter((_, index) => outcomes[index] === 'again'))
      for (const [index, member] of group.entries()) if (outcomes[index] === 'alone') member.resolve(member.alone())
      land()
      // What the next group reads is asked for first: the database works while the answers are written.
      if (opening) setImmediate(answerMembers, group, outcomes)
      else answerMembers(group, outcomes)
    } catch (err) {
      if (inOrder && ahead && isClaimLost(err)) {
        log.debug({ count: group.length }, 'a group lost its claim; it begins again with locks')
        locksUntil = performance.now() + LOCKS_MS
        putBack(group)
      } else if (isOfDatabase(err)) {
        log.warn({ err, count: group.length }, 'a group failed with the database')
        for (const member of [...group, ...waiting.filter(failsToo)]) member.reject(err)
        waiting = waiting.filter((member) => !failsToo(member))
      } else {
        log.warn({ err, count: group.length }, 'a group failed; its requests are answered one by one')
        for (const [realmId, members] of Map.groupBy(group, ({ realm }) => realm.id)) void oneByOne(realmId, members)
      }
      land()
    }
  }

  function putBack(members: readonly Waiting[]): void {
    if (members.length > 0) waiting = [...members, ...waiting].sort((a, b) => a.number - b.number)
  }

  /** Each gets its own answer or its own error, in order of arrival: one that makes the group fail harms no other. */
  async function oneByOne(realmId: number, members: readonly Waiting[]): Promise<void> {
    oneByOneRealms.add(realmId)
    for (const member of members) {
      if (isLate(member)) member.reject(tooLate())
      else await member.alone().then(member.resolve, member.reject)
    }
    oneByOneRealms.delete(realmId)
    next()
  }

  return {
    /** How long the next request would wait, at least; 0 while the next group takes them all. */
    waitMs() {
      const [first] = waiting
      if (!first || waiting.length < MAX_GROUP) return 0
      return Math.max(performance.now() - first.since, (gapMs * waiting.length) / MAX_GROUP)
    },
    add: (request: GroupRequest): Promise<WireAnswer> =>
      new Promise((resolve, reject) => {
        const since = performance.now()
        waiting.push({ ...request, number: arrived++, since, trace: traceparent(), resolve, reject })
        // At the end of the turn, so that what arrived with this one is in the same group.
        if (!opening && flights.length < MAX_IN_FLIGHT) setImmediate(next)
      }),
  }
}

const idempotencyKeysOf = ({ realm, key }: Waiting): string[] => (key ? [placeOf(realm.id, key.key)] : [])

function answerMembers(group: readonly Waiting[], outcomes: readonly Outcome[]): void {
  for (const [index, member] of group.entries()) {
    const outcome = outcomes[index]
    if (typeof outcome !== 'object') continue
    if ('answer' in outcome) member.resolve(outcome.answer)
    else member.reject(outcome.refusal)
  }
}

const isLate = ({ since }: Waiting) => performance.now() - since > MAX_WAIT_MS
const failsToo = ({ since }: Waiting) => performance.now() - since > FAILS_TOO_AFTER_MS

async function inOneTransaction(
  database: Database,
  groupCommit: GroupCommit,
  { group, ahead, written }: { group: readonly Waiting[]; ahead?: readonly unknown[]; written(leaves: unknown): void },
): Promise<Outcome[]> {
  const realmIds = [...new Set(group.map(({ realm }) => realm.id))]
  return database.inRealms(groupCommit.role, realmIds, async (tx) => {
    const [stored, answer, keyrings] = await Promise.all([
      findAnswers(tx, group),
      groupCommit.open(tx, group, ahead),
      keyringsOfAnswers(tx, group),
    ])
    const seen = new Set<string>()
    const behind = new Set<number>()
    // A duplicate in the same group waits for the answer of the first, and so does what came after it in its realm.
    const ways = group.map(({ realm, key }): Outcome | 'fresh' => {
      const place = key && placeOf(realm.id, key.key)
      const known = place && stored.find(place, key)
      if (known) return known
      if (place && seen.has(place)) behind.add(realm.id)
      if (behind.has(realm.id)) return 'again'
      if (place) seen.add(place)
      return 'fresh'
    })
    const fresh = group.filter((_, index) => ways[index] === 'fresh')
    const decided = await answer(fresh)
    const outcomes = fresh.map((member, index) => toWireOutcome(member, decided.outcomes[index] ?? 'alone'))
    const answers = fresh.flatMap(({ realm, key }, index) => {
      const outcome = outcomes[index]
      return key && outcome && typeof outcome === 'object' && 'answer' in outcome
        ? [{ realmId: realm.id, ...key, answer: outcome.answer }]
        : []
    })
    const rest = outcomes.values()
    // The writes leave at the end of this turn.
    setImmediate(written, decided.leaves)
    return {
      result: ways.map((way) => (way === 'fresh' ? (rest.next().value ?? 'alone') : way)),
      writes: [...decided.writes, ...keepAnswers(tx, answers, stored.expired, keyrings)],
    }
  })
}

/** A refusal that is kept under a key is an answer like any other. */
function toWireOutcome({ key, requestId, language }: Waiting, outcome: MemberOutcome): Outcome {
  if (outcome === 'alone') return 'alone'
  if ('answer' in outcome) return { answer: toWire(outcome.answer, language) }
  return key && isStored(outcome.refusal) ? { answer: refusalToWire(outcome.refusal, requestId, language) } : outcome
}
