// Measures what more nodes cost: one to three API nodes behind HAProxy with the backend of deploy/ha, which sends each token
// to one node, and by turns instead. `npm run bench:nodes [-- --json <file>]`. It needs Debian's haproxy.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '../test/harness/free-port.ts'
import { readCpu } from './suite/cpu.ts'
import { type Business, load, openEnvironment, type Running } from './suite/environment.ts'
import { newKeys, orderRequests } from './suite/orders.ts'
import { inWords, ratio, type Spread, spread } from './suite/spread.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '6' },
    businesses: { type: 'string', default: '8' },
    json: { type: 'string' },
  },
})
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)]
const CONNECTIONS = 64
const NODES = 3

interface Way {
  name: string
  nodes: number
  byTurns: boolean
}

const ways: Way[] = [
  { name: '1 node', nodes: 1, byTurns: false },
  { name: '2 nodes, a token at one', nodes: 2, byTurns: false },
  { name: '2 nodes, by turns', nodes: 2, byTurns: true },
  { name: '3 nodes, a token at one', nodes: 3, byTurns: false },
  { name: '3 nodes, by turns', nodes: 3, byTurns: true },
]

/** HAProxy's configuration as shipped, but for addresses, health checks and what is not the API. */
async function configuration(port: number, nodes: readonly Running[], byTurns: boolean): Promise<string> {
  const shipped = await readFile(new URL('../deploy/ha/haproxy.cfg', import.meta.url), 'utf8')
  const balance = /^ {4}balance hdr\(Authorization\)\n {4}hash-type consistent$/m.exec(shipped)?.[0]
  if (!balance) throw new Error('deploy/ha/haproxy.cfg does not send each token to one node')
  return [
    'defaults\n    timeout connect 2s\n    timeout client 65s\n    timeout server 65s',
    `frontend kitlane\n    mode http\n    bind 127.0.0.1:${port}\n    default_backend nodes`,
    `backend nodes\n    mode http\n${byTurns ? '    balance roundrobin' : balance}`,
    ...nodes.map((node, index) => `    server api-${index + 1} 127.0.0.1:${node.port}\n`),
  ].join('\n')
}

async function startProxy(folder: string, nodes: readonly Running[], byTurns: boolean): Promise<Running> {
  const port = await freePort()
  const file = join(folder, `${port}.cfg`)
  await writeFile(file, await configuration(port, nodes, byTurns))
  const child = spawn('/usr/sbin/haproxy', ['-db', '-f', file], { stdio: 'inherit' })
  await untilListens(port)
  return {
    port,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

async function untilListens(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries++, await delay(50)) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
  }
  throw new Error('HAProxy does not listen: install the package haproxy of Debian')
}

interface Run {
  rate: number
  p99: number
  serviceUs: number
  databaseUs: number
}

async function measure(proxy: Running, nodes: readonly Running[], businesses: readonly Business[]): Promise<Run> {
  const read = () => ({
    serviceUs: nodes.reduce((sum, { pid }) => sum + readCpu({ service: pid, postmaster: 0 }).serviceUs, 0),
    databaseUs: readCpu({ postmaster: environment.pid() }).databaseUs,
  })
  const before = read()
  const requests = orderRequests(businesses)
  const result = await load({ port: proxy.port, connections: CONNECTIONS, seconds, requests, keyed: newKeys() })
  const after = read()
  return {
    rate: result.rate,
    p99: result.p99,
    serviceUs: (after.serviceUs - before.serviceUs) / result.answers,
    databaseUs: (after.databaseUs - before.databaseUs) / result.answers,
  }
}

const environment = await openEnvironment()
const folder = await mkdtemp(join(tmpdir(), 'kitlane-bench-nodes-'))
const proxies: Running[] = []
try {
  const { urls, businesses } = await environment.database('bench_nodes', Number(values.businesses))
  const nodes: Running[] = []
  for (let node = 0; node < NODES; node++) nodes.push(await environment.service(urls, { role: 'api' }))
  for (const way of ways) proxies.push(await startProxy(folder, nodes.slice(0, way.nodes), way.byTurns))
  const runs = ways.map((): Run[] => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { name }] of ways.entries()) {
      const run = await measure(proxies[index] as Running, nodes, businesses)
      // The first round warms up.
      if (round > 0) runs[index]?.push(run)
      console.log(`round ${round}: ${name}: ${Math.round(run.rate)}/s, ${Math.round(cpuOf(run))} µs of CPU an order`)
    }
  }
  const alone = runs[0] ?? []
  const rows = ways.map(({ name }, index) => {
    const of = runs[index] ?? []
    const each = (pick: (run: Run) => number): Spread => spread(of.map(pick))
    return {
      name,
      rate: each(({ rate }) => rate),
      p99Ms: each(({ p99 }) => p99),
      serviceUs: each(({ serviceUs }) => serviceUs),
      databaseUs: each(({ databaseUs }) => databaseUs),
      ordersPerCpuSecond: each((run) => 1e6 / cpuOf(run)),
      cpuToOneNode: ratio(of.map(cpuOf), alone.map(cpuOf)),
    }
  })
  for (const row of rows) {
    console.log(
      `${row.name}: ${inWords(row.rate)} orders/s, p99 ${inWords(row.p99Ms)} ms; CPU of an order: service ${inWords(row.serviceUs)} + database ` +
        `${inWords(row.databaseUs)} µs, ${inWords(row.cpuToOneNode, 2)} times that of one node; ${inWords(row.ordersPerCpuSecond)} orders for a second of CPU`,
    )
  }
  if (values.json) await writeFile(values.json, `${JSON.stringify(rows, null, 2)}\n`)
} finally {
  for (const proxy of proxies) await proxy.stop()
  await environment.stop()
  await rm(folder, { recursive: true })
}

function cpuOf({ serviceUs, databaseUs }: Run): number {
  return serviceUs + databaseUs
}
