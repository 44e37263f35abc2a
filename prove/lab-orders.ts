// A laboratory loses, delays, refuses and doubles acknowledgements while kits are registered, corrected and canceled, and the
// service is killed between a message and its acknowledgement: no order is lost, none is doubled.
// npm run prove:lab-orders -- [--seed n] [--kits n] [--kills n] [--inject-fault] [--bug name]
import { randomInt } from 'node:crypto'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { checkoutWith, type Mistake } from './broken-checkout.ts'
import { run } from './lab-orders/run.ts'
import { isRight, record, report } from './record.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: process.env.SEED },
    kits: { type: 'string', default: '5000' },
    kills: { type: 'string', default: '20' },
    /** The laboratory does not know a message again by its control ID: a negative control. */
    'inject-fault': { type: 'boolean', default: false },
    /** Puts a mistake into a copy of the service: another one. */
    bug: { type: 'string' },
    /** Keeps the figures in prove/results. */
    record: { type: 'boolean', default: false },
  },
})

const bugs: Record<string, Mistake> = {
  'a late answer counts whatever was said since': {
    file: 'src/modules/lab-orders/decision.ts',
    from: "if (!placed || is('cancel')) return 'no'",
    to: "if (!placed || own.some((one) => one.action === 'cancel' && one.outcome === 'accepted' && !(is('new') && placed.answeredAt > one.answeredAt))) return 'no'",
  },
  'an acknowledgement of another message counts': {
    file: 'src/modules/lab-orders/send.ts',
    from: 'if (found && found.controlId === controlId && !isUnclear) return { ...found, answer: body }',
    to: 'if (found) return { ...found, controlId, answer: body }',
  },
}

const { bug } = values
const mistake = bug === undefined ? undefined : bugs[bug]
if (bug !== undefined && !mistake) throw new Error(`Write one of:\n${Object.keys(bugs).join('\n')}`)
const control = values['inject-fault'] ? 'a laboratory that forgets messages' : bug
const broken = mistake && (await checkoutWith(mistake))
const seed = Number(values.seed ?? randomInt(2 ** 31))
console.log(`seed ${seed}${control === undefined ? '' : `, negative control: ${control}`}`)
try {
  const figures = await run({
    seed,
    kits: Number(values.kits),
    kills: Number(values.kills),
    isForgetful: values['inject-fault'],
    checkout: broken?.folder ?? resolve(import.meta.dirname, '..'),
    say: console.log,
  })
  report(figures)
  if (values.record) record('lab-orders', { promises: [], seed, figures, mistake: control })
  if (control !== undefined) {
    const isFound = !figures.every(isRight)
    console.log(`${isFound ? 'right  the mistake was' : 'missed  the mistake was not'} found: ${control}`)
    process.exitCode = isFound ? 0 : 1
  }
} finally {
  await broken?.remove()
}
