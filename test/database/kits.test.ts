import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKits } from '../../src/modules/kits/create.ts'
import { cancelKits, type MoveOptions, moveKit, setReportStatus } from '../../src/modules/kits/move.ts'
import type { KitEvent } from '../../src/modules/kits/rules.ts'
import type { Realm, Tx } from '../../src/platform/database/tx.ts'
import { aheadMs } from '../harness/days.ts'
import { kitEvents } from '../harness/kit-events.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
let owner: Client

beforeAll(async () => {
  world = await sharedWorld()
  owner = await world.owner()
  clinic = await world.business({ credits: 1000 })
})
afterAll(() => world.stop())

const kitType = 'ED1NL4E3L'
const recipient = {
  first_name: 'Rosa',
  last_name: 'Lind',
  email: 'rosa@example.com',
  address: { street1: '1 Main St', city: 'Austin', state: 'TX', zip: '78701' },
}
const person = {
  firstName: 'Ada',
  lastName: 'Byron',
  email: 'ada@example.com',
  dateOfBirth: '1985-12-10',
  sex: 'F',
  addressLine1: '2 Side St',
  city: 'Austin',
}
const consentGiven = {
  firstName: 'Ada',
  lastName: 'Byron',
  email: 'ada@example.com',
  consentVersion: '2026-01',
  consentToTesting: true,
}

/** The IDs of new kits, oldest first. */
async function order(business = clinic, quantity = 1, mode: 'live' | 'sandbox' = 'live', externalID?: string) {
  const placed = await business[mode].post('/create-order', {
    recipient,
    kit_types: [{ kitType, quantity }],
    ...(externalID && { externalID }),
  })
  expect(placed.status, placed.text).toBe(201)
  const orderId: string = placed.body.orderId
  const listed = await business[mode].get(`/kits?orderID=${orderId}&size=250`)
  const kits: string[] = listed.body.map((kit: { kitID: string }) => kit.kitID)
  return { orderId, kits: kits.toReversed(), kit: kits.at(-1) ?? '' }
}

async function realmOf(business: TestBusiness, mode: 'live' | 'sandbox' = 'live'): Promise<Realm> {
  const { rows } = await owner.query('select id from realms where business_id = $1 and mode = $2', [business.id, mode])
  return { id: rows[0].id, businessId: business.id, mode }
}

async function inside<T>(work: (tx: Tx) => Promise<T>, business = clinic): Promise<T> {
  return world.service.database.inRealm(await realmOf(business), { name: 'cli' }, work)
}

const move = (kit: string, to: KitEvent, options?: MoveOptions) => inside((tx) => moveKit(tx, kit, to, options))

const eventsOf = (kit: string) => kitEvents(world.service.database, kit)

const find = async (kit: string) => (await clinic.live.get(`/kits?kitID=${kit}`)).body[0]

describe('a kit', () => {
  test('shows what the specification names, and leaves out what is not there yet', async () => {
    const { kit, orderId } = await order()
    const shown = await find(kit)
    expect(shown).toMatchObject({
      kitID: kit,
      orderID: orderId,
      kitType,
      recipientEmail: 'rosa@example.com',
      kitStatus: 'preparing',
      sampleStatus: 'awaitingCollection',
      status: 'notStarted',
    })
    expect(shown.progress).toHaveLength(8)
    expect(shown.progress[0]).toEqual({ type: 'orderPlaced', date: shown.createdDate.slice(0, 10) })
    expect(shown.progress[1]).toEqual({ type: 'kitPreparing' })
    expect(shown).toMatchObject({ registeredToEmail: '', externalID: '' })
    const absent = ['shipment', 'customerID', 'registrationDate', 'replacedBy', 'exceptionReason']
    for (const name of absent) expect(shown).not.toHaveProperty(name)
  })

  test('has exactly the fields of the contract once everything happened', async () => {
    const business = await world.business()
    const { kit } = await order(business, 1, 'sandbox', 'mine')
    const { body } = await business.sandbox.post(`/sandbox/kits/${kit}/scenario`, { scenario: 'published' })
    const [listed] = (await business.sandbox.get(`/kits?kitID=${kit}`)).body
    expect(body).toEqual(listed)
    expect(Object.keys(listed).toSorted()).toEqual(
      [
        ...['kitID', 'orderID', 'kitType', 'recipientEmail', 'registeredToEmail', 'createdDate', 'lastUpdatedDate'],
        ...['kitStatus', 'sampleStatus', 'status', 'externalID', 'progress', 'shipment', 'customerID'],
        ...['registrationDate', 'allowed'],
      ].toSorted(),
    )
    const types = ['orderPlaced', 'kitPreparing', 'kitInTransit', 'kitDelivered', 'kitRegistered', 'sampleInTransit']
    expect(listed.progress.map(({ type }: { type: string }) => type)).toEqual([
      ...types,
      'sampleReceived',
      'reportReady',
    ])
    for (const { date } of listed.progress) expect(date).toMatch(/^\d{4}-\d\d-\d\d$/)
    for (const leg of ['toUser', 'toLab']) {
      expect(Object.keys(listed.shipment[leg]).toSorted()).toEqual(['carrier', 'date', 'trackingNumber'])
    }
    expect(listed.customerID).toEqual(expect.any(Number))
    const rejected = await business.sandbox.post(`/sandbox/kits/${kit}/scenario`, { scenario: 'rejected' })
    expect(rejected.body.progress).toHaveLength(9)
    expect(rejected.body.progress.at(-1)).toEqual({ type: 'sampleRejected', date: listed.createdDate.slice(0, 10) })
  })

  test('tells each step by one event, numbered without gaps, with the kit as of that step', async () => {
    const { kit } = await order()
    const shipment = { toUser: { trackingNumber: '1Z9', carrier: 'UPS', date: '2026-01-05T10:00:00.000Z' } }
    await move(kit, 'kitDelivered', { shipment })
    await clinic.live.post(`/kits/${kit}/register`, person)
    await move(kit, 'reportReady', { autoPublish: true })
    const events = await eventsOf(kit)
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(events.map(({ data }) => data.event)).toEqual([
      ...['kitPreparing', 'kitInTransit', 'kitDelivered', 'kitRegistered'],
      ...['sampleInTransit', 'sampleReceived', 'reportReady'],
    ])
    expect(events[1]?.data).toMatchObject({
      kitID: kit,
      kitStatus: 'inTransit',
      sequence: 2,
      shipment,
      previous: { kitStatus: 'preparing', sampleStatus: 'awaitingCollection', status: 'notStarted' },
    })
    expect(events[2]?.data).not.toHaveProperty('customerID')
    expect(events[3]?.data.customerID).toEqual(expect.any(Number))
    expect(events[6]?.data).toMatchObject({ status: 'published', sampleStatus: 'resulted' })
    expect((await find(kit)).shipment).toEqual(shipment)
    expect((await clinic.live.get(`/kits?kitID=${kit}&includeShipmentTracking=0`)).body[0].shipment).toBeUndefined()
  })

  test('moves once when many move it at the same moment', async () => {
    const { kit } = await order()
    const realm = await realmOf(clinic)
    const { database } = world.service
    const attempt = () => database.inRealm(realm, { name: 'cli' }, (tx) => moveKit(tx, kit, 'kitDelivered'))
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, attempt))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason.code).toBe('ILLEGAL_TRANSITION')
    }
    expect(await eventsOf(kit)).toHaveLength(3)
  })

  test('says by an event when its report is published', async () => {
    const { kit } = await order()
    await clinic.live.post(`/kits/${kit}/register`, person)
    await move(kit, 'reportReady')
    const published = await inside((tx) => setReportStatus(tx, kit, 'published'))
    expect(published).toMatchObject({ status: 'published', sampleStatus: 'resulted', allowed: [] })
    const last = (await eventsOf(kit)).at(-1)?.data
    expect(last).toMatchObject({ event: 'reportReady', status: 'published', previous: { status: 'inReview' } })
  })

  test('loses its person when it is moved back before its registration', async () => {
    const { kit } = await order()
    await clinic.live.post(`/kits/${kit}/register`, person)
    const back = await move(kit, 'kitInTransit', { force: true })
    expect(back).not.toHaveProperty('customerID')
    expect(back).toMatchObject({ registeredToEmail: '' })
    expect((await clinic.live.post(`/kits/${kit}/register`, person)).status).toBe(200)
  })

  test('is canceled with all others of its order while they are preparing, else none is', async () => {
    const preparing = await order(clinic, 2)
    expect(await inside((tx) => cancelKits(tx, preparing.orderId))).toBe(true)
    for (const kit of preparing.kits) expect(await find(kit)).toMatchObject({ kitStatus: 'canceled', allowed: [] })
    const shipped = await order(clinic, 2)
    await move(shipped.kit, 'kitInTransit')
    expect(await inside((tx) => cancelKits(tx, shipped.orderId))).toBe(false)
    const statuses = await Promise.all(shipped.kits.map(async (kit) => (await find(kit)).kitStatus))
    expect(statuses).toEqual(['inTransit', 'preparing'])
  })
})

describe('registration', () => {
  test('links the kit to the customer with this e-mail, whatever its case, and fills in earlier steps', async () => {
    const { kits } = await order(clinic, 2)
    const email = 'mixed.case@example.com'
    const first = await clinic.live.post(`/kits/${kits[0]}/register`, { ...person, email })
    const second = await clinic.live.post(`/kits/${kits[1]?.toLowerCase()}/register`, {
      ...person,
      email: email.toUpperCase(),
    })
    expect(first.status, first.text).toBe(200)
    expect(second.body).toEqual({ message: expect.any(String), kitID: kits[1], customerId: first.body.customerId })
    const shown = await find(kits[0] ?? '')
    expect(shown).toMatchObject({
      kitStatus: 'registered',
      registeredToEmail: email,
      customerID: first.body.customerId,
      registrationDate: expect.any(String),
    })
    const dates = shown.progress.slice(0, 5).map(({ date }: { date?: string }) => date)
    expect(dates).toEqual(Array(5).fill(shown.registrationDate.slice(0, 10)))
  })

  test('happens once, also when it is sent several times at once', async () => {
    const { kit } = await order()
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, i) =>
        clinic.live.post(`/kits/${kit}/register`, { ...person, email: `p${i}@example.com` }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    const refused = await clinic.live.post(`/kits/${kit}/register`, person)
    expect(refused.body.code).toBe('KIT_ALREADY_REGISTERED')
  })

  /** Registers a kit with the e-mail of a person with another date of birth. */
  async function inDoubt(email: string, known: object = {}, given: object = {}) {
    const { orderId, kits } = await order(clinic, 2)
    const [theirs = '', kit = ''] = kits
    const first = await clinic.live.post(`/kits/${theirs}/register`, { ...person, email, ...known })
    const other = { ...person, firstName: 'Zed', lastName: 'Quill', email, dateOfBirth: '2001-02-03', ...given }
    const answer = await clinic.live.post(`/kits/${kit}/register`, other)
    return { orderId, kit, theirs, other, answer, customerId: Number(first.body.customerId) }
  }

  test('waits for a human when the date of birth is not the one known of the customer', async () => {
    const { kit, answer } = await inDoubt('shared@example.com')
    expect(answer.status).toBe(200)
    expect(await find(kit)).toMatchObject({ kitStatus: 'registrationException', allowed: ['kitRegistered'] })
    await expect(move(kit, 'kitRegistered')).rejects.toMatchObject({ code: 'ILLEGAL_TRANSITION' })
  })

  test('in doubt shows nobody, in no answer, event, search or export', async () => {
    const email = 'shared2@example.com'
    const { kit, orderId, answer, customerId } = await inDoubt(
      email,
      {},
      { phone: '+15550001', external_id: 'crm-zed' },
    )
    expect(answer.body).toEqual({ message: expect.stringContaining('in doubt'), kitID: kit })
    const shown = await find(kit)
    expect(shown).toMatchObject({ kitStatus: 'registrationException', registeredToEmail: '' })
    const events = await eventsOf(kit)
    expect(events.map(({ data }) => data.event)).toEqual(['registrationException'])
    const ordered = (await clinic.live.get(`/orders/${orderId}`)).body
    const inOrder = ordered.kits.find((one: { kitID: string }) => one.kitID === kit)
    const page = (await clinic.live.get(`/kits/${kit}`)).body
    expect(page.timeline.at(-1)).toMatchObject({ type: 'registrationException', by: 'system' })
    const found = (await clinic.live.get(`/search?q=${kit}`)).body
    const csv = (await clinic.live.get(`/kits?kitID=${kit}`, { accept: 'text/csv' })).text
    const feed = async () =>
      (await clinic.live.get('/events?type=kit.updated&size=250')).body.data.filter(
        (event: { data: { kitID?: string } }) => event.data.kitID === kit,
      )
    // The feed waits a moment for older transactions in any database of the server.
    await expect.poll(async () => (await feed()).length).toBe(1)
    const audit = await owner.query("select details from audit_entries where object_id = $1 and object_type = 'kit'", [
      kit,
    ])
    for (const place of [shown, events, inOrder, page, found, csv, await feed(), audit.rows]) {
      const text = JSON.stringify(place)
      expect(text).not.toContain(String(customerId))
      expect(text).not.toMatch(/shared2|\b(Byron|Ada|Quill)\b|1985-12-10|2001-02-03/)
      expect(text).not.toMatch(/"(customerID|customerId|registrationDate)"/)
    }
    const exported = (await clinic.live.get(`/customers/${customerId}/export`)).text
    expect(exported).not.toMatch(new RegExp(`${kit}|Quill|2001-02-03|15550001|crm-zed`))
    expect((await clinic.live.get('/customers/crm-zed')).status).toBe(404)
    expect((await clinic.live.get(`/orders?registeredTo=${email}`)).body.pagination.total).toBe(1)
  })

  test('in doubt is taken once the data are right', async () => {
    const mistyped = await inDoubt('mistyped@example.com', {}, { firstName: 'Ada', lastName: 'Byron' })
    const again = await clinic.live.post(`/kits/${mistyped.kit}/register`, mistyped.other)
    expect([again.status, again.body.customerId]).toEqual([200, undefined])
    expect(await eventsOf(mistyped.kit)).toHaveLength(1)
    const right = { ...person, email: 'mistyped@example.com' }
    const taken = await clinic.live.post(`/kits/${mistyped.kit}/register`, right)
    expect([taken.status, taken.body.customerId]).toEqual([200, mistyped.customerId])
    expect(await find(mistyped.kit)).toMatchObject({
      kitStatus: 'registered',
      customerID: mistyped.customerId,
      registeredToEmail: 'mistyped@example.com',
    })
    expect(await find(mistyped.kit)).not.toHaveProperty('exceptionReason')
    expect(await auditOf(mistyped.kit)).toEqual([
      'kit.registration_doubted',
      'kit.registration_doubted',
      'kit.registered',
    ])
  })

  test('in doubt because the customer was entered wrongly is taken once that is corrected', async () => {
    const { kit, other, customerId } = await inDoubt(
      'entered@example.com',
      { dateOfBirth: '2001-03-02' },
      { firstName: 'Ada', lastName: 'Byron' },
    )
    const corrected = await clinic.live.request('PATCH', `/customers/${customerId}`, { dateOfBirth: '2001-02-03' })
    expect([corrected.status, corrected.body.dateOfBirth]).toEqual([200, '2001-02-03'])
    expect(await find(kit)).toMatchObject({ kitStatus: 'registrationException' })
    const taken = await clinic.live.post(`/kits/${kit}/register`, other)
    expect([taken.status, taken.body.customerId]).toEqual([200, customerId])
  })

  test('in doubt is cleared for another person, who registers the kit; it is in the audit', async () => {
    const { kit, customerId } = await inDoubt('cleared@example.com')
    const cleared = await clinic.live.post(`/kits/${kit}/registration/clear`)
    expect(cleared).toMatchObject({ status: 200, body: { kitID: kit, kitStatus: 'preparing', registeredToEmail: '' } })
    const kept = await owner.query('select customer_id, registered_email, registration from kits where id = $1', [kit])
    expect(kept.rows).toEqual([{ customer_id: null, registered_email: null, registration: null }])
    const again = await clinic.live.post(`/kits/${kit}/registration/clear`)
    expect([again.status, again.body.code]).toEqual([409, 'ILLEGAL_TRANSITION'])
    const other = await clinic.live.post(`/kits/${kit}/register`, { ...person, email: 'another@example.com' })
    expect(other.status).toBe(200)
    expect(other.body.customerId).not.toBe(customerId)
    expect(await auditOf(kit)).toEqual(['kit.registration_doubted', 'kit.registration_cleared', 'kit.registered'])
    const stranger = await world.business()
    expect((await stranger.live.post(`/kits/${kit}/registration/clear`)).status).toBe(404)
  })

  test('of a kit that the operator doubts afterwards shows its person no longer', async () => {
    const { kit } = await order()
    await clinic.live.post(`/kits/${kit}/register`, { ...person, email: 'later@example.com' })
    const doubted = await move(kit, 'registrationException', { reason: 'Two people claim this box' })
    expect(doubted).toMatchObject({ kitStatus: 'registrationException', registeredToEmail: '' })
    expect(doubted).not.toHaveProperty('customerID')
    const again = await clinic.live.post(`/kits/${kit}/register`, { ...person, email: 'later@example.com' })
    expect(again.status).toBe(200)
  })

  async function auditOf(kit: string): Promise<string[]> {
    const { rows } = await owner.query(
      "select action from audit_entries where object_id = $1 and action like 'kit.regist%' order by id",
      [kit],
    )
    return rows.map(({ action }) => action)
  }

  test('is refused to a canceled kit, with where it is', async () => {
    const { kit, orderId } = await order()
    await inside((tx) => cancelKits(tx, orderId))
    for (const [path, body] of Object.entries({ register: person, consent: consentGiven })) {
      const refused = await clinic.live.post(`/kits/${kit}/${path}`, body)
      expect(refused.body).toMatchObject({ code: 'ILLEGAL_TRANSITION', current: 'canceled', allowed: [] })
      expect(refused.status).toBe(409)
    }
  })

  test('gives a person to a kit whose sample came first', async () => {
    const { kit } = await order()
    await move(kit, 'sampleReceived')
    const registered = async () =>
      (await find(kit)).progress.find(({ type }: { type: string }) => type === 'kitRegistered')
    expect(await registered()).toEqual({ type: 'kitRegistered' })
    const email = 'late@example.com'
    expect((await clinic.live.post(`/kits/${kit}/register`, { ...person, email })).status).toBe(200)
    expect(await find(kit)).toMatchObject({ sampleStatus: 'received', registeredToEmail: email })
    expect(await registered()).toMatchObject({ date: expect.any(String) })
    expect((await eventsOf(kit)).at(-1)?.data).toMatchObject({ event: 'kitRegistered', customerID: expect.any(Number) })
  })

  test('does not give a sample that came first to a person who may be another', async () => {
    const { kits } = await order(clinic, 2)
    const email = 'doubtful@example.com'
    await clinic.live.post(`/kits/${kits[0]}/register`, { ...person, email })
    const kit = kits[1] ?? ''
    await move(kit, 'sampleReceived')
    const refused = await clinic.live.post(`/kits/${kit}/register`, { ...person, email, dateOfBirth: '2001-02-03' })
    expect([refused.status, refused.body.current]).toEqual([409, 'sampleReceived'])
    expect(await find(kit)).not.toHaveProperty('customerID')
  })

  test.each([
    ['a date of birth that is to come', { dateOfBirth: '2190-01-01' }, 'dateOfBirth'],
    ['a date that is none', { dateOfBirth: '2001-02-30' }, 'dateOfBirth'],
    ['another sex than M or F', { sex: 'X' }, 'sex'],
    ['no e-mail', { email: undefined }, 'email'],
  ])('is refused with %s, by the name of the field', async (_, change, path) => {
    const { kit } = await order()
    const refused = await clinic.live.post(`/kits/${kit}/register`, { ...person, ...change })
    expect(refused.status).toBe(400)
    expect(refused.body.details).toMatchObject([{ path }])
  })

  test('of an unknown kit, or one of another business, is a 404', async () => {
    const stranger = await world.business()
    const { kit } = await order()
    for (const path of ['register', 'consent', 'replacement']) {
      const body = { ...person, ...consentGiven, reason: 'lost' }
      const theirs = await stranger.live.post(`/kits/${kit}/${path}`, body)
      const unknown = await stranger.live.post(`/kits/K000000000/${path}`, body)
      expect([theirs.status, theirs.body.code]).toEqual([404, 'KIT_NOT_FOUND'])
      expect({ ...theirs.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' })
    }
  })
})

describe('consent', () => {
  test('is kept with time, version and source address', async () => {
    const { kit } = await order()
    const answer = await clinic.live.post(`/kits/${kit}/consent`, { ...consentGiven, consentForResearch: true })
    expect(answer.body).toEqual({ message: expect.any(String), kitID: kit, consentedAt: expect.any(String) })
    const { customerId } = (
      await clinic.live.post(`/kits/${kit}/register`, { ...person, email: `${kit}@example.test` })
    ).body
    const { kits } = (await clinic.live.get(`/customers/${customerId}/export`)).body
    expect(kits[0].consents).toMatchObject([
      {
        consentVersion: '2026-01',
        consentForResearch: true,
        ip: '127.0.0.1',
        consentedAt: answer.body.consentedAt,
      },
    ])
  })

  test('must be to testing', async () => {
    const { kit } = await order()
    for (const consentToTesting of [false, undefined, 'true']) {
      const refused = await clinic.live.post(`/kits/${kit}/consent`, { ...consentGiven, consentToTesting })
      expect(refused.status).toBe(400)
    }
  })

  test('comes before registration where the business requires it', async () => {
    const careful = await world.business()
    await careful.live.request('PATCH', '/settings', { requireConsent: true })
    const { kit } = await order(careful)
    const refused = await careful.live.post(`/kits/${kit}/register`, person)
    expect([refused.status, refused.body.code]).toEqual([409, 'CONSENT_REQUIRED'])
    await careful.live.post(`/kits/${kit}/consent`, consentGiven)
    expect((await careful.live.post(`/kits/${kit}/register`, person)).status).toBe(200)
  })
})

describe('where a consent is required', () => {
  let careful: TestBusiness
  const as = async (kit: string, changes: Record<string, unknown>) => {
    const { status, body } = await careful.live.post(`/kits/${kit}/register`, { ...person, ...changes })
    return status === 200 ? 200 : body.code
  }
  const agree = async (kit: string, changes: Record<string, unknown> = {}) => {
    const { status, text } = await careful.live.post(`/kits/${kit}/consent`, { ...consentGiven, ...changes })
    expect(status, text).toBe(200)
  }
  const bob = { firstName: 'Bob', lastName: 'Stone', email: 'bob@example.com' }

  beforeAll(async () => {
    careful = await world.business()
    await careful.live.request('PATCH', '/settings', { requireConsent: true })
  })

  test('the one of another person lets nobody register', async () => {
    const { kit } = await order(careful)
    await agree(kit, bob)
    expect(await as(kit, {})).toBe('CONSENT_REQUIRED')
    await agree(kit, { ...bob, email: person.email })
    expect(await as(kit, {}), 'who shares the e-mail').toBe('CONSENT_REQUIRED')
    await agree(kit, { ...bob, firstName: 'Ada' })
    expect(await as(kit, {}), 'of another e-mail').toBe('CONSENT_REQUIRED')
    await agree(kit)
    expect(await as(kit, {})).toBe(200)
  })

  test.each(['parent', 'guardian', 'caregiver'])('the one of a %s counts for an adult too', async (relation) => {
    const { kit } = await order(careful)
    await agree(kit, { ...bob, relation })
    expect(await as(kit, { email: `${kit}@example.com` })).toBe(200)
  })

  test('the one of somebody who is neither of these lets no adult register: it is theirs to decide', async () => {
    const { kit } = await order(careful)
    await agree(kit, { ...bob, relation: 'other' })
    const email = `${kit}@example.com`
    const refused = await careful.live.post(`/kits/${kit}/register`, { ...person, email })
    expect([refused.status, refused.body.code]).toEqual([409, 'CONSENT_REQUIRED'])
    expect(refused.body.message).toContain('from 18 on')
    await agree(kit, { email })
    expect(await as(kit, { email })).toBe(200)
  })

  test('the one of the person counts, regardless of who agreed after them, however their name is written', async () => {
    const { kit } = await order(careful)
    await agree(kit, { firstName: 'ZOË', email: 'Zoe@Example.com' })
    await agree(kit, bob)
    expect(await as(kit, { firstName: 'Zoe Marie', email: 'zoe@example.com' })).toBe(200)
  })

  test('research is not agreed to by somebody else', async () => {
    const { kit } = await order()
    await clinic.live.post(`/kits/${kit}/consent`, { ...consentGiven, ...bob, consentForResearch: true })
    const email = `${kit}@example.com`
    const { customerId } = (await clinic.live.post(`/kits/${kit}/register`, { ...person, email })).body
    const { rows } = await owner.query('select research from customers where id = $1', [customerId])
    expect(rows).toEqual([{ research: false }])
  })
})

describe('a kit of a test order that a live token placed', () => {
  test('is validated, consented to and registered with that token, in the sandbox', async () => {
    const placed = await clinic.live.post('/create-order', { recipient, kit_types: [{ kitType }], is_test_order: true })
    const [{ kitID }] = (await clinic.live.get(`/kits?orderID=${placed.body.orderId}`)).body
    expect((await clinic.live.get(`/kits/${kitID}/validate`)).body).toMatchObject({ exists: true, isTest: true })
    const email = `${kitID}@example.com`
    const consented = await clinic.live.post(`/kits/${kitID}/consent`, { ...consentGiven, email })
    const key = { 'idempotency-key': `test-${kitID}` }
    const registered = await clinic.live.post(`/kits/${kitID}/register`, { ...person, email }, key)
    expect([consented.status, registered.status]).toEqual([200, 200])
    const again = await clinic.live.post(`/kits/${kitID}/register`, { ...person, email }, key)
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([registered.text, 'true'])
    expect((await clinic.live.post(`/kits/${kitID}/register`, { ...person, email })).body.code).toBe(
      'KIT_ALREADY_REGISTERED',
    )
    const { customerId } = registered.body
    expect((await clinic.sandbox.get(`/customers/${customerId}`)).body.email).toBe(email)
    expect((await clinic.live.get(`/customers/${customerId}`)).status).toBe(404)
    const stranger = await world.business()
    for (const path of ['consent', 'register'])
      expect((await stranger.live.post(`/kits/${kitID}/${path}`, { ...person, ...consentGiven })).status).toBe(404)
  })
})

describe('a replacement', () => {
  test('is free, of the same order and type, and linked both ways', async () => {
    const { kit, orderId } = await order()
    const credits = await clinic.live.get('/credits')
    await move(kit, 'sampleRejected', { reason: 'Hemolysed' })
    expect(await find(kit)).toMatchObject({ exceptionReason: 'Hemolysed', sampleStatus: 'rejected' })
    const answer = await clinic.live.post(`/kits/${kit}/replacement`, { reason: 'Hemolysed' })
    const replacementKitID = answer.body.replacementKitID
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({ message: expect.any(String), kitID: kit, replacementKitID, orderID: orderId })
    expect(await find(kit)).toMatchObject({ replacedBy: replacementKitID })
    expect(await find(replacementKitID)).toMatchObject({ replacementFor: kit, orderID: orderId, kitType })
    expect((await clinic.live.get('/credits')).body).toEqual(credits.body)
  })

  test('is made once, and only for a kit that was lost, failed or rejected', async () => {
    const { kit } = await order()
    const early = await clinic.live.post(`/kits/${kit}/replacement`, { reason: 'no' })
    expect([early.status, early.body.code]).toEqual([409, 'ILLEGAL_TRANSITION'])
    await move(kit, 'deliveryException', { reason: 'Lost' })
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => clinic.live.post(`/kits/${kit}/replacement`, { reason: 'Lost' })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
  })
})

describe('the list of kits', () => {
  test('is newest first, in pages without gaps or repeats, with the total and the next page in headers', async () => {
    for (const mode of ['live', 'sandbox'] as const) {
      const business = await world.business()
      const { kits } = await order(business, 7, mode)
      const seen: string[] = []
      let path: string | undefined = '/kits?size=3'
      while (path) {
        const page = await business[mode].get(path)
        expect(page.headers.get('x-total-count')).toBe('7')
        seen.push(...page.body.map((kit: { kitID: string }) => kit.kitID))
        path = /<\/api\/v1([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
      }
      expect(seen).toEqual(kits.toReversed())
      const beyond = await business[mode].get('/kits?size=3&page=9')
      expect([beyond.status, beyond.body]).toEqual([200, []])
    }
  })

  test('is empty, not an error, before the first order', async () => {
    const business = await world.business()
    const answer = await business.live.get('/kits')
    expect([answer.status, answer.body, answer.headers.get('x-total-count')]).toEqual([200, [], '0'])
  })

  test('filters by kits, orders, external ID and statuses, and pages what it filtered', async () => {
    const business = await world.business()
    const one = await order(business, 2, 'live', 'ext-1')
    const two = await order(business, 1)
    await inside((tx) => moveKit(tx, two.kit, 'kitInTransit'), business)
    const ids = async (query: string) =>
      (await business.live.get(`/kits?${query}`)).body.map((kit: { kitID: string }) => kit.kitID)
    expect(await ids(`kitID=${one.kits.join(', ').toLowerCase()}`)).toEqual(one.kits.toReversed())
    expect(await ids(`orderID=${two.orderId},${one.orderId}`)).toEqual([two.kit, ...one.kits.toReversed()])
    expect(await ids('externalID=ext-1')).toEqual(one.kits.toReversed())
    expect(await ids('externalID=ext-1&size=1&page=1')).toEqual([one.kits[0]])
    expect(await ids('kitStatus=inTransit')).toEqual([two.kit])
    expect(await ids('sampleStatus=received')).toEqual([])
    expect((await business.live.get('/kits?kitID=')).status).toBe(400)
  })

  test('of named orders or kits is all of them, and what was asked for in pages stays so', async () => {
    const business = await world.business({ credits: 100 })
    const { orderId, kits } = await order(business, 60)
    const all = await business.live.get(`/kits?orderID=${orderId}`)
    expect(all.body.map(({ kitID }: { kitID: string }) => kitID)).toEqual(kits.toReversed())
    expect([all.headers.get('x-total-count'), all.headers.get('link')]).toEqual(['60', null])
    expect((await business.live.get(`/kits?kitID=${kits.slice(0, 50)}`)).body).toHaveLength(50)
    expect((await business.live.get('/kits')).body).toHaveLength(50)
    const page = await business.live.get(`/kits?orderID=${orderId}&page=1`)
    expect(page.body).toHaveLength(10)
    expect((await business.live.get(`/kits?orderID=${orderId}&size=20`)).body).toHaveLength(20)
  })

  test('since a time holds what changed then, and its orders too', async () => {
    const business = await world.business()
    const [one, two] = [await order(business), await order(business)]
    // Counts from the database's clock, to leave out earlier transactions.
    // The driver cuts microseconds off.
    const { rows } = await owner.query('select clock_timestamp() as now from pg_sleep(0.002)')
    const since = new Date(rows[0].now.getTime() + aheadMs).toISOString()
    const kits = async (time: string) =>
      (await business.live.get(`/kits?updatedSince=${time}`)).body.map(({ kitID }: { kitID: string }) => kitID)
    const orders = async (time: string) =>
      (await business.live.get(`/orders?updatedSince=${time}`)).body.data.map(
        ({ orderID }: { orderID: string }) => orderID,
      )
    expect([await kits(since), await orders(since)]).toEqual([[], []])
    await inside((tx) => moveKit(tx, one.kit, 'kitInTransit'), business)
    const three = await order(business)
    expect(await kits(since)).toEqual([three.kit, one.kit])
    expect(await orders(since)).toEqual([three.orderId, one.orderId])
    await business.live.post(`/orders/${two.orderId}/cancel`)
    expect(await orders(since)).toEqual([three.orderId, two.orderId, one.orderId])
    expect(await kits('2026-01-01')).toHaveLength(3)
    expect((await business.live.get('/kits?updatedSince=yesterday')).status).toBe(400)
  })

  test('refuses more than 50 IDs, more than 250 in a page, and a status that there is not', async () => {
    const fifty = Array.from({ length: 50 }, (_, n) => `K0000000${10 + n}`)
    expect((await clinic.live.get(`/kits?kitID=${fifty}`)).status).toBe(200)
    const wrong = [`kitID=${[...fifty, 'K1']}`, `orderID=${[...fifty, 'O1']}`, 'size=251', 'kitStatus=lost', 'page=-1']
    wrong.push(`kitID=${Array(51).fill('K1')}`, `orderID=${Array(51).fill('O1')}`)
    for (const query of wrong) expect((await clinic.live.get(`/kits?${query}`)).status, query).toBe(400)
  })
})

describe('validating a kit ID', () => {
  test('says whether the business has this kit, and where it is', async () => {
    const { kit } = await order()
    const answer = await clinic.live.get(`/kits/${kit.toLowerCase()}/validate`)
    expect(answer.body).toEqual({
      exists: true,
      kitID: kit,
      kitStatus: 'preparing',
      sampleStatus: 'awaitingCollection',
    })
    const stranger = await world.business()
    expect((await stranger.live.get(`/kits/${kit}/validate`)).body).toEqual({ exists: false, kitID: kit })
    expect((await clinic.sandbox.get(`/kits/${kit}/validate`)).body).toEqual({ exists: false, kitID: kit })
  })

  test.each(['K000000000', 'nonsense', '%00', '%20x%20', 'x'.repeat(200), '%F0%9F%A7%AA', "'%3B--"])(
    'answers 200 to %s',
    async (id) => {
      const answer = await clinic.live.get(`/kits/${id}/validate`)
      expect(answer.status).toBe(200)
      expect(answer.body.exists).toBe(false)
      expect(answer.body.kitID.length).toBeLessThanOrEqual(64)
    },
  )
})

test('many kits are made in the order asked for, with numbers that have no gaps', async () => {
  const business = await world.business()
  const { orderId } = await order(business)
  const made = await inside((tx) => createKits(tx, Array(500).fill({ orderId, kitType })), business)
  expect(new Set(made.map(({ id }) => id)).size).toBe(500)
  const newest = await business.live.get('/kits?size=250')
  expect(newest.headers.get('x-total-count')).toBe('501')
  expect(newest.body.map((kit: { kitID: string }) => kit.kitID)).toEqual(
    made
      .slice(-250)
      .map(({ id }) => id)
      .toReversed(),
  )
})
