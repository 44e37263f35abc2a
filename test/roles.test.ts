import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { randomBase62 } from '../src/platform/ids.ts'
import { caller } from './harness/caller.ts'
import { type Running, runKitlane, spawnKitlane } from './harness/kitlane.ts'
import { aRow } from './harness/orders.ts'
import { databaseOf, withDatabase } from './harness/urls.ts'

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

async function start(role: string): Promise<string> {
  const running = spawnKitlane(['start', '--port', '0', '--role', role], env, folder)
  started.push(running)
  const [, url = ''] = await running.until(/^Kitlane is ready on (http:\S+)$/m)
  return url
}

test('--role api takes a bulk order and --role worker on the same database places it', async () => {
  const withoutKey = { ...env, ENCRYPTION_KEY: '' }
  const refused = await runKitlane(['start', '--role', 'worker'], withoutKey, folder)
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('ENCRYPTION_KEY is missing') })

  // Two at once: both find the database empty, and it is prepared once.
  const [api, other] = await Promise.all([start('api'), start('api')])
  const made = await runKitlane(['business', 'create', '--name', 'Spread', '--credits', '25', '--json'], env, folder)
  const { liveToken } = JSON.parse(made.stdout)
  const [live, beside] = [caller(api, liveToken), caller(other, liveToken)]
  const rows = Array.from({ length: 25 }, () => aRow())
  const { status, body } = await live.post('/create-order', { bulkUploadData: rows })
  expect(status).toBe(202)
  const job = async () => (await beside.get(`/bulk-order-jobs/${body.jobId}`)).body
  expect(await job(), 'nobody works yet').toMatchObject({ status: 'queued', processed: 0 })

  const worker = await start('worker')
  await expect.poll(async () => (await job()).status, { timeout: 20_000, interval: 100 }).toBe('completed')
  expect(await job()).toMatchObject({ total: 25, succeeded: 25, failed: 0 })
  expect((await live.get('/orders')).body.pagination.total).toBe(25)
  expect((await caller(worker, liveToken).get('/orders')).status, 'a worker serves no API').toBe(404)
  expect((await fetch(`${worker}/health/ready`)).status).toBe(200)
  expect(await readdir(folder), 'nothing is kept beside the database').toEqual([])
}, 60_000)
