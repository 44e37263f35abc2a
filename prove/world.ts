// Lives through seeded random worlds: businesses, people, cards, a laboratory, carriers, receivers and staff act at once
// while processes, the database, the network, clocks, mail and the gateway fail. In the end what was acknowledged is
// compared with every interface. The same seed gives the same inputs and faults.
import { randomInt } from 'node:crypto'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { POSTGRES_15 } from '../test/harness/debian-cluster.ts'
import { record, report } from './record.ts'
import { brokenCheckout } from './world/bugs.ts'
import { planOf } from './world/plan.ts'
import { runWorld } from './world/run.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: process.env.SEED },
    /** Worlds, with one seed after the other. */
    seeds: { type: 'string', default: '1' },
    journeys: { type: 'string', default: '68' },
    bin: { type: 'string', default: POSTGRES_15 },
    /** Puts a bug in on purpose, and fails unless a world finds it: the negative control. */
    bug: { type: 'string' },
    /** Keeps the figures in prove/results. */
    record: { type: 'boolean', default: false },
  },
})

const first = Number(values.seed ?? randomInt(2 ** 31))
const broken = values.bug === undefined ? undefined : await brokenCheckout(values.bug)
let found = 0
let worlds = 0
const lived: Record<string, number> = {}
try {
  for (let seed = first; seed < first + Number(values.seeds); seed++) {
    const plan = planOf(seed, Number(values.journeys))
    console.log(`seed ${seed}, digest ${plan.digest}: ${plan.journeys.length} journeys, ${plan.faults.length} faults`)
    const checkout = broken?.folder ?? resolve(import.meta.dirname, '..')
    const {
      wrong,
      figures: of,
      answers,
      seconds,
    } = await runWorld(plan, { bin: values.bin, checkout, say: console.log })
    worlds++
    for (const [name, count] of Object.entries(of)) lived[name] = (lived[name] ?? 0) + count
    console.log(`  ${of.orders} orders in ${seconds} s; answers: ${JSON.stringify(answers)}`)
    for (const line of wrong.slice(0, 20)) console.log(`  missed  ${line}`)
    if (wrong.length > 20) console.log(`  and ${wrong.length - 20} more`)
    if (wrong.length > 0) found++
    if (wrong.length > 0 && broken) break
  }
} finally {
  await broken?.remove()
}
const figures = [
  { name: 'worlds with something wrong', actual: found, expected: 0 },
  { name: 'worlds', actual: worlds },
  ...Object.entries(lived).map(([name, actual]) => ({ name, actual })),
]
if (broken) console.log(`${found > 0 ? 'right  the bug was' : 'missed  the bug was not'} found: ${values.bug}`)
else report(figures)
if (values.record) record('world', { promises: [], seed: first, figures, mistake: values.bug })
process.exit(found > 0 === (broken !== undefined) ? 0 : 1)
