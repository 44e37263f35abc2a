import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FileStore, FileStoreError } from '../../src/domain/file-store.ts'
import { configure } from '../../src/modules/businesses/service.ts'
import { deleteDropped, filesStatus, type Moving, moveFiles, sweepOrphans } from '../../src/modules/files/move.ts'
import { rotateDataKeys } from '../../src/modules/keys/service.ts'
import { createEgress } from '../../src/platform/egress/client.ts'
import { folderStore } from '../../src/platform/files/folder-store.ts'
import { s3Store } from '../../src/platform/files/s3-store.ts'
import { createLogger } from '../../src/platform/log.ts'
import { type Service, startService } from '../../src/service/app.ts'
import { filesIntoRows } from '../harness/files.ts'
import { type S3StandIn, startS3 } from '../harness/s3-stand-in.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

async function all<T>(many: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const one of many) list.push(one)
  return list
}

const log = createLogger({ level: 'silent' })
let s3: S3StandIn
let world: World
let clinic: TestBusiness
let owner: Client
let moving: Moving
const actor = { name: 'test' }

beforeAll(async () => {
  s3 = await startS3()
  world = await ownWorld('keeps its files elsewhere', s3.settings)
  clinic = await world.business()
  owner = await world.owner()
  const { database, portsOf } = world.service
  await database.asSystem(actor, (tx) => configure(tx, clinic.id, { uploadsEnabled: true }))
  moving = { database, store: portsOf('live').fileStore, actor, signal: new AbortController().signal }
})
afterAll(async () => {
  await world.stop()
  await s3.stop()
})

const secret = 'Wanda Sandpiper'
const message = (value: number) =>
  [
    'MSH|^~\\&|LAB|L|K|K|20260115||ORU^R01|1|P|2.5',
    'PID|1||X||Sandpiper^Wanda||19410101|F',
    'OBR|1|||PANEL|||20260115',
    `OBX|1|NM|2345-7^Glucose^LN||${value}|mg/dL|70-99|N|||F`,
  ].join('\r')

async function person(): Promise<number> {
  const { body } = await clinic.live.post('/customer', {
    email: `w${randomBytes(4).toString('hex')}@example.test`,
    name: 'Other Person',
    dateOfBirth: '1980-02-29',
  })
  return body.id
}

const fileOf = (text: string) => `data:text/plain;base64,${Buffer.from(text).toString('base64')}`
const upload = (userId: number, text: string, more = {}) =>
  clinic.live.post('/customer/add-data', { type: 'file', userId, date: '2026-01-15', fileBlob: fileOf(text), ...more })

async function uploaded(value = 90): Promise<{ userId: number; docId: string; text: string }> {
  const userId = await person()
  const text = message(value)
  const { status, body } = await upload(userId, text)
  expect(status, JSON.stringify(body)).toBe(201)
  return { userId, docId: body.docId, text }
}

const readBack = async (docId: string) => {
  const { status, text } = await clinic.live.get(`/uploads/${docId}/file`)
  return status === 200 ? text : status
}
const rowOf = async (docId: string) =>
  (await owner.query('select file, content, sealed_content from documents where id = $1', [docId])).rows[0]
const objects = () => [...s3.objects.keys()].filter((key) => !key.endsWith('kitlane-files')).sort()
const later = (ms: number): Moving => ({
  ...moving,
  database: new Proxy(moving.database, {
    get(target, name) {
      if (name === 'now') return () => new Date(target.now().getTime() + ms)
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  }),
})
const DAY_MS = 24 * 3600 * 1000

describe('a file that is uploaded', () => {
  it('is kept in the object storage under a random name, sealed, and not in the database', async () => {
    const { docId, text } = await uploaded()
    const { file, ...bytes } = await rowOf(docId)
    expect(bytes).toEqual({ content: null, sealed_content: null })
    expect(file).toMatch(/^\d{4}-\d\d-\d\d\/\w{24}$/)
    const kept = s3.objects.get(`test/${file}`)?.body ?? Buffer.alloc(0)
    expect(kept.length).toBeGreaterThan(text.length)
    expect(kept.includes('Glucose')).toBe(false)
    expect(await readBack(docId)).toBe(text)
    expect(s3.problems).toEqual([])
    expect(secret).not.toBe('')
  })

  it('is refused as long as the storage is away, is retried under the same key, and leaves no row', async () => {
    const userId = await person()
    const before = (await owner.query('select count(*) from documents')).rows
    const headers = { 'idempotency-key': randomBytes(8).toString('hex') }
    const body = { type: 'file', userId, date: '2026-01-15', fileBlob: fileOf(message(91)) }
    s3.isDown = true
    const refused = await clinic.live.post('/customer/add-data', body, headers)
    s3.isDown = false
    expect([refused.status, refused.body.code]).toEqual([503, 'OVERLOADED'])
    expect((await owner.query('select count(*) from documents')).rows).toEqual(before)
    expect((await clinic.live.post('/customer/add-data', body, headers)).status).toBe(201)
  })

  it('is not given out once its bytes, or the row that it belongs to, were changed', async () => {
    const [one, two] = [await uploaded(92), await uploaded(93)]
    const [first, second] = [(await rowOf(one.docId)).file, (await rowOf(two.docId)).file]
    const kept = s3.objects.get(`test/${first}`)
    const changed = Buffer.from(kept?.body ?? '')
    changed.writeUInt8(changed.readUInt8(changed.length - 1) ^ 1, changed.length - 1)
    s3.objects.set(`test/${first}`, { body: changed, at: new Date() })
    expect(await readBack(one.docId)).toBe(500)
    await owner.query('update documents set file = $2 where id = $1', [one.docId, second])
    expect(await readBack(one.docId)).toBe(500)
    await owner.query('update documents set file = $2 where id = $1', [one.docId, first])
    if (kept) s3.objects.set(`test/${first}`, kept)
    expect(await readBack(one.docId)).toBe(one.text)
    await owner.query('update files set dropped_at = null')
  })

  it('is deleted from the storage after its person was erased', async () => {
    const { userId, docId } = await uploaded(94)
    const { file } = await rowOf(docId)
    await clinic.live.request('DELETE', `/customers/${userId}`)
    expect(await rowOf(docId)).toBeUndefined()
    expect(await deleteDropped(moving)).toBe(0)
    expect(await deleteDropped(later(61_000))).toBe(1)
    expect(s3.objects.has(`test/${file}`)).toBe(false)
    expect((await owner.query('select 1 from files where name = $1', [file])).rows).toEqual([])
  })

  it('that never got its row is deleted after a day, and no other', async () => {
    const { docId, text } = await uploaded(95)
    const before = objects()
    const today = new Date().toISOString().slice(0, 10)
    const orphans = [1, 2, 3].map((at) => `${today}/orphan${at}`)
    for (const name of orphans) await moving.store.write(name, Buffer.from('sealed'))
    await owner.query(`update file_store set swept_until = current_date - 3`)
    expect(await sweepOrphans(later(DAY_MS))).toBe(0)
    expect(await sweepOrphans(later(2 * DAY_MS))).toBe(3)
    expect(objects()).toEqual(before)
    expect(await readBack(docId)).toBe(text)
  })
})

describe('what the version before kept in rows', () => {
  it('stays readable, and a job moves it to the storage; interrupted, it goes on', async () => {
    const files = await Promise.all([96, 97, 98, 99, 100].map((value) => uploaded(value)))
    expect(await filesIntoRows(moving.database, moving.store, 'sealed')).toBeGreaterThanOrEqual(5)
    const { docId: oldest, text } = await uploaded(101)
    await filesIntoRows(moving.database, moving.store, 'clear')
    for (const { docId, text: sent } of files) expect(await readBack(docId)).toBe(sent)
    const aborted = new AbortController()
    const store: FileStore = {
      ...moving.store,
      async write(name, bytes) {
        await moving.store.write(name, bytes)
        aborted.abort()
      },
    }
    const moved = await moveFiles({ ...moving, store, signal: aborted.signal }, 'in rows')
    expect(moved).toBeGreaterThan(0)
    const left = (await filesStatus(moving.database, actor)).reduce((sum, { inRows }) => sum + inRows, 0)
    expect(left).toBeGreaterThan(0)
    expect(await moveFiles(moving, 'in rows')).toBe(left)
    const status = await filesStatus(moving.database, actor)
    expect(status.filter(({ inRows }) => inRows > 0)).toEqual([])
    expect(await rowOf(oldest)).toMatchObject({ content: null, sealed_content: null })
    expect(await readBack(oldest)).toBe(text)
    for (const { docId, text: sent } of files) expect(await readBack(docId)).toBe(sent)
  })

  it('is not brought back by the job if its person was erased while it was moved', async () => {
    const { userId, docId } = await uploaded(102)
    await filesIntoRows(moving.database, moving.store)
    const store: FileStore = {
      ...moving.store,
      async write(name, bytes) {
        await clinic.live.request('DELETE', `/customers/${userId}`)
        await moving.store.write(name, bytes)
      },
    }
    await moveFiles({ ...moving, store }, 'in rows')
    expect(await rowOf(docId)).toBeUndefined()
  })

  it('is sealed again when keys are replaced, and so are files in the storage', async () => {
    const { docId, text } = await uploaded(103)
    const before = (await rowOf(docId)).file
    const { destroyed } = await rotateDataKeys(moving.database, actor, { knownAfterMs: 0, store: moving.store })
    expect(destroyed).toBeGreaterThan(0)
    expect((await rowOf(docId)).file).not.toBe(before)
    expect(await readBack(docId)).toBe(text)
  })
})

describe('the place of the files', () => {
  const start = (folder: string): Promise<Service> =>
    startService({
      urls: world.urls,
      settings: { ...world.settings, role: 'api', files: { ...world.settings.files, url: folder } },
      log,
    })

  it('is the same for all nodes: one with another folder does not start', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kitlane-files-'))
    await expect(start(folder)).rejects.toThrow('All nodes need the same files')
    await writeFile(join(folder, 'kitlane-files'), 'another')
    await expect(start(folder)).rejects.toThrow('files of another database')
    await rm(folder, { recursive: true })
  })
})

describe.each(['a folder', 'object storage'])('%s', (kind) => {
  let store: FileStore
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kitlane-files-'))
    const { s3: options } = s3.place
    const egress = createEgress({ allowLoopback: false, log })
    store =
      kind === 'a folder' ? folderStore(folder) : s3Store({ ...options, prefix: 'other/', egress, loopback: true })
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('reads what was written, lists names in order, and deletes', async () => {
    const big = randomBytes(3 * 1024 * 1024)
    await store.write('2026-01-02/b', Buffer.from('second'))
    await store.write('2026-01-02/a', big)
    await store.write('2026-01-03/c', Buffer.from('third'))
    await store.write('2026-01-03/c', Buffer.from('fourth'))
    expect((await store.read('2026-01-02/a')).equals(big)).toBe(true)
    expect((await store.read('2026-01-03/c')).toString()).toBe('fourth')
    expect((await all(store.list(''))).map(({ name }) => name)).toEqual([
      '2026-01-02/a',
      '2026-01-02/b',
      '2026-01-03/c',
    ])
    const [entry] = await all(store.list('2026-01-02/'))
    expect(entry).toEqual({ name: '2026-01-02/a', bytes: big.length, writtenAt: expect.any(Date) })
    await store.delete('2026-01-02/a')
    await store.delete('2026-01-02/a')
    const gone = await store.read('2026-01-02/a').catch((err: FileStoreError) => err)
    expect(gone).toBeInstanceOf(FileStoreError)
    expect((gone as FileStoreError).missing).toBe(true)
    expect(await all(store.list('2025-'))).toEqual([])
  })

  it('creates a name once, of two at the same time too', async () => {
    const made = await Promise.all(['one', 'two'].map((text) => store.create('mark', Buffer.from(text))))
    expect(made.toSorted()).toEqual([false, true])
    expect((await store.read('mark')).toString()).toBe(made[0] ? 'one' : 'two')
    if (kind === 'a folder') {
      expect(await readFile(join(folder, 'mark'), 'utf8')).toBe(made[0] ? 'one' : 'two')
      expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([])
    }
  })
})
