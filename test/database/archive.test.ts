import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sealEntries } from '../../src/modules/audit/seal.ts'
import { realmsOf } from '../../src/modules/businesses/service.ts'
import { asAuditOwner, onceUnlocked, partitionsAhead } from '../harness/audit-owner.ts'
import { callKitlane } from '../harness/in-process.ts'
import { anOrder } from '../harness/orders.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
let owner: Client
let folder: string
let realmId: number
const actor = { name: 'test' }

beforeAll(async () => {
  world = await ownWorld('takes months out of the database')
  clinic = await world.business()
  owner = await world.owner()
  folder = await mkdtemp(join(tmpdir(), 'kitlane-archive-'))
  const { database } = world.service
  realmId = (await database.asSystem(actor, (tx) => realmsOf(tx, clinic.id))).live.id
  await partitionsAhead(database)
  // A month of six years ago, as if a worker had been there.
  for (const month of ['2020-02-01', '2020-03-01'])
    await onceUnlocked(() => owner.query('select kitlane_add_audit_month($1)', [month]))
  const write = (count: number, at: string, first: string) =>
    owner.query(
      `insert into audit_entries (id, realm_id, at, actor, action, object_type, object_id, details)
       select kitlane_audit_from('${first}') + n, case when n % 2 = 0 then ${realmId} end, '${at}', 'test', 'old.thing', 'test', n::text,
         case when n = 2 then '{"words": "words_old"}'::jsonb end
       from generate_series(1, ${count}) n`,
    )
  await owner.query(`insert into audit_words (realm_id, id, sealed) values (${realmId}, 'words_old', '\\x00')`)
  await asAuditOwner(owner, async () => {
    await write(5000, '2020-02-10', '2020-02-01')
    // Of a month that may go as well; and of one that the settings keep: a seal reaches over the end of a month.
    await write(3000, '2020-03-10', '2020-03-01')
  })
  await clinic.live.post('/create-order', anOrder())
})
afterAll(async () => {
  await world.stop()
  await rm(folder, { recursive: true, force: true })
})

async function seal(): Promise<void> {
  const { database } = world.service
  const unsealed = async () => {
    while (await database.asSystem(actor, sealEntries));
    const { rows } = await owner.query(
      'select 1 from audit_entries e, audit_sealing s where (e.xact, e.id) > (s.xact, s.id) limit 1',
    )
    return rows.length
  }
  await expect.poll(unsealed).toBe(0)
}

const run = (args: string[], env: Record<string, string> = {}) =>
  callKitlane(args, { DATABASE_URL: world.urls.owner, ...env }, folder)
const on = { ARCHIVE_TO: '', ARCHIVE_AUDIT_DAYS: '2192' }
const archive = (...args: string[]) => run(['archive', ...args], { ...on, ARCHIVE_TO: `${folder}/archive` })
const json = async ({ code, stdout, stderr }: { code: number | null; stdout: string; stderr: string }) => {
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('Error')])
  return JSON.parse(stdout)
}
const parts = async (): Promise<string[]> =>
  (
    await owner.query(
      `select inhrelid::regclass::text as part from pg_inherits where inhparent = 'audit_entries'::regclass order by 1`,
    )
  ).rows.map(({ part }) => part)
const old = ['audit_entries_2020_02', 'audit_entries_2020_03']

it('keeps everything where nothing was set, and takes no term below six years', async () => {
  await seal()
  const { stdout } = await run(['archive', 'run'])
  expect(stdout).toContain('set ARCHIVE_TO and ARCHIVE_AUDIT_DAYS')
  expect(await run(['archive', 'run'], { ARCHIVE_TO: folder, ARCHIVE_AUDIT_DAYS: '365' })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('six years'),
  })
  expect(await parts()).toEqual(expect.arrayContaining(old))
})

it('keeps everything while a legal hold stands', async () => {
  const held = await json(
    await run(['hold', 'set', '--business', clinic.id, '--reason', 'Court order 17/2026', '--json']),
  )
  expect(await json(await archive('run', '--json'))).toEqual({ archived: [], kept: 'held' })
  expect((await run(['hold', 'lift', '--hold', held.id, '--reason', 'The case was closed'])).code).toBe(0)
  await seal()
})

it('drops no month that somebody reads, keeps its archive, and goes on the next time', async () => {
  const reader = await world.owner()
  await reader.query('begin; select from audit_entries_2020_02 limit 1')
  const before = (await owner.query('select count(*)::int as n from audit_entries')).rows[0].n
  const failed = await archive('run')
  expect(failed.code).toBe(1)
  expect((await owner.query('select count(*)::int as n from audit_entries')).rows[0].n).toBeGreaterThanOrEqual(5000)
  expect(before).toBeGreaterThan(8000)
  await reader.query('rollback')
  const { archived } = await onceUnlocked(async () => {
    const again = await archive('run', '--json')
    if (again.code !== 0) throw new Error(again.stderr)
    return json(again)
  })
  const all = await json(await archive('list', '--json'))
  expect(all.map(({ part }: { part: string }) => part).sort()).toEqual([...old, 'audit_entries_before'])
  expect(archived.at(-1)).toMatchObject({ part: old[1], rows: 3000, from: '2020-03-10T00:00:00.000Z' })
  expect(await parts()).not.toEqual(expect.arrayContaining([old[0]]))
  // The roles of the program remove no words.
  expect((await owner.query(`select 1 from audit_words where id = 'words_old'`)).rowCount).toBe(1)
})

it('leaves an audit that verifies, and in which a change of what is left is found', async () => {
  await clinic.live.post('/create-order', anOrder())
  await seal()
  expect(await json(await run(['verify-audit', '--json']))).toMatchObject({ intact: true })
  await owner.query('reset role; alter table audit_entries no force row level security')
  for (const which of ['asc', 'desc']) {
    const one = `id = (select id from audit_entries order by id ${which} limit 1)`
    await owner.query(`update audit_entries set actor = actor || '.' where ${one}`)
    expect(await run(['verify-audit'])).toMatchObject({ code: 1, stdout: expect.stringContaining('was changed') })
    await owner.query(`update audit_entries set actor = rtrim(actor, '.') where ${one}`)
  }
  // The last archived seal of a chain, from which the others are proven.
  await owner.query(`update audit_archived set hash = sha256(hash)`)
  expect(await run(['verify-audit'])).toMatchObject({ code: 1, stdout: expect.stringContaining('archived') })
  await owner.query(
    `update audit_archived a set hash = s.hash from audit_seals s where s.chain = a.chain and s.number = a.seals`,
  )
  await owner.query('alter table audit_entries force row level security; set role kitlane_system')
  expect(await json(await run(['verify-audit', '--json']))).toMatchObject({ intact: true })
})

it('can be shown and verified later, and a damaged archive is found', async () => {
  const all: { id: string; part: string; location: string }[] = await json(await archive('list', '--json'))
  const one = all.find(({ part }) => part === old[0])
  if (!one) throw new Error('there is no archive')
  expect(await json(await archive('show', '--archive', one.id, '--json'))).toMatchObject({ rows: 5000, kind: 'audit' })
  expect(await json(await archive('verify', '--archive', one.id, '--json'))).toMatchObject({ opened: true, rows: 5000 })
  const bytes = await readFile(one.location)
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
  await writeFile(one.location, bytes)
  expect(await archive('verify', '--archive', one.id)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('not as it was written'),
  })
})

it('refuses to drop a month that is younger, or that was not archived, regardless of who asks', async () => {
  const [young] = (await parts()).filter((part) => /_(202[6-9]|20[3-9]\d)_\d\d$/.test(part))
  await expect(owner.query('select kitlane_drop_audit_month($1)', [young])).rejects.toThrow(/six years/)
  await expect(owner.query(`select kitlane_drop_audit_month('orders')`)).rejects.toThrow(/no month of the audit/)
  await onceUnlocked(() => owner.query(`select kitlane_add_audit_month('2020-04-01')`))
  await expect(owner.query(`select kitlane_drop_audit_month('audit_entries_2020_04')`)).rejects.toThrow(/not archived/)
})
