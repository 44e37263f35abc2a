import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { indexLists } from '../../src/modules/audit/reader.ts'
import { sealEntries } from '../../src/modules/audit/seal.ts'
import { viewHome } from '../../src/modules/portal/personal/views.ts'
import { asAuditOwner } from '../harness/audit-owner.ts'
import type { Caller } from '../harness/caller.ts'
import { callKitlane } from '../harness/in-process.ts'
import { createIsolationFixtures, type IsolationFixtures } from '../harness/isolation-fixtures.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { anOrder } from '../harness/orders.ts'
import { person, requestAccess, type SignedIn, signIn } from '../harness/people.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

// Orders are sealed with it, and so found by their recipient.
const key = randomBytes(32)
let world: World
let clinic: TestBusiness
let realm: IsolationFixtures
let admin: Caller
let staff: SignedIn
let owner: Client
let laboratory: Operator
let packer: Operator

beforeAll(async () => {
  world = await ownWorld('has a key of its own', { encryptionKey: key })
  clinic = await world.business()
  owner = await world.owner()
  realm = await createIsolationFixtures(world, clinic, 'live')
  admin = (await signIn(world, await person(world, 'business-admin', clinic))).in(clinic)
  staff = await signIn(world, await person(world, 'operator-admin'))
  laboratory = await operatorWith(world, ['lab', 'review'])
  packer = await operatorWith(world, ['fulfilment', 'mail', 'lab'])
})
afterAll(() => world.stop())

interface Row {
  firstDate: string
  lastDate: string
  times: number
  who: { kind: string; role?: string; name?: string }
  data: string
  did: string
  operation?: string
  reason?: string
}

const id = () => realm.objects.customer[0]
const report = async (query = ''): Promise<Row[]> => {
  const { status, body, text } = await admin.get(`/customers/${id()}/accesses${query}`)
  expect(status, text).toBe(200)
  return body.data
}
const shown = (rows: Row[]) =>
  rows.map(({ who, data, did, operation }) => [who.kind, who.name, data, did, operation].join(' '))

describe('who saw a person’s data', () => {
  it('is answered for each kind of data, also where it was part of a list, a queue, a search or a file', async () => {
    const { order, kit, report: reports, upload, waitingResult } = realm.objects
    const seen: [path: string, data: string, did: string, operation: string | undefined][] = [
      [`/customers/${id()}`, 'record', 'read', 'getCustomer'],
      ['/customers?page=0', 'record', 'listed', 'listCustomers'],
      ['/customers', 'record', 'exported', 'listCustomers'],
      [`/kits/${kit[0]}`, 'kit', 'read', 'getKit'],
      ['/kits', 'kit', 'listed', 'listKits'],
      [`/orders/${order[0]}`, 'order', 'read', 'getOrder'],
      ['/orders', 'order', 'listed', 'listOrders'],
      [`/customers/${id()}/reports/${reports[0]}`, 'report', 'read', undefined],
      ['/reports', 'report', 'listed', 'listReports'],
      [`/uploads/${upload[0]}`, 'file', 'read', 'getUpload'],
      ['/unassessed-results', 'results', 'listed', 'listUnassessedResults'],
      [`/search?q=${id()}`, 'record', 'listed', 'search'],
      [`/customers/${id()}/export`, 'record', 'exported', undefined],
    ]
    const before = await report()
    for (const [path, data, did, operation] of seen) {
      const reply = await realm.caller.get(path)
      expect([path, reply.status]).toEqual([path, 200])
      const of = (rows: Row[]) =>
        rows
          .filter(
            (row) =>
              row.data === data && row.did === did && row.operation === operation && row.who.role === 'API token',
          )
          .reduce((sum, { times }) => sum + times, 0)
      expect([path, of(await report())], JSON.stringify(await report())).toEqual([path, of(before) + 1])
    }
    expect(waitingResult.length).toBe(1)
  })

  it('names the laboratory, the operator, the person and members of the business', async () => {
    const [kitId] = realm.objects.kit
    await laboratory('GET', `/reports/${realm.objects.report[0]}`)
    await laboratory('GET', '/unassessed-results')
    await packer('GET', `/fulfilment/kits/${kitId}`)
    await packer('GET', `/fulfilment/queue?businessID=${clinic.id}`)
    await packer('GET', '/emails')
    await packer('GET', `/search?q=${id()}`)
    await requestAccess(staff, clinic)
    await staff.in(clinic).get(`/customers/${id()}`)
    await admin.get(`/customers/${id()}`)
    await world.service.database.inRealm(realm.realm, { name: 'recipient' }, (tx) => viewHome(tx, Number(id())))
    const rows = await report()
    const lines = shown(rows)
    expect(lines).toContain('operator machine kit read scanKit')
    expect(lines).toContain('operator machine record listed searchOfAll')
    expect(lines).toContain(`operator ${staff.person.email} record read getCustomer`)
    expect(lines).toContain('person  record read ')
    const kinds = rows.map(({ who }) => who.kind)
    expect(new Set(kinds)).toEqual(new Set(['person', 'business', 'operator', 'laboratory', 'service']))
    expect(rows.filter(({ who }) => who.kind === 'laboratory').map(({ did }) => did)).toContain('listed')
    expect(rows.find(({ who }) => who.role === 'administrator' && who.kind === 'business')).toBeDefined()
  })

  it('finds e-mails and the pack queue, which show names and addresses before there is a customer', async () => {
    const email = 'later.known@example.test'
    const recipient = { first_name: 'Later', last_name: 'Known', email, address: anOrder().recipient.address }
    const { body } = await clinic.live.post('/create-order', anOrder({ recipient, isNotifyReceiver: true }))
    const kitId = (await clinic.live.get(`/orders/${body.orderId}`)).body.kits[0].kitID
    await packer('GET', `/fulfilment/queue?businessID=${clinic.id}`)
    await packer('GET', '/emails')
    const given = { firstName: 'Later', lastName: 'Known', email, dateOfBirth: '1980-01-01', sex: 'F' }
    const { customerId } = (await clinic.live.post(`/kits/${kitId}/register`, given)).body
    const lines = shown((await admin.get(`/customers/${customerId}/accesses`)).body.data)
    expect(lines).toContain('operator machine kit listed listKitsToPack')
    expect(lines).toContain('operator machine email listed listEmails')
  })

  it('is one row for what one caller did in the same way on one day, with how often', async () => {
    const own = async () =>
      (await report()).filter(({ operation, who }) => operation === 'getOrder' && who.role === 'API token')
    const [before] = await own()
    for (let i = 0; i < 3; i++) await realm.caller.get(`/orders/${realm.objects.order[0]}`)
    const after = await own()
    expect(after.length).toBe(1)
    expect(after[0]?.times).toBe((before?.times ?? 0) + 3)
    expect(after[0] && after[0].lastDate > after[0].firstDate).toBe(true)
  })

  it('shows the reason that was given, and keeps to the time asked for', async () => {
    await asAuditOwner(owner, () =>
      owner.query(
        `insert into audit_entries (realm_id, at, actor, action, object_type, object_id, details)
         values ($1, '2020-05-01T10:00:00Z', $2, 'customer.read', 'customer', $3, '{"reason": "a ticket"}')`,
        [realm.realm.id, `user:${staff.person.id}`, id()],
      ),
    )
    const old = await report('?from=2020-05-01&to=2020-05-01')
    expect(old).toMatchObject([{ reason: 'a ticket', did: 'read', data: 'record', times: 1 }])
    expect(await report('?to=2020-04-30')).toEqual([])
  })

  it('is a file to hand to the person, which says everything in words', async () => {
    const reply = await admin.get(`/customers/${id()}/accesses`, { accept: 'text/csv' })
    expect(reply.headers.get('content-type')).toContain('text/csv')
    expect(reply.headers.get('content-disposition')).toBe(`attachment; filename="accesses-${id()}.csv"`)
    expect(reply.text).toContain('First (UTC),Last (UTC),Times,Who,What data,What was done,Why\r\n')
    expect(reply.text).toContain('The laboratory: API token (machine)')
    expect(reply.text).toContain('The person,personal record,read')
    expect(reply.text).toContain('request listCustomers')
  })

  it('holds nobody else’s accesses and no data of the person', async () => {
    const other = (await realm.caller.post('/customer', { email: 'other@example.test', name: 'Other Person' })).body.id
    await realm.caller.get(`/customers/${other}`)
    const lines = shown((await admin.get(`/customers/${other}/accesses`)).body.data)
    expect(lines.filter((line) => line.includes('getCustomer'))).toEqual([
      'business First token record read getCustomer',
    ])
    expect(lines.filter((line) => /kit|order|report/.test(line.split(' ').at(2) ?? ''))).toEqual([])
    const { text } = await admin.get(`/customers/${id()}/accesses`)
    expect(realm.canaries.filter((mark) => text.includes(mark))).toEqual([])
  })

  it('is for administrators of the business and for the operator, and is in the audit itself', async () => {
    expect((await realm.caller.get(`/customers/${id()}/accesses`)).status).toBe(403)
    const viewer = await signIn(world, await person(world, 'business-viewer', clinic))
    expect((await viewer.in(clinic).get(`/customers/${id()}/accesses`)).status).toBe(403)
    expect((await packer('GET', `/businesses/${clinic.id}/customers/${id()}/accesses`)).status).toBe(403)
    const auditor = await operatorWith(world, ['audit'])
    const own = await auditor('GET', `/businesses/${clinic.id}/customers/${id()}/accesses`)
    expect(own.body.data.length).toBe((await report()).length - 1)
    const other = await world.business()
    expect((await auditor('GET', `/businesses/${other.id}/customers/${id()}/accesses`)).status).toBe(404)
    const { rows } = await owner.query(
      `select actor from audit_entries where action = 'customer.accesses_read' and object_id = $1 and actor like 'operator:%'`,
      [id()],
    )
    expect(rows.length).toBe(1)
  })

  it('is printed by the command line, by the external ID too', async () => {
    const asked = ['audit', 'who-saw', '--business', clinic.id, '--customer', String(realm.objects.customer[1])]
    const env = { DATABASE_URL: world.urls.owner, ENCRYPTION_KEY: key.toString('base64') }
    const answered = await callKitlane([...asked, '--json'], env, tmpdir())
    const json = JSON.parse(answered.stdout)
    expect(json.customerID).toBe(Number(id()))
    expect(json.data.length).toBeGreaterThan(10)
    const { code, stdout } = await callKitlane(asked, env, tmpdir())
    expect([code, stdout]).toEqual([0, expect.stringContaining('The laboratory')])
  })

  it('finds lists by an index that a job writes, and reads what is newer itself', async () => {
    const { rows: people } = await owner.query(
      `insert into audit_entries (realm_id, at, actor, action, object_type, object_id, details)
       select $1, now(), 'token:tok_x', 'kit.listed', 'kit', '*',
         jsonb_build_object('operation', 'listKits', 'ids', (select jsonb_agg('K' || n || '-' || i) from generate_series(1, 5) i))
       from generate_series(1, 20000) n returning id`,
      [realm.realm.id],
    )
    expect(people.length).toBe(20_000)
    // The service's own jobs do the same at times: then there is nothing to do here for a moment.
    const indexed = async () => {
      while (await world.service.database.asSystem({ name: 'test' }, sealEntries));
      while (await world.service.database.asSystem({ name: 'test' }, indexLists));
      return (await owner.query(`select count(*)::int as count from audit_lists`)).rows[0].count
    }
    await expect.poll(indexed).toBeGreaterThan(20_000)
    await owner.query('reset role; analyze audit_entries, audit_lists; set role kitlane_system')
    const used = async () => {
      const { rows } = await owner.query(
        `select idx_scan::int as scans from pg_stat_user_indexes where indexrelname = 'audit_lists_objects'`,
      )
      return rows[0].scans
    }
    const before = await used()
    await report()
    // Statistics arrive about a second after the transaction.
    await expect.poll(used).toBeGreaterThan(before)
  })
})
