import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealedTablesOf } from '../../src/modules/define-module.ts'
import { insertAccountEmail } from '../../src/modules/emails/queries.ts'
import { find, list } from '../../src/modules/emails/service.ts'
import { countAccountEmails } from '../../src/modules/identity/account-link-queries.ts'
import { modules } from '../../src/modules/index.ts'
import { rotateDataKeys, sealOldRows } from '../../src/modules/keys/service.ts'
import { insertJob, selectPendingRows } from '../../src/modules/orders/bulk/queries.ts'
import { selectPayment } from '../../src/modules/payments/queries.ts'
import { requestPayment } from '../../src/modules/payments/service.ts'
import type { SystemTx } from '../../src/platform/database/tx.ts'
import { operatorKeys } from '../../src/platform/http/operator-keys.ts'
import { realmKeys } from '../../src/platform/http/realm-keys.ts'
import { countSealed } from '../../src/platform/sealing/seal-rows.ts'
import { keyringIn, keyringsOf } from '../../src/platform/sealing/sealed-columns.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { anOrder } from '../harness/orders.ts'
import { httpReceiver, type Receiver } from '../harness/receivers.ts'
import { waitUntil } from '../harness/wait.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const tables = [
  ...['emails', 'events', 'webhook_attempts', 'webhook_deliveries', 'idempotency_keys', 'operator_idempotency_keys'],
  ...['payments', 'bulk_jobs', 'bulk_rows', 'carrier_events', 'pack_claims', 'parcels', 'registration_drafts'],
]

const recipient = {
  first_name: 'Isolde',
  last_name: 'Brandywater',
  email: 'isolde.brandywater@example.test',
  phone: '+1 555 013 7788',
  address: { street1: '7 Heronmoor Lane', city: 'Tidewick', state: 'OR', zip: '97001', country: 'US' },
}
const tested = {
  firstName: 'Peregrine',
  lastName: 'Ashgrove',
  email: 'peregrine.ashgrove@example.test',
  dateOfBirth: '1971-08-23',
  sex: 'F',
}
const ACCOUNT = 'asks.gladsome@example.test'
const LEFT_WITH = 'Left with neighbor Quillfeather'
const traces = [
  ...['isolde', 'brandywater', '013 7788', 'heronmoor', 'tidewick', 'peregrine', 'ashgrove', '1971-08-23'],
  ...['quillfeather', 'contact.thornbury@', 'asks.gladsome@'],
]

let world: World
let clinic: TestBusiness
let owner: Client
let operator: Operator
let echo: Receiver
let journey: { orderId: string; kitId: string; customerId: string; jobId: string; paymentId: string; tracking: string }

const system = <T>(work: (tx: SystemTx) => Promise<T>) => world.service.database.asSystem({ name: 'test' }, work)
const inLive = async <T>(work: Parameters<typeof world.service.database.inRealm<T>>[2]) => {
  const { rows } = await owner.query(`select id from realms where business_id = $1 and mode = 'live'`, [clinic.id])
  return world.service.database.inRealm(
    { id: rows[0].id, businessId: clinic.id, mode: 'live' },
    { name: 'token:tok_test' },
    work,
  )
}

beforeAll(async () => {
  world = await ownWorld('has a public URL', { publicUrl: 'https://kits.example.test' })
  clinic = await world.business()
  owner = await world.owner()
  operator = await operatorWith(world, ['fulfilment', 'mail'])
  // A receiver that repeats what it was sent.
  echo = await httpReceiver((request, response) => {
    request.pipe(response)
  })
  journey = await travel()
})
afterAll(async () => {
  await echo.stop()
  await world.stop()
})

/** Puts the traces wherever the API lets them in. */
async function travel() {
  const { live } = clinic
  await live.request('PATCH', '/settings', { contactEmail: 'contact.thornbury@example.test' })
  await live.post('/webhooks', { url: `http://127.0.0.1:${echo.port}/hook` })
  const order = anOrder({ paymentMethod: 'credits', recipient, isNotifyReceiver: true })
  const placed = await live.post('/create-order', order, { 'idempotency-key': 'first' })
  expect(placed.status).toBe(201)
  const { orderId } = placed.body
  const [{ kitID: kitId }] = (await live.get(`/kits?orderID=${orderId}`)).body
  const tracking = '1ZSEALED00000000001'
  const labels = { kitID: kitId, carrier: 'UPS', outboundTrackingNumber: tracking, returnTrackingNumber: '94SEALED01' }
  expect((await operator('POST', '/fulfilment/shipments', labels, { 'idempotency-key': 'shipped' })).status).toBe(200)
  const at = new Date(Date.now() - 3_600_000).toISOString()
  const trouble = { trackingNumber: tracking, status: 'exception', at, message: LEFT_WITH }
  expect((await operator('POST', '/carrier-events', [trouble])).status).toBe(200)
  const delivered = { trackingNumber: tracking, status: 'delivered', at: new Date().toISOString() }
  expect((await operator('POST', '/carrier-events', [delivered])).status).toBe(200)
  const registered = await live.post(`/kits/${kitId}/register`, tested, { 'idempotency-key': 'registered' })
  expect(registered.status, registered.text).toBeLessThan(300)
  const customerId = String(registered.body.customerId)
  const found = await live.request('PATCH', `/customers/${customerId}`, { gender: 'X' }, { 'idempotency-key': 'read' })
  expect(found.text).toContain('eregrine')
  const reset = {
    to: ACCOUNT,
    senderName: 'Kitlane',
    subject: 'A',
    text: `Hello ${ACCOUNT}`,
    html: `<p>${ACCOUNT}</p>`,
  }
  await system((tx) =>
    insertAccountEmail(tx, { id: 'mail_account', kind: 'password_reset', ...reset }, Buffer.from('sealed')),
  )
  expect((await world.anonymous.post('/password-resets', { email: ACCOUNT })).status).toBe(202)

  const request = { recipient: { ...recipient, firstName: 'Isolde', lastName: 'Brandywater' } }
  const asOrder = {
    items: [{ kitType: 'ED1NL4E3L', quantity: 1 }],
    externalTags: [],
    notify: false,
    recipient: { ...request.recipient, phone: recipient.phone },
  }
  const jobId = 'bulk_sealed'
  const paymentId = await inLive(async (tx) => {
    await insertJob(tx, { id: jobId, payment: 'later', prices: [] }, [asOrder, { ...asOrder, externalId: 'row-2' }])
    const method = { id: 'pm', gateway: 'simulated' as const, customerRef: 'cus', brand: 'visa', last4: '4242' }
    return requestPayment(tx, {
      purpose: 'orders',
      onDecline: 'refuse',
      method: { ...method, expMonth: 1, expYear: 2040, isDefault: true },
      amountMinor: 100,
      currency: 'USD',
      request: { orders: [asOrder], isBulk: false },
    })
  })
  const open = `select (select count(*) from webhook_deliveries where status = 'pending')
    + (select count(*) from emails where status = 'queued' and realm_id is not null) as left`
  await waitUntil(async () => Number((await owner.query(open)).rows[0].left) === 0)
  return { orderId, kitId, customerId, jobId, paymentId, tracking }
}

/** The tables of this page, and every table of the job queue, in which a trace stands: as text, or in bytes. */
async function tablesWithTraces(): Promise<string[]> {
  await owner.query('reset role')
  const { rows } = await owner.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where (schemaname = 'public' and tablename = any($1)) or schemaname = 'pgboss'`,
    [tables],
  )
  const found: string[] = []
  for (const { name } of rows) {
    await owner.query('set role kitlane_system')
    const texts = await owner.query<{ text: string }>(`select lower(t::text) as text from ${name} t`)
    const all = texts.rows.map(({ text }) => text).join('\n')
    const isIn = (trace: string) => all.includes(trace) || all.includes(Buffer.from(trace).toString('hex'))
    if (traces.some(isIn)) found.push(name.replace('public.', ''))
  }
  return found.sort()
}

/** Writes all that is sealed here as versions before sealing did. */
async function writeInClear(): Promise<void> {
  await system(async (tx) => {
    for (const table of sealedTablesOf(modules)) {
      const { table: name, column = 'sealed', key, realm = 'realm_id' } = table.declaration
      if (!tables.includes(name) || name === 'operator_idempotency_keys') continue
      const names = Object.keys(key)
      const { rows } = await tx.client.query(
        `select ${realm ? `t.${realm}` : 'null'} as "realmId", array[${names.map((one) => `t.${one}::text`)}] as key,
           t.${column}::text as value from ${name} t where t.${column} is not null`,
      )
      const keyrings = await keyringsOf(tx, rows)
      for (const { realmId, key: place, value } of rows) {
        const opened = table.open(keyringIn(keyrings, realmId), place, value)
        const parts = Object.entries(inClear[`${name}.${column}`]?.(opened) ?? {})
        const set = parts.map(([one], i) => `${one} = $${i + 1}`).join(', ')
        const where = names.map((one, i) => `${one}::text = $${parts.length + i + 1}`).join(' and ')
        await tx.client.query(`update ${name} set ${set}, ${column} = null where ${where}`, [
          ...parts.map(([, part]) => part),
          ...place,
        ])
      }
    }
  })
}

// biome-ignore lint/suspicious/noExplicitAny: each table seals values of its own shape
const inClear: Record<string, (value: any) => Record<string, unknown>> = {
  'emails.sealed': ({ to, replyTo, subject }) => ({
    recipient: to,
    reply_to: replyTo ?? null,
    subject,
    recipient_hash: null,
  }),
  'emails.sealed_text': ({ text, html }) => ({ text, html }),
  'events.sealed': ({ bytes }) => ({ data: bytes.toString() }),
  'webhook_attempts.sealed': ({ bytes }) => ({ answer: bytes.toString() }),
  'idempotency_keys.sealed': ({ bytes }) => ({ body: bytes.toString() }),
  'payments.sealed': ({ bytes }) => ({ request: bytes.toString() }),
  'bulk_rows.sealed': ({ request }) => ({ request: JSON.stringify(request) }),
  'carrier_events.sealed': ({ message }) => ({ message }),
}

/** All that these tables answer. */
async function seen() {
  await world.settled()
  const { live } = clinic
  const emailsTo = (address: string) => system(async (tx) => list(tx, { recipient: address, page: 0, size: 100 }))
  const emails = [await emailsTo(recipient.email.toUpperCase()), await emailsTo(tested.email), await emailsTo(ACCOUNT)]
  const texts = await Promise.all(emails.flatMap(({ emails }) => emails.map(({ id }) => system((tx) => find(tx, id)))))
  const replayed = await live.request(
    ...(['PATCH', `/customers/${journey.customerId}`, { gender: 'X' }, { 'idempotency-key': 'read' }] as const),
  )
  return {
    emails,
    texts,
    page: (await operator('GET', `/emails?businessID=${clinic.id}`)).body,
    events: (await live.get('/events?size=250')).body,
    deliveries: (await live.get('/webhook-deliveries?size=250')).body,
    kit: (await live.get(`/kits/${journey.kitId}`)).body,
    replayed: [replayed.status, replayed.text, replayed.headers.get('idempotent-replayed')],
    carrier: (await operator('GET', `/carrier-events?trackingNumber=${journey.tracking}`)).body,
    sent: await system((tx) => countAccountEmails(tx, ACCOUNT.toUpperCase(), 'password_reset', new Date(0))),
    export: (await live.get(`/customers/${journey.customerId}/export`)).body.emails,
    rows: await inLive((tx) => selectPendingRows(tx, journey.jobId, 10)),
    payment: await inLive((tx) => selectPayment(tx, journey.paymentId)),
  }
}

describe('what passes through about a person', () => {
  it('is in no row in clear: e-mails, events, answers, requests that wait, and jobs', async () => {
    expect(await tablesWithTraces()).toEqual([])
  })

  it('is read as it was written', async () => {
    const {
      emails,
      texts,
      sent,
      export: exported,
      events,
      deliveries,
      replayed,
      carrier,
      rows,
      payment,
      kit,
    } = await seen()
    expect(emails.map(({ total }) => total > 0)).toEqual([true, true, true])
    expect(texts.some(({ text }) => text.includes('Hello Isolde'))).toBe(true)
    const updates = events.data.filter(({ type }: { type: string }) => type === 'kit.updated')
    expect(updates.at(-1).data).toMatchObject({ recipientEmail: recipient.email, registeredToEmail: tested.email })
    expect(JSON.stringify(deliveries)).toContain(recipient.email)
    expect(JSON.stringify(kit)).toContain(LEFT_WITH)
    expect(replayed[0]).toBe(200)
    expect(replayed[1]).toContain(tested.email)
    expect(replayed[2]).toBe('true')
    expect(JSON.stringify(carrier)).toContain(LEFT_WITH)
    expect(rows.map(({ request }) => [request.recipient.phone, request.externalId])).toEqual([
      [recipient.phone, undefined],
      [recipient.phone, 'row-2'],
    ])
    expect(sent).toBe(1)
    expect(exported.length).toBeGreaterThan(0)
    expect(payment.request).toMatchObject({ orders: [{ recipient: { lastName: 'Brandywater' } }] })
  })

  it('that an earlier version wrote is read and found as before, and sealed without a change that anybody sees', async () => {
    const before = await seen()
    await holdJob()
    await writeInClear()
    // The same look finds what a version before wrote.
    expect(await tablesWithTraces()).toEqual(
      ['bulk_rows', 'carrier_events', 'emails', 'events', 'idempotency_keys', 'payments', 'webhook_attempts'].sort(),
    )
    expect(await seen()).toEqual(before)
    expect(Object.values(await left()).some((old) => old > 0)).toBe(true)
    await owner.query('delete from sealing_progress')
    await sealOldRows(world.service.database, { name: 'test' }, new AbortController().signal)
    expect(await tablesWithTraces()).toEqual([])
    expect(await seen()).toEqual(before)
    expect(Object.entries(await left()).filter(([, old]) => old > 0)).toEqual([])
  })
})

it('is read as before once the keys of all realms are replaced', async () => {
  const before = await seen()
  const actor = { name: 'test' }
  const store = world.service.portsOf('live').fileStore
  const { sealed, destroyed } = await rotateDataKeys(world.service.database, actor, { knownAfterMs: 0, store })
  expect(sealed).toBeGreaterThan(30)
  expect(destroyed).toBeGreaterThan(1)
  expect(await seen()).toEqual(before)
  expect(Object.entries(await left()).filter(([, old]) => old > 0)).toEqual([])
})

/** Keeps the job of the running service away. */
const holdJob = () => owner.query(`update sealing_progress set finished_at = now()`)

/** How many rows of each table are in clear. */
const left = () =>
  system(async (tx) => {
    const counts: Record<string, number> = {}
    for (const table of sealedTablesOf(modules)) {
      const { table: name, column } = table.declaration
      if (tables.includes(name)) counts[`${name}.${column}`] = (await countSealed(tx, table)).old
    }
    return counts
  })

describe('an answer that is kept', () => {
  it('is the same text again, also of 10 MB', async () => {
    const body = JSON.stringify({ name: 'Brandywater', text: 'ä"\\ '.repeat(2_000_000) })
    const answer = { status: 200, headers: { 'x-a': 'b' }, body }
    const claimed = { key: 'long', fingerprint: Buffer.from('f') }
    await inLive(async (tx) => {
      const store = realmKeys(tx)
      expect(await store.claim(claimed)).toBe(true)
      await store.keep('long', answer)
      expect((await store.find('long')).answer).toEqual(answer)
    })
    await system(async (tx) => {
      const store = operatorKeys(tx, 'token:test')
      expect(await store.claim(claimed)).toBe(true)
      await store.keep('long', answer)
      expect((await store.find('long')).answer).toEqual(answer)
    })
    // The tests that follow would open them, too.
    await owner.query(`delete from idempotency_keys where key = 'long'`)
    await owner.query(`delete from operator_idempotency_keys where key like '%long'`)
  })

  it('that the version before sealed by the key of the process is given again', async () => {
    await inLive(async (tx) => {
      const store = realmKeys(tx)
      await store.claim({ key: 'secret', fingerprint: Buffer.from('f') })
      const sealed = tx.context.seal('{"token":"a"}', `idempotency_keys.body/${tx.realm.id}/secret`).toString('base64')
      await tx.client.query(
        `update idempotency_keys set status = 201, headers = '{}', body = $1 where key = 'secret'`,
        [`sealed:${sealed}`],
      )
      expect((await store.find('secret')).answer?.body).toBe('{"token":"a"}')
    })
    await owner.query('delete from sealing_progress')
    await sealOldRows(world.service.database, { name: 'test' }, new AbortController().signal)
    await inLive(async (tx) => expect((await realmKeys(tx).find('secret')).answer?.body).toBe('{"token":"a"}'))
    await system(async (tx) => {
      const store = operatorKeys(tx, 'token:before')
      await store.claim({ key: 'secret', fingerprint: Buffer.from('f') })
      const answer = { status: 201, headers: {}, body: '{"token":"a"}' }
      await tx.client.query('update operator_idempotency_keys set answer = $1 where key = $2', [
        tx.context.seal(JSON.stringify(answer), 'operator_idempotency_keys.answer/token:before secret'),
        'token:before secret',
      ])
      expect((await store.find('secret')).answer).toEqual(answer)
    })
  })

  it('is forgotten when the person whom it names is erased, and the answers about others stay', async () => {
    const keptBy = async (key: string) =>
      Boolean((await owner.query('select 1 from idempotency_keys where key = $1', [key])).rows[0])
    const other = { name: 'Someone Else', email: 'someone.else@example.test' }
    await clinic.live.post('/customers', other, { 'idempotency-key': 'other' })
    expect([await keptBy('read'), await keptBy('registered'), await keptBy('other')]).toEqual([true, true, true])
    expect((await clinic.live.request('DELETE', `/customers/${journey.customerId}`)).status).toBe(200)
    expect([await keptBy('read'), await keptBy('registered'), await keptBy('other')]).toEqual([false, false, true])
    await world.settled()
    const { data } = (await clinic.live.get('/events?size=250')).body
    expect(JSON.stringify(data)).not.toContain('eregrine')
  })
})

describe('a process of the version before', () => {
  it('leaves an e-mail that it cannot read to others', async () => {
    await clinic.sandbox.post('/create-order', anOrder({ recipient, isNotifyReceiver: true }))
    await expect(owner.query(`update emails set claimed_at = now() where sealed is not null`)).rejects.toThrow(
      'This process is too old to read the e-mail',
    )
  })

  it('leaves nothing sealed in a row of a bulk job that it cancels', async () => {
    const { rowCount } = await owner.query(
      `update bulk_rows set status = 'failed', request = null, error_code = 'CANCELED' where job_id = $1 and status = 'pending'`,
      [journey.jobId],
    )
    expect(rowCount).toBe(2)
    const { rows } = await owner.query('select sealed from bulk_rows where job_id = $1', [journey.jobId])
    expect(rows).toEqual([{ sealed: null }, { sealed: null }])
  })
})
