import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allOperatorScopes } from '../../src/domain/scopes.ts'
import { translatorOf } from '../../src/domain/translations/translator.ts'
import * as customers from '../../src/modules/customers/service.ts'
import { doWhatIsDue } from '../../src/modules/holds/discard.ts'
import { saveHold, selectNextDue, selectOfKits } from '../../src/modules/holds/queries.ts'
import * as links from '../../src/modules/links/service.ts'
import { kitEvents } from '../harness/kit-events.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { anOrder, recipient } from '../harness/orders.ts'
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
const DAY = 86_400_000
const today = () => new Date().toISOString().slice(0, 10)

async function shipped(of = clinic, changes: Record<string, unknown> = {}): Promise<string> {
  const placed = await of.live.post('/create-order', anOrder(changes))
  expect(placed.status, placed.text).toBe(201)
  const { kits } = (await of.live.get(`/orders/${placed.body.orderId}`)).body
  const kitID: string = kits[0].kitID
  const outboundTrackingNumber = `1ZHOLD${Date.now()}${String(++serial).padStart(6, '0')}`
  const sent = await operator('POST', '/fulfilment/shipments', { kitID, carrier: 'UPS', outboundTrackingNumber })
  expect(sent.status, sent.text).toBe(200)
  return kitID
}

const somebody = (changes: Record<string, unknown> = {}) => ({
  firstName: 'Jörg',
  lastName: 'Møller',
  email: `held${Date.now()}.${++serial}@people.test`,
  dateOfBirth: '1980-02-03',
  sex: 'M',
  ...changes,
})

async function registered(of = clinic, person = somebody()): Promise<string> {
  const kitID = await shipped(of)
  const answer = await of.live.post(`/kits/${kitID}/register`, person)
  expect(answer.status, answer.text).toBe(200)
  return kitID
}

const receive = async (kitID: string) => {
  const answer = await operator('POST', '/samples/receive', { kitID })
  expect(answer.status, answer.text).toBe(200)
}
const hold = async (kitID: string, of = clinic) => (await of.live.get(`/kits/${kitID}/hold`)).body
const holdIt = (kitID: string, causes: string[], more = {}) =>
  operator('POST', `/kits/${kitID}/hold`, { causes, ...more })
const codes = ({ requiredActions }: { requiredActions: { code: string }[] }) => requiredActions.map(({ code }) => code)

describe('a sample that is taken in', () => {
  it('waits for its registration, and goes on by itself once somebody registers it', async () => {
    const kitID = await shipped()
    const waiting = async () => (await operator('GET', '/overview')).body
    const before = await waiting()
    await receive(kitID)
    expect(await waiting()).toMatchObject({
      heldSamples: before.heldSamples + 1,
      toDiscardSoon: before.toDiscardSoon,
    })
    expect((await operator('GET', '/overview/oldest')).body.oldest.heldSamples).toEqual(expect.any(String))
    const held = await hold(kitID)
    expect(held).toMatchObject({
      state: 'open',
      causes: ['notRegistered'],
      clock: { restsOn: 'receipt', stabilityDays: 7 },
    })
    expect(Date.parse(held.discardAt) - Date.parse(held.since)).toBeGreaterThan(6.9 * DAY)
    expect(codes(held)).toEqual(['register'])
    expect((await clinic.live.post(`/kits/${kitID}/register`, somebody())).status).toBe(200)
    expect(await hold(kitID)).toMatchObject({ state: 'released', requiredActions: [], endedBy: 'mended' })
  })

  it('writes one e-mail to whoever has something to do, and none that there is nothing to do', async () => {
    const person = somebody()
    const [kitID, email] = [await shipped(clinic, { isNotifyReceiver: true }), `box${Date.now()}@people.test`]
    const other = await shipped(clinic, { isNotifyReceiver: true, recipient: { ...recipient, email } })
    await clinic.live.post(`/kits/${kitID}/register`, person)
    const [{ kitType }] = (await clinic.live.get(`/kits?kitID=${kitID}`)).body
    try {
      await operator('PATCH', `/panels/${kitType}`, { collectionDateNeeded: true })
      await receive(kitID)
      await receive(other)
    } finally {
      await operator('PATCH', `/panels/${kitType}`, { collectionDateNeeded: false })
    }
    const kinds = async (to: string) => (await at.emailsTo(to)).map(({ kind }) => kind)
    expect(await kinds(person.email)).toContain('sample_held')
    expect(await kinds(person.email)).not.toContain('sample_received')
    expect(await kinds(email)).toContain('box_held')
    expect(await kinds(email)).not.toContain('box_received')
  })

  it('is not held where nothing is missing', async () => {
    const kitID = await registered()
    await receive(kitID)
    expect((await clinic.live.get(`/kits/${kitID}/hold`)).body.code).toBe('HOLD_NOT_FOUND')
  })
})

describe('a laboratory', () => {
  it('holds a sample, the business mends it, and the laboratory sees it first until it acknowledges', async () => {
    const kitID = await registered()
    await receive(kitID)
    const held = await holdIt(kitID, ['collectionDateMissing', 'labelUnreadable'])
    expect(held.status, held.text).toBe(200)
    expect(codes(held.body)).toEqual(['giveCollectionDate', 'identifySample'])
    const mended = await clinic.live.post(`/kits/${kitID}/hold/mend`, { collectedDate: today(), identified: true })
    expect(mended.body, mended.text).toMatchObject({ state: 'released', collectedDate: today() })
    const queue = (await operator('GET', `/held-samples?businessID=${clinic.id}`)).body.data
    expect(queue[0]).toMatchObject({ kitID, state: 'released', business: { id: clinic.id } })
    expect((await operator('POST', `/kits/${kitID}/hold/acknowledge`)).body.acknowledged).toBe(true)
    expect((await operator('GET', `/kits/${kitID}/hold`)).body).toMatchObject({ kitID, acknowledged: true })
    const after = (await operator('GET', `/held-samples?businessID=${clinic.id}`)).body.data
    expect(after.map((one: { kitID: string }) => one.kitID)).not.toContain(kitID)
  })

  it('discards a sample with a reason: it is rejected, and a free kit with its lineage goes out', async () => {
    const kitID = await registered()
    await receive(kitID)
    await holdIt(kitID, ['collectionDateMissing'])
    const gone = await operator('POST', `/kits/${kitID}/hold/discard`, { reason: 'It leaked' })
    expect(gone.body, gone.text).toMatchObject({ state: 'discarded', endedBy: 'laboratory' })
    const [kit] = (await clinic.live.get(`/kits?kitID=${kitID}`)).body
    expect(kit).toMatchObject({ sampleStatus: 'rejected', replacedBy: gone.body.replacedBy })
    expect(kit.exceptionReason).toContain('It leaked')
    const [fresh] = (await clinic.live.get(`/kits?kitID=${gone.body.replacedBy}`)).body
    expect(fresh).toMatchObject({ replacementFor: kitID, kitStatus: 'preparing' })
  })
})

const customerOf = async (kitID: string) => (await clinic.live.get(`/kits?kitID=${kitID}`)).body[0].customerID
const born = { day: '3', month: '2', year: '1980' }

/** A person who has opened a new link of theirs, before they give their date of birth. */
async function opened(kitID: string) {
  const customerId = Number(await customerOf(kitID))
  const [link] = await at.inRealm(clinic, (tx) => links.issueLinks(tx, '', [{ customerId }]))
  const who = visitor(world.service.url)
  return { who, gate: await who.open(`/h/${link?.secret}`) }
}
async function asked(kitID: string) {
  const { who, gate } = await opened(kitID)
  return { who, page: await who.submit(gate, born) }
}

describe('a person', () => {
  it('gets a link, sees nothing before the date of birth, and gives the day on which they took the sample', async () => {
    const person = somebody()
    const kitID = await registered(clinic, person)
    await receive(kitID)
    await holdIt(kitID, ['collectionDateMissing'])
    const [mail] = await at.emailsTo(person.email)
    expect(mail).toMatchObject({ kind: 'sample_held', subject: 'Your kit needs an answer from you' })
    const { who, gate } = await opened(kitID)
    expect(gate.text).not.toContain(kitID)
    const [year, month, day] = today()
      .split('-')
      .map((part) => String(Number(part)))
    expect((await who.post('/h', { kit: kitID, question: 'giveCollectionDate' })).text).not.toContain(kitID)
    const wrong = await who.submit(gate, { ...born, year: '1981' })
    expect(wrong.text).not.toContain(kitID)
    const page = await who.submit(wrong, born)
    expect(page.text).toContain(kitID)
    const tomorrow = new Date(Date.now() + 2 * DAY).toISOString().slice(0, 10).split('-').map(Number)
    const late = await who.submit(page, { day: `${tomorrow[2]}`, month: `${tomorrow[1]}`, year: `${tomorrow[0]}` })
    expect(late.status).toBe(422)
    const done = await who.submit(late, { day: day ?? '', month: month ?? '', year: year ?? '' })
    expect(done.text).toContain('Nothing is needed from you')
    expect(await hold(kitID)).toMatchObject({ state: 'released', collectedDate: today() })
  })

  it('whose name differs by letters that laboratories fold corrects it at once', async () => {
    const kitID = await registered()
    await receive(kitID)
    await holdIt(kitID, ['nameDiffers'])
    const { who, page } = await asked(kitID)
    await who.submit(page, { firstName: 'Joerg', lastName: 'Moeller' })
    expect((await hold(kitID)).state).toBe('released')
    expect((await clinic.live.get(`/customers/${await customerOf(kitID)}`)).body.name).toBe('Joerg Moeller')
  })

  it('who gives another name waits for the business, which declines it or approves it', async () => {
    const kitID = await registered()
    await receive(kitID)
    await holdIt(kitID, ['nameDiffers'])
    const first = await asked(kitID)
    const sent = await first.who.submit(first.page, { firstName: 'Petra', lastName: 'Weiss' })
    expect(sent.text).toContain('We have passed on the name')
    const waiting = await hold(kitID)
    expect(waiting).toMatchObject({ state: 'open', proposedName: { firstName: 'Petra', lastName: 'Weiss' } })
    const { attention } = (await clinic.live.get('/overview')).body
    expect(attention).toContainEqual(expect.objectContaining({ kind: 'heldSamples', count: expect.any(Number) }))
    const packer = await operatorWith(world, ['fulfilment'])
    expect((await packer('GET', `/kits/${kitID}/hold`)).body, 'to a packer').not.toHaveProperty('proposedName')
    expect((await operator('GET', `/kits/${kitID}/hold`)).body).toHaveProperty('proposedName')
    expect(codes(waiting)).toEqual(['approveName'])
    const listed = (await clinic.live.get(`/held-samples?kitID=${kitID}`)).text
    expect(listed).not.toContain('Petra')
    expect((await operator('GET', `/held-samples?businessID=${clinic.id}`)).text).not.toContain('Petra')
    const path = `/kits/${kitID}/hold/mend`
    expect((await clinic.live.post(path, { name: 'confirm' })).body.code).toBe('ILLEGAL_TRANSITION')
    const declined = await clinic.live.post(path, { name: 'decline' })
    expect(codes(declined.body), declined.text).toEqual(['confirmName'])
    const second = await asked(kitID)
    await second.who.submit(second.page, { firstName: 'Petra', lastName: 'Weiss' })
    expect((await clinic.live.post(path, { name: 'approve' })).body.state).toBe('released')
    expect((await clinic.live.get(`/customers/${await customerOf(kitID)}`)).body.name).toBe('Petra Weiss')
    const greeted = await at.inRealm(clinic, async (tx) => customers.find(tx, await customerOf(kitID)))
    expect(greeted.firstName, 'pages and e-mails greet by it').toBe('Petra')
    const news = await kitEvents(world.service.database, kitID, 'kit.held')
    expect(JSON.stringify(news)).not.toContain('Petra')
    expect(news).toHaveLength(5)
    // The feed waits for every older transaction.
    await expect
      .poll(async () => (await clinic.live.get('/events?size=250&type=kit.held')).text)
      .toContain('"state":"released"')
  })

  it('reads on the page of their kits what is still to be answered, until when, and where, and of no report', async () => {
    const kitID = await registered()
    await receive(kitID)
    await holdIt(kitID, ['nameDiffers', 'collectionDateMissing'])
    const { who, page } = await asked(kitID)
    await who.submit(page, { firstName: 'Petra', lastName: 'Weiss' })
    expect(await hold(kitID)).toMatchObject({ state: 'open' })
    const home = await who.open('/r')
    const { discardAt } = await hold(kitID)
    expect(home.text).toContain(`The laboratory can keep it until ${translatorOf('en').date(discardAt)}.`)
    for (const text of ['Your kit waits for you', 'On which day was the sample taken?', 'We have passed on the name'])
      expect(home.text).toContain(text)
    expect(home.text).not.toMatch(/nothing that you need to do|What is your name|report will|will the report|promised/)
    const [, path = ''] = /class="button" href="(\/h)"/.exec(home.html) ?? []
    const form = await who.open(path)
    const [year = '', month = '', day = ''] = today().split('-')
    await who.submit(form, { year, month, day })
    const rest = await who.open('/r')
    expect(rest.text).toContain('Your sample is on hold')
    expect(rest.html, 'nothing is asked any more').not.toContain('href="/h"')
  })

  it('who takes the consent back ends the hold, and is promised no report nor asked for anything any more', async () => {
    const kitID = await registered()
    await receive(kitID)
    await holdIt(kitID, ['collectionDateMissing'])
    const { who } = await asked(kitID)
    await who.submit(await who.open(`/r/kits/${kitID}/consent/testing`))
    const home = await who.open('/r')
    expect(home.text).toContain('The laboratory is told to begin nothing further.')
    expect(home.text).not.toMatch(/your report is ready|When will the report|promised|likely to be ready/)
    expect(await hold(kitID)).toMatchObject({ state: 'discarded', requiredActions: [] })
    const listed = (await operator('GET', `/held-samples?businessID=${clinic.id}`)).body.data
    expect(listed.map((one: { kitID: string }) => one.kitID)).not.toContain(kitID)
    expect((await who.open('/h')).text).toContain('Nothing is needed from you')
    expect((await holdIt(kitID, ['collectionDateMissing'])).body.code, 'nobody is asked again').toBe(
      'ILLEGAL_TRANSITION',
    )
  })

  it('who registered a child is asked for its name and the day of its sample, not for their own', async () => {
    const guardian = { firstName: 'Gloria', lastName: 'Guard', relation: 'parent' }
    const dateOfBirth = `${new Date().getUTCFullYear() - 9}-02-03`
    const child = somebody({ firstName: 'Finn', lastName: 'Ward', dateOfBirth, guardian })
    const kitID = await shipped()
    const [{ kitType }] = (await clinic.live.get(`/kits?kitID=${kitID}`)).body
    try {
      await operator('PATCH', `/panels/${kitType}`, { minAge: 5 })
      const consent = { ...guardian, email: child.email, consentToTesting: true }
      expect((await clinic.live.post(`/kits/${kitID}/consent`, consent)).status).toBe(200)
      const registered = await clinic.live.post(`/kits/${kitID}/register`, child)
      expect(registered.status, registered.text).toBe(200)
    } finally {
      await operator('PATCH', `/panels/${kitType}`, { minAge: 18 })
    }
    await receive(kitID)
    await holdIt(kitID, ['nameDiffers', 'collectionDateMissing'])
    const { who, gate } = await opened(kitID)
    expect(gate.text).toContain('that of the person whom you registered as parent or guardian')
    expect(gate.text).not.toMatch(/your (date of birth|health)|Finn/i)
    const name = await who.submit(gate, { ...born, year: dateOfBirth.slice(0, 4) })
    expect(name.text).toContain('You answer for Finn Ward, as parent or guardian.')
    expect(name.text).toContain('What is the name of the person whose sample it is?')
    expect(name.html).toContain('value="Finn"')
    expect(name.html).not.toContain('given-name')
    const day = await who.submit(name)
    expect(day.text).toContain('On which day was the sample taken?')
    expect(codes(await hold(kitID))).toEqual(['giveCollectionDate'])
  })

  it('consents by the link, and the sample goes on', async () => {
    const kitID = await registered()
    await receive(kitID)
    await holdIt(kitID, ['consentMissing'])
    const { who, page } = await asked(kitID)
    expect((await who.submit(page)).status, 'without the tick').toBe(422)
    await who.submit(page, { consentToTesting: 'yes' })
    expect(await hold(kitID)).toMatchObject({ state: 'released', endedBy: 'mended' })
  })

  it('of another kit cannot mend this one', async () => {
    const [mine, theirs] = [await registered(), await registered()]
    for (const kitID of [mine, theirs]) await receive(kitID)
    for (const kitID of [mine, theirs]) await holdIt(kitID, ['nameDiffers'])
    const { who, page } = await asked(mine)
    await who.submit(page, { kit: theirs })
    expect((await hold(theirs)).state).toBe('open')
    expect((await hold(mine)).state).toBe('open')
  })
})

describe('a hold', () => {
  it('ends by any way in which its cause is mended', async () => {
    const kitID = await registered()
    await receive(kitID)
    await holdIt(kitID, ['nameDiffers', 'consentMissing'])
    const customer = await customerOf(kitID)
    await clinic.live.request('PATCH', `/customers/${customer}`, { name: 'Joerg Mueller' })
    expect(codes(await hold(kitID))).toEqual(['consent'])
    const { email } = (await clinic.live.get(`/customers/${customer}`)).body
    const agreed = { firstName: 'Jörg', lastName: 'Møller', email, consentToTesting: true, consentVersion: '1' }
    expect((await clinic.live.post(`/kits/${kitID}/consent`, agreed)).status).toBe(200)
    expect((await hold(kitID)).state).toBe('released')
  })

  it('ends when its person is erased: nobody is asked, and the laboratory is told to destroy the sample until it has seen it', async () => {
    const desk = await world.business({ credits: 10 })
    const person = somebody()
    const kitID = await registered(desk, person)
    await receive(kitID)
    await holdIt(kitID, ['nameDiffers', 'collectionDateMissing'])
    const { customerID } = (await desk.live.get(`/kits?kitID=${kitID}`)).body[0]
    expect((await desk.live.request('DELETE', `/customers/${customerID}`)).status).toBe(200)
    const ended = await hold(kitID, desk)
    expect(ended).toMatchObject({ state: 'discarded', endedBy: 'erased', requiredActions: [], acknowledged: false })
    expect(ended).not.toHaveProperty('replacedBy')
    const [kit] = (await desk.live.get(`/kits?kitID=${kitID}`)).body
    expect(kit).toMatchObject({ sampleStatus: 'rejected', exceptionReason: 'The person was erased' })
    expect(await at.emailsTo(person.email)).toEqual([])
    const ofLab = async () => (await operator('GET', `/held-samples?businessID=${desk.id}`)).body.data
    expect(await ofLab()).toMatchObject([{ kitID, endedBy: 'erased' }])
    await operator('POST', `/kits/${kitID}/hold/acknowledge`)
    expect(await ofLab()).toEqual([])
    expect((await desk.live.get('/overview')).body.attention).not.toContainEqual(
      expect.objectContaining({ kind: 'heldSamples' }),
    )
  })

  it('does not begin for somebody who was erased before the sample came', async () => {
    const kitID = await registered()
    expect((await clinic.live.request('DELETE', `/customers/${await customerOf(kitID)}`)).status).toBe(200)
    await receive(kitID)
    expect((await holdIt(kitID, ['nameDiffers'])).body.code).toBe('ILLEGAL_TRANSITION')
    expect((await clinic.live.get(`/kits/${kitID}/hold`)).body.code).toBe('HOLD_NOT_FOUND')
  })

  it('is extended with a reason, and begins again where the laboratory misses something more', async () => {
    const kitID = await registered()
    await receive(kitID)
    await holdIt(kitID, ['collectionDateMissing'])
    const discardAt = new Date(Date.now() + 20 * DAY).toISOString()
    const longer = await operator('POST', `/kits/${kitID}/hold/extend`, { discardAt, reason: 'Frozen' })
    expect(longer.body, longer.text).toMatchObject({ discardAt, clock: { restsOn: 'extension' } })
    const shorter = { discardAt: new Date(Date.now() + DAY).toISOString(), reason: 'Full' }
    expect((await operator('POST', `/kits/${kitID}/hold/extend`, shorter)).status).toBe(400)
    await operator('POST', `/kits/${kitID}/hold/mend`, { collectedDate: today() })
    expect(await hold(kitID)).toMatchObject({ state: 'released', discardAt })
    expect((await operator('POST', `/kits/${kitID}/hold/discard`, { reason: 'x' })).body.code).toBe(
      'ILLEGAL_TRANSITION',
    )
    const again = await holdIt(kitID, ['labelUnreadable'])
    expect(again.body).toMatchObject({ state: 'open', causes: ['labelUnreadable'], clock: { restsOn: 'collection' } })
  })

  it('answers what is mended already at once, so that the laboratory learns the day', async () => {
    const kitID = await registered()
    await receive(kitID)
    const answer = await holdIt(kitID, ['collectionDateMissing'], { collectedDate: today() })
    expect(answer.body).toMatchObject({ state: 'released', collectedDate: today() })
  })

  it('ends with a rejection of the sample, and is not for one that is rejected or was never shipped', async () => {
    const kitID = await registered()
    await receive(kitID)
    await holdIt(kitID, ['labelUnreadable'])
    await operator('POST', '/samples/reject', { kitID, reason: 'hemolysis' })
    expect(await hold(kitID)).toMatchObject({ state: 'discarded', endedBy: 'laboratory' })
    expect((await holdIt(kitID, ['labelUnreadable'])).body.code).toBe('ILLEGAL_TRANSITION')
    expect((await holdIt(await at.newKit(clinic), ['labelUnreadable'])).body.code).toBe('ILLEGAL_TRANSITION')
  })

  it('begins again where a rejection is taken back, and is of a kit whose registration is in doubt, too', async () => {
    const kitID = await registered()
    await receive(kitID)
    await holdIt(kitID, ['labelUnreadable'])
    await operator('POST', '/samples/reject', { kitID, reason: 'hemolysis' })
    expect((await operator('POST', '/samples/undo-rejection', { kitID })).status).toBe(200)
    expect(await hold(kitID)).toMatchObject({ state: 'open', causes: ['labelUnreadable'] })
    const [doubtful, person] = [await shipped(), somebody()]
    await clinic.live.post(`/kits/${await shipped()}/register`, person)
    await clinic.live.post(`/kits/${doubtful}/register`, { ...person, dateOfBirth: '1981-01-01' })
    expect((await clinic.live.get(`/kits?kitID=${doubtful}`)).body[0].kitStatus).toBe('registrationException')
    expect((await holdIt(doubtful, ['labelUnreadable'])).body).toMatchObject({ state: 'open' })
  })

  it('is of the panel: the operator says how long a sample is stable, and whether it needs its day', async () => {
    const kitID = await registered()
    const [{ kitType }] = (await clinic.live.get(`/kits?kitID=${kitID}`)).body
    const path = `/panels/${kitType}`
    try {
      const set = await operator('PATCH', path, { stabilityDays: 20, collectionDateNeeded: true })
      expect(set.body, set.text).toMatchObject({ stabilityDays: 20, collectionDateNeeded: true })
      await receive(kitID)
      expect(await hold(kitID)).toMatchObject({ causes: ['collectionDateMissing'], clock: { stabilityDays: 20 } })
    } finally {
      await operator('PATCH', path, { stabilityDays: null, collectionDateNeeded: false })
    }
  })
})

describe('a message of a laboratory', () => {
  const hl7Day = () => today().replaceAll('-', '')
  const oru = (kitID: string, reason: string) =>
    [
      `MSH|^~\\&|LAB|X|KITLANE|Y|${hl7Day()}120000||ORU^R01|${kitID}${reason}|P|2.5.1`,
      `PID|1||${kitID}||Moller^Jorg||19800203|M`,
      `OBR|1|${kitID}|${kitID}|24331-1^Lipids^LN|||${hl7Day()}`,
      'OBX|1|NM|13457-7^LDL^LN||100|mg/dL|<130|N|||F',
      `SPM|1|||SER^Serum^HL70487|||||||||||||||||${reason}^x^HL70490`,
    ].join('\r')
  const hl7 = { 'content-type': 'application/hl7-v2' }
  const send = (kitID: string, reason: string) => operator('POST', '/lab/results', oru(kitID, reason), hl7)

  it('that refuses a sample for what somebody can mend holds it, and its results wait', async () => {
    const kitID = await registered()
    const sent = await send(kitID, 'RS')
    expect(sent.status, sent.text).toBe(200)
    expect(await hold(kitID)).toMatchObject({ state: 'open', causes: ['nameDiffers'], collectedDate: today() })
    await clinic.live.post(`/kits/${kitID}/hold/mend`, { name: 'confirm' })
    expect((await send(kitID, 'RS')).status).toBe(200)
    expect((await hold(kitID)).state, 'the same message again').toBe('released')
  })

  it('that brings results of a held sample: the hold says so, and the sample can be discarded no more', async () => {
    const kitID = await registered()
    await receive(kitID)
    expect((await holdIt(kitID, ['labelUnreadable'])).body).not.toHaveProperty('hasResults')
    const sent = await operator('POST', '/lab/results', oru(kitID, 'RS').replace(/\rSPM.*/, ''), hl7)
    expect(sent.status, sent.text).toBe(200)
    const listed = (await operator('GET', `/held-samples?businessID=${clinic.id}&state=open&size=250`)).body.data
    const held = listed.find((one: { kitID: string }) => one.kitID === kitID)
    expect(held).toMatchObject({ state: 'open', hasResults: true })
    const refused = await operator('POST', `/kits/${kitID}/hold/discard`, { reason: 'It leaked' })
    expect([refused.status, refused.body.code]).toEqual([409, 'ILLEGAL_TRANSITION'])
  })

  it('that refuses it for good, or for a reason that nobody knows, does what it did before', async () => {
    for (const reason of ['RN', 'ZZ']) {
      const kitID = await registered()
      expect((await send(kitID, reason)).status).toBe(200)
      expect((await hold(kitID)).code).toBe('HOLD_NOT_FOUND')
    }
  })

  it('that refuses a sample and names no result holds it too, and waits for a person', async () => {
    const kitID = await registered()
    const refusal = (reason: string) =>
      operator('POST', '/lab/results', oru(kitID, reason).replace(/\rOBX[^\r]*/, ''), hl7)
    const [outcome] = (await refusal('RS')).body.reports
    expect(outcome).toMatchObject({ status: 'waiting', messageID: expect.any(String), kitID })
    expect(outcome.reason).toMatch(/refuses the sample/)
    expect(await hold(kitID)).toMatchObject({ state: 'open', causes: ['nameDiffers'] })
    expect((await refusal('RS')).body.reports[0].reason).toMatch(/came before/)
    const broken = await registered()
    const gone = await operator('POST', '/lab/results', oru(broken, 'RB').replace(/\rOBX[^\r]*/, ''), hl7)
    expect(gone.body.reports[0].reason).toMatch(/refuses the sample/)
    expect((await hold(broken)).code).toBe('HOLD_NOT_FOUND')
    const assigned = await operator('POST', `/lab/messages/${gone.body.reports[0].messageID}/assign`, { kitID: broken })
    expect(assigned.status, assigned.text).toBe(200)
  })

  it('moves the clock of a hold by no day that cannot be that of the sample', async () => {
    const kitID = await registered()
    await holdIt(kitID, ['collectionDateMissing'])
    const dated = (day: string) =>
      operator('POST', '/lab/results', oru(kitID, 'RD').replaceAll(hl7Day(), day).replace('R01|', `R01|${day}`), hl7)
    for (const day of ['20200102', '20991231']) {
      expect((await dated(day)).status).toBe(200)
      expect(await hold(kitID)).toMatchObject({ state: 'open', clock: { restsOn: 'receipt' } })
    }
  })

  it('with results of a kit that nobody registered begins the chase, and its results wait as before', async () => {
    const kitID = await shipped()
    const sent = await send(kitID, '')
    expect(sent.body.reports[0]).toMatchObject({ status: 'waiting' })
    expect(await hold(kitID)).toMatchObject({ causes: ['notRegistered'] })
  })
})

describe('at the end of the clock', () => {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))

  it(`a sample is either mended or discarded, whoever comes first in the same second (seed ${seed})`, async () => {
    let state = seed
    const random = () => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31
      return state / 2 ** 31
    }
    const ends: string[] = []
    const panel = `/panels/${(await clinic.live.get(`/kits?kitID=${await registered()}`)).body[0].kitType}`
    await operator('PATCH', panel, { stabilityDays: 7 })
    for (let round = 0; round < 8; round++) {
      const kitID = await registered()
      await receive(kitID)
      await holdIt(kitID, ['collectionDateMissing'])
      await at.inRealm(clinic, async (tx) => {
        const [row] = await selectOfKits(tx, [kitID])
        if (row) await saveHold(tx, { ...row, discardAt: new Date(tx.now.getTime() - 1) })
      })
      const wait = () => new Promise((resolve) => setTimeout(resolve, random() * 12))
      const due = async () => {
        await wait()
        await at.inRealm(clinic, (tx) => doWhatIsDue(tx, kitID))
      }
      const mend = async () => {
        await wait()
        return clinic.live.post(`/kits/${kitID}/hold/mend`, { collectedDate: today() })
      }
      const [answer] = await Promise.all([mend(), due(), due()])
      const [kit] = (await clinic.live.get(`/kits?kitID=${kitID}`)).body
      const end = await hold(kitID)
      ends.push(end.state)
      expect(answer.status).toBe(end.state === 'released' ? 200 : 409)
      expect(kit.sampleStatus).toBe(end.state === 'released' ? 'received' : 'rejected')
      const { kits } = (await clinic.live.get(`/orders/${kit.orderID}`)).body
      expect(kits, 'one replacement, or none').toHaveLength(end.state === 'released' ? 1 : 2)
    }
    expect(ends.every((end) => end === 'released' || end === 'discarded')).toBe(true)
    await operator('PATCH', panel, { stabilityDays: null })
  })

  it('a sample is not thrown away unasked: where nobody said how long it keeps, or it never came, it stays on hold', async () => {
    const kitID = await registered()
    await receive(kitID)
    await holdIt(kitID, ['collectionDateMissing'])
    const end = (told: number) =>
      at.inRealm(clinic, async (tx) => {
        const [row] = await selectOfKits(tx, [kitID])
        if (row) await saveHold(tx, { ...row, told, discardAt: new Date(tx.now.getTime() - 1) })
        const isDue = async () => (await selectNextDue(tx, kitID.slice(0, -1))) === kitID
        expect(await isDue()).toBe(true)
        await doWhatIsDue(tx, kitID)
        expect(await isDue()).toBe(false)
      })
    await end(3)
    expect(await hold(kitID)).toMatchObject({ state: 'open' })
    const later = new Date(Date.now() + 5 * 86_400_000).toISOString()
    const extended = await operator('POST', `/kits/${kitID}/hold/extend`, { discardAt: later, reason: 'Frozen' })
    expect(extended.body, extended.text).toMatchObject({ state: 'open', discardAt: later })
    await end(3)
    const gone = await operator('POST', `/kits/${kitID}/hold/discard`, { reason: 'Too old' })
    expect(gone.body).toMatchObject({ state: 'discarded', replacedBy: expect.any(String) })
  })

  it('whoever was asked hears of it, also where the order wants no e-mails', async () => {
    const person = somebody()
    const kitID = await registered(clinic, person)
    await receive(kitID)
    await holdIt(kitID, ['nameDiffers'])
    const gone = await operator('POST', `/kits/${kitID}/hold/discard`, { reason: 'Empty' })
    expect(gone.body.replacedBy, gone.text).toBeDefined()
    const kinds = (await at.emailsTo(person.email)).map(({ kind }) => kind)
    expect(kinds).toEqual(expect.arrayContaining(['sample_held', 'sample_rejected', 'kit_replaced']))
  })

  it('no kit is sent where the business does not want it', async () => {
    const other = await world.business({ credits: 100 })
    const set = await other.live.request('PATCH', '/settings', { replaceDiscarded: false })
    expect(set.body, set.text).toMatchObject({ replaceDiscarded: false })
    const kitID = await registered(other)
    await receive(kitID)
    await holdIt(kitID, ['labelUnreadable'])
    const gone = await operator('POST', `/kits/${kitID}/hold/discard`, { reason: 'Empty' })
    expect(gone.body).toMatchObject({ state: 'discarded' })
    expect(gone.body.replacedBy).toBeUndefined()
  })

  it('the sandbox plays it: three e-mails, a rejection, and a free kit', async () => {
    const lab = await world.business({ credits: 100 })
    const placed = await lab.sandbox.post('/create-order', anOrder())
    const { kits } = (await lab.sandbox.get(`/orders/${placed.body.orderId}`)).body
    const { kitID } = kits[0]
    const played = await lab.sandbox.post(`/sandbox/kits/${kitID}/scenario`, { scenario: 'held' })
    expect(played.body.sampleStatus, played.text).toBe('received')
    const path = `/kits/${kitID}/hold`
    const begun = (await lab.sandbox.get(path)).body
    expect(codes(begun)).toEqual(['confirmName', 'giveCollectionDate'])
    const email = `sandbox+${kitID.toLowerCase()}@example.invalid`
    const asked = async () => (await at.emailsTo(email)).filter(({ kind }) => kind === 'sample_held').length
    expect(await asked()).toBe(1)
    for (const [advance, count] of [
      ['P4D', 2],
      ['P2DT12H', 3],
    ] as const) {
      await lab.sandbox.post('/sandbox/clock', { advance })
      await expect.poll(asked).toBe(count)
    }
    const passed = await lab.sandbox.post('/sandbox/clock', { advance: 'P2D' })
    expect(passed.body.due, passed.text).toMatchObject({ heldSamples: 1 })
    await expect.poll(async () => (await lab.sandbox.get(path)).body.state).toBe('discarded')
    const ended = (await lab.sandbox.get(path)).body
    expect(ended).toMatchObject({ endedBy: 'clock', replacedBy: expect.any(String) })
    const [kit] = (await lab.sandbox.get(`/kits?kitID=${kitID}`)).body
    expect(kit).toMatchObject({
      sampleStatus: 'rejected',
      exceptionReason: expect.stringContaining('name on the sample'),
    })
    await lab.sandbox.post(`/sandbox/kits/${kitID}/advance`, { status: 'orderPlaced' })
    expect((await lab.sandbox.get(path)).status, 'a kit that begins again').toBe(404)
  })
})
