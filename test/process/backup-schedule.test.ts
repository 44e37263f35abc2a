import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Backups } from '../../src/domain/backups.ts'
import { makeDueBackup } from '../../src/modules/backups/jobs.ts'
import { readFigures } from '../../src/modules/insights/figures/service.ts'
import { createBackups } from '../../src/platform/backup/backups.ts'
import { createEgress } from '../../src/platform/egress/client.ts'
import { folderStore } from '../../src/platform/files/folder-store.ts'
import type { JobContext } from '../../src/platform/jobs/context.ts'
import { createLogger } from '../../src/platform/log.ts'
import { noProvider } from '../../src/platform/sealing/key-provider.ts'
import { callKitlane } from '../harness/in-process.ts'
import { operatorWith } from '../harness/operator.ts'
import { type S3StandIn, startS3 } from '../harness/s3-stand-in.ts'
import { connecting, ownWorld, type World } from '../harness/world.ts'

const HOUR_MS = 3600 * 1000
const clock = { at: Date.parse('2031-03-05T00:30:00Z'), now: () => new Date(clock.at) }
const log = createLogger({ level: 'silent' })
let world: World
let s3: S3StandIn
let folder: string
let key: string
let backups: Backups

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kitlane-schedule-'))
  s3 = await startS3()
  key = await generateX25519Identity()
  // Without settings of its own: its worker would make backups at times of its own.
  world = await ownWorld('sets the clock', {}, { clock })
  backups = createBackups({
    url: world.urls.direct,
    files: folderStore(join(folder, 'files')),
    release: '0.0.0',
    schedule: { to: `${folder}/kept/`, everyHours: 24, hour: 1, keep: 2 },
    provider: noProvider,
    key: async () => ({ secretKey: key, publicKey: await identityToRecipient(key) }),
    egress: createEgress({ allowLoopback: true, log }),
    s3: s3.place.s3,
  })
})
afterAll(async () => {
  await world?.stop()
  await s3?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

/** What the worker does every ten minutes. */
async function tick(): Promise<void> {
  const { database } = world.service
  const context = {
    database,
    portsOf: () => ({ backups }),
    actor: { name: 'job:backups.make-due' },
    log,
    run: { signal: new AbortController().signal },
  } as unknown as JobContext
  await connecting(async () => makeDueBackup.handler(context, {}))
}

const kept = async () => (await readdir(join(folder, 'kept')).catch(() => [])).sort()

it('a scheduled backup is made at its hour, once, and old ones are removed', async () => {
  await tick()
  expect(await kept(), 'the first one, at once').toEqual(['kitlane-20310305T003000Z.tar.zst.age'])
  clock.at += HOUR_MS / 4
  await tick()
  expect(await kept(), 'not yet').toHaveLength(1)
  await writeFile(join(folder, 'kept/other.txt'), 'of somebody else')
  for (let day = 0; day < 3; day++) {
    clock.at = Date.parse(`2031-03-0${5 + day}T01:00:00Z`)
    await tick()
    await tick()
  }
  expect(await kept()).toEqual([
    'kitlane-20310306T010000Z.tar.zst.age',
    'kitlane-20310307T010000Z.tar.zst.age',
    'other.txt',
  ])
})

it('the operator sees when the last backup was made, and that one failed since', async () => {
  const operator = await operatorWith(world, ['system'])
  const { body } = await operator('GET', '/system')
  expect(body.backup).toEqual({
    madeDate: '2031-03-07T01:00:00.000Z',
    bytes: expect.any(Number),
    location: join(folder, 'kept/kitlane-20310307T010000Z.tar.zst.age'),
  })
  const listed = await operator('GET', '/backups')
  expect(listed.body).toEqual({ backups: expect.any(Array) })
  expect(listed.body.backups[0]).toEqual({
    id: expect.any(String),
    ok: true,
    madeBy: 'job:backups.make-due',
    files: 0,
    startedDate: body.backup.madeDate,
    endedDate: expect.any(String),
    checkedDate: expect.any(String),
    location: body.backup.location,
    bytes: body.backup.bytes,
    rows: expect.any(Number),
  })
  await rm(join(folder, 'kept'), { recursive: true })
  await writeFile(join(folder, 'kept'), 'no folder any more')
  clock.at += 24 * HOUR_MS
  await expect(tick()).rejects.toThrow(/cannot be written/)
  expect((await operator('GET', '/system')).body.backup).toMatchObject({
    madeDate: '2031-03-07T01:00:00.000Z',
    failedDate: '2031-03-08T01:00:00.000Z',
  })
  expect((await operator('GET', '/backups')).body.backups[0]).toMatchObject({ ok: false, failure: 'StartError' })
})

const env = () => {
  const { region, endpoint, credentials } = s3.place.s3
  return {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    BACKUP_ENDPOINT_URL: endpoint ?? '',
    BACKUP_KEY: key,
    DATABASE_URL: world.urls.owner,
    ENCRYPTION_KEY: world.encryptionKey.toString('hex'),
  }
}
const kitlane = (args: string[], more: Record<string, string> = {}) =>
  callKitlane([...args, '--json'], { ...env(), ...more }, folder)
async function answerOf(...args: string[]) {
  const { code, stdout, stderr } = await kitlane(args)
  expect({ code, stderr }, args.join(' ')).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}
const inBucket = () => [...s3.objects].map(([name, { body }]) => [`s3://kitlane-files/${name}`, body.length])

it('figures and the operator say that the backup of a schedule is missing, and for how long', async () => {
  const { database } = world.service
  await database.asSystem({ name: 'test' }, async (tx) => {
    Object.assign(tx.context.settings.backup, backups.schedule)
  })
  clock.at += 5 * HOUR_MS
  const operator = await operatorWith(world, ['system'])
  expect((await operator('GET', '/backups')).body.schedule).toEqual({
    to: `${folder}/kept/`,
    everyHours: 24,
    hour: 1,
    keep: 2,
    nextDate: '2031-03-08T06:00:00.000Z',
  })
  expect(await readFigures(database)).toMatchObject({
    kitlane_backup_ok: 0,
    kitlane_backup_late_seconds: 5 * 3600,
    kitlane_backup_age_seconds: 29 * 3600,
  })
  await rm(join(folder, 'kept'))
  await tick()
  expect(await readFigures(database)).toMatchObject({ kitlane_backup_ok: 1, kitlane_backup_late_seconds: 0 })
  expect((await operator('GET', '/backups')).body.schedule.nextDate).toBe('2031-03-09T01:00:00.000Z')
})

it('a backup goes to an object store, and is listed and read from there', async () => {
  const { location, bytes } = await answerOf('backup', 's3://kitlane-files/nightly/')
  expect(location).toMatch(/^s3:\/\/kitlane-files\/nightly\/kitlane-\d{8}T\d{6}Z\.tar\.zst\.age$/)
  expect(inBucket()).toEqual([[location, bytes]])
  expect((await answerOf('backups', 's3://kitlane-files/nightly/')).kept).toEqual([
    expect.objectContaining({ location, bytes }),
  ])
  expect(await answerOf('restore', '--check', location)).toMatchObject({ whole: true })
  const missing = await kitlane(['restore', '--check', 's3://kitlane-files/nightly/none'])
  expect(missing.stderr).toMatch(/does not give s3:\/\/kitlane-files\/nightly\/none.*Check the name/)
  expect(s3.problems).toEqual([])
  s3.objects.clear()
})

it('a backup of more than 16 MB goes to an object store in parts, and one that breaks off leaves nothing there', async () => {
  const files = folderStore(join(folder, 'data/files'))
  for (let n = 0; n < 2; n++) await files.write(`2031-03-05/${n}`, randomBytes(9_000_000))
  const { location, bytes } = await answerOf('backup', 's3://kitlane-files/large/')
  expect(bytes).toBeGreaterThan(18_000_000)
  expect([inBucket(), s3.completed, s3.open()]).toEqual([[[location, bytes]], [2], 0])
  expect(await answerOf('restore', '--check', location)).toMatchObject({ whole: true, files: 2 })
  s3.objects.clear()
  s3.refusedPart = 2
  const refused = await kitlane(['backup', 's3://kitlane-files/large/'])
  s3.refusedPart = Number.POSITIVE_INFINITY
  expect(refused.stderr).toMatch(
    /refuses s3:\/\/kitlane-files\/large\/.*AccessDenied.*Check the name, AWS_ACCESS_KEY_ID/,
  )
  expect([inBucket(), s3.open()]).toEqual([[], 0])
  await rm(join(folder, 'data/files'), { recursive: true })
})

it('a wrong secret is explained in a sentence that says which settings to check', async () => {
  const wrong = { AWS_SECRET_ACCESS_KEY: 'another' }
  for (const args of [['backup'], ['backups'], ['restore', '--check']]) {
    const name = args[0] === 'restore' ? 'kitlane-20310305T003000Z.tar.zst.age' : ''
    const { code: exit, stderr } = await kitlane([...args, `s3://kitlane-files/wrong/${name}`], wrong)
    expect([args, exit, stderr]).toEqual([
      args,
      1,
      expect.stringMatching(/AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/),
    ])
    if (args[0] !== 'restore') expect(stderr).toContain('SignatureDoesNotMatch')
  }
  expect(inBucket()).toEqual([])
})

it('old backups are removed from an object store, too', async () => {
  const folderSchedule = backups.schedule
  backups.schedule = { to: 's3://kitlane-files/kept/', everyHours: 24, hour: 1, keep: 2 }
  s3.objects.set('kept/other.txt', { body: Buffer.from('of somebody else'), at: new Date() })
  for (let day = 1; day < 5; day++) {
    clock.at = Date.parse(`2031-04-0${day}T01:00:00Z`)
    await tick()
  }
  expect([...s3.objects.keys()].sort()).toEqual([
    'kept/kitlane-20310403T010000Z.tar.zst.age',
    'kept/kitlane-20310404T010000Z.tar.zst.age',
    'kept/other.txt',
  ])
  backups.schedule = folderSchedule
})
