import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ManualClock, manualClock } from '../../src/platform/clock.ts'
import { readBackAll } from '../harness/critical.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { anOrder, CORE } from '../harness/orders.ts'
import { person, type SignedIn, signIn } from '../harness/people.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const NOW = '2026-11-20T12:00:00.000Z'
const DAY_MS = 86_400_000
let world: World
let clinic: TestBusiness
let clock: ManualClock
let lab: Operator
let reviewer: SignedIn

beforeAll(async () => {
  clock = manualClock(new Date(NOW))
  world = await ownWorld('sets the clock', { role: 'api' }, { clock })
  clinic = await world.business({ credits: 100, name: 'Northside Clinic' })
  lab = await operatorWith(world, ['lab', 'fulfilment', 'mail', 'audit'])
  reviewer = await signIn(world, await person(world, 'reviewer'))
})
afterAll(() => world.stop())

const maya = { firstName: 'Maya', lastName: 'Lindqvist', dateOfBirth: '1970-01-02', sex: 'F' }
const soon = () => new Date(clock.now().getTime() + 3 * DAY_MS).toISOString()
const mailbox = (name: string) => `${name}-${Math.random().toString(36).slice(2)}@example.test`

async function kit(email = mailbox('maya'), who: object = {}, consent?: object): Promise<string> {
  const { body } = await clinic.live.post('/create-order', anOrder({ isNotifyReceiver: true }))
  const [{ kitID }] = (await clinic.live.get(`/kits?orderID=${body.orderId}`)).body
  if (consent) await clinic.live.post(`/kits/${kitID}/consent`, { email, consentToTesting: true, ...consent })
  const registered = await clinic.live.post(`/kits/${kitID}/register`, { ...maya, email, ...who })
  expect(registered.status, registered.text).toBe(200)
  return kitID
}

type Sent = Record<string, [value: number, unit: string]>
const glucose: Sent = { Glucose: [91, 'mg/dL'] }

async function send(kitID: string, values: Sent = glucose, more: object = {}): Promise<string> {
  const results = Object.entries(values).map(([name, [value, unit]]) => ({ name, value, unit }))
  const { body, text } = await lab('POST', '/lab/results', { kitID, results, ...more })
  expect(body.reports, text).toMatchObject([{ status: 'reported' }])
  return body.reports[0].reportID
}

const auditOf = async (reportID: string): Promise<{ action: string; details: Record<string, unknown> }[]> =>
  (await lab('GET', `/audit?objectID=${reportID}`)).body.data
const published = async (reportID: string) =>
  (await clinic.live.get(`/reports/${reportID}`)).body.status === 'published'

describe('a report in review', () => {
  it('says of each value what it was before, and what to look at', async () => {
    const email = mailbox('maya')
    const before = await send(await kit(email), { TSH: [1.5, 'mIU/L'] }, { collectedDate: '2026-06-01' })
    expect((await reviewer.operator.post(`/reports/${before}/publish`)).status).toBe(200)
    const reportID = await send(await kit(email), { TSH: [3.9, 'mIU/L'] }, { collectedDate: '2026-11-18' })
    const { body } = await reviewer.operator.get(`/reports/${reportID}`)
    const [tsh, ...others] = body.biomarker
    expect(others).toEqual([])
    expect(tsh.previous).toEqual({
      reportID: before,
      date: '2026-06-01T00:00:00.000Z',
      result: 1.5,
      difference: 2.4,
      percent: 160,
    })
    expect(body.checks).toMatchObject([{ kind: 'change', code: 'changed', biomarkers: ['tsh'] }])
    // A check asks to look. The verdict is what it was.
    expect(tsh.interpretation).toBe('N')
  })

  it('says which values contradict each other, each with words and a source', async () => {
    const reportID = await send(await kit(), { Hemoglobin: [16, 'g/dL'], Hematocrit: [30, '%'] })
    const { checks } = (await reviewer.operator.get(`/reports/${reportID}`)).body
    expect(checks).toMatchObject([{ kind: 'plausibility', code: 'redCells', biomarkers: ['hemoglobin', 'hematocrit'] }])
    for (const { message, source } of checks) expect(`${message}${source}`.length).toBeGreaterThan(60)
  })

  it('does not compare with a report that was never published, nor with one of somebody else', async () => {
    const email = mailbox('maya')
    await send(await kit(email), { Creatinine: [0.8, 'mg/dL'] }, { collectedDate: '2026-06-01' })
    const reportID = await send(await kit(email), { Creatinine: [1.3, 'mg/dL'] }, { collectedDate: '2026-11-18' })
    const { body } = await reviewer.operator.get(`/reports/${reportID}`)
    expect(body.biomarker[0].previous).toBeUndefined()
    expect(body.checks).toEqual([])
  })
})

describe('the person of a report', () => {
  it('is described to a reviewer without a name, with what was before and how the sample came', async () => {
    const email = mailbox('maya')
    const before = await send(await kit(email), glucose, { collectedDate: '2026-06-01' })
    const note = { text: 'All is well.', author: 'Dr. Amara Osei, physician' }
    await reviewer.operator.post(`/reports/${before}/publish`, { note })
    const kitID = await kit(email)
    const reportID = await send(kitID, glucose, { collectedDate: '2026-11-18' })
    const { body, text } = await reviewer.operator.get(`/reports/${reportID}/person`)
    expect(body).toMatchObject({
      sex: 'F',
      age: 56,
      consent: { state: 'notRecorded' },
      laboratories: [],
      specimens: [],
      labErrors: [],
      kit: { kitID, collectedDate: '2026-11-18', isRejectable: true },
      reports: [{ reportID: before, status: 'published', note }],
    })
    expect(text).not.toMatch(/Lindqvist|Maya|@example/)
    expect((await lab('GET', `/reports/${reportID}/person`)).body.name).toBe('Maya Lindqvist')
  })

  it('is in the audit of who saw that person', async () => {
    const reportID = await send(await kit())
    const { body } = await reviewer.operator.get(`/reports/${reportID}/person`)
    const entries = (await lab('GET', `/audit?objectID=${body.customerID}`)).body.data
    const reads = entries.filter(({ action }: { action: string }) => action === 'customer.read')
    expect(reads.map(({ actor }: { actor: string }) => actor)).toEqual([`user:${reviewer.person.id}`])
  })

  it('has a guardian where they are a minor, named only to who may see names', async () => {
    const catalogue = await operatorWith(world, ['catalogue'])
    expect((await catalogue('PATCH', `/panels/${CORE}`, { minAge: 12 })).status).toBe(200)
    const guardian = { firstName: 'Sven', lastName: 'Lindqvist', relation: 'parent' }
    const child = await kit(mailbox('sven'), { dateOfBirth: '2014-05-01', guardian }, guardian)
    const reportID = await send(child, glucose, { collectedDate: '2026-11-18' })
    const { body } = await reviewer.operator.get(`/reports/${reportID}/person`)
    const relation = 'parent'
    expect(body).toMatchObject({ age: 12, guardian: { relation }, consent: { state: 'agreed', relation } })
    expect(body.guardian.name).toBeUndefined()
    expect((await lab('GET', `/reports/${reportID}/person`)).body.guardian.name).toBe('Sven Lindqvist')
  })

  it('is shown to nobody without the scope, and of no report that is not there', async () => {
    const packer = await operatorWith(world, ['fulfilment'])
    const reportID = await send(await kit())
    expect((await packer('GET', `/reports/${reportID}/person`)).status).toBe(403)
    expect((await reviewer.operator.get('/reports/R0000000000/person')).body.code).toBe('REPORT_NOT_FOUND')
  })
})

describe('a hold', () => {
  const hold = (reportID: string, untilDate = soon(), reason = 'The laboratory repeats it') =>
    reviewer.operator.post(`/reports/${reportID}/hold`, { reason, untilDate })
  const listed = async (reportID: string, as: SignedIn) =>
    (await as.operator.get('/reports?size=250')).body.find((one: { reportID: string }) => one.reportID === reportID)

  it('keeps a report from being published by anyone, until it is released', async () => {
    const reportID = await send(await kit())
    const held = await hold(reportID)
    expect(held.body).toEqual({
      reason: 'The laboratory repeats it',
      by: reviewer.person.email,
      isMine: true,
      heldDate: clock.now().toISOString(),
      untilDate: soon(),
    })
    for (const refused of [
      await reviewer.operator.post(`/reports/${reportID}/publish`),
      await clinic.live.post(`/reports/${reportID}/publish`),
    ]) {
      expect([refused.status, refused.body.code]).toEqual([409, 'REPORT_HELD'])
      expect(refused.text).not.toContain('repeats')
    }
    expect((await reviewer.operator.post(`/reports/${reportID}/release`)).status).toBe(200)
    expect((await reviewer.operator.post(`/reports/${reportID}/release`)).body.code).toBe('ILLEGAL_TRANSITION')
    expect((await reviewer.operator.post(`/reports/${reportID}/publish`)).status).toBe(200)
  })

  it('is marked in the list, with whose it is, and nowhere for the business', async () => {
    const reportID = await send(await kit())
    await hold(reportID)
    const other = await signIn(world, await person(world, 'reviewer'))
    expect((await listed(reportID, reviewer)).hold).toMatchObject({ isMine: true })
    expect((await listed(reportID, other)).hold).toMatchObject({ isMine: false, by: reviewer.person.email })
    for (const path of [`/reports/${reportID}`, '/reports?status=inReview', '/audit'])
      expect((await clinic.live.get(path)).text).not.toContain('repeats it')
  })

  it('ends by itself', async () => {
    const reportID = await send(await kit())
    await hold(reportID, new Date(clock.now().getTime() + 60_000).toISOString())
    clock.advance(60_001)
    expect((await listed(reportID, reviewer)).hold).toBeUndefined()
    expect((await reviewer.operator.post(`/reports/${reportID}/publish`)).status).toBe(200)
  })

  it('takes the place of the one before, and is in the audit with its reason', async () => {
    const reportID = await send(await kit())
    await hold(reportID)
    await hold(reportID, soon(), 'Its doctor is asked')
    expect((await reviewer.operator.get(`/reports/${reportID}`)).body.hold.reason).toBe('Its doctor is asked')
    await reviewer.operator.post(`/reports/${reportID}/release`)
    expect((await reviewer.operator.get(`/reports/${reportID}`)).body.hold).toBeUndefined()
    const entries = (await auditOf(reportID)).filter(({ action }) => /held|released/.test(action))
    expect(entries.map(({ action }) => action)).toEqual(['report.released', 'report.held', 'report.held'])
    expect(entries[1]?.details).toMatchObject({ reason: 'Its doctor is asked' })
  })

  it('is refused in the past, for more than 90 days, and of a report that is out', async () => {
    const reportID = await send(await kit())
    const at = (days: number) => new Date(clock.now().getTime() + days * DAY_MS).toISOString()
    expect((await hold(reportID, at(-1))).body.code).toBe('VALIDATION_FAILED')
    expect((await hold(reportID, at(91))).body.code).toBe('VALIDATION_FAILED')
    await reviewer.operator.post(`/reports/${reportID}/publish`)
    expect((await hold(reportID)).body.code).toBe('ILLEGAL_TRANSITION')
  })

  it('also keeps in what would be published with the last acknowledgement', async () => {
    await clinic.live.request('PATCH', '/settings', { publishing: 'auto', publishAcknowledged: true })
    const [held, free] = [await kit(), await kit()]
    const [first, second] = [
      await send(held, { Potassium: [7.2, 'mmol/L'] }),
      await send(free, { Potassium: [7.2, 'mmol/L'] }),
    ]
    await clinic.live.request('PATCH', '/settings', { publishing: 'auto', publishAcknowledged: true })
    await hold(first)
    await readBackAll(clinic.live.request, first)
    await readBackAll(clinic.live.request, second)
    expect([await published(first), await published(second)]).toEqual([false, true])
    await clinic.live.request('PATCH', '/settings', { publishing: 'manual', publishAcknowledged: false })
  })
})

describe('a comment', () => {
  it('is kept for other reviewers, in order, and shown to neither the business nor the person', async () => {
    const reportID = await send(await kit())
    const say = (text: string) => reviewer.operator.post(`/reports/${reportID}/comments`, { text })
    expect((await say('Looks like EDTA')).status).toBe(201)
    clock.advance(1000)
    const { body } = await say('The laboratory says no')
    const by = reviewer.person.email
    expect(body).toMatchObject([
      { text: 'Looks like EDTA', by },
      { text: 'The laboratory says no', by },
    ])
    expect((await reviewer.operator.get(`/reports/${reportID}`)).body.comments).toEqual(body)
    await reviewer.operator.post(`/reports/${reportID}/publish`)
    const { customer } = (await clinic.live.get(`/reports/${reportID}`)).body
    for (const path of [`/reports/${reportID}`, `/customers/${customer.id}/reports/${reportID}`, '/events', '/audit'])
      expect((await clinic.live.get(path)).text).not.toContain('EDTA')
    const entries = (await auditOf(reportID)).filter(({ action }) => action === 'report.commented')
    expect(entries.length).toBe(2)
    expect(JSON.stringify(entries)).not.toContain('EDTA')
  })

  it('is sealed, cannot be changed by the service, and goes with its report', async () => {
    const email = mailbox('maya')
    const reportID = await send(await kit(email))
    await reviewer.operator.post(`/reports/${reportID}/comments`, { text: 'Clearly haemolysed' })
    await reviewer.operator.post(`/reports/${reportID}/hold`, { reason: 'Clearly haemolysed', untilDate: soon() })
    const owner = await world.owner()
    const rows = async (table: string) =>
      (await owner.query(`select t::text as row from ${table} t where report_id = $1`, [reportID])).rows
    for (const table of ['report_comments', 'report_holds']) {
      expect((await rows(table)).length, table).toBe(1)
      expect(JSON.stringify(await rows(table))).not.toContain('haemolysed')
    }
    const { rows: may } = await owner.query(
      `select has_table_privilege(rolname, 'report_comments', 'update, delete') as change
       from pg_roles where rolname like '%app' and has_table_privilege(rolname, 'report_comments', 'insert')`,
    )
    expect(may).toEqual([{ change: false }])
    const { customer } = (await clinic.live.get(`/reports/${reportID}`)).body
    expect((await clinic.live.request('DELETE', `/customers/${customer.id}`)).status).toBe(200)
    for (const table of ['report_comments', 'report_holds']) expect(await rows(table), table).toEqual([])
  })
})

describe('a report of no kit', () => {
  it('is rejected with a reason: it leaves the queue, with its critical results, and the audit has it', async () => {
    const person = { email: mailbox('file'), name: 'Fay File', dateOfBirth: '1970-01-02', gender: 'F' }
    const userId = (await clinic.live.post('/customer', person)).body.id
    const biomarkerData = [{ name: 'Potassium', result: 7.9, unit_of_measure: 'mmol/L' }]
    const data = { type: 'test', userId, date: '2026-11-19', biomarkerData }
    const made = await clinic.live.post('/customer/add-data', data)
    const { reportId: reportID } = made.body
    const waits = async () =>
      (await reviewer.operator.get('/reports?size=250')).body.some(
        (one: { reportID: string }) => one.reportID === reportID,
      )
    const open = async () => (await clinic.live.get(`/critical-results?reportID=${reportID}`)).body.data.length
    expect([await waits(), await open()], made.text).toEqual([true, 1])
    const reject = (body: object) => reviewer.operator.post(`/reports/${reportID}/reject`, body)
    expect((await reject({})).status).toBe(400)
    expect((await reject({ reason: 'Of another person' })).body).toEqual({ reportID, status: 'rejected' })
    expect([await waits(), await open()]).toEqual([false, 0])
    expect((await clinic.live.get(`/customers/${userId}/reports/${reportID}`)).status).toBe(404)
    expect((await auditOf(reportID)).find(({ action }) => action === 'report.rejected')?.details).toEqual({
      reason: 'Of another person',
    })
    expect((await clinic.live.post(`/reports/${reportID}/reject`, { reason: 'Again' })).body.code).toBe(
      'ILLEGAL_TRANSITION',
    )
    const second = await clinic.live.post('/customer/add-data', { ...data, date: '2026-11-18' })
    const own = await clinic.live.post(`/reports/${second.body.reportId}/reject`, { reason: 'Of another person' })
    expect(own.body).toEqual({ reportID: second.body.reportId, status: 'rejected' })
    const ofKit = await clinic.live.post(`/reports/${await send(await kit())}/reject`, { reason: 'Not so' })
    expect([ofKit.status, ofKit.body.error]).toEqual([409, expect.stringContaining('reject its sample')])
  })
})

describe('asking for another sample', () => {
  const ask = (reportID: string, body: object) => reviewer.operator.post(`/reports/${reportID}/redraw`, body)

  it('rejects the sample and sends a free kit, and the person is notified as always', async () => {
    const email = mailbox('maya')
    const kitID = await kit(email)
    const reportID = await send(kitID, { Potassium: [7.2, 'mmol/L'] })
    const { body } = await ask(reportID, { reason: 'hemolysis', note: 'dark red' })
    expect(body).toEqual({ kitID, replacementKitID: expect.any(String) })
    const [kitNow] = (await clinic.live.get(`/kits?kitID=${kitID}`)).body.filter(
      (one: { kitID: string }) => one.kitID === kitID,
    )
    expect(kitNow).toMatchObject({ sampleStatus: 'rejected', status: 'rejected', replacedBy: body.replacementKitID })
    expect(kitNow.exceptionReason).toBe('Hemolysis: dark red')
    expect((await clinic.live.get(`/reports/${reportID}`)).body.status).toBe('rejected')
    expect((await clinic.live.get(`/critical-results?reportID=${reportID}&state=open`)).body.data).toEqual([])
    const person = (await reviewer.operator.get(`/reports/${reportID}/person`)).body
    expect(person.messages.map(({ kind }: { kind: string }) => kind)).toEqual(
      expect.arrayContaining(['sample_rejected', 'kit_replaced']),
    )
    expect((await auditOf(reportID)).map(({ action }) => action)).toContain('report.redraw_asked')
  })

  it('sends no kit where none is wanted, and nothing twice', async () => {
    const reportID = await send(await kit())
    expect((await ask(reportID, { reason: 'clotted', replace: false })).body.replacementKitID).toBeUndefined()
    expect((await ask(reportID, { reason: 'clotted' })).body.code).toBe('ILLEGAL_TRANSITION')
  })

  it('is refused once the report is out, and does nothing', async () => {
    const kitID = await kit()
    const reportID = await send(kitID)
    await reviewer.operator.post(`/reports/${reportID}/publish`)
    expect((await ask(reportID, { reason: 'other' })).body.code).toBe('ILLEGAL_TRANSITION')
    expect(await published(reportID)).toBe(true)
  })
})
