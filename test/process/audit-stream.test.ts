import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from 'pg'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SealedEntry } from '../../src/modules/audit/reader-queries.ts'
import { sealEntries } from '../../src/modules/audit/seal.ts'
import { type Sink, startStream } from '../../src/modules/audit/stream/stream.ts'
import { createLogger } from '../../src/platform/log.ts'
import { createIsolationFixtures } from '../harness/isolation-fixtures.ts'
import { httpReceiver } from '../harness/receivers.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const log = createLogger({ level: 'silent' })
const actor = { name: 'test' }
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kitlane-stream-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Line {
  id: string
  action: string
  objectID: string
  businessID?: string
  mode?: string
}

const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

/** Seals all, and returns the IDs in the order of sealing. */
async function sealed(world: World, owner: Client): Promise<string[]> {
  const left = async () => {
    while (await world.service.database.asSystem(actor, sealEntries));
    const { rows } = await owner.query(
      'select count(*)::int as n from audit_entries e cross join audit_sealing s where (e.xact, e.id) > (s.xact, s.id)',
    )
    return rows[0].n
  }
  await expect.poll(left).toBe(0)
  const { rows } = await owner.query('select id::text as id from audit_entries order by xact, id')
  return rows.map(({ id }) => id)
}

const touch = async (clinic: TestBusiness, times: number) => {
  const { body } = await clinic.live.get('/customers?page=0&size=1')
  for (let i = 0; i < times; i++) await clinic.live.get(`/customers/${body[0].id}`)
}

describe('the stream of the audit to a file', () => {
  let world: World
  let clinic: TestBusiness
  let owner: Client
  const path = () => join(folder, 'audit.jsonl')
  const text = () => readFile(path(), 'utf8').catch(() => '')
  const ids = async () => linesOf(await text()).map(({ id }) => id)

  beforeAll(async () => {
    world = await ownWorld('sends the audit elsewhere', { auditStream: { file: path() } })
    clinic = await world.business()
    owner = await world.owner()
    await clinic.live.post('/customer', { email: 'one@example.test', name: 'Canary Name' })
  })
  afterAll(() => world.stop())

  it('holds each entry once and in the order of sealing, as JSON lines that only the owner may read', async () => {
    await touch(clinic, 3)
    const all = await sealed(world, owner)
    await expect.poll(ids).toEqual(all)
    expect((await stat(path())).mode & 0o777).toBe(0o600)
    const one = linesOf(await text()).find(({ action }) => action === 'customer.created')
    expect(one).toMatchObject({ businessID: clinic.id, mode: 'live' })
    expect(await text()).not.toContain('Canary')
    expect(await text()).not.toContain('one@example.test')
  })

  it('goes on in a new file when the file was moved away, without a gap', async () => {
    const before = await ids()
    await rename(path(), `${path()}.1`)
    await touch(clinic, 2)
    const all = await sealed(world, owner)
    await expect.poll(ids).toEqual(all.slice(before.length))
  })

  it('ends a line that a crash has torn, and shows its lag in the metrics', async () => {
    await writeFile(path(), `${await text()}{"id":"torn`)
    await touch(clinic, 1)
    const all = await sealed(world, owner)
    await expect.poll(async () => (await text()).includes(`"id":"${all.at(-1)}"`)).toBe(true)
    expect((await text()).split('\n')).toContain('{"id":"torn')
    const metrics = async () => (await fetch(`${world.service.monitoringUrl}/metrics`)).text()
    await expect.poll(metrics).toMatch(/^audit_stream_waiting_entries 0$/m)
    expect(await metrics()).toMatch(/^audit_stream_lag_seconds 0$/m)
  })
})

describe('the stream of the audit', () => {
  let world: World
  let clinic: TestBusiness
  let owner: Client
  beforeAll(async () => {
    world = await ownWorld('breaks the audit')
    clinic = await world.business()
    owner = await world.owner()
    await createIsolationFixtures(world, clinic, 'live')
  })
  afterAll(() => world.stop())
  const streamTo = (sink: Sink) => startStream({ database: world.service.database, sink, log, everyMs: 3_600_000 })
  const collect = (into: string[], fail: () => boolean = () => false): Sink => ({
    async write(entries: readonly SealedEntry[]) {
      into.push(...entries.map(({ id }) => String(id)))
      if (fail()) throw new Error('the process dies before it can note its position')
    },
  })

  it('sends again what was taken before a crash, and skips nothing', async () => {
    const all = await sealed(world, owner)
    const got: string[] = []
    const dying = streamTo(collect(got, () => true))
    await dying.flush()
    expect(got.length).toBeGreaterThan(0)
    const first = [...got]
    // It dies while it holds the position: another process goes on once the hold has ended.
    await owner.query(`update audit_readers set held_until = now() - interval '1 second' where name = 'stream'`)
    const next = streamTo(collect(got))
    await next.flush()
    expect(got.slice(first.length)).toEqual(all)
    await next.stop()
    await dying.stop()
  })

  it('is sent by one process at a time, with nothing twice', async () => {
    await owner.query(`update audit_readers set xact = 0, id = 0, held_by = null where name = 'stream'`)
    const all = await sealed(world, owner)
    const got: string[] = []
    const both = [streamTo(collect(got)), streamTo(collect(got))]
    await Promise.all(both.map((one) => one.flush()))
    expect(got).toEqual(all)
    await Promise.all(both.map((one) => one.stop()))
  })

  it('goes on after the database was restored into a cluster that counts transactions again', async () => {
    const before = await sealed(world, owner)
    await owner.query('reset role; alter table audit_entries no force row level security')
    await owner.query(
      `update audit_entries set xact = xact + 1000000000; update audit_sealing set xact = xact + 1000000000;
       update audit_readers set xact = xact + 1000000000 where name <> 'lists'`,
    )
    await owner.query('alter table audit_entries force row level security; set role kitlane_system')
    await clinic.live.get('/customers?page=0')
    const got: string[] = []
    const stream = streamTo(collect(got))
    const all = async () =>
      (await owner.query('select id::text as id from audit_entries order by id')).rows.map(({ id }) => id)
    const look = async () => {
      while (await world.service.database.asSystem(actor, sealEntries));
      await stream.flush()
      return got.length
    }
    await expect.poll(look).toBe((await all()).length - before.length)
    expect(got).toEqual((await all()).filter((id) => !before.includes(id)))
    await stream.stop()
  })

  it('to a webhook is signed, waits while the receiver refuses, and sends the same ID again', async () => {
    await world.stop()
    const received: { id: string; entries: Line[] }[] = []
    let refuse = true
    const receiver = await httpReceiver((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk) => chunks.push(chunk))
      request.on('end', () => {
        const headers = request.headers as Record<string, string>
        const body = new Webhook(secret).verify(Buffer.concat(chunks).toString(), headers) as {
          type: string
          data: { entries: Line[] }
        }
        expect(body.type).toBe('audit.sealed')
        received.push({ id: headers['webhook-id'] ?? '', entries: body.data.entries })
        response.statusCode = refuse ? 503 : 204
        refuse = false
        response.end()
      })
    })
    world = await ownWorld('sends the audit elsewhere', {
      auditStream: { url: `http://127.0.0.1:${receiver.port}/audit` },
      operatorWebhook: { secret },
    })
    try {
      await world.business()
      owner = await world.owner()
      const all = await sealed(world, owner)
      await expect.poll(() => received.length).toBeGreaterThan(1)
      expect(received[1]?.id).toBe(received[0]?.id)
      const got = () => received.slice(1).flatMap(({ entries }) => entries.map(({ id }) => id))
      await expect.poll(got).toEqual(all)
    } finally {
      await receiver.stop()
    }
  })
})
