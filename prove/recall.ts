// One lot of a component is recalled among 100,000 kits in all states, of four businesses, and the service is killed while it works on
// them: every kit that holds the lot is found and no other, and each is done once. Then it is worse, and everybody is told once more.
// npm run prove:recall -- [--kits n] [--kills n] [--bug name]
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { checkoutWith, type Mistake } from './broken-checkout.ts'
import { run } from './recall/run.ts'
import { isRight, record, report } from './record.ts'

const { values } = parseArgs({
  options: {
    kits: { type: 'string', default: '100000' },
    kills: { type: 'string', default: '3' },
    /** Puts a mistake into a copy of the service: a negative control. */
    bug: { type: 'string' },
    /** Keeps the figures in prove/results. */
    record: { type: 'boolean', default: false },
  },
})

const bugs: Record<string, Mistake> = {
  'a lot of kits counts whatever product it is of': {
    file: 'src/modules/recalls/queries.ts',
    from: 'join stock_boxes b on b.gtin = l.product and b.lot = l.lot where b.kit_id is not null',
    to: 'join stock_boxes b on b.lot = l.lot where b.kit_id is not null',
  },
  'a kit is forgotten when the service dies': {
    file: 'src/modules/recalls/kit-queries.ts',
    from: 'and done_at is null order by kit_id limit',
    to: "and done_at is null and found_at > now() - interval '5 seconds' order by kit_id limit",
  },
}
const { bug } = values
const mistake = bug === undefined ? undefined : bugs[bug]
if (bug !== undefined && !mistake) throw new Error(`Write one of:\n${Object.keys(bugs).join('\n')}`)
const broken = mistake && (await checkoutWith(mistake))
try {
  const figures = await run({
    kits: Number(values.kits),
    kills: Number(values.kills),
    checkout: broken?.folder ?? resolve(import.meta.dirname, '..'),
    say: console.log,
  })
  report(figures)
  if (values.record) record('recall', { promises: [], figures, mistake: bug })
  if (bug !== undefined) {
    const isFound = !figures.every(isRight)
    console.log(`${isFound ? 'right  the mistake was' : 'missed  the mistake was not'} found: ${bug}`)
    process.exitCode = isFound ? 0 : 1
  }
} finally {
  await broken?.remove()
}
