import { inWords } from '@kitlane/lab-reader/identify/reasons'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { configure, realmsOf } from '../../src/modules/businesses/service.ts'
import { createToken } from '../../src/modules/identity/tokens.ts'
import type { Caller } from '../harness/caller.ts'
import { readBackAll } from '../harness/critical.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { anOrder } from '../harness/orders.ts'
import { signIn, person as user } from '../harness/people.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'
import * as pages from '../samples/awkward-pages.ts'
import * as texts from '../samples/awkward-texts.ts'
import { makePdf } from '../samples/make-pdf.ts'

let world: World
let lab: Operator
let review: Operator
beforeAll(async () => {
  world = await sharedWorld()
  lab = await operatorWith(world, ['lab'])
  review = await operatorWith(world, ['review'])
})
afterAll(() => world.stop())

/** Creates a business that publishes at once and accepts files. */
async function automatic(): Promise<TestBusiness> {
  const clinic = await world.business()
  await world.service.database.asSystem({ name: 'cli' }, (tx) =>
    configure(tx, clinic.id, { uploadsEnabled: true, publishing: 'auto' }),
  )
  await clinic.live.request('PATCH', '/settings', { publishing: 'auto' })
  return clinic
}

const person = { firstName: 'Jamie', lastName: 'Doe', email: 'jd@example.test', dateOfBirth: '1980-02-03', sex: 'F' }

async function registeredKit(clinic: TestBusiness): Promise<{ kitID: string; customerId: number }> {
  const { orderId } = (await clinic.live.post('/create-order', anOrder())).body
  const { kitID } = (await clinic.live.get(`/orders/${orderId}`)).body.kits[0]
  const { customerId } = (await clinic.live.post(`/kits/${kitID}/register`, person)).body
  return { kitID, customerId }
}

const send = async (text: string) =>
  (await lab('POST', '/lab/results', text, { 'content-type': 'text/plain' })).body.reports

/** A token that may review. Default tokens may not. */
async function reviewer(clinic: TestBusiness): Promise<Caller> {
  const { token } = await world.service.database.asSystem({ name: 'cli' }, async (tx) =>
    createToken(tx, (await realmsOf(tx, clinic.id)).live, {
      name: 'reviewer',
      scopes: ['reports:read', 'reports:review'],
    }),
  )
  return world.as(token)
}

const waitingOf = async (kitID: string, state = 'open') =>
  (await lab('GET', `/unassessed-results?kitID=${kitID}&state=${state}`)).body.data

async function upload(clinic: TestBusiness, content: string | Buffer, customer = {}) {
  const who = { email: 'ann@example.test', name: 'Ann Example', ...customer }
  const { id: userId } = (await clinic.live.post('/customer', who)).body
  const fileBlob = `data:application/octet-stream;base64,${Buffer.from(content).toString('base64')}`
  const sent = await clinic.live.post('/customer/add-data', { type: 'file', userId, date: '2026-01-01', fileBlob })
  return { userId, status: sent.status, body: sent.body }
}

describe('a result that was received and cannot be judged', () => {
  it('is kept as it came with the reason, and a critical one holds the report until a person publishes it', async () => {
    const clinic = await automatic()
    const { kitID, customerId } = await registeredKit(clinic)
    const [taken] = await send(texts.words(kitID))
    expect(taken).toMatchObject({ status: 'reported', kitID, matched: 2 })
    expect(taken.unmatched.map(({ name, critical }: { name: string; critical: boolean }) => [name, critical])).toEqual([
      ['HIV', true],
      ['Zika NS1 Ag', true],
      ['Copeptin', true],
    ])
    const path = `/customers/${customerId}/reports/${taken.reportID}`
    expect((await clinic.live.get(path)).status).toBe(404)
    const waiting = await waitingOf(kitID)
    expect(waiting).toHaveLength(3)
    expect(waiting[0]).toMatchObject({
      name: 'HIV',
      value: 'Detected',
      range: 'Not Detected',
      flag: 'AA',
      code: 'notANumber',
      reason: inWords,
      critical: true,
      state: 'open',
      kitID,
      reportID: taken.reportID,
      customerID: customerId,
      business: { id: clinic.id },
    })
    const reviewed = (await lab('GET', `/reports/${taken.reportID}`)).body
    expect(reviewed.unassessed.map(({ name }: { name: string }) => name)).toEqual(['HIV', 'Zika NS1 Ag', 'Copeptin'])
    const notified = { person: 'Dr. Reyes', at: '2026-11-20' }
    await readBackAll(lab, taken.reportID)
    expect((await lab('POST', `/reports/${taken.reportID}/publish`, { notified })).status).toBe(200)
    const report = (await clinic.live.get(path)).body
    expect(report.unassessed[2]).toMatchObject({ name: 'Copeptin', value: '4200', unit: 'pg/mL', flag: 'HH' })
    expect(await waitingOf(kitID)).toEqual([])
    expect((await waitingOf(kitID, 'closed'))[0]).toMatchObject({ state: 'closed', note: 'The report was published' })
    const { in: of } = await signIn(world, await user(world, 'business-admin', clinic))
    const closed = `/unassessed-results?kitID=${kitID}&state=closed`
    const [inSpanish] = (await of(clinic).get(closed, { 'accept-language': 'es' })).body.data
    expect(inSpanish.note).toBe('El informe se publicó')
  })

  it('gives its reason in the language of the dashboard, wherever it is shown, and in English to a program', async () => {
    const clinic = await automatic()
    const { kitID } = await registeredKit(clinic)
    const [{ reportID }] = await send(texts.words(kitID))
    const { in: of } = await signIn(world, await user(world, 'business-admin', clinic))
    const reasonsFor = async (caller: Caller) => {
      const shown = async (path: string) => (await caller.get(path, { 'accept-language': 'es' })).body
      const [waiting] = (await shown(`/unassessed-results?kitID=${kitID}`)).data
      return [waiting.reason, (await shown(`/reports/${reportID}`)).unassessed[0].reason]
    }
    const said =
      'El resultado está en palabras, y no se sabe qué palabras tiene este análisis: leerlo e indicar qué significa'
    expect(await reasonsFor(of(clinic))).toEqual([said, said])
    expect(await reasonsFor(await reviewer(clinic))).toEqual([inWords, inWords])
  })

  it('without a flag holds nothing: the report is published, and it waits', async () => {
    const clinic = await automatic()
    const { kitID, customerId } = await registeredKit(clinic)
    const results = [
      { name: 'Glucose', value: 91, unit: 'mg/dL' },
      { name: 'Moon Dust', value: 3, unit: 'mg/dL', flag: 'H' },
    ]
    const [{ reportID }] = (await lab('POST', '/lab/results', { kitID, results })).body.reports
    const { status, body } = await clinic.live.get(`/customers/${customerId}/reports/${reportID}`)
    expect([status, body.unassessed[0]]).toMatchObject([200, { name: 'Moon Dust', code: 'unknownName' }])
    const own = await reviewer(clinic)
    const { data, pagination } = (await own.get('/unassessed-results')).body
    expect([data.length, data[0].name, pagination.total]).toEqual([1, 'Moon Dust', 1])
    const close = () => own.post(`/unassessed-results/${data[0].id}/close`, { note: 'The physician knows' })
    expect((await close()).body).toEqual({ id: data[0].id, state: 'closed' })
    expect((await close()).body.code).toBe('RESULT_NOT_FOUND')
    expect((await own.get('/unassessed-results')).body.data).toEqual([])
  })

  it('is not lost where nothing else came with it, and holds the report that comes later', async () => {
    const clinic = await automatic()
    const { kitID, customerId } = await registeredKit(clinic)
    const [first] = await send(texts.wordsOnly(kitID))
    expect(first).toMatchObject({ status: 'waiting', kitID, unmatched: [{ name: 'HIV', critical: true }] })
    await send(texts.wordsOnly(kitID))
    expect(await waitingOf(kitID)).toHaveLength(1)
    const glucose = [{ name: 'Glucose', value: 91, unit: 'mg/dL' }]
    const [{ reportID }] = (await lab('POST', '/lab/results', { kitID, results: glucose })).body.reports
    expect((await clinic.live.get(`/customers/${customerId}/reports/${reportID}`)).status).toBe(404)
    expect((await lab('GET', `/reports/${reportID}`)).body.unassessed).toMatchObject([{ name: 'HIV', flag: 'AA' }])
  })

  it('holds a later version as it does a first one, whatever it waits for, and is shown with it', async () => {
    const clinic = await automatic()
    const glucose = { name: 'Glucose', loinc: '2345-7', value: 91, unit: 'mg/dL' }
    const results = async (kitID: string, more: Record<string, unknown>) =>
      (await lab('POST', '/lab/results', { kitID, ...more })).body.reports[0]
    for (const [publishing, row] of [
      ['auto', { name: 'Sodium', loinc: '2951-2', value: 991, unit: 'mmol/L' }],
      ['auto', { name: 'HDL Cholesterol', loinc: '2085-9', value: -91, unit: 'mg/dL' }],
      ['auto', { name: 'HIV', value: 'Detected', unit: '', flag: 'AA' }],
      ['manual', { name: 'Sodium', loinc: '2951-2', value: 991, unit: 'mmol/L' }],
    ] as const) {
      await clinic.live.request('PATCH', '/settings', { publishing })
      const { kitID, customerId } = await registeredKit(clinic)
      const { reportID } = await results(kitID, { results: [glucose] })
      if (publishing === 'manual') expect((await review('POST', `/reports/${reportID}/publish`)).status).toBe(200)
      const later = await results(kitID, { status: 'corrected', results: [{ ...glucose, value: 92 }, row] })
      expect(later, row.name).toMatchObject({ status: 'reported', lines: { waiting: 1 } })
      const path = `/customers/${customerId}/reports/${reportID}`
      expect((await clinic.live.get(path)).body).toMatchObject({
        labParamsError: ['Later Version In Review'],
        biomarker: [{ result: 91 }],
        unassessed: [],
      })
      const reviewed = (await review('GET', `/reports/${reportID}`)).body
      expect(reviewed).toMatchObject({ status: 'inReview', unassessed: [{ name: row.name }] })
      await results(kitID, { results: [{ name: 'Triglycerides', loinc: '2571-8', value: 120, unit: 'mg/dL' }] })
      await readBackAll(lab, reportID)
      const notified = { person: 'Dr. Reyes', at: '2026-11-20' }
      expect((await review('POST', `/reports/${reportID}/publish`, { notified })).status).toBe(200)
      expect((await clinic.live.get(path)).body).toMatchObject({
        details: { version: 3 },
        biomarker: expect.arrayContaining([expect.objectContaining({ id: 'glucose', result: 92 })]),
      })
    }
  })

  it('that comes again takes the place of what was kept, which is read in no version, since it was held', async () => {
    const clinic = await automatic()
    const { kitID, customerId } = await registeredKit(clinic)
    const glucose = { name: 'Glucose', value: 91, unit: 'mg/dL' }
    const post = (result: object) => lab('POST', '/lab/results', { kitID, results: [glucose, result] })
    await post({ name: 'HIV', value: 'Detected', unit: '', flag: 'AA' })
    const [{ reportID }] = (await post({ name: 'HIV', value: 'Not Detected', unit: '', flag: 'N' })).body.reports
    const path = `/customers/${customerId}/reports/${reportID}`
    expect((await clinic.live.get(path)).body.unassessed).toMatchObject([{ value: 'Not Detected' }])
    expect((await clinic.live.get(`${path}?version=1`)).status).toBe(404)
  })

  it('stays where the laboratory only says that more is to come', async () => {
    const clinic = await automatic()
    const { kitID } = await registeredKit(clinic)
    await send(texts.wordsOnly(kitID))
    await send(texts.pendingWords(kitID))
    expect(await waitingOf(kitID)).toMatchObject([{ name: 'HIV', value: 'Detected' }])
  })

  it('is kept on the kit that a person says, and the message is done', async () => {
    const clinic = await automatic()
    const { kitID } = await registeredKit(clinic)
    const [{ status, messageID }] = await send(texts.wordsOnly('K0NK0NK0N'))
    const assign = () => lab('POST', `/lab/messages/${messageID}/assign`, { kitID })
    const { orderId } = (await clinic.live.post('/create-order', anOrder())).body
    const { kitID: unregistered } = (await clinic.live.get(`/orders/${orderId}`)).body.kits[0]
    const refused = await lab('POST', `/lab/messages/${messageID}/assign`, { kitID: unregistered })
    expect([status, refused.body.code]).toEqual(['waiting', 'ILLEGAL_TRANSITION'])
    expect((await assign()).body).toMatchObject({ status: 'waiting', unmatched: [{ name: 'HIV', critical: true }] })
    expect(await waitingOf(kitID)).toMatchObject([{ name: 'HIV' }])
    expect((await assign()).body.code).toBe('MESSAGE_NOT_FOUND')
  })

  it('counts as critical in the queue of reports to review', async () => {
    const clinic = await world.business()
    const [older, newer] = [await registeredKit(clinic), await registeredKit(clinic)]
    const glucose = [{ name: 'Glucose', value: 91, unit: 'mg/dL' }]
    const [{ reportID: plain }] = (await lab('POST', '/lab/results', { kitID: older.kitID, results: glucose })).body
      .reports
    const [{ reportID: grave }] = await send(texts.words(newer.kitID))
    const reviews = (await lab('GET', '/reports?size=250')).body
    const of = (id: string) => reviews.findIndex(({ reportID }: { reportID: string }) => reportID === id)
    expect(of(grave)).toBeLessThan(of(plain))
    expect(reviews[of(grave)]).toMatchObject({ critical: 3, unassessed: 3 })
  })

  it('is counted in the list of reports of its business and in the overview, before and after publishing', async () => {
    const waitingBefore = (await review('GET', '/overview')).body.unassessed
    const clinic = await automatic()
    const { kitID } = await registeredKit(clinic)
    const [{ reportID }] = await send(texts.words(kitID))
    const counts = async () => (await (await reviewer(clinic)).get('/reports')).body.data[0]
    expect(await counts()).toMatchObject({ reportID, status: 'inReview', critical: 3, unassessed: 3 })
    const { unassessed } = (await review('GET', '/overview')).body
    expect(unassessed).toBe(waitingBefore + 3)
    const listed = (await review('GET', `/reports/${reportID}`)).body.unassessed
    expect(listed.map(({ critical }: { critical: boolean }) => critical)).toEqual([true, true, true])
    const notified = { person: 'Dr. Reyes', at: '2026-03-01' }
    await readBackAll(review, reportID)
    expect((await review('POST', `/reports/${reportID}/publish`, { notified })).status).toBe(200)
    expect(await counts()).toMatchObject({ status: 'published', critical: 3, unassessed: 3 })
    expect((await review('GET', '/overview')).body.unassessed).toBe(waitingBefore)
  })

  it('that a business added is kept too, with a report or without', async () => {
    const clinic = await automatic()
    const { id: userId } = (await clinic.live.post('/customer', { email: 'a@example.test', name: 'A B' })).body
    const add = (biomarkerData: object[]) =>
      clinic.live.post('/customer/add-data', { type: 'test', userId, date: '2026-03-02', biomarkerData })
    const hiv = { name: 'HIV', result: 'Detected', unit_of_measure: '' }
    const glucose = { name: 'glucose', result: 91, unit_of_measure: 'mg/dL' }
    const { reportId } = (await add([glucose, hiv])).body
    expect((await clinic.live.get(`/customers/${userId}/reports/${reportId}`)).status).toBe(404)
    expect((await add([hiv])).body.reportId).toBeUndefined()
    const { data } = (await (await reviewer(clinic)).get('/unassessed-results')).body
    expect(data.map(({ name, critical }: { name: string; critical: boolean }) => [name, critical])).toEqual([
      ['HIV', true],
      ['HIV', true],
    ])
  })

  it('is in the export of the person', async () => {
    const clinic = await automatic()
    const { kitID, customerId } = await registeredKit(clinic)
    await send(texts.wordsOnly(kitID))
    const { body } = await clinic.live.get(`/customers/${customerId}/export`)
    expect(body.unassessedResults).toMatchObject([{ name: 'HIV', value: 'Detected', kitID }])
    expect(body.criticalResults).toMatchObject([{ name: 'HIV', value: 'Detected', kitID, state: 'open' }])
    const observations = expect.arrayContaining([
      expect.objectContaining({ name: 'HIV', value: 'Detected', flag: 'AA' }),
    ])
    expect(body.receivedDocuments).toMatchObject([{ kitID, format: 'hl7v2', waiting: 1, observations }])
  })
})

describe('a message whose kit nobody had registered', () => {
  it('names that kit as ready once somebody has, and not where another doubt is left', async () => {
    const clinic = await automatic()
    const { orderId } = (await clinic.live.post('/create-order', anOrder())).body
    const { kitID } = (await clinic.live.get(`/orders/${orderId}`)).body.kits[0]
    const results = [{ name: 'Glucose', value: 91, unit: 'mg/dL' }]
    const sendFor = async (dateOfBirth: string) =>
      (await lab('POST', '/lab/results', { kitID, patient: { dateOfBirth }, results })).body.reports[0].messageID
    const [right, other] = [await sendFor(person.dateOfBirth), await sendFor('1999-09-09')]
    const readyOf = async (id: string) =>
      (await lab('GET', '/lab/messages?size=250')).body.find((message: { id: string }) => message.id === id)
        .readyForKitID
    expect([await readyOf(right), await readyOf(other)]).toEqual([undefined, undefined])
    expect((await clinic.live.post(`/kits/${kitID}/register`, person)).status).toBe(200)
    expect([await readyOf(right), await readyOf(other)]).toEqual([kitID, undefined])
    expect((await lab('POST', `/lab/messages/${right}/assign`, { kitID })).body.status).toBe('reported')
  })
})

describe('a message that names two people', () => {
  it('waits with everything in it, by whatever number it comes', async () => {
    const clinic = await automatic()
    const { kitID } = await registeredKit(clinic)
    const taken = await send(texts.severalPids(kitID))
    expect(taken).toHaveLength(2)
    for (const one of taken)
      expect(one).toMatchObject({
        status: 'waiting',
        reason: 'The message names more than one person: ask the laboratory for one message for each',
      })
    expect((await clinic.live.get(`/kits?kitID=${kitID}`)).body[0].status).toBe('notStarted')
    const queue = (await lab('GET', '/lab/messages?size=250')).body
    const message = queue.find(({ id }: { id: string }) => id === taken[0].messageID)
    expect(message).toMatchObject({
      kitID,
      patient: { name: 'Jamie Doe', dateOfBirth: '1980-02-03' },
      critical: 0,
      values: [{ name: 'Glucose', value: '91', unit: 'mg/dL', range: '70-99', flag: 'N', critical: false }],
    })
  })
})

describe('a file', () => {
  it.each([
    ['PDF with a second patient on page 2', () => makePdf(pages.twoPatients)],
    ['HL7 message with two PID', () => texts.severalPids()],
    ['FHIR bundle with two Patients', () => texts.severalPatients()],
    ['CSV file with two names', () => texts.patientColumn()],
  ])('that names two people waits whole: %s', async (_name, content) => {
    const clinic = await automatic()
    const { userId, status, body } = await upload(clinic, await content())
    expect([status, body]).toMatchObject([201, { needsReview: 'person', reports: [], totalBiomarkers: 0 }])
    expect((await lab('GET', `/uploads/${body.docId}`)).body.needsReview).toBe('person')
    expect((await clinic.live.get(`/customers/${userId}`)).body.reports).toEqual([])
  })

  it('whose rows could not be read waits for a person, and is not answered as done', async () => {
    const clinic = await automatic()
    const { body } = await upload(clinic, await makePdf(pages.mostlyUnread))
    expect(body).toMatchObject({ needsReview: 'layout', totalBiomarkers: 0, docId: expect.any(String) })
    expect((await lab('GET', `/uploads/${body.docId}`)).status).toBe(200)
  })

  it('of which nothing could be matched waits for a person with what was read', async () => {
    const clinic = await automatic()
    const { body } = await upload(clinic, 'Test,Result,Unit,Flag\nHIV,Detected,,AA\nMoon Dust,3,mg/dL,\n')
    expect(body).toMatchObject({ needsReview: 'unmatched', totalBiomarkers: 0, docId: expect.any(String) })
    const { candidates } = (await lab('GET', `/uploads/${body.docId}`)).body
    expect(candidates.map(({ name, value }: { name: string; value: string }) => [name, value])).toEqual([
      ['HIV', 'Detected'],
      ['Moon Dust', '3'],
    ])
  })

  it('with a critical word beside its results is not published without a person', async () => {
    const clinic = await automatic()
    const { userId, body } = await upload(clinic, await makePdf(pages.serology), { name: 'Jamie Doe' })
    expect(body).toMatchObject({ totalBiomarkers: 4, reports: [expect.anything()] })
    const [made] = body.reports
    const path = `/customers/${userId}/reports/${made.id ?? made}`
    expect((await clinic.live.get(path)).status).toBe(404)
    const { data } = (await (await reviewer(clinic)).get('/unassessed-results')).body
    expect(data).toHaveLength(5)
    expect(data[0]).toMatchObject({ name: 'Zika NS1 Ag', critical: true, docID: body.docId })
  })
})
