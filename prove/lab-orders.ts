// A laboratory loses, delays, refuses and doubles acknowledgements, while the service is killed between sending and the answer. In
// the end both hold the same orders: none is lost, none is doubled.
import { randomInt } from 'node:crypto'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { checkoutWith, type Mistake } from './broken-checkout.ts'
import { run } from './lab-orders/run.ts'
import { isRight, record, report } from './record.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: process.env.SEED },
    orders: { type: 'string', default: '2000' },
    kills: { type: 'string', default: '20' },
    /** Puts a mistake into a copy of the service, and fails unless it is found: the negative control. */
    bug: { type: 'string' },
    /** Keeps the figures in prove/results. */
    record: { type: 'boolean', default: false },
  },
})

const send = 'src/modules/lab-orders/send.ts'
const bugs: Record<string, Mistake> = {
  'a message without an answer counts as accepted': {
    file: send,
    from: 'outcome: undefined,\n        code: [err.code',
    to: "outcome: 'accepted',\n        code: [err.code",
  },
  'an order that is placed anew has a new number each time': {
    file: send,
    from: 'const message = await selectOpenMessage(tx, kitId)\n  if (message) return again(tx, row, message)',
    to: 'const message = await selectOpenMessage(tx, kitId)\n  if (message) { await saveMessage(tx, kitId, { ...message, outcome: "refused" }); return next(system, tx, { kit, row: { ...row, round: row.round + 1 }, action: message.action }) }',
  },
  'a change is forgotten while a message waits': {
    file: 'src/modules/lab-orders/follow.ts',
    from: 'if (row.digest === null || row.pending !== null) return',
    to: 'if (row.digest === null || row.pending !== null || open) return',
  },
}

const { bug } = values
const mistake = bug === undefined ? undefined : bugs[bug]
if (bug !== undefined && !mistake) throw new Error(`Write one of:\n${Object.keys(bugs).join('\n')}`)
const broken = mistake && (await checkoutWith(mistake))
const seed = Number(values.seed ?? randomInt(2 ** 31))
console.log(`seed ${seed}${bug === undefined ? '' : `, with the bug: ${bug}`}`)
try {
  const plan = { seed, orders: Number(values.orders), kills: Number(values.kills), say: console.log }
  const figures = await run(plan, broken?.folder ?? resolve(import.meta.dirname, '..'))
  const found = !figures.every(isRight)
  report(figures)
  if (values.record) record('lab-orders', { promises: [], seed, figures, mistake: bug })
  if (broken) {
    console.log(`${found ? 'right  the bug was' : 'missed  the bug was not'} found: ${bug}`)
    process.exitCode = found ? 0 : 1
  }
} finally {
  await broken?.remove()
}
