// Everything that is promised about speed, beside its peers in the same run: `npm run bench`, or `npm run bench -- --quick`.
import { writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { openEnvironment } from './suite/environment.ts'
import { measureIntake } from './suite/intake.ts'
import { measureLists } from './suite/lists.ts'
import { measureReading } from './suite/reading.ts'
import { inWords } from './suite/spread.ts'
import { measureStarting } from './suite/starting.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } } })
const { quick, only } = values
const say = (line: string) => console.log(line)
const pace = quick ? { rounds: 2, seconds: 2, say } : { rounds: 5, seconds: 5, say }
const wants = (part: string) => only === undefined || only.split(',').includes(part)

const started = performance.now()
const environment = await openEnvironment()
try {
  say(`${cpus().length} cores, ${cpus()[0]?.model}; ${quick ? 'quick' : 'full'}`)
  const results = {
    at: new Date().toISOString(),
    quick,
    machine: {
      cores: cpus().length,
      cpu: cpus()[0]?.model,
      memoryGb: Math.round(totalmem() / 2 ** 30),
      node: process.version,
    },
    starting: wants('starting')
      ? await part('Starting', () => measureStarting({ ...pace, rounds: quick ? 1 : 3 }))
      : undefined,
    reading: wants('reading') ? await part('Reading one order', () => measureReading(environment, pace)) : undefined,
    ...(wants('intake') ? await part('Taking orders', () => measureIntake(environment, pace)) : {}),
    lists: wants('lists')
      ? await part('Lists', () =>
          measureLists(environment, {
            orders: quick ? 200_000 : 2_000_000,
            businesses: 3000,
            samples: quick ? 7 : 21,
            say,
          }),
        )
      : undefined,
  }
  await writeFile(new URL('./results.json', import.meta.url), `${JSON.stringify(results, null, 2)}\n`)
  summary(results)
  say(
    `${Math.round((performance.now() - started) / 1000)} s; figures in bench/results.json, table: node bench/table.ts`,
  )
} finally {
  await environment.stop()
}

async function part<T>(title: string, work: () => Promise<T>): Promise<T> {
  say(`${title}:`)
  return work()
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

type Results = Awaited<ReturnType<typeof measureIntake>> & {
  starting: Awaited<ReturnType<typeof measureStarting>>
  reading: Awaited<ReturnType<typeof measureReading>>
  lists: Awaited<ReturnType<typeof measureLists>>
}
