// Proves that a restart of the database is a blip: npm run prove:restarts -- [--seed n] [--restarts n] [--kills n]
// 50 connections place orders while PostgreSQL is restarted without a shutdown, and killed. --inject-fault takes away what
// keeps the process alive when a connection dies, which must be found.
import { randomInt } from 'node:crypto'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { POSTGRES_15 } from '../test/harness/debian-cluster.ts'
import { checkoutWith } from './broken-checkout.ts'
import { type Fault, run } from './outage/run.ts'
import { randomOf } from './random.ts'
import { type Figure, record, report } from './record.ts'

const CONNECTIONS = 50
const FIRST_ANSWER_WITHIN_S = 5
const REST_MS = 4000
const PATIENCE_MS = 60_000

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: process.env.SEED ?? String(randomInt(2 ** 31)) },
    restarts: { type: 'string', default: '5' },
    kills: { type: 'string', default: '4' },
    bin: { type: 'string', default: POSTGRES_15 },
    'inject-fault': { type: 'boolean', default: false },
    /** Keeps the figures in prove/results. */
    record: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed)
const draw = randomOf(seed)
console.log(`seed ${seed}, ${CONNECTIONS} connections`)
const fault = (name: Fault, times: string) =>
  Array.from({ length: Number(times) }, () => ({ name, at: draw.fraction() }))
const rounds = [...fault('restart', values.restarts), ...fault('stop', values.kills)]
  .sort((a, b) => a.at - b.at)
  .map(({ name }) => ({ fault: name, seconds: 0 }))

const broken = values['inject-fault']
  ? await checkoutWith({
      file: 'src/platform/database/pool.ts',
      from: `pool.on('connect', (client) => client.on('error', (err) => log.warn({ err }, 'database connection lost')))`,
      to: '',
    })
  : undefined
try {
  const checkout = broken?.folder ?? resolve(import.meta.dirname, '..')
  const plan = { seed, rounds, checkout, bin: values.bin, patienceMs: broken ? 5000 : PATIENCE_MS }
  const result = await run({ ...plan, concurrency: CONNECTIONS, restMs: REST_MS, say: (line) => console.log(line) })
  const expected = /^(?:201|503 \w+)$/
  const waits = result.rounds.map(({ firstOrderMs = Number.POSITIVE_INFINITY }) => firstOrderMs / 1000)
  const figures: Figure[] = [
    {
      name: 'slowest first order after the database is up',
      actual: Number(Math.max(...waits).toFixed(1)),
      expected: FIRST_ANSWER_WITHIN_S,
      atMost: true,
      unit: 's',
    },
    {
      name: 'answers other than 201 and 503 with Retry-After',
      actual: Object.entries(result.answers).reduce((sum, [what, n]) => sum + (expected.test(what) ? 0 : n), 0),
      expected: 0,
    },
    { name: 'orders', actual: result.orders },
    ...result.figures,
  ]
  console.log(`answers: ${JSON.stringify(result.answers)}`)
  report(figures)
  if (values.record)
    record('restarts', { promises: ['R9'], seed, figures, mistake: broken && 'no listener for lost connections' })
} finally {
  await broken?.remove()
}
process.exit()
