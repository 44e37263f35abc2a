// Proves one charge per order, whatever the gateway does: npm run prove:cards -- [--orders n] [--kills n] [--seed n]
// [--inject-fault]. --inject-fault asks the gateway under a new key each time, which the figures must show.
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { checkoutWith } from './broken-checkout.ts'
import { run } from './cards/run.ts'
import { record, report } from './record.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: process.env.SEED ?? String(randomInt(2 ** 31)) },
    orders: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '20' },
    'inject-fault': { type: 'boolean', default: false },
    /** Keeps the figures in prove/results. */
    record: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed)
console.log(`seed ${seed}`)
const broken = values['inject-fault']
  ? await checkoutWith({
      file: 'src/modules/payments/service.ts',
      from: 'keyOf(realm.mode, id, String(keyNumber)),',
      to: 'keyOf(realm.mode, id, String(keyNumber + attempts)),',
    })
  : undefined
try {
  const figures = await run({
    seed,
    orders: Number(values.orders),
    kills: Number(values.kills),
    checkout: broken?.folder,
    say: console.log,
  })
  report(figures)
  if (values.record)
    record('cards', {
      promises: ['R17'],
      seed,
      figures,
      mistake: broken && 'each attempt to charge has a key of its own',
    })
} finally {
  await broken?.remove()
}
