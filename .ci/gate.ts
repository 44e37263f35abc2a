// The merge gate, once the packages are there: sources, all tests, those of SQL on PostgreSQL 15 again, and the proofs that
// are due. `--began <seconds> --cpu <first line of /proc/stat>`: when `npm ci` began.
import { spawnSync } from 'node:child_process'
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installing, missingOf } from '../prove/debian.ts'
import { dueOf, readHistory } from '../prove/due.ts'
import { gateProofs } from '../prove/proofs.ts'
import { rightAt } from '../prove/right-at.ts'
import { type Command, machineCpuS, since, type Taken, tableOf, take } from '../prove/steps.ts'

const root = join(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    began: { type: 'string' },
    cpu: { type: 'string' },
    /** Says what would run, and runs nothing. */
    plan: { type: 'boolean', default: false },
  },
})
const taken: Taken[] = []
if (values.began) {
  const wallS = Date.now() / 1000 - Number(values.began)
  taken.push({ name: 'npm ci', right: true, wallS, cpuS: since(machineCpuS(values.cpu ?? '')) })
}

const due = dueOf(gateProofs, readHistory(root, { env: process.env, recorded: rightAt() }))
console.log('The proofs of this run:')
for (const { proof, because } of due) console.log(`  prove:${proof.name}, because ${because}`)
if (values.plan) process.exit()

const script = (name: string, ...args: string[]): Command => [
  ...['npm', 'run', name],
  ...(args.length > 0 ? ['--', ...args] : []),
]
const step = async (name: string, ...commands: Command[]) => void taken.push(await take({ name, commands }, root))

/** Runs tests and keeps their report. A report of an earlier run would hide that there is none. */
async function tests(name: string, report: string): Promise<void> {
  rmSync(join(root, 'coverage/tests.json'), { force: true })
  rmSync(join(root, report), { force: true })
  await step(name, script(name))
  try {
    copyFileSync(join(root, 'coverage/tests.json'), join(root, report))
  } catch {
    // It broke before its end. The summary says that there is no report.
  }
}

// Tests and PostgreSQL 15 need the first two. apt-get mostly waits, so it runs beside what reads the sources.
const missing = missingOf(['postgresql-15', 'pgbouncer', ...due.flatMap(({ proof }) => proof.debian ?? [])])
const sources = ['types', 'lint', 'lint:openapi', 'unused']
await step(
  `${sources.join(', ')}${missing.length > 0 ? ', packages of Debian' : ''}`,
  ...sources.map((name) => script(name)),
  ...(missing.length > 0 ? [installing(missing)] : []),
)
const reports = { 'test:all': 'coverage/tests-embedded.json', 'test:postgres-15': 'coverage/tests-postgres-15.json' }
for (const [name, report] of Object.entries(reports)) await tests(name, report)
for (const { proof } of due) await step(`prove:${proof.name}`, script(`prove:${proof.name}`, ...proof.short))

console.log(`\n${tableOf(taken)}\n`)
const summary = ['.ci/summary.js', ...Object.values(reports)]
const { status } = spawnSync(process.execPath, summary, { cwd: root, stdio: 'inherit' })
if (status !== 0 || taken.some(({ right }) => !right)) process.exitCode = 1
