import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allOperatorScopes } from '../../src/domain/scopes.ts'
import { kitEvents } from '../harness/kit-events.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { anOrder, CORE } from '../harness/orders.ts'
import { signIn, person as user } from '../harness/people.ts'
import { recipients } from '../harness/recipients.ts'
import { visitor } from '../harness/visitor.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let operator: Operator
let clinic: TestBusiness
let at: ReturnType<typeof recipients>
beforeAll(async () => {
  world = await sharedWorld()
  operator = await operatorWith(world, allOperatorScopes)
  clinic = await world.business({ credits: 1000 })
  at = recipients(world)
})
afterAll(() => world.stop())

let serial = 0
const aNumber = () => `1ZBACK${Date.now()}${String(++serial).padStart(6, '0')}`
const HOUR = 3_600_000
const start = Date.now() - 48 * HOUR
const hours = (count: number) => new Date(start + count * HOUR).toISOString()

const newAddress = { street1: '9 New Road', city: 'Burlington', state: 'VT', zip: '05401', country: 'US' }

async function order(changes: Record<string, unknown> = {}, of = clinic) {
  const placed = await of.live.post('/create-order', anOrder(changes))
  expect(placed.status, placed.text).toBe(201)
  const orderID: string = placed.body.orderId
  const { kits } = (await of.live.get(`/orders/${orderID}`)).body
  return { orderID, kitIDs: kits.map(({ kitID }: { kitID: string }) => kitID) as string[] }
}

const ship = (kitID: string, number = aNumber(), more = {}) =>
  operator('POST', '/fulfilment/shipments', { kitID, carrier: 'UPS', outboundTrackingNumber: number, ...more })

/** A kit that was shipped, with its order and its label. */
async function shipped(changes: Record<string, unknown> = {}) {
  const { orderID, kitIDs } = await order(changes)
  const number = aNumber()
  for (const kitID of kitIDs) expect((await ship(kitID, number)).status).toBe(200)
  return { orderID, kitIDs, kitID: kitIDs[0] ?? '', number }
}

async function carrier(trackingNumber: string, status: string, hour: number): Promise<string> {
  const { body } = await operator('POST', '/carrier-events', [{ trackingNumber, status, at: hours(hour) }])
  return body.events[0].outcome
}
const found = (kitIDs: readonly string[], more = {}) => operator('POST', '/undelivered', { kitIDs, ...more })
const choose = (kitID: string, choice: string, more = {}) =>
  clinic.live.post(`/kits/${kitID}/undelivered`, { choice, ...more })
const box = async (kitID: string) => (await clinic.live.get(`/kits/${kitID}/undelivered`)).body
const kit = async (kitID: string) => (await clinic.live.get(`/kits?kitID=${kitID}`)).body[0]
const addressOf = async (orderID: string) => (await clinic.live.get(`/orders/${orderID}`)).body.recipientAddress

async function webhookEvents(kitID: string): Promise<string[]> {
  await world.settled()
  const { data } = (await clinic.live.get('/events?size=250&type=kit.undelivered')).body
  return data
    .map(({ data }: { data: { kitID: string; state: string } }) => data)
    .filter((one: { kitID: string }) => one.kitID === kitID)
    .map(({ state }: { state: string }) => state)
}

const person = (email: string) => ({
  firstName: 'Bo',
  lastName: 'Tester',
  email,
  dateOfBirth: '1980-02-29',
  sex: 'F',
})

describe('a box that a carrier cannot deliver', () => {
  it.each([
    ['available_for_pickup', 'waitingForPickup', 'waiting'],
    ['exception', 'notDelivered', 'undecided'],
    ['return_to_sender', 'returnedToSender', 'undecided'],
    ['refused', 'refused', 'undecided'],
    ['damaged', 'damaged', 'needsNewKit'],
    ['lost', 'lost', 'needsNewKit'],
  ])('after %s is listed as %s, for the business and the operator', async (status, outcome, state) => {
    const { kitID, number } = await shipped()
    expect(await carrier(number, status, 1)).toBe('moved')
    expect(await box(kitID)).toMatchObject({ kitID, outcome, state, isHere: false, times: 1, since: hours(1) })
    expect((await kit(kitID)).kitStatus).toBe('deliveryException')
    const mine = await clinic.live.get(`/undelivered?outcome=${outcome}&kitID=${kitID}`)
    expect(mine.body.data.map((one: { kitID: string }) => one.kitID)).toEqual([kitID])
    const all = await operator('GET', `/undelivered?businessID=${clinic.id}&state=${state}&size=250`)
    expect(all.body.data.find((one: { kitID: string }) => one.kitID === kitID)).toMatchObject({
      business: { id: clinic.id },
      recipient: { name: 'Ada Example', address: { city: 'Springfield' } },
      trackingNumber: number,
    })
  })

  it('whose label was canceled is looked for, and its kit keeps its status', async () => {
    const { kitID, number } = await shipped()
    await carrier(number, 'canceled', 1)
    expect(await box(kitID)).toMatchObject({ outcome: 'labelCanceled', state: 'undecided' })
    expect((await kit(kitID)).kitStatus).toBe('inTransit')
  })

  it('and then delivers is settled, and never listed again', async () => {
    const { kitID, number } = await shipped()
    await carrier(number, 'available_for_pickup', 1)
    await carrier(number, 'delivered', 2)
    expect(await box(kitID)).toMatchObject({ state: 'arrived', choices: [] })
    expect((await kit(kitID)).kitStatus).toBe('delivered')
    const { body } = await clinic.live.get('/undelivered?size=250')
    expect(body.data.map((one: { kitID: string }) => one.kitID)).not.toContain(kitID)
    expect(await webhookEvents(kitID)).toEqual(['waiting', 'arrived'])
  })

  it('is settled when its person registers it', async () => {
    const { kitID, number } = await shipped()
    await carrier(number, 'exception', 1)
    expect((await clinic.live.post(`/kits/${kitID}/register`, person(at.newEmail()))).status).toBe(200)
    expect((await box(kitID)).state).toBe('arrived')
  })

  it('was never in trouble, or is another business’s: 404', async () => {
    const { kitID, number } = await shipped()
    expect((await clinic.live.get(`/kits/${kitID}/undelivered`)).body.code).toBe('UNDELIVERED_NOT_FOUND')
    await carrier(number, 'lost', 1)
    const other = await world.business()
    expect((await other.live.get(`/kits/${kitID}/undelivered`)).status).toBe(404)
    expect((await other.live.post(`/kits/${kitID}/undelivered`, { choice: 'close' })).status).toBe(404)
  })
})

describe('a box that came back', () => {
  it('goes out again to the corrected address under a new label, as the same kit, for no credits', async () => {
    const { kitID, orderID, number } = await shipped()
    await carrier(number, 'return_to_sender', 1)
    const credits = (await clinic.live.get('/credits')).body
    const { cameBack, toSendAgain } = (await operator('GET', '/overview')).body
    const chosen = await choose(kitID, 'sendAgain', { recipientAddress: newAddress })
    expect(chosen.body, chosen.text).toMatchObject({ state: 'awaitingBox', isHere: false })
    expect(await addressOf(orderID)).toMatchObject(newAddress)
    const early = await ship(kitID)
    expect(early.status, 'the box is not here yet').toBe(409)
    const came = await found([kitID], { postage: { amount: 310, currency: 'usd' } })
    expect(came.body.data[0]).toMatchObject({
      state: 'readyToSend',
      isHere: true,
      recipient: { address: newAddress },
      todo: 'Put a new label on it and send it again.',
    })
    expect((await operator('GET', '/overview')).body).toMatchObject({ cameBack, toSendAgain: toSendAgain + 1 })
    const scanned = await operator('GET', `/fulfilment/kits/${number}`)
    expect(scanned.body).toMatchObject({ expected: 'sendAgain', undelivered: { state: 'readyToSend' } })
    expect((await ship(kitID, number)).body.code, 'the old label').toBe('TRACKING_NUMBER_TAKEN')
    const again = aNumber()
    const sent = await ship(kitID, again, { postage: { amount: 495, currency: 'USD' } })
    expect(sent.body.kit, sent.text).toMatchObject({
      kitStatus: 'inTransit',
      shipment: { toUser: { trackingNumber: again } },
    })
    expect((await ship(kitID, again, { postage: { amount: 495, currency: 'USD' } })).status, 'a retry').toBe(200)
    expect(await box(kitID)).toMatchObject({
      state: 'sentAgain',
      isHere: false,
      postage: [{ amount: 805, currency: 'USD' }],
    })
    expect((await clinic.live.get('/credits')).body).toEqual(credits)
    expect(await carrier(number, 'return_delivered', 5), 'the old parcel').toBe('noted')
    expect((await box(kitID)).state).toBe('sentAgain')
    await carrier(again, 'delivered', 6)
    expect((await kit(kitID)).kitStatus).toBe('delivered')
    expect(await webhookEvents(kitID)).toEqual(['undecided', 'awaitingBox', 'readyToSend', 'sentAgain', 'arrived'])
  })

  it('is told about in the language of the dashboard to who is signed in there, and in English to a program', async () => {
    const { kitID } = await shipped()
    await found([kitID])
    const spanish = { 'accept-language': 'es-MX, en;q=0.5' }
    const { operator: as } = await signIn(world, await user(world, 'operator-admin'))
    const scanned = await as.get(`/fulfilment/kits/${kitID}`, spanish)
    const todo = 'Guardarla en el estante: nadie ha dicho aún a dónde va.'
    expect(scanned.body, scanned.text).toMatchObject({ sentence: todo, undelivered: { todo } })
    const { kitID: onItsWay } = await shipped()
    const refused = await as.post('/fulfilment/claims', { station: crypto.randomUUID(), kitID: onItsWay }, spanish)
    expect(refused.body.message, refused.text).toBe('Este kit no espera a que se empaquete. Ya se envió.')
    const english = { todo: 'Keep it on the shelf: nobody has said yet where it goes.' }
    expect((await clinic.live.get(`/kits/${kitID}/undelivered`, spanish)).body).toMatchObject(english)
    expect((await as.get(`/fulfilment/kits/${kitID}`)).body.undelivered).toMatchObject(english)
    expect((await as.get(`/fulfilment/kits/${kitID}`, { 'accept-language': 'tlh' })).body.undelivered).toMatchObject(
      english,
    )
  })

  it('without a word of the carrier is found by a packer, with the other kits of its parcel', async () => {
    const { kitIDs, orderID, number } = await shipped({ kit_types: [{ kitType: CORE, quantity: 2 }] })
    const scanned = await operator('GET', `/fulfilment/kits/${number}`)
    const all = [scanned.body.kit.kitID, ...scanned.body.others]
    expect(all.toSorted()).toEqual(kitIDs.toSorted())
    const came = await found(all, { note: 'No such number' })
    expect(came.body.data).toHaveLength(2)
    for (const kitID of kitIDs) {
      expect(await kit(kitID)).toMatchObject({ kitStatus: 'deliveryException', exceptionReason: 'No such number' })
    }
    expect(
      (await found(all)).body.data.map(({ times }: { times: number }) => times),
      'again',
    ).toEqual([1, 1])
    const [first = '', second = ''] = kitIDs
    await choose(first, 'sendAgain', { recipientAddress: newAddress })
    expect((await box(second)).state, 'of the same order').toBe('readyToSend')
    expect(await addressOf(orderID)).toMatchObject(newAddress)
    const label = aNumber()
    for (const kitID of kitIDs) expect((await ship(kitID, label)).status).toBe(200)
    expect((await operator('GET', `/fulfilment/kits/${label}`)).body.others).toHaveLength(1)
  })

  it('in hand hears no more of its old parcel: a late delivery changes nothing', async () => {
    const { kitID, number } = await shipped()
    await found([kitID])
    expect(await carrier(number, 'delivered', 40)).toBe('noted')
    expect(await box(kitID)).toMatchObject({ state: 'undecided', isHere: true })
    expect((await kit(kitID)).kitStatus).toBe('deliveryException')
  })

  it('that was closed needs nobody any more: not in the overview, nor in the list', async () => {
    const [lost, unsent, left] = [await shipped(), await shipped(), await shipped()]
    await found([lost.kitID], { outcome: 'lost' })
    await found([left.kitID], { outcome: 'lost' })
    expect((await found([unsent.kitID], { outcome: 'labelCanceled' })).status).toBe(200)
    const ids = [lost.kitID, unsent.kitID, left.kitID]
    const owner = await world.owner()
    await owner.query("update kits set updated_at = now() - interval '90 days' where id = any($1)", [ids])
    const needing = async (kind: string) =>
      (await clinic.live.get(`/kits?attention=${kind}&kitID=${ids}`)).body.map(({ kitID }: { kitID: string }) => kitID)
    const counted = async (kind: string) =>
      (await clinic.live.get('/overview')).body.attention.find((one: { kind: string }) => one.kind === kind)?.count ?? 0
    expect((await needing('exception')).toSorted()).toEqual([lost.kitID, left.kitID].toSorted())
    expect(await needing('late')).toEqual([unsent.kitID])
    const [exceptions, late] = [await counted('exception'), await counted('late')]
    for (const kitID of [lost.kitID, unsent.kitID]) expect((await choose(kitID, 'close')).status).toBe(200)
    expect(await needing('exception')).toEqual([left.kitID])
    expect(await needing('late')).toEqual([])
    expect([await counted('exception'), await counted('late')]).toEqual([exceptions - 1, late - 1])
  })

  it('a second time begins again, and counts', async () => {
    const { kitID } = await shipped()
    await found([kitID])
    await choose(kitID, 'sendAgain')
    const number = aNumber()
    await ship(kitID, number)
    await carrier(number, 'refused', 47)
    expect(await box(kitID)).toMatchObject({ outcome: 'refused', state: 'undecided', times: 2 })
  })

  it('of a kit that somebody registered keeps its status, and goes out again', async () => {
    const { kitID } = await shipped()
    await clinic.live.post(`/kits/${kitID}/register`, person(at.newEmail()))
    await found([kitID])
    expect((await kit(kitID)).kitStatus).toBe('registered')
    await choose(kitID, 'sendAgain')
    const number = aNumber()
    const sent = await ship(kitID, number)
    expect(sent.body.kit, sent.text).toMatchObject({
      kitStatus: 'registered',
      shipment: { toUser: { trackingNumber: number } },
    })
    expect((await box(kitID)).state).toBe('sentAgain')
  })

  it('is chosen for by the operator, where the recipient calls there; a new kit is ordered by the business alone', async () => {
    const { kitID, orderID } = await shipped()
    await found([kitID])
    const path = `/kits/${kitID}/undelivered`
    const asked = await operator('POST', `${path}/link`, { email: true })
    expect(asked.body, asked.text).toMatchObject({ kitID, emailed: true })
    expect((await operator('POST', path, { choice: 'replace' })).body.code).toBe('VALIDATION_FAILED')
    const chosen = await operator('POST', path, { choice: 'sendAgain', recipientAddress: newAddress, reason: 'Called' })
    expect(chosen.body, chosen.text).toMatchObject({ state: 'readyToSend' })
    expect((await operator('GET', path)).body).toEqual(chosen.body)
    expect(await addressOf(orderID)).toMatchObject(newAddress)
  })

  it('lets the address of its order be corrected as before it was packed, and the choice is still to be made', async () => {
    const { kitID, orderID } = await shipped()
    expect((await clinic.live.request('PATCH', `/orders/${orderID}`, { recipientAddress: newAddress })).body.code).toBe(
      'ORDER_PACKED',
    )
    await found([kitID])
    const corrected = await clinic.live.request('PATCH', `/orders/${orderID}`, { recipientAddress: newAddress })
    expect(corrected.body.recipientAddress, corrected.text).toMatchObject(newAddress)
    expect((await box(kitID)).state).toBe('undecided')
  })

  it('keeps its address while a packer has it in hand', async () => {
    const { kitID } = await shipped()
    await found([kitID])
    await choose(kitID, 'sendAgain')
    const claimed = await operator('POST', '/fulfilment/claims', { station: `s${kitID}`, kitID })
    expect(claimed.status, claimed.text).toBe(200)
    expect((await choose(kitID, 'sendAgain', { recipientAddress: newAddress })).body.code).toBe('ORDER_PACKED')
    await operator('DELETE', `/fulfilment/claims/${kitID}?station=s${kitID}`)
    expect((await choose(kitID, 'sendAgain', { recipientAddress: newAddress })).status).toBe(200)
  })

  it('cannot be one that was not shipped, whose sample is here, or of the sandbox', async () => {
    const { kitIDs } = await order()
    expect((await found(kitIDs)).body.code).toBe('ILLEGAL_TRANSITION')
    const { kitID } = await shipped()
    await operator('POST', '/samples/receive', { kitID })
    expect((await found([kitID])).body).toMatchObject({ code: 'ILLEGAL_TRANSITION' })
    const placed = await clinic.sandbox.post('/create-order', anOrder())
    const { kits } = (await clinic.sandbox.get(`/orders/${placed.body.orderId}`)).body
    expect((await found([kits[0].kitID])).body.code).toBe('KIT_NOT_FOUND')
  })

  it('is sent again or replaced, never both, by two who choose at once', async () => {
    for (let round = 0; round < 5; round++) {
      const { kitID, orderID } = await shipped()
      await found([kitID])
      const answers = await Promise.all([
        choose(kitID, 'sendAgain'),
        choose(kitID, 'replace'),
        choose(kitID, 'replace'),
        choose(kitID, 'sendAgain', { recipientAddress: newAddress }),
        clinic.live.post(`/kits/${kitID}/replacement`, { reason: 'lost' }),
      ])
      for (const { status, text } of answers) expect([200, 201, 409], text).toContain(status)
      const { kits } = (await clinic.live.get(`/orders/${orderID}`)).body
      const { state } = await box(kitID)
      expect(kits).toHaveLength(state === 'replaced' ? 2 : 1)
      expect((await ship(kitID)).status).toBe(state === 'replaced' ? 409 : 200)
    }
  })

  it('is put under one label by two packers at once', async () => {
    const { kitID } = await shipped()
    await found([kitID])
    await choose(kitID, 'sendAgain')
    const sent = await Promise.all([ship(kitID), ship(kitID)])
    expect(sent.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const { data } = (await kitEvents(world.service.database, kitID)).at(-1) ?? {}
    expect(data).toMatchObject({ event: 'kitInTransit' })
  })
})

describe('a box that is lost or damaged', () => {
  it('is replaced by a new kit with its lineage, once, and is set aside where it turns up', async () => {
    const { kitID, orderID, number } = await shipped()
    await carrier(number, 'lost', 1)
    expect((await choose(kitID, 'sendAgain')).body).toMatchObject({
      code: 'ILLEGAL_TRANSITION',
      current: 'needsNewKit',
      allowed: ['replace', 'close'],
    })
    const chosen = await choose(kitID, 'replace', { recipientAddress: newAddress })
    expect(chosen.body, chosen.text).toMatchObject({ state: 'replaced', replacedBy: expect.any(String) })
    expect((await choose(kitID, 'replace')).body.replacedBy, 'again').toBe(chosen.body.replacedBy)
    expect(await kit(chosen.body.replacedBy)).toMatchObject({ kitStatus: 'preparing', replacementFor: kitID })
    expect(await addressOf(orderID)).toMatchObject(newAddress)
    const came = await found([kitID])
    expect(came.body.data[0]).toMatchObject({ state: 'replaced', isHere: true, todo: expect.stringContaining('stock') })
  })

  it('is settled by the replacement that the business orders as before', async () => {
    const { kitID, number } = await shipped()
    await carrier(number, 'damaged', 1)
    await clinic.live.post(`/kits/${kitID}/replacement`, { reason: 'damaged' })
    expect((await box(kitID)).state).toBe('replaced')
  })

  it('or whose label was canceled is replaced, and one that somebody registered offers no replacement', async () => {
    const { kitID, number } = await shipped()
    await carrier(number, 'canceled', 1)
    const chosen = await choose(kitID, 'replace')
    expect(chosen.body, chosen.text).toMatchObject({ state: 'replaced' })
    const other = await shipped()
    await clinic.live.post(`/kits/${other.kitID}/register`, person(at.newEmail()))
    await found([other.kitID])
    expect((await box(other.kitID)).choices).toEqual(['sendAgain', 'close'])
    expect((await choose(other.kitID, 'replace')).status).toBe(409)
  })

  it('is given up by the business', async () => {
    const { kitID } = await shipped()
    await found([kitID], { outcome: 'damaged' })
    expect((await choose(kitID, 'close')).body).toMatchObject({ state: 'closed', isHere: true, choices: [] })
    expect((await choose(kitID, 'replace')).status).toBe(409)
  })
})

describe('a box whose recipient was erased', () => {
  it('is sent to nobody again: the packer is told to keep it back, and closing it is all that can be chosen', async () => {
    const email = at.newEmail()
    const { kitID } = await shipped({ recipient: { ...anOrder().recipient, email } })
    expect((await clinic.live.post(`/kits/${kitID}/register`, person(email))).status).toBe(200)
    await found([kitID])
    expect((await choose(kitID, 'sendAgain')).body.state).toBe('readyToSend')
    const { customerID } = await kit(kitID)
    expect((await clinic.live.request('DELETE', `/customers/${customerID}`)).status).toBe(200)

    const todo = 'The person was erased: nothing is sent any more. Destroy it, or put it into stock.'
    expect(await box(kitID)).toMatchObject({ choices: ['close'], todo })
    expect((await operator('GET', `/fulfilment/kits/${kitID}`)).body).toMatchObject({
      expected: 'nothing',
      sentence: todo,
    })
    expect((await ship(kitID)).status).toBe(409)
    expect((await choose(kitID, 'sendAgain')).body.allowed).toEqual(['close'])
    expect((await choose(kitID, 'close')).body.state).toBe('closed')
  })
})

describe('a sample of a kit that reached nobody', () => {
  it('is asked about before it is received, and received once a person confirms it', async () => {
    const { kitID, number } = await shipped()
    await carrier(number, 'return_to_sender', 1)
    const scanned = await operator('GET', `/fulfilment/kits/${kitID}`)
    expect(scanned.body.question).toContain('Is there really a sample in it?')
    const asked = await operator('POST', '/samples/receive', { kitID, accession: `U-${kitID}` })
    expect(asked.body).toMatchObject({ code: 'KIT_NEVER_ARRIVED' })
    expect((await kit(kitID)).sampleStatus).toBe('awaitingCollection')
    const taken = await operator('POST', '/samples/receive', { kitID, accession: `U-${kitID}`, confirm: true })
    expect(taken.body.sampleStatus, taken.text).toBe('received')
    expect((await box(kitID)).state).toBe('arrived')
  })

  it('whose results the laboratory sends waits for a person, until it is received', async () => {
    const { kitID } = await shipped()
    await clinic.live.post(`/kits/${kitID}/register`, person(at.newEmail()))
    await found([kitID])
    const results = {
      kitID,
      collectedDate: new Date().toISOString().slice(0, 10),
      results: [{ loinc: '13457-7', name: 'LDL cholesterol', value: 96, unit: 'mg/dL' }],
    }
    const sent = await operator('POST', '/lab/results', results)
    expect(sent.body.reports[0], sent.text).toMatchObject({ status: 'waiting' })
    expect((await kit(kitID)).kitStatus).toBe('registered')
    await operator('POST', '/samples/receive', { kitID, confirm: true })
    const again = await operator('POST', '/lab/results', { ...results, sequence: 2 })
    expect(again.body.reports[0], again.text).not.toMatchObject({ status: 'waiting' })
  })

  it('is not asked about once its person registered it, or the carrier delivered it', async () => {
    const one = await shipped()
    await carrier(one.number, 'exception', 1)
    await clinic.live.post(`/kits/${one.kitID}/register`, person(at.newEmail()))
    expect((await operator('POST', '/samples/receive', { kitID: one.kitID })).status).toBe(200)
    const two = await shipped()
    await carrier(two.number, 'available_for_pickup', 1)
    await carrier(two.number, 'delivered', 2)
    expect((await operator('POST', '/samples/receive', { kitID: two.kitID })).status).toBe(200)
  })
})

describe('the recipient of a box that came back', () => {
  const notified = (email: string, changes = {}) => ({
    recipient: { ...anOrder().recipient, email },
    isNotifyReceiver: true,
    ...changes,
  })

  it('is asked for the address by one e-mail, and corrects it on a page that shows nothing of the old one', async () => {
    const email = at.newEmail()
    const { kitIDs, kitID, orderID, number } = await shipped(
      notified(email, { kit_types: [{ kitType: CORE, quantity: 2 }] }),
    )
    await carrier(number, 'return_to_sender', 1)
    await found(kitIDs)
    const asked = (await at.emailsTo(email)).filter(({ kind }) => kind === 'address_wanted')
    expect(asked).toHaveLength(1)
    expect((await at.emailsTo(email)).map(({ kind }) => kind)).not.toContain('delivery_exception')
    const { url, emailed } = (await clinic.live.post(`/kits/${kitID}/undelivered/link`, { email: false })).body
    expect(emailed).toBe(false)
    const path = new URL(url).pathname
    const browser = visitor(world.service.url)
    const shown = await browser.open(path)
    expect(shown.status).toBe(200)
    expect(shown.text).toContain(kitID)
    for (const secret of ['Main Street', 'Springfield', 'Ada', email]) expect(shown.text).not.toContain(secret)
    for (const wrong of [{ state: '' }, { zip: '0540' }, { street1: '' }, { country: '' }, { country: 'Atlantis' }]) {
      expect((await browser.submit(shown, { ...newAddress, ...wrong })).status).toBe(422)
    }
    const empty = await browser.submit(shown, { ...newAddress, city: '', zip: '' })
    expect(empty.text).toContain('City: Please fill this in.')
    expect(await addressOf(orderID)).toMatchObject({ city: 'Springfield' })
    expect(shown.html).toContain('<option value="US">United States</option>')
    const inSpanish = await browser.open(path, { 'accept-language': 'es' })
    expect(inSpanish.html).toContain('<option value="US">Estados Unidos</option>')
    const taken = await browser.submit(shown, { ...newAddress, zip: '\u0660\u0665\u0664\u0660\u0661' })
    expect(taken.status, taken.text).toBe(200)
    expect(await addressOf(orderID)).toMatchObject(newAddress)
    for (const one of kitIDs) expect((await box(one)).state).toBe('readyToSend')
    expect(shown.text).not.toContain('You have given an address already')
    expect((await browser.open(path)).text).toContain('You have given an address already')
    for (const one of kitIDs) expect((await ship(one, `${number}B`)).status).toBe(200)
    const late = await browser.open(path)
    expect(late.html).not.toContain('<form')
    expect((await browser.open('/a/unknown')).status).toBe(404)
  })

  it('is told that the parcel waits at a post office', async () => {
    const email = at.newEmail()
    const { number } = await shipped(notified(email))
    await carrier(number, 'available_for_pickup', 1)
    const kinds = (await at.emailsTo(email)).map(({ kind }) => kind)
    expect(kinds).toContain('parcel_waits')
    expect(kinds).not.toContain('delivery_exception')
  })

  it('who wants no e-mails gets none by itself, and a link where the business asks for it', async () => {
    const email = at.newEmail()
    const { kitID } = await shipped(notified(email, { isNotifyReceiver: false }))
    await found([kitID])
    expect(await at.emailsTo(email)).toEqual([])
    const sent = await clinic.live.post(`/kits/${kitID}/undelivered/link`)
    expect(sent.body.emailed, 'without a body').toBe(true)
    expect((await at.emailsTo(email)).map(({ kind }) => kind)).toEqual(['address_wanted'])
  })
})

describe('in the sandbox', () => {
  it('a returned box is played to its end: chosen, sent again, delivered', async () => {
    const placed = await clinic.sandbox.post('/create-order', anOrder())
    const { kits } = (await clinic.sandbox.get(`/orders/${placed.body.orderId}`)).body
    const { kitID } = kits[0]
    const played = await clinic.sandbox.post(`/sandbox/kits/${kitID}/scenario`, { scenario: 'returnedBox' })
    expect(played.body.kitStatus, played.text).toBe('deliveryException')
    const path = `/kits/${kitID}/undelivered`
    expect((await clinic.sandbox.get(path)).body).toMatchObject({ state: 'undecided', isHere: true })
    const chosen = await clinic.sandbox.post(path, { choice: 'sendAgain', recipientAddress: newAddress })
    expect(chosen.body.state).toBe('readyToSend')
    await clinic.sandbox.post(`/sandbox/kits/${kitID}/advance`, { status: 'kitInTransit' })
    expect((await clinic.sandbox.get(path)).body.state).toBe('sentAgain')
    await clinic.sandbox.post(`/sandbox/kits/${kitID}/advance`, { status: 'kitDelivered' })
    expect((await clinic.sandbox.get(path)).body.state).toBe('arrived')
    await clinic.sandbox.post(`/sandbox/kits/${kitID}/scenario`, { scenario: 'lost' })
    expect((await clinic.sandbox.get(path)).body).toMatchObject({ outcome: 'lost', state: 'needsNewKit' })
    for (const choice of ['replace', 'close']) {
      const given = await clinic.sandbox.post(path, { choice })
      expect(given.status, given.text).toBe(200)
      await clinic.sandbox.post(`/sandbox/kits/${kitID}/advance`, { status: 'kitInTransit' })
      await clinic.sandbox.post(`/sandbox/kits/${kitID}/scenario`, { scenario: 'returnedBox' })
      const { body } = await clinic.sandbox.get(path)
      expect(body, choice).toMatchObject({ state: 'undecided', isHere: true, choices: ['sendAgain', 'close'] })
    }
    await clinic.sandbox.post(`/sandbox/kits/${kitID}/advance`, { status: 'orderPlaced' })
    expect((await clinic.sandbox.get(path)).status, 'a kit that begins again').toBe(404)
  })
})
