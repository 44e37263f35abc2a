// The merge gate, once the packages are there: sources, all tests, those of SQL on PostgreSQL 15 again, and the proofs that
// are due. `--began <seconds> --cpu <first line of /proc/stat>`: when `npm ci` began.
import { spawnSync } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installing, missingOf } from '../prove/debian.ts'
import { dueOf, readHistory } from '../prove/due.ts'
import { type GateProof, gateProofs } from '../prove/proofs.ts'
import { rightAt } from '../prove/right-at.ts'
import { type Command, machineCpuS, since, type Taken, tableOf, take, takeBeside } from '../prove/steps.ts'

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

// Each run draws the same cases: what passed on one machine is not refused on another for a draw that nobody saw. The nightly
// workflow draws others each night.
process.env.SEED ??= '102644897'
console.log(`SEED=${process.env.SEED}`)

const history = readHistory(root, { env: process.env, recorded: rightAt() })
const due = dueOf(gateProofs, history)
console.log('The proofs of this run:')
for (const { proof, because } of due) console.log(`  prove:${proof.name}, because ${because}`)
if (values.plan) process.exit()

const script = (name: string, ...args: string[]): Command => [
  ...['npm', 'run', name],
  ...(args.length > 0 ? ['--', ...args] : []),
]
const step = async (name: string, ...commands: Command[]) => void taken.push(await take({ name, commands }, root))

const reports: string[] = []

/** Takes a step that runs tests and keeps their report. One of an earlier run would hide that there is none. */
async function stepWithReport(name: string, command: Command): Promise<void> {
  const [latest, report] = [join(root, 'coverage/tests.json'), join(root, `coverage/${name.replaceAll(':', '-')}.json`)]
  for (const path of [latest, report]) rmSync(path, { force: true })
  await step(name, command)
  reports.push(report)
  // Tests that broke before their end leave no report, which the summary says.
  if (existsSync(latest)) renameSync(latest, report)
}

// Tests and PostgreSQL 15 need the first two. apt-get mostly waits, so it runs beside what reads the sources.
const missing = missingOf(['postgresql-15', 'pgbouncer', ...due.flatMap(({ proof }) => proof.debian ?? [])])
const sources = ['types', 'lint', 'lint:openapi', 'unused']
await step(
  `${sources.join(', ')}${missing.length > 0 ? ', packages of Debian' : ''}`,
  ...sources.map((name) => script(name)),
  ...(missing.length > 0 ? [installing(missing)] : []),
)
// What a proof of this run has whole need not run as a sample, too. What depends on nothing that changed waits for its turn.
const isDue = (proof: GateProof) => due.some((one) => one.proof === proof)
const leftOut = gateProofs.filter((proof) => isDue(proof) || !proof.isSampled).flatMap(({ tests = [] }) => tests)
await stepWithReport('test:all', script('test:all', ...leftOut.flatMap((path) => ['--exclude', path])))
// A third by turns, since all of it ran on another PostgreSQL just now; the nightly workflow runs it whole.
const third = `--shard=${(history.commits % 3) + 1}/3`
console.log(`Of the tests on PostgreSQL 15, ${third}: its turn at commit ${history.commits}`)
await stepWithReport('test:postgres-15', script('test:postgres-15', third))
const [ofTests, programs] = [due.filter(({ proof }) => proof.tests), due.filter(({ proof }) => !proof.tests)]
const scriptOf = ({ name, short }: GateProof) => script(`prove:${name}`, ...short)
// Tests keep both cores busy by themselves. The others wait for kills, pauses and starts.
for (const { proof } of ofTests) await stepWithReport(`prove:${proof.name}`, scriptOf(proof))
const steps = programs.map(({ proof }) => ({ name: `prove:${proof.name}`, commands: [scriptOf(proof)] }))
if (steps.length > 0) taken.push(...(await takeBeside('the other proofs, two at a time', steps, root)))

console.log(`\n${tableOf(taken)}\n`)
const summary = ['.ci/summary.js', ...reports]
const { status } = spawnSync(process.execPath, summary, { cwd: root, stdio: 'inherit' })
if (status !== 0 || taken.some(({ right }) => !right)) process.exitCode = 1
