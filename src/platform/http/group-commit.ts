import { AppError } from '../../domain/errors.ts'
import type { Actor, Database, GroupRole, GroupTx, Realm } from '../database/tx.ts'
import { isUnavailable } from '../database/unavailable.ts'
import type { Logger } from '../log.ts'
import { findKept, type IdempotencyKey, isStored, keepAnswers, placeOf } from './idempotency.ts'
import { refusalToWire, toWire, type WireAnswer } from './wire.ts'

// Groups of 32 come about by themselves at 64 connections; more than this would only make the last one wait longer.
const MAX_GROUP = 64
// A request behind one that waits for a lock (2 s) is not to fail with it; clients give up at 30 s.
const MAX_WAIT_MS = 10_000

export interface Member<G> {
  realm: Realm
  actor: Actor
  /** The request, as its route made it of path, query and body. */
  asked: G
}

/** `apart`: this one takes more than a transaction, and goes the way of a single request. */
export type TogetherVerdict =
  | { answer: { status: number; headers?: Record<string, string>; body: unknown } }
  | { refusal: AppError }
  | 'apart'

/** Requests that one transaction answers, each by itself, in order of arrival. */
export interface Together<G = unknown> {
  role: GroupRole
  /** How many transactions at once, 1 by default: more only where neither the order of arrival nor locks matter. */
  inFlight?: number
  /** Reads and locks what answering the members takes; what it returns answers those that are not replays. */
  open(
    tx: GroupTx,
    members: readonly Member<G>[],
  ): Promise<
    (fresh: readonly Member<G>[]) => Promise<{ verdicts: TogetherVerdict[]; writes: readonly Promise<unknown>[] }>
  >
}

export interface Joining extends Member<unknown> {
  key?: IdempotencyKey
  requestId: string
  /** The same request in a transaction of its own. */
  alone(): Promise<WireAnswer>
}

interface Waiting extends Joining {
  since: number
  resolve(answer: WireAnswer | Promise<WireAnswer>): void
  reject(err: unknown): void
}

type Settled = { answer: WireAnswer } | { refusal: AppError } | 'apart' | 'again'

const tooLate = () => new AppError('OVERLOADED', 'The service is busy, try again in a moment')

/** Collects what arrives while its transactions are in flight, and answers it in the next. */
export function startCollector(database: Database, together: Together, log: Logger) {
  let waiting: Waiting[] = []
  const { inFlight = 1 } = together
  let running = 0
  // Realms whose requests are being answered one by one: what comes after those waits, and nobody else does.
  const apart = new Set<number>()

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
      else if (group.length === MAX_GROUP || apart.has(member.realm.id)) rest.push(member)
      else group.push(member)
    }
    waiting = rest
    return group
  }

  async function answerGroup(group: readonly Waiting[]): Promise<void> {
    let settled: Settled[]
    try {
      settled = await inOneTransaction(database, together, group)
    } catch (err) {
      if (isNoneOfTheirs(err)) {
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
      const outcome = settled[index] ?? 'apart'
      if (outcome === 'again') again.push(member)
      else if (outcome === 'apart') member.resolve(member.alone())
      else if ('answer' in outcome) member.resolve(outcome.answer)
      else member.reject(outcome.refusal)
    }
    waiting = [...again, ...waiting]
  }

  /** Whatever one of them did to the others, alone each gets its own answer or its own error, in order of arrival. */
  async function oneByOne(realmId: number, members: readonly Waiting[]): Promise<void> {
    apart.add(realmId)
    for (const member of members) {
      if (isLate(member)) member.reject(tooLate())
      else await member.alone().then(member.resolve, member.reject)
    }
    apart.delete(realmId)
    start()
  }

  function start(): void {
    if (running < inFlight) void run()
  }

  return {
    add: (joining: Joining): Promise<WireAnswer> =>
      new Promise((resolve, reject) => {
        waiting.push({ ...joining, since: performance.now(), resolve, reject })
        // At the end of the turn, so that what arrived with this one is in the same group.
        if (running < inFlight) setImmediate(start)
      }),
  }
}

// None of them is to blame, and its COMMIT may be done: one by one would wait for nothing, or do it twice.
const isNoneOfTheirs = (err: unknown) => (err instanceof AppError ? err.code === 'OVERLOADED' : isUnavailable(err))

const isLate = ({ since }: Waiting) => performance.now() - since > MAX_WAIT_MS

async function inOneTransaction(database: Database, together: Together, group: readonly Waiting[]): Promise<Settled[]> {
  const realmIds = [...new Set(group.map(({ realm }) => realm.id))]
  return database.inRealms(together.role, realmIds, async (tx) => {
    const [kept, answer] = await Promise.all([findKept(tx, group), together.open(tx, group)])
    const seen = new Set<string>()
    const behind = new Set<number>()
    // A twin in the same group waits for the answer of the first, and so does what came behind it in its realm.
    const ways = group.map(({ realm, key }): Settled | 'fresh' => {
      const place = key && placeOf(realm.id, key.key)
      const known = place && kept.find(place, key)
      if (known) return known
      if (place && seen.has(place)) behind.add(realm.id)
      if (behind.has(realm.id)) return 'again'
      if (place) seen.add(place)
      return 'fresh'
    })
    const fresh = group.filter((_, index) => ways[index] === 'fresh')
    const { verdicts, writes } = await answer(fresh)
    const settled = fresh.map((member, index) => settle(member, verdicts[index] ?? 'apart'))
    const answers = fresh.flatMap(({ realm, key }, index) => {
      const outcome = settled[index]
      return key && outcome && typeof outcome === 'object' && 'answer' in outcome
        ? [{ realmId: realm.id, ...key, answer: outcome.answer }]
        : []
    })
    const rest = settled.values()
    return {
      result: ways.map((way) => (way === 'fresh' ? (rest.next().value ?? 'apart') : way)),
      writes: [...writes, ...keepAnswers(tx, answers, kept.expired)],
    }
  })
}

/** A refusal that is kept under a key is an answer like any other. */
function settle({ key, requestId }: Waiting, verdict: TogetherVerdict): Settled {
  if (verdict === 'apart') return 'apart'
  if ('answer' in verdict) return { answer: toWire(verdict.answer) }
  return key && isStored(verdict.refusal) ? { answer: refusalToWire(verdict.refusal, requestId) } : verdict
}
