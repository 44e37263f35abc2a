import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newReportId } from '../../src/domain/ids.ts'
import { findOrCreate, type RegisteredPerson } from '../../src/modules/customers/service.ts'
import type { Realm } from '../../src/platform/database/tx.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
let owner: Client
let live: Realm

beforeAll(async () => {
  world = await sharedWorld()
  owner = await world.owner()
  clinic = await world.business()
  const [{ id }] = await rowsOf(`select id from realms where business_id = $1 and mode = 'live'`, [clinic.id])
  live = { id, businessId: clinic.id, mode: 'live' }
})
afterAll(() => world.stop())

let people = 0
const newEmail = () => `person${++people}@customers.example`

async function createCustomer(given: Record<string, unknown> = {}) {
  const reply = await clinic.live.post('/customer', { email: newEmail(), name: 'Quinn Doe', ...given })
  expect(reply.status).toBe(201)
  return reply.body
}

const rowsOf = async (query: string, values: unknown[] = []) => (await owner.query(query, values)).rows

/** Creates a report without a kit. */
async function addReport(customerId: number, status: string): Promise<string> {
  const id = newReportId()
  await owner.query(
    `insert into reports (realm_id, id, customer_id, status, vendor_status, version, collected_date, resulted_date, created_at)
     values ($1, $2, $3, $4, 'final', 1, '2025-01-02', '2025-01-05', clock_timestamp())`,
    [live.id, id, customerId, status],
  )
  return id
}

describe('creating', () => {
  test('a customer takes their address as a correction does', async () => {
    const address = { street1: '1 Elm', city: 'Burlington', state: 'vt', zip: '05401', country: 'United States' }
    const { id, ...made } = await createCustomer({ address })
    expect(made).not.toHaveProperty('address')
    const { customer } = (await clinic.live.get(`/customers/${id}/export`)).body
    expect(customer.address).toEqual({ ...address, state: 'VT', country: 'US' })
    const wrong = await clinic.live.post('/customer', { email: newEmail(), name: 'Q', address: 'Elm' })
    expect(wrong.body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path: 'address' }] })
  })

  test('a customer needs an e-mail and a name only, and the answer is the whole record', async () => {
    const email = newEmail()
    const plain = await clinic.live.post('/customer', { email, name: 'Quinn Doe' })
    expect(plain.status).toBe(201)
    expect(plain.body).toEqual({ id: expect.any(Number), email, name: 'Quinn Doe', customTags: [], reports: [] })
    const given = {
      email: newEmail(),
      name: 'Robin Roe',
      dateOfBirth: '1980-02-29',
      gender: 'X',
      external_id: 'crm-1',
      customTags: ['a', 'b'],
    }
    const full = await clinic.live.post('/customers', given)
    expect(full.body).toEqual({ ...given, id: expect.any(Number), reports: [] })
    expect((await clinic.live.get(`/customers/${full.body.id}`)).body).toEqual(full.body)
  })

  test('tags may be one text separated by commas', async () => {
    expect((await createCustomer({ customTags: ' vip, north ,vip,' })).customTags).toEqual(['vip', 'north'])
  })

  test('an e-mail exists once in a mode, whatever its case', async () => {
    const { email } = await createCustomer()
    const again = await clinic.live.post('/customers', { email: email.toUpperCase(), name: 'Other' })
    expect([again.status, again.body.code]).toEqual([409, 'CUSTOMER_EXISTS'])
    expect((await clinic.sandbox.post('/customer', { email, name: 'Mock' })).status).toBe(201)
    const other = await world.business()
    expect((await other.live.post('/customer', { email, name: 'Theirs' })).status).toBe(201)
  })

  test('an external_id belongs to one customer', async () => {
    await createCustomer({ external_id: 'taken' })
    const second = await clinic.live.post('/customer', { email: newEmail(), name: 'B', external_id: 'taken' })
    expect([second.status, second.body.code]).toEqual([409, 'EXTERNAL_ID_EXISTS'])
  })

  test('of many requests with one e-mail at once exactly one makes a customer', async () => {
    const email = newEmail()
    const tries = Array.from({ length: 8 }, () => clinic.live.post('/customer', { email, name: 'Racing' }))
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([201, 409, 409, 409, 409, 409, 409, 409])
  })

  test('every problem is named at once', async () => {
    const reply = await clinic.live.post('/customer', { email: 'nobody', gender: 'F?', dateOfBirth: '1980-02-30' })
    expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_FAILED'])
    const paths = reply.body.details.map(({ path }: { path: string }) => path)
    expect(paths.toSorted()).toEqual(['dateOfBirth', 'email', 'gender', 'name'])
  })

  test('nobody is born in the future', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    const reply = await clinic.live.post('/customer', { email: newEmail(), name: 'A', dateOfBirth: tomorrow })
    expect([reply.status, reply.body.details[0].path]).toEqual([400, 'dateOfBirth'])
  })

  test('a customer.created event and an audit entry hold no personal data', async () => {
    const { id } = await createCustomer({ external_id: 'evented', dateOfBirth: '1990-01-01' })
    const events = await rowsOf(`select data from events where type = 'customer.created' and data ->> 'id' = $1`, [id])
    expect(events).toEqual([{ data: { id, external_id: 'evented', createdDate: expect.any(String) } }])
    const audited = await rowsOf('select action, details from audit_entries where object_id = $1', [id])
    expect(audited).toEqual([{ action: 'customer.created', details: null }])
  })
})

describe('reading', () => {
  test('a customer is found by number and by external_id, and the number wins', async () => {
    const first = await createCustomer()
    const second = await createCustomer({ external_id: String(first.id) })
    const third = await createCustomer({ external_id: '0042' })
    expect((await clinic.live.get(`/customers/${first.id}`)).body.id).toBe(first.id)
    expect((await clinic.live.get(`/customers/${second.id}`)).body.id).toBe(second.id)
    expect((await clinic.live.get('/customers/0042')).body.id).toBe(third.id)
    const odd = await createCustomer({ external_id: 'a/b ü?' })
    expect((await clinic.live.get(`/customers/${encodeURIComponent('a/b ü?')}`)).body.id).toBe(odd.id)
  })

  test('what is unknown, or belongs to another business or mode, is not found', async () => {
    const { id } = await createCustomer({ external_id: 'ours' })
    const other = await world.business()
    const replies = await Promise.all([
      other.live.get(`/customers/${id}`),
      other.live.get('/customers/ours'),
      clinic.sandbox.get(`/customers/${id}`),
      clinic.live.get('/customers/99999999999999999999999999'),
      clinic.live.get('/customers/nobody'),
      other.live.request('DELETE', `/customers/${id}`),
      other.live.get(`/customers/${id}/export`),
    ])
    expect(replies.map(({ status, body }) => `${status} ${body.code}`)).toEqual(
      replies.map(() => '404 CUSTOMER_NOT_FOUND'),
    )
  })

  test('the number of an erased person is nobody else, so that an erasure sent again reaches nobody', async () => {
    const { id } = await createCustomer()
    const other = await createCustomer({ external_id: String(id) })
    const erase = () => clinic.live.request('DELETE', `/customers/${id}`)
    expect((await erase()).status).toBe(200)
    expect([(await erase()).status, (await clinic.live.get(`/customers/${id}`)).status]).toEqual([404, 404])
    expect((await clinic.live.get(`/customers?id=${id}`)).body).toEqual([])
    expect((await clinic.live.get(`/customers/${other.id}`)).body).toMatchObject({ external_id: String(id) })
  })

  test('the list is the whole list, newest first, with the ids of reports', async () => {
    const business = await world.business()
    const ids: number[] = []
    for (const name of ['A', 'B', 'C']) {
      ids.unshift((await business.live.post('/customer', { email: `${name}@list.example`, name })).body.id)
    }
    const listed = await business.live.get('/customers')
    expect(listed.body.map(({ id }: { id: number }) => id)).toEqual(ids)
    expect((await business.sandbox.get('/customers')).body).toEqual([])
  })

  test('reports are shown with their publication status, published or not', async () => {
    const { id } = await createCustomer()
    const published = await addReport(id, 'published')
    const inReview = await addReport(id, 'inReview')
    const dates = {
      collectedDate: '2025-01-02T00:00:00.000Z',
      collectedPrecision: 'day',
      resultedDate: '2025-01-05T00:00:00.000Z',
      resultedPrecision: 'day',
      vendorStatus: 'final',
    }
    expect((await clinic.live.get(`/customers/${id}`)).body.reports).toEqual([
      { id: inReview, status: 'inReview', ...dates },
      { id: published, status: 'published', ...dates },
    ])
    const list = (await clinic.live.get('/customers')).body
    expect(list.find((entry: { id: number }) => entry.id === id).reports).toEqual([inReview, published])
  })
})

describe('registering a kit', () => {
  const person = { firstName: 'Reggie', lastName: 'Ster', dateOfBirth: '1980-05-06', sex: 'F' as const }
  const register = (given: Partial<RegisteredPerson> & { email: string }) =>
    world.service.database.inRealm(live, { name: 'test' }, (tx) => findOrCreate(tx, { ...person, ...given }))

  test('a new e-mail makes a customer of the name given', async () => {
    const email = newEmail()
    const { id, ...made } = await register({ email, externalId: 'reg-1', address: { street1: '1 Way' } })
    expect(made).toEqual({ created: true, differences: [] })
    const shown = (await clinic.live.get('/customers/reg-1')).body
    expect(shown).toMatchObject({ id, name: 'Reggie Ster', email, dateOfBirth: '1980-05-06', gender: 'F' })
  })

  test('a known e-mail fills in what is missing, overwrites nothing and says in what they may be somebody else', async () => {
    const known = await createCustomer({ name: 'Reggie Ster', gender: 'X', external_id: 'known-1' })
    const filled = await register({ email: known.email.toUpperCase(), externalId: 'reg-2' })
    expect(filled).toEqual({ id: known.id, created: false, differences: [] })
    const again = await register({ email: known.email, dateOfBirth: '1999-01-01' })
    expect(again).toEqual({ id: known.id, created: false, differences: ['dateOfBirth'] })
    expect((await clinic.live.get(`/customers/${known.id}`)).body).toEqual({ ...known, dateOfBirth: '1980-05-06' })
  })

  test('many kits of one new person at once make one customer', async () => {
    const email = newEmail()
    const all = await Promise.all(Array.from({ length: 6 }, () => register({ email })))
    expect(new Set(all.map(({ id }) => id)).size).toBe(1)
    expect(all.filter(({ created }) => created)).toHaveLength(1)
  })

  test('an external_id that another customer has is refused, for a new and for a known e-mail', async () => {
    const { email } = await createCustomer({ name: 'Reggie Ster' })
    await createCustomer({ external_id: 'reg-taken' })
    const refused = { code: 'EXTERNAL_ID_EXISTS' }
    await expect(register({ email: newEmail(), externalId: 'reg-taken' })).rejects.toMatchObject(refused)
    await expect(register({ email, externalId: 'reg-taken' })).rejects.toMatchObject(refused)
  })
})
