import { randomInt } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { type Plan, type Result, run } from './crash/run.ts'
import { type Figure, record, report } from './record.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: process.env.SEED },
    rows: { type: 'string', default: '10000' },
    'card-rows': { type: 'string', default: '1000' },
    orders: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '20' },
    'database-kills': { type: 'string', default: '4' },
    'only-external': { type: 'boolean', default: false },
    'inject-faults': { type: 'boolean', default: false },
    json: { type: 'string' },
    /** Keeps the figures in prove/results. */
    record: { type: 'boolean', default: false },
  },
})

const seed = Number(values.seed ?? randomInt(2 ** 31))
const plan: Plan = {
  seed,
  rows: Number(values.rows),
  cardRows: Number(values['card-rows']),
  orders: Number(values.orders),
  serviceKills: Number(values.kills),
  databaseKills: Number(values['database-kills']),
  injectFaults: values['inject-faults'],
  say: (line) => console.log(line),
}

const databases: [string, string | undefined][] = values['only-external'] ? [] : [['embedded PostgreSQL', undefined]]
if (process.env.TEST_DATABASE_URL) databases.push(['the server of TEST_DATABASE_URL', process.env.TEST_DATABASE_URL])

const results: Record<string, Result> = {}
for (const [name, databaseUrl] of databases) {
  console.log(`\n${name}, seed ${seed}${plan.injectFaults ? ', faults injected' : ''}`)
  const result = await run({ ...plan, databaseUrl })
  results[name] = result
  summarize(result)
}
if (values.json)
  await writeFile(values.json, `${JSON.stringify({ plan: { ...plan, say: undefined }, results }, null, 2)}\n`)
const on = (name: string, figure: Figure): Figure =>
  databases.length === 1 ? figure : { ...figure, name: `${figure.name} (${name})` }
if (values.record)
  record('crash', {
    promises: ['R4'],
    seed,
    figures: Object.entries(results).flatMap(([name, { figures }]) => figures.map((figure) => on(name, figure))),
    mistake: plan.injectFaults ? 'no idempotency keys, damage put into the database' : undefined,
  })

function summarize({ kills, drainedMs, slowestOrderMs, answers, figures }: Result): void {
  report(figures)
  const resumed = kills.flatMap(({ resumedMs }) => resumedMs ?? []).sort((a, b) => a - b)
  const ready = kills.map(({ readyMs }) => readyMs).sort((a, b) => a - b)
  console.log(
    `kills: ${kills.length}; ready again (median, slowest): ${spread(ready)}; bulk job resumed: ${spread(resumed)}`,
  )
  console.log(`all work finished ${drainedMs} ms after the last kill; slowest card order ${slowestOrderMs} ms`)
  console.log(`answers: ${JSON.stringify(answers)}`)
}

function spread(sorted: readonly number[]): string {
  return sorted.length === 0 ? 'never' : `${sorted[Math.floor(sorted.length / 2)]} ms, ${sorted.at(-1)} ms`
}
