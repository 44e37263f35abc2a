import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allOperatorScopes } from '../../src/domain/scopes.ts'
import { moveKit } from '../../src/modules/kits/move.ts'
import { afterLotBuilt } from '../../src/modules/recalls/follow.ts'
import { endRecalls } from '../../src/modules/recalls/queries.ts'
import { insertParts } from '../../src/modules/stock/lot-queries.ts'
import { readBackAll } from '../harness/critical.ts'
import { type Operator, operatorToken, operatorWith } from '../harness/operator.ts'
import { anOrder, CORE, recipient } from '../harness/orders.ts'
import { recipients } from '../harness/recipients.ts'
import { FHIR, PDF, readPdf } from '../harness/reports.ts'
import { aGtin, codeOf, inDays } from '../harness/stock.ts'
import { visitor } from '../harness/visitor.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let operator: Operator
let clinic: TestBusiness
let at: ReturnType<typeof recipients>
let gtin: string
beforeAll(async () => {
  world = await sharedWorld()
  operator = await operatorWith(world, allOperatorScopes)
  clinic = await world.business({ credits: 1000 })
  await clinic.live.request('PATCH', '/settings', { publishing: 'auto', publishAcknowledged: true })
  at = recipients(world)
  gtin = aGtin()
  expect((await operator('POST', `/stock/products/${gtin}`, { kitType: CORE })).status).toBe(200)
})
afterAll(() => world.stop())

interface Report {
  reportID: string
}
interface Heard {
  recallID: string
  kitID: string
  done: string[]
}

/** What the business heard of a recall. */
async function heardOf(id: string): Promise<Heard[]> {
  await world.settled()
  const { data } = (await clinic.live.get('/events?size=250&type=kit.recalled')).body
  return data.map((event: { data: Heard }) => event.data).filter(({ recallID }: Heard) => recallID === id)
}

let last = 0
const unique = (prefix: string) => `${prefix}${gtin.slice(4, 13)}${++last}`
const aNumber = () => `1ZRCL${Date.now()}${String(++last).padStart(6, '0')}`

/** A lot of a component, just received. */
async function aComponent(component = unique('Lancet '), more: Record<string, unknown> = {}) {
  const lot = unique('C')
  const answer = await operator('POST', '/stock/components', {
    component,
    lot,
    expiryDate: inDays(400),
    quantity: 1000,
    ...more,
  })
  expect(answer.status, answer.text).toBe(200)
  return { component, lot }
}

const kitLot = (lot: string, more: Record<string, unknown> = {}) =>
  operator('POST', '/stock/kit-lots', { product: gtin, lot, ...more })

const unload = async (lot: string) =>
  expect((await operator('POST', '/stock/kit-lots', { product: CORE, lot, load: false })).body.isLoaded).toBe(false)

async function ordered(changes: Record<string, unknown> = {}, of = clinic): Promise<string> {
  const placed = await of.live.post('/create-order', anOrder(changes))
  expect(placed.status, placed.text).toBe(201)
  return (await of.live.get(`/orders/${placed.body.orderId}`)).body.kits[0].kitID
}

const ship = (kitID: string, box?: string, more: Record<string, unknown> = {}) =>
  operator('POST', '/fulfilment/shipments', {
    kitID,
    carrier: 'UPS',
    outboundTrackingNumber: aNumber(),
    ...more,
    ...(box && { box }),
  })

/** A kit in a box of a lot, on its way. */
async function boxed(lot: string, changes: Record<string, unknown> = {}, of = clinic, label = {}) {
  const code = codeOf({ gtin, serial: unique('S').slice(0, 20), lot, expiresOn: inDays(365) })
  const received = await operator('POST', '/stock/receipts', { place: 'Main', boxes: [{ code }] })
  expect(received.body.done, received.text).toBe(1)
  const kitID = await ordered(changes, of)
  const sent = await ship(kitID, code, label)
  expect(sent.status, sent.text).toBe(200)
  return kitID
}

const somebody = () => ({
  firstName: 'Ada',
  lastName: 'Kern',
  email: `recall${Date.now()}.${++last}@people.test`,
  dateOfBirth: '1981-04-05',
  sex: 'F',
})
const register = async (kitID: string, person = somebody()) => {
  const answer = await clinic.live.post(`/kits/${kitID}/register`, person)
  expect(answer.status, answer.text).toBe(200)
  return person
}
const results = (kitID: string, more: Record<string, unknown> = {}) =>
  operator('POST', '/lab/results', {
    kitID,
    results: [{ name: 'Glucose', loinc: '2345-7', value: 88, unit: 'mg/dL' }],
    ...more,
  })
const begin = async (body: Record<string, unknown>) => {
  const answer = await operator('POST', '/recalls', { reason: 'Not sterile', ...body })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}
const recall = async (id: string) => (await operator('GET', `/recalls/${id}`)).body
const done = async (id: string) => {
  await expect.poll(async () => (await recall(id)).state).toBe('done')
  return recall(id)
}
const kit = async (kitID: string) => (await clinic.live.get(`/kits?kitID=${kitID}`)).body[0]
const recalled = async (kitID: string) => (await clinic.live.get(`/recalled-kits?kitID=${kitID}`)).body.data[0]
const kinds = async (to: string) => (await at.emailsTo(to)).map(({ kind }) => kind)

describe('a recall of a component', () => {
  it('finds every kit that holds the lot and no other, stops them, tells their people, and sends free kits', async () => {
    const part = await aComponent()
    const [bad, good] = [unique('L'), unique('L')]
    expect((await kitLot(bad, { components: [part] })).status).toBe(200)
    expect((await kitLot(good, { components: [await aComponent(part.component)] })).status).toBe(200)
    const email = `box${Date.now()}@people.test`
    const out = await boxed(bad, { isNotifyReceiver: true, recipient: { ...recipient, email } })
    const [person, sampled] = [somebody(), somebody()]
    const worn = await boxed(bad, { recipient: { ...recipient, email: person.email } })
    await register(worn, person)
    const here = await boxed(bad, { recipient: { ...recipient, email: sampled.email } })
    await register(here, sampled)
    await operator('POST', '/samples/receive', { kitID: here })
    const other = await boxed(good)
    const wanted = { kind: 'componentLot', subject: part.component, lot: part.lot }
    const preview = await operator('GET', `/recalls/preview?${new URLSearchParams(wanted)}`)
    expect(preview.body, preview.text).toMatchObject({ kits: 3, businesses: 1, boxesInStock: 0 })
    expect(preview.body.stages).toEqual([
      { stage: 'withRecipient', kits: 1 },
      { stage: 'registered', kits: 1 },
      { stage: 'atLaboratory', kits: 1 },
    ])

    const { id } = await begin({ ...wanted, grade: 'II' })
    const refused = await clinic.live.post(`/kits/${out}/register`, somebody())
    expect([refused.status, refused.body.code], 'from the answer on').toEqual([409, 'KIT_RECALLED'])
    const ended = await done(id)
    expect(ended).toMatchObject({ kits: 3, due: 0, told: 3, replaced: 3, grade: 'II' })

    expect(await recalled(out)).toMatchObject({
      recallID: id,
      stage: 'withRecipient',
      done: ['stopped', 'replaced', 'told'],
    })
    expect(await recalled(other)).toBeUndefined()
    const stopped = await kit(worn)
    expect(stopped).toMatchObject({ kitStatus: 'registered', replacedBy: expect.any(String) })
    expect(await kit(stopped.replacedBy)).toMatchObject({ replacementFor: worn, kitStatus: 'preparing' })
    expect(await kit(here)).toMatchObject({ sampleStatus: 'rejected', exceptionReason: 'Not sterile' })
    expect(await kinds(email)).toContain('recalled_box')
    expect(await kinds(person.email)).toContain('recalled_box')
    expect(await kinds(sampled.email)).toContain('recalled_sample')
    expect(await kinds(sampled.email)).not.toContain('sample_rejected')
    expect((await heardOf(id)).map(({ kitID }) => kitID).sort()).toEqual([out, worn, here].sort())
  })

  it('says to the business and the operator whom they have still to tell, until it is closed', async () => {
    const lot = unique('L')
    const other = await world.business({ credits: 10 })
    await other.live.request('PATCH', '/settings', { contactEmail: `care.${lot.toLowerCase()}@clinic.test` })
    const waiting = async () => {
      const { attention } = (await other.live.get('/overview')).body
      return attention.find(({ kind }: { kind: string }) => kind === 'recalledKits')
    }
    const ofAll = async () => (await operator('GET', '/overview')).body.recalledKits
    const kits = [await boxed(lot, {}, other), await boxed(lot, {}, other)]
    const email = `${lot.toLowerCase()}@people.test`
    kits.push(await boxed(lot, { isNotifyReceiver: true, recipient: { ...recipient, email } }, other))
    expect(await waiting()).toBeUndefined()
    const { id } = await begin({ kind: 'kitLot', subject: gtin, lot })
    await done(id)
    expect(await waiting()).toMatchObject({ count: 2, example: expect.any(String) })
    expect(await ofAll()).toBeGreaterThanOrEqual(2)
    expect(await kinds(`care.${lot.toLowerCase()}@clinic.test`)).toEqual(['kits_recalled'])
    const late = await begin({ kind: 'kitLot', subject: gtin, lot, reason: 'Not sterile at all' })
    await done(late.id)
    expect(await kinds(`care.${lot.toLowerCase()}@clinic.test`), 'once').toEqual(['kits_recalled'])
    await operator('POST', `/recalls/${id}/release`, { kitIDs: kits.slice(0, 1), reason: 'Measured again' })
    expect(await waiting()).toMatchObject({ count: 1, example: kits[1] })
    await operator('POST', `/recalls/${id}/close`)
    expect(await waiting()).toBeUndefined()
  })

  it('says of a box that came back not to send it again', async () => {
    const lot = unique('L')
    const kitID = await boxed(lot)
    expect((await operator('POST', '/undelivered', { kitIDs: [kitID], outcome: 'returnedToSender' })).status).toBe(200)
    await done((await begin({ kind: 'kitLot', subject: gtin, lot })).id)
    const { todo } = (await clinic.live.get(`/kits/${kitID}/undelivered`)).body
    expect(todo).toBe('It was recalled. Do not send it again: destroy it.')
  })

  it('neither writes nor sends a kit for a box that nobody has, and does both once it arrives after all', async () => {
    const lot = unique('L')
    const email = `${lot.toLowerCase()}@people.test`
    const wanted = { isNotifyReceiver: true, recipient: { ...recipient, email } }
    const [lost, closed, back, again, owned] = [
      await boxed(lot, wanted),
      await boxed(lot, wanted),
      await boxed(lot, wanted),
      await boxed(lot, wanted),
      await boxed(lot, wanted),
    ]
    const report = (kitID: string, outcome: string) => operator('POST', '/undelivered', { kitIDs: [kitID], outcome })
    const choose = (kitID: string, choice: string) => clinic.live.post(`/kits/${kitID}/undelivered`, { choice })
    await report(lost, 'lost')
    expect((await choose(lost, 'replace')).status).toBe(200)
    const { replacedBy } = await kit(lost)
    await report(closed, 'lost')
    expect((await choose(closed, 'close')).status).toBe(200)
    await report(back, 'returnedToSender')
    await report(again, 'returnedToSender')
    expect((await choose(again, 'sendAgain')).status).toBe(200)
    await register(owned, { ...somebody(), email })
    await report(owned, 'returnedToSender')
    const selector = { kind: 'kitLot', subject: gtin, lot }
    const preview = await operator('GET', `/recalls/preview?${new URLSearchParams(selector)}`)
    expect(preview.body.stages).toEqual([{ stage: 'undelivered', kits: 5 }])
    const { id } = await begin(selector)
    expect(await done(id)).toMatchObject({ kits: 5, told: 0, replaced: 2 })
    for (const kitID of [lost, closed, back])
      expect(await recalled(kitID)).toMatchObject({ stage: 'undelivered', done: ['stopped'] })
    expect((await kit(lost)).replacedBy, 'no second').toBe(replacedBy)
    expect((await kit(back)).replacedBy).toBeUndefined()
    for (const kitID of [again, owned])
      expect(await recalled(kitID), 'somebody waits for it').toMatchObject({ done: ['stopped', 'replaced'] })
    expect((await kinds(email)).filter((kind) => kind.startsWith('recalled_'))).toEqual([])
    const untold = (await clinic.live.get(`/recalled-kits?isTold=false&kitID=${[lost, closed, back, again, owned]}`))
      .body
    expect(untold.data, 'there is nobody to tell').toEqual([])
    expect((await operator('GET', `/lots/${lot}`)).body.data[0]).toMatchObject({ stage: 'undelivered' })

    const { trackingNumber } = (await clinic.live.get(`/kits/${closed}/undelivered`)).body
    const delivered = { trackingNumber, status: 'delivered', at: new Date().toISOString() }
    expect((await operator('POST', '/carrier-events', [delivered])).body.events).toMatchObject([{ outcome: 'moved' }])
    await expect.poll(async () => (await recalled(closed)).done).toEqual(['stopped', 'replaced', 'told'])
    expect((await kinds(email)).filter((kind) => kind.startsWith('recalled_'))).toEqual(['recalled_box'])
    expect((await heardOf(id)).filter(({ kitID }) => kitID === closed).map((one) => one.done)).toEqual([
      ['stopped'],
      ['stopped', 'replaced', 'told'],
    ])
  })

  it('lets nobody send a recalled box again, and asks no recipient where it goes', async () => {
    const lot = unique('L')
    const email = `${lot.toLowerCase()}@people.test`
    const wanted = { isNotifyReceiver: true, recipient: { ...recipient, email } }
    const [before, after] = [await boxed(lot, wanted), await boxed(lot, wanted)]
    const back = (kitID: string) => operator('POST', '/undelivered', { kitIDs: [kitID], outcome: 'returnedToSender' })
    const box = async (kitID: string) => (await clinic.live.get(`/kits/${kitID}/undelivered`)).body
    await back(before)
    expect((await box(before)).choices).toEqual(['sendAgain', 'replace', 'close'])
    const asked = (await kinds(email)).filter((kind) => !kind.startsWith('recalled_'))
    await done((await begin({ kind: 'kitLot', subject: gtin, lot })).id)
    await back(after)
    expect((await kinds(email)).filter((kind) => !kind.startsWith('recalled_'))).toEqual(asked)
    expect((await box(before)).choices).toEqual(['replace', 'close'])
    expect((await box(after)).choices, 'another one was sent').toEqual(['close'])
    const refused = await clinic.live.post(`/kits/${before}/undelivered`, { choice: 'sendAgain' })
    expect([refused.status, refused.body.code]).toEqual([409, 'ILLEGAL_TRANSITION'])
    expect(refused.body.allowed).toEqual(['replace', 'close'])
    expect((await clinic.live.post(`/kits/${before}/undelivered`, { choice: 'replace' })).status).toBe(200)
  })

  it('writes nothing about a box that must not be used when it arrives, is held up or waits to be fetched', async () => {
    const lot = unique('L')
    const email = `${lot.toLowerCase()}@people.test`
    const wanted = { isNotifyReceiver: true, recipient: { ...recipient, email } }
    const boxes = [aNumber(), aNumber(), aNumber()]
    for (const outboundTrackingNumber of boxes) await boxed(lot, wanted, clinic, { outboundTrackingNumber })
    await done((await begin({ kind: 'kitLot', subject: gtin, lot })).id)
    const before = await kinds(email)
    expect(before.filter((kind) => kind === 'recalled_box')).toHaveLength(3)
    const said = ['in_transit', 'available_for_pickup', 'exception', 'delivered']
    for (const [index, trackingNumber] of boxes.entries())
      for (const status of said.slice(index)) {
        const event = { trackingNumber, status, at: new Date().toISOString() }
        expect((await operator('POST', '/carrier-events', [event])).body.events).toHaveLength(1)
      }
    expect(await kinds(email)).toEqual(before)
  })

  it('says of a lost box, in whose place it sent another one, that nothing is to do, and writes to nobody', async () => {
    const lot = unique('L')
    const email = `${lot.toLowerCase()}@people.test`
    const kitID = await boxed(lot, { isNotifyReceiver: true, recipient: { ...recipient, email } })
    await done((await begin({ kind: 'kitLot', subject: gtin, lot })).id)
    expect((await operator('POST', '/undelivered', { kitIDs: [kitID], outcome: 'lost' })).status).toBe(200)
    const { todo } = (await clinic.live.get(`/kits/${kitID}/undelivered`)).body
    expect(todo).toBe('Another kit was sent in its place. Nothing to do.')
    expect(await kit(kitID)).toMatchObject({ kitStatus: 'deliveryException' })
    expect(await kinds(email)).not.toContain('delivery_exception')
  })

  it('lets a recipient say where the good box of an order goes by the link that names the recalled one', async () => {
    const [bad, good] = [unique('L'), unique('L')]
    const placed = await clinic.live.post('/create-order', anOrder({ kit_types: [{ kitType: CORE, quantity: 2 }] }))
    const { kits } = (await clinic.live.get(`/orders/${placed.body.orderId}`)).body
    const ids: string[] = kits.map(({ kitID }: { kitID: string }) => kitID)
    for (const [index, lot] of [bad, good].entries()) {
      const code = codeOf({ gtin, serial: unique('S').slice(0, 20), lot, expiresOn: inDays(365) })
      await operator('POST', '/stock/receipts', { place: 'Main', boxes: [{ code }] })
      expect((await ship(ids[index] ?? '', code)).status).toBe(200)
    }
    const report = (kitIDs: string[]) => operator('POST', '/undelivered', { kitIDs, outcome: 'returnedToSender' })
    expect((await report(ids)).status).toBe(200)
    const link = async (kitID = '') =>
      new URL((await clinic.live.post(`/kits/${kitID}/undelivered/link`, { email: false })).body.url).pathname
    const path = await link(ids[0])
    const alone = await boxed(bad)
    await report([alone])
    const lonely = await link(alone)
    await done((await begin({ kind: 'kitLot', subject: gtin, lot: bad })).id)
    const browser = visitor(world.service.url)
    expect((await browser.open(lonely)).text).toContain('This kit is not sent again')
    const shown = await browser.open(path)
    expect(shown.text).toContain(ids[1])
    const address = { street1: '9 New Road', city: 'Burlington', state: 'VT', zip: '05401', country: 'US' }
    expect((await browser.submit(shown, address)).status).toBe(200)
    const states = ids.map(async (kitID) => (await clinic.live.get(`/kits/${kitID}/undelivered`)).body.state)
    expect(await Promise.all(states)).toEqual(['undecided', 'readyToSend'])
  })

  it('writes to nobody that a sample arrived which it rejects', async () => {
    const lot = unique('L')
    const kitID = await boxed(lot, { isNotifyReceiver: true })
    const person = await register(kitID)
    await done((await begin({ kind: 'kitLot', subject: gtin, lot })).id)
    expect((await operator('POST', '/samples/receive', { kitID })).status).toBe(200)
    await expect.poll(async () => (await kit(kitID)).sampleStatus).toBe('rejected')
    expect(await kinds(person.email)).not.toContain('sample_received')
  })

  it('tells who registered a kit after a packer reported its box: they may have it', async () => {
    const lot = unique('L')
    const kitID = await boxed(lot)
    expect((await operator('POST', '/undelivered', { kitIDs: [kitID], outcome: 'refused' })).status).toBe(200)
    const person = await register(kitID)
    await done((await begin({ kind: 'kitLot', subject: gtin, lot })).id)
    expect(await recalled(kitID)).toMatchObject({ stage: 'registered', done: ['stopped', 'told'] })
    expect(await kinds(person.email)).toContain('recalled_box')
  })

  it('tells whom the kit was sent to while its registration is in doubt, and again once it is cleared', async () => {
    const lot = unique('L')
    const known = await register(await ordered())
    const doubted = { ...known, dateOfBirth: '1990-01-02' }
    const to = (email: string) => ({ isNotifyReceiver: true, recipient: { ...recipient, email } })
    const [before, later] = [`${lot.toLowerCase()}.1@people.test`, `${lot.toLowerCase()}.2@people.test`]
    const [inDoubt, sure, quiet] = [await boxed(lot, to(before)), await boxed(lot, to(later)), await boxed(lot)]
    for (const kitID of [inDoubt, quiet])
      expect((await clinic.live.post(`/kits/${kitID}/register`, doubted)).status).toBe(200)
    const owner = await register(sure)
    const { id } = await begin({ kind: 'kitLot', subject: gtin, lot })
    await done(id)
    const letters = async (email: string) => (await kinds(email)).filter((kind) => kind === 'recalled_box').length
    expect(await letters(before)).toBe(1)
    expect(await letters(known.email), 'of both kits').toBe(2)
    expect((await recalled(quiet)).done, 'whom it was sent to wants no e-mail').toEqual(['stopped'])
    expect(await letters(owner.email)).toBe(1)
    await at.inRealm(clinic, (tx) => moveKit(tx, sure, 'registrationException', { reason: 'Two people claim it' }))
    for (const kitID of [inDoubt, sure, quiet])
      expect((await clinic.live.post(`/kits/${kitID}/registration/clear`)).status).toBe(200)
    await expect.poll(() => letters(later)).toBe(1)
    await expect.poll(async () => (await recall(id)).due).toBe(0)
    expect(await letters(before), 'and that another kit comes').toBe(2)
    expect(await letters(owner.email), 'knows it').toBe(1)
    const untold = (await clinic.live.get(`/recalled-kits?isTold=false&kitID=${[inDoubt, sure, quiet]}`)).body.data
    expect(untold.map(({ kitID }: { kitID: string }) => kitID)).toEqual([quiet])
  })

  it('holds no sample that it rejects, asks nobody to register it, and says why its results wait', async () => {
    const lot = unique('L')
    const email = `${lot.toLowerCase()}@people.test`
    const wanted = { isNotifyReceiver: true, recipient: { ...recipient, email } }
    const [early, here, named] = [await boxed(lot, wanted), await boxed(lot, wanted), await boxed(lot, wanted)]
    const reasonOf = async (kitID: string) => {
      const waiting = (await operator('GET', '/lab/messages?size=250')).body
      return waiting.find((one: { kitID?: string }) => one.kitID === kitID)?.reason
    }
    expect((await results(early)).body.reports).toMatchObject([{ status: 'waiting' }])
    expect(await reasonOf(early)).toBe('Nobody has registered the kit: ask the customer to do so')
    const hold = async (kitID: string) => (await clinic.live.get(`/kits/${kitID}/hold`)).body
    expect(await hold(early)).toMatchObject({ state: 'open' })
    const { id } = await begin({ kind: 'kitLot', subject: gtin, lot })
    await done(id)
    expect(await hold(early)).toMatchObject({ state: 'discarded', requiredActions: [] })
    const before = await kinds(email)
    await operator('POST', '/samples/receive', { kitID: here })
    await results(named)
    for (const kitID of [here, named]) expect(await hold(kitID)).toMatchObject({ code: 'HOLD_NOT_FOUND' })
    const asked = await operator('POST', `/kits/${named}/hold`, { causes: ['labelUnreadable'] })
    expect(asked.body.code).toBe('ILLEGAL_TRANSITION')
    for (const kitID of [early, named])
      expect(await reasonOf(kitID)).toBe('The kit was recalled, so that nobody can register it: close this message')
    await expect.poll(async () => (await kit(here)).sampleStatus).toBe('rejected')
    expect((await kinds(email)).filter((kind) => !kind.startsWith('recalled_'))).toEqual(
      before.filter((kind) => !kind.startsWith('recalled_')),
    )
    await operator('POST', `/recalls/${id}/release`, { kitIDs: [named], reason: 'It was right' })
    expect(await reasonOf(named)).toBe('Nobody has registered the kit: ask the customer to do so')
  })

  it('says to the business where the recall itself writes to nobody, and counts no erased person', async () => {
    const lot = unique('L')
    const other = await world.business({ credits: 10 })
    const care = `care.${lot.toLowerCase()}@clinic.test`
    await other.live.request('PATCH', '/settings', { contactEmail: care })
    const kits = [await boxed(lot, {}, other), await boxed(lot, {}, other)]
    const { customerId } = (await other.live.post(`/kits/${kits[0]}/register`, somebody())).body
    expect((await other.live.request('DELETE', `/customers/${customerId}`)).status).toBeLessThan(300)
    await done((await begin({ kind: 'kitLot', subject: gtin, lot, actions: ['stopUse'] })).id)
    const { data } = (await operator('GET', `/emails?businessID=${other.id}&size=250`)).body
    const written = data.find(({ kind }: { kind: string }) => kind === 'kits_recalled')
    const { text } = (await operator('GET', `/emails/${written.id}`)).body
    expect(text).toContain('We write to nobody. Please tell each person at once.')
    const listed = (await other.live.get('/recalled-kits?isTold=false')).body.data
    expect(listed.map(({ kitID }: { kitID: string }) => kitID)).toEqual([kits[1]])
  })

  it('counts a kit once that two recalls found and of which nobody was told', async () => {
    const part = await aComponent()
    const lot = unique('L')
    await kitLot(lot, { components: [part] })
    await boxed(lot)
    const waiting = async () => [
      (await operator('GET', '/overview')).body.recalledKits ?? 0,
      (await clinic.live.get('/overview')).body.attention.find(({ kind }: { kind: string }) => kind === 'recalledKits')
        ?.count ?? 0,
    ]
    const [ofAll, own] = await waiting()
    await done((await begin({ kind: 'kitLot', subject: gtin, lot })).id)
    await done((await begin({ kind: 'componentLot', subject: part.component, lot: part.lot })).id)
    expect(await waiting()).toEqual([ofAll + 1, own + 1])
  })

  it('packs none of it any more, in boxes or by hand', async () => {
    const part = await aComponent()
    const lot = unique('L')
    await kitLot(lot, { components: [part] })
    const byHand = await operator('POST', '/stock/kit-lots', { product: CORE, lot, components: [part], load: true })
    expect(byHand.body, byHand.text).toMatchObject({ isLoaded: true, components: [part] })
    try {
      const loose = await ordered()
      expect((await ship(loose)).status).toBe(200)
      const traced = (await operator('GET', `/kits/${loose}/lots`)).body
      expect(traced.lots).toEqual([
        { kind: 'kitLot', subject: CORE, lot },
        { kind: 'componentLot', subject: part.component, lot: part.lot },
      ])
      const { id } = await begin({ kind: 'componentLot', subject: part.component, lot: part.lot })
      expect((await done(id)).kits).toBe(1)
      const next = await ordered()
      const refused = await ship(next)
      expect([refused.status, refused.body.code]).toEqual([409, 'LOT_REFUSED'])
      expect(refused.body.error).toContain('quarantine')
      const code = codeOf({ gtin, serial: unique('S').slice(0, 20), lot, expiresOn: inDays(365) })
      await operator('POST', '/stock/receipts', { place: 'Main', boxes: [{ code }] })
      const box = await ship(next, code)
      expect([box.status, box.body.code]).toEqual([409, 'BOX_REFUSED'])
    } finally {
      await unload(lot)
    }
  })

  it('is done at once where no kit holds the lot, and adds the kits that turn out later to hold it, each once', async () => {
    const part = await aComponent()
    const lot = unique('L')
    const kitID = await boxed(lot)
    const wanted = { kind: 'componentLot', subject: part.component, lot: part.lot }
    const { id, kits } = await begin(wanted)
    expect(kits).toBe(0)
    await done(id)
    await kitLot(lot, { components: [part] })
    expect(await recall(id), 'as soon as that is said').toMatchObject({ kits: 1 })
    expect(await begin({ ...wanted, grade: 'I', reason: 'Worse than thought' })).toMatchObject({
      ...{ id, kits: 1, grade: 'I', reason: 'Worse than thought' },
    })
    expect((await done(id)).grade).toBe('I')
    expect(await recalled(kitID)).toMatchObject({ recallID: id, done: ['stopped', 'replaced'], grade: 'I' })
    expect((await operator('POST', `/recalls/${id}/close`)).body.state).toBe('closed')
  })

  it('is not done while a kit is due that was found as it ended', async () => {
    const part = await aComponent()
    const lot = unique('L')
    await boxed(lot)
    await kitLot(lot)
    const { id } = await begin({ kind: 'componentLot', subject: part.component, lot: part.lot })
    await done(id)
    const { database } = world.service
    const actor = { name: 'test' }
    // Where nothing was due, the job was about to end it.
    await database.asSystem(actor, (tx) => tx.run(sql`update recalls set state = 'running' where id = ${id}`))
    const [isFound, isEnding] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const finding = database.asSystem(actor, async (tx) => {
      await insertParts(tx, { product: gtin, lot }, [part])
      await afterLotBuilt(tx, { product: gtin, lot })
      isFound.resolve()
      await isEnding.promise
    })
    await Promise.race([isFound.promise, finding])
    let hasEnded = false
    const ending = database.asSystem(actor, endRecalls).then(() => (hasEnded = true))
    const owner = await world.owner()
    const waits = `select from pg_locks l join pg_stat_activity a using (pid) where a.datname = current_database() and not l.granted`
    await expect.poll(async () => hasEnded || ((await owner.query(waits)).rowCount ?? 0) > 0).toBe(true)
    isEnding.resolve()
    await Promise.all([finding, ending])
    expect(await done(id)).toMatchObject({ kits: 1, due: 0 })
  })

  it('keeps the lot set apart until it is closed', async () => {
    const part = await aComponent()
    const named = { kind: 'componentLot', subject: part.component, lot: part.lot }
    const { id } = await begin(named)
    const refused = await operator('POST', '/stock/quarantine', named)
    expect([refused.status, refused.body.code]).toEqual([409, 'LOT_REFUSED'])
    const query = new URLSearchParams({ component: part.component, lot: part.lot })
    const [listed] = (await operator('GET', `/stock/components?${query}`)).body.data
    expect(listed, 'so that nobody is offered to use it').toMatchObject({ isRecalled: true })
    await done(id)
    await operator('POST', `/recalls/${id}/close`)
    expect((await operator('POST', '/stock/quarantine', named)).body).toEqual({ quarantined: false })
  })

  it('is neither previewed nor begun for a lot that was never received, which would seem to be held by nobody', async () => {
    const preview = await operator('GET', '/recalls/preview?kind=componentLot&subject=Lancte&lot=1')
    expect([preview.status, preview.body.code]).toEqual([404, 'LOT_NOT_FOUND'])
    const ofKits = await operator('GET', `/recalls/preview?kind=kitLot&subject=${gtin}&lot=NOPE`)
    expect([ofKits.status, ofKits.body.code]).toEqual([404, 'LOT_NOT_FOUND'])
    const begun = await operator('POST', '/recalls', { kind: 'kitLot', subject: CORE, lot: 'NOPE', reason: 'Wet' })
    expect([begun.status, begun.body.code]).toEqual([404, 'LOT_NOT_FOUND'])
    // Of one that is written otherwise, it says how.
    const { component, lot } = await aComponent()
    const other = new URLSearchParams({
      kind: 'componentLot',
      subject: component.toUpperCase(),
      lot: lot.toLowerCase(),
    })
    const written = await operator('GET', `/recalls/preview?${other}`)
    expect([written.status, written.body.error]).toEqual([
      404,
      expect.stringContaining(`known as ${lot} of ${component}`),
    ])
    const wrong = await operator('GET', '/recalls/preview?kind=kitLot&subject=Nothing&lot=1')
    expect(wrong.body.details, wrong.text).toMatchObject([{ path: 'subject' }])
  })

  it('rejects a sample that was under way once it is there, and writes to its person once', async () => {
    const part = await aComponent()
    const lot = unique('L')
    await kitLot(lot, { components: [part] })
    const returnTrackingNumber = aNumber()
    const kitID = await boxed(lot, {}, clinic, { returnTrackingNumber })
    const person = await register(kitID)
    const posted = { trackingNumber: returnTrackingNumber, status: 'in_transit', at: new Date().toISOString() }
    expect((await operator('POST', '/carrier-events', [posted])).body.events).toMatchObject([{ outcome: 'moved' }])
    const { id } = await begin({ kind: 'componentLot', subject: part.component, lot: part.lot })
    await done(id)
    expect(await recalled(kitID)).toMatchObject({ stage: 'sampleUnderWay' })
    const before = await kinds(person.email)
    await operator('POST', '/samples/receive', { kitID })
    await expect.poll(async () => (await kit(kitID)).sampleStatus).toBe('rejected')
    const after = await kinds(person.email)
    expect(after.filter((kind) => kind.startsWith('recalled_'))).toEqual(
      before.filter((kind) => kind.startsWith('recalled_')),
    )
    const scanned = await operator('GET', `/fulfilment/kits/${kitID}`)
    expect(scanned.body.expected, scanned.text).toBe('nothing')
  })

  it('sends one kit where the recalled one is taken back and packed from a good lot', async () => {
    const [bad, good] = [unique('L'), unique('L')]
    const kitID = await boxed(bad)
    await done((await begin({ kind: 'kitLot', subject: gtin, lot: bad })).id)
    const { replacedBy } = await kit(kitID)
    expect(await kit(replacedBy)).toMatchObject({ kitStatus: 'preparing' })
    const back = await operator('DELETE', `/fulfilment/shipments/${kitID}`)
    expect(back.body.kit, back.text).toMatchObject({ kitStatus: 'preparing' })
    expect(back.body.kit.replacedBy).toBeUndefined()
    expect(await kit(replacedBy), 'is not to be packed any more').toMatchObject({ kitStatus: 'canceled' })
    const code = codeOf({ gtin, serial: unique('S').slice(0, 20), lot: good, expiresOn: inDays(365) })
    await operator('POST', '/stock/receipts', { place: 'Main', boxes: [{ code }] })
    expect((await ship(kitID, code)).status).toBe(200)
    expect((await ship(replacedBy)).status).toBe(409)
    expect(await kit(kitID)).toMatchObject({ kitStatus: 'inTransit' })
    expect((await kit(kitID)).replacedBy).toBeUndefined()
    expect(await recalled(kitID)).toMatchObject({ released: true })
  })

  it('sends no free kit any more to a person who takes the consent back, unless it is packed already', async () => {
    const lot = unique('L')
    const person = somebody()
    const own = { recipient: { ...recipient, email: person.email } }
    const [used, out] = [await boxed(lot, own), await boxed(lot, own)]
    for (const kitID of [used, out]) await register(kitID, person)
    await operator('POST', '/samples/receive', { kitID: used })
    const { id } = await begin({ kind: 'kitLot', subject: gtin, lot })
    await done(id)
    const sent = [(await kit(used)).replacedBy, (await kit(out)).replacedBy]
    const takeBack = async (kitID: string) =>
      expect((await clinic.live.post(`/kits/${kitID}/consent/withdrawal`, { what: 'testing' })).status).toBeLessThan(
        300,
      )
    await takeBack(used)
    expect(await kit(sent[0])).toMatchObject({ kitStatus: 'canceled' })
    expect((await kit(used)).replacedBy).toBeUndefined()
    expect((await ship(sent[1])).status).toBe(200)
    await takeBack(out)
    expect(await kit(sent[1])).toMatchObject({ kitStatus: 'inTransit' })
    expect((await kit(out)).replacedBy).toBe(sent[1])
    await done(id)
    expect(await recall(id), 'nor another one').toMatchObject({ replaced: 2, underWay: 1 })
  })

  it('saves a sample that it rejected by mistake, with the kit that it sent in its place while that is not packed', async () => {
    const lot = unique('L')
    const person = somebody()
    const own = { recipient: { ...recipient, email: person.email } }
    const [saved, late] = [await boxed(lot, own), await boxed(lot, own)]
    for (const kitID of [saved, late]) {
      await register(kitID, person)
      await operator('POST', '/samples/receive', { kitID })
    }
    const { id } = await begin({ kind: 'kitLot', subject: gtin, lot })
    await done(id)
    const sent = [(await kit(saved)).replacedBy, (await kit(late)).replacedBy]
    const undo = (kitID: string) => operator('POST', '/samples/undo-rejection', { kitID })
    expect((await undo(saved)).body, 'it would be rejected again').toMatchObject({
      ...{ code: 'ILLEGAL_TRANSITION', error: expect.stringContaining('release the kit') },
    })
    expect(await kit(sent[0])).toMatchObject({ kitStatus: 'preparing' })
    await operator('POST', `/recalls/${id}/release`, { kitIDs: [saved, late], reason: 'Another lot' })
    expect((await undo(saved)).body).toMatchObject({ kitID: saved, sampleStatus: 'received' })
    expect(await kit(sent[0])).toMatchObject({ kitStatus: 'canceled' })
    expect((await kit(saved)).replacedBy).toBeUndefined()
    expect(await kinds(person.email), 'the person waited for another kit').toContain('sample_received')
    expect((await ship(sent[1])).status).toBe(200)
    expect((await undo(late)).body).toMatchObject({ error: expect.stringContaining('was sent in its place') })
    expect((await results(saved)).body.reports, 'it is tested').toHaveLength(1)
  })

  it('does not send a recalled kit whose person was told, or in whose place another one left', async () => {
    const lot = unique('L')
    const email = `${lot.toLowerCase()}@people.test`
    const told = await boxed(lot, { isNotifyReceiver: true, recipient: { ...recipient, email } })
    const replaced = await boxed(lot)
    const { id } = await begin({ kind: 'kitLot', subject: gtin, lot })
    await done(id)
    expect(await kinds(email)).toContain('recalled_box')
    expect((await ship((await kit(replaced)).replacedBy)).status).toBe(200)
    await operator('POST', `/recalls/${id}/release`, { kitIDs: [replaced], reason: 'It was right' })
    for (const kitID of [told, replaced]) {
      const { replacedBy } = await kit(kitID)
      const back = await operator('DELETE', `/fulfilment/shipments/${kitID}`)
      expect([back.status, back.body.error]).toEqual([409, expect.stringContaining('report this one as returned')])
      expect(await kit(kitID)).toMatchObject({ kitStatus: 'inTransit', replacedBy })
    }
    expect(await kit((await kit(told)).replacedBy), 'goes on').toMatchObject({ kitStatus: 'preparing' })
    expect((await operator('POST', '/undelivered', { kitIDs: [told], outcome: 'returnedToSender' })).status).toBe(200)
    const { todo } = (await clinic.live.get(`/kits/${told}/undelivered`)).body
    expect(todo).toBe('It was recalled. Do not send it again: destroy it.')
  })

  it('writes the same to a person once where two recalls find one kit, and again where it was released between', async () => {
    const [part, other] = [await aComponent(), await aComponent()]
    const lot = unique('L')
    await kitLot(lot, { components: [part, other] })
    const kitID = await boxed(lot)
    const person = await register(kitID)
    const letters = async () => (await kinds(person.email)).filter((kind) => kind === 'recalled_box').length
    await done((await begin({ kind: 'kitLot', subject: gtin, lot, grade: 'III' })).id)
    expect(await letters()).toBe(1)
    const { id } = await begin({ kind: 'componentLot', subject: part.component, lot: part.lot, grade: 'I' })
    expect(await done(id), 'the person knows').toMatchObject({ kits: 1, told: 1, replaced: 0 })
    expect(await letters()).toBe(1)
    const recalls = (await clinic.live.get(`/recalled-kits?kitID=${kitID}`)).body.data
    for (const { recallID } of recalls)
      await operator('POST', `/recalls/${recallID}/release`, { kitIDs: [kitID], reason: 'It was right' })
    await done((await begin({ kind: 'componentLot', subject: other.component, lot: other.lot })).id)
    expect(await letters(), 'who was told that it is right has to hear of it').toBe(2)
  })

  it('is said where a program or a person first reads the kit, and no more once it is released', async () => {
    const lot = unique('L')
    const code = codeOf({ gtin, serial: unique('S').slice(0, 20), lot, expiresOn: inDays(365) })
    await operator('POST', '/stock/receipts', { place: 'Main', boxes: [{ code }] })
    const kitID = await ordered()
    expect((await ship(kitID, code)).status).toBe(200)
    const read = async () => [
      (await clinic.live.get(`/kits/${kitID}/validate`)).body,
      (await clinic.live.get(`/kits/${encodeURIComponent(code)}/validate`)).body,
      (await clinic.live.get(`/kits/${kitID}`)).body,
    ]
    expect((await read()).map(({ isRecalled }) => isRecalled)).toEqual([undefined, undefined, undefined])
    const { id } = await begin({ kind: 'kitLot', subject: gtin, lot })
    expect(await read()).toMatchObject([
      { exists: true, kitID, isRecalled: true },
      { exists: true, kitID, isRecalled: true },
      { kit: { kitID }, isRecalled: true },
    ])
    const typed = await visitor(world.service.url).open(`/k?kit=${encodeURIComponent(code)}`)
    expect(typed.text, 'before any consent').toContain('Please do not use this kit')
    expect((await visitor(world.service.url).open(`/k/${kitID}/consent`)).text).toContain('Please do not use this kit')
    await operator('POST', `/recalls/${id}/release`, { kitIDs: [kitID], reason: 'It was right' })
    expect((await read()).map(({ isRecalled }) => isRecalled)).toEqual([undefined, undefined, undefined])
  })

  it('shows a person who holds such a box a page that says not to use it, registered or not', async () => {
    const lot = unique('L')
    const [kitID, registered] = [await boxed(lot), await boxed(lot)]
    await register(registered)
    await begin({ kind: 'kitLot', subject: gtin, lot })
    for (const held of [kitID, registered]) {
      const page = await visitor(world.service.url).open(`/k/${held}`, { 'accept-language': 'de' })
      expect(page.text).toContain('Bitte verwenden Sie dieses Testset nicht')
    }
  })
})

describe('the page of a person', () => {
  const home = async (email: string) => {
    const [link = ''] = await at.linksTo(email)
    return (await at.enter(link, { day: '5', month: '4', year: '1981' })).home.text
  }

  it('says of a recalled sample what is so, promises no report of it, and names the kit that was ordered', async () => {
    const lot = unique('L')
    const person = somebody()
    const kitID = await boxed(lot, { isNotifyReceiver: true, recipient: { ...recipient, email: person.email } })
    await register(kitID, person)
    await at.inRealm(clinic, (tx) => moveKit(tx, kitID, 'sampleInTransit'))
    expect(await home(person.email)).toContain('Your sample is on its way')
    await done((await begin({ kind: 'kitLot', subject: gtin, lot })).id)
    const { replacedBy } = await kit(kitID)
    const isSaid = async () => {
      const text = await home(person.email)
      expect(text).toContain('Your sample cannot be tested')
      expect(text).toContain(`Another kit was ordered for you, free of charge: ${replacedBy}`)
      expect(text).not.toMatch(/There is nothing that you need to do|When will the report|You will hear from us/)
    }
    await isSaid()
    await operator('POST', '/samples/receive', { kitID })
    await expect.poll(async () => (await kit(kitID)).sampleStatus).toBe('rejected')
    await isSaid()
  })

  it('says that results are held back, and not when they are likely to be ready', async () => {
    const lot = unique('R')
    const person = somebody()
    const kitID = await boxed('L0', { isNotifyReceiver: true, recipient: { ...recipient, email: person.email } })
    await register(kitID, person)
    await begin({ kind: 'reagentLot', subject: 'HELD', lot })
    await operator('POST', '/samples/receive', { kitID })
    await results(kitID, { measuredWith: [{ kind: 'reagentLot', subject: 'HELD', lot }] })
    const text = await home(person.email)
    expect(text).toContain('Your results are held back')
    expect(text).not.toMatch(/likely to be ready|honest date|is promised/)
  })
})

describe('the release of a kit', () => {
  const letters = async (email: string) => (await kinds(email)).filter((kind) => kind.startsWith('released_'))

  it('tells once whoever was told and can use the kit, and nobody to whom another one was sent', async () => {
    const [lot, other] = [unique('L'), unique('L')]
    const email = `${lot.toLowerCase()}@people.test`
    const wanted = { isNotifyReceiver: true, recipient: { ...recipient, email } }
    const [out, quiet, back] = [await boxed(lot, wanted), await boxed(lot), await boxed(lot, wanted)]
    const replaced = await boxed(other, wanted)
    const person = await register(await ordered())
    const mine = await boxed(lot, { recipient: { ...recipient, email: person.email } })
    await register(mine, person)
    await at.inRealm(clinic, (tx) => moveKit(tx, mine, 'sampleInTransit'))
    const actions = ['stopUse', 'rejectSamples', 'tell']
    const { id } = await begin({ kind: 'kitLot', subject: gtin, lot, actions })
    const second = await begin({ kind: 'kitLot', subject: gtin, lot: other })
    for (const one of [id, second.id]) await done(one)
    await operator('POST', '/undelivered', { kitIDs: [back], outcome: 'returnedToSender' })
    for (const kitIDs of [[out, quiet, back, mine], [out]])
      expect((await operator('POST', `/recalls/${id}/release`, { kitIDs, reason: 'It was right' })).status).toBe(200)
    await operator('POST', `/recalls/${second.id}/release`, { kitIDs: [replaced], reason: 'It was right' })
    expect(await letters(email)).toEqual(['released_box'])
    expect(await letters(person.email)).toEqual(['released_sample'])
  })

  it('says of results that they count, once no other recall is left', async () => {
    const [one, two] = [unique('R'), unique('R')]
    const kitID = await boxed('L0')
    const person = await register(kitID)
    const measured = [one, two].map((lot) => ({ kind: 'reagentLot', subject: 'GLUC3', lot }))
    await results(kitID, { measuredWith: measured })
    const recalls = [await begin({ kind: 'reagentLot', lot: one }), await begin({ kind: 'reagentLot', lot: two })]
    for (const { id } of recalls) await done(id)
    const release = ({ id }: { id: string }) =>
      operator('POST', `/recalls/${id}/release`, { kitIDs: [kitID], reason: 'Measured again' })
    await release(recalls[0])
    expect(await letters(person.email)).toEqual([])
    await release(recalls[1])
    expect(await letters(person.email)).toEqual(['released_result'])
  })
})

describe('a recall of what a laboratory measured with', () => {
  it('holds what is not published, marks what is, on API, page, FHIR and paper, and lets a kit go that was right', async () => {
    const lot = unique('R')
    const [published, other] = [await boxed('L0'), await boxed('L0')]
    const person = await register(published)
    await register(other)
    const measuredWith = [{ kind: 'reagentLot', subject: 'GLUC3', lot }]
    const sent = await results(published, { measuredWith })
    expect(sent.body.reports[0], sent.text).toMatchObject({ status: 'reported' })
    await results(other)
    const reports = (await clinic.live.get('/reports?size=250')).body.data
    const [report] = reports.filter((one: { kitID: string }) => one.kitID === published)
    expect(report.status).toBe('published')
    const links = await at.linksTo(person.email)
    const { id } = await begin({ kind: 'reagentLot', lot })
    const ended = await done(id)
    expect(ended).toMatchObject({ kits: 1, told: 1, replaced: 0, stages: [{ stage: 'published', kits: 1 }] })
    expect(await kinds(person.email)).toContain('recalled_result')
    const [mail] = await at.emailsTo(person.email)
    const [link = '', ...before] = await at.linksTo(person.email)
    expect([mail?.kind, before.length], 'its e-mail has a link').toEqual(['recalled_result', links.length])
    const { who, home } = await at.enter(link, { day: '5', month: '4', year: '1981' })
    expect(home.text, 'it is said before all else of the kit').toMatch(/K\w+ These results may be wrong: a recall /)
    const page = await who.open(/\/r\/reports\/\w+/.exec(home.html)?.[0] ?? '')
    expect(page.text, 'and of the report').toMatch(
      /your results of [^.]+? These results may be wrong: a recall Something/,
    )
    const path = `/customers/${report.customerID}/reports/${report.reportID}`
    const scanned = await operator('GET', `/fulfilment/kits/${published}`)
    expect(scanned.body.sentence, 'the page of the operator').toContain('was recalled')
    expect((await clinic.live.get(path)).body.labParamsError).toEqual(['Recalled'])
    expect((await clinic.live.get(path, { accept: FHIR })).text).toContain('was recalled')
    const observations = await clinic.live.get(`/fhir/Observation?patient=${report.customerID}`)
    expect(observations.text, 'each result says it').toContain('was recalled')
    const headers = { authorization: `Token ${clinic.liveToken}`, accept: PDF }
    const pdf = await fetch(`${world.service.url}/api/v1${path}`, { headers })
    expect((await readPdf(Buffer.from(await pdf.arrayBuffer()))).text).toContain('was recalled')

    const late = await boxed('L0')
    await register(late)
    await results(late, { measuredWith })
    const waiting = (await clinic.live.get('/reports?size=250')).body.data.find(
      (one: { kitID: string }) => one.kitID === late,
    )
    expect(waiting, 'results that come later are held').toMatchObject({ status: 'inReview' })
    const refused = await clinic.live.post(`/reports/${waiting.reportID}/publish`)
    expect([refused.status, refused.body.code]).toEqual([409, 'KIT_RECALLED'])
    await expect.poll(async () => (await recalled(late)).done).toEqual(['held', 'told'])
    await operator('POST', `/recalls/${id}/release`, { kitIDs: [late, published], reason: 'Measured again' })
    expect(await kit(late), 'it waited for nothing else').toMatchObject({ status: 'published' })
    expect((await clinic.live.get(path)).body.labParamsError).toEqual([])
    expect(await recalled(late)).toMatchObject({ released: true })
  })
})

describe('other values of a recalled run or reagent', () => {
  const value = (name: string, loinc: string, value: number) => ({ name, loinc, value, unit: 'mg/dL' })
  const glucose = (mgPerDl: number) => value('Glucose', '2345-7', mgPerDl)
  const hdl = value('HDL Cholesterol', '2085-9', 30)
  const corrected = 'corrected'

  it.each(['run', 'reagentLot'] as const)(
    'wait again after the release of their kit, and the same values do not: %s',
    async (kind) => {
      const lot = unique('R')
      const kitID = await boxed('L0')
      await register(kitID)
      const measuredWith = [{ kind, subject: 'Northside', lot }]
      const { reportID } = (await results(kitID, { measuredWith, results: [glucose(91)] })).body.reports[0]
      const { id } = await begin({ kind, subject: 'Northside', lot })
      await done(id)
      const letGo = () => operator('POST', `/recalls/${id}/release`, { kitIDs: [kitID], reason: 'Value rechecked' })
      await letGo()
      await results(kitID, { measuredWith, results: [glucose(91)] })
      expect([(await kit(kitID)).status, (await recalled(kitID)).released]).toEqual(['published', true])
      const path = `/customers/${(await kit(kitID)).customerID}/reports/${reportID}`
      const shown = async () =>
        (await clinic.live.get(path)).body.biomarker.find((one: { id: string }) => one.id === 'glucose').result
      for (const more of [
        { status: corrected, results: [glucose(101), hdl] },
        {
          measuredWith: [{ kind, subject: 'Northside', lot, results: ['glucose'] }],
          status: corrected,
          results: [glucose(103), hdl],
        },
      ]) {
        const before = await shown()
        await results(kitID, { measuredWith, ...more })
        expect((await kit(kitID)).status).toBe('inReview')
        expect((await clinic.live.get('/reports?size=250')).body.data).toContainEqual(
          expect.objectContaining({ reportID, isRecalled: true }),
        )
        expect(await shown()).toBe(before)
        expect((await clinic.live.get(path)).body.labParamsError, 'what was looked at is right').toEqual([
          'Later Version In Review',
        ])
        const refused = await clinic.live.post(`/reports/${reportID}/publish`)
        expect([refused.status, refused.body.code]).toEqual([409, 'KIT_RECALLED'])
        expect(await done(id)).toMatchObject({ released: 0, stages: [{ stage: 'published', kits: 1 }] })
        expect((await recalled(kitID)).done).toContain('held')
        expect((await recalled(kitID)).released).toBeUndefined()
        await letGo()
        expect((await clinic.live.get(path)).body).toMatchObject({ labParamsError: [] })
        expect((await kit(kitID)).status).toBe('published')
      }
      const other = [{ kind, subject: 'Northside', lot: unique('R'), results: ['HDL Cholesterol'] }]
      const beside = [...other, { kind, subject: 'Northside', lot, results: ['Glucose'] }]
      const all = [glucose(await shown()), { ...hdl, value: 33 }]
      await results(kitID, { status: corrected, measuredWith: beside, results: all })
      expect((await kit(kitID)).status, 'only a value of another one').toBe('published')
    },
  )

  it('that wait do not mark what was published before of another run, unless that may have been of it, too', async () => {
    const story = async (first: Record<string, unknown>, later = [glucose(101)]) => {
      const lot = unique('R')
      const kitID = await boxed('L0')
      const { email } = await register(kitID)
      const { id } = await begin({ kind: 'run', subject: 'Northside', lot })
      const { reportID } = (await results(kitID, { results: [glucose(91)], ...first })).body.reports[0]
      expect((await kit(kitID)).status).toBe('published')
      const measuredWith = [{ kind: 'run', subject: 'Northside', lot }]
      await results(kitID, { status: corrected, measuredWith, results: later })
      expect(await done(id)).toMatchObject({ stages: [{ stage: 'published', kits: 1 }] })
      const { customerID, status } = await kit(kitID)
      expect(status).toBe('inReview')
      const { body } = await clinic.live.get(`/customers/${customerID}/reports/${reportID}`)
      const copy = (await clinic.live.get(`/customers/${customerID}/export`)).body.reports[0].versions
      const marks = copy.map((one: { labParamsError: string[] }) => one.labParamsError.includes('Recalled'))
      const told = (await kinds(email)).filter((kind) => kind.startsWith('recalled_'))
      return [body.labParamsError.includes('Recalled'), marks, (await recalled(kitID)).done, told]
    }
    const measuredWith = [{ kind: 'run', subject: 'Northside', lot: unique('R') }]
    expect(await story({ measuredWith })).toEqual([false, [false, true], ['held', 'told'], ['recalled_held']])
    const marked = [true, [true, true], ['held', 'marked', 'told'], ['recalled_result']]
    expect(await story({}), 'nobody said of which run').toEqual(marked)
    expect(await story({ measuredWith }, [glucose(91), hdl]), 'the same value').toEqual(marked)
  })
})

describe('values of a recalled report', () => {
  it("are no part of the histories and comparisons of the person's other reports until it is released", async () => {
    const [lot, person] = [unique('R'), somebody()]
    const valued = async (value: number, collectedDate: string) => {
      const kitID = await boxed('L0')
      await register(kitID, person)
      const glucose = { name: 'Glucose', loinc: '2345-7', value, unit: 'mg/dL' }
      const measuredWith = [{ kind: 'reagentLot', subject: 'GLUC3', lot: value === 83 ? lot : unique('R') }]
      const sent = await results(kitID, { measuredWith, collectedDate, results: [glucose] })
      const { reportID } = sent.body.reports[0]
      return { kitID, reportID, customerID: (await kit(kitID)).customerID }
    }
    const first = await valued(83, inDays(-20))
    const { customerID, reportID } = await valued(91, inDays(-1))
    const path = `/customers/${customerID}/reports/${reportID}`
    const history = async () =>
      (await clinic.live.get(path)).body.biomarker[0].historic.map(({ result }: { result: number }) => result)
    const previous = async () => (await operator('GET', `/reports/${reportID}`)).text.includes('"difference"')
    expect([await history(), await previous()]).toEqual([[83, 91], true])
    const { id } = await begin({ kind: 'reagentLot', lot })
    expect([await history(), await previous()], 'neither to readers nor to reviewers').toEqual([[91], false])
    const own = await clinic.live.get(`/customers/${customerID}/reports/${first.reportID}`)
    expect(own.body).toMatchObject({ labParamsError: ['Recalled'], biomarker: [{ result: 83 }] })
    const headers = { authorization: `Token ${clinic.liveToken}`, accept: PDF }
    const pdf = await fetch(`${world.service.url}/api/v1${path}`, { headers })
    expect((await readPdf(Buffer.from(await pdf.arrayBuffer()))).text).not.toMatch(/\b83\b/)
    await operator('POST', `/recalls/${id}/release`, { kitIDs: [first.kitID], reason: 'Measured again' })
    expect([await history(), await previous()]).toEqual([[83, 91], true])
  })
})

describe('a system that asks what changed', () => {
  it('finds a report and its kit again once they are recalled and once they are released, each marked in lists', async () => {
    const lot = unique('R')
    const kitID = await boxed('L0')
    await register(kitID)
    await results(kitID, { measuredWith: [{ kind: 'reagentLot', subject: 'GLUC3', lot }] })
    const { customerID } = await kit(kitID)
    const resources = async (more: string) => {
      const query = `DiagnosticReport?patient=${customerID}${more}`
      const { entry = [] } = (await clinic.live.get(`/fhir/${query}`)).body
      return entry.map(({ resource }: { resource: { meta: { versionId: string }; issued: string } }) => resource)
    }
    const [first] = await resources('')
    expect(first.meta).toEqual({ versionId: '1', lastUpdated: first.issued })
    const isListed = async (path: string, since: string) =>
      (await clinic.live.get(`${path}updatedSince=${since}`)).text.includes(kitID)
    const marks = async () => {
      const listed = (await clinic.live.get(`/reports?kitID=${kitID}`)).body.data[0].isRecalled
      return [listed, (await clinic.live.get(`/customers/${customerID}`)).body.reports[0].isRecalled]
    }
    const changed = async (since: string) => [
      await isListed('/reports?', since),
      await isListed('/kits?', since),
      (await resources(`&_lastUpdated=ge${since}`)).length,
    ]
    const before = new Date().toISOString()
    expect([await changed(before), await marks()]).toEqual([
      [false, false, 0],
      [undefined, undefined],
    ])
    const { id } = await begin({ kind: 'reagentLot', lot })
    await done(id)
    const between = new Date().toISOString()
    expect([await changed(before), await changed(between), await marks()]).toEqual([
      [true, true, 1],
      [false, false, 0],
      [true, true],
    ])
    const [marked] = await resources('')
    expect(marked.meta.versionId).not.toBe('1')
    expect(marked.issued).toBe(first.issued)
    await operator('POST', `/recalls/${id}/release`, { kitIDs: [kitID], reason: 'Measured again' })
    expect([await changed(between), await marks()]).toEqual([
      [true, true, 1],
      [undefined, undefined],
    ])
    const [released] = await resources('')
    expect(['1', marked.meta.versionId]).not.toContain(released.meta.versionId)
  })
})

describe('the copy of the data of a person', () => {
  it('says of a report that it was recalled, published or held, until it is released', async () => {
    const [lot, person] = [unique('R'), somebody()]
    const kits = [await boxed('L0'), await boxed('L0')]
    for (const kitID of kits) await register(kitID, person)
    const measuredWith = [{ kind: 'reagentLot', subject: 'GLUC3', lot }]
    await results(kits[0] ?? '', { measuredWith })
    const { id } = await begin({ kind: 'reagentLot', lot })
    await results(kits[1] ?? '', { measuredWith })
    const { customerID } = await kit(kits[0] ?? '')
    type Exported = { status: string; versions: { labParamsError: string[] }[] }
    const copied = async () =>
      (await clinic.live.get(`/customers/${customerID}/export`)).body.reports.map(({ status, versions }: Exported) => [
        status,
        versions.map(({ labParamsError }) => labParamsError),
      ])
    expect(await copied()).toEqual([
      ['published', [['Recalled']]],
      ['inReview', [['Recalled']]],
    ])
    await operator('POST', `/recalls/${id}/release`, { kitIDs: kits, reason: 'Measured again' })
    expect((await copied()).map(([, marks]: [string, string[][]]) => marks)).toEqual([[[]], [[]]])
  })
})

describe('a run or a reagent', () => {
  it('is shown as it was written, found in whatever letters, and said to be named by no result where none does', async () => {
    const lot = unique('R')
    const kitID = await boxed('L0')
    await register(kitID)
    await results(kitID, { measuredWith: [{ kind: 'reagentLot', subject: 'GLUC3 (Roche)', lot }] })
    const shown = { kind: 'reagentLot', subject: 'GLUC3 (Roche)', lot }
    expect((await operator('GET', `/kits/${kitID}/lots`)).body.lots).toContainEqual({ ...shown, results: [] })
    expect((await operator('GET', `/lots/${lot}`)).body.lots).toEqual([expect.objectContaining({ ...shown, kits: 1 })])
    const wrong = { kind: 'reagentLot', subject: 'GLUK3', lot }
    const preview = async (wanted: Record<string, string>) =>
      (await operator('GET', `/recalls/preview?${new URLSearchParams(wanted)}`)).body
    expect(await preview(wrong)).toMatchObject({ kits: 0, isUnnamed: true })
    const misspelled = await begin(wrong)
    expect(misspelled).toMatchObject({ kits: 0, isUnnamed: true, subject: 'GLUK3' })
    expect((await done(misspelled.id)).isUnnamed, 'as long as that is so').toBe(true)
    const right = { ...wrong, subject: 'Gluc3 ROCHE' }
    expect((await preview(right)).isUnnamed).toBeUndefined()
    const { id, ...begun } = await begin(right)
    expect(begun).toMatchObject({ kits: 1, subject: 'Gluc3 ROCHE' })
    expect(begun.isUnnamed).toBeUndefined()
    await done(id)
    expect((await begin({ ...right, subject: 'gluc3-roche' })).id, 'it is recalled already').toBe(id)
    expect((await operator('GET', '/recalls?size=250')).text).toContain('"subject":"gluc3-roche"')
  })
})

describe('a run or a lot of a reagent that is written in other letters or spaces', () => {
  it.each([
    ['run', 'Northside Lab', (n: string) => [`COBAS-${n} 2026-11-28`, `cobas-${n}  2026-11-28`]],
    ['reagentLot', 'GLUC3', (n: string) => [`q-${n}a`, `Q-${n} A`]],
  ] as const)(
    'is found by preview, recall and trace, and holds the results that come later: a %s',
    async (kind, subject, spell) => {
      const [known = '', other = ''] = spell(unique('7'))
      const measured = async (lot: string) => {
        const kitID = await boxed('L0')
        await register(kitID)
        const answer = await results(kitID, { measuredWith: [{ kind, subject, lot }] })
        expect(answer.status, answer.text).toBe(200)
        return kitID
      }
      const [one, two] = [await measured(known), await measured(other)]
      const preview = (lot: string) =>
        operator('GET', `/recalls/preview?${new URLSearchParams({ kind, subject, lot })}`)
      for (const lot of [known, other]) expect((await preview(lot)).body).toMatchObject({ kits: 2 })
      const begun = await begin({ kind, subject, lot: other })
      expect(begun).toMatchObject({ kits: 2, lot: other })
      expect(await done(begun.id)).toMatchObject({ stages: [{ stage: 'published', kits: 2 }] })
      for (const kitID of [one, two]) expect((await recalled(kitID)).done).toContain('marked')
      expect((await preview(known)).body.recallID, 'it is recalled already').toBe(begun.id)
      expect(await begin({ kind, subject, lot: known })).toMatchObject({ id: begun.id, lot: other, kits: 2 })
      const late = await measured(known)
      expect((await kit(late)).status, 'held').toBe('inReview')
      const traced = (await operator('GET', `/lots/${encodeURIComponent(known.toUpperCase())}`)).body
      expect(traced.lots).toEqual([expect.objectContaining({ kind, subject, kits: 3 })])
      expect(traced.pagination.total).toBe(3)
    },
  )
})

describe('whoever used what was recalled', () => {
  it('is told where their results are published, though these are not to be marked', async () => {
    const part = await aComponent()
    const lot = unique('L')
    await kitLot(lot, { components: [part] })
    const kitID = await boxed(lot)
    const person = await register(kitID)
    await results(kitID)
    const actions = ['stopUse', 'holdReports', 'tell']
    await done((await begin({ kind: 'componentLot', subject: part.component, lot: part.lot, actions })).id)
    expect(await recalled(kitID)).toMatchObject({ stage: 'published', done: ['told'] })
    expect(await kinds(person.email)).toContain('recalled_result')
  })
})

describe('a recall that turns out to be worse', () => {
  it('is told once more to people and businesses who were told less, and a milder one to nobody', async () => {
    const lot = unique('L')
    const other = await world.business({ credits: 10 })
    const care = `care.${lot.toLowerCase()}@clinic.test`
    await other.live.request('PATCH', '/settings', { contactEmail: care })
    const [kitID, sampled, nameless, right] = [
      await boxed(lot, {}, other),
      await boxed(lot, {}, other),
      await boxed(lot, {}, other),
      await boxed(lot, {}, other),
    ]
    const people = [somebody(), somebody(), somebody()]
    for (const [index, one] of [kitID, sampled, right].entries())
      expect((await other.live.post(`/kits/${one}/register`, people[index])).status).toBe(200)
    await operator('POST', '/samples/receive', { kitID: sampled })
    const written = async () => {
      const all = await Promise.all(people.map(({ email }) => kinds(email)))
      return all.map((some) => some.filter((kind) => kind.startsWith('recalled_')))
    }
    const heard = async () => {
      await world.settled()
      const { data } = (await other.live.get('/events?size=250&type=kit.recalled')).body
      return data.map(({ data }: { data: { kitID: string; grade?: string } }) => `${data.kitID} ${data.grade}`).sort()
    }
    const wanted = { kind: 'kitLot', subject: gtin, lot }
    const { id } = await begin(wanted)
    await done(id)
    await operator('POST', `/recalls/${id}/release`, { kitIDs: [right], reason: 'It was right' })
    const first = [['recalled_box'], ['recalled_sample'], ['recalled_box']]
    expect(await written()).toEqual(first)
    const before = await heard()
    for (const grade of [undefined, 'III']) await done((await begin({ ...wanted, grade })).id)
    expect(await written(), 'it is as bad as before').toEqual(first)
    expect(await heard()).toEqual(before)

    expect(await begin({ ...wanted, grade: 'I' }), 'they are due again').toMatchObject({ id, due: 3 })
    expect(await done(id)).toMatchObject({ kits: 4, told: 3, replaced: 1 })
    const second = [['recalled_box', 'recalled_box'], ['recalled_sample', 'recalled_sample'], ['recalled_box']]
    expect(await written()).toEqual(second)
    const [letter] = (await at.emailsTo(people[0]?.email ?? '')).filter(({ kind }) => kind === 'recalled_box')
    expect(letter?.subject).toBe('It is more serious than we wrote to you')
    expect(await kinds(care)).toEqual(['kits_recalled', 'kits_recalled'])
    expect(await heard()).toEqual([...before, `${kitID} I`, `${sampled} I`, `${nameless} I`].sort())
    const shown = async (one: string) => (await other.live.get(`/recalled-kits?kitID=${one}`)).body.data[0]
    expect(await shown(kitID)).toMatchObject({ grade: 'I', done: ['stopped', 'told'] })
    expect(await shown(sampled)).toMatchObject({ stage: 'atLaboratory', done: ['rejected', 'told'] })
    expect(await shown(nameless)).toMatchObject({ grade: 'I', done: ['stopped', 'replaced'] })

    for (const grade of ['I', 'III', 'II']) await done((await begin({ ...wanted, grade })).id)
    expect(await written(), 'nobody is told that it is milder, or what they know').toEqual(second)
    expect(await kinds(care)).toEqual(['kits_recalled', 'kits_recalled'])
  })
})

describe('whoever used what was recalled and has no result', () => {
  it('is told where their sample was rejected before, or the business hears that nobody was', async () => {
    const part = await aComponent()
    const lot = unique('L')
    await kitLot(lot, { components: [part] })
    const [kitID, nameless] = [await boxed(lot), await boxed(lot)]
    const person = await register(kitID)
    for (const one of [kitID, nameless]) {
      await operator('POST', '/samples/receive', { kitID: one })
      await operator('POST', '/samples/reject', { kitID: one, reason: 'hemolysis' })
      expect(await kit(one)).toMatchObject({ sampleStatus: 'rejected' })
    }
    const { id } = await begin({ kind: 'componentLot', subject: part.component, lot: part.lot, grade: 'I' })
    expect(await done(id)).toMatchObject({ kits: 2, told: 1, replaced: 0 })
    expect(await recalled(kitID)).toMatchObject({ stage: 'settled', done: ['told'] })
    expect((await kinds(person.email)).filter((kind) => kind.startsWith('recalled_'))).toEqual(['recalled_used'])
    const heard = (await heardOf(id)).map(({ kitID, done }) => ({ kitID, done }))
    expect(heard).toHaveLength(2)
    expect(heard).toContainEqual({ kitID, done: ['told'] })
    expect(heard).toContainEqual({ kitID: nameless, done: [] })
  })
})

describe('results of a recalled kit', () => {
  const glucose = { name: 'Glucose', loinc: '2345-7', value: 88, unit: 'mg/dL' }

  it.each(['auto', 'manual'])(
    'that come after published ones wait for a person, where publishing is %s',
    async (publishing) => {
      const part = await aComponent()
      const lot = unique('L')
      await kitLot(lot, { components: [part] })
      const kitID = await boxed(lot)
      await register(kitID)
      const sent = await results(kitID, { results: [{ ...glucose, status: 'preliminary' }] })
      expect(sent.body.reports[0], sent.text).toMatchObject({ status: 'reported' })
      const { reportID } = sent.body.reports[0]
      const shown = async () =>
        (await clinic.live.get('/reports?size=250')).body.data.find((one: Report) => one.reportID === reportID)
      expect(await shown()).toMatchObject({ status: 'published', version: 1 })
      const { publishedDate } = await shown()
      const actions = ['stopUse', 'holdReports', 'tell']
      const { id } = await begin({ kind: 'componentLot', subject: part.component, lot: part.lot, actions })
      await done(id)
      await clinic.live.request('PATCH', '/settings', { publishing })
      try {
        const hdl = { name: 'HDL Cholesterol', loinc: '2085-9', value: 55, unit: 'mg/dL' }
        await results(kitID, { results: [glucose, hdl] })
        expect(await shown()).toMatchObject({ status: 'inReview', version: 2, publishedDate })
        const refused = await clinic.live.post(`/reports/${reportID}/publish`)
        expect([refused.status, refused.body.code]).toEqual([409, 'KIT_RECALLED'])
        await expect.poll(async () => (await recalled(kitID)).done).toEqual(['told', 'held'])
        await operator('POST', `/recalls/${id}/release`, { kitIDs: [kitID], reason: 'Measured again' })
        expect(await shown(), 'as it would have been but for the recall').toMatchObject({ status: 'published' })
      } finally {
        await clinic.live.request('PATCH', '/settings', { publishing: 'auto' })
      }
    },
  )

  it('that correct published ones leave these readable, marked, until the kit is released, and then reach the person', async () => {
    const lot = unique('R')
    const kitID = await boxed('L0', { isNotifyReceiver: true })
    const person = await register(kitID)
    const measuredWith = [{ kind: 'reagentLot', subject: 'GLUC3', lot }]
    const { reportID } = (await results(kitID, { measuredWith })).body.reports[0]
    const path = `/customers/${(await kit(kitID)).customerID}/reports/${reportID}`
    const { id } = await begin({ kind: 'reagentLot', lot })
    await done(id)
    const corrected = { status: 'corrected', results: [{ ...glucose, value: 97 }] }
    expect((await results(kitID, corrected)).body.reports[0]).toMatchObject({ status: 'reported' })
    expect(await kit(kitID)).toMatchObject({ status: 'inReview' })
    for (const version of ['', '?version=1']) {
      const { status, body } = await clinic.live.get(`${path}${version}`)
      expect([status, body.biomarker[0].result]).toEqual([200, 88])
      expect(body.labParamsError).toEqual(['Later Version In Review', 'Recalled'])
    }
    // Also behind a later version that waits.
    const published = [{ stage: 'published', kits: 1 }]
    expect((await done(id)).stages).toEqual(published)
    expect((await operator('GET', `/recalls/preview?kind=reagentLot&lot=${lot}`)).body.stages).toEqual(published)
    for (const list of [`/recalls/${id}/kits?stage=published`, `/lots/${lot}`])
      expect((await operator('GET', list)).body.data).toMatchObject([{ kitID, stage: 'published' }])
    expect((await operator('GET', `/recalls/${id}`, undefined, { accept: 'text/csv' })).text).toContain(',published,')
    expect((await recalled(kitID)).done).toEqual(expect.arrayContaining(['marked', 'held', 'told']))
    const { text } = await clinic.live.get(path, { accept: FHIR })
    expect([text.includes('was recalled'), text.includes('"value":88'), text.includes('"value":97')]).toEqual([
      true,
      true,
      false,
    ])
    expect(await kinds(person.email)).not.toContain('report_corrected')
    await operator('POST', `/recalls/${id}/release`, { kitIDs: [kitID], reason: 'Measured again' })
    expect((await clinic.live.get(path)).body).toMatchObject({ labParamsError: [], biomarker: [{ result: 97 }] })
    expect(await kinds(person.email)).toContain('report_corrected')
  })

  it('are acknowledged where they are critical, and nevertheless not published', async () => {
    const lot = unique('R')
    const kitID = await boxed('L0')
    await register(kitID)
    const sent = await results(kitID, {
      measuredWith: [{ kind: 'reagentLot', subject: 'GLUC3', lot }],
      results: [{ name: 'Glucose', loinc: '2345-7', value: 401, unit: 'mg/dL', flag: 'HH' }],
    })
    const { reportID } = sent.body.reports[0]
    const { id } = await begin({ kind: 'reagentLot', lot })
    await done(id)
    await readBackAll(clinic.live.request, reportID)
    const open = (await clinic.live.get(`/critical-results?reportID=${reportID}&state=open`)).body.data
    expect(open).toEqual([])
    expect((await recalled(kitID)).done).toEqual(['held', 'told'])
    expect((await kit(kitID)).status).toBe('inReview')
    const reviewed = (await operator('GET', '/reports?size=250')).body
    expect(reviewed.find((one: { kitID: string }) => one.kitID === kitID)).toMatchObject({ isRecalled: true })
    expect((await operator('GET', `/reports/${reportID}`)).body, 'reviewers see it').toMatchObject({ isRecalled: true })
    await operator('POST', `/recalls/${id}/release`, { kitIDs: [kitID], reason: 'Measured again' })
    expect((await kit(kitID)).status, 'somebody takes care of them').toBe('published')
  })

  it('stay with a person after the release where they wait for another reason, too', async () => {
    const critical = { name: 'Glucose', loinc: '2345-7', value: 401, unit: 'mg/dL', flag: 'HH' }
    const wait = async (
      more: Record<string, unknown>,
      prepare?: (reportID: string, kitID: string) => Promise<unknown>,
    ) => {
      const lot = unique('R')
      const kitID = await boxed('L0')
      await register(kitID)
      const { id } = await begin({ kind: 'reagentLot', lot })
      const measuredWith = [{ kind: 'reagentLot', subject: 'GLUC3', lot }]
      const sent = await results(kitID, { measuredWith, ...more })
      await prepare?.(sent.body.reports[0].reportID, kitID)
      await operator('POST', `/recalls/${id}/release`, { kitIDs: [kitID], reason: 'Measured again' })
      return (await kit(kitID)).status
    }
    const hold = { reason: 'A call', untilDate: new Date(Date.now() + 5 * 86_400_000).toISOString() }
    const set = (publishing: string) => clinic.live.request('PATCH', '/settings', { publishing })
    expect(await wait({}), 'nothing else').toBe('published')
    const today = new Date().toISOString().slice(0, 10)
    const said = async (_: string, kitID: string) => {
      const given = await operator('POST', `/kits/${kitID}/collection`, { collectedDate: today, zone: 'UTC' })
      expect(given.status, given.text).toBe(200)
    }
    expect(await wait({}, said), 'nothing else, and the day of its sample was given').toBe('published')
    const rejected = async (_: string, kitID: string) => {
      await operator('POST', '/samples/reject', { kitID, reason: 'clotted' })
      expect((await operator('POST', '/samples/undo-rejection', { kitID })).status).toBe(200)
    }
    expect(await wait({}, rejected), 'its sample was rejected by mistake').toBe('inReview')
    expect(await wait({ results: [critical] }), 'nobody has acknowledged it').toBe('inReview')
    expect(await wait({}, (reportID) => operator('POST', `/reports/${reportID}/hold`, hold))).toBe('inReview')
    try {
      expect(await wait({}, () => set('manual')), 'publishing is manual now').toBe('inReview')
      expect(await wait({}, () => set('auto')), 'it was manual then').toBe('inReview')
    } finally {
      await set('auto')
    }
  })
})

describe('the report of a recall', () => {
  it('is every kit as CSV and the whole on paper, and a lot leads to its people and back', async () => {
    const part = await aComponent()
    const lot = unique('L')
    await kitLot(lot, { components: [part] })
    const kitID = await boxed(lot)
    await register(kitID)
    const { id } = await begin({ kind: 'kitLot', subject: gtin, lot })
    await done(id)
    const csv = await operator('GET', `/recalls/${id}`, undefined, { accept: 'text/csv' })
    expect(csv.text).toContain(kitID)
    const pdf = await fetch(`${world.service.url}/operator/v1/recalls/${id}`, {
      headers: { authorization: `Token ${await operatorToken(world, allOperatorScopes)}`, accept: PDF },
    })
    const { text } = await readPdf(Buffer.from(await pdf.arrayBuffer()))
    expect(text).toContain(`Lot of kits ${gtin} ${lot}`)
    expect(text).toContain('Person told 1')
    const listed = (await operator('GET', `/recalls/${id}/kits?stage=registered`)).body
    expect(listed.data).toEqual([expect.objectContaining({ kitID, business: expect.anything() })])
    expect((await operator('GET', '/recalls?state=done&size=250')).text).toContain(id)
    expect((await operator('GET', `/stock/kit-lots?lot=${lot}`)).body.data).toEqual([
      expect.objectContaining({ product: gtin, quarantine: 'Not sterile' }),
    ])
    const [{ customerID }] = (await clinic.live.get(`/kits?kitID=${kitID}`)).body
    const trace = (await operator('GET', `/lots/${part.lot}`)).body
    expect(trace.lots).toEqual([
      {
        kind: 'componentLot',
        subject: part.component,
        lot: part.lot,
        kits: 1,
        boxesInStock: 0,
        builtInto: [{ product: gtin, lot }],
      },
    ])
    expect(trace.data).toEqual([expect.objectContaining({ kitID, customerID, stage: 'registered' })])
    const back = (await operator('GET', `/kits/${kitID}/lots`)).body
    expect(back.lots).toContainEqual({ kind: 'componentLot', subject: part.component, lot: part.lot })
    expect(back.recalls).toEqual([expect.objectContaining({ recallID: id })])
  })

  it('lets no kit go that it does not have, which would seem to be released, nor any beside it', async () => {
    const [lot, other] = [unique('L'), unique('L')]
    const [kitID, good] = [await boxed(lot), await boxed(other)]
    const { id } = await begin({ kind: 'kitLot', subject: gtin, lot })
    await done(id)
    const body = { kitIDs: [kitID, good], reason: 'Looked at' }
    const refused = await operator('POST', `/recalls/${id}/release`, body)
    expect([refused.status, refused.body.details]).toMatchObject([
      400,
      [{ path: 'kitIDs.1', message: `${good} is not in this recall` }],
    ])
    expect((await recalled(kitID)).released).toBeUndefined()
    expect((await operator('POST', `/recalls/${id}/release`, { ...body, kitIDs: [kitID] })).body.released).toBe(1)
  })

  it('says how many free kits are under way where kits are released, and cancels none', async () => {
    const lot = unique('L')
    const kits = [await boxed(lot), await boxed(lot), await boxed(lot)]
    const named = { kind: 'kitLot', subject: gtin, lot }
    const { id } = await begin(named)
    expect(await done(id)).toMatchObject({ replaced: 3, underWay: 3, releasedUnderWay: 0 })
    const { replacedBy } = await kit(kits[0] ?? '')
    const release = async (kitID = '') =>
      (await operator('POST', `/recalls/${id}/release`, { kitIDs: [kitID], reason: 'It was right' })).body
    expect(await release(kits[0])).toMatchObject({ released: 1, underWay: 3, releasedUnderWay: 1 })
    expect(await kit(replacedBy), 'somebody may wait for it').toMatchObject({ kitStatus: 'preparing' })
    const number = aNumber()
    await operator('POST', '/fulfilment/shipments', {
      kitID: replacedBy,
      carrier: 'UPS',
      outboundTrackingNumber: number,
    })
    expect(await release(kits[1])).toMatchObject({ released: 2, underWay: 3, releasedUnderWay: 2 })
    const delivered = { trackingNumber: number, status: 'delivered', at: new Date().toISOString() }
    await operator('POST', '/carrier-events', [delivered])
    expect(await recall(id), 'it is there').toMatchObject({ replaced: 3, underWay: 2, releasedUnderWay: 1 })
    expect((await operator('POST', `/recalls/${id}/close`)).body).toMatchObject({ state: 'closed', underWay: 2 })
    const again = await operator('POST', '/stock/quarantine', named)
    expect(again.body, again.text).toEqual({ quarantined: false, underWay: 2 })
  })

  it('is of a lot and a recall that there are', async () => {
    const codes = [
      (await operator('GET', '/lots/NONE-OF-THEM')).body.code,
      (await operator('GET', '/recalls/rcl_none')).body.code,
      (await operator('GET', '/recalls/rcl_none/kits')).body.code,
      (await operator('POST', '/recalls/rcl_none/close')).body.code,
      (await operator('POST', '/recalls', { kind: 'componentLot', subject: 'None', lot: 'N1', reason: 'Wet' })).body
        .code,
    ]
    expect(codes).toEqual(['LOT_NOT_FOUND', ...Array.from({ length: 3 }, () => 'RECALL_NOT_FOUND'), 'LOT_NOT_FOUND'])
  })
})

describe('a lot of kits that is packed by hand', () => {
  it('is refused while it is in quarantine, and no kit is packed of it without its number', async () => {
    const lot = unique('L')
    await operator('POST', '/stock/kit-lots', { product: CORE, lot, load: true })
    try {
      await operator('POST', '/stock/quarantine', { kind: 'kitLot', subject: CORE, lot, reason: 'Wet' })
      const refused = await ship(await ordered())
      expect([refused.status, refused.body.code], 'it still lies at the station').toEqual([409, 'LOT_REFUSED'])
    } finally {
      await unload(lot)
    }
    const kitID = await ordered()
    expect((await ship(kitID)).status).toBe(200)
    expect((await operator('GET', `/kits/${kitID}/lots`)).body.lots).toEqual([])
  })

  it('does not go out again in a box that came back while it is in quarantine', async () => {
    const lot = unique('L')
    const kitID = await boxed(lot)
    const back = await operator('POST', '/undelivered', { kitIDs: [kitID], outcome: 'returnedToSender' })
    expect(back.status, back.text).toBe(200)
    const chosen = await clinic.live.post(`/kits/${kitID}/undelivered`, { choice: 'sendAgain' })
    expect(chosen.status, chosen.text).toBe(200)
    await operator('POST', '/stock/quarantine', { kind: 'kitLot', subject: gtin, lot, reason: 'Wet' })
    const refused = await ship(kitID)
    expect([refused.status, refused.body.code]).toEqual([409, 'LOT_REFUSED'])
    await operator('POST', '/stock/quarantine', { kind: 'kitLot', subject: gtin, lot })
    expect((await ship(kitID)).status).toBe(200)
  })
})

describe('lots of components', () => {
  it('are loaded first expiring first, and none with too few days left or in quarantine', async () => {
    const component = unique('Swab ')
    const soon = await aComponent(component, { expiryDate: inDays(30) })
    const first = await aComponent(component, { expiryDate: inDays(100) })
    const second = await aComponent(component, { expiryDate: inDays(200) })
    const load = (lot: string, parts: object[], more = {}) =>
      operator('POST', '/stock/kit-lots', { product: CORE, lot, components: parts, load: true, ...more })
    const late = await load(unique('L'), [soon])
    expect([late.status, late.body.code]).toEqual([409, 'LOT_REFUSED'])
    const lot = unique('L')
    const wrong = await load(lot, [second])
    expect(wrong.body.error).toContain(`of lot ${first.lot} expires first`)
    expect((await load(lot, [second], { outOfOrder: true })).status).toBe(200)
    await operator('POST', '/stock/quarantine', {
      kind: 'componentLot',
      subject: component,
      lot: second.lot,
      reason: 'Wet',
    })
    const kitID = await ordered()
    const refused = await ship(kitID)
    expect(refused.body.error).toContain('Wet')
    await operator('POST', '/stock/quarantine', { kind: 'componentLot', subject: component, lot: second.lot })
    expect((await ship(kitID)).status).toBe(200)
    await unload(lot)
    const listed = (await operator('GET', `/stock/components?component=${encodeURIComponent(component)}`)).body.data
    expect(listed.map((one: { lot: string; isUsable: boolean }) => [one.lot, one.isUsable])).toEqual([
      [soon.lot, false],
      [first.lot, true],
      [second.lot, true],
    ])
  })
})

describe('a lot', () => {
  it('is not received or built a second time in other letters, which a recall of the first would not find', async () => {
    const { component, lot } = await aComponent()
    const again = { component: component.toLowerCase(), lot: lot.toLowerCase(), expiryDate: inDays(400), quantity: 5 }
    const received = await operator('POST', '/stock/components', again)
    expect([received.status, received.body.error]).toEqual([400, expect.stringContaining(`as ${component} ${lot}`)])
    const ofKits = unique('L')
    expect((await kitLot(ofKits)).status).toBe(200)
    const built = await kitLot(ofKits.toLowerCase())
    expect([built.status, built.body.error]).toEqual([400, expect.stringContaining(`as ${ofKits}`)])
    for (const [body, known] of [
      [{ components: [{ component: component.toUpperCase(), lot }] }, `as ${lot} of ${component}`],
      [{ product: CORE.toLowerCase() }, `as ${CORE}`],
    ] as const) {
      const refused = await kitLot(unique('L'), body)
      expect([refused.status, refused.body.error]).toEqual([400, expect.stringContaining(known)])
    }
  })
})

describe('a recall in the sandbox', () => {
  it('is played with one kit: it is stopped, and another one is sent', async () => {
    const lab = await world.business({ credits: 100 })
    const placed = await lab.sandbox.post('/create-order', anOrder())
    const { kitID } = (await lab.sandbox.get(`/orders/${placed.body.orderId}`)).body.kits[0]
    const played = await lab.sandbox.post(`/sandbox/kits/${kitID}/scenario`, { scenario: 'recalled' })
    expect(played.status, played.text).toBe(200)
    const mine = async () => (await lab.sandbox.get(`/recalled-kits?kitID=${kitID}`)).body.data[0]
    await expect.poll(async () => (await mine()).done).toEqual(['stopped', 'replaced', 'told'])
    expect((await operator('GET', '/recalls?size=250')).text).not.toContain((await mine()).recallID)
    const again = await lab.sandbox.post(`/sandbox/kits/${kitID}/scenario`, { scenario: 'published' })
    expect(again.body.kit ?? again.body, again.text).toMatchObject({ status: 'published' })
    expect(await mine()).toBeUndefined()
    expect((await lab.sandbox.post('/sandbox/reset')).status).toBe(200)
  })
})
