// Runs the files whose subject is in what a database does: npm run test:sql -- [options of vitest]. The gate
// does so on PostgreSQL 15, after all tests on 18.
import { spawnSync } from 'node:child_process'
import { basename } from 'node:path'
import { read, root, trackedFiles } from './sources.ts'

/**
 * Files of test/database and test/integrations that need not run again on another PostgreSQL, by what they are about instead. A new file runs on
 * both.
 */
export const leftOut: Readonly<Record<string, readonly string[]>> = {
  'what a request may look like, before anything is asked of the database': [
    'compression',
    'contract',
    'egress-agent',
    'lenient',
    'matrix',
    'proxies',
    'scopes',
    'sockets',
    'spellings',
  ],
  'files of laboratories, which child processes read': ['findings', 'layout-templates', 'uncertain-files'],
  'the words and the drawing of reports': [
    'languages',
    'pdf-languages',
    'person-units',
    'report-content',
    'report-pdf',
    'withdrawal',
  ],
  'the thread of a process that is busy': ['neighbours'],
  'programs that call routes which other files ask, too': ['client', 'mcp-over-http', 'postman'],
}

// Of the others, those about what a server of PostgreSQL does, and about several who change the same rows.
const others = [
  'audit-stream',
  'backup',
  'backup-schedule',
  'clocks',
  'install',
  'node-login',
  'outage',
  'payments-model',
  'pgbouncer',
  'plan-races',
  'replica',
  'roles',
  'shared-counts',
  'shop-races',
  'verification',
  'webhook-order',
]
const OF_SQL = new RegExp(`^test/(?:(?:database|integrations)/[\\w-]+|process/(?:${others.join('|')}))\\.test\\.ts$`)

/** The files that run. */
export function sqlTests(): string[] {
  const without = new Set(Object.values(leftOut).flat())
  const files = trackedFiles().filter((path) => OF_SQL.test(path))
  return read(files.filter((path) => !without.has(basename(path, '.test.ts')))).map(({ path }) => path)
}

if (import.meta.main) {
  const vitest = `${root}node_modules/vitest/vitest.mjs`
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...sqlTests(), ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
}
