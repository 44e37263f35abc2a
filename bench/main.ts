// Measures every performance figure that we publish, with its baseline in the same run: `npm run bench [-- --quick]`.
import { writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { openEnvironment } from './suite/environment.ts'
import { measureLists } from './suite/lists.ts'
import { measurePlacement } from './suite/placement.ts'
import { measureReading } from './suite/reading.ts'
import { inWords } from './suite/spread.ts'
import { measureStarting } from './suite/starting.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } } })
const { quick, only } = values
const say = (line: string) => console.log(line)
const pace = quick ? { rounds: 2, seconds: 2, say } : { rounds: 5, seconds: 5, say }
const titles = { starting: 'Starting', reading: 'Reading one order', placement: 'Placing orders', lists: 'Lists' }

const started = performance.now()
const failed: string[] = []
const environment = await openEnvironment()
try {
  say(`${cpus().length} cores, ${cpus()[0]?.model}; ${quick ? 'quick' : 'full'}`)
  const starting = await part('starting', () => measureStarting({ ...pace, rounds: quick ? 1 : 3 }))
  const reading = await part('reading', () => measureReading(environment, pace))
  const placement = await part('placement', () => measurePlacement(environment, pace, attempt))
  const sizes = quick ? { orders: 100_000, samples: 5 } : { orders: 2_000_000, samples: 21 }
  const lists = await part('lists', () => measureLists(environment, { ...sizes, businesses: 3000, say }))
  const results = {
    at: new Date().toISOString(),
    quick,
    machine: {
      cores: cpus().length,
      cpu: cpus()[0]?.model,
      memoryGb: Math.round(totalmem() / 2 ** 30),
      node: process.version,
    },
    ...{ starting, reading, ...placement, lists },
  }
  await writeFile(new URL('./results.json', import.meta.url), `${JSON.stringify(results, null, 2)}\n`)
  summary(results)
  if (failed.length > 0) {
    say(`Failed, and missing from the figures: ${failed.join(', ')}`)
    process.exitCode = 1
  }
  say(`${seconds()} s; figures in bench/results.json, table: node bench/table.ts`)
} finally {
  await environment.stop()
}

async function part<T>(name: keyof typeof titles, work: () => Promise<T>): Promise<T | undefined> {
  if (only !== undefined && !only.split(',').includes(name)) return undefined
  say(`${titles[name]} (after ${seconds()} s):`)
  const result = await attempt(name, work)
  await environment.stopPrograms()
  return result
}

/** A failed part does not discard the figures of the others. */
async function attempt<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (err) {
    failed.push(name)
    say(`  ${name} failed: ${err instanceof Error ? err.stack : err}`)
    return undefined
  }
}

function seconds(): number {
  return Math.round((performance.now() - started) / 1000)
}

function summary({ starting, reading, lists, ...rest }: { [name: string]: unknown } & Partial<Results>): void {
  for (const one of rest.intake ?? []) {
    say(
      `orders/s, ${one.businesses} business(es): ${inWords(one.groups.rate)}; one by one ${inWords(one.oneByOne.rate)}`,
    )
    if (one.pgbench && one.groupsToPgbench) {
      say(
        `  pgbench, the better of 8 and 32 clients: ${inWords(one.pgbench.best)}; ratio ${inWords(one.groupsToPgbench, 2)}`,
      )
    }
  }
  if (rest.halfLoad)
    say(`p99 at half load (${Math.round(rest.halfLoad.rate)}/s): ${inWords(rest.halfLoad.p99Ms, 1)} ms`)
  if (rest.cost) say(`share of row-level security, idempotency and audit: ${inWords(rest.cost.share, 2)}`)
  if (reading)
    say(
      `one order/s: ${inWords(reading.ours)}; bare Fastify ${inWords(reading.bare)}; ratio ${inWords(reading.ratio, 2)}`,
    )
  if (lists)
    say(
      `worst list page, ${lists.orders} to ${lists.smallOrders} orders: ${lists.worst.ratio.toFixed(2)} (${lists.worst.list}?${lists.worst.filter}, ${lists.worst.page})`,
    )
  if (starting) say(`start: ${inWords(starting.seconds, 2)} s; idle ${inWords(starting.idleMb)} MB`)
}

type Results = Awaited<ReturnType<typeof measurePlacement>> & {
  starting: Awaited<ReturnType<typeof measureStarting>>
  reading: Awaited<ReturnType<typeof measureReading>>
  lists: Awaited<ReturnType<typeof measureLists>>
}
