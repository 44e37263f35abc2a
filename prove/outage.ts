import { randomInt } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { POSTGRES_15 } from '../test/harness/debian-cluster.ts'
import { breaches } from './crash/checks.ts'
import { type Fault, faults, run } from './outage/run.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: process.env.SEED },
    /** Each outage lasts 5 s instead of 10 s and 60 s. */
    short: { type: 'boolean', default: false },
    /** Selected faults with their seconds: `stop:10,freeze:60`. */
    rounds: { type: 'string' },
    /** Tests the service of another checkout. The previous commit is the negative control. */
    service: { type: 'string', default: resolve(import.meta.dirname, '..') },
    bin: { type: 'string', default: POSTGRES_15 },
    patience: { type: 'string', default: '60' },
    json: { type: 'string' },
  },
})

const lengths = values.short ? [5] : [10, 60]
const all = lengths.flatMap((seconds) =>
  faults.filter((fault) => fault !== 'failover').map((fault) => ({ fault, seconds })),
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
for (const { name, actual, expected } of result.figures) {
  console.log(
    `${actual === expected ? 'right' : 'WRONG'}  ${name}: ${actual}${actual === expected ? '' : `, not ${expected}`}`,
  )
}
console.log(
  `orders: ${result.orders}; peak connections: ${result.mostConnections}; slowest answer: ${result.slowestAnswerMs} ms`,
)
console.log(`answers: ${JSON.stringify(result.answers)}`)
if (values.json) await writeFile(values.json, `${JSON.stringify({ seed, rounds, result }, null, 2)}\n`)
const failed = breaches(result.figures)
console.log(failed.length > 0 ? `\n${failed.length} figures are wrong.` : '\nEvery figure is right.')
process.exit(failed.length > 0 ? 1 : 0)

function parseRound(text: string): { fault: Fault; seconds: number } {
  const [name, seconds] = text.split(':')
  const fault = faults.find((one) => one === name)
  if (!fault || !(Number(seconds) > 0))
    throw new Error(`${text} is not a round. Write one of ${faults.join(', ')}, a colon and seconds, such as stop:10.`)
  return { fault, seconds: Number(seconds) }
}
