import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onboard } from '../../src/modules/onboarding/onboard.ts'
import { databaseUrls } from '../../src/platform/database/connect.ts'
import { createLogger } from '../../src/platform/log.ts'
import { prepareDatabase, type Service, type ServiceOptions, startService } from '../../src/service/app.ts'
import { usualSettings } from '../../src/settings.ts'
import { type Caller, caller } from '../harness/caller.ts'
import { type Cluster, createCluster, POSTGRES_15 } from '../harness/debian-cluster.ts'
import { freePort } from '../harness/free-port.ts'
import { anOrder } from '../harness/orders.ts'
import { tcpReceiver } from '../harness/receivers.ts'
import { ON_A_BUSY_MACHINE_MS } from '../harness/world.ts'

let primary: Cluster
let standby: Cluster
let standbyUrl: string
let primaryPort: number
let options: ServiceOptions
/** Two nodes that read at the standby. */
let nodes: Service[] = []
let clinics: Caller[]
let files: string
let liveToken: string

/** A standby that streams from the primary, made as its operator would. */
async function startStandby(port: number, of: number): Promise<{ cluster: Cluster; port: number }> {
  const made = await createCluster(POSTGRES_15)
  await rm(made.data, { recursive: true })
  made.run('pg_basebackup', ['-D', made.data, '-R', '-h', '127.0.0.1', '-p', String(of), '-U', 'kitlane', '-c', 'fast'])
  made.start(port, '-c hot_standby=on')
  return { cluster: made, port }
}

async function asked<T extends object>(url: string, text: string): Promise<T[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}

/** How many transactions the standby has run for the service. */
async function readsAtStandby(): Promise<number> {
  const [row] = await asked<{ count: string }>(
    standbyUrl,
    `select count(*) from pg_stat_activity where application_name = 'kitlane' and query <> ''`,
  )
  return Number(row?.count)
}

beforeAll(async () => {
  const ports = [await freePort(), await freePort()] as const
  primaryPort = ports[0]
  primary = await createCluster(POSTGRES_15)
  primary.start(ports[0], '-c wal_level=replica -c max_wal_senders=4')
  primary.run('createdb', ['-h', '127.0.0.1', '-p', String(ports[0]), '-U', 'kitlane', 'kitlane'])
  const superUrl = `postgres://kitlane@127.0.0.1:${ports[0]}/kitlane`
  await asked(superUrl, 'create role shop login createrole; alter database kitlane owner to shop')
  const url = `postgres://shop@127.0.0.1:${ports[0]}/kitlane`
  standbyUrl = `postgres://kitlane@127.0.0.1:${ports[1]}/kitlane`
  const urls = databaseUrls(url, undefined, `postgres://shop@127.0.0.1:${ports[1]}/kitlane`)
  await prepareDatabase(urls)
  standby = (await startStandby(ports[1], ports[0])).cluster
  files = await mkdtemp(join(tmpdir(), 'kitlane-files-'))
  const log = createLogger({ level: 'silent' })
  const settings = usualSettings({ port: 0, encryptionKey: randomBytes(32), dataDir: files, secondFactor: 'optional' })
  options = { urls, settings: { ...settings, role: 'api' }, log, maxLoopDelayMs: ON_A_BUSY_MACHINE_MS }
  for (const role of ['all', 'api'] as const)
    nodes.push(await startService({ ...options, settings: { ...settings, role } }))
  const [first] = nodes
  const made = await first?.database.asSystem({ name: 'cli' }, (tx) => onboard(tx, { name: 'Clinic', credits: 1000 }))
  liveToken = made?.liveToken ?? ''
  clinics = nodes.map((node) => caller(node.url, liveToken))
}, 120_000)
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop({ atOnce: true })))
  nodes = []
  for (const cluster of [standby, primary]) if (existsSync(join(cluster.data, 'postmaster.pid'))) cluster.stop()
  await Promise.all([standby.remove(), primary.remove(), rm(files, { recursive: true })])
})

const node = (n: number) => clinics[n] as Caller
const placed = async (n: number): Promise<string> => (await node(n).post('/create-order', anOrder())).body.orderId
const ordersAt = async (n: number): Promise<string[]> => {
  const { status, body } = await node(n).get('/orders?size=250')
  expect(status).toBe(200)
  return body.data.map(({ orderID }: { orderID: string }) => orderID)
}
const pause = (how: 'pause' | 'resume', url = standbyUrl) => asked(url, `select pg_wal_replay_${how}()`)

describe('a read', () => {
  it('goes to the standby, and who read what of people is in the audit of the primary all the same', async () => {
    const orderId = await placed(0)
    expect(await ordersAt(0)).toContain(orderId)
    const isAtStandby = () =>
      nodes[0]?.database.readAsSystem('test', { name: 'test' }, async (tx) => {
        const { standby: found } = await tx.row(sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`)
        return found
      })
    await expect.poll(isAtStandby).toBe(true)
    await expect.poll(async () => (await ordersAt(0)) && readsAtStandby()).toBeGreaterThan(0)
    await node(0).post('/customer', { email: 'jo@example.test', name: 'Jo Doe' })
    expect((await node(0).get('/customers')).body).toHaveLength(1)
    const entries = await nodes[0]?.database.asSystem({ name: 'test' }, (tx) =>
      tx.row(sql<{ count: number }>`
        select count(*)::int as count from audit_entries where details->>'operation' = 'listCustomers'`),
    )
    expect(entries?.count).toBe(1)
  })

  it('has what was written before, through any node', async () => {
    for (let n = 0; n < 10; n++) {
      const orderId = await placed(n % 2)
      expect(await ordersAt((n + 1) % 2)).toContain(orderId)
      expect(await ordersAt(n % 2)).toContain(orderId)
    }
  })

  it('goes to the primary while the standby is behind, and has what was written before', async () => {
    await pause('pause')
    try {
      for (let n = 0; n < 6; n++) {
        const orderId = await placed(n % 2)
        expect(await ordersAt((n + 1) % 2)).toContain(orderId)
      }
    } finally {
      await pause('resume')
    }
  })

  it('has what was written before, where one address leads to several standbys of which one is behind', async () => {
    const behind = await startStandby(await freePort(), primaryPort)
    const behindUrl = standbyUrl.replace(/:\d+\//, `:${behind.port}/`)
    const upToDate = Number(new URL(standbyUrl).port)
    const balancer = await tcpReceiver((socket) => {
      // The first two connections find the one that is up to date, all others the one that is behind.
      const port = balancer.accepted() <= 2 ? upToDate : behind.port
      const next = connect(port, '127.0.0.1').on('error', () => socket.destroy())
      socket.pipe(next).pipe(socket)
      socket.on('close', () => next.destroy())
    })
    const replica = `postgres://shop@127.0.0.1:${balancer.port}/kitlane`
    const third = await startService({ ...options, urls: { ...options.urls, replica } })
    try {
      await pause('pause', behindUrl)
      const clinic = caller(third.url, liveToken)
      await expect.poll(async () => (await clinic.get('/orders')) && balancer.accepted()).toBeGreaterThan(0)
      // Where the one that is up to date lags, reads go to the primary for a second, and find no other.
      for (let n = 0; n < 5 || balancer.accepted() < 3; n++) {
        const orderId = await placed(0)
        const lists = await Promise.all([1, 2, 3, 4, 5].map(() => clinic.get(`/orders?size=${(n % 9) + 1}`)))
        for (const { body } of lists) expect(body.data[0]?.orderID).toBe(orderId)
      }
    } finally {
      await third.stop({ atOnce: true })
      await balancer.stop()
      behind.cluster.stop()
      await behind.cluster.remove()
    }
  })

  it('that turns out to write is answered by the primary', async () => {
    const database = nodes[0]?.database
    const written = () =>
      database?.readAsSystem('writes', { name: 'test' }, async (tx, where) => {
        await tx.run(sql`update file_store set swept_until = swept_until`)
        return where
      })
    expect([await written(), await written()]).toEqual(['primary', 'primary'])
  })

  it('never fails because the standby was killed, also in the middle of it', async () => {
    const statuses: number[] = []
    let over = false
    const reading = [0, 1].map(async (n) => {
      while (!over) statuses.push((await node(n).get('/orders?size=50')).status)
    })
    await expect.poll(() => statuses.length).toBeGreaterThan(10)
    standby.stop()
    const before = statuses.length
    await expect.poll(() => statuses.length).toBeGreaterThan(before + 20)
    over = true
    await Promise.all(reading)
    expect(new Set(statuses)).toEqual(new Set([200]))
    const orderId = await placed(0)
    expect(await ordersAt(1)).toContain(orderId)
  })
})
