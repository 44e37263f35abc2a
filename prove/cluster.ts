// Proves what docs/high-availability.md promises: two API nodes and two workers behind HAProxy, PgBouncer and a Patroni
// cluster of three, as deploy/ha configures them, under orders.
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  type Event,
  machineKilled,
  nothing,
  pgbouncerKilled,
  postgresKilled,
  restart,
  streamsStopped,
  switchover,
  upgradeTo,
} from './cluster/events.ts'
import { run } from './cluster/run.ts'
import { installing, missingOf } from './debian.ts'
import { type Figure, record, report } from './record.ts'
import { checkOut, commitBefore, here } from './upgrade/before.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: process.env.SEED },
    /** A rolling restart and the loss of the primary's machine. */
    short: { type: 'boolean', default: false },
    /** The negative control: commits are answered before a standby has them, and the primary dies after its streams. */
    async: { type: 'boolean', default: false },
    /** The names of events, separated by commas. */
    events: { type: 'string' },
    /** The commit to upgrade from. */
    before: { type: 'string' },
    /** Installs missing packages of Debian's by apt-get. */
    install: { type: 'boolean', default: false },
    /** Keeps the folder with logs and data. */
    keep: { type: 'boolean', default: false },
    json: { type: 'string' },
    /** Keeps the figures in prove/results. */
    record: { type: 'boolean', default: false },
  },
})

install()
const seed = Number(values.seed ?? randomInt(2 ** 31))
const after = join(here, 'bin', 'kitlane.js')
const all: Event[] = [
  nothing,
  upgradeTo(after),
  restart(after),
  switchover,
  postgresKilled,
  machineKilled,
  pgbouncerKilled,
  streamsStopped,
]
const events = chosen()
const commit = events.some(({ name }) => name === 'rolling upgrade') ? commitBefore(values.before) : undefined
const before = commit ? await checkOut(commit) : undefined
console.log(`seed ${seed}${before ? `, from ${before.subject} to this checkout` : ''}`)
try {
  const result = await run({
    seed,
    // A shallow clone has no earlier commit, so there is no upgrade to prove.
    events: before ? events : events.filter(({ name }) => name !== 'rolling upgrade'),
    isSynchronous: !values.async,
    launcher: before?.launcher ?? after,
    isBefore: before !== undefined,
    after,
    keep: values.keep,
    say: (line) => console.log(line),
  })
  const figures: Figure[] = [
    ...result.rounds.map(({ event, withoutAnswerMs }) => ({
      name: `longest time without an order, ${event}`,
      actual: Number((withoutAnswerMs / 1000).toFixed(1)),
      unit: 's',
    })),
    { name: 'orders', actual: result.orders },
    { name: 'orders read back', actual: result.reads },
    { name: 'connections of nodes to standbys', actual: result.readers },
    ...result.figures,
  ]
  report(figures)
  if (values.json) await writeFile(values.json, `${JSON.stringify({ seed, result }, null, 2)}\n`)
  const mistake = values.async ? 'commits that no standby has' : undefined
  if (values.record) record('cluster', { promises: [], seed, figures, mistake })
} finally {
  await before?.remove()
}
process.exit()

function chosen(): Event[] {
  const names = values.events?.split(',')
  const unknown = names?.find((name) => !all.some((event) => event.name === name))
  if (unknown) throw new Error(`${unknown} is no event. There are: ${all.map(({ name }) => name).join(', ')}.`)
  if (names) return names.flatMap((name) => all.find((event) => event.name === name) ?? [])
  if (values.async) return [streamsStopped]
  return values.short ? [restart(after), machineKilled] : all
}

function install(): void {
  const missing = missingOf(['haproxy', 'pgbouncer', 'patroni', 'etcd-server', 'postgresql-15'])
  if (missing.length === 0) return
  if (!values.install) {
    console.error(`Missing packages of Debian's: ${missing.join(' ')}. Install them, or add --install.`)
    process.exit(2)
  }
  const [program = '', ...args] = installing(missing)
  if (spawnSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status !== 0) process.exit(2)
}
