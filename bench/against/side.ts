// One of the two checkouts that `bench/against.ts` compares: its own code, PostgreSQL and service. Tells what a request costs.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client, Pool } from 'pg'
import type { Vault } from '../../src/platform/sealing/vault.ts'
import type { CpuCost } from '../suite/cpu.ts'
import type { Business } from '../suite/environment.ts'
import type { Template } from '../suite/http-requests.ts'

const { values } = parseArgs({
  options: {
    root: { type: 'string', default: '.' },
    postgres: { type: 'string', default: '18' },
    profile: { type: 'string' },
  },
})
const own = (file: string) => import(join(values.root, 'bench', file))
const suite = (await own('suite/environment.ts')) as typeof import('../suite/environment.ts')
const { openBehind } = (await own('suite/behind.ts')) as typeof import('../suite/behind.ts')
const { orderRequests } = (await own('suite/orders.ts')) as typeof import('../suite/orders.ts')
const { writeSample } = (await own('reports/sample.ts')) as typeof import('../reports/sample.ts')

/** An order placed among 64 and one alone, one read, 250 of a list, a report of 99 results. */
export type Part = 'order' | 'alone' | 'read' | 'orders' | 'customers' | 'report'

/** Microseconds a request; p50 and p99 in milliseconds. */
export type Costs = Pick<CpuCost, 'serviceUs' | 'databaseUs'> & {
  behindUs: number
  answers: number
  p50: number
  p99: number
}

// A failure stops what it started: the environment listens for SIGTERM.
process.on('unhandledRejection', (err) => {
  console.error(err)
  process.kill(process.pid, 'SIGTERM')
})
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))

const environment = await suite.openEnvironment({ postgres: values.postgres as '15' | '18' })
const { urls, superUrl, businesses } = await environment.database('bench_against', 2)
const [{ token }, second] = businesses as [Business, Business]
const nodeArgs = values.profile ? ['--cpu-prof', `--cpu-prof-dir=${values.profile}`] : []
const service = await environment.service(urls, { nodeArgs })
const behind = await openBehind(urls, superUrl)
const watched = { service: service.pid, postmaster: environment.pid() }
const origin = `http://127.0.0.1:${service.port}/api/v1`
const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' }
const orders = orderRequests(businesses.slice(0, 1))

await people(300)
const requests: Record<Part, Template[]> = {
  order: orders,
  alone: orders,
  read: [{ method: 'GET', path: `/api/v1/orders/${await anOrder()}`, token }],
  orders: [{ method: 'GET', path: '/api/v1/orders?page=0&size=250', token }],
  customers: [{ method: 'GET', path: '/api/v1/customers?page=0&size=250', token }],
  report: [{ method: 'GET', path: await aReport(), token: second.token }],
}

async function post(path: string, body: string): Promise<Record<string, string>> {
  const answer = await fetch(`${origin}${path}`, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Record<string, string>
}

async function anOrder(): Promise<string> {
  const { orderId } = await post('/create-order', orders[0]?.body ?? '')
  return String(orderId)
}

async function aReport(): Promise<string> {
  const db = new Client({ connectionString: superUrl })
  await db.connect()
  const keys = join(values.root, 'bench/reports/keys.ts')
  const pool = new Pool({ connectionString: superUrl, max: 1 })
  const { vaultWith } = existsSync(keys) ? ((await import(keys)) as typeof import('../reports/keys.ts')) : {}
  const vault = vaultWith?.(pool, environment.encryptionKey.toString('base64'))
  const { customerId, reportId } = await writeSample(db, 'Business 1', 10, vault as Vault)
  await pool.end()
  await db.end()
  return `/api/v1/customers/${customerId}/reports/${reportId}`
}

async function people(count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const person = {
      name: `Ada Example ${n}`,
      email: `customer${n}@example.test`,
      dateOfBirth: '1985-03-10',
      gender: 'F',
    }
    await post('/customers', JSON.stringify({ id: 100_000 + n, phone: '+15550100', ...person }))
  }
}

async function measure(part: Part, seconds: number): Promise<Costs> {
  const isOrder = requests[part] === orders
  const connections = { order: 64, alone: 1, read: 64, orders: 2, customers: 2, report: 2 }[part]
  const keyed = isOrder ? `k${performance.now()}` : undefined
  const { cpu, answers, p50, p99 } = await suite.load({
    port: service.port,
    connections,
    seconds,
    watched,
    requests: requests[part],
    ...(keyed && { keyed }),
  })
  if (!cpu) throw new Error('no CPU time')
  // What the jobs cost each minute without an order is not an order's.
  const behindUs = isOrder ? ((await behind.work(watched)) - (await behind.work(watched))) / answers : 0
  return { serviceUs: cpu.serviceUs, databaseUs: cpu.databaseUs, behindUs, answers, p50, p99 }
}

process.on('message', async (message: { part: Part; seconds: number } | 'analyze' | 'stop') => {
  if (message === 'stop') {
    await behind.close()
    await service.stop()
    await environment.stop()
    process.exit()
  }
  if (message === 'analyze') {
    const db = new Client({ connectionString: superUrl })
    await db.connect()
    await db.query('vacuum analyze')
    await db.end()
    process.send?.('done')
  } else process.send?.(await measure(message.part, message.seconds))
})
process.send?.('ready')
