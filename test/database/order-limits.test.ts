import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { allOperatorScopes } from '../../src/domain/scopes.ts'
import { createPanel, provision } from '../../src/modules/catalogue/service.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { anOrder, aRow, CORE, recipient } from '../harness/orders.ts'
import { aPlan } from '../harness/plans.ts'
import { recipients } from '../harness/recipients.ts'
import { visitor } from '../harness/visitor.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

const LOCAL = 'LOCAL'
let world: World
let operator: Operator
let clinic: TestBusiness
let at: ReturnType<typeof recipients>
beforeAll(async () => {
  world = await sharedWorld()
  at = recipients(world)
  operator = await operatorWith(world, allOperatorScopes)
  clinic = await world.business({ credits: 500 })
  await world.service.database.asSystem({ name: 'cli' }, async (tx) => {
    await createPanel(tx, { kitType: LOCAL, name: 'Local', biomarkers: ['ldl'] })
    await provision(tx, clinic.id, [LOCAL], { minor: 9900 })
  })
  await world.grant(clinic, LOCAL, 500)
})
afterAll(() => world.stop())

const limited = (limits: Record<string, unknown>) => operator('PATCH', `/panels/${LOCAL}`, limits)
beforeEach(async () => {
  const { status, text } = await limited({ offeredIn: ['US', 'CA-ON'], notOfferedIn: ['us-ny'], maxPerOrder: 2 })
  expect(status, text).toBe(200)
})

const newYork = { street1: '1 Broadway', city: 'New York', state: 'NY', zip: '10004', country: 'US' }
const boston = { street1: '1 Main Street', city: 'Boston', state: 'MA', zip: '02108', country: 'US' }
const to = (address: Record<string, string>, quantity = 1) =>
  anOrder({ recipient: { ...recipient, address }, kit_types: [{ kitType: LOCAL, quantity }] })
const orders = async () => (await clinic.live.get('/orders')).body.pagination.total as number

describe('a panel with limits', () => {
  it('shows where it is offered, and how many one order may have', async () => {
    const found = (await clinic.live.get('/panels')).body.find((one: { kitType: string }) => one.kitType === LOCAL)
    expect(found).toMatchObject({ offeredIn: ['US', 'CA-ON'], notOfferedIn: ['US-NY'], maxPerOrder: 2 })
    const unset = await limited({ offeredIn: null, notOfferedIn: null, maxPerOrder: null })
    expect(Object.keys(unset.body)).not.toContain('offeredIn')
    expect((await clinic.live.post('/create-order', to(newYork, 3))).status).toBe(201)
  })

  it('takes only codes of countries and of states that addresses are checked for', async () => {
    for (const code of ['USA', 'US-ZZ', 'New York', 'DE-BY']) {
      const { status, body } = await limited({ offeredIn: [code] })
      expect([status, body.details[0].path]).toEqual([400, 'offeredIn.0'])
    }
  })

  it('is not ordered to a state or country where it is not offered, nor more of it, and the field is named', async () => {
    const before = await orders()
    const cases = [
      [to(newYork), 'recipient.address.state', `${LOCAL} is not offered in this state`],
      [to({ ...boston, country: 'GB', zip: 'SW1A 1AA', state: '' }), 'recipient.address.country', 'in this country'],
      [to({ ...boston, country: 'CA', zip: 'H2Y 1C6', state: 'Quebec' }), 'recipient.address.state', 'in this state'],
      [to(boston, 3), 'kit_types', `At most 2 of ${LOCAL} can be ordered at once`],
      [
        anOrder({ kit_types: [{ kitType: LOCAL, quantity: 2 }, { kitType: LOCAL }, { kitType: CORE }] }),
        'kit_types',
        'At most 2',
      ],
    ] as const
    for (const [body, path, message] of cases) {
      const refused = await clinic.live.post('/create-order', body)
      expect([refused.status, refused.body.code]).toEqual([400, 'ORDER_NOT_ALLOWED'])
      expect(refused.body.details).toEqual([
        { path, message: expect.stringContaining(message), code: 'ORDER_NOT_ALLOWED' },
      ])
    }
    expect(await orders()).toBe(before)
    expect((await clinic.live.post('/create-order', to(boston, 2))).status).toBe(201)
    expect(
      (await clinic.live.post('/create-order', to({ ...boston, country: 'CA', zip: 'M5V 2T6', state: 'ON' }))).status,
    ).toBe(201)
  })

  it('is refused in the old form of an order, in a quote and in the sandbox alike', async () => {
    const { kit_type: _, ...flat } = aRow({ ...newYork })
    const old = await clinic.live.post('/legacy/create-order', { ...flat, kitType: LOCAL })
    expect(old.body).toMatchObject({ code: 'ORDER_NOT_ALLOWED', details: [{ path: 'state' }] })
    const quoted = await clinic.live.post('/quotes', to(newYork))
    expect(quoted.body).toMatchObject({ valid: false, outcome: 'refused', rows: [{ valid: false }] })
    expect(quoted.body.rows[0].errors).toEqual([expect.objectContaining({ path: 'recipient.address.state' })])
    expect((await clinic.sandbox.post('/create-order', to(newYork))).body.code).toBe('ORDER_NOT_ALLOWED')
  })

  it('is refused in a row by its number, and nothing of the rows is placed', async () => {
    const before = await orders()
    const row = (address: Record<string, string>) => aRow({ ...address, kit_type: LOCAL })
    const few = await clinic.live.post('/create-order', { bulkUploadData: [row(boston), row(newYork)] })
    expect(few.body.details).toEqual([expect.objectContaining({ path: 'bulkUploadData.1.state' })])
    const many = await clinic.live.post('/create-order', {
      bulkUploadData: [...Array.from({ length: 24 }, () => row(boston)), row(newYork)],
    })
    expect(many.body.details).toEqual([expect.objectContaining({ path: 'bulkUploadData.24.state' })])
    expect(await orders()).toBe(before)
  })

  it('is not reached by a plan, nor by a change of the address of a plan or an order', async () => {
    const plan = aPlan('2027-06-01', { kit_types: [{ kitType: LOCAL }] })
    const refused = await clinic.live.post('/plans', { ...plan, recipient: { ...recipient, address: newYork } })
    expect(refused.body.code).toBe('ORDER_NOT_ALLOWED')
    const { planID } = (await clinic.live.post('/plans', { ...plan, recipient: { ...recipient, address: boston } }))
      .body
    const moved = await clinic.live.request('PATCH', `/plans/${planID}`, { address: newYork })
    expect(moved.body).toMatchObject({ code: 'ORDER_NOT_ALLOWED', details: [{ path: 'address.state' }] })

    const { orderId } = (await clinic.live.post('/create-order', to(boston))).body
    const change = { recipientAddress: newYork }
    const corrected = await clinic.live.request('PATCH', `/orders/${orderId}`, change)
    expect(corrected.body).toMatchObject({ code: 'ORDER_NOT_ALLOWED', details: [{ path: 'recipientAddress.state' }] })
    const ofOperator = await operator('PATCH', `/orders/${orderId}`, { ...change, reason: 'They telephoned' })
    expect(ofOperator.body.code).toBe('ORDER_NOT_ALLOWED')
    expect((await clinic.live.get(`/orders/${orderId}`)).body.recipientAddress).toMatchObject(boston)
  })

  it('does not go out again to where it is not offered, whoever asks, and its recipient is told so', async () => {
    const { orderId } = (await clinic.live.post('/create-order', to(boston))).body
    const kitID: string = (await clinic.live.get(`/orders/${orderId}`)).body.kits[0].kitID
    await operator('POST', '/fulfilment/shipments', {
      kitID,
      carrier: 'UPS',
      outboundTrackingNumber: `1ZLIM${orderId}`,
    })
    await operator('POST', '/undelivered', { kitIDs: [kitID], outcome: 'returnedToSender' })
    for (const choice of ['sendAgain', 'replace']) {
      const refused = await clinic.live.post(`/kits/${kitID}/undelivered`, { choice, recipientAddress: newYork })
      expect([refused.status, refused.body.code]).toEqual([400, 'ORDER_NOT_ALLOWED'])
    }
    const { url } = (await clinic.live.post(`/kits/${kitID}/undelivered/link`, { email: false })).body
    const path = new URL(url).pathname
    const reader = visitor(world.service.url)
    const page = await reader.submit(await reader.open(path), newYork)
    expect([page.status, page.text]).toEqual([409, expect.stringContaining('We cannot send this test to that address')])
    expect((await clinic.live.get(`/kits/${kitID}/undelivered`)).body.state).toBe('undecided')
  })

  it('is refused where state and ZIP code contradict each other, if a limit is of states or a provider needs a licence there', async () => {
    const order = () => clinic.live.post('/create-order', to({ ...newYork, state: 'NJ' }))
    const details = [
      expect.objectContaining({
        path: 'recipient.address.zip',
        message: expect.stringContaining('of another state or province'),
      }),
    ]
    for (const limits of [{}, { notOfferedIn: null, offeredIn: ['US'], providerNeeded: true }]) {
      await limited(limits)
      const { status, body } = await order()
      expect([status, body.details]).toEqual([400, details])
    }
    await limited({ providerNeeded: false })
    expect((await order()).status).toBe(201)
  })

  it.each([
    { code: 'CA-QC', country: 'CA', there: ['QC', 'H2X 1Y4'], elsewhere: ['ON', 'M5V 1A1'] },
    { code: 'AU-NSW', country: 'AU', there: ['NSW', '2000'], elsewhere: ['VIC', '3000'] },
  ])('of $code is neither ordered nor registered where the postal code is of another province', async (one) => {
    await limited({ offeredIn: [one.code], notOfferedIn: null })
    const at = (state?: string, zip?: string) => ({
      street1: '1 Main Street',
      city: 'Town',
      state,
      zip,
      country: one.country,
    })
    const [[state, zip], [otherState, otherZip]] = [one.there, one.elsewhere]
    for (const address of [at(state, otherZip), at(otherState, zip)]) {
      const { status, body } = await clinic.live.post('/create-order', to(address as Record<string, string>))
      expect([status, body.code]).toEqual([400, 'ORDER_NOT_ALLOWED'])
    }
    const { body, text } = await clinic.live.post('/create-order', to(at(state, zip) as Record<string, string>))
    expect(body.orderId, text).toBeDefined()
    const kitID: string = (await clinic.live.get(`/orders/${body.orderId}`)).body.kits[0].kitID
    const ada = { firstName: 'Ada', lastName: 'Example', email: `${kitID}@example.test`, dateOfBirth: '1980-01-01' }
    const register = (home: object) => clinic.live.post(`/kits/${kitID}/register`, { ...ada, sex: 'F', ...home })
    expect((await register({ zip: otherZip, country: one.country })).status).toBe(409)
    expect((await register({ zip, country: one.country })).status).toBe(200)
  })

  it('is not reached by a ZIP code of where it is not offered, when an order moves or a box goes out again', async () => {
    const nearby = { ...newYork, state: 'NJ' }
    const { orderId } = (await clinic.live.post('/create-order', to(boston))).body
    const moved = await clinic.live.request('PATCH', `/orders/${orderId}`, { recipientAddress: nearby })
    expect(moved.body).toMatchObject({ code: 'ORDER_NOT_ALLOWED', details: [{ path: 'recipientAddress.zip' }] })
    const kitID: string = (await clinic.live.get(`/orders/${orderId}`)).body.kits[0].kitID
    const outboundTrackingNumber = `1ZZIP${orderId}`
    await operator('POST', '/fulfilment/shipments', { kitID, carrier: 'UPS', outboundTrackingNumber })
    await operator('POST', '/undelivered', { kitIDs: [kitID], outcome: 'returnedToSender' })
    const again = { choice: 'sendAgain', recipientAddress: nearby }
    expect((await clinic.live.post(`/kits/${kitID}/undelivered`, again)).body.code).toBe('ORDER_NOT_ALLOWED')
  })

  it('is not for somebody who lives where it is not offered, at registration and until the sample arrives', async () => {
    const { orderId } = (await clinic.live.post('/create-order', to(boston))).body
    const kitID: string = (await clinic.live.get(`/orders/${orderId}`)).body.kits[0].kitID
    const ada = { firstName: 'Ada', lastName: 'Example', email: `${orderId}@example.test`, dateOfBirth: '1980-01-01' }
    const register = (home: object) => clinic.live.post(`/kits/${kitID}/register`, { ...ada, sex: 'F', ...home })
    const { street1: addressLine1, ...there } = newYork
    for (const home of [{ addressLine1, ...there }, { zip: '10004' }, { country: 'GB' }]) {
      const { status, body } = await register(home)
      expect([status, body.error]).toEqual([409, expect.stringContaining('not offered where this person lives')])
    }
    const registered = await register({ state: 'MA' })
    expect(registered.status, registered.text).toBe(200)
    const correct = (address: object) =>
      clinic.live.request('PATCH', `/customers/${registered.body.customerId}`, { address })
    expect((await correct(newYork)).status).toBe(409)
    const ofOperator = (address: object) =>
      operator('PATCH', `/businesses/${clinic.id}/customers/${registered.body.customerId}`, {
        address,
        reason: 'Moved',
      })
    expect((await ofOperator(newYork)).status).toBe(409)
    expect((await correct({ ...boston, state: 'VT', zip: '05401' })).status).toBe(200)
  })

  it('is not for somebody who was known to live where it is not offered, and holds a report once that is known', async () => {
    const placed = async (body: object): Promise<string> => {
      const { orderId } = (await clinic.live.post('/create-order', body)).body
      return (await clinic.live.get(`/orders/${orderId}`)).body.kits[0].kitID
    }
    const kitID = await placed(to(boston))
    const ada = {
      firstName: 'Ada',
      lastName: 'Example',
      email: `${kitID}@example.test`,
      dateOfBirth: '1980-01-01',
      sex: 'F',
    }
    const { body: made } = await clinic.live.post('/customer', { email: ada.email, name: 'Ada Example' })
    const correct = (address: object) => clinic.live.request('PATCH', `/customers/${made.id}`, { address })
    expect((await correct(newYork)).status).toBe(200)
    const refused = await clinic.live.post(`/kits/${kitID}/register`, ada)
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('not offered where')])
    // Another person, of whom nothing is known yet.
    const email = `new.${ada.email}`
    const { body } = await clinic.live.post(`/kits/${kitID}/register`, { ...ada, email })
    const { street1: addressLine1, ...there } = newYork
    const other = await placed(anOrder({ kit_types: [{ kitType: CORE }] }))
    const moved = await clinic.live.post(`/kits/${other}/register`, { ...ada, email, addressLine1, ...there })
    expect(moved.body.customerId, moved.text).toBe(body.customerId)
    expect((await operator('GET', `/fulfilment/kits/${kitID}`)).body.caution).toMatch(/where they live/)
    const reportId = await at.report(clinic, kitID, { ldl: 90 })
    expect((await operator('GET', `/reports/${reportId}`)).body.checks).toContainEqual(
      expect.objectContaining({ code: 'notForPerson', holds: true, message: expect.stringContaining('not offered') }),
    )
  })

  it('is not paid once a rule forbids it, and a kit that was ordered before is a caution before it is packed', async () => {
    const { kitTypes } = { kitTypes: [{ kitType: LOCAL, quantity: 1 }] }
    const late = { recipient: { ...recipient, address: boston }, kit_types: kitTypes, paymentMethod: 'later' }
    const pending = await clinic.live.post('/create-order', anOrder(late))
    expect([pending.status, pending.body.pending], pending.text).toEqual([201, true])
    const { orderId } = (await clinic.live.post('/create-order', to(boston))).body
    const kitID: string = (await clinic.live.get(`/orders/${orderId}`)).body.kits[0].kitID
    await limited({ notOfferedIn: ['US-MA'] })
    const pay = () => clinic.live.post(`/orders/${pending.body.orderId}/pay`, { paymentMethod: 'credits' })
    const refused = await pay()
    expect([refused.status, refused.body.code], refused.text).toEqual([400, 'ORDER_NOT_ALLOWED'])
    expect((await operator('GET', `/fulfilment/kits/${kitID}`)).body.caution).toMatch(/no longer offered/)
    await limited({ notOfferedIn: null })
    expect((await pay()).status).toBe(200)
  })

  it('is not sent again as a replacement to where it is offered no more, whoever asks', async () => {
    const { orderId } = (await clinic.live.post('/create-order', to(boston, 2))).body
    const [lost, back] = (await clinic.live.get(`/orders/${orderId}`)).body.kits.map(
      (kit: { kitID: string }) => kit.kitID,
    )
    for (const kitID of [lost, back])
      await operator('POST', '/fulfilment/shipments', {
        kitID,
        carrier: 'UPS',
        outboundTrackingNumber: `1ZREP${kitID}`,
      })
    await operator('POST', '/undelivered', { kitIDs: [lost], outcome: 'lost' })
    await operator('POST', '/undelivered', { kitIDs: [back], outcome: 'returnedToSender' })
    await limited({ notOfferedIn: ['US-MA'] })
    const replaced = () => clinic.live.post(`/kits/${lost}/replacement`, { reason: 'Lost' })
    const refused = [
      await replaced(),
      await clinic.live.post(`/kits/${lost}/undelivered`, { choice: 'replace' }),
      await clinic.live.post(`/kits/${back}/undelivered`, { choice: 'sendAgain' }),
      await operator('POST', `/kits/${back}/undelivered`, { choice: 'sendAgain', reason: 'They telephoned' }),
    ]
    for (const { status, body } of refused) {
      expect([status, body.code, body.error]).toEqual([
        400,
        'ORDER_NOT_ALLOWED',
        `${LOCAL} is not offered in this state`,
      ])
    }
    expect((await clinic.live.get(`/orders/${orderId}`)).body.kits).toHaveLength(2)
    await limited({ notOfferedIn: null })
    expect((await replaced()).status).toBe(201)
  })

  it('is for people of one sex where the operator says so, until they say otherwise', async () => {
    expect((await limited({ sex: 'F' })).body.sex).toBe('F')
    const { orderId } = (await clinic.live.post('/create-order', to(boston))).body
    const kitID: string = (await clinic.live.get(`/orders/${orderId}`)).body.kits[0].kitID
    const person = {
      firstName: 'Max',
      lastName: 'Example',
      email: `${orderId}@example.test`,
      dateOfBirth: '1980-01-01',
    }
    const register = () => clinic.live.post(`/kits/${kitID}/register`, { ...person, sex: 'M' })
    const refused = await register()
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      422,
      'SEX_NOT_ALLOWED',
      [{ message: 'This test is for people of female sex.', path: 'sex' }],
    ])
    expect(Object.keys((await limited({ sex: null })).body)).not.toContain('sex')
    expect((await register()).status).toBe(200)
  })

  it('is not ordered again by its person to where it is not offered, nor by one for whom it is no more', async () => {
    await limited({ notOfferedIn: null })
    await clinic.live.request('PATCH', '/settings', { retestPanels: [LOCAL] })
    const { orderId } = (await clinic.live.post('/create-order', to(boston))).body
    const kitID: string = (await clinic.live.get(`/orders/${orderId}`)).body.kits[0].kitID
    const home = { addressLine1: '1 Main Street', city: 'Boston', state: 'MA', zip: '02108', country: 'US' }
    const { email } = await at.register(kitID, home)
    const reportId = await at.report(clinic, kitID, { ldl: 90 })
    await clinic.live.post(`/reports/${reportId}/publish`, {})
    const { who } = await at.enter((await at.linksTo(email))[0] ?? '')
    const path = `/r/reports/${reportId}/retest`
    await limited({ notOfferedIn: ['US-NY'] })
    const before = await orders()
    const wrong = await who.submit(await who.open(path), newYork)
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('This test is not offered there')])
    await limited({ maxAge: 18 })
    expect((await who.open(path)).status).toBe(404)
    expect(await orders()).toBe(before)
    await limited({ maxAge: null })
    expect((await who.submit(await who.open(path), boston)).text).toContain('Your kit is ordered')
  })
})
