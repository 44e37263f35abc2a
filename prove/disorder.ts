// A laboratory's messages come in disorder, doubled, and lost and sent again, while the service is killed. In the end each
// report must show what stands in the order in which the laboratory wrote them.
import { randomInt } from 'node:crypto'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { checkoutWith, type Mistake } from './broken-checkout.ts'
import { run } from './disorder/run.ts'
import { isRight, record, report } from './record.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: process.env.SEED },
    messages: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '20' },
    /** Puts a mistake into a copy of the service, and fails unless it is found: the negative control. */
    bug: { type: 'string' },
    /** Keeps the figures in prove/results. */
    record: { type: 'boolean', default: false },
  },
})

const standing = 'packages/lab-reader/src/standing/standing.ts'
const bugs: Record<string, Mistake> = {
  'the last message wins': {
    file: standing,
    from: 'const stands = newest(highest) ?? newest(withdrawals)',
    to: 'const stands = statements.at(-1)',
  },
  'a withdrawal takes only what came before it': {
    file: standing,
    from: 'if (order !== 0 || withdrawal.isOpen) return order > 0',
    to: 'if (withdrawal.isOpen) return order > 0',
  },
  'a corrected value counts like a final one': {
    file: standing,
    from: 'final: 2, corrected: 3',
    to: 'final: 3, corrected: 3',
  },
}

const { bug } = values
const mistake = bug === undefined ? undefined : bugs[bug]
if (bug !== undefined && !mistake) throw new Error(`Write one of:\n${Object.keys(bugs).join('\n')}`)
const broken = mistake && (await checkoutWith(mistake))
const seed = Number(values.seed ?? randomInt(2 ** 31))
console.log(`seed ${seed}${bug === undefined ? '' : `, with the bug: ${bug}`}`)
try {
  const plan = { seed, messages: Number(values.messages), kills: Number(values.kills), say: console.log }
  const figures = await run(plan, broken?.folder ?? resolve(import.meta.dirname, '..'))
  const found = !figures.every(isRight)
  report(figures)
  if (values.record) record('disorder', { promises: [], seed, figures, mistake: bug })
  if (broken) {
    console.log(`${found ? 'right  the bug was' : 'missed  the bug was not'} found: ${bug}`)
    process.exitCode = found ? 0 : 1
  }
} finally {
  await broken?.remove()
}
