import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allOperatorScopes } from '../../src/domain/scopes.ts'
import { realmsOf } from '../../src/modules/businesses/service.ts'
import { createPanel, provision } from '../../src/modules/catalogue/service.ts'
import { maybeFind } from '../../src/modules/collection/service.ts'
import { localTime } from '../../src/modules/collection/time.ts'
import { createToken } from '../../src/modules/identity/tokens.ts'
import { lockKit } from '../../src/modules/kits/move.ts'
import { readKits } from '../../src/modules/onboarding/takeover/read.ts'
import { takeOver } from '../../src/modules/onboarding/takeover/take-over.ts'
import { within } from '../../src/platform/database/tx.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { anOrder } from '../harness/orders.ts'
import { person as signedPerson, signIn } from '../harness/people.ts'
import { recipients } from '../harness/recipients.ts'
import { FHIR } from '../harness/reports.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let operator: Operator
let clinic: TestBusiness
let other: TestBusiness
let at: ReturnType<typeof recipients>
let admin: ReturnType<Awaited<ReturnType<typeof signIn>>['in']>

const questions = [
  { id: 'fasting', isRequired: true },
  { id: 'cyclePhase' },
  { id: 'pregnant' },
  { id: 'medication' },
  { id: 'timeOfLastDose' },
  {
    id: 'sport',
    type: 'choice',
    text: { en: 'Did you do sport the day before?', de: 'Haben Sie am Tag davor Sport getrieben?' },
    choices: [
      { id: 'none', text: { en: 'No' } },
      { id: 'hard', text: { en: 'Yes, hard', de: 'Ja, viel' } },
    ],
  },
]

const CANARY = 'Zyxolin-canary'
const answers = { fasting: 11, cyclePhase: 'luteal', medication: ['biotin', CANARY], sport: 'hard' }

const PANEL = `COLL${Date.now()}`

beforeAll(async () => {
  world = await sharedWorld()
  at = recipients(world)
  operator = await operatorWith(world, allOperatorScopes)
  clinic = await world.business({ credits: 1000 })
  other = await world.business({ credits: 5 })
  const biomarkers = ['glucose', 'ferritin', 'fsh', 'hdl', 'total_cholesterol']
  await world.service.database.asSystem({ name: 'cli' }, async (tx) => {
    await createPanel(tx, { kitType: PANEL, name: 'With questions', biomarkers })
    await provision(tx, clinic.id, [PANEL])
  })
  await world.grant(clinic, PANEL, 1000)
  admin = (await signIn(world, await signedPerson(world, 'business-admin', clinic))).in(clinic)
  const changed = await operator('PATCH', `/panels/${PANEL}`, { questions })
  expect(changed.status, changed.text).toBe(200)
  expect(changed.body.questions).toHaveLength(6)
})
afterAll(() => world.stop())

let serial = 0
async function registered(of = clinic, changes: Record<string, unknown> = {}): Promise<string> {
  const placed = await of.live.post('/create-order', anOrder({ kit_types: [{ kitType: PANEL }] }))
  const kitID: string = (await of.live.get(`/orders/${placed.body.orderId}`)).body.kits[0].kitID
  const outboundTrackingNumber = `1ZCOLL${Date.now()}${String(++serial).padStart(6, '0')}`
  await operator('POST', '/fulfilment/shipments', { kitID, carrier: 'UPS', outboundTrackingNumber })
  const person = {
    firstName: 'Zoë',
    lastName: 'Young',
    email: `collected${Date.now()}.${serial}@people.test`,
    dateOfBirth: '1980-02-03',
    sex: 'F',
  }
  const answer = await of.live.post(`/kits/${kitID}/register`, { ...person, ...changes })
  expect(answer.status, answer.text).toBe(200)
  return kitID
}

const zone = 'Pacific/Kiritimati'
/** The clock of the zone where days begin first, some minutes ago. */
const wall = (minutesAgo = 0) => new Date(Date.now() + 14 * 3_600_000 - minutesAgo * 60_000).toISOString().slice(0, 16)

const give = (kitID: string, changes: Record<string, unknown> = {}, of = clinic) =>
  of.live.post(`/kits/${kitID}/collection`, { collectedDate: wall(), zone, answers, ...changes })

describe('what a person says of their sample', () => {
  it('is kept as they gave it, is replaced until the sample is received, and then corrected by the operator alone', async () => {
    const kitID = await registered()
    const empty = (await clinic.live.get(`/kits/${kitID}/collection`)).body
    expect(empty).toMatchObject({
      kitID,
      questions: [{ id: 'fasting', isRequired: true }, {}, {}, {}, {}, { id: 'sport' }],
    })
    expect(empty).not.toHaveProperty('collectedDate')
    const first = wall(5)
    const given = await give(kitID, { collectedDate: first })
    expect(given.status, given.text).toBe(200)
    expect(given.body).toMatchObject({
      collectedDate: first,
      zone,
      collectedTime: `${first}:00+14:00`,
      givenBy: 'business',
      answers,
    })
    const day = wall().slice(0, 10)
    const corrected = await give(kitID, { collectedDate: day, answers: { fasting: 'no' } })
    expect(corrected.body).toMatchObject({ collectedDate: day, answers: { fasting: 'no' } })
    expect(corrected.body).not.toHaveProperty('collectedTime')
    await operator('POST', '/samples/receive', { kitID })
    expect(await give(kitID)).toMatchObject({ status: 409, body: { code: 'ILLEGAL_TRANSITION' } })
    const byOperator = await operator('POST', `/kits/${kitID}/collection`, {
      collectedDate: day,
      zone,
      answers: { fasting: 12 },
    })
    expect(byOperator.status, byOperator.text).toBe(200)
    expect((await operator('GET', `/kits/${kitID}/collection`)).body).toEqual(byOperator.body)
    expect(byOperator.body).toMatchObject({ givenBy: 'operator', answers: { fasting: 12 } })
    await world.settled()
    const audit = (await admin.get(`/audit?objectID=${kitID}`)).body.data
    const said = audit.filter(({ action }: { action: string }) => action.startsWith('kit.collection_'))
    expect(said.map(({ action, details }: { action: string; details: object }) => ({ action, details }))).toEqual([
      {
        action: 'kit.collection_corrected',
        details: { by: 'operator', answers: ['fasting'], collected: `${day} ${zone}`, before: `${day} ${zone}` },
      },
      {
        action: 'kit.collection_corrected',
        details: expect.objectContaining({ by: 'business', collected: `${day} ${zone}`, before: `${first} ${zone}` }),
      },
      { action: 'kit.collection_given', details: expect.objectContaining({ by: 'business' }) },
    ])
  })

  it('is refused where it cannot be so, with each field, and before somebody is registered', async () => {
    const kitID = await registered()
    const refused = await give(kitID, { collectedDate: '2020-01-01', answers: { cyclePhase: 'full', shoe: 42 } })
    expect(refused.status).toBe(400)
    expect(refused.body.details.map(({ path }: { path: string }) => path)).toEqual([
      'collectedDate',
      'answers.shoe',
      'answers.fasting',
      'answers.cyclePhase',
    ])
    for (const changes of [
      { zone: 'CST' },
      { collectedDate: '2026-02-30' },
      { collectedDate: '2026-02-03T10:00:00Z' },
      { collectedDate: '2026-11-27T07:40Z', zone: 'UTC' },
    ])
      expect((await give(kitID, changes)).status, JSON.stringify(changes)).toBe(400)
    const man = await registered(clinic, { sex: 'M' })
    expect((await give(man)).body.details).toMatchObject([{ path: 'answers.cyclePhase' }])
    const placed = await clinic.live.post('/create-order', anOrder({ kit_types: [{ kitType: PANEL }] }))
    const unregistered = (await clinic.live.get(`/orders/${placed.body.orderId}`)).body.kits[0].kitID
    expect(await give(unregistered)).toMatchObject({ status: 409, body: { code: 'ILLEGAL_TRANSITION' } })
  })

  it('is of its business alone, and its answers are for who may read results', async () => {
    const kitID = await registered()
    await give(kitID)
    expect((await give(kitID, {}, other)).status).toBe(404)
    expect((await other.live.get(`/kits/${kitID}/collection`)).status).toBe(404)
    const { token } = await world.service.database.asSystem({ name: 'cli' }, async (tx) =>
      createToken(tx, (await realmsOf(tx, clinic.id)).live, { name: 'kits', scopes: ['kits:read'] }),
    )
    const seen = (await world.as(token).get(`/kits/${kitID}/collection`)).body
    expect(seen).toMatchObject({ kitID, zone })
    expect(seen).not.toHaveProperty('answers')
  })

  it('keeps a sample from being held for its day of collection', async () => {
    await operator('PATCH', `/panels/${PANEL}`, { collectionDateNeeded: true })
    const [said, unsaid] = [await registered(), await registered()]
    await give(said)
    for (const kitID of [said, unsaid]) await operator('POST', '/samples/receive', { kitID })
    await operator('PATCH', `/panels/${PANEL}`, { collectionDateNeeded: false })
    expect((await clinic.live.get(`/kits/${said}/hold`)).status).toBe(404)
    expect((await clinic.live.get(`/kits/${unsaid}/hold`)).body).toMatchObject({ causes: ['collectionDateMissing'] })
    await operator('POST', `/kits/${unsaid}/collection`, { collectedDate: wall().slice(0, 10), zone, answers })
    expect((await clinic.live.get(`/kits/${unsaid}/hold`)).body).toMatchObject({ state: 'released' })
  })

  const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
  /** A kit that another vendor sent, and that came here today. */
  async function takenOver(): Promise<string> {
    const address = { street1: '1 Main St', city: 'Austin', state: 'TX', zip: '78701', country: 'US' }
    const name = { first_name: 'Zoë', last_name: 'Young', email: `taken${Date.now()}.${++serial}@people.test` }
    const steps = { ordered_date: dayAgo(40), shipped_date: dayAgo(38), registered_date: dayAgo(30) }
    const person = { date_of_birth: '1980-02-03', sex: 'F' }
    const about = { external_id: `T${Date.now()}${++serial}`, kit_type: PANEL, status: 'registered' }
    const [read] = readKits(JSON.stringify({ ...about, ...name, ...address, ...steps, ...person })).rows
    if (!read || 'problem' in read) throw new Error(read?.problem)
    return world.service.database.asSystem({ name: 'cli' }, async (tx) => {
      const { kitId } = await takeOver(tx, (await realmsOf(tx, clinic.id)).live, read.row)
      return kitId ?? ''
    })
  }
  const holdOf = async (kitID: string) => (await clinic.live.get(`/kits/${kitID}/hold`)).body
  const held = async (kitID: string, causes: string[]) => {
    await operator('POST', '/samples/receive', { kitID })
    const answer = await operator('POST', `/kits/${kitID}/hold`, { causes })
    expect(answer.status, answer.text).toBe(200)
  }

  it('sets until when a held sample is kept, and so does a correction', async () => {
    const [later, earlier] = [await takenOver(), await takenOver()]
    const say = (kitID: string, collectedDate: string) =>
      operator('POST', `/kits/${kitID}/collection`, { collectedDate, zone, answers })
    await held(later, ['collectionDateMissing', 'labelUnreadable'])
    expect(await holdOf(later)).toMatchObject({ clock: { restsOn: 'receipt' } })
    await say(later, dayAgo(2))
    const kept = {
      collectedDate: dayAgo(2),
      discardAt: `${dayAgo(-5)}T00:00:00.000Z`,
      clock: { restsOn: 'collection' },
    }
    expect(await holdOf(later)).toMatchObject({ state: 'open', ...kept })
    await give(earlier, { collectedDate: dayAgo(1) })
    await held(earlier, ['labelUnreadable'])
    expect(await holdOf(earlier)).toMatchObject({ collectedDate: dayAgo(1) })
    await say(earlier, dayAgo(2))
    expect(await holdOf(earlier)).toMatchObject(kept)
  })

  it('is the same where it is given for a held sample, also before a kit came from another vendor', async () => {
    const kitID = await takenOver()
    await held(kitID, ['collectionDateMissing'])
    const mended = await clinic.live.post(`/kits/${kitID}/hold/mend`, { collectedDate: dayAgo(9) })
    expect(mended.body, mended.text).toMatchObject({ state: 'released', collectedDate: dayAgo(9) })
    const said = (await clinic.live.get(`/kits/${kitID}/collection`)).body
    expect(said).toMatchObject({ collectedDate: dayAgo(9), givenBy: 'business', answers: {} })
    expect(said).not.toHaveProperty('zone')
    const document = await resulted(kitID, [GLUCOSE])
    expect((await reviewed(document)).details).toMatchObject({ collectedPrecision: 'day', collectedSaid: dayAgo(9) })
    expect((await clinic.live.post(`/kits/${kitID}/hold/mend`, { collectedDate: dayAgo(50) })).status).toBe(409)
  })

  it('is exported with its person, goes with their erasure, and its answers are nowhere in clear', async () => {
    const kitID = await registered()
    await give(kitID)
    const { customerID } = (await clinic.live.get(`/kits/${kitID}`)).body.kit
    const exported = (await clinic.live.get(`/customers/${customerID}/export`)).body
    expect(exported.collections).toMatchObject([{ kitID, zone, answers }])
    await world.settled()
    const everywhere = JSON.stringify([
      (await clinic.live.get('/events?size=250')).body,
      (await admin.get('/audit?size=250')).body,
      (await clinic.live.get(`/kits/${kitID}`)).body,
      (await clinic.live.get('/kits')).body,
      world.logged,
    ])
    expect(everywhere).not.toContain(CANARY)
    const tables = await world.service.database.asSystem({ name: 'test' }, async (tx) => {
      const { rows } = await tx.client.query(
        `select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
      )
      const found: string[] = []
      for (const { table_name: name } of rows) {
        const { rows: hits } = await tx.client.query(
          `select 1 from "${name}" t where t::text like '%${CANARY}%' limit 1`,
        )
        if (hits.length > 0) found.push(name)
      }
      return found
    })
    expect(tables).toEqual([])
    const erased = await clinic.live.request('DELETE', `/customers/${customerID}`)
    expect(erased.status, erased.text).toBe(200)
    expect((await clinic.live.get(`/kits/${kitID}/collection`)).body).not.toHaveProperty('collectedDate')
  })
})

let messages = 0
const clock = () => new Date().toISOString().slice(0, 19).replaceAll(/\D/g, '')
const ofUtc = () => ({ collectedDate: new Date(Date.now() - 60_000).toISOString().slice(0, 16), zone: 'UTC' })
const resulted = async (kitID: string, lines: string[], obr7 = '') => {
  const text = [
    `MSH|^~\\&|LAB|X|KITLANE|Y|${clock()}||ORU^R01|C${Date.now()}${++messages}|P|2.5.1`,
    'PID|1||X||Young^Zoë||19800203|F',
    `OBR|1|${kitID}|A${kitID}|24331-1^Panel^LN|||${obr7}|||||||||||||||${clock()}|||F`,
    ...lines,
  ].join('\r')
  const sent = await operator('POST', '/lab/results', text, { 'content-type': 'application/hl7-v2' })
  expect(sent.body.reports, sent.text).toMatchObject([{ status: 'reported' }])
  return sent.body.reports[0].reportID as string
}
const GLUCOSE = 'OBX|1|NM|2345-7^Glucose^LN||104|mg/dL|||||F'
const reviewed = async (reportID: string) => (await clinic.live.get(`/reports/${reportID}`)).body
const entry = (report: { biomarker: { id: string }[] }, id: string) => report.biomarker.find((one) => one.id === id)

describe('what a person says, in the verdict', () => {
  it('judges where the laboratory says nothing, with its source in JSON and FHIR, and is judged again once corrected', async () => {
    const kitID = await registered()
    const collectedDate = wall(3)
    await give(kitID, { collectedDate })
    const reportID = await resulted(kitID, [GLUCOSE])
    const first = await reviewed(reportID)
    expect(entry(first, 'glucose')).toMatchObject({
      fasting: 'yes',
      saidByPerson: ['fasting'],
      label: 'Glucose (fasting)',
      interpretation: 'H',
    })
    expect(first.details).toMatchObject({
      collectedSaid: `${collectedDate}+14:00`,
      collectedPrecision: 'time',
      version: 1,
    })
    const published = await clinic.live.post(`/reports/${reportID}/publish`, {})
    expect(published.status, published.text).toBe(200)
    const { customerID } = (await clinic.live.get(`/kits/${kitID}`)).body.kit
    const path = `/customers/${customerID}/reports/${reportID}`
    const fhir = (await clinic.live.get(path, { accept: FHIR })).text
    expect(fhir).toContain('Taken fasting, as the person tested said.')
    expect(fhir).toContain(`"collectedDateTime":"${collectedDate}:00+14:00"`)
    expect(fhir).toContain('The person tested said when it was collected.')
    const corrected = await operator('POST', `/kits/${kitID}/collection`, {
      ...{ collectedDate: collectedDate.slice(0, 10), zone, answers: { ...answers, fasting: 'no' } },
    })
    expect(corrected.status, corrected.text).toBe(200)
    const second = (await clinic.live.get(path)).body
    expect(entry(second, 'glucose')).toMatchObject({ fasting: 'no', saidByPerson: ['fasting'], state: 'unknown' })
    expect(second.details).toMatchObject({
      version: 2,
      collectedPrecision: 'day',
      collectedSaid: collectedDate.slice(0, 10),
    })
    expect(second.details.reason).toBe('What the person says of the sample was corrected.')
  })

  it('counts nothing of cycle or pregnancy where the sex is corrected, and sends none of it', async () => {
    const kitID = await registered()
    await give(kitID, { answers: { fasting: 'yes', pregnant: 'yes', cyclePhase: 'luteal' } })
    const reportID = await resulted(kitID, [GLUCOSE])
    expect(entry(await reviewed(reportID), 'glucose')).toMatchObject({ pregnant: true, state: 'unknown' })
    const { customerID } = (await clinic.live.get(`/kits/${kitID}`)).body.kit
    const corrected = await clinic.live.request('PATCH', `/customers/${customerID}`, { gender: 'M' })
    expect(corrected.status, corrected.text).toBe(200)
    const judged = entry(await reviewed(reportID), 'glucose')
    expect(judged).toMatchObject({ interpretation: 'H', saidByPerson: ['fasting'] })
    expect(judged).not.toHaveProperty('pregnant')
    expect((await clinic.live.get(`/kits/${kitID}/collection`)).body.answers).toEqual({ fasting: 'yes' })
    const said = await world.service.database.asSystem({ name: 'test' }, async (tx) => {
      const realm = within(tx, (await realmsOf(tx, clinic.id)).live)
      return maybeFind(realm, await lockKit(realm, kitID))
    })
    expect(said?.answers).toEqual({ fasting: 'yes' })
  })

  it('gives way to the laboratory, and a contradiction on which a verdict depends waits for review with its reason', async () => {
    const auto = await world.business({ name: 'Auto', credits: 20 })
    await world.service.database.asSystem({ name: 'cli' }, (tx) => provision(tx, auto.id, [PANEL]))
    await world.grant(auto, PANEL, 20)
    await auto.live.request('PATCH', '/settings', { publishing: 'auto', publishAcknowledged: true })
    const fasting = ['NTE|1||Patient fasting', GLUCOSE]
    const standing = async (kitID: string) => (await auto.live.get(`/kits/${kitID}`)).body.kit.status
    const [same, otherwise, unneeded, days] = await Promise.all([1, 2, 3, 4].map(() => registered(auto)))
    await give(same ?? '', ofUtc(), auto)
    await resulted(same ?? '', fasting)
    expect(await standing(same ?? '')).toBe('published')
    await give(otherwise ?? '', { ...ofUtc(), answers: { fasting: 'no' } }, auto)
    const reportID = await resulted(otherwise ?? '', fasting)
    expect(await standing(otherwise ?? '')).toBe('inReview')
    expect((await operator('GET', `/reports/${reportID}`)).text).toContain(
      'Whether the sample was taken fasting: the laboratory says yes, and the person no. The verdict of Glucose',
    )
    await give(unneeded ?? '', { ...ofUtc(), answers: { fasting: 'no' } }, auto)
    await resulted(unneeded ?? '', ['NTE|1||Patient fasting', 'OBX|1|NM|2276-4^Ferritin^LN||40|ng/mL|15-150||||F'])
    expect(await standing(unneeded ?? '')).toBe('published')
    await give(days ?? '', ofUtc(), auto)
    const early = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')
    const apart = await resulted(days ?? '', [GLUCOSE], early)
    expect(await standing(days ?? '')).toBe('inReview')
    expect((await operator('GET', `/reports/${apart}`)).text).toContain(
      'When the sample was collected: the laboratory says',
    )
  })
})

describe('in the sandbox', () => {
  it('a scenario says it, and the results rest on it until the kit begins again', async () => {
    const kitID = await at.newKit(clinic, 'sandbox', { kit_types: [{ kitType: PANEL }] })
    const play = async (scenario: string) => {
      const answer = await clinic.sandbox.post(`/sandbox/kits/${kitID}/scenario`, { scenario })
      expect(answer.status, answer.text).toBe(200)
      return answer.body
    }
    const collection = async () => (await clinic.sandbox.get(`/kits/${kitID}/collection`)).body
    await play('sampleSaid')
    expect(await collection()).toMatchObject({
      givenBy: 'person',
      zone: 'UTC',
      answers: { fasting: 12, sport: 'none' },
    })
    const { customerID } = await play('published')
    const [{ id }] = (await clinic.sandbox.get(`/customers/${customerID}`)).body.reports
    const report = (await clinic.sandbox.get(`/customers/${customerID}/reports/${id}`)).body
    expect(entry(report, 'glucose')).toMatchObject({ fasting: 'yes', saidByPerson: ['fasting'] })
    expect(report.details.collectedSaid).toContain('+00:00')
    await play('shipped')
    expect(await collection()).not.toHaveProperty('collectedDate')
  })
})

describe('the page of the person', () => {
  async function person(changes: Record<string, string> = {}) {
    const placed = await clinic.live.post('/create-order', anOrder({ kit_types: [{ kitType: PANEL }] }))
    const kitID: string = (await clinic.live.get(`/orders/${placed.body.orderId}`)).body.kits[0].kitID
    const { email } = await at.register(kitID, changes)
    const [link = ''] = await at.linksTo(email)
    return { kitID, ...(await at.enter(link)) }
  }
  const today = (zone = 'America/New_York') => {
    const [year = '', month = '', day = ''] = localTime(new Date(), zone).slice(0, 10).split('-')
    return { day, month: String(Number(month)), year }
  }

  it('asks in each language when the sample was taken and what the panel asks, keeps what was typed, and says what is wrong', async () => {
    const { kitID, who } = await person()
    const home = await who.open('/r')
    expect(home.text).toContain('Say when you took your sample')
    const form = await who.open(`/r/kits/${kitID}/collection`)
    const words = {
      en: 'drunk only water',
      de: 'nur Wasser getrunken',
      es: 'bebiendo solo agua',
      fr: 'que de l’eau',
      ar: 'سوى الماء',
      ja: '水だけ',
    }
    for (const [language, said] of Object.entries(words))
      expect((await who.open(`/r/kits/${kitID}/collection?language=${language}`)).text, language).toContain(said)
    expect((await who.open(`/r/kits/${kitID}/collection?language=de`)).text).toContain(
      'Haben Sie am Tag davor Sport getrieben?',
    )
    await who.open(`/r/kits/${kitID}/collection?language=en`)
    const typed = {
      ...today(),
      time: '',
      zone: 'America/New_York',
      q_medication_biotin: 'yes',
      q_medication_other: CANARY,
    }
    const refused = await who.submit(form, { ...typed, year: '2099' })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('This is still to come')
    expect(refused.text).toContain('Please answer this question.')
    expect(refused.html).toContain(CANARY)
    const taken = await who.submit(refused, { ...typed, q_fasting: 'yes', q_fasting_hours: '12' })
    expect(taken.text).toContain('Thank you. We have kept it.')
    const said = (await clinic.live.get(`/kits/${kitID}/collection`)).body
    expect(said).toMatchObject({
      givenBy: 'person',
      zone: 'America/New_York',
      answers: { fasting: 12, medication: ['biotin', CANARY] },
    })
    expect(said.collectedDate).toHaveLength(10)
    expect((await who.open('/r')).text).toContain('as you said')
  })

  it('may be of a journey: any zone is found by its city, and hours are read with a comma', async () => {
    const { kitID, who } = await person()
    const form = await who.open(`/r/kits/${kitID}/collection?language=en`)
    expect(form.text).toContain('Was it in another time zone?')
    const typed = { ...today('Asia/Tokyo'), time: '', q_fasting_hours: '7,5' }
    const refused = await who.submit(form, { ...typed, otherZone: 'Atlantis' })
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Please choose the time zone.')])
    const taken = await who.submit(refused, { ...typed, otherZone: 'tokyo', q_fasting: 'no' })
    expect(taken.text).toContain('Thank you. We have kept it.')
    expect((await clinic.live.get(`/kits/${kitID}/collection`)).body).toMatchObject({
      zone: 'Asia/Tokyo',
      answers: { fasting: 7.5 },
    })
  })

  it('asks where yes or no and the hours contradict each other, shows what it holds, and a correction counts', async () => {
    const { kitID, who } = await person()
    const path = `/r/kits/${kitID}/collection`
    const typed = { ...today(), time: '', zone: 'America/New_York' }
    const fasting = async () => (await clinic.live.get(`/kits/${kitID}/collection`)).body.answers?.fasting
    for (const [q_fasting, q_fasting_hours] of [
      ['no', '12'],
      ['yes', '3'],
    ] as const) {
      const asked = await who.submit(await who.open(path), { ...typed, q_fasting, q_fasting_hours })
      expect(asked.text).toContain('Yes or no and the hours do not fit each other')
      expect(await fasting()).toBeUndefined()
    }
    await who.submit(await who.open(path), { ...typed, q_fasting: 'no', q_fasting_hours: '3' })
    expect(await fasting()).toBe(3)
    await who.submit(await who.open(path), { ...typed, q_fasting: 'yes', q_fasting_hours: '11' })
    expect(await fasting()).toBe(11)
    const shown = await who.open(path)
    expect(shown.html).toMatch(/name="q_fasting" value="yes" checked/)
    expect(shown.html).toMatch(/name="q_fasting_hours"[^>]*value="11"/)
    const corrected = await who.submit(shown, { ...typed, q_fasting: 'no' })
    expect(corrected.text).toContain('Thank you. We have kept it.')
    expect(await fasting()).toBe('no')
    expect(corrected.html).toMatch(/name="q_fasting" value="no" checked/)
  })

  it('shows the day of a last dose that is known without a time, and keeps it', async () => {
    const { kitID, who } = await person()
    const { year, month, day } = today()
    const timeOfLastDose = `${year}-${month}-${day}`
    const sample = { collectedDate: timeOfLastDose, zone: 'America/New_York' }
    const given = await give(kitID, { ...sample, answers: { fasting: '11', medication: 'none', timeOfLastDose } })
    expect(given.status, given.text).toBe(200)
    const form = await who.open(`/r/kits/${kitID}/collection`)
    await who.submit(form, { q_sport: 'hard' })
    expect((await clinic.live.get(`/kits/${kitID}/collection`)).body).toMatchObject({
      givenBy: 'person',
      answers: { fasting: 11, medication: ['none'], sport: 'hard', timeOfLastDose },
    })
  })

  it('asks which of two it was where clocks showed a time twice, and is closed once the laboratory has the sample', async () => {
    const { kitID, who } = await person()
    const form = await who.open(`/r/kits/${kitID}/collection`)
    const typed = { day: '25', month: '10', year: '2026', time: '01:30', zone: 'Europe/London', q_fasting: 'no' }
    const asked = await who.submit(form, typed)
    expect(asked.text).toContain('The second time, after the clocks had changed')
    const [year = '', month = '', date = ''] = localTime(new Date(), 'Europe/London').slice(0, 10).split('-')
    await who.submit(asked, { ...typed, year, month, day: date, time: '00:00', offset: '+01:00' })
    expect((await clinic.live.get(`/kits/${kitID}/collection`)).body).toMatchObject({
      zone: 'Europe/London',
      collectedDate: `${year}-${month}-${date}T00:00`,
    })
    await operator('POST', '/samples/receive', { kitID })
    expect((await who.open(`/r/kits/${kitID}/collection`)).text).toContain(
      'the laboratory may have your sample already',
    )
    expect((await who.submit(asked, { ...typed, offset: '+01:00' })).text).toContain('may have your sample already')
    const stranger = await person()
    expect((await stranger.who.open(`/r/kits/${kitID}/collection`)).status).toBe(404)
  })
})
