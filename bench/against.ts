// Compares what requests cost here with an older checkout, in turns: `npm run bench:against -- --before <folder>`, with its own
// node_modules. CPU time of service and database, which is steadier than rates on a machine that others use.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Costs, Part } from './against/side.ts'
import { spread } from './suite/spread.ts'

const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    only: { type: 'string', default: 'order,alone,read,orders,customers,report' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    postgres: { type: 'string', default: '18' },
    /** A folder for CPU profiles of the service. */
    profile: { type: 'string' },
  },
})
const here = fileURLToPath(new URL('..', import.meta.url))
const seconds = Number(values.seconds)
const sides = await Promise.all([here, ...(values.before ? [values.before] : [])].map(start))

async function start(root: string): Promise<ChildProcess> {
  const args = ['--root', root, '--postgres', values.postgres]
  if (values.profile) args.push('--profile', values.profile)
  const child = fork(fileURLToPath(new URL('./against/side.ts', import.meta.url)), args)
  child.once('exit', (code) => code && process.exit(code))
  await once(child, 'message')
  return child
}

async function ask<T>(side: ChildProcess, message: unknown): Promise<T> {
  side.send(message as object)
  const [answer] = await once(side, 'message')
  return answer as T
}

const total = ({ serviceUs, databaseUs, behindUs }: Costs) => serviceUs + databaseUs + behindUs
const median = (numbers: readonly number[]) => spread(numbers).median
const latency = (all: readonly Costs[]) =>
  `p50 ${median(all.map(({ p50 }) => p50)).toFixed(1)}, p99 ${median(all.map(({ p99 }) => p99)).toFixed(1)} ms`
const inWords = (all: readonly Costs[]) =>
  (['serviceUs', 'databaseUs', 'behindUs'] as const)
    .map((part) => Math.round(median(all.map((one) => one[part]))))
    .join(' + ')

for (const part of values.only.split(',') as Part[]) {
  const costs = sides.map((): Costs[] => [])
  for (let round = 0; round <= Number(values.rounds); round++) {
    // Each side is first in every other round.
    const turns = sides.map((side, n) => ({ side, n }))
    for (const { side, n } of round % 2 ? turns : turns.toReversed()) {
      const cost = await ask<Costs>(side, { part, seconds: round ? seconds : Math.ceil(seconds / 2) })
      // The first round warms up.
      if (round) costs[n]?.push(cost)
    }
    if (round === 0) for (const side of sides) await ask(side, 'analyze')
  }
  const [now = [], before = []] = costs
  console.log(
    `${part}: service + database + behind ${inWords(now)} = ${Math.round(median(now.map(total)))} µs, of ${now.map(total).map(Math.round).join(' ')}; ${latency(now)}`,
  )
  if (before.length === 0) continue
  console.log(
    `  before: ${inWords(before)} = ${Math.round(median(before.map(total)))} µs, of ${before.map(total).map(Math.round).join(' ')}; ${latency(before)}`,
  )
  const ratios = now.map((one, n) => total(one) / total(before[n] as Costs))
  const { median: middle, min, max } = spread(ratios)
  console.log(`  ratio ${middle.toFixed(2)} (${min.toFixed(2)} to ${max.toFixed(2)})`)
}
for (const side of sides) {
  side.send('stop')
  await once(side, 'exit')
}
