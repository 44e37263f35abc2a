// Proves that every event reaches the endpoint, whatever fails:
// npm run prove:webhooks -- [--seed n] [--events n] [--kills n] [--inject-faults]
import { randomInt } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { record, report } from './record.ts'
import { type Plan, run } from './webhooks/run.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: process.env.SEED },
    events: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '20' },
    'inject-faults': { type: 'boolean', default: false },
    json: { type: 'string' },
    /** Keeps the figures in prove/results. */
    record: { type: 'boolean', default: false },
  },
})

const plan: Plan = {
  seed: Number(values.seed ?? randomInt(2 ** 31)),
  events: Number(values.events),
  kills: Number(values.kills),
  injectFaults: values['inject-faults'],
  databaseUrl: process.env.TEST_DATABASE_URL,
  say: (line) => console.log(line),
}
console.log(`seed ${plan.seed}${plan.injectFaults ? ', faults injected' : ''}`)
const result = await run(plan)
report(result.figures)
console.log(`${result.database}; ${result.requests} requests, faults ${JSON.stringify(result.faults)}`)
console.log(
  `after a kill, first arrival: ${spread(result.arrivedAgainMs)}; all leases taken over: ${spread(result.takenOverMs)}`,
)
console.log(`all delivered ${result.drainedMs} ms after the start, with retries made due at once`)
if (values.json)
  await writeFile(values.json, `${JSON.stringify({ ...plan, databaseUrl: undefined, ...result }, null, 2)}\n`)
if (values.record)
  record('webhooks', {
    promises: ['R5'],
    seed: plan.seed,
    figures: result.figures,
    mistake: plan.injectFaults ? 'a receiver that forgets' : undefined,
  })

function spread(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  return `median ${sorted[Math.floor(sorted.length / 2)]} ms, slowest ${sorted.at(-1)} ms`
}
