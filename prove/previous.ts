// Proves that the release before works on the schema of this checkout, as it must during a rolling upgrade and after a rollback:
// its own tests of the database run with the migrations that came since. A test that fails without them, too, does not count.
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openEmbedded } from '../src/platform/database/embedded/cluster.ts'
import { addMigrations, removeMigrations } from './previous/migrations.ts'
import { type Ran, runTests } from './previous/tests.ts'
import { record, report } from './record.ts'
import { checkOut, commitBefore } from './upgrade/before.ts'

const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    /** Orders, kits, registration, webhooks and reports alone. */
    short: { type: 'boolean', default: false },
    /** These alone, such as `orders,kits`. */
    tests: { type: 'string' },
    /** The negative control: one more migration, which refuses what the release before writes. */
    'inject-fault': { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
})

const SHORT = ['orders', 'kits', 'portal', 'webhooks', 'reports']
// 0157 takes away from everybody that the id and time of an entry of the audit are written, which these tests do to have old ones.
const WRITES_AUDIT = ['alarms', 'archive', 'audit-access', 'who-saw']
// What lists the schema itself fails with each new table, and breaks nothing.
const LISTS_SCHEMA = /every (?:table|column)/
// What the tests of these try is not what the schema may break, or is the schema itself, which they list table by table.
const LEFT_OUT =
  /^(?:client|cli|compression|contract|dashboard-api|doctor|drift|dump|encryption-key|install|isolation|master-keys|matrix|mcp.*|migrations|monitoring|node-login|ocr|outage.*|pgbouncer|postman|proofs|proxies|replica|restored|roles|row-security|sockets|stopping|time-columns)$/

// What several workers do with the same rows.
const SEVERAL = ['payments-model', 'plan-races', 'shop-races', 'webhook-order']

async function prove(commit: string): Promise<void> {
  const undo: (() => Promise<unknown>)[] = []
  try {
    const before = await checkOut(commit)
    undo.push(before.remove)
    const env = await databaseFor(undo)
    const added = addMigrations(before.folder, { isBroken: values['inject-fault'] })
    console.log(`The tests of ${before.subject} with ${added.length} migrations that came since.`)
    const ran = await runTests(before.folder, filesOf(before.folder), env)
    const failed = failedOf(ran).filter(({ title }) => !LISTS_SCHEMA.test(title))
    // What fails once may have waited for a busy machine.
    const twice = await againIn(before.folder, failed, env)
    removeMigrations(before.folder, added)
    const alone = await againIn(before.folder, twice, env)
    const broken = twice.filter(({ title }) => !alone.some((one) => one.title === title))
    for (const { title, failure } of broken) console.log(`broken: ${title}\n        ${failure}`)
    const figures = [
      {
        name: 'tests of the release before',
        actual: ran.length,
        expected: values.tests ? 1 : values.short ? 100 : 500,
        atLeast: true,
      },
      { name: 'of them fail without the new migrations, too', actual: alone.length },
      { name: 'of them are broken by the new migrations', actual: broken.length, expected: 0 },
    ]
    report(figures)
    if (values.record)
      record('previous', {
        promises: [],
        figures,
        mistake: values['inject-fault'] ? 'a migration that refuses' : undefined,
      })
  } finally {
    for (const step of undo.reverse()) await step()
  }
}

function filesOf(folder: string): string[] {
  const only = values.tests?.split(',') ?? (values.short ? SHORT : undefined)
  const testsIn = (part: string) =>
    existsSync(join(folder, part))
      ? readdirSync(join(folder, part)).flatMap((file) => /^(.+)\.test\.ts$/.exec(file)?.[1] ?? [])
      : []
  // What the folders of tests are called differs between versions.
  const ofDatabase = ['test/database', 'test/integrations'].flatMap((part) =>
    testsIn(part)
      .filter((name) => (only ? only.includes(name) : !WRITES_AUDIT.includes(name) && !LEFT_OUT.test(name)))
      .map((name) => `${part}/${name}.test.ts`),
  )
  const ofSeveral = testsIn('test/process').filter((name) => SEVERAL.includes(name) && (!only || only.includes(name)))
  return [...ofDatabase, ...ofSeveral.map((name) => `test/process/${name}.test.ts`)]
}

const failedOf = (ran: readonly Ran[]): Ran[] => ran.filter(({ failure }) => failure !== undefined)

/** Which of these tests fail when their files run again. */
async function againIn(folder: string, tests: readonly Ran[], env: Record<string, string>): Promise<Ran[]> {
  if (tests.length === 0) return []
  const ran = await runTests(folder, [...new Set(tests.map(({ file }) => file))], env)
  return failedOf(ran).filter(({ title }) => tests.some((one) => one.title === title))
}

/** The server of TEST_DATABASE_URL, or an embedded one. */
async function databaseFor(undo: (() => Promise<unknown>)[]): Promise<Record<string, string>> {
  if (process.env.TEST_DATABASE_URL) return { TEST_DATABASE_URL: process.env.TEST_DATABASE_URL }
  const folder = await mkdtemp(join(tmpdir(), 'kitlane-previous-'))
  undo.push(() => rm(folder, { recursive: true, force: true }))
  const cluster = await openEmbedded({ dataDir: folder })
  undo.push(() => cluster.stop())
  return { TEST_DATABASE_URL: cluster.ownerUrl }
}

const commit = commitBefore(values.before)
if (commit) await prove(commit)
else
  console.log(
    'SKIPPED: this clone does not hold the release before. Fetch the whole history (git fetch --unshallow --tags) and run it again.',
  )
