import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { notifyDue } from '../../src/modules/reports/critical/notify.ts'
import { type ManualClock, manualClock } from '../../src/platform/clock.ts'
import { operatorWith } from '../harness/operator.ts'
import { anOrder } from '../harness/orders.ts'
import { person, signIn } from '../harness/people.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
let clock: ManualClock
let lab: Awaited<ReturnType<typeof operatorWith>>

const contacts = [
  { email: 'first@example.test', name: 'First', minutes: 15 },
  { email: 'second@example.test', name: 'Second', minutes: 30 },
]

beforeAll(async () => {
  // Without a worker, whose own job would tell at moments that a test does not choose.
  clock = manualClock(new Date('2026-11-20T12:00:00.000Z'))
  world = await ownWorld('sets the clock', { publicUrl: 'https://kits.example.test', role: 'api' }, { clock })
  clinic = await world.business({ credits: 60 })
  lab = await operatorWith(world, ['lab', 'fulfilment', 'review'])
  expect((await clinic.live.post('/on-call', { contacts })).status).toBe(200)
})
afterAll(() => world.stop())

const patient = { firstName: 'Ada', lastName: 'Example', dateOfBirth: '1970-01-02' }

interface Sent {
  name: string
  value: number | string
  unit: string
  flag?: string
}

/** A live kit of a registered person. */
async function kit(): Promise<string> {
  const { body } = await clinic.live.post('/create-order', anOrder())
  const [made] = (await clinic.live.get(`/kits?orderID=${body.orderId}`)).body
  const email = `${made.kitID}@example.test`
  await clinic.live.post(`/kits/${made.kitID}/register`, { ...patient, sex: 'F', email })
  return made.kitID
}

async function send(kitID: string, results: Sent[]): Promise<string> {
  const taken = await lab('POST', '/lab/results', { kitID, patient, results })
  expect(taken.body.reports, taken.text).toMatchObject([{ status: 'reported' }])
  return taken.body.reports[0].reportID
}

const glucose = { name: 'Glucose', value: 401, unit: 'mg/dL', flag: 'HH' }
const listed = async (kitID: string, state = 'open') =>
  (await clinic.live.get(`/critical-results?kitID=${kitID}&state=${state}`)).body.data
const acknowledge = (id: string, readBack: string, who = 'Dr. Reyes') =>
  clinic.live.post(`/critical-results/${id}/acknowledge`, { readBack, who })
const tell = async (operator?: { email: string }) => {
  while (await world.service.database.asSystem({ name: 'test' }, (tx) => notifyDue(tx, operator)));
}
/** The e-mails about a kit's critical results, oldest first. */
async function emailsOf(kitID: string) {
  const owner = await world.owner()
  const { rows } = await owner.query(
    `select id from emails where kit_id = $1 and kind = 'critical_waits' order by created_at, id`,
    [kitID],
  )
  const reader = await operatorWith(world, ['mail'])
  return Promise.all(rows.map(async ({ id }) => (await reader('GET', `/emails/${id}`)).body))
}

const notified = { person: 'Ada Example', at: '2026-11-20T12:00:00Z' }

describe('a critical result', () => {
  it('is announced, holds its report, and lets it go once its value was read back', async () => {
    const kitID = await kit()
    const reportID = await send(kitID, [glucose, { name: 'Sodium', value: 140, unit: 'mmol/L' }])
    const [one, ...others] = await listed(kitID)
    expect(others).toEqual([])
    expect(one).toMatchObject({ name: 'Glucose', value: '401', unit: 'mg/dL', state: 'open', reportID })
    const announced = async () => {
      const { body: feed } = await clinic.live.get('/events?type=result.critical')
      return feed.data.find(({ data }: { data: { kitID: string } }) => data.kitID === kitID)
    }
    await expect.poll(announced).toBeDefined()
    const event = await announced()
    expect(event.data).toMatchObject({ criticalID: one.id, reportID, kitID })
    const said = ['criticalID', 'customerID', 'deadlineDate', 'kitID', 'raisedDate', 'reportID']
    expect(Object.keys(event.data).toSorted()).toEqual(said)

    const early = await clinic.live.post(`/reports/${reportID}/publish`, { notified })
    expect([early.status, early.body.code]).toEqual([409, 'CRITICAL_NOT_ACKNOWLEDGED'])
    for (const wrong of ['410', '1', '4']) {
      expect([wrong, (await acknowledge(one.id, wrong)).body.code]).toEqual([wrong, 'READ_BACK_MISMATCH'])
    }
    const done = await acknowledge(one.id, '01')
    expect([done.status, done.body]).toEqual([200, { id: one.id, state: 'acknowledged', open: 0 }])
    expect((await acknowledge(one.id, '401')).body.code).toBe('ILLEGAL_TRANSITION')
    const [after] = await listed(kitID, 'all')
    expect(after.acknowledged).toMatchObject({ who: 'Dr. Reyes', readBack: '01', inTime: true })
    expect((await clinic.live.post(`/reports/${reportID}/publish`, { notified })).status).toBe(200)

    const admin = (await signIn(world, await person(world, 'business-admin', clinic))).in(clinic)
    const { body: audit } = await admin.get(`/audit?objectID=${one.id}`)
    const actions = audit.data.map(({ action }: { action: string }) => action)
    expect(actions).toEqual(expect.arrayContaining(['critical_result.raised', 'critical_result.acknowledged']))
  })

  it('is sent to the next contact when a deadline passes, by e-mails that say nothing of it', async () => {
    const kitID = await kit()
    await send(kitID, [glucose, { name: 'Potassium', value: 7.1, unit: 'mmol/L', flag: 'HH' }])
    await tell()
    await tell()
    const to = async () => (await emailsOf(kitID)).map((email) => email.to)
    expect(await to()).toEqual(['first@example.test'])
    clock.advance(14 * 60_000)
    await tell()
    expect(await to()).toEqual(['first@example.test'])
    clock.advance(60_000)
    await Promise.all([tell(), tell()])
    expect(await to()).toEqual(['first@example.test', 'second@example.test'])
    clock.advance(30 * 60_000)
    await tell({ email: 'operator@example.test' })
    expect((await to()).at(-1)).toBe('operator@example.test')
    for (const email of await emailsOf(kitID)) {
      expect(email.text).toContain(kitID)
      expect(email.subject + email.text + email.html).not.toMatch(/glucose|potassium|\b(401|7\.1|HH)\b/i)
    }
    const rows = await listed(kitID)
    expect(rows.map((row: { notified: unknown[] }) => row.notified.length)).toEqual([3, 3])
    expect(rows[0].notified[0]).toMatchObject({ step: 1, person: 'First, first@example.test' })
    for (const row of rows) expect((await acknowledge(row.id, row.value)).status).toBe(200)
    clock.advance(24 * 3_600_000)
    await tell()
    expect(await to()).toHaveLength(3)
  })

  const muchDust = (length: number) =>
    Array.from({ length }, (_, i) => ({ name: `Moon Dust ${i}`, value: 'Much', unit: '', flag: 'AA' }))

  it('comes with the others of its kit in one e-mail, more than are looked for at once, too', async () => {
    const kitID = await kit()
    await send(kitID, [{ name: 'Glucose', value: 90, unit: 'mg/dL' }, ...muchDust(150)])
    await tell()
    const sent = await emailsOf(kitID)
    expect(sent).toHaveLength(1)
    expect(JSON.stringify(sent)).toContain('150 critical results')
  })

  it('comes with the others of its kit in one e-mail, whoever looks for what is due at the same time', async () => {
    const kitIDs: string[] = []
    for (let round = 0; round < 8; round++) {
      const kitID = await kit()
      kitIDs.push(kitID)
      await send(kitID, [{ name: 'Glucose', value: 90, unit: 'mg/dL' }, ...muchDust(40)])
      await Promise.all([tell(), tell(), tell()])
    }
    for (const kitID of kitIDs) expect(await emailsOf(kitID)).toHaveLength(1)
  })

  it('is one by the limits of the catalogue, too, without a flag of the laboratory', async () => {
    const kitID = await kit()
    await send(kitID, [{ name: 'Potassium', value: 6.2, unit: 'mmol/L' }])
    expect(await listed(kitID)).toMatchObject([
      { name: 'Potassium', value: '6.2', why: expect.stringContaining('JAMA') },
    ])
    const other = await kit()
    await send(other, [{ name: 'Potassium', value: 6.1, unit: 'mmol/L' }])
    expect(await listed(other)).toEqual([])
  })

  it('is one where it could not be assessed, too', async () => {
    const kitID = await kit()
    const sent = [
      { name: 'Glucose', value: 90, unit: 'mg/dL' },
      { name: 'Moon Dust', value: 'Much', unit: '', flag: 'AA' },
    ]
    const reportID = await send(kitID, sent)
    const [one] = await listed(kitID)
    expect(one).toMatchObject({ name: 'Moon Dust', value: 'Much', reportID })
    expect((await acknowledge(one.id, 'mu')).body.code).toBe('READ_BACK_MISMATCH')
    expect((await acknowledge(one.id, 'much')).status).toBe(200)
  })

  it('is not raised again with the same value, closed by a correction, and raised again by another one', async () => {
    const kitID = await kit()
    await send(kitID, [glucose])
    await send(kitID, [glucose, { name: 'Sodium', value: 140, unit: 'mmol/L' }])
    expect(await listed(kitID)).toHaveLength(1)
    await send(kitID, [{ ...glucose, value: 41, flag: 'LL' }])
    expect(await listed(kitID, 'all')).toMatchObject([
      { value: expect.any(String), state: expect.any(String) },
      { value: expect.any(String), state: expect.any(String) },
    ])
    expect((await listed(kitID)).map(({ value }: { value: string }) => value)).toEqual(['41'])
  })
})

describe('a business that publishes at once', () => {
  it('waits for the acknowledgement, and publishes with it where its settings say so', async () => {
    const set = (change: object) => clinic.live.request('PATCH', '/settings', change)
    await set({ publishing: 'auto' })
    const statusOf = async (reportID: string) => (await clinic.live.get(`/reports/${reportID}`)).body.status
    const byHand = await kit()
    const waiting = await send(byHand, [glucose])
    expect(await statusOf(waiting)).toBe('inReview')
    const [first] = await listed(byHand)
    await acknowledge(first.id, '401')
    expect(await statusOf(waiting)).toBe('inReview')

    const changed = await set({ publishAcknowledged: true })
    expect(changed.body.publishAcknowledged, changed.text).toBe(true)
    const kitID = await kit()
    const reportID = await send(kitID, [glucose])
    const [one] = await listed(kitID)
    expect(await statusOf(reportID)).toBe('inReview')
    await acknowledge(one.id, '401')
    expect(await statusOf(reportID)).toBe('published')
    await set({ publishing: 'manual', publishAcknowledged: false })
  })
})

describe('the figures', () => {
  it('count what waited, how long, and how much was in time, for the business and for the operator', async () => {
    const { body } = await clinic.live.get('/critical-results/figures?from=2026-11-20&to=2026-11-30')
    expect(body).toMatchObject({ from: '2026-11-20', to: '2026-11-30', overdue: expect.any(Number) })
    expect(body.raised).toBe(body.acknowledged + body.open)
    expect(body.longestMinutes).toBe(45)
    expect(body.shareInTime).toBeLessThan(1)
    const all = await lab('GET', '/critical-results/figures?from=2026-11-20&to=2026-11-30')
    expect(all.body.businesses).toMatchObject([{ business: { id: clinic.id }, raised: body.raised }])
  })
})
