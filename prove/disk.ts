// Proves that a full disk means refusal, not loss: PostgreSQL's data, its log and our own files each stand on a small tmpfs
// that is filled under load: npm run prove:disk -- [--seed n] [--inject-fault]. It needs root, for mount.
// --inject-fault deletes an order that was acknowledged and leaves half a file, which the figures must show.
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { POSTGRES_15 } from '../test/harness/debian-cluster.ts'
import { run } from './disk/run.ts'
import { record, report } from './record.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: process.env.SEED ?? String(randomInt(2 ** 31)) },
    /** Orders before each disk is filled. */
    orders: { type: 'string', default: '2000' },
    bin: { type: 'string', default: POSTGRES_15 },
    'inject-fault': { type: 'boolean', default: false },
    /** Keeps the figures in prove/results. */
    record: { type: 'boolean', default: false },
  },
})
if (process.getuid?.() !== 0) {
  console.log('This proof mounts file systems: run it as root.')
  process.exit(1)
}
const seed = Number(values.seed)
console.log(`seed ${seed}`)
const figures = await run({
  seed,
  orders: Number(values.orders),
  bin: values.bin,
  injectFault: values['inject-fault'],
  say: console.log,
})
report(figures)
if (values.record)
  record('disk', {
    promises: ['R10'],
    seed,
    figures,
    mistake: values['inject-fault'] ? 'an order deleted, half a file left' : undefined,
  })
