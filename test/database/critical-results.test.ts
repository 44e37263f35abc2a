import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readBackAll } from '../harness/critical.ts'
import { operatorWith } from '../harness/operator.ts'
import { anOrder, CORE } from '../harness/orders.ts'
import { person, signIn } from '../harness/people.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
beforeAll(async () => {
  world = await sharedWorld()
  clinic = await world.business({ credits: 20 })
})
afterAll(() => world.stop())

/** Creates a live report in review with one critical result. */
async function critical(): Promise<string> {
  const { body } = await clinic.live.post('/create-order', anOrder())
  const [kit] = (await clinic.live.get(`/kits?orderID=${body.orderId}`)).body
  const who = { firstName: 'Ada', lastName: 'Example', dateOfBirth: '1970-01-02', sex: 'F' }
  await clinic.live.post(`/kits/${kit.kitID}/register`, { ...who, email: `${kit.kitID}@example.test` })
  const lab = await operatorWith(world, ['lab', 'fulfilment'])
  const results = [{ name: 'Glucose', value: 401, unit: 'mg/dL', flag: 'HH' }]
  const patient = { firstName: 'Ada', lastName: 'Example', dateOfBirth: '1970-01-02' }
  const taken = await lab('POST', '/lab/results', { kitID: kit.kitID, patient, results })
  expect(taken.body.reports).toMatchObject([{ status: 'reported', critical: ['glucose'] }])
  return taken.body.reports[0].reportID
}

describe('a report with critical results', () => {
  const notified = { person: 'Dr. Reyes', at: '2026-11-20T09:30:00+01:00' }

  it('is published only by a call that says who was notified and when, which the audit keeps', async () => {
    const reportID = await critical()
    const refused = await clinic.live.post(`/reports/${reportID}/publish`, {})
    expect([refused.status, refused.body.code]).toEqual([409, 'CRITICAL_NOT_NOTIFIED'])
    expect(refused.body.message).not.toMatch(/glucose|401/i)
    expect(
      (await clinic.live.post(`/reports/${reportID}/publish`, { notified: { person: '', at: notified.at } })).status,
    ).toBe(400)
    await readBackAll(clinic.live.request, reportID)
    expect((await clinic.live.post(`/reports/${reportID}/publish`, { notified })).status).toBe(200)
    const admin = (await signIn(world, await person(world, 'business-admin', clinic))).in(clinic)
    const { body } = await admin.get(`/audit?action=report.critical_told&objectID=${reportID}`)
    expect(body.data).toMatchObject([{ details: { who: notified.person, at: notified.at, version: 1 } }])
  })

  it('is one, too, where what is critical could not be judged', async () => {
    const { body } = await clinic.live.post('/create-order', anOrder())
    const [kit] = (await clinic.live.get(`/kits?orderID=${body.orderId}`)).body
    const who = { firstName: 'Ada', lastName: 'Example', dateOfBirth: '1970-01-02', sex: 'F' }
    await clinic.live.post(`/kits/${kit.kitID}/register`, { ...who, email: `${kit.kitID}@example.test` })
    const lab = await operatorWith(world, ['lab'])
    const results = [
      { name: 'Glucose', value: 90, unit: 'mg/dL' },
      { name: 'Mycobacterium tuberculosis PCR', value: 'Detected', unit: '', flag: 'AA' },
    ]
    const taken = await lab('POST', '/lab/results', { kitID: kit.kitID, results })
    const { reportID } = taken.body.reports[0]
    const refused = await clinic.live.post(`/reports/${reportID}/publish`, {})
    expect([refused.status, refused.body.code]).toEqual([409, 'CRITICAL_NOT_NOTIFIED'])
    await readBackAll(clinic.live.request, reportID)
    expect((await clinic.live.post(`/reports/${reportID}/publish`, { notified })).status).toBe(200)
  })

  it('asks the reviewers of the operator the same', async () => {
    const reviewer = await operatorWith(world, ['review'])
    const reportID = await critical()
    const refused = await reviewer('POST', `/reports/${reportID}/publish`, {})
    expect([refused.status, refused.body.code]).toEqual([409, 'CRITICAL_NOT_NOTIFIED'])
    await readBackAll(clinic.live.request, reportID)
    expect((await reviewer('POST', `/reports/${reportID}/publish`, { notified })).status).toBe(200)
  })

  it('does not ask for others, whose request needs no body', async () => {
    const { body } = await clinic.sandbox.post('/create-order', anOrder({ kit_types: [{ kitType: CORE }] }))
    const [kit] = (await clinic.sandbox.get(`/kits?orderID=${body.orderId}`)).body
    await clinic.sandbox.post(`/sandbox/kits/${kit.kitID}/advance`, { status: 'reportReady' })
    const { reportID } = (await clinic.sandbox.get(`/kits/${kit.kitID}`)).body
    const url = `${world.service.url}/api/v1/reports/${reportID}/publish`
    const headers = { authorization: `Token ${clinic.sandboxToken}` }
    expect((await fetch(url, { method: 'POST', headers })).status).toBe(200)
  })
})
