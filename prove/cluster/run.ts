import { Client } from 'pg'
import { type Answers, improper, Load } from '../load.ts'
import { randomOf } from '../random.ts'
import type { Figure } from '../record.ts'
import { check } from './checks.ts'
import type { Event } from './events.ts'
import { type Stack, startStack } from './stack.ts'

export interface Plan {
  seed: number
  events: readonly Event[]
  isSynchronous: boolean
  /** What runs at the start and, unless `upgradeTo` is among the events, to the end. */
  launcher: string
  isBefore: boolean
  /** What checks at the end. */
  after: string
  /** Keeps logs and data. */
  keep: boolean
  say(line: string): void
}

export interface Round {
  event: string
  /** The longest time without an acknowledged order. */
  withoutAnswerMs: number
  /** Until the cluster was whole again. */
  wholeMs: number
  orders: Answers
  reads: Answers
}

export interface Result {
  rounds: Round[]
  orders: number
  reads: number
  /** Connections of nodes to standbys in the end. */
  readers: number
  figures: Figure[]
}

const ORDERS_BETWEEN = 100

/** Starts the cluster, lets one event after another happen under orders, and compares in the end. */
export async function run(plan: Plan): Promise<Result> {
  const random = randomOf(plan.seed)
  const stack = await startStack({ random, ...plan })
  const stopped = () => void stack.stop().then(() => process.exit(1))
  process.once('SIGINT', stopped)
  process.once('SIGTERM', stopped)
  try {
    plan.say(`The cluster is up: ${stack.machines.folder}`)
    const load = new Load({ url: stack.url, token: stack.token, random, concurrency: 6, byCard: 0.1, reads: 'own' })
    await load.more(ORDERS_BETWEEN, 120_000)
    const rounds: Round[] = []
    for (const event of plan.events) {
      load.takeAnswers()
      const since = performance.now()
      await event.strike(stack)
      await stack.database.untilWhole()
      const wholeMs = performance.now() - since
      await Promise.all(stack.nodes.map((node) => node.untilReady()))
      await stack.untilBalanced()
      await load.more(ORDERS_BETWEEN, 120_000)
      const { orders, reads } = load.takeAnswers()
      const round = { event: event.name, withoutAnswerMs: load.gapMs(since, performance.now()), wholeMs, orders, reads }
      plan.say(inWords(round))
      rounds.push(round)
    }
    const readers = await readersOf(stack)
    await load.finish()
    plan.say('No more orders. What was acknowledged is compared.')
    const found = await check(stack, load, plan.after)
    const silent = rounds.reduce((sum, round) => sum + improper(round), 0)
    return {
      rounds,
      orders: load.acknowledged.length,
      reads: load.reads,
      readers,
      figures: [...found, { name: 'requests without a proper answer', actual: silent, expected: 0 }],
    }
  } finally {
    process.off('SIGINT', stopped)
    process.off('SIGTERM', stopped)
    await stack.stop()
  }
}

const seconds = (ms: number) => (ms / 1000).toFixed(1)

const inWords = ({ event, withoutAnswerMs, wholeMs, orders, reads }: Round): string =>
  `${event}: ${seconds(withoutAnswerMs)} s without an order, whole after ${seconds(wholeMs)} s; ` +
  `orders ${JSON.stringify(orders)}, reads ${JSON.stringify(reads)}`

/** How many connections of nodes the standbys have. */
async function readersOf({ database, machines }: Stack): Promise<number> {
  const { name } = await database.primary()
  let readers = 0
  for (const { address } of database.machines.filter((machine) => machine.name !== name)) {
    const connectionString = `postgres://postgres:${machines.passwords.postgres}@${address}:5432/kitlane`
    const client = new Client({ connectionString, connectionTimeoutMillis: 5000 })
    await client.connect()
    const { rows } = await client.query(`select count(*) n from pg_stat_activity where usename = 'kitlane_node'`)
    readers += Number(rows[0].n)
    await client.end()
  }
  return readers
}
