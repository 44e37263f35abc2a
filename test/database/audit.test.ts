import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealAll, sealEntries } from '../../src/modules/audit/seal.ts'
import { verifyAudit, verifyAuditInBatches } from '../../src/modules/audit/verify.ts'
import { realmsOf } from '../../src/modules/businesses/service.ts'
import { routes } from '../../src/modules/index.ts'
import type { Tx } from '../../src/platform/database/tx.ts'
import { expectRefusal } from '../harness/answers.ts'
import { commandLine } from '../harness/command-line.ts'
import { createIsolationFixtures, type IsolationFixtures } from '../harness/isolation-fixtures.ts'
import { person, type SignedIn, signIn } from '../harness/people.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
let realm: IsolationFixtures
let admin: SignedIn
let staff: SignedIn
let owner: Client

beforeAll(async () => {
  world = await ownWorld('breaks the audit')
  clinic = await world.business()
  realm = await createIsolationFixtures(world, clinic, 'live')
  admin = await signIn(world, await person(world, 'business-admin', clinic))
  staff = await signIn(world, await person(world, 'operator-admin'))
  owner = await world.owner()
})
afterAll(() => world.stop())

interface Entry {
  id: string
  actor: string
  action: string
  objectType: string
  objectID: string
  callerRequestID?: string
  ip?: string
  details?: Record<string, unknown>
  business?: { id: string }
  mode?: string
}

/** The audit entries of the request with this ID, as the operator sees them. */
async function writtenBy(requestId: string): Promise<Entry[]> {
  const { body } = await staff.operator.get('/audit?size=250')
  return body.data.filter((entry: Entry) => entry.callerRequestID === requestId)
}

let requests = 0
const nextId = () => `audit-test-${++requests}`

describe('reading health data', () => {
  it('writes one row with who, what, from where and in which request, for each route of a business', async () => {
    const { customer, kit, report, order } = realm.objects
    const reads: [path: string, action: string, objectId: string, count?: number][] = [
      ['/customers', 'customer.listed', '*'],
      ['/customers?page=0', 'customer.listed', '*', 1],
      [`/customers/${customer[0]}`, 'customer.read', customer[0]],
      [`/customers/${customer[1]}`, 'customer.read', customer[0]],
      [`/customers/${customer[0]}/export`, 'customer.exported', customer[0]],
      [`/customers/${customer[0]}/reports/${report[0]}`, 'report.read', report[0]],
      [`/kits?kitID=${kit[0]}`, 'kit.listed', '*', 1],
      [`/kits/${kit[0]}`, 'kit.read', kit[0]],
      [`/orders/${order[0]}`, 'order.read', order[0]],
    ]
    for (const [path, action, objectID, count] of reads) {
      for (const [who, actor] of [
        [clinic.live, /^token:tok_/],
        [admin.in(clinic), new RegExp(`^user:${admin.person.id}$`)],
      ] as const) {
        const requestID = nextId()
        const reply = await who.get(path, { 'x-request-id': requestID })
        expect([path, reply.status]).toEqual([path, 200])
        const written = await writtenBy(requestID)
        expect(written, path).toEqual([
          expect.objectContaining({ action, objectID, callerRequestID: requestID, ip: '127.0.0.1' }),
        ])
        expect(written[0]).toMatchObject({
          actor: expect.stringMatching(actor),
          business: { id: clinic.id },
          mode: 'live',
        })
        if (count !== undefined) expect(written[0]?.details?.count).toBe(count)
      }
    }
  })

  it('by the staff is written in the realm that the data is of, and the business sees it', async () => {
    const requestID = nextId()
    const path = `/reports/${realm.objects.report[0]}`
    expect((await staff.operator.get(path, { 'x-request-id': requestID })).status).toBe(200)
    const seen = (await admin.in(clinic).get('/audit')).body.data.filter(
      (entry: Entry) => entry.callerRequestID === requestID,
    )
    expect(seen).toEqual([
      expect.objectContaining({
        actor: `user:${staff.person.id}`,
        action: 'report.read',
        objectID: realm.objects.report[0],
      }),
    ])
  })

  it('in events and in a search names what was shown, each kind in a row of its own', async () => {
    const shown = async (path: string) => {
      const requestID = nextId()
      const { body } = await clinic.live.get(path, { 'x-request-id': requestID })
      const rows = (await writtenBy(requestID)).map(({ action, objectID, details }) => ({ action, objectID, details }))
      return { body, rows: rows.sort((a, b) => (a.action < b.action ? -1 : 1)) }
    }
    const listed = (action: string, ids: string[], operation: string) => ({
      action,
      objectID: '*',
      details: { operation, count: ids.length, ids },
    })
    const path = '/events?size=250&type=kit.updated,report.published'
    // The feed holds back what an older transaction of the server could still precede.
    await expect
      .poll(async () => (await clinic.live.get(path)).body.data.map(({ type }: { type: string }) => type))
      .toContain('report.published')
    const { body, rows } = await shown(path)
    interface Shown {
      type: string
      data: { kitID: string; reportID: string; customerID?: number; registeredToEmail?: string }
    }
    const of = (type: string) => body.data.filter((event: Shown) => event.type === type)
    const personal = of('kit.updated').filter(({ data }: Shown) => data.customerID || data.registeredToEmail)
    const kits = personal.map(({ data }: Shown) => data.kitID)
    const reports = of('report.published').map(({ data }: Shown) => data.reportID)
    expect([kits.length, reports.length].every((count) => count > 0)).toBe(true)
    expect(kits.length).toBeLessThan(of('kit.updated').length)
    expect(rows).toEqual([listed('kit.listed', kits, 'listEvents'), listed('report.listed', reports, 'listEvents')])
    for (const kind of ['customer', 'kit', 'order', 'report'] as const) {
      const found = await shown(`/search?q=${realm.objects[kind][0]}`)
      const kinds = [...new Set(found.body.map((one: { kind: string }) => one.kind))].sort()
      expect(kinds).toContain(kind)
      expect(found.rows.map(({ action }) => action)).toEqual(kinds.map((one) => `${one}.listed`))
      expect(found.rows.flatMap(({ details }) => details?.ids)).toEqual(
        kinds.flatMap((one) =>
          found.body.filter(({ kind }: { kind: string }) => kind === one).map(({ id }: { id: string }) => id),
        ),
      )
    }
  })

  it('of a file job names the file that was read', async () => {
    const [job] = realm.objects.fileJob
    const requestID = nextId()
    const { body } = await clinic.live.get(`/customer/add-data/jobs/${job}`, { 'x-request-id': requestID })
    const written = await writtenBy(requestID)
    expect(written.map(({ action, objectID }) => [action, objectID])).toEqual([['upload.read', body.result.docId]])
  })

  it('that found nothing, or nothing of a person, writes nothing', async () => {
    const empty = (await world.business()).live
    for (const path of ['/customers?page=0', '/kits', '/customers/999999999999', `/kits/${realm.objects.kit[0]}`]) {
      const requestID = nextId()
      await empty.get(path, { 'x-request-id': requestID })
      expect([path, await writtenBy(requestID)]).toEqual([path, []])
    }
    const unregistered = nextId()
    await clinic.live.get(`/kits/${realm.objects.kit[1]}`, { 'x-request-id': unregistered })
    expect(await writtenBy(unregistered)).toEqual([])
  })

  it('is declared on every route that shows such data: a new one that looks like it says so, or is named here', async () => {
    const shows = /events|customer|report|kits?\b|sample|upload|lab\/|people|results|orders?\b|search|registration/
    const without = routes
      .filter(({ method, path, accesses }) => method === 'GET' && shows.test(path) && !accesses)
      .map(({ id }) => id)
    // These write their own entry, or show no personal data.
    expect(without.sort()).toEqual([...exempt].sort())
  })

  it('writes nothing of what was read: no name, e-mail or result', async () => {
    const { rows } = await owner.query<{ row: string }>('select t::text as row from audit_entries t')
    const text = rows.map(({ row }) => row).join('\n')
    expect(realm.canaries.filter((mark) => text.includes(mark))).toEqual([])
  })
})

const exempt = [
  'exportCustomer',
  'listCustomerAccesses',
  'listAccessesOfCustomer',
  'getReport',
  'reviewReport',
  'validateKit',
  'getBulkOrderJob',
  'listBulkOrderJobs',
  'getBoxLabel',
  'getResultEntryForm',
  'getKitReminders',
  'listCarrierEvents',
  'getCriticalFigures',
  'getCriticalFiguresOfAll',
  'getLabOrder',
  'listHeldSamples',
  'listHeldSamplesOfAll',
  'listRecalledKits',
  'listKitLots',
]

describe('the audit', () => {
  it('knows sign-ins, failed ones and what happens to the staff, which no business sees', async () => {
    await world.anonymous.post('/session', { email: admin.person.email, password: 'wrong' })
    const { body } = await staff.operator.get('/audit?businessID=none&size=250')
    const actions = body.data.map(({ action, objectID }: Entry) => `${action} ${objectID}`)
    expect(actions).toContain(`session.started ${admin.person.id}`)
    expect(actions).toContain(`session.refused ${admin.person.id}`)
    expect(actions).toContain(`user.created ${staff.person.id}`)
    const own = await admin.in(clinic).get('/audit?size=250')
    expect(own.text).not.toContain('session.')
    expect(own.text).toContain('user.created')
  })

  it('is filtered by object, action and actor, in pages, newest first', async () => {
    const get = async (query: string) => (await admin.in(clinic).get(`/audit?size=2&${query}`)).body
    const all = await get('')
    expect(all.data.map(({ id }: Entry) => Number(id))).toEqual(
      all.data.map(({ id }: Entry) => Number(id)).sort((a: number, b: number) => b - a),
    )
    expect(all.pagination).toMatchObject({ page: 0, size: 2, hasNext: true })
    const customer = realm.objects.customer[0]
    for (const entry of (await get(`objectID=${customer}`)).data) expect(entry.objectID).toBe(customer)
    expect((await get('action=customer.created')).pagination.total).toBe(1)
    expect((await get(`actor=user:${staff.person.id}`)).pagination.total).toBe(1)
  })

  it('of one business is not another’s, nor a viewer’s', async () => {
    const other = await world.business()
    const stranger = await signIn(world, await person(world, 'business-admin', other))
    const seen = (await stranger.in(other).get('/audit?size=250')).body.data
    expect(realm.ids.filter((id) => JSON.stringify(seen).includes(id))).toEqual([])
    const viewer = await signIn(world, await person(world, 'business-viewer', clinic))
    expectRefusal(await viewer.in(clinic).get('/audit'), 'FORBIDDEN', 'a viewer')
  })
})

const int4 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

const verification = async () => {
  await world.service.database.asSystem({ name: 'test' }, sealEntries)
  return (await staff.operator.get('/audit/verification')).body
}

/** Waits until everything is sealed. Sealing waits for older transactions in all databases of the server. */
async function sealed() {
  const look = async () => {
    const found = await verification()
    return found.intact ? found.entries - found.sealed : found.brokenAt
  }
  await expect.poll(look, { interval: 100 }).toBe(0)
  return verification()
}

/** Runs a change as the owner, without policies, and rolls it back after `look`. */
async function tampered(change: string, look = async () => {}): Promise<string> {
  await sealed()
  await owner.query('reset role')
  const tables = ['audit_entries', 'audit_seals', 'audit_chains']
  for (const table of tables) await owner.query(`create table kept_${table} as select * from ${table} where false`)
  try {
    await owner.query(`alter table audit_entries no force row level security;
      alter table audit_entries disable trigger audit_entries_now`)
    for (const table of tables) await owner.query(`insert into kept_${table} select * from ${table}`)
    const { rowCount } = await owner.query(change)
    expect([change, rowCount]).toEqual([change, 1])
    const { intact, brokenAt } = await verification()
    expect(intact, change).toBe(false)
    await look()
    return brokenAt
  } finally {
    for (const table of tables) {
      const overriding = table === 'audit_entries' ? 'overriding system value' : ''
      await owner.query(
        `delete from ${table}; insert into ${table} ${overriding} select * from kept_${table}; drop table kept_${table}`,
      )
    }
    await owner.query('alter table audit_entries force row level security')
    await owner.query('alter table audit_entries enable trigger audit_entries_now')
    await owner.query('set role kitlane_system')
  }
}

describe('the chain of seals', () => {
  it('covers every entry, also those that are written while it runs', async () => {
    const before = await sealed()
    expect(before).toEqual({
      businesses: expect.any(Number),
      entries: before.sealed,
      sealed: before.sealed,
      intact: true,
    })
    const [, after] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, () => clinic.live.get(`/customers/${realm.objects.customer[0]}`))),
      verification(),
    ])
    expect(after.intact).toBe(true)
    const later = await sealed()
    expect(later.entries).toBeGreaterThanOrEqual(before.entries + 20)
  })

  it('waits for an older transaction that still runs, and takes its entries when it has ended', async () => {
    const { service } = world
    const before = await sealed()
    const entry = `insert into audit_entries (realm_id, at, actor, action, object_type, object_id)
      values (${realm.realm.id}, now(), 'test', 'slow.written', 'test', '1')`
    let whileOpen = { entries: 0, sealed: 0, intact: false }
    await service.database.inRealm(realm.realm, { name: 'test' }, async (tx) => {
      await tx.client.query(entry)
      await clinic.live.get(`/customers/${realm.objects.customer[0]}`)
      whileOpen = await verification()
    })
    expect(whileOpen).toMatchObject({ intact: true, entries: before.entries + 1, sealed: before.sealed })
    expect(await sealed()).toMatchObject({ intact: true, entries: before.entries + 2, sealed: before.sealed + 2 })
  })

  it('goes on after the database was restored into a cluster that counts transactions again', async () => {
    await sealed()
    await clinic.live.get(`/customers/${realm.objects.customer[0]}`)
    await owner.query('reset role')
    await owner.query('alter table audit_entries no force row level security')
    await owner.query(
      'update audit_entries set xact = xact + 1000000000; update audit_sealing set xact = xact + 1000000000',
    )
    await owner.query('alter table audit_entries force row level security; set role kitlane_system')
    await clinic.live.get(`/customers/${realm.objects.customer[0]}`)
    for (let i = 0; i < 2; i++) {
      expect((await sealed()).intact).toBe(true)
      await clinic.live.get(`/customers/${realm.objects.customer[0]}`)
    }
  })

  const chain = () => realm.realm.id
  const inChain = (which: string) =>
    `id = (select id from audit_entries where realm_id = ${chain()} order by id ${which} limit 1)`

  it('finds one changed byte', async () => {
    expect(await tampered(`update audit_entries set actor = actor || '.' where ${inChain('asc')}`)).toContain(
      'was changed',
    )
    expect(
      await tampered(`update audit_entries set at = at + interval '1 microsecond' where ${inChain('desc')}`),
    ).toContain('was changed')
    const seal = `where chain = ${chain()} and number = 1`
    expect(await tampered(`update audit_seals set hash = set_byte(hash, 0, get_byte(hash, 0) # 1) ${seal}`)).toMatch(
      /changed/,
    )
  })

  it('covers what a caller calls a request, and holds where the version before, which did not know it, has sealed', async () => {
    const path = `/customers/${realm.objects.customer[0]}`
    await clinic.live.get(path, { 'x-request-id': nextId() })
    const one = `id = (select max(id) from audit_entries where realm_id = ${chain()} and caller_request_id is not null)`
    expect(await tampered(`update audit_entries set caller_request_id = 'other' where ${one}`)).toContain('was changed')

    await sealed()
    const last = `(select max(number) from audit_seals where chain = ${chain()})`
    await owner.query('reset role')
    await owner.query('alter table audit_entries no force row level security')
    const asBefore = await owner.query(
      `with before as (
         select sha256(coalesce((select hash from audit_seals p where p.chain = s.chain and p.number = s.number - 1), '')
           || convert_to(string_agg(jsonb_build_array(e.id, e.realm_id, (extract(epoch from e.at) * 1000000)::bigint, e.actor,
                e.action, e.object_type, e.object_id, e.request_id, e.ip, e.details)::text, E'\n' order by u.place), 'UTF8')) as hash
         from audit_seals s cross join lateral unnest(s.entry_ids) with ordinality as u(id, place)
         join audit_entries e on e.id = u.id where s.chain = ${chain()} and s.number = ${last} group by s.chain, s.number),
       ends as (update audit_chains set hash = before.hash from before where chain = ${chain()})
       update audit_seals s set hash = before.hash, form = default from before where s.chain = ${chain()} and s.number = ${last}`,
    )
    await owner.query('alter table audit_entries force row level security; set role kitlane_system')
    expect(asBefore.rowCount).toBe(1)
    expect((await sealed()).intact).toBe(true)
    await clinic.live.get(path, { 'x-request-id': nextId() })
    expect((await sealed()).intact).toBe(true)
  })

  it('finds a removed entry, and one that was put in later', async () => {
    expect(await tampered(`delete from audit_entries where ${inChain('offset 1')}`)).toContain(
      'an entry of this seal was removed',
    )
    const forged = `insert into audit_entries (realm_id, at, actor, action, object_type, object_id, xact)
      values (${chain()}, now(), 'token:x', 'nothing.done', 'x', 'x', 1)`
    expect(await tampered(forged)).toContain('put in')
  })

  it('finds a removed seal, the last one too', async () => {
    await clinic.live.get(`/customers/${realm.objects.customer[0]}`)
    expect(await tampered(`delete from audit_seals where chain = ${chain()} and number = 1`)).toContain('removed')
    const last = `(select max(number) from audit_seals where chain = ${chain()})`
    expect(await tampered(`delete from audit_seals where chain = ${chain()} and number = ${last}`)).toContain(
      'at the end',
    )
    expect((await sealed()).intact).toBe(true)
  })

  it('cannot be changed or removed by the program', async () => {
    const denied = async (statement: string) =>
      owner.query(statement).then(
        () => 'done',
        (err: { code?: string }) => err.code,
      )
    for (const role of ['kitlane_app', 'kitlane_system']) {
      await owner.query(`reset role; set role ${role}`)
      for (const table of ['audit_entries', 'audit_seals']) {
        expect(await denied(`delete from ${table}`)).toBe('42501')
        expect(await denied(`truncate ${table}`)).toBe('42501')
      }
      expect(await denied('update audit_entries set actor = actor')).toBe('42501')
      expect(await denied('update audit_seals set number = number')).toBe('42501')
    }
    await owner.query('reset role; set role kitlane_system')
  })

  it('takes no number, no transaction and no time of before from the program, whichever role it works as', async () => {
    const insert = (columns: string, values: string) =>
      owner.query(
        `insert into audit_entries (realm_id, actor, action, object_type, object_id, at${columns})
         values (${chain()}, 'token:x', 'nothing.done', 'x', 'x', '2019-01-01'${values})`,
      )
    const { rows: roles } = await owner.query<{ name: string }>(
      `select rolname as name from pg_roles where rolname like 'kitlane\\_%' and rolname <> 'kitlane_owner'
       and pg_has_role(session_user, oid, case when current_setting('server_version_num')::int < 160000 then 'member' else 'set' end)`,
    )
    expect(roles.map(({ name }) => name)).toEqual(expect.arrayContaining(['kitlane_app', 'kitlane_system']))
    try {
      for (const { name } of roles) {
        await owner.query(`reset role; set role ${name}; select set_config('kitlane.realm', '${chain()}', false)`)
        for (const [columns, values] of [
          [', id', ', -1'],
          [', id', ', 1'],
          [', xact', ', -1'],
          [', xact', ', 1'],
        ] as const)
          await expect(insert(columns, values), name).rejects.toThrow(/permission denied/)
      }
      await owner.query('reset role; set role kitlane_system')
      await insert('', '')
    } finally {
      await owner.query(`reset role; select set_config('kitlane.realm', '', false); set role kitlane_system`)
    }
    const { rows } = await owner.query(
      `select at > now() - interval '1 minute' as "isOfNow" from audit_entries where action = 'nothing.done'`,
    )
    expect(rows).toEqual([{ isOfNow: true }])
    expect((await sealed()).intact).toBe(true)
  })

  it('finds an entry with a negative number or transaction, dated as one pleases, regardless of who wrote it', async () => {
    await owner.query(
      'reset role; alter table audit_entries drop constraint audit_entries_counted; set role kitlane_system',
    )
    for (const [id, xact] of [
      [-5, 1],
      [-9_000_000_000_000_000, -1],
      [5_000_000, -7],
    ]) {
      const forged = `insert into audit_entries (id, xact, realm_id, at, actor, action, object_type, object_id)
        values (${id}, ${xact}, ${chain()}, '2019-01-01', 'token:x', 'nothing.done', 'x', 'x')`
      expect(await tampered(forged)).toContain('negative number or transaction')
    }
    await owner.query(`reset role;
      alter table audit_entries add constraint audit_entries_counted check (id > 0 and xact > 0) not valid; set role kitlane_system`)
  })

  it('keeps the words that an entry refers to: they are only sealed again with a newer key', async () => {
    await clinic.live.request('PATCH', `/customers/${realm.objects.customer[0]}`, { name: 'Other Name' })
    const overwrite = `update audit_words set sealed = $2 where (realm_id, id) = ($1, 'words_test')`
    const { rows } = await owner.query<{ id: number; realm: number }>(
      `select id, realm_id as realm from data_keys where purpose = 'data' and realm_id = $1 order by used_from desc limit 1`,
      [chain()],
    )
    const [key] = rows as [{ id: number; realm: number }]
    const head = (id: number) => Buffer.concat([Buffer.of(1), int4(id), Buffer.alloc(40)])
    await owner.query(`insert into audit_words (realm_id, id, sealed) values ($1, 'words_test', $2)`, [
      chain(),
      head(key.id),
    ])
    for (const value of [head(key.id), head(key.id + 1), Buffer.of(0)])
      await expect(owner.query(overwrite, [chain(), value])).rejects.toThrow(/only sealed anew/)
    await owner.query(`insert into audit_words (realm_id, id, sealed) values ($1, 'words_old', $2)`, [chain(), head(0)])
    const reseal = `update audit_words set sealed = $2 where (realm_id, id) = ($1, 'words_old')`
    await expect(owner.query(reseal, [chain(), head(0)])).rejects.toThrow(/only sealed anew/)
    expect((await owner.query(reseal, [chain(), head(key.id)])).rowCount).toBe(1)
    await expect(owner.query(reseal, [chain(), head(key.id)])).rejects.toThrow(/only sealed anew/)
  })

  it('is verified on the command line, which exits with 1 when it is broken', async () => {
    const cli = await commandLine(world.urls.owner)
    try {
      const { entries } = await sealed()
      expect(await cli.json('verify-audit')).toEqual({
        entries,
        sealed: entries,
        intact: true,
        asFarAs: { known: 'seals' },
      })
      // Nothing but an anchor that was kept elsewhere tells that a whole chain is gone.
      const words = await cli.run('verify-audit')
      expect(words.stdout).toMatch(/intact as far as its seals can tell: .*\nNot known: whether .* --anchors <file>/)
      await tampered(`update audit_entries set action = action || '.' where ${inChain('asc')}`, async () => {
        const { code, stdout } = await cli.run('verify-audit')
        expect([code, stdout]).toEqual([1, expect.stringContaining('The audit was changed: realm ')])
      })
    } finally {
      await cli.close()
    }
  })

  it('says the same to each of several that verify it at once, whoever comes to its end', async () => {
    const { database } = world.service
    const actor = { name: 'test' }
    const { entries } = await sealed()
    const run = (repeat?: (batch: () => Promise<boolean>) => Promise<void>) =>
      verifyAuditInBatches(database, actor, { which: 'whole', fromStart: true, repeat })
    // More would wait for one of the ten connections, and give up after 2 s on a busy machine.
    const many = await Promise.all(Array.from({ length: 8 }, () => run()))
    for (const found of many) expect(found).toMatchObject({ intact: true, entries })
    await tampered(`update audit_entries set action = action || '.' where ${inChain('asc')}`, async () => {
      const first = await run(async (batch) => {
        expect(await run()).toMatchObject({ intact: false })
        while (await batch());
      })
      expect(first).toMatchObject({ intact: false, brokenAt: expect.stringContaining('was changed') })
    })
  })

  it('is sealed to its end by who asks for it, also while another process seals', async () => {
    await sealed()
    await clinic.live.get(`/customers/${realm.objects.customer[0]}`)
    // Sealing waits for older transactions in any database of the server.
    await world.settled()
    await owner.query('reset role; begin; select from audit_sealing for update')
    const all = sealAll(world.service.database, { name: 'test' })
    await delay(200)
    await owner.query('rollback; set role kitlane_system')
    await all
    const { entries, sealed: count } = (await staff.operator.get('/audit/verification')).body
    expect(count).toBe(entries)
  })

  it('is not called intact where nothing is sealed, so that nothing was checked', async () => {
    const fresh = await ownWorld('breaks the audit')
    const cli = await commandLine(fresh.urls.owner)
    try {
      const empty = await cli.run('verify-audit')
      expect([empty.code, empty.stdout]).toEqual([1, expect.stringContaining('The audit is empty')])
      const db = await fresh.owner()
      await fresh.business()
      await db.query(
        `insert into audit_entries (at, actor, action, object_type, object_id) values (now(), 'a', 'b.c', 'd', 'e')`,
      )
      // A lock on the last seal blocks all other sealing.
      await db.query('begin; select from audit_sealing for update')
      const unsealed = await cli.run('verify-audit')
      expect([unsealed.code, unsealed.stdout]).toEqual([
        1,
        expect.stringContaining('Nothing was checked: none of the '),
      ])
      await db.query('rollback')
      // A transaction of another database of the server delays sealing.
      await expect.poll(async () => (await cli.run('verify-audit')).code).toBe(0)
    } finally {
      await fresh.stop()
      await cli.close()
    }
  })
})

it('seals cover thousands of entries in several shares, also those of one large transaction', async () => {
  // Thousands of entries would slow down every verification above.
  const another = await ownWorld('breaks the audit')
  try {
    const { id } = await another.business()
    const { database } = another.service
    const { live } = await database.asSystem({ name: 'test' }, (tx) => realmsOf(tx, id))
    const write = (tx: Tx, count: number) =>
      tx.client.query(`
        insert into audit_entries (realm_id, at, actor, action, object_type, object_id)
        select ${live.id}, now(), 'test', 'share.written', 'test', n::text from generate_series(1, ${count}) n`)
    await database.inRealm(live, { name: 'test' }, async (tx) => {
      await write(tx, 3000)
      // Later transactions with higher IDs end first.
      for (let n = 0; n < 4; n++) await database.inRealm(live, { name: 'test' }, (other) => write(other, 2000))
      await write(tx, 3000)
    })
    const reader = await another.owner()
    let shares = 0
    const sealedNow = async () => {
      while (await database.asSystem({ name: 'test' }, sealEntries)) shares++
      const { rows } = await reader.query(
        `select count(*)::int as sealed, count(distinct e.id)::int as entries
         from audit_seals s cross join unnest(s.entry_ids) as u(id) join audit_entries e on e.id = u.id
         where e.action = 'share.written'`,
      )
      return rows[0]
    }
    await expect.poll(sealedNow, { interval: 100 }).toEqual({ sealed: 14_000, entries: 14_000 })
    expect(shares).toBeGreaterThan(1)
    await reader.query('reset role; analyze audit_entries; analyze audit_seals')
    expect(await database.asSystem({ name: 'test' }, verifyAudit)).toMatchObject({ intact: true })
  } finally {
    await another.stop()
  }
})
