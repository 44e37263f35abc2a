import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { randomBase62 } from '../../src/domain/ids.ts'
import { caller } from '../harness/caller.ts'
import { dropDatabase } from '../harness/drop-database.ts'
import { type Running, runKitlane, spawnKitlane } from '../harness/kitlane.ts'
import { anOrder, aRow } from '../harness/orders.ts'
import { databaseOf, withDatabase } from '../harness/urls.ts'
import { cloned } from '../harness/world.ts'

const template = inject('template')
const name = `${databaseOf(template)}_${randomBase62(6).toLowerCase()}`
const login = `${name}_node`
const key = Buffer.alloc(32, 7).toString('hex')
let admin: Client
let folder: string
let running: Running | undefined

/** DATABASE_URL of a login that is only a member of the program's role. */
function nodeUrl(database: string): string {
  const url = new URL(withDatabase(template, database).owner)
  url.username = login
  url.password = 'secret'
  return url.href
}
const settings = (database: string) => ({ DATABASE_URL: nodeUrl(database), ENCRYPTION_KEY: key, LOG_LEVEL: 'warn' })
const refusal = async (database: string, ...args: string[]) => {
  const { code, stderr } = await runKitlane(args, settings(database), folder)
  expect(code).toBe(1)
  return stderr
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kitlane-node-'))
  admin = new Client({ connectionString: withDatabase(template, 'postgres').owner })
  await admin.connect()
  await admin.query(`create role ${login} login password 'secret' in role kitlane_app`)
  await cloned(admin, name, databaseOf(template))
})
afterAll(async () => {
  running?.child.kill('SIGINT')
  await running?.ended
  for (const database of [name, `${name}_empty`]) await dropDatabase(admin, database)
  await admin.query(`drop role ${login}`)
  await admin.end()
  await rm(folder, { recursive: true, force: true })
})

test('a node whose login does not own the database starts with --no-migrate, and takes orders and does the work', async () => {
  running = spawnKitlane(['start', '--no-migrate', '--port', '0'], settings(name), folder)
  const [, url = ''] = await running.until(/^Kitlane is ready on (http:\S+)$/m)
  const made = await runKitlane(
    ['business', 'create', '--name', 'Clinic', '--credits', '3', '--json'],
    settings(name),
    folder,
  )
  expect(made, 'administration needs no owner either').toMatchObject({ code: 0, stderr: '' })
  const { liveToken, sandboxToken } = JSON.parse(made.stdout)
  expect((await caller(url, liveToken).post('/create-order', anOrder())).status).toBe(201)
  // Twenty rows are a job of the worker.
  const sandbox = caller(url, sandboxToken)
  const bulk = await sandbox.post('/create-order', { bulkUploadData: Array.from({ length: 20 }, () => aRow()) })
  expect(bulk.status).toBe(202)
  await expect.poll(async () => (await sandbox.get('/orders')).body.pagination.total).toBe(20)
})

test('it refuses to start, and says what to run, where migrations are missing or a newer release has migrated', async () => {
  await admin.query(`create database ${name}_empty`)
  const empty = await refusal(`${name}_empty`, 'start', '--no-migrate', '--port', '0')
  expect(empty).toMatch(/^The database is empty, .* as the owner of the database: kitlane migrate$/m)
  expect(empty).not.toMatch(/^\s+at /m)

  const owner = new Client({ connectionString: withDatabase(template, name).owner })
  await owner.connect()
  try {
    const { rows } = await owner.query(
      'delete from schema_migrations where version = (select max(version) from schema_migrations) returning *',
    )
    expect(await refusal(name, 'start', '--no-migrate', '--port', '0')).toMatch(
      /at schema version \d+, .* needs version/,
    )
    expect(await refusal(name, 'business', 'list')).toMatch(/kitlane migrate$/m)
    await owner.query('insert into schema_migrations select * from json_populate_record(null::schema_migrations, $1)', [
      JSON.stringify({ ...rows[0], version: 9999 }),
    ])
    expect(await refusal(name, 'start', '--no-migrate', '--port', '0')).toMatch(
      /at schema version 9999.* newer release/,
    )
  } finally {
    await owner.end()
  }
})
