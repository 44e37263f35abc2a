import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SealedCritical, sealedCriticals } from '../../src/modules/reports/critical/sealed-queries.ts'
import { readBackAll } from '../harness/critical.ts'
import { operatorWith } from '../harness/operator.ts'
import { anOrder, CORE } from '../harness/orders.ts'
import { person, signIn } from '../harness/people.ts'
import { rewriteSealed } from '../harness/sealed-values.ts'
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

  it('calls once for one value, in whatever digits it comes, and again for another; the answer to the laboratory names it', async () => {
    const { body } = await clinic.live.post('/create-order', anOrder())
    const [{ kitID }] = (await clinic.live.get(`/kits?orderID=${body.orderId}`)).body
    const who = { firstName: 'Ada', lastName: 'Example', dateOfBirth: '1970-01-02', sex: 'F' }
    await clinic.live.post(`/kits/${kitID}/register`, { ...who, email: `${kitID}@example.test` })
    const lab = await operatorWith(world, ['lab'])
    const send = async (value: string, flag = '') => {
      const results = [{ name: 'Potassium', value, unit: 'mmol/L', ...(flag && { flag }) }]
      return (await lab('POST', '/lab/results', { kitID, results })).body.reports[0].critical
    }
    const calls = async () =>
      (await clinic.live.get(`/critical-results?kitID=${kitID}`)).body.data.map(({ value }: { value: string }) => value)
    expect(await send('7.9', 'HH')).toEqual(['potassium'])
    expect(await send('7.90', 'HH')).toEqual(['potassium'])
    expect(await calls()).toEqual(['7.9'])
    // Beyond the critical limit, whether the laboratory marks it or not; said also of a message that came before.
    expect(await send('8.1')).toEqual(['potassium'])
    expect(await send('8.1')).toEqual(['potassium'])
    expect(await calls()).toEqual(['8.1'])
    expect(await send('4.1')).toEqual([])
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

describe('why a result is critical', () => {
  /** The only one of a report, with its reason in English and in Spanish. */
  async function reasonOf(reportID: string) {
    const { in: of } = await signIn(world, await person(world, 'business-admin', clinic))
    const path = `/critical-results?reportID=${reportID}&state=all`
    const [english, spanish] = await Promise.all(
      ['en', 'es'].map(async (language) => (await of(clinic).get(path, { 'accept-language': language })).body.data),
    )
    expect([english.length, spanish.length]).toEqual([1, 1])
    return { id: english[0].id, en: english[0].why, es: spanish[0].why }
  }
  const rewrite = (id: string, change: (row: SealedCritical) => SealedCritical) =>
    rewriteSealed(world.service.database, sealedCriticals, id, change)
  const en = 'The laboratory marked it as critical (HH).'
  const es = 'El laboratorio lo marcó como crítico (HH).'

  it('is said in the language of the dashboard, also once it is acknowledged', async () => {
    const reportID = await critical()
    expect(await reasonOf(reportID)).toMatchObject({ en, es })
    await readBackAll(clinic.live.request, reportID)
    expect(await reasonOf(reportID)).toMatchObject({ en, es })
  })

  it('is the text where release 0.1.0 changed that alone', async () => {
    const reportID = await critical()
    const { id } = await reasonOf(reportID)
    await rewrite(id, (row) => ({ ...row, why: 'It is another one.' }))
    expect(await reasonOf(reportID)).toEqual({ id, en: 'It is another one.', es: 'It is another one.' })
  })

  it('is shown as it stands where release 0.1.0 kept a sentence: in Spanish where that is known', async () => {
    const reportID = await critical()
    const { id } = await reasonOf(reportID)
    await rewrite(id, ({ whyKept: _, ...row }) => row)
    expect(await reasonOf(reportID)).toEqual({ id, en, es })
    await rewrite(id, (row) => ({ ...row, why: 'No release says this.' }))
    expect(await reasonOf(reportID)).toEqual({ id, en: 'No release says this.', es: 'No release says this.' })
  })
})
