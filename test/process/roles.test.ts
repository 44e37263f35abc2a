import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { randomBase62 } from '../../src/domain/ids.ts'
import { caller } from '../harness/caller.ts'
import { type Running, runKitlane, spawnKitlane } from '../harness/kitlane.ts'
import { aRow } from '../harness/orders.ts'
import { databaseOf, withDatabase } from '../harness/urls.ts'

let folder: string
let env: Record<string, string>
const started: Running[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kitlane-roles-'))
  const template = inject('template')
  const name = `${databaseOf(template)}_${randomBase62(6).toLowerCase()}`
  const admin = new Client({ connectionString: withDatabase(template, 'postgres').owner })
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  env = {
    DATABASE_URL: withDatabase(template, name).owner,
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    LOG_LEVEL: 'warn',
  }
})
afterAll(async () => {
  for (const { child } of started) child.kill('SIGTERM')
  const ends = await Promise.all(started.map(({ ended }) => ended))
  await rm(folder, { recursive: true, force: true })
  expect(ends.map(({ code }) => code)).toEqual(ends.map(() => 0))
})

function start(role: string): Running {
  const running = spawnKitlane(['start', '--port', '0', '--role', role], env, folder)
  started.push(running)
  return running
}

const readyUrl = async ({ until }: Running) => (await until(/^Kitlane is ready on (http:\S+)$/m))[1] ?? ''

/** An API without a worker takes orders and reports that no worker runs. */
const waitingUrl = async ({ until, stderr }: Running) =>
  (await until(/^Kitlane runs on (http:\S+), but is not ready: No worker/m, stderr))[1] ?? ''

const isReady = async (url: string) => (await fetch(`${url}/health/ready`)).json()

test('--role worker refuses to start without the key', async () => {
  const withoutKey = { ...env, ENCRYPTION_KEY: '' }
  const refused = await runKitlane(['start', '--role', 'worker'], withoutKey, folder)
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('ENCRYPTION_KEY is missing') })
})

test('--role api takes a bulk order and --role worker on the same database places it', async () => {
  // Start two at once. Both find an empty database, and it is prepared once.
  const apis = [start('api'), start('api')]
  const [api = '', other = ''] = await Promise.all(apis.map(waitingUrl))
  expect(await isReady(api)).toMatchObject({ status: 'not ready', checks: { writes: true, workers: false } })
  const made = await runKitlane(['business', 'create', '--name', 'Spread', '--credits', '25', '--json'], env, folder)
  const { liveToken } = JSON.parse(made.stdout)
  const [live, beside] = [caller(api, liveToken), caller(other, liveToken)]
  const rows = Array.from({ length: 25 }, () => aRow())
  const { status, body } = await live.post('/create-order', { bulkUploadData: rows })
  expect(status).toBe(202)
  const job = async () => (await beside.get(`/bulk-order-jobs/${body.jobId}`)).body
  expect(await job(), 'nobody works yet').toMatchObject({ status: 'queued', processed: 0 })

  const worker = await readyUrl(start('worker'))
  expect(await Promise.all(apis.map(readyUrl)), 'now that somebody works').toEqual([api, other])
  await expect.poll(async () => (await job()).status, { interval: 100 }).toBe('completed')
  expect(await job()).toMatchObject({ total: 25, succeeded: 25, failed: 0 })
  expect((await live.get('/orders')).body.pagination.total).toBe(25)
  expect((await caller(worker, liveToken).get('/orders')).status, 'a worker serves no API').toBe(404)
  expect(await isReady(worker)).toMatchObject({ status: 'ready', checks: { workers: true } })
  expect((await readdir(folder, { recursive: true })).sort(), 'nothing but files is kept beside the database').toEqual([
    'data',
    'data/files',
    'data/files/kitlane-files',
  ])
})
