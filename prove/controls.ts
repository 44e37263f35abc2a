// Proves that tests can fail: puts one small mistake after another into a copy of the committed source, runs the test that
// must find it, and fails if it does not: npm run prove:controls -- [--only R8] [--seed n]
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { copyCheckout } from './broken-checkout.ts'
import { type Control, controls } from './controls/mistakes.ts'
import { type Figure, record, report } from './record.ts'

const { values } = parseArgs({
  options: {
    /** Of the generated requests. */
    seed: { type: 'string', default: process.env.SEED ?? '20260101' },
    /** Of one promise, or with these words. */
    only: { type: 'string' },
    /** The negative control: a mistake that changes nothing, which no test finds. */
    'inject-fault': { type: 'boolean', default: false },
    /** Keeps the figures in prove/results. */
    record: { type: 'boolean', default: false },
  },
})

interface Ran {
  title: string
  passed: boolean
}

const chosen = controls.filter(
  ({ promise, what }) => !values.only || promise === values.only || what.includes(values.only),
)
const list: readonly Control[] = values['inject-fault']
  ? chosen.slice(0, 1).map(({ from, ...one }) => ({ ...one, from, to: `${from} /* as it was */` }))
  : chosen
const since = performance.now()
console.log(`seed ${values.seed}, ${list.length} mistakes`)
const copy = await copyCheckout()
const unbroken: string[] = []
const missed: string[] = []
const rows: string[] = []
try {
  for (const [test, ofTest] of Map.groupBy(list, (one) => one.test)) {
    const titles = [...new Set(ofTest.map(({ title }) => title))]
    const before = run(test, titles)
    for (const title of titles) {
      const own = before.filter((one) => one.title.includes(title))
      if (own.length !== 1 || !own[0]?.passed) unbroken.push(`${test}: ${title}`)
    }
    for (const { promise, what, title, also, ...mistake } of ofTest) {
      const undo = [mistake, ...(also ? [also] : [])].map((one) => copy.put(one))
      const found = run(test, [title]).some((one) => one.title.includes(title) && !one.passed)
      for (const step of undo) step()
      if (!found) missed.push(what)
      rows.push(`| ${promise} | ${what} | ${found ? `${test}: ${title}` : 'NOT FOUND'} |`)
      console.log(rows.at(-1))
    }
  }
} finally {
  await copy.remove()
}

for (const one of unbroken) console.log(`does not pass without a mistake, or is not one test: ${one}`)
const figures: Figure[] = [
  { name: 'mistakes found by their test', actual: list.length - missed.length, expected: list.length },
  { name: 'tests that do not pass without a mistake', actual: unbroken.length, expected: 0 },
  { name: 'promises', actual: new Set(list.map(({ promise }) => promise)).size },
  { name: 'took', actual: Math.round((performance.now() - since) / 1000), unit: 's' },
]
report(figures)
if (values.record)
  record('controls', {
    promises: [...new Set(list.map(({ promise }) => promise))],
    seed: Number(values.seed),
    figures,
    mistake: values['inject-fault'] ? 'a change that is no mistake' : undefined,
  })

/** Runs those tests of a file whose titles hold one of the texts. Empty if the file could not be run. */
function run(test: string, titles: readonly string[]): Ran[] {
  const out = join(copy.folder, 'coverage', 'tests.json')
  rmSync(out, { force: true })
  const vitest = join(copy.folder, 'node_modules', 'vitest', 'vitest.mjs')
  const pattern = titles.map((title) => title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  const args = [vitest, 'run', test, '-t', pattern, '--reporter=json']
  spawnSync(process.execPath, args, {
    cwd: copy.folder,
    env: { ...process.env, SEED: values.seed, SHARE: '1', MATRICES: 'whole' },
    stdio: 'ignore',
  })
  const { testResults } = JSON.parse(readFileSync(out, 'utf8')) as {
    testResults: { assertionResults: { fullName: string; status: string }[] }[]
  }
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed' || status === 'failed')
    .map(({ fullName, status }) => ({ title: fullName, passed: status === 'passed' }))
}
