// Measures every performance figure that we publish, with its baseline in the same run:
// `npm run bench [-- --quick] [--only reading,placement] [--postgres 15]`. Only a full run writes bench/results.json.
import { writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { isPostgresVersion } from './suite/cluster.ts'
import { openEnvironment } from './suite/environment.ts'
import { measureFirstMinute, type Start } from './suite/first-minute.ts'
import { measureLists } from './suite/lists.ts'
import { measurePlacement } from './suite/placement.ts'
import { measureReading } from './suite/reading.ts'
import { measureStarting } from './suite/starting.ts'
import { summary } from './suite/summary.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    postgres: { type: 'string', default: '18' },
    'minutes-between': { type: 'string', default: '0' },
  },
})
const { quick, postgres } = values
if (!isPostgresVersion(postgres)) throw new Error('--postgres is 15 (of Debian) or 18 (the embedded one)')
const titles = {
  starting: 'Starting',
  'first-minute': 'The first minute of a new database',
  reading: 'Reading one order',
  placement: 'Placing orders',
  intake: 'Placing orders, rates only',
  lists: 'Lists',
}
const only = values.only?.split(',')
const unknown = only?.find((name) => !(name in titles))
if (unknown !== undefined) throw new Error(`--only knows ${Object.keys(titles).join(', ')}, not ${unknown}`)

const say = (line: string) => console.log(line)
const pace = quick ? { rounds: 2, seconds: 2, say } : { rounds: 5, seconds: 5, say }
const started = performance.now()
const failed: string[] = []
const environment = await openEnvironment({ postgres })
const file = quick || only ? 'partial.json' : 'results.json'
try {
  say(`${cpus().length} cores, ${cpus()[0]?.model}; PostgreSQL ${postgres}; ${quick ? 'quick' : 'full'}`)
  const starting = await part('starting', () => measureStarting({ ...pace, rounds: quick ? 1 : 3 }))
  const starts: Start[] = ['untouched', ...(quick ? [] : ['vacuumed while empty' as const]), 'vacuumed after 20 orders']
  const phases = { postgres, starts, seconds: quick ? 10 : 60, minutesBetween: Number(values['minutes-between']), say }
  const firstMinute = await part('first-minute', () => measureFirstMinute(environment, phases))
  const reading = await part('reading', () => measureReading(environment, pace))
  const justIntake = only !== undefined && !only.includes('placement')
  const placement = await part(justIntake ? 'intake' : 'placement', () =>
    measurePlacement(environment, pace, attempt, { justIntake }),
  )
  const sizes = quick ? { orders: 100_000, samples: 5 } : { orders: 2_000_000, samples: 21 }
  const lists = await part('lists', () => measureLists(environment, { ...sizes, businesses: 3000, say }))
  const results = {
    at: new Date().toISOString(),
    quick,
    postgres,
    machine: {
      cores: cpus().length,
      cpu: cpus()[0]?.model,
      memoryGb: Math.round(totalmem() / 2 ** 30),
      node: process.version,
    },
    starting,
    firstMinute,
    reading,
    ...placement,
    lists,
  }
  await writeFile(new URL(`./${file}`, import.meta.url), `${JSON.stringify(results, null, 2)}\n`)
  for (const line of summary(results)) say(line)
  if (failed.length > 0) {
    say(`Failed, and missing from the figures: ${failed.join(', ')}`)
    process.exitCode = 1
  }
  say(`${seconds()} s; figures in bench/${file}`)
} finally {
  await environment.stop()
}

async function part<T>(name: keyof typeof titles, work: () => Promise<T>): Promise<T | undefined> {
  if (only && !only.includes(name)) return undefined
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
