// Proves that tests can fail: runs the test that must find it with one small mistake after another, and fails if it does
// not: npm run prove:controls -- [--only R8] [--seed n]
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { controls } from './controls/mistakes.ts'
import { type Figure, record, report } from './record.ts'

const { values } = parseArgs({
  options: {
    /** Of the generated requests. */
    seed: { type: 'string', default: process.env.SEED ?? '20260101' },
    /** Of one promise, or with these words. */
    only: { type: 'string' },
    /** The negative control: what the mistakes wrap does what it always does, and no test finds it. */
    'inject-fault': { type: 'boolean', default: false },
    /** Keeps the figures in prove/results. */
    record: { type: 'boolean', default: false },
  },
})

interface Ran {
  title: string
  passed: boolean
}

const list = controls.filter(
  ({ promise, what, only }) => !only && (!values.only || promise === values.only || what.includes(values.only)),
)
const since = performance.now()
console.log(`seed ${values.seed}, ${list.length} mistakes`)
const unbroken: string[] = []
const missed: string[] = []
const rows: string[] = []
for (const [test, ofTest] of Map.groupBy(list, (one) => one.test)) {
  const titles = [...new Set(ofTest.map(({ title }) => title))]
  const before = run(test, titles)
  for (const title of titles) {
    const own = before.filter((one) => one.title.includes(title))
    if (own.length !== 1 || !own[0]?.passed) unbroken.push(`${test}: ${title}`)
  }
  for (const { promise, what, title } of ofTest) {
    const ran = run(test, [title], what).find((one) => one.title.includes(title))
    if (!ran || ran.passed) missed.push(what)
    const found = ran?.passed ? 'NOT FOUND' : ran ? `${test}: ${title}` : 'NOT RUN'
    rows.push(`| ${promise} | ${what} | ${found} |`)
    console.log(rows.at(-1))
  }
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
    mistake: values['inject-fault'] ? 'wrapped exports that are not wrong' : undefined,
  })

/** Runs those tests of a file whose titles hold one of the texts, with a mistake. Empty if the file could not be run. */
function run(test: string, titles: readonly string[], mistake?: string): Ran[] {
  const pattern = titles.map((title) => title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  const args = ['node_modules/vitest/vitest.mjs', 'run', test, '-t', pattern, '--reporter=tap-flat']
  const inject = `--import=${import.meta.resolve('./controls/inject.ts')}`
  const { stdout } = spawnSync(process.execPath, args, {
    cwd: join(import.meta.dirname, '..'),
    env: {
      ...process.env,
      SEED: values.seed,
      SHARE: '1',
      MATRICES: 'whole',
      ...(mistake && { CONTROL: mistake, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${inject}` }),
      ...(values['inject-fault'] && { CONTROL_HARMLESS: '1' }),
    },
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
    maxBuffer: 1024 ** 3,
  })
  return [...stdout.matchAll(/^(ok|not ok) \d+ - (?!.*# SKIP)(.*)$/gm)].map(([, how, title = '']) => ({
    title,
    passed: how === 'ok',
  }))
}
