import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { allOperatorScopes } from '../../src/domain/scopes.ts'
import { DEMO_COMPANIES } from '../../src/modules/businesses/queries.ts'
import { createPanel, provision } from '../../src/modules/catalogue/service.ts'
import { type StandInLaboratory, standInLaboratory } from '../harness/laboratory.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { anOrder, CARDIO, CORE, recipient } from '../harness/orders.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let operator: Operator
let clinic: TestBusiness
let laboratory: StandInLaboratory
let folder: string
let aheadMs = 0
beforeAll(async () => {
  laboratory = await standInLaboratory()
  folder = await mkdtemp(join(tmpdir(), 'kitlane-orders-'))
  await opened('registration')
})

async function opened(at: 'registration' | 'never'): Promise<void> {
  const labOrders = { at, hosts: laboratory.hosts, folder } as const
  const clock = { now: () => new Date(Date.now() + aheadMs) }
  world = await ownWorld('sets the clock, and has laboratories of its own', { labOrders }, { clock })
  operator = await operatorWith(world, allOperatorScopes)
  clinic = await world.business({ credits: 1000 })
}

afterAll(async () => {
  await world.stop()
  await laboratory.stop()
  await rm(folder, { recursive: true })
})

const test = (changes: Record<string, unknown> = {}) => ({
  kitType: CORE,
  code: '24331-1',
  name: 'Lipid panel',
  codingSystem: 'LN',
  specimen: 'BLDC',
  ...changes,
})

async function connected(changes: Record<string, unknown> = {}, name = 'North Laboratory'): Promise<string> {
  const { body } = await operator('POST', '/laboratories', { name, address: '1 Road' })
  const saved = await operator('POST', `/laboratories/${body.id}/connection`, connection(changes))
  expect(saved.status, world.logged.slice(-4).join('')).toBe(200)
  return body.id
}

const connection = (changes: Record<string, unknown> = {}) => ({
  transport: { kind: 'mllp', url: laboratory.mllp },
  tests: [test()],
  ...changes,
})

/** The laboratories of the test before get no new orders. */
beforeEach(async () => {
  laboratory.treats(() => ({ is: 'accepted' }))
  await disconnected()
})

async function disconnected(): Promise<void> {
  for (const { laboratoryID, isActive, tests } of (await operator('GET', '/lab-connections')).body)
    if (isActive)
      await operator('POST', `/laboratories/${laboratoryID}/connection`, connection({ isActive: false, tests }))
}

let serial = 0
const somebody = (changes: Record<string, unknown> = {}) => ({
  firstName: 'Zoë',
  lastName: 'O’Neil & Sons',
  email: `ordered${Date.now()}.${++serial}@people.test`,
  dateOfBirth: '1980-02-03',
  sex: 'F',
  ...changes,
})

async function shipped(of = clinic): Promise<string> {
  const placed = await of.live.post('/create-order', anOrder())
  const kitID: string = (await of.live.get(`/orders/${placed.body.orderId}`)).body.kits[0].kitID
  const outboundTrackingNumber = `1ZLABO${Date.now()}${String(++serial).padStart(6, '0')}`
  await operator('POST', '/fulfilment/shipments', { kitID, carrier: 'UPS', outboundTrackingNumber })
  return kitID
}

async function registered(changes: Record<string, unknown> = {}, of = clinic): Promise<string> {
  const kitID = await shipped(of)
  const answer = await of.live.post(`/kits/${kitID}/register`, somebody(changes))
  expect(answer.status, answer.text).toBe(200)
  return kitID
}

const agreed = async (kitID: string, { firstName, lastName, email }: ReturnType<typeof somebody>) => {
  const answer = await clinic.live.post(`/kits/${kitID}/consent`, {
    firstName,
    lastName,
    email,
    consentToTesting: true,
  })
  expect(answer.status, answer.text).toBeLessThan(300)
}

const answered = (controlID: string, accepted: boolean, reason?: string) =>
  operator('POST', '/lab-orders/answers', { controlID, accepted, reason })

const versionOf = async (orderID: string): Promise<string> =>
  (await operator('GET', `/approvals/${orderID}`)).body.version

const customerOf = async (kitID: string): Promise<number> =>
  (await clinic.live.get(`/kits/${kitID}`)).body.kit.customerID

const seen = async (kitID: string) => (await operator('GET', `/lab-orders/${kitID}`)).body
const becomes = (kitID: string, state: string, attention?: string) =>
  expect.poll(() => seen(kitID), { interval: 50 }).toMatchObject({ state, ...(attention && { attention }) })
const heardOf = (kitID: string) => laboratory.heard.filter(({ placer }) => placer.startsWith(kitID))

/** Everything that is due by then is sent. */
async function later(ms: number): Promise<void> {
  aheadMs += ms
  await world.service.database.asSystem({ name: 'test' }, (tx) => tx.enqueue('lab-orders.due', {}))
}

describe('an order to a laboratory', () => {
  it('waits for a person where what is known of their address is of another state than its provider approved, and is on no paper', async () => {
    const GUARDED = 'STATEBOUND'
    await world.service.database.asSystem({ name: 'test' }, async (tx) => {
      await createPanel(tx, { kitType: GUARDED, name: 'Guarded', biomarkers: ['ldl'] })
      await provision(tx, clinic.id, [GUARDED], { minor: 9900 })
    })
    await world.grant(clinic, GUARDED, 10)
    await operator('PATCH', `/panels/${GUARDED}`, { providerNeeded: true })
    const provider = { name: 'Sam Roe', npi: '1245319599', licensedIn: ['US-NY'], email: 'sam@clinic.test' }
    await operator('POST', '/providers', provider)
    await connected({ tests: [test(), test({ kitType: GUARDED })] })
    const ada = somebody({ firstName: 'Ada', lastName: 'Example' })
    const address = { street1: '1 Broadway', city: 'New York', state: 'NY', zip: '10004', country: 'US' }
    const approved = async (): Promise<string> => {
      const order = anOrder({ recipient: { ...recipient, address }, kit_types: [{ kitType: GUARDED }] })
      const { orderId } = (await clinic.live.post('/create-order', order)).body
      const decided = await operator('POST', `/approvals/${orderId}`, {
        decision: 'approve',
        version: await versionOf(orderId),
        provider: provider.npi,
      })
      expect(decided.status, decided.text).toBe(200)
      const kits = async () => (await clinic.live.get(`/orders/${orderId}`)).body.kits
      await expect.poll(async () => (await kits()).length).toBe(1)
      return (await kits())[0].kitID
    }
    const paper = (kitID: string) =>
      operator('GET', `/lab-orders/${kitID}/requisition`, undefined, { accept: 'application/pdf' })
    const [first, second] = [await approved(), await approved()]
    expect((await clinic.live.post(`/kits/${first}/register`, ada)).status).toBe(200)
    await becomes(first, 'accepted')
    expect((await paper(first)).status).toBe(200)
    await disconnected()
    expect((await clinic.live.post(`/kits/${second}/register`, ada)).status).toBe(200)
    await becomes(second, 'unrouted', 'noLaboratory')
    // The same person moves with another kit.
    const home = { addressLine1: '1 Elm Street', city: 'Springfield', state: 'IL', zip: '62701', country: 'US' }
    expect((await clinic.live.post(`/kits/${await shipped()}/register`, { ...ada, ...home })).status).toBe(200)
    await connected({ tests: [test(), test({ kitType: GUARDED })] })
    expect((await paper(first)).body).toMatchObject({
      code: 'ILLEGAL_TRANSITION',
      error: expect.stringContaining('A provider approved this test for the state'),
    })
    await operator('POST', `/lab-orders/${second}/route`, {})
    await becomes(second, 'unrouted', 'notAllowedThere')
    expect(heardOf(second)).toEqual([])
    const corrected = await clinic.live.request('PATCH', `/customers/${await customerOf(second)}`, { address })
    expect(corrected.status, corrected.text).toBe(200)
    await becomes(second, 'accepted')
    expect((await paper(first)).status).toBe(200)
  })

  it.each([
    ['age', { dateOfBirth: '2015-04-05' }],
    ['sex', { gender: 'M' }],
  ])(
    'waits, and has no requisition, while its panel is not for its person by the %s that is recorded now',
    async (by, change) => {
      const ONLY = `ONLY${by.toUpperCase()}`
      await world.service.database.asSystem({ name: 'test' }, async (tx) => {
        await createPanel(tx, { kitType: ONLY, name: 'Only', biomarkers: ['ldl'] })
        await provision(tx, clinic.id, [ONLY], { minor: 9900 })
      })
      await world.grant(clinic, ONLY, 10)
      await operator('PATCH', `/panels/${ONLY}`, { sex: 'F', minAge: 18 })
      await connected({ tests: [] })
      const { orderId } = (await clinic.live.post('/create-order', anOrder({ kit_types: [{ kitType: ONLY }] }))).body
      const [{ kitID }] = (await clinic.live.get(`/orders/${orderId}`)).body.kits
      expect((await clinic.live.post(`/kits/${kitID}/register`, somebody())).status).toBe(200)
      await becomes(kitID, 'unrouted', 'notTestedHere')
      const corrected = await clinic.live.request('PATCH', `/customers/${await customerOf(kitID)}`, change)
      expect(corrected.status, corrected.text).toBe(200)
      await connected({ tests: [test({ kitType: ONLY })] })
      await operator('POST', `/lab-orders/${kitID}/route`, {})
      await becomes(kitID, 'unrouted', 'notAllowedThere')
      expect(heardOf(kitID)).toEqual([])
    },
  )

  it('is sent once a kit is registered, and accepted with the number of the laboratory, by which results find the kit', async () => {
    await connected({ sendingFacility: 'CLINICS', application: 'LIS' })
    const kitID = await registered()
    await becomes(kitID, 'accepted')
    const [{ text = '' } = {}] = heardOf(kitID)
    expect(text).toContain('MSH|^~\\&|KITLANE|CLINICS|LIS||')
    expect(text).toContain(`|OML^O21^OML_O21|${kitID}.1|P|2.5.1`)
    expect(text).toMatch(/\rPID\|1\|\|K\w+\^\^\^KITLANE\^PI\|\|O’Neil \\T\\ Sons\^Zoë\^\^\^\^\^L\|\|19800203\|F/)
    expect(text).toContain(`\rORC|NW|${kitID}|`)
    expect(text).toContain(`\rOBR|1|${kitID}||24331-1^Lipid panel^LN`)
    expect(text).toContain(`\rSPM|1|${kitID}||BLDC^^HL70487`)
    expect(await seen(kitID)).toMatchObject({
      placerNumber: kitID,
      fillerNumber: `F${kitID}`,
      laboratory: { name: 'North Laboratory' },
      messages: [{ controlID: `${kitID}.1`, action: 'new', tries: 1, outcome: 'accepted', code: 'AA OK' }],
    })
    const asBusiness = (await clinic.live.get(`/kits/${kitID}/lab-order`)).body
    expect(asBusiness).toMatchObject({ state: 'accepted', placerNumber: kitID })
    expect(asBusiness.messages).toBeUndefined()
    await world.settled()
    const { data } = (await clinic.live.get('/events?type=lab_order.updated')).body
    const news = data.filter((one: { data: { kitID: string } }) => one.data.kitID === kitID)
    expect(news.map((one: { data: { state: string } }) => one.data.state)).toEqual(['queued', 'accepted'])
    const result = `MSH|^~\\&|LIS|LAB|||20261129||ORU^R01|R${kitID}|P|2.5.1\rPID|1||||O'Neil & Sons^Zoe||19800203|F\rOBR|1||F${kitID}|24331-1^Lipid panel^LN\rOBX|1|NM|2093-3^Cholesterol^LN||180|mg/dL|0-200||||F\r`
    const sent = await operator('POST', '/lab/results', result, { 'content-type': 'application/hl7-v2' })
    expect(sent.body.reports, sent.text).toMatchObject([{ kitID, status: 'reported' }])
  })

  it('is sent again, byte by byte, until it is answered, and never placed a second time', async () => {
    await connected()
    laboratory.treats((_, times) => ({ is: times < 3 ? 'lost' : 'doubled' }))
    const kitID = await registered()
    await expect.poll(() => heardOf(kitID).length).toBe(1)
    await expect.poll(async () => (await seen(kitID)).messages?.[0]?.code).toBe('RESET')
    await later(11_000)
    await expect.poll(() => heardOf(kitID).length).toBe(2)
    await expect.poll(async () => (await seen(kitID)).messages?.[0]?.tries).toBe(2)
    await later(30_000)
    await becomes(kitID, 'accepted')
    const texts = heardOf(kitID).map(({ text }) => text)
    expect(texts).toHaveLength(3)
    expect(new Set(texts).size).toBe(1)
    expect(laboratory.orders.get(kitID)).toMatchObject({ placed: 1 })
  })

  it('that the laboratory refuses waits in the queue with its reason, and goes to the laboratory that a person chooses', async () => {
    await connected()
    laboratory.treats(() => ({ is: 'refused', reason: 'Unknown test code' }))
    const kitID = await registered()
    await becomes(kitID, 'refused', 'refused')
    const { data } = (await operator('GET', '/lab-orders?needsAttention=true')).body
    expect(data.find((one: { kitID: string }) => one.kitID === kitID)).toMatchObject({ reason: 'Unknown test code' })
    expect((await clinic.live.get(`/kits/${kitID}/lab-order`)).text).not.toContain('Unknown test code')
    laboratory.treats(() => ({ is: 'accepted' }))
    const other = await connected({ priority: 500 }, 'South Laboratory')
    const routed = await operator('POST', `/lab-orders/${kitID}/route`, { laboratoryID: other })
    expect(routed.status, routed.text).toBe(200)
    await becomes(kitID, 'accepted')
    expect(await seen(kitID)).toMatchObject({ placerNumber: `${kitID}-2`, laboratory: { name: 'South Laboratory' } })
    const again = await operator('POST', `/lab-orders/${kitID}/route`, {})
    expect(again).toMatchObject({ status: 409, body: { code: 'ILLEGAL_TRANSITION' } })
  })

  it('follows a correction of the date of birth with a change, and says nothing where nothing is new', async () => {
    await connected()
    const kitID = await registered()
    await becomes(kitID, 'accepted')
    const customerID = await customerOf(kitID)
    const changed = await clinic.live.request('PATCH', `/customers/${customerID}`, { dateOfBirth: '1980-02-13' })
    expect(changed.status, changed.text).toBe(200)
    await expect.poll(() => laboratory.orders.get(kitID)).toMatchObject({ placed: 1, changed: 1 })
    expect(heardOf(kitID).at(-1)?.text).toContain('|19800213|')
    await operator('POST', '/samples/receive', { kitID })
    await becomes(kitID, 'accepted')
    expect(heardOf(kitID)).toHaveLength(2)
  })

  it('follows a correction of the name, address and phone, and its results may have the corrected name or the one before', async () => {
    await connected()
    const [one, other, wrong] = [await registered(), await registered(), await registered()]
    for (const kitID of [one, other, wrong]) {
      await becomes(kitID, 'accepted')
      const address = { street1: '7 New Road', city: 'Reno', state: 'NV', zip: '89501', country: 'US' }
      const change = { name: 'Zoë Marie Quay', phone: '+12025550143', address, dateOfBirth: '1980-02-13' }
      const changed = await clinic.live.request('PATCH', `/customers/${await customerOf(kitID)}`, change)
      expect(changed.status, changed.text).toBe(200)
      await expect.poll(() => laboratory.orders.get(kitID)).toMatchObject({ changed: 1 })
      expect(heardOf(kitID).at(-1)?.text).toContain('|Quay^Zoë Marie^^^^^L|')
      expect(heardOf(kitID).at(-1)?.text).toMatch(/\|7 New Road\^\^Reno\^NV\^89501\^US\|.*12025550143/)
    }
    const result = (kitID: string, name: string, born: string) => {
      const text = `MSH|^~\\&|LIS|LAB|||20261129||ORU^R01|N${kitID}|P|2.5.1\rPID|1||||${name}||${born}|F\rOBR|1|${kitID}||24331-1^Lipid panel^LN\rOBX|1|NM|2093-3^Cholesterol^LN||180|mg/dL|0-200||||F\r`
      return operator('POST', '/lab/results', text, { 'content-type': 'application/hl7-v2' })
    }
    expect((await result(one, 'Quay^Zoe Marie', '19800213')).body.reports).toMatchObject([{ status: 'reported' }])
    expect((await result(other, "O'Neil & Sons^Zoe", '19800213')).body.reports).toMatchObject([{ status: 'reported' }])
    const born = await result(wrong, 'Quay^Zoe Marie', '19800203')
    expect(born.body.reports, 'a day that was wrong is nobody’s').toMatchObject([{ status: 'waiting' }])
    const stranger = await result(wrong, 'Somebody^Else', '19800213')
    expect(stranger.body.reports).toMatchObject([{ status: 'waiting' }])
  })

  it('follows the day of collection that a hold asked for', async () => {
    await connected()
    const kitID = await registered()
    await becomes(kitID, 'accepted')
    await operator('POST', '/samples/receive', { kitID })
    const held = await operator('POST', `/kits/${kitID}/hold`, { causes: ['collectionDateMissing'] })
    expect(held.status, held.text).toBe(200)
    const collectedDate = new Date(Date.now() + aheadMs).toISOString().slice(0, 10)
    const mended = await clinic.live.post(`/kits/${kitID}/hold/mend`, { collectedDate })
    expect(mended.status, mended.text).toBe(200)
    await expect.poll(() => laboratory.orders.get(kitID)).toMatchObject({ changed: 1 })
    expect(heardOf(kitID).at(-1)?.text).toMatch(new RegExp(`OBR\\|1\\|.*\\|${collectedDate.replaceAll('-', '')}\r`))
  })

  it('is placed for nobody while the registration is in doubt, as that of a twin under the same e-mail', async () => {
    await connected()
    const email = `twins${Date.now()}@people.test`
    const known = await registered({ email, firstName: 'Anna', lastName: 'Field' })
    const kitID = await registered({ email, firstName: 'Bella', lastName: 'Field' })
    await becomes(known, 'accepted')
    expect(heardOf(kitID)).toEqual([])
    expect((await clinic.live.post(`/kits/${kitID}/registration/clear`)).status).toBe(200)
    const own = somebody({ firstName: 'Bella', lastName: 'Field' })
    expect((await clinic.live.post(`/kits/${kitID}/register`, own)).body.customerId).toEqual(expect.any(Number))
    await becomes(kitID, 'accepted')
    expect(heardOf(kitID)[0]?.text).toContain('|Field^Bella^')
    await clinic.live.request('PATCH', `/customers/${await customerOf(known)}`, { name: 'Anne Field' })
    await expect.poll(() => heardOf(known).length).toBe(2)
    expect(heardOf(known)[1]?.text).toContain('|Field^Anne^')
    expect(heardOf(kitID), 'the name of the twin was not corrected').toHaveLength(1)
  })

  it('is canceled where the person takes the consent back, and placed under another number once they agree again', async () => {
    await connected()
    const person = somebody()
    const kitID = await shipped()
    await agreed(kitID, person)
    expect((await clinic.live.post(`/kits/${kitID}/register`, person)).status).toBe(200)
    await becomes(kitID, 'accepted')
    const taken = await clinic.live.post(`/kits/${kitID}/consent/withdrawal`, { what: 'testing' })
    expect(taken.status, taken.text).toBe(200)
    await becomes(kitID, 'canceled')
    expect(heardOf(kitID).map(({ control }) => control)).toEqual(['NW', 'CA'])
    expect(laboratory.orders.get(kitID)).toMatchObject({ placed: 1, isCanceled: true })
    await agreed(kitID, person)
    const received = await operator('POST', '/samples/receive', { kitID })
    expect(received.status, received.text).toBe(200)
    await becomes(kitID, 'accepted')
    expect(laboratory.orders.get(`${kitID}-2`)).toMatchObject({ placed: 1, isCanceled: false })
  })

  it('is canceled where the consent is taken back once the sample is there, unless it has results', async () => {
    await connected()
    const [kitID, tested] = [await registered(), await registered()]
    for (const one of [kitID, tested]) {
      await becomes(one, 'accepted')
      await operator('POST', '/samples/receive', { kitID: one })
    }
    const results = [{ name: 'LDL', value: 97, unit: 'mg/dL' }]
    const sent = await operator('POST', '/lab/results', { kitID: tested, results })
    expect(sent.body.reports, sent.text).toEqual([expect.objectContaining({ matched: 1 })])
    for (const one of [kitID, tested]) await clinic.live.post(`/kits/${one}/consent/withdrawal`, { what: 'testing' })
    await becomes(kitID, 'canceled')
    expect(heardOf(kitID).map(({ control }) => control)).toEqual(['NW', 'CA'])
    expect(heardOf(tested).map(({ control }) => control)).toEqual(['NW'])
  })

  it('that the laboratory cannot cancel any more stays, and waits for a person', async () => {
    await connected()
    const kitID = await registered()
    await becomes(kitID, 'accepted')
    laboratory.treats(() => ({ is: 'refused', reason: 'In process' }))
    await clinic.live.post(`/kits/${kitID}/consent/withdrawal`, { what: 'testing' })
    await becomes(kitID, 'accepted', 'cancelRefused')
    expect(await seen(kitID)).toMatchObject({ reason: 'In process' })
  })

  it('waits for a person where no laboratory tests the kit type, serves the place, or knows a required answer', async () => {
    await connected({ tests: [test({ kitType: CARDIO })] })
    const untested = await registered()
    await becomes(untested, 'unrouted', 'notTestedHere')
    const there = await connected({ states: ['CA'], countries: ['US'] }, 'Californian Laboratory')
    await becomes(untested, 'unrouted', 'notTestedThere')
    const question = { code: 'FAST', text: 'State of residence', answer: { fact: 'state' }, isRequired: true }
    await operator(
      'POST',
      `/laboratories/${there}/connection`,
      connection({ tests: [test({ questions: [question] })] }),
    )
    await becomes(untested, 'unrouted', 'answerMissing')
    expect(await seen(untested)).toMatchObject({ reason: 'State of residence' })
    const fixed = { ...question, answer: { value: 'unknown' } }
    await operator('POST', `/laboratories/${there}/connection`, connection({ tests: [test({ questions: [fixed] })] }))
    await becomes(untested, 'accepted')
    expect(heardOf(untested)[0]?.text).toContain('\rOBX|1|ST|FAST^State of residence^L||unknown||||||O')
  })

  it('that a person sends to a laboratory goes there, whatever the place and the number of the day', async () => {
    const there = await connected({ states: ['CA'], countries: ['US'], capacityPerDay: 0 }, 'Californian Laboratory')
    const never = await registered()
    await becomes(never, 'unrouted', 'notTestedThere')
    const refusing = await connected({ priority: 1 })
    laboratory.treats(() => ({ is: 'refused', reason: 'Unknown test code' }))
    const refused = await registered()
    await becomes(refused, 'refused')
    laboratory.treats(() => ({ is: 'accepted' }))
    await operator('POST', `/laboratories/${refusing}/connection`, connection({ isActive: false }))
    for (const kitID of [never, refused]) {
      const routed = await operator('POST', `/lab-orders/${kitID}/route`, { laboratoryID: there })
      expect(routed.status, routed.text).toBe(200)
      await becomes(kitID, 'accepted')
      expect(await seen(kitID)).toMatchObject({ laboratory: { id: there } })
    }
  })

  it('stays as it was, with the reason, where the laboratory that a person chooses cannot take it', async () => {
    await connected({ tests: [test({ kitType: CARDIO })] })
    const kitID = await registered()
    await becomes(kitID, 'unrouted', 'notTestedHere')
    const other = await connected({ tests: [test({ kitType: CARDIO })] }, 'Heart Laboratory')
    const asleep = await connected({ isActive: false }, 'Closed Laboratory')
    await becomes(kitID, 'unrouted', 'notTestedHere')
    const { state, attention, messages } = await seen(kitID)
    for (const [laboratoryID, message] of [
      [other, 'Heart Laboratory does not test this kit type: add the test to it, or choose another laboratory'],
      [asleep, 'Closed Laboratory gets no new orders: choose another laboratory'],
    ]) {
      const routed = await operator('POST', `/lab-orders/${kitID}/route`, { laboratoryID })
      expect(routed).toMatchObject({ status: 409, body: { code: 'ILLEGAL_TRANSITION', message, current: 'unrouted' } })
    }
    expect(await seen(kitID)).toMatchObject({ state, attention, messages })
    expect((await operator('POST', `/lab-orders/${kitID}/close`, { reason: 'Ended' })).status).toBe(200)
  })

  it('that no laboratory takes looks for one again once the address of its person is corrected, in the same country', async () => {
    const there = await connected({ states: ['CA'], countries: ['US'] }, 'Californian Laboratory')
    const kitID = await registered({ addressLine1: '1 Road', city: 'Reno', state: 'NV', zip: '89501', country: 'US' })
    await becomes(kitID, 'unrouted', 'notTestedThere')
    const address = { street1: '2 Road', city: 'Fresno', state: 'CA', zip: '93650' }
    const customerID = await customerOf(kitID)
    const changed = await clinic.live.request('PATCH', `/customers/${customerID}`, { address })
    expect(changed.status, changed.text).toBe(200)
    await becomes(kitID, 'accepted')
    expect(await seen(kitID)).toMatchObject({ laboratory: { id: there } })
    expect(heardOf(kitID)[0]?.text).toContain('2 Road^^Fresno^CA^93650^US')
  })

  it('goes to the next laboratory once the first has its day’s number, and waits for tomorrow where all are full', async () => {
    const first = await connected({ capacityPerDay: 1, priority: 1 })
    const second = await connected({ capacityPerDay: 1, priority: 2 }, 'South Laboratory')
    const kits = [await registered(), await registered(), await registered()]
    await becomes(kits[0] ?? '', 'accepted')
    await becomes(kits[1] ?? '', 'accepted')
    await becomes(kits[2] ?? '', 'unrouted', 'full')
    const used = await Promise.all(kits.map(async (kit) => (await seen(kit)).laboratory?.id))
    expect(used).toEqual([first, second, undefined])
    await later(86_400_000)
    await becomes(kits[2] ?? '', 'accepted')
  })

  it('that is only received first is accepted or refused by an answer that comes later, once', async () => {
    await connected()
    laboratory.treats(() => ({ is: 'received' }))
    const [one, other] = [await registered(), await registered()]
    await becomes(one, 'sent')
    await becomes(other, 'sent')
    const late = `MSH|^~\\&|LIS|LAB|||20261129||ORL^O22|L1|P|2.5.1\rMSA|AA|${one}.1\rORC|OK|${one}|F-77-${one}\r`
    for (let times = 0; times < 2; times++) {
      const answer = await operator('POST', '/lab-orders/answers', late, { 'content-type': 'application/hl7-v2' })
      expect(answer.body, answer.text).toMatchObject([{ state: 'accepted', fillerNumber: `F-77-${one}` }])
    }
    const byHand = { controlID: `${other}.1`, accepted: false, reason: 'No such test' }
    expect((await operator('POST', '/lab-orders/answers', byHand)).body).toMatchObject([{ state: 'refused' }])
    const unknown = await operator('POST', '/lab-orders/answers', { controlID: 'nobody.1', accepted: true })
    expect(unknown).toMatchObject({ status: 404, body: { code: 'MESSAGE_NOT_FOUND' } })
  })

  it('is answered by each acknowledgement of a body by itself, whatever another one of them says', async () => {
    await connected()
    laboratory.treats(() => ({ is: 'received' }))
    const [one, other] = [await registered(), await registered()]
    await becomes(one, 'sent')
    await becomes(other, 'sent')
    const late = (controlID: string, id: string) =>
      `MSH|^~\\&|LIS|LAB|||20261129||ORL^O22|${id}|P|2.5.1\rMSA|AA|${controlID}\rORC|OK|\r`
    const body = `BHS|^~\\&|LIS\r${late(`${one}.1`, 'L1')}${late('nobody.1', 'L2')}${late('', 'L3')}${late(`${other}.1`, 'L4')}BTS|4\r`
    const post = (text: string, accept: string) =>
      operator('POST', '/lab-orders/answers', text, { 'content-type': 'application/hl7-v2', accept })
    const answer = await post(body, 'application/json')
    expect(answer.body, answer.text).toMatchObject([
      { kitID: one, state: 'accepted' },
      { controlID: 'nobody.1', error: { status: 404, code: 'MESSAGE_NOT_FOUND' } },
      { error: { code: 'FILE_NOT_READABLE' } },
      { kitID: other, state: 'accepted' },
    ])
    const { text } = await post(body, 'application/hl7-v2')
    expect(text.match(/MSA\|\w+\|L\d/g)).toEqual(['MSA|AA|L1', 'MSA|AR|L2', 'MSA|AE|L3', 'MSA|AA|L4'])
    expect(await post(late('nobody.1', 'L5'), 'application/json')).toMatchObject({ status: 404 })
    const empty = await post('\r\n', 'application/json')
    expect(empty).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
    expect(empty.text).toContain('The body is empty')
  })

  it('that is only received first is accepted by the answer that comes after it on the same line, which is acknowledged', async () => {
    await connected()
    laboratory.treats(() => ({ is: 'then' }))
    const kitID = await registered()
    await becomes(kitID, 'accepted')
    expect(await seen(kitID)).toMatchObject({ fillerNumber: `F${kitID}`, messages: [{ code: 'AA OK', tries: 1 }] })
    await expect.poll(() => laboratory.acknowledged.join('')).toContain(`\rMSA|CA|A${kitID}.1\r`)
    expect(heardOf(kitID)).toHaveLength(1)
  })

  it('is found by a number of the laboratory of any length that HL7 allows', async () => {
    await connected()
    laboratory.treats(() => ({ is: 'received' }))
    const [one, other] = [await registered(), await registered()]
    const numberOf = (kitID: string) => `${'9'.repeat(180)}${kitID}`
    for (const kitID of [one, other]) {
      await becomes(kitID, 'sent')
      const late = `MSH|^~\\&|LIS|LAB|||20261129||ORL^O22|L1|P|2.5.1\rMSA|AA|${kitID}.1\rORC|OK|${kitID}|${numberOf(kitID)}\r`
      await operator('POST', '/lab-orders/answers', late, { 'content-type': 'application/hl7-v2' })
      expect(await seen(kitID)).toMatchObject({ state: 'accepted', fillerNumber: numberOf(kitID) })
    }
    const result = `MSH|^~\\&|LIS|LAB|||20261129||ORU^R01|L${other}|P|2.5.1\rPID|1||||O'Neil & Sons^Zoe||19800203|F\rOBR|1||${numberOf(other)}|24331-1^Lipid panel^LN\rOBX|1|NM|2093-3^Cholesterol^LN||180|mg/dL|0-200||||F\r`
    const sent = await operator('POST', '/lab/results', result, { 'content-type': 'application/hl7-v2' })
    expect(sent.body.reports, sent.text).toMatchObject([{ kitID: other, status: 'reported' }])
  })

  it('is not changed by answers that come late to what was said before it was canceled, or is wanted again', async () => {
    await connected()
    laboratory.treats(() => ({ is: 'received' }))
    const person = somebody()
    const kitID = await shipped()
    await agreed(kitID, person)
    expect((await clinic.live.post(`/kits/${kitID}/register`, person)).status).toBe(200)
    await becomes(kitID, 'sent')
    await clinic.live.post(`/kits/${kitID}/consent/withdrawal`, { what: 'testing' })
    await expect.poll(() => heardOf(kitID).length).toBe(2)
    await expect.poll(async () => (await seen(kitID)).messages?.[1]?.outcome).toBe('received')
    await agreed(kitID, person)
    await operator('POST', '/samples/receive', { kitID })
    await later(1_000)
    expect(await seen(kitID), 'not placed while it may still be canceled').toMatchObject({ pending: 'new' })
    expect(heardOf(kitID)).toHaveLength(2)
    laboratory.treats(() => ({ is: 'accepted' }))
    expect((await answered(`${kitID}.2`, true)).status).toBe(200)
    await becomes(kitID, 'accepted')
    expect((await answered(`${kitID}.1`, false)).body).toMatchObject([
      { placerNumber: `${kitID}-2`, fillerNumber: `F${kitID}-2`, state: 'accepted' },
    ])
    expect([...laboratory.orders.keys()].filter((placer) => placer.startsWith(kitID))).toHaveLength(2)
  })

  it('keeps what a person must look at, and what waits to be sent again, where the answer to the order itself comes later', async () => {
    await connected()
    laboratory.treats(({ control }) =>
      control === 'NW' ? { is: 'received' } : { is: 'refused', reason: 'In process' },
    )
    const kept = await registered()
    const refused = await registered()
    const canceled = await registered()
    const corrected = await registered()
    for (const kitID of [kept, refused, canceled, corrected]) await becomes(kitID, 'sent')
    for (const kitID of [kept, refused]) {
      await clinic.live.post(`/kits/${kitID}/consent/withdrawal`, { what: 'testing' })
      await becomes(kitID, 'sent', 'cancelRefused')
    }
    expect((await answered(`${kept}.1`, true)).body).toMatchObject([{ state: 'accepted', attention: 'cancelRefused' }])
    const [over] = (await answered(`${refused}.1`, false)).body
    expect(over, 'the laboratory never had it').toMatchObject({ state: 'canceled' })
    expect(over).not.toHaveProperty('attention')
    laboratory.treats(() => ({ is: 'accepted' }))
    await clinic.live.post(`/kits/${canceled}/consent/withdrawal`, { what: 'testing' })
    await becomes(canceled, 'canceled')
    expect((await answered(`${canceled}.1`, true)).body).toMatchObject([{ state: 'canceled' }])
    laboratory.treats(({ control }, times) => ({ is: control === 'XO' && times === 1 ? 'lost' : 'accepted' }))
    const path = `/customers/${await customerOf(corrected)}`
    await clinic.live.request('PATCH', path, { dateOfBirth: '1980-02-13' })
    await expect.poll(async () => (await seen(corrected)).messages?.[1]?.code).toMatch(/RESET/)
    expect((await answered(`${corrected}.1`, true)).body).toMatchObject([{ state: 'accepted' }])
    await later(11_000)
    await expect
      .poll(async () => (await seen(corrected)).messages)
      .toMatchObject([{}, { tries: 2, outcome: 'accepted' }])
  })

  it('keeps the reason of its refusal where the laboratory refuses a change of it, too', async () => {
    await connected()
    laboratory.treats(({ control }) => ({ is: control === 'NW' ? 'received' : 'lost' }))
    const kitID = await registered()
    await becomes(kitID, 'sent')
    await clinic.live.request('PATCH', `/customers/${await customerOf(kitID)}`, { dateOfBirth: '1980-02-13' })
    await expect.poll(async () => (await seen(kitID)).messages?.[1]?.code).toMatch(/RESET/)
    await answered(`${kitID}.1`, false, 'Unknown test code')
    laboratory.treats(() => ({ is: 'refused', reason: 'There is no such order' }))
    await later(11_000)
    await expect.poll(async () => (await seen(kitID)).messages?.[1]?.outcome).toBe('refused')
    expect(await seen(kitID)).toMatchObject({ state: 'refused', attention: 'refused', reason: 'Unknown test code' })
  })

  it('that the laboratory takes back after it was accepted is refused, and its number may come later', async () => {
    await connected()
    laboratory.treats(() => ({ is: 'bare' }))
    const kitID = await registered()
    await becomes(kitID, 'accepted')
    const hl7 = { 'content-type': 'application/hl7-v2' }
    const head = `MSH|^~\\&|LIS|LAB|||20261129||ORL^O22|L1|P|2.5.1\rMSA|AA|${kitID}.1\rORC`
    await operator('POST', '/lab-orders/answers', `${head}|OK|OTHER|F-1\r`, hl7)
    expect(await seen(kitID), 'of another order').not.toHaveProperty('fillerNumber')
    await operator('POST', '/lab-orders/answers', `${head}|OK|${kitID}|F-2-${kitID}\r`, hl7)
    expect(await seen(kitID)).toMatchObject({ fillerNumber: `F-2-${kitID}` })
    await operator('POST', '/lab-orders/answers', `${head}|OC|${kitID}\r`, hl7)
    await becomes(kitID, 'refused', 'refused')
  })

  it('is neither sent to a second laboratory, nor for a sample that is not to be tested', async () => {
    await connected()
    const [held, stopped] = [await registered(), await registered()]
    await becomes(held, 'accepted')
    await operator('POST', `/lab-orders/${held}/close`, { reason: 'By telephone' })
    expect((await operator('POST', `/lab-orders/${held}/route`, {})).status).toBe(409)
    await becomes(stopped, 'accepted')
    await clinic.live.post(`/kits/${stopped}/consent/withdrawal`, { what: 'testing' })
    await becomes(stopped, 'canceled')
    expect((await operator('POST', `/lab-orders/${stopped}/route`, {})).status).toBe(409)
  })

  it('is canceled with the erasure of its person, and nothing of them is sent again', async () => {
    await connected()
    laboratory.treats(({ control }) => ({ is: control === 'NW' ? 'busy' : 'accepted' }))
    const kitID = await registered({ lastName: 'Forgotten' })
    await expect.poll(async () => (await seen(kitID)).messages?.[0]?.code).toBe('AR 207')
    await clinic.live.request('DELETE', `/customers/${await customerOf(kitID)}`)
    await later(60_000)
    await becomes(kitID, 'canceled')
    const [first, ...rest] = heardOf(kitID)
    expect(first?.text).toContain('Forgotten')
    expect(rest.map(({ control }) => control)).toEqual(['CA'])
    expect(rest.map(({ text }) => text).join('')).not.toMatch(/Forgotten|19800203/)
  })

  it('over FHIR is accepted by a response to the transaction alone', async () => {
    await connected({ transport: { kind: 'https', url: laboratory.http }, format: 'fhir' })
    laboratory.treats(() => ({ is: 'page' }))
    const kitID = await registered()
    await expect.poll(async () => (await seen(kitID)).messages?.[0]?.code).toBe('HTTP 200')
    expect(await seen(kitID)).toMatchObject({ state: 'queued' })
    laboratory.treats(() => ({ is: 'accepted' }))
    await later(60_000)
    await becomes(kitID, 'accepted')
  })

  it('over FHIR waits for a person where the response has too few entries, none with its status, or a request that has ended', async () => {
    await connected({ transport: { kind: 'https', url: laboratory.http }, format: 'fhir' })
    const kits: string[] = []
    for (const is of ['partly', 'bare', 'revoked'] as const) {
      laboratory.treats(() => ({ is }))
      const kitID = await registered()
      kits.push(kitID)
      for (let tries = 1; tries <= 3; tries++) {
        await expect.poll(async () => (await seen(kitID)).messages?.[0]).toMatchObject({ tries, code: 'HTTP 200' })
        if (tries < 3) await later(60_000)
      }
      await becomes(kitID, 'queued', 'answerUnclear')
    }
    laboratory.treats(() => ({ is: 'accepted' }))
    await later(3_600_000)
    for (const kitID of kits) {
      await becomes(kitID, 'accepted')
      expect(await seen(kitID), 'each resource has the ID 1').not.toHaveProperty('attention')
    }
  })

  it('keeps what a laboratory answers that acknowledges nothing, and waits for a person while it is still sent', async () => {
    await connected()
    laboratory.treats(() => ({ is: 'page' }))
    const kitID = await registered()
    for (let tries = 1; tries <= 3; tries++) {
      await expect
        .poll(async () => (await seen(kitID)).messages?.[0])
        .toMatchObject({ tries, code: 'NO ACKNOWLEDGEMENT', answer: 'Sign in' })
      if (tries < 3) await later(60_000)
    }
    await becomes(kitID, 'queued', 'answerUnclear')
    laboratory.treats(() => ({ is: 'accepted' }))
    await later(60_000)
    await becomes(kitID, 'accepted')
    expect(await seen(kitID)).not.toHaveProperty('attention')
  })

  it('that nobody has answered for some minutes waits for a person, and so does its cancellation', async () => {
    await connected()
    laboratory.treats(() => ({ is: 'lost' }))
    const kitID = await registered()
    // The clock goes on until a person is asked: a try that was cut short is due again later.
    const tried = (action: string) => async () => {
      await later(320_000)
      const { messages, attention } = (await seen(kitID)) as {
        messages?: { action: string; tries: number }[]
        attention?: string
      }
      return attention === 'noAnswer' ? (messages?.find((one) => one.action === action)?.tries ?? 0) : 0
    }
    await expect.poll(async () => (await seen(kitID)).messages?.[0]?.code).toBe('RESET')
    expect(await seen(kitID)).not.toHaveProperty('attention')
    await expect.poll(tried('new'), { interval: 200 }).toBeGreaterThan(5)
    await becomes(kitID, 'queued', 'noAnswer')
    await clinic.live.post(`/kits/${kitID}/consent/withdrawal`, { what: 'testing' })
    await expect.poll(tried('cancel'), { interval: 200 }).toBeGreaterThan(5)
    await becomes(kitID, 'queued', 'noAnswer')
    laboratory.treats(() => ({ is: 'accepted' }))
    await later(3_600_000)
    await becomes(kitID, 'canceled')
    expect(await seen(kitID)).not.toHaveProperty('attention')
  })

  it('whose change or cancellation was only received for a day waits for a person', async () => {
    await connected()
    const [changed, canceled] = [await registered(), await registered()]
    for (const kitID of [changed, canceled]) await becomes(kitID, 'accepted')
    laboratory.treats(() => ({ is: 'received' }))
    await clinic.live.request('PATCH', `/customers/${await customerOf(changed)}`, { dateOfBirth: '1980-02-13' })
    await clinic.live.post(`/kits/${canceled}/consent/withdrawal`, { what: 'testing' })
    for (const kitID of [changed, canceled]) {
      await expect.poll(async () => (await seen(kitID)).messages?.at(-1)).toMatchObject({ outcome: 'received' })
      expect(await seen(kitID)).not.toHaveProperty('attention')
    }
    await later(86_500_000)
    for (const kitID of [changed, canceled]) await becomes(kitID, 'accepted', 'noAnswer')
    expect((await answered(`${canceled}.2`, true)).body).toMatchObject([{ state: 'canceled' }])
  })

  it('that a laboratory lets nobody deliver waits for a person at once, in each form', async () => {
    for (const format of ['hl7v2', 'fhir']) {
      const id = await connected({ transport: { kind: 'https', url: laboratory.http }, format })
      for (const status of [401, 403, 404]) {
        laboratory.treats(() => ({ is: 'shut', status }))
        const kitID = await registered()
        await becomes(kitID, 'queued', 'answerUnclear')
        expect(await seen(kitID)).toMatchObject({ reason: `HTTP ${status}` })
      }
      laboratory.treats(() => ({ is: 'shut', status: 400 }))
      const kitID = await registered()
      const attention = format === 'fhir' ? 'refused' : 'answerUnclear'
      await expect.poll(() => seen(kitID)).toMatchObject({ attention })
      await operator('POST', `/laboratories/${id}/connection`, connection({ isActive: false }))
    }
  })

  it('goes to a laboratory of the place where the kit was sent, if the person gave none', async () => {
    await connected({ states: ['CA'], countries: ['US'] })
    const there = await connected({ states: ['US-IL'], countries: ['US'] }, 'Laboratory of Illinois')
    const kitID = await registered()
    await becomes(kitID, 'accepted')
    expect(await seen(kitID)).toMatchObject({ laboratory: { id: there } })
    expect(heardOf(kitID)[0]?.text, 'it may be where somebody else lives').not.toContain('Springfield')
  })

  it('over FHIR is put under its own identifiers, with the header that the laboratory wants', async () => {
    const authorization = 'Bearer of-the-laboratory'
    await connected({ transport: { kind: 'https', url: laboratory.http }, format: 'fhir', authorization })
    const kitID = await registered()
    await becomes(kitID, 'accepted')
    expect(await seen(kitID)).toMatchObject({ fillerNumber: `f-${kitID}` })
    const bundle = JSON.parse(heardOf(kitID)[0]?.text ?? '')
    expect(bundle.entry.map(({ request }: { request: { url: string } }) => request.url)).toEqual([
      `Patient?identifier=urn%3Akitlane%3Akit%7C${kitID}`,
      `Specimen?identifier=urn%3Akitlane%3Akit%7C${kitID}`,
      `ServiceRequest?identifier=urn%3Akitlane%3Aorder%7C${kitID}`,
    ])
    expect(heardOf(kitID)[0]?.authorization).toBe(authorization)
    expect((await operator('GET', '/lab-connections')).text).not.toContain('of-the-laboratory')
    expect(world.logged.join('')).not.toMatch(/of-the-laboratory|Neil/)
  })

  it('names the provider who approved the order of the kit, over HL7 and FHIR and on paper', async ({
    onTestFinished,
  }) => {
    await operator('PATCH', `/panels/${CORE}`, { providerNeeded: true })
    onTestFinished(async () => void (await operator('PATCH', `/panels/${CORE}`, { providerNeeded: false })))
    const provider = { name: 'Jane van Doe, MD', npi: '1234567893', licensedIn: ['US-IL'], email: 'jane@doctors.test' }
    expect((await operator('POST', '/providers', provider)).status).toBe(201)
    const approved = async () => {
      const { orderId } = (await clinic.live.post('/create-order', anOrder())).body
      await operator('POST', `/approvals/${orderId}`, {
        decision: 'approve',
        version: await versionOf(orderId),
        provider: provider.npi,
      })
      const kits = async () => (await clinic.live.get(`/orders/${orderId}`)).body.kits
      await expect.poll(kits).toHaveLength(1)
      const [{ kitID }] = await kits()
      const outboundTrackingNumber = `1ZLABO${Date.now()}${String(++serial).padStart(6, '0')}`
      await operator('POST', '/fulfilment/shipments', { kitID, carrier: 'UPS', outboundTrackingNumber })
      const ada = somebody({ firstName: 'Ada', lastName: 'Example' })
      expect((await clinic.live.post(`/kits/${kitID}/register`, ada)).status).toBe(200)
      await becomes(kitID, 'accepted')
      return { kitID: kitID as string, text: heardOf(kitID)[0]?.text ?? '' }
    }
    const id = await connected()
    const { kitID, text } = await approved()
    const xcn = '1234567893^Doe^Jane van^^^^^^NPI&2.16.840.1.113883.4.6&ISO^L^^^NPI^^^^^^^^MD'
    const fieldOf = (name: string, at: number) =>
      text
        .split('\r')
        .find((segment) => segment.startsWith(name))
        ?.split('|')[at]
    expect([fieldOf('ORC', 12), fieldOf('OBR', 16)]).toEqual([xcn, xcn])
    const pdf = await operator('GET', `/lab-orders/${kitID}/requisition`, undefined, { accept: 'application/pdf' })
    expect(pdf.status).toBe(200)
    const transport = { kind: 'https', url: laboratory.http }
    await operator('POST', `/laboratories/${id}/connection`, connection({ transport, format: 'fhir' }))
    const bundle = JSON.parse((await approved()).text)
    expect(bundle.entry.at(-1).resource.requester).toEqual({
      type: 'Practitioner',
      identifier: { system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567893' },
      display: 'Jane van Doe, MD',
    })
  })

  it('is put into the folder of a laboratory that fetches its orders, whole', async () => {
    await mkdir(join(folder, 'north'))
    await connected({ transport: { kind: 'folder', folder: 'north' } })
    const kitID = await registered()
    await becomes(kitID, 'sent')
    expect(await readdir(join(folder, 'north'))).toEqual([`${kitID}.1.hl7`])
    expect(await readFile(join(folder, 'north', `${kitID}.1.hl7`), 'utf8')).toMatch(
      /^MSH.*\rSPM\|1\|K\w+\|\|BLDC\^\^HL70487\r$/s,
    )
  })

  it('whose folder is not there any more waits for a person at once, and goes into it once it is', async () => {
    await mkdir(join(folder, 'moved'))
    await connected({ transport: { kind: 'folder', folder: 'moved' } })
    await rm(join(folder, 'moved'), { recursive: true })
    const kitID = await registered()
    await becomes(kitID, 'queued', 'noAnswer')
    expect(await seen(kitID)).toMatchObject({ reason: 'CONNECT FOLDER' })
    await mkdir(join(folder, 'moved'))
    await later(60_000)
    await becomes(kitID, 'sent')
    expect(await seen(kitID)).not.toHaveProperty('attention')
    expect(await readdir(join(folder, 'moved'))).toEqual([`${kitID}.1.hl7`])
  })

  it('is known to have arrived by its first results, also where its acknowledgement was lost', async () => {
    await connected()
    laboratory.treats(() => ({ is: 'lost' }))
    const kitID = await registered()
    await expect.poll(() => heardOf(kitID).length).toBe(1)
    await operator('POST', '/samples/receive', { kitID })
    const results = [{ name: 'Glucose', value: 90, unit: 'mg/dL' }]
    const patient = { dateOfBirth: '1980-02-03' }
    const sent = await operator('POST', '/lab/results', { kitID, status: 'final', patient, results })
    expect(sent.body.reports, sent.text).toMatchObject([{ status: 'reported' }])
    await becomes(kitID, 'accepted')
    expect((await seen(kitID)).messages).toMatchObject([{ outcome: 'accepted', code: 'RESULTS' }])
    await later(3_600_000)
    expect(heardOf(kitID)).toHaveLength(1)
    laboratory.treats(() => ({ is: 'accepted' }))
    await clinic.live.request('PATCH', `/customers/${await customerOf(kitID)}`, { phone: '+12025550143' })
    await expect
      .poll(() => laboratory.orders.get(kitID), { message: 'a correction between two results' })
      .toMatchObject({ changed: 1 })
  })

  it('is closed by a person who settled it otherwise, and of a kit that was never ordered there is none', async () => {
    await connected({ tests: [test({ kitType: CARDIO })] })
    const kitID = await registered()
    await becomes(kitID, 'unrouted', 'notTestedHere')
    const closed = await operator('POST', `/lab-orders/${kitID}/close`, { reason: 'Agreed by telephone' })
    expect(closed.body, closed.text).toMatchObject({ state: 'closed' })
    expect((await operator('POST', `/lab-orders/${kitID}/close`, { reason: 'Again' })).status).toBe(409)
    const other = await shipped()
    const none = await clinic.live.get(`/kits/${other}/lab-order`)
    expect(none).toMatchObject({ status: 404, body: { code: 'LAB_ORDER_NOT_FOUND' } })
  })

  it('in the sandbox is refused or accepted by a scenario, and completed by the results that another one makes', async () => {
    const { orderId } = (await clinic.sandbox.post('/create-order', anOrder())).body
    const [{ kitID }] = (await clinic.sandbox.get(`/orders/${orderId}`)).body.kits
    const played = async (scenario: string) => {
      await clinic.sandbox.post(`/sandbox/kits/${kitID}/scenario`, { scenario })
      return (await clinic.sandbox.get(`/kits/${kitID}/lab-order`)).body
    }
    expect(await played('labOrderRefused')).toMatchObject({ state: 'refused', attention: 'refused' })
    const accepted = await played('labOrderAccepted')
    expect(accepted).toMatchObject({ state: 'accepted', placerNumber: kitID, fillerNumber: `F${kitID}` })
    expect(accepted).not.toHaveProperty('attention')
    expect(await played('resulted')).toMatchObject({ state: 'completed', fillerNumber: `F${kitID}` })
  })

  it('is answered by the token of a laboratory’s system, which sees no order and no person', async () => {
    await connected()
    laboratory.treats(() => ({ is: 'received' }))
    const kitID = await registered()
    await becomes(kitID, 'sent')
    const system = await operatorWith(world, ['results'])
    const paths = [
      '/lab-orders',
      `/lab-orders/${kitID}`,
      `/lab-orders/${kitID}/requisition`,
      '/lab-connections',
      '/lab/messages',
    ]
    for (const path of paths) expect((await system('GET', path)).status, path).toBe(403)
    expect((await system('POST', `/lab-orders/${kitID}/close`, { reason: 'No' })).status).toBe(403)
    const answer = await system('POST', '/lab-orders/answers', { controlID: `${kitID}.1`, accepted: true })
    expect(answer.body, answer.text).toMatchObject([{ kitID, state: 'accepted' }])
    const results = [{ name: 'Glucose', value: 90, unit: 'mg/dL' }]
    const sent = await system('POST', '/lab/results', {
      kitID,
      status: 'final',
      patient: { dateOfBirth: '1980-02-03' },
      results,
    })
    expect(sent.body.reports, sent.text).toMatchObject([{ kitID, status: 'reported' }])
  })

  it('has a requisition with its number as a barcode', async () => {
    await connected()
    const kitID = await registered()
    await becomes(kitID, 'accepted')
    const pdf = await operator('GET', `/lab-orders/${kitID}/requisition`, undefined, { accept: 'application/pdf' })
    expect(pdf.headers.get('content-type')).toBe('application/pdf')
    expect(pdf.text.startsWith('%PDF-1.7')).toBe(true)
    expect((await operator('GET', `/lab-orders/${kitID}/requisition`)).body).toMatchObject({ placerNumber: kitID })
  })
})

describe('what a laboratory answers otherwise than before', () => {
  /** ORL^O22 with this ORC-1, and a number. */
  const says = async (controlID: string, control: string, number = '') => {
    const [placer] = controlID.split('.')
    const text = `MSH|^~\\&|LIS|LAB|||20261129||ORL^O22|L1|P|2.5.1\rMSA|AA|${controlID}\rORC|${control}|${placer}|${number}\r`
    const answer = await operator('POST', '/lab-orders/answers', text, { 'content-type': 'application/hl7-v2' })
    expect(answer.status, answer.text).toBe(200)
    return answer.body[0]
  }

  const result = async (control: string, placer: string, filler: string) => {
    const text = `MSH|^~\\&|LIS|LAB|||20261129||ORU^R01|${control}|P|2.5.1\rPID|1\rOBR|1|${placer}|${filler}|24331-1^Lipid panel^LN\rOBX|1|NM|2093-3^Cholesterol^LN||180|mg/dL|0-200||||F\r`
    const sent = await operator('POST', '/lab/results', text, { 'content-type': 'application/hl7-v2' })
    expect(sent.status, sent.text).toBe(200)
    return sent.body.reports
  }

  /** Kits whose order the first laboratory refused, the second one accepted, and then the first one accepted after all. */
  async function heldTwice(count: number): Promise<string[]> {
    await connected()
    laboratory.treats(({ placer }) => (placer.endsWith('-2') ? { is: 'accepted' } : { is: 'refused' }))
    const kits: string[] = []
    for (let at = 0; at < count; at++) {
      const kitID = await registered()
      kits.push(kitID)
      await becomes(kitID, 'refused')
      expect((await operator('POST', `/lab-orders/${kitID}/route`, {})).status).toBe(200)
      await becomes(kitID, 'accepted')
      expect(await says(`${kitID}.1`, 'OK')).toMatchObject({ state: 'accepted', attention: 'answeredOtherwise' })
    }
    laboratory.treats(() => ({ is: 'accepted' }))
    return kits
  }

  it('waits for a person until it is settled, whatever is answered meanwhile, and is sent to no other laboratory', async () => {
    const [refused = '', kept = '', closed = ''] = await heldTwice(3)
    const attention = 'answeredOtherwise'
    expect(await says(`${refused}-2.2`, 'UA')).toMatchObject({ state: 'refused', attention })
    expect((await operator('POST', `/lab-orders/${refused}/route`, {})).status).toBe(409)
    expect((await answered(`${refused}.1`, false)).body).toMatchObject([{ state: 'refused', attention: 'refused' }])
    expect((await operator('POST', `/lab-orders/${refused}/route`, {})).status).toBe(200)
    await becomes(refused, 'accepted')
    expect(await seen(refused)).toMatchObject({ placerNumber: `${refused}-3` })

    const path = `/customers/${await customerOf(kept)}`
    await clinic.live.request('PATCH', path, { phone: '+12025550143' })
    await expect.poll(() => laboratory.orders.get(`${kept}-2`)).toMatchObject({ changed: 1 })
    await becomes(kept, 'accepted', attention)
    await says(`${kept}-2.2`, 'UA')
    const [order] = (await answered(`${kept}.1`, true)).body
    expect(order, 'a person says which one it is').toMatchObject({ state: 'accepted', placerNumber: kept })
    expect(order).not.toHaveProperty('attention')
    await expect.poll(() => heardOf(kept).at(-1)).toMatchObject({ control: 'XO', placer: kept })

    const settled = await operator('POST', `/lab-orders/${closed}/close`, { reason: 'By telephone' })
    expect(settled.body).toMatchObject({ state: 'closed' })
    expect(settled.body).not.toHaveProperty('attention')
  })

  it('is canceled under each number that a laboratory has', async () => {
    const [withdrawn = '', erased = ''] = await heldTwice(2)
    await clinic.live.post(`/kits/${withdrawn}/consent/withdrawal`, { what: 'testing' })
    await clinic.live.request('DELETE', `/customers/${await customerOf(erased)}`)
    for (const kitID of [withdrawn, erased]) {
      await becomes(kitID, 'canceled')
      const canceled = () => heardOf(kitID).flatMap(({ control, placer }) => (control === 'CA' ? placer : []))
      // Its own number is canceled first, and the other one by a message after it.
      await expect.poll(() => canceled().toSorted()).toEqual([kitID, `${kitID}-2`])
    }
  })

  it('is no order for a person who was erased: a refused one is canceled, not sent anywhere, and taken back where it is accepted later', async () => {
    await connected({ states: ['CA'], countries: ['US'] })
    laboratory.treats(({ control }) => (control === 'NW' ? { is: 'refused' } : { is: 'accepted' }))
    const place = { addressLine1: '1 Road', city: 'Fresno', state: 'CA', zip: '93650', country: 'US' }
    const [refused, unrouted] = [await registered(place), await registered({ ...place, state: 'NV', zip: '89501' })]
    await becomes(refused, 'refused')
    await becomes(unrouted, 'unrouted')
    for (const kitID of [refused, unrouted]) {
      await clinic.live.request('DELETE', `/customers/${await customerOf(kitID)}`)
      await becomes(kitID, 'canceled')
      expect(await seen(kitID)).not.toHaveProperty('attention')
      expect((await operator('POST', `/lab-orders/${kitID}/route`, {})).status).toBe(409)
    }
    await says(`${refused}.1`, 'OK')
    await expect.poll(() => heardOf(refused).map(({ control }) => control)).toEqual(['NW', 'CA'])
    await becomes(refused, 'canceled')
  })

  it('is canceled where the person took the consent back, and the laboratory refuses the order before it is canceled', async () => {
    await connected()
    const kitID = await registered()
    await becomes(kitID, 'accepted')
    laboratory.treats(() => ({ is: 'lost' }))
    await clinic.live.post(`/kits/${kitID}/consent/withdrawal`, { what: 'testing' })
    await expect.poll(async () => (await seen(kitID)).messages?.[1]?.code).toBe('RESET')
    const order = await says(`${kitID}.1`, 'UA')
    expect(order).toMatchObject({ state: 'canceled' })
    expect(order).not.toHaveProperty('attention')
  })

  it('whose number comes for several kits at once waits for a person on each, which names the others, until that is settled', async () => {
    await connected()
    laboratory.treats(() => ({ is: 'received' }))
    const kits = [await registered(), await registered(), await registered()] as const
    for (const kitID of kits) await becomes(kitID, 'sent')
    const number = `S-${kits[0]}`
    await Promise.all(kits.map((kitID) => says(`${kitID}.1`, 'OK', number)))
    const listed = (await operator('GET', '/lab-orders?attention=numberTaken')).body.data
    for (const kitID of kits) {
      const order = await seen(kitID)
      expect(order).toMatchObject({ state: 'accepted', attention: 'numberTaken', fillerNumber: number })
      for (const other of kits) expect(order.sentence.includes(other), order.sentence).toBe(other !== kitID)
      expect(listed).toContainEqual(expect.objectContaining({ kitID, sentence: order.sentence }))
    }
    const [first, ...others] = kits
    for (const kitID of others) expect(await says(`${kitID}.1`, 'OK', `T-${kitID}`)).not.toHaveProperty('attention')
    const byHand = { controlID: `${first}.1`, accepted: true, fillerNumber: number }
    const [confirmed] = (await operator('POST', '/lab-orders/answers', byHand)).body
    expect(confirmed).toMatchObject({ state: 'accepted', fillerNumber: number })
    expect(confirmed).not.toHaveProperty('attention')
  })

  it('is its number: results find the kit by each one, and one that another kit has waits until the right one comes', async () => {
    await connected()
    laboratory.treats(() => ({ is: 'received' }))
    const [first, other, wrong, third] = [
      await registered(),
      await registered(),
      await registered(),
      await registered(),
    ]
    for (const kitID of [first, other, wrong, third]) await becomes(kitID, 'sent')
    for (const kitID of [first, other]) {
      await says(`${kitID}.1`, 'OK', `A-${kitID}`)
      expect(await says(`${kitID}.1`, 'OK', `B-${kitID}`)).toMatchObject({ fillerNumber: `B-${kitID}` })
    }
    expect(await result(`N1-${first}`, '', `A-${first}`)).toMatchObject([{ kitID: first, status: 'reported' }])
    expect(await result(`N2-${other}`, '', `B-${other}`)).toMatchObject([{ kitID: other, status: 'reported' }])

    expect(await says(`${wrong}.1`, 'OK', `B-${first}`)).toMatchObject({ attention: 'numberTaken' })
    expect(await result(`N3-${first}`, '', `B-${first}`), 'two kits have it').toMatchObject([{ status: 'waiting' }])
    expect(await result(`N4-${first}`, first, `B-${first}`)).toMatchObject([{ kitID: first, status: 'reported' }])
    const [right] = (
      await operator('POST', '/lab-orders/answers', {
        ...{ controlID: `${wrong}.1`, accepted: true, fillerNumber: `C-${wrong}` },
      })
    ).body
    expect(right).toMatchObject({ fillerNumber: `C-${wrong}` })
    expect(right).not.toHaveProperty('attention')
    expect(await result(`N5-${wrong}`, '', `C-${wrong}`)).toMatchObject([{ kitID: wrong, status: 'reported' }])

    laboratory.treats(() => ({ is: 'received' }))
    const typed = await registered()
    await becomes(typed, 'sent')
    await operator('POST', '/samples/receive', { kitID: typed, accession: `D-${typed}` })
    expect(await says(`${typed}.1`, 'OK', `E-${typed}`)).toMatchObject({ fillerNumber: `E-${typed}` })
    const scanned = await operator('GET', `/fulfilment/kits/E-${typed}`)
    expect(scanned.body.kit, scanned.text).toMatchObject({ kitID: typed })
    expect(await result(`N6-${typed}`, '', `E-${typed}`)).toMatchObject([{ kitID: typed, status: 'reported' }])

    expect(await says(`${third}.1`, 'OK', wrong), 'the ID of another kit').toMatchObject({ attention: 'numberTaken' })
    await clinic.live.request('DELETE', `/customers/${await customerOf(third)}`)
    laboratory.treats(() => ({ is: 'accepted' }))
    await later(60_000)
    await becomes(third, 'canceled')
    expect(await seen(third), 'of an order that has ended nobody needs it').not.toHaveProperty('attention')
  })
})

it('An order of a company of the demo goes to no laboratory, and needs nobody', async () => {
  await connected()
  const demo = await world.business({ name: DEMO_COMPANIES[0], credits: 100 })
  const kitID = await registered({}, demo)
  await world.settled()
  expect((await operator('GET', `/lab-orders/${kitID}`)).status).toBe(404)
  const routed = await operator('POST', `/lab-orders/${kitID}/route`, {})
  expect([routed.status, routed.body.error]).toEqual([409, expect.stringContaining('made up')])
  expect(heardOf(kitID)).toEqual([])
})

describe('a laboratory', () => {
  it('is reached only where the settings name its host, and over MLLP without TLS only in private networks', async () => {
    const { body } = await operator('POST', '/laboratories', { name: 'East Laboratory', address: '1 Road' })
    const refused = async (transport: unknown, more = {}) =>
      (await operator('POST', `/laboratories/${body.id}/connection`, connection({ transport, ...more }))).body
        .details?.[0]?.path
    expect(await refused({ kind: 'mllp', url: 'mllp://127.0.0.1:1' })).toBe('transport.url')
    expect(await refused({ kind: 'https', url: 'https://example.com/' })).toBe('transport.url')
    expect(await refused({ kind: 'folder', folder: '../etc' })).toBe('transport.folder')
    expect(await refused({ kind: 'folder', folder: 'not-there' })).toBe('transport.folder')
    expect(await refused({ kind: 'mllp', url: laboratory.mllp }, { format: 'fhir' })).toBe('transport.kind')
    const mended = { authorization: 'Bearer secret', transport: { kind: 'https', url: laboratory.http } }
    const saved = await operator('POST', `/laboratories/${body.id}/connection`, connection(mended))
    expect(saved.body).toMatchObject({ hasAuthorization: true })
    const moved = { kind: 'https', url: laboratory.http.replace('/orders', '/others') }
    const other = await operator('POST', `/laboratories/${body.id}/connection`, connection({ transport: moved }))
    expect(other.body, 'the secret of one address is not sent to another').toMatchObject({ hasAuthorization: false })
  })

  it('is removed only once it has no open order', async () => {
    const id = await connected()
    const kitID = await registered()
    await becomes(kitID, 'accepted')
    const refused = await operator('POST', `/laboratories/${id}/remove`)
    expect(refused).toMatchObject({ status: 409, body: { code: 'ILLEGAL_TRANSITION' } })
    await operator('POST', `/lab-orders/${kitID}/close`, { reason: 'By telephone' })
    expect((await operator('POST', `/laboratories/${id}/remove`)).status).toBe(200)
  })
})

describe('the order of a kit that is recalled', () => {
  it('is canceled though no kit is sent in its place, and placed again where the kit is released', async () => {
    await connected()
    const lot = `L${Date.now()}`
    await operator('POST', '/stock/kit-lots', { product: CORE, lot, load: true })
    const kitID = await registered()
    await operator('POST', '/stock/kit-lots', { product: CORE, lot, load: false })
    await becomes(kitID, 'accepted')
    const { body } = await operator('POST', '/recalls', {
      ...{ kind: 'kitLot', subject: CORE, lot, reason: 'Not sterile', actions: ['stopUse', 'rejectSamples'] },
    })
    await becomes(kitID, 'canceled')
    await operator('POST', `/recalls/${body.id}/release`, { kitIDs: [kitID], reason: 'Another lot' })
    await becomes(kitID, 'accepted')
    expect(heardOf(kitID).map(({ control }) => control)).toEqual(['NW', 'CA', 'NW'])
  })
})

describe('the order of a recalled kit that has results already', () => {
  it('stands, since its sample is not rejected: what else the laboratory finds is held', async () => {
    await connected()
    const lot = `L${Date.now()}`
    await operator('POST', '/stock/kit-lots', { product: CORE, lot, load: true })
    const [published, waiting] = [await registered(), await registered()]
    await operator('POST', '/stock/kit-lots', { product: CORE, lot, load: false })
    for (const kitID of [published, waiting]) {
      await becomes(kitID, 'accepted')
      const glucose = { name: 'Glucose', loinc: '2345-7', value: 88, unit: 'mg/dL', status: 'preliminary' }
      const sent = await operator('POST', '/lab/results', { kitID, results: [glucose] })
      expect(sent.status, sent.text).toBe(200)
      const { reportID } = sent.body.reports[0]
      if (kitID === published) expect((await clinic.live.post(`/reports/${reportID}/publish`)).status).toBe(200)
    }
    const { body } = await operator('POST', '/recalls', { kind: 'kitLot', subject: CORE, lot, reason: 'Not sterile' })
    await expect.poll(async () => (await operator('GET', `/recalls/${body.id}`)).body.state).toBe('done')
    for (const kitID of [published, waiting]) {
      expect(await seen(kitID)).toMatchObject({ state: 'accepted' })
      expect(heardOf(kitID).map(({ control }) => control)).toEqual(['NW'])
    }
  })
})

describe('the order that no laboratory has for a recalled kit with results', () => {
  it('is not placed any more, until the kit is released', async () => {
    const id = await connected({ tests: [test({ kitType: CARDIO })] })
    const lot = `L${Date.now()}`
    await operator('POST', '/stock/kit-lots', { product: CORE, lot, load: true })
    const kitID = await registered()
    await operator('POST', '/stock/kit-lots', { product: CORE, lot, load: false })
    await becomes(kitID, 'unrouted', 'notTestedHere')
    const glucose = { name: 'Glucose', loinc: '2345-7', value: 88, unit: 'mg/dL', status: 'preliminary' }
    expect((await operator('POST', '/lab/results', { kitID, results: [glucose] })).status).toBe(200)
    const { body } = await operator('POST', '/recalls', { kind: 'kitLot', subject: CORE, lot, reason: 'Not sterile' })
    await becomes(kitID, 'canceled')
    await operator('POST', `/laboratories/${id}/connection`, connection())
    expect((await operator('POST', `/lab-orders/${kitID}/route`, {})).status).toBe(409)
    expect(heardOf(kitID)).toEqual([])
    await operator('POST', `/recalls/${body.id}/release`, { kitIDs: [kitID], reason: 'Another lot' })
    await becomes(kitID, 'accepted')
  })
})

describe('what a person says of their sample', () => {
  const zone = 'Pacific/Kiritimati'
  const wall = (minutesAgo: number) =>
    new Date(Date.now() + aheadMs + 14 * 3_600_000 - minutesAgo * 60_000).toISOString().slice(0, 16)

  it('stands on the order, in the words of the laboratory, and a correction is sent as a change', async () => {
    const asked = [{ id: 'fasting' }, { id: 'medication' }, { id: 'pregnant' }]
    expect((await operator('PATCH', `/panels/${CORE}`, { questions: asked })).status).toBe(200)
    await connected({
      tests: [
        test({
          questions: [
            {
              code: '49541-6',
              codingSystem: 'LN',
              text: 'Fasting',
              answer: { question: 'fasting', values: { yes: 'F' } },
            },
            { code: 'MED', text: 'Medication', answer: { question: 'medication', values: { biotin: 'Vitamin B7' } } },
            { code: 'PREG', text: 'Pregnant', answer: { question: 'pregnant' } },
            { code: 'TIME', text: 'Time', answer: { fact: 'collectionTime' } },
          ],
        }),
      ],
    })
    const kitID = await registered()
    const give = (collectedDate: string) =>
      clinic.live.post(`/kits/${kitID}/collection`, {
        ...{ collectedDate, zone, answers: { fasting: 11, medication: ['biotin', 'Omega 3'] } },
      })
    await becomes(kitID, 'accepted')
    const collectedDate = wall(3)
    const given = await give(collectedDate)
    expect(given.status, given.text).toBe(200)
    await expect.poll(() => heardOf(kitID).length).toBe(2)
    const { text = '' } = heardOf(kitID)[1] ?? {}
    const moment = `${collectedDate.replaceAll(/\D/g, '')}+1400`
    expect(text).toContain(`\rORC|XO|${kitID}|`)
    expect(text).toMatch(new RegExp(`\\rOBR\\|1\\|[^|]*\\|[^|]*\\|[^|]*\\|\\|\\|${moment.replace('+', '\\+')}`))
    expect(text).toContain('\rOBX|1|ST|49541-6^Fasting^LN||F||||||O')
    expect(text).toContain('\rOBX|2|ST|MED^Medication^L||Vitamin B7, Omega 3||||||O')
    expect(text).toContain(`\rOBX|3|ST|TIME^Time^L||${collectedDate.slice(11)}||||||O`)
    expect(text).not.toContain('PREG')
    expect(text).toContain(`|${moment}\r`)
    await give(wall(0).slice(0, 10))
    await expect.poll(() => heardOf(kitID).length).toBe(3)
    expect(heardOf(kitID)[2]?.text).toMatch(/\rSPM\|.*\|\d{8}\r/)
    await give(wall(0).slice(0, 10))
    await world.settled()
    expect(heardOf(kitID)).toHaveLength(3)
  })
})

describe('where LAB_ORDERS_AT was taken away', () => {
  beforeAll(async () => {
    await world.stop()
    await opened('never')
  })

  it('open orders are followed to their end, and none are made', async () => {
    await connected()
    const [corrected, canceled, none] = [await registered(), await registered(), await registered()]
    for (const kitID of [corrected, canceled]) {
      await operator('POST', `/lab-orders/${kitID}/route`, {})
      await becomes(kitID, 'accepted')
    }
    await clinic.live.request('PATCH', `/customers/${await customerOf(corrected)}`, { dateOfBirth: '1980-02-13' })
    await expect.poll(() => laboratory.orders.get(corrected)).toMatchObject({ changed: 1 })
    await clinic.live.post(`/kits/${canceled}/consent/withdrawal`, { what: 'testing' })
    await becomes(canceled, 'canceled')
    expect(laboratory.orders.get(canceled)).toMatchObject({ isCanceled: true })
    await clinic.live.request('DELETE', `/customers/${await customerOf(corrected)}`)
    await becomes(corrected, 'canceled')
    expect((await operator('GET', `/lab-orders/${none}`)).status).toBe(404)
  })
})
