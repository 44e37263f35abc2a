import { randomInt } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { POSTGRES_15 } from '../test/harness/debian-cluster.ts'
import { type Fault, faults, run } from './outage/run.ts'
import { record, report } from './record.ts'

const here = resolve(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: process.env.SEED },
    /** Each outage lasts 5 s instead of 10 s and 60 s. */
    short: { type: 'boolean', default: false },
    /** Selected faults with their seconds: `stop:10,freeze:60`. */
    rounds: { type: 'string' },
    /** Tests the service of another checkout. The previous commit is the negative control. */
    service: { type: 'string', default: here },
    bin: { type: 'string', default: POSTGRES_15 },
    patience: { type: 'string', default: '60' },
    json: { type: 'string' },
    /** Keeps the figures in prove/results. */
    record: { type: 'boolean', default: false },
  },
})

const lengths = values.short ? [5] : [10, 60]
const all = lengths.flatMap((seconds) =>
  faults.filter((fault) => fault !== 'failover' && fault !== 'restart').map((fault) => ({ fault, seconds })),
)
// The standby can be promoted only once, so failover comes last.
const rounds = values.rounds
  ? values.rounds.split(',').map(parseRound)
  : [...all, { fault: 'failover' as const, seconds: 3 }]
const seed = Number(values.seed ?? randomInt(2 ** 31))

console.log(`seed ${seed}, service of ${values.service}, PostgreSQL of ${values.bin}`)
const result = await run({
  seed,
  rounds,
  checkout: values.service,
  bin: values.bin,
  patienceMs: Number(values.patience) * 1000,
  say: (line) => console.log(line),
})
const figures = [
  ...result.figures,
  {
    name: 'outages that /health/ready did not report',
    actual: result.rounds.filter(({ wasUnready }) => !wasUnready).length,
    expected: 0,
  },
]
const right = report(figures)
console.log(
  `orders: ${result.orders}; peak connections: ${result.mostConnections}; slowest answer: ${result.slowestAnswerMs} ms`,
)
console.log(`answers: ${JSON.stringify(result.answers)}`)
if (values.json) await writeFile(values.json, `${JSON.stringify({ seed, rounds, result }, null, 2)}\n`)
if (values.record)
  record('outage', {
    promises: [],
    seed,
    figures,
    mistake: values.service === here ? undefined : 'the service of an earlier commit',
  })
process.exit(right ? 0 : 1)

function parseRound(text: string): { fault: Fault; seconds: number } {
  const [name, seconds] = text.split(':')
  const fault = faults.find((one) => one === name)
  if (!fault || !(Number(seconds) > 0))
    throw new Error(`${text} is not a round. Write one of ${faults.join(', ')}, a colon and seconds, such as stop:10.`)
  return { fault, seconds: Number(seconds) }
}
