// Proves that nobody waits long while every connection of the pool is held: sleeps hold all of them, 200 requests come, and
// the sleeps are ended: npm run prove:pool -- [--rounds n] [--seed n] [--inject-fault]
// --inject-fault lets requests wait ten times as long for a connection, which the figures must show.
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { checkoutWith } from './broken-checkout.ts'
import { run } from './pool/run.ts'
import { record, report } from './record.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: process.env.SEED ?? String(randomInt(2 ** 31)) },
    rounds: { type: 'string', default: '10' },
    requests: { type: 'string', default: '200' },
    'inject-fault': { type: 'boolean', default: false },
    /** Keeps the figures in prove/results. */
    record: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed)
console.log(`seed ${seed}`)
const broken = values['inject-fault']
  ? await checkoutWith({
      file: 'src/platform/database/timeouts.ts',
      from: 'connectionTimeoutMillis: 2000,',
      to: 'connectionTimeoutMillis: 20_000,',
    })
  : undefined
try {
  const figures = await run({
    seed,
    rounds: Number(values.rounds),
    requests: Number(values.requests),
    checkout: broken?.folder,
    say: console.log,
  })
  report(figures)
  if (values.record)
    record('pool', {
      promises: ['R19'],
      seed,
      figures,
      mistake: broken && 'requests wait 20 s for a connection',
    })
} finally {
  await broken?.remove()
}
