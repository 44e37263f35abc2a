// Proves that no request, page or job reads more than it shows or changes, in a database where a business has very many orders:
// npm run prove:plans -- [--orders n] [--postgres 15] [--inject-fault] [--record]
// --inject-fault puts statements of before back, which read all orders, kits and transfers of the business on PostgreSQL 15.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { controls } from './controls/mistakes.ts'
import { record, report } from './record.ts'

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '100000' },
    /** Without it the PostgreSQL that Kitlane brings; with it that of Debian. */
    postgres: { type: 'string' },
    'inject-fault': { type: 'boolean', default: false },
    /** Keeps the figures in prove/results. */
    record: { type: 'boolean', default: false },
  },
})
const root = join(import.meta.dirname, '..')
const test = 'test/database/rows-read.test.ts'
const tests = ['node_modules/vitest/vitest.mjs', 'run', test, '--reporter=tap-flat']
const args = values.postgres === '15' ? ['test/harness/with-postgres-15.ts', process.execPath, ...tests] : tests

/** Runs the tests, and returns how many failed; each prints what reads too much. */
function failed(mistake?: string): number {
  const inject = `--import=${import.meta.resolve('./controls/inject.ts')}`
  const { stdout } = spawnSync(process.execPath, args, {
    cwd: root,
    env: {
      ...process.env,
      PLANS: values.orders,
      ...(mistake && { CONTROL: mistake, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${inject}` }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 1024 ** 3,
  })
  console.log(stdout)
  const results = [...stdout.matchAll(/^(ok|not ok) \d+/gm)].map(([, result]) => result)
  if (results.length === 0) throw new Error('No test was run.')
  return results.filter((result) => result === 'not ok').length
}

const mistakes = values['inject-fault']
  ? controls.filter(({ only }) => only === 'plans').map(({ what }) => what)
  : [undefined]
const figures = mistakes.map((mistake) => ({
  name: `kinds of statements that read more than they show${mistake ? `, with the mistake "${mistake}"` : ''}`,
  actual: failed(mistake),
  expected: 0,
}))
report(figures)
if (values.record) {
  const mistake = values['inject-fault'] ? 'statements of before' : undefined
  record('plans', { promises: [], figures, mistake })
}
