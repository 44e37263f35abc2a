// Proves that wrong clocks do no harm: the clocks of two workers and an API jump by -2 h, +25 h and +3 d while they work:
// npm run prove:clocks -- [--jobs n] [--seed n] [--inject-fault]. It takes libfaketime, Debian's package of that name.
// --inject-fault lets the service go by its own clock instead of the database's, which the figures must show.
import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { checkoutWith } from './broken-checkout.ts'
import { run } from './clocks/run.ts'
import { record, report } from './record.ts'
import { here } from './upgrade/before.ts'

const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: process.env.SEED ?? String(randomInt(2 ** 31)) },
    jobs: { type: 'string', default: '2000' },
    faketime: { type: 'string', default: LIBRARY },
    'inject-fault': { type: 'boolean', default: false },
    /** Keeps the figures in prove/results. */
    record: { type: 'boolean', default: false },
  },
})
if (!existsSync(values.faketime)) {
  console.log(`${values.faketime} is not there: apt-get install libfaketime, or name it with --faketime.`)
  process.exit(1)
}
const seed = Number(values.seed)
console.log(`seed ${seed}`)
const broken = values['inject-fault']
  ? await checkoutWith({
      file: 'src/platform/database/heartbeat.ts',
      from: 'return new Date(this.#startMs + performance.now())',
      to: 'return new Date()',
    })
  : undefined
try {
  const figures = await run({
    seed,
    jobs: Number(values.jobs),
    faketime: values.faketime,
    checkout: broken?.folder ?? here,
    say: console.log,
  })
  report(figures)
  if (values.record)
    record('clocks', { promises: ['R11'], seed, figures, mistake: broken && 'the clock of the process counts' })
} finally {
  await broken?.remove()
}
