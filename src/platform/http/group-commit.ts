import { AppError } from '../../domain/errors.ts'
import type { Actor, Database, GroupRole, GroupTx, Realm } from '../database/tx.ts'
import { isUnavailable } from '../database/unavailable.ts'
import type { Logger } from '../log.ts'
import type { Access } from './caller.ts'
import { type IdempotencyKey, isStored } from './idempotency.ts'
import { findKept, keepAnswers, placeOf } from './realm-keys.ts'
import { refusalToWire, toWire, type WireAnswer } from './wire.ts'

// At 64 connections, groups reach about 32; a larger limit only makes the last request wait longer.
const MAX_GROUP = 64
// Long enough to outlast a group that waits for a lock (2 s); clients give up after 30 s.
const MAX_WAIT_MS = 10_000

export interface Member<G> {
  realm: Realm
  actor: Actor
  /** What the route asks of the group, from path, query and body. */
  asked: G
}

/** `alone`: this one takes more than a transaction, and is performed as a single request. */
export type MemberOutcome =
  | { answer: { status: number; headers?: Record<string, string>; body: unknown } }
  | { refusal: AppError }
  | 'alone'

/** Requests that one transaction answers, each by itself, in order of arrival. */
export interface GroupCommit<G = unknown> {
  role: GroupRole
  /** How many transactions at once, 1 by default: more only where neither the order of arrival nor locks matter. */
  inFlight?: number
  /** Reads and locks what answering the members takes; what it returns answers those that are not replays. */
  open(
    tx: GroupTx,
    members: readonly Member<G>[],
  ): Promise<
    (fresh: readonly Member<G>[]) => Promise<{ outcomes: MemberOutcome[]; writes: readonly Promise<unknown>[] }>
  >
}

/** Which requests of a route join a group, and as what; undefined is performed alone. */
export interface JoinsGroup<I> {
  group: GroupCommit
  asked(input: I, access: Access): unknown
}

export const joinsGroup = <G, I>(
  group: GroupCommit<G>,
  asked: (input: I, access: Access) => G | undefined,
): JoinsGroup<I> => ({ group: group as GroupCommit, asked })

export interface GroupRequest extends Member<unknown> {
  key?: IdempotencyKey
  requestId: string
  /** The same request in a transaction of its own. */
  alone(): Promise<WireAnswer>
}

interface Waiting extends GroupRequest {
  since: number
  resolve(answer: WireAnswer | Promise<WireAnswer>): void
  reject(err: unknown): void
}

type Outcome = { answer: WireAnswer } | { refusal: AppError } | 'alone' | 'again'

const tooLate = () => new AppError('OVERLOADED', 'The service is busy, try again in a moment')

export type StartedGroupCommit = ReturnType<typeof startGroupCommit>

/** Collects requests that arrive while its transactions are in flight, and answers them in the next. */
export function startGroupCommit(database: Database, groupCommit: GroupCommit, log: Logger) {
  let waiting: Waiting[] = []
  const { inFlight = 1 } = groupCommit
  let running = 0
  // Realms whose requests are being answered one by one: later requests of these wait, those of others do not.
  const oneByOneRealms = new Set<number>()

  async function run(): Promise<void> {
    running++
    for (let group = nextGroup(); group.length > 0; group = nextGroup()) await answerGroup(group)
    running--
  }

  function nextGroup(): Waiting[] {
    const group: Waiting[] = []
    const rest: Waiting[] = []
    for (const member of waiting) {
      if (isLate(member)) member.reject(tooLate())
      else if (group.length === MAX_GROUP || oneByOneRealms.has(member.realm.id)) rest.push(member)
      else group.push(member)
    }
    waiting = rest
    return group
  }

  async function answerGroup(group: readonly Waiting[]): Promise<void> {
    let outcomes: Outcome[]
    try {
      outcomes = await inOneTransaction(database, groupCommit, group)
    } catch (err) {
      if (isOfDatabase(err)) {
        log.warn({ err, count: group.length }, 'a group failed with the database')
        for (const member of group) member.reject(err)
        return
      }
      log.warn({ err, count: group.length }, 'a group failed; its requests are answered one by one')
      for (const [realmId, members] of Map.groupBy(group, ({ realm }) => realm.id)) void oneByOne(realmId, members)
      return
    }
    const again: Waiting[] = []
    for (const [index, member] of group.entries()) {
      const outcome = outcomes[index] ?? 'alone'
      if (outcome === 'again') again.push(member)
      else if (outcome === 'alone') member.resolve(member.alone())
      else if ('answer' in outcome) member.resolve(outcome.answer)
      else member.reject(outcome.refusal)
    }
    waiting = [...again, ...waiting]
  }

  /** Each gets its own answer or its own error, in order of arrival: one that makes the group fail harms no other. */
  async function oneByOne(realmId: number, members: readonly Waiting[]): Promise<void> {
    oneByOneRealms.add(realmId)
    for (const member of members) {
      if (isLate(member)) member.reject(tooLate())
      else await member.alone().then(member.resolve, member.reject)
    }
    oneByOneRealms.delete(realmId)
    start()
  }

  function start(): void {
    if (running < inFlight) void run()
  }

  return {
    add: (request: GroupRequest): Promise<WireAnswer> =>
      new Promise((resolve, reject) => {
        waiting.push({ ...request, since: performance.now(), resolve, reject })
        // At the end of the turn, so that what arrived with this one is in the same group.
        if (running < inFlight) setImmediate(start)
      }),
  }
}

// No member caused it, and the COMMIT may be done: one by one, they would wait in vain or be done twice.
const isOfDatabase = (err: unknown) => (err instanceof AppError ? err.code === 'OVERLOADED' : isUnavailable(err))

const isLate = ({ since }: Waiting) => performance.now() - since > MAX_WAIT_MS

async function inOneTransaction(
  database: Database,
  groupCommit: GroupCommit,
  group: readonly Waiting[],
): Promise<Outcome[]> {
  const realmIds = [...new Set(group.map(({ realm }) => realm.id))]
  return database.inRealms(groupCommit.role, realmIds, async (tx) => {
    const [kept, answer] = await Promise.all([findKept(tx, group), groupCommit.open(tx, group)])
    const seen = new Set<string>()
    const behind = new Set<number>()
    // A duplicate in the same group waits for the answer of the first, and so does what came after it in its realm.
    const ways = group.map(({ realm, key }): Outcome | 'fresh' => {
      const place = key && placeOf(realm.id, key.key)
      const known = place && kept.find(place, key)
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
    return {
      result: ways.map((way) => (way === 'fresh' ? (rest.next().value ?? 'alone') : way)),
      writes: [...decided.writes, ...keepAnswers(tx, answers, kept.expired)],
    }
  })
}

/** A refusal that is kept under a key is an answer like any other. */
function toWireOutcome({ key, requestId }: Waiting, outcome: MemberOutcome): Outcome {
  if (outcome === 'alone') return 'alone'
  if ('answer' in outcome) return { answer: toWire(outcome.answer) }
  return key && isStored(outcome.refusal) ? { answer: refusalToWire(outcome.refusal, requestId) } : outcome
}
