// Runs the proofs one after another and prints a table of them: npm run prove:all -- [--short] [--install] [--record]
// [--shard 1/3]. --short: those of the gate, in its forms; else all, in their own length. One that fails stops no other.
import { parseArgs } from 'node:util'
import { installing, missingOf } from './debian.ts'
import { gateProofs, nightlyProofs } from './proofs.ts'
import { recordRight } from './right-at.ts'
import { type Step, type Taken, tableOf, take } from './steps.ts'
import { here } from './upgrade/before.ts'

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    /** Installs missing packages of Debian's, as root. */
    install: { type: 'boolean', default: false },
    /** Keeps the commit of each proof that was right, for the gate. */
    record: { type: 'boolean', default: false },
    /** Such as `2/3`: every third one, from the second on. */
    shard: { type: 'string', default: '1/1' },
  },
})
const [shard = 1, shards = 1] = values.shard.split('/').map(Number)
const all = values.short ? gateProofs : [...gateProofs, ...nightlyProofs]
const chosen = all.filter((_, index) => index % shards === shard - 1)
if (chosen.length === 0) throw new Error(`${values.shard} is no shard. Write one such as 2/3.`)

const taken: Taken[] = []
const missing = missingOf(chosen.flatMap(({ debian = [] }) => debian))
if (missing.length > 0 && values.install)
  taken.push(await take({ name: 'packages of Debian', commands: [installing(missing)] }, here))
else if (missing.length > 0) console.log(`Missing packages of Debian's, or add --install: ${missing.join(' ')}`)

for (const proof of chosen) {
  const args = values.short && 'short' in proof ? ['--', ...proof.short] : []
  const step: Step = { name: `prove:${proof.name}`, commands: [['npm', 'run', `prove:${proof.name}`, ...args]] }
  taken.push(await take(step, here))
}
console.log(`\n${tableOf(taken)}`)
if (values.record)
  recordRight(
    chosen.map(({ name }) => name).filter((name) => taken.some((one) => one.right && one.name === `prove:${name}`)),
  )
if (taken.some(({ right }) => !right)) process.exitCode = 1
