import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { translated, vendors } from '../../src/cli/compat/vendors.ts'
import { follow, type Schema } from '../../src/docs/reference/document.ts'
import { operatorWith } from '../harness/operator.ts'
import { anOrder, CORE } from '../harness/orders.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'
import { vendorOrders } from '../samples/vendor-orders.ts'

let world: World
let clinic: TestBusiness
beforeAll(async () => {
  world = await sharedWorld()
  clinic = await world.business()
})
afterAll(() => world.stop())

const customer = async (changes: object) =>
  clinic.live.post('/customer', { email: `c${Math.random()}@example.test`, name: 'Ann Example', ...changes })

async function kitOf(business: TestBusiness): Promise<string> {
  const { orderId } = (await business.live.post('/create-order', anOrder())).body
  return (await business.live.get(`/orders/${orderId}`)).body.kits[0].kitID
}

const person = { firstName: 'Bo', lastName: 'Tester', dateOfBirth: '1980-02-29', sex: 'F' }

it.for(vendorOrders)('an order in the form of $vendor is placed once it is translated', async ({ vendor, body }) => {
  const placed = await clinic.sandbox.post('/create-order', translated(vendors[vendor], body).body)
  expect([placed.status, placed.text]).toEqual([201, expect.stringContaining('orderId')])
})

describe('what is optional', () => {
  it('may be null or empty in a body, which both mean that it is absent', async () => {
    const { recipient, ...order } = anOrder()
    const nothing = { phone: null, external_id: '', external_tags: null }
    const placed = await clinic.live.post('/create-order', {
      ...order,
      recipient: { ...recipient, ...nothing, address: { ...recipient.address, street2: null, country: '' } },
      kit_types: [{ kitType: CORE, quantity: null }],
      bulkUploadData: null,
      purchase_with_attached_payment: null,
      paymentMethod: '',
      isNotifyReceiver: null,
      externalTags: null,
    })
    expect([placed.status, placed.text]).toEqual([201, expect.stringContaining('orderId')])
    const { body } = await clinic.live.get(`/orders/${placed.body.orderId}`)
    expect([body.quantity, body.recipientAddress.country, 'recipientPhone' in body]).toEqual([1, 'US', false])
    expect((await customer({ gender: '', dateOfBirth: null, customTags: '' })).status).toBe(201)
  })

  it('hides and erases nothing where it is empty: tags of the recipient, and tags of a person who is corrected', async () => {
    const order = anOrder()
    const tagged = { ...order, recipient: { ...order.recipient, external_tags: 'north' }, externalTags: ' , ' }
    const { orderId } = (await clinic.live.post('/create-order', tagged)).body
    expect((await clinic.live.get(`/orders/${orderId}`)).body.externalTags).toEqual(['north'])
    const { id } = (await customer({ customTags: 'vip' })).body
    const corrected = await clinic.live.request('PATCH', `/customers/${id}`, { name: 'Vi', customTags: '' })
    expect([corrected.status, corrected.body.customTags]).toEqual([200, ['vip']])
    const emptied = await clinic.live.request('PATCH', `/customers/${id}`, { customTags: [] })
    expect([emptied.status, emptied.body.customTags]).toEqual([200, []])
  })

  it('may be empty in a query', async () => {
    expect((await clinic.live.get('/orders?status=&kitStatus=&size=&orderDateStart=&page=')).status).toBe(200)
  })

  it('is still refused where it is something else, and what is needed is still needed', async () => {
    const wrong = await customer({ gender: 0, name: null })
    expect([wrong.status, wrong.body.details.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      ['name', 'gender'],
    ])
  })

  it('keeps the null that unsets', async () => {
    const set = await clinic.live.request('PATCH', '/settings', { lowCreditThreshold: '7', contactEmail: '' })
    expect([set.status, set.body.lowCreditThreshold]).toEqual([200, 7])
    const unset = await clinic.live.request('PATCH', '/settings', { lowCreditThreshold: null })
    expect('lowCreditThreshold' in unset.body).toBe(false)
  })
})

describe('a number and a list', () => {
  it('may come as digits and as a single value, in single orders and in rows', async () => {
    const single = await clinic.live.post('/create-order', {
      ...anOrder(),
      kit_types: { kitType: CORE, quantity: '2' },
    })
    expect((await clinic.live.get(`/orders/${single.body.orderId}`)).body.quantity).toBe(2)
    const { address, ...recipient } = anOrder().recipient
    const row = { ...recipient, ...address, kit_type: CORE, quantity: '3', phone: null, external_tags: ['a'] }
    const rows = await clinic.live.post('/create-order', { bulkUploadData: row })
    expect([rows.status, rows.body.orderIds?.length]).toEqual([201, 1])
    expect((await clinic.live.get(`/orders/${rows.body.orderIds[0]}`)).body.quantity).toBe(3)
  })

  it('are refused where the text is no number', async () => {
    for (const quantity of ['two', '1e3', '0x10', ' 3', '1,5']) {
      const { status } = await clinic.live.post('/create-order', {
        ...anOrder(),
        kit_types: [{ kitType: CORE, quantity }],
      })
      expect([quantity, status]).toEqual([quantity, 400])
    }
  })

  it('stay text where text is meant: an external_id of digits is no customer number', async () => {
    const made = await customer({ external_id: '00123' })
    expect((await clinic.live.get(`/customers/${made.body.id}`)).body.external_id).toBe('00123')
  })

  it('are refused where they are one or two dots, which a path takes for a folder', async () => {
    const order = anOrder()
    const { recipient } = order
    const { address, ...row } = recipient
    const kit = await kitOf(clinic)
    const { id } = (await customer({})).body
    const wrong = async (dots: string) => [
      await customer({ external_id: dots }),
      await clinic.live.request('PATCH', `/customers/${id}`, { external_id: dots }),
      await clinic.live.post(`/kits/${kit}/register`, { ...person, email: 'dots@example.test', external_id: dots }),
      await clinic.live.post('/create-order', { ...order, externalID: dots }),
      await clinic.live.post('/create-order', { ...order, recipient: { ...recipient, external_id: dots } }),
      await clinic.live.post('/create-order', {
        bulkUploadData: [{ ...row, ...address, kit_type: CORE, external_id: dots }],
      }),
    ]
    for (const { status, text } of [...(await wrong('.')), ...(await wrong(' .. '))]) {
      expect([status, text]).toEqual([400, expect.stringContaining('Send another identifier')])
    }
    expect((await customer({ external_id: '...' })).status).toBe(201)
  })

  it('of kits may come joined by commas or as a parameter that comes several times', async () => {
    const [one, two] = [await kitOf(clinic), await kitOf(clinic)]
    for (const query of [`kitID=${one},${two}`, `kitID=${one}&kitID=${two}`]) {
      const { body } = await clinic.live.get(`/kits?${query}`)
      expect(body.map(({ kitID }: { kitID: string }) => kitID)).toEqual([two, one])
    }
  })

  it('race is text or several texts', async () => {
    const export_ = async (race: unknown) => {
      const kitID = await kitOf(clinic)
      const email = `r${Math.random()}@example.test`
      const { status, body } = await clinic.live.post(`/kits/${kitID}/register`, { ...person, email, race })
      expect(status).toBe(200)
      return (await clinic.live.get(`/customers/${body.customerId}/export`)).body.customer.race
    }
    expect(await export_('Asian')).toBe('Asian')
    expect(await export_(['Asian', 'White'])).toBe('Asian, White')
    expect(await export_('')).toBeUndefined()
  })
})

describe('a date', () => {
  it('of birth may be a timestamp: the day counts as it was written', async () => {
    const made = await customer({ dateOfBirth: '1990-05-17T23:30:00-08:00' })
    expect((await clinic.live.get(`/customers/${made.body.id}`)).body.dateOfBirth).toBe('1990-05-17')
    const email = 'born@example.test'
    const registered = await clinic.live.post(`/kits/${await kitOf(clinic)}/register`, {
      ...person,
      email,
      dateOfBirth: '1980-02-29T00:00:00+05:30',
    })
    const { body } = await clinic.live.get(`/customers/${registered.body.customerId}`)
    expect(body.dateOfBirth).toBe('1980-02-29')
  })

  it('of added data may be a timestamp, whose time and offset are stored and answered as collectedDate', async () => {
    await clinic.live.request('PATCH', '/settings', { publishing: 'auto' })
    const userId = (await customer({})).body.id
    const biomarkerData = [{ name: 'ldl', result: 101, unit_of_measure: 'mg/dL' }]
    const add = (date: string) => clinic.live.post('/customer/add-data', { type: 'test', userId, date, biomarkerData })
    const given = '2026-01-15T07:45:00+05:30'
    const timed = await add(given)
    expect([timed.status, (await add('2026-01-16')).status]).toEqual([201, 201])
    const owner = await world.owner()
    const { rows } = await owner.query(
      `select d.given_at, r.collected_at, r.collected_date::text, v.collected_at as of_version
       from customer_data d join reports r on r.realm_id = d.realm_id and r.data_id = d.id
       join report_versions v on v.realm_id = r.realm_id and v.report_id = r.id where r.id = $1`,
      [timed.body.reportId],
    )
    expect(rows).toEqual([{ given_at: given, collected_at: given, collected_date: '2026-01-15', of_version: given }])
    const { details } = (await clinic.live.get(`/customers/${userId}/reports/${timed.body.reportId}`)).body
    expect(new Date(details.collectedDate).toISOString()).toBe('2026-01-15T02:15:00.000Z')
    const { reports } = (await clinic.live.get(`/customers/${userId}`)).body
    expect(reports.map((one: { collectedDate: string }) => new Date(one.collectedDate).toISOString())).toEqual([
      '2026-01-16T00:00:00.000Z',
      '2026-01-15T02:15:00.000Z',
    ])
    expect((await add('15.01.2026')).status).toBe(400)
  })
})

describe('a token', () => {
  it('of a business below /operator/v1, and of the operator below /api/v1, is answered which kind is needed', async () => {
    const business = await fetch(`${world.service.url}/operator/v1/fulfilment/queue`, {
      headers: { authorization: `Token ${clinic.liveToken}` },
    })
    const refused = (await business.json()) as { code: string; error: string }
    expect([business.status, refused.code]).toEqual([403, 'FORBIDDEN'])
    expect(refused.error).toMatch(/token of a business.*need a token of the operator/)
    const operator = await operatorWith(world, ['lab'])
    expect((await operator('GET', '/fulfilment/queue')).status).toBe(403)
    const unknown = await fetch(`${world.service.url}/operator/v1/fulfilment/queue`, {
      headers: { authorization: 'Token kl_live_nonsense' },
    })
    expect(unknown.status).toBe(401)
  })
})

describe('a saved payment method that there is not', () => {
  it('is refused as unknown by an order, by a dry run and by paying a pending order', async () => {
    const paymentMethod = 'pm_of_nobody'
    const unknown = [404, 'PAYMENT_METHOD_NOT_FOUND']
    const order = await clinic.live.post('/create-order', anOrder({ paymentMethod }))
    const trial = await clinic.live.post('/create-order?dryRun=true', anOrder({ paymentMethod }))
    const { orderId } = (await clinic.live.post('/create-order', anOrder({ paymentMethod: 'later' }))).body
    const paying = await clinic.live.post(`/orders/${orderId}/pay`, { paymentMethod })
    for (const { status, body } of [order, trial, paying]) expect([status, body.code]).toEqual(unknown)
  })
})

describe('several mistakes', () => {
  const paths = (body: { details: { path: string }[] }) => body.details.map(({ path }) => path).sort()
  const { recipient } = anOrder()
  const wrong = { ...recipient, email: 'nobody', first_name: 7 }

  it('are refused in one sentence, and a kit type that may not be ordered with those of the format', async () => {
    const { status, body } = await clinic.live.post('/create-order', {
      recipient: wrong,
      kit_types: { kitType: 'NOPE' },
    })
    expect([status, body.code, paths(body)]).toEqual([
      400,
      'VALIDATION_FAILED',
      ['kit_types', 'recipient.email', 'recipient.first_name'],
    ])
    expect(body.details.at(-1).code).toBe('KIT_TYPE_NOT_PROVISIONED')
    expect(body.error).toBe(
      'The request has 3 problems: recipient.first_name: Send a text, not a number; recipient.email: Invalid email address; ' +
        'kit_types: This kit type is not provisioned for the business',
    )
  })

  it('of rows and of the flat payload are refused the same way, with the number of the row', async () => {
    const { address, ...flat } = { ...wrong, ...wrong.address }
    const rows = [
      { ...flat, kit_type: CORE },
      { recipient, kitType: 'NOPE' },
    ]
    const bulk = await clinic.live.post('/create-order', { bulkUploadData: rows })
    const [email, name] = ['bulkUploadData.0.email', 'bulkUploadData.0.first_name']
    expect([bulk.status, paths(bulk.body)]).toEqual([400, [email, name, 'bulkUploadData.1.kit_type']])
    const legacy = await clinic.live.post('/legacy/create-order', { ...flat, kitType: 'NOPE' })
    expect([legacy.status, paths(legacy.body)]).toEqual([400, ['email', 'first_name', 'kitType']])
  })

  it('are sizes and choices: the sentence says in words what fits', async () => {
    const line = { kitType: CORE, quantity: 0 }
    const externalTags = Array.from({ length: 60 }, (_, index) => `tag ${index}`)
    const order = { recipient: { ...recipient, last_name: 'x'.repeat(101) }, kit_types: [line], externalTags }
    const { body } = await clinic.live.post('/create-order', order)
    expect(body.details.map(({ message }: { message: string }) => message).sort()).toEqual([
      'Send at least 1',
      'Send at most 100 characters',
      'Send at most 50 entries',
    ])
    // Tags as one text have the limits of those in an array.
    for (const tags of [externalTags.join(), 'x'.repeat(101)]) {
      const asText = await clinic.live.post('/create-order', {
        ...order,
        recipient,
        kit_types: [CORE],
        externalTags: tags,
      })
      expect([asText.status, asText.body.details.at(-1).path.split('.')[0]]).toEqual([400, 'externalTags'])
    }
    const plan = await clinic.live.post('/reminders', {
      rules: [{ stage: 'never', afterDays: 7, everyDays: 7, times: 3 }],
    })
    expect(plan.body.error).toBe('rules.0.stage: Send register, post, parcel, sample or retest')
    const empty = await clinic.live.post('/webhooks', { url: 'https://a.example/hook', events: [] })
    expect(empty.body.error).toBe('events: Must not be empty')
  })

  it('are many: the sentence has the first five and says how many more there are', async () => {
    const { body } = await clinic.live.post('/create-order', { recipient: { address: {} }, kit_types: [{}] })
    expect(body.error).toMatch(
      /^The request has 8 problems: recipient.first_name: Is missing: send a text; .*; and 3 more$/,
    )
    expect(body.details).toHaveLength(8)
  })
})

it('the document says of requests what they take besides, and of answers nothing', async () => {
  const { body } = await world.anonymous.get('/openapi.json')
  const at = (schema: Schema, name: string) => follow<Schema>(body, follow(body, schema).properties?.[name] ?? {})
  const forms = ({ anyOf = [] }: Schema) => anyOf.map((form) => follow<Schema>(body, form))
  const order = body.paths['/api/v1/create-order'].post.requestBody.content['application/json'].schema
  expect(at(order, 'isNotifyReceiver').type).toEqual(['boolean', 'null'])
  const lines = forms(at(order, 'kit_types'))
  expect(lines.map(({ type }) => type)).toEqual(['array', 'object', 'null'])
  const quantity = at(lines[1] ?? {}, 'quantity')
  expect(forms(quantity).map(({ type }) => type)).toEqual(['integer', 'string', 'null'])
  const { race } = body.components.schemas.KitRegistration.properties
  expect(race.anyOf.map(({ type }: { type: string }) => type)).toEqual(['array', 'string', 'null'])
  expect(body.components.schemas.Order.properties.quantity.type).toBe('integer')
})
