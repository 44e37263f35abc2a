// Measures what ten hostile businesses do to a calm one: its orders and reads alone and beside them, in turns, and the
// longest stalls of the service's event loop. `npm run bench:fairness [-- --json <file>]`
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Client, Pool } from 'pg'
import { type Answers, type Attack, type Hostile, type Kind, kindNames } from './fairness/hostile.ts'
import { vaultWith } from './reports/keys.ts'
import { writeSample } from './reports/sample.ts'
import { openEnvironment } from './suite/environment.ts'
import type { Load, LoadResult } from './suite/http-load.ts'
import { orderRequests } from './suite/orders.ts'
import { sealAll } from './suite/seal-all.ts'
import { inWords, spread } from './suite/spread.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '12' },
    // First each hostile business of these kinds by itself; `all` is every kind.
    each: { type: 'string', default: 'none' },
    json: { type: 'string' },
    profile: { type: 'string' },
  },
})
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)]
const RATE = 20
const ORDERS = 20_000
const say = (line: string) => console.log(line)

interface Calm {
  orders: LoadResult
  reads: LoadResult
  /** Of the event loop, in milliseconds. */
  stalls: { p99: number; max: number }
}

const environment = await openEnvironment()
try {
  const { urls, superUrl, businesses } = await environment.database('bench_fairness', 1 + kindNames.length)
  const [calm, ...others] = businesses
  if (!calm) throw new Error('the bench has no businesses')
  const tokenOf = new Map(kindNames.map((kind, index) => [kind, others[index]]))
  const { report, orderIds } = await fill(superUrl)
  const service = await environment.service(urls, {
    nodeArgs: values.profile ? ['--cpu-prof', `--cpu-prof-dir=${values.profile}`] : [],
  })
  const origin = `http://127.0.0.1:${service.port}`
  const alone: Calm[] = []
  const beside: Calm[] = []
  const answers: Answers[] = []
  const hostile = kindNames.map((kind): Hostile => ({ kind, token: tokenOf.get(kind)?.token ?? '' }))
  await measureCalm(origin, 3)
  for (const one of hostile.filter(({ kind }) => values.each === 'all' || kind.includes(values.each))) {
    const attacking = attack({ port: service.port, seconds: 5, hostile: [one], report })
    say(`beside ${one.kind}: ${inLine(await measureCalm(origin, 4))} ${JSON.stringify(await attacking)}`)
    await endJobs(origin, one.token)
  }
  for (let round = 1; round <= rounds; round++) {
    alone.push(await measureCalm(origin, seconds))
    const attacking = attack({ port: service.port, seconds: seconds + 2, hostile, report })
    beside.push(await measureCalm(origin, seconds))
    answers.push(await attacking)
    await endJobs(origin, tokenOf.get('right rows')?.token ?? '')
    for (const [name, one] of [
      ['alone', alone.at(-1)],
      ['beside ten', beside.at(-1)],
    ] as const) {
      if (one) say(`round ${round}, ${name}: ${inLine(one)}`)
    }
    say(`  the ten were answered ${JSON.stringify(answers.at(-1))}`)
  }
  say(`| ${RATE} orders/s and ${RATE} reads/s of the calm business | alone | beside ten hostile ones |\n|---|---|---|`)
  for (const [name, pick] of rowsOf()) {
    const cell = (all: Calm[]) => `${inWords(spread(all.map(pick)))} ms`
    say(`| ${name} | ${cell(alone)} | ${cell(beside)} |`)
  }
  if (values.json) await writeFile(values.json, `${JSON.stringify({ rate: RATE, alone, beside, answers }, null, 2)}\n`)
  await service.stop()

  async function fill(url: string): Promise<{ report: string; orderIds: string[] }> {
    const admin = new Client({ connectionString: url })
    await admin.connect()
    const many = await readFile(new URL('./suite/many.sql', import.meta.url), 'utf8')
    const kinds: Kind[] = ['orders as CSV', 'customers as JSON', 'deep lists']
    for (const realmId of [calm?.realmId, ...kinds.map((kind) => tokenOf.get(kind)?.realmId)]) {
      await admin.query(many.replaceAll('$REALM', String(realmId)).replaceAll('$ORDERS', String(ORDERS)))
    }
    await admin.query('set session_replication_role = default')
    const nameOf = (kind: Kind) => `Business ${kindNames.indexOf(kind) + 1}`
    const pool = new Pool({ connectionString: url, max: 1 })
    const vault = vaultWith(pool, environment.encryptionKey.toString('base64'))
    const sample = await writeSample(admin, nameOf('reports as PDF'), 50, vault)
    // Both businesses ask for the same path.
    await writeSample(admin, nameOf('reports as FHIR'), 50, vault, sample.reportId)
    await writeSample(admin, nameOf('files of 9 MB'), 1, vault)
    await vault.close()
    await sealAll(urls, environment.encryptionKey)
    await admin.query('update realms set uploads_enabled = true')
    const { rows } = await admin.query('select id from orders where realm_id = $1 order by seq desc limit 500', [
      calm?.realmId,
    ])
    await admin.query('vacuum analyze')
    await admin.end()
    return {
      report: `/customers/${sample.customerId}/reports/${sample.reportId}`,
      orderIds: rows.map(({ id }) => id),
    }
  }

  async function measureCalm(origin: string, seconds: number): Promise<Calm> {
    const { token } = calm ?? { token: '' }
    const port = Number(new URL(origin).port)
    const reads = orderIds.map((id) => ({ method: 'GET', path: `/api/v1/orders/${id}`, token }))
    await stalls(origin)
    const [ordered, read] = await Promise.all([
      load({ port, connections: 32, seconds, rate: RATE, requests: orderRequests(calm ? [calm] : []) }),
      load({ port, connections: 32, seconds, rate: RATE, requests: reads }),
    ])
    return { orders: ordered, reads: read, stalls: await stalls(origin) }
  }
} finally {
  await environment.stop()
}

/** Cancels the bulk jobs that are left, so that the calm business is alone again. */
async function endJobs(origin: string, token: string): Promise<void> {
  const headers = { authorization: `Token ${token}` }
  const path = `${origin}/api/v1/bulk-order-jobs`
  const { data } = (await (await fetch(`${path}?size=100`, { headers })).json()) as { data: { jobId: string }[] }
  for (const { jobId } of data) await (await fetch(`${path}/${jobId}`, { method: 'DELETE', headers })).text()
}

/** Of the time since the last call. */
async function stalls(origin: string): Promise<Calm['stalls']> {
  const text = await (await fetch(`${origin}/metrics`)).text()
  const of = (name: string) =>
    1000 * Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)`, 'm').exec(text)?.[1])
  return { p99: of('p99'), max: of('max') }
}

async function load(order: Load): Promise<LoadResult> {
  const child = fork(fileURLToPath(new URL('./suite/http-load.ts', import.meta.url)))
  child.send(order)
  const [result] = (await once(child, 'message')) as [LoadResult]
  return result
}

async function attack(order: Attack): Promise<Answers> {
  const child = fork(fileURLToPath(new URL('./fairness/hostile.ts', import.meta.url)))
  // In life the callers are on other machines: here they take what the service and its database leave.
  setPriority(child.pid ?? 0, 19)
  child.send(order)
  const [answers] = (await once(child, 'message')) as [Answers]
  return answers
}

function rowsOf(): [string, (calm: Calm) => number][] {
  return [
    ['order, p50', ({ orders }) => orders.p50],
    ['order, p99', ({ orders }) => orders.p99],
    ['order, slowest', ({ orders }) => orders.max],
    ['read, p50', ({ reads }) => reads.p50],
    ['read, p99', ({ reads }) => reads.p99],
    ['read, slowest', ({ reads }) => reads.max],
    ['event loop, p99', ({ stalls }) => stalls.p99],
    ['event loop, longest', ({ stalls }) => stalls.max],
    ['refused or failed', ({ orders, reads }) => orders.failures + reads.failures],
  ]
}

function inLine(calm: Calm): string {
  return rowsOf()
    .map(([name, pick]) => `${name} ${Math.round(pick(calm))}`)
    .join(', ')
}
