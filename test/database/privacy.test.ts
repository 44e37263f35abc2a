import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { identityOf, scrub } from '../../src/modules/privacy/rules.ts'
import { receiveResults } from '../../src/modules/reports/versions/receive.ts'
import type { Realm } from '../../src/platform/database/tx.ts'
import { operatorWith } from '../harness/operator.ts'
import { sealedValues } from '../harness/sealed-values.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
let owner: Client
let live: Realm

beforeAll(async () => {
  world = await ownWorld('looks at every text of the database')
  owner = await world.owner()
  clinic = await world.business()
  const [{ id }] = await rowsOf(`select id from realms where business_id = $1 and mode = 'live'`, [clinic.id])
  live = { id, businessId: clinic.id, mode: 'live' }
  // Nothing is kept of an erased person here; retention.test.ts shows what is kept otherwise.
  const operator = await operatorWith(world, ['businesses'])
  const terms = { businessID: clinic.id, laboratoryDays: 0, requisitionDays: 0 }
  expect((await operator('PATCH', '/retention', terms)).status).toBe(200)
})
afterAll(() => world.stop())

const rowsOf = async (query: string, values: unknown[] = []) => (await owner.query(query, values)).rows

const address = { street1: '17 Featherbed Lane', city: 'Quilltown', state: 'CA', zip: '90417' }
const phone = '+1 555 017 4242'
const gerd = {
  first_name: 'Gerd',
  last_name: 'Giver',
  email: 'gerd@giver.example',
  address: { street1: '1 Gift Road', city: 'Giverny', state: 'NY', zip: '10001' },
}

async function succeed(path: string, body: object) {
  const reply = await clinic.live.post(path, body)
  expect(reply.status, reply.text).toBeLessThan(300)
  return reply.body
}

async function orderKit(recipient: object, externalID: string): Promise<{ order: string; kit: string }> {
  const { orderId } = await succeed('/create-order', { recipient, externalID, kit_types: [{ kitType: 'ED1NL4E3L' }] })
  const order = await clinic.live.get(`/orders/${orderId}`)
  return { order: orderId, kit: order.body.kits[0].kitID }
}

let people = 0

/** Creates a person with one kit that has results, and one kit that another person gave them. */
async function knownPerson() {
  const email = `Xenia.Quillfeather${++people}@erased.example`
  const externalId = `crm-x${people}`
  const name = { firstName: 'Xenia', lastName: 'Quillfeather' }
  const { id } = await succeed('/customer', {
    email,
    name: 'Xenia Quillfeather',
    external_id: externalId,
    customTags: 'quill-tag',
  })
  const recipient = { first_name: 'Xenia', last_name: 'Quillfeather', email: email.toLowerCase(), phone, address }
  const own = await orderKit(recipient, externalId)
  const gift = await orderKit(gerd, externalId)
  for (const { kit } of [own, gift]) {
    await succeed(`/kits/${kit}/consent`, { ...name, email, consentVersion: 'v1', consentToTesting: true })
    const { street1: addressLine1, ...rest } = address
    const person = {
      ...name,
      email,
      dateOfBirth: '1971-03-04',
      sex: 'F',
      phone,
      race: 'quillish',
      addressLine1,
      ...rest,
    }
    await succeed(`/kits/${kit}/register`, person)
  }
  const results = [{ biomarkerId: 'glucose', value: 88.125, unit: 'mg/dL' }]
  const why = { position: 'OBX 1', code: 'unknownName', reason: 'The name is not known', suggestions: [] }
  const unknown = { name: 'Quilldust', value: 'quilldust found', ...why }
  const { reportId } = await world.service.database.inRealm(live, { name: 'test' }, (tx) =>
    receiveResults(tx, { kitId: own.kit, results, unassessed: [unknown] }),
  )
  return { id, email, externalId, own, gift, report: reportId }
}

const eraseCustomer = (key: string | number, headers?: Record<string, string>) =>
  clinic.live.request('DELETE', `/customers/${key}`, undefined, headers)

const traces = [
  'quillfeather',
  'xenia',
  '555 017 4242',
  'featherbed',
  'quilltown',
  '90417',
  '1971-03-04',
  'quillish',
  '88.125',
  'quilldust',
  'crm-x',
  'quill-tag',
]

/** Finds every text and JSON value in the database that contains one of the texts; sealed values are opened. */
async function dumpFinds(texts: string[]): Promise<string[]> {
  const columns = await rowsOf(
    `select format('%I.%I', c.table_schema, c.table_name) as name, quote_ident(c.column_name) as column
     from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where t.table_type = 'BASE TABLE' and c.table_schema not in ('pg_catalog', 'information_schema')
       and c.data_type in ('text', 'character varying', 'json', 'jsonb', 'ARRAY', 'date')`,
  )
  expect(columns.length).toBeGreaterThan(50)
  const found: string[] = []
  for (const { name, column } of columns) {
    const hits = await rowsOf(
      `select 1 from ${name} where exists (select from unnest($1::text[]) t where strpos(lower(${column}::text), t) > 0) limit 1`,
      [texts],
    )
    if (hits.length > 0) found.push(`${name}.${column}`)
  }
  for (const { name, text } of await sealedValues(world.service.database)) {
    if (texts.some((part) => text.toLowerCase().includes(part))) found.push(name)
  }
  return [...new Set(found)]
}

test('the export holds everything about the person, as a file, and nothing about another recipient', async () => {
  const { id, email, own, gift, report } = await knownPerson()
  const reply = await clinic.live.get(`/customers/${id}/export`)
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-disposition')).toBe(`attachment; filename="customer-${id}.json"`)
  const { customer, kits, orders, reports, auditEntries } = reply.body
  expect(customer).toMatchObject({ id, email, name: 'Xenia Quillfeather', dateOfBirth: '1971-03-04', race: 'quillish' })
  expect(kits).toMatchObject([{ kitID: own.kit }, { kitID: gift.kit }])
  expect(kits[0]).toMatchObject({ registration: { phone }, consents: [{ consentVersion: 'v1', ip: '127.0.0.1' }] })
  expect(orders).toMatchObject([{ orderID: own.order }, { orderID: gift.order }])
  expect(orders[0].recipient).toMatchObject({ firstName: 'Xenia', phone, address })
  expect(orders[1].recipient).toBeUndefined()
  expect(reply.text).not.toMatch(/gerd|giver/i)
  const biomarker = expect.arrayContaining([expect.objectContaining({ id: 'glucose', rawResult: '88.125' })])
  expect(reports).toMatchObject([{ id: report, status: 'inReview', versions: [{ version: 1, biomarker }] }])
  const actions = auditEntries.map(({ action }: { action: string }) => action)
  expect(actions).toEqual(expect.arrayContaining(['customer.created', 'kit.consented', 'kit.registered']))
  expect(actions.at(-1)).toBe('customer.exported')
  expect((await eraseCustomer(id)).status).toBe(200)
})

test('after an erasure no text of the database tells who the person was', async () => {
  const { id, email, externalId, own, gift, report } = await knownPerson()
  const before = await dumpFinds(traces)
  const expected = ['customers.sealed', 'kits.sealed', 'consents.sealed', 'orders.sealed', 'events.sealed']
  const sealed = ['report_versions.sealed', 'unassessed_results.sealed']
  expect(before).toEqual(expect.arrayContaining([...expected, ...sealed].map((name) => `public.${name}`)))
  const { status, body } = await eraseCustomer(externalId)
  const erased = { kits: 2, reports: 1, consents: 2 }
  expect([status, body]).toEqual([
    200,
    { message: expect.any(String), customerID: id, erased, kept: {}, legalHold: false },
  ])
  expect(await dumpFinds([...traces, email.toLowerCase()])).toEqual([])
  expect(await rowsOf('select 1 from customer_finds where customer_id = $1', [id])).toEqual([])
  expect(await rowsOf('select 1 from report_versions where report_id = $1', [report])).toEqual([])
  const audited = await rowsOf(
    `select details from audit_entries where action = 'customer.erased' and object_id = $1`,
    [id],
  )
  expect(audited).toEqual([{ details: { ...erased, orders: 1 } }])

  const orders = await Promise.all([own, gift].map(({ order }) => clinic.live.get(`/orders/${order}`)))
  expect(orders.map((order) => [order.status, order.body.recipientEmail])).toEqual([
    [200, undefined],
    [200, gerd.email],
  ])
  const kits = (await clinic.live.get(`/kits?kitID=${own.kit},${gift.kit}`)).body
  expect(kits).toHaveLength(2)
  expect(
    kits.filter(
      (kit: object) => 'customerID' in kit || (kit as { registeredToEmail: string }).registeredToEmail !== '',
    ),
  ).toEqual([])
  await world.settled()
  const feed = (await clinic.live.get('/events?size=250&type=kit.updated')).body
  expect(feed.hasMore).toBe(false)
  const events = feed.data.filter(({ data }: { data: { kitID: string } }) => [own.kit, gift.kit].includes(data.kitID))
  expect(events.length).toBeGreaterThan(4)
  for (const { data } of events)
    expect(data).toMatchObject({ kitStatus: expect.any(String), event: expect.any(String), registeredToEmail: '' })
})

test('a kit of an erased person takes neither results nor another person', async () => {
  const { id, gift } = await knownPerson()
  await eraseCustomer(id)
  const results = [{ biomarkerId: 'glucose', value: 90, unit: 'mg/dL' }]
  const received = world.service.database.inRealm(live, { name: 'test' }, (tx) =>
    receiveResults(tx, { kitId: gift.kit, results }),
  )
  await expect(received).rejects.toMatchObject({ code: 'ILLEGAL_TRANSITION' })
  const other = { firstName: 'A', lastName: 'B', email: 'a@b.example', dateOfBirth: '1980-01-01', sex: 'M' }
  const registered = await clinic.live.post(`/kits/${gift.kit}/register`, other)
  expect([registered.status, registered.body.code]).toEqual([409, 'KIT_ALREADY_REGISTERED'])
})

test('an erased customer is gone from every answer, and the e-mail is a new person', async () => {
  const { id, email, report } = await knownPerson()
  const isListed = async () =>
    (await clinic.live.get('/customers')).body.some((entry: { id: number }) => entry.id === id)
  expect(await isListed()).toBe(true)
  expect((await eraseCustomer(id)).status).toBe(200)
  expect(await isListed()).toBe(false)
  const gone = await Promise.all([
    clinic.live.get(`/customers/${id}`),
    clinic.live.get(`/customers/${id}/export`),
    eraseCustomer(id),
    clinic.live.get(`/customers/${id}/reports/${report}`),
  ])
  expect(gone.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  const again = await clinic.live.post('/customer', { email, name: 'Somebody New' })
  expect(again.status).toBe(201)
  expect(again.body.id).not.toBe(id)
  await eraseCustomer(again.body.id)
})

test('kept answers of idempotency keys do not bring an erased person back', async () => {
  const headers = { 'idempotency-key': 'make-once' }
  const body = { email: 'Kept.Answer@erased.example', name: 'Kept Answer' }
  const made = await clinic.live.post('/customer', body, headers)
  expect((await clinic.live.post('/customer', body, headers)).text).toBe(made.text)
  const erasing = { 'idempotency-key': 'erase-once' }
  const first = await eraseCustomer(made.body.id, erasing)
  const second = await eraseCustomer(made.body.id, erasing)
  expect([first.status, second.text]).toEqual([200, first.text])
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  expect(await dumpFinds(['kept.answer', 'kept answer'])).toEqual([])
})

test('two erasures at once erase once', async () => {
  const { id } = await knownPerson()
  // On a busy machine one may be told to come again.
  const erased = async () => {
    const reply = await eraseCustomer(id)
    return reply.status === 503 ? eraseCustomer(id) : reply
  }
  const replies = await Promise.all([1, 2].map(erased))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 404])
})

test('the log tells nothing about a person', async () => {
  expect(world.logged.join('\n').toLowerCase()).not.toMatch(/quillfeather|kept\.answer|person1@/)
})

test('every table that names a customer is one that an erasure knows', async () => {
  const named = await rowsOf(
    `select table_name from information_schema.columns where column_name = 'customer_id' and table_schema = 'public' order by 1`,
  )
  expect(named.map(({ table_name }) => table_name)).toEqual([
    'birth_date_failures',
    'critical_results',
    'customer_data',
    'customer_finds',
    'data_requests',
    'guardians',
    'kept_records',
    'kits',
    'legal_holds',
    'notices',
    'passed_remarks',
    'personal_links',
    'received_documents',
    'reminder_stops',
    'report_shares',
    'reports',
    'retests',
    'text_consents',
    'unassessed_results',
  ])
})

test('scrubbing takes out what tells who a person is and leaves words that only look alike', () => {
  const identity = identityOf([{ email: 'Will@x.example', name: 'Will Po', firstName: 'Will', lastName: 'Po' }])
  const data = {
    email: 'will@X.example',
    nested: [{ first: 'WILL', sentence: 'It will arrive', status: 'post' }, 'Po', 3, null],
    text: 'To <will@x.example>',
  }
  expect(scrub(data, identity)).toEqual({
    email: '',
    nested: [{ first: '', sentence: 'It will arrive', status: 'post' }, 3, null],
    text: '',
  })
})
