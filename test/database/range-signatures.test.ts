import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signedFacts } from '../../src/modules/catalogue/signatures.ts'
import { createOperatorToken } from '../../src/modules/identity/operator-tokens.ts'
import { operatorWith } from '../harness/operator.ts'
import { anOrder } from '../harness/orders.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
let token: string
let people = 0

beforeAll(async () => {
  world = await ownWorld('has other settings', { signedRangesOnly: true, capillaryAsBlood: true })
  clinic = await world.business()
  for (const realm of [clinic.live, clinic.sandbox]) await realm.request('PATCH', '/settings', { publishing: 'auto' })
  token = (
    await world.service.database.asSystem({ name: 'cli' }, (tx) =>
      createOperatorToken(tx, { name: 'lab', scopes: ['lab', 'catalogue', 'audit'] }),
    )
  ).token
})
afterAll(() => world.stop())

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as a caller without types would
async function operator(method: string, path: string, body?: object): Promise<{ status: number; body: any }> {
  const response = await fetch(`${world.service.url}/operator/v1${path}`, {
    method,
    headers: { authorization: `Token ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

/** The glucose of a new report. */
async function glucoseIn(realm: 'live' | 'sandbox') {
  const api = clinic[realm]
  const { id: userId } = (await api.post('/customer', { email: `a${++people}@example.test`, name: 'A B' })).body
  const biomarkerData = [{ name: 'glucose', result: 91, unit_of_measure: 'mg/dL' }]
  const { reportId } = (
    await api.post('/customer/add-data', { type: 'test', userId, date: '2026-03-02', biomarkerData })
  ).body
  const path = `/customers/${userId}/reports/${reportId}`
  const { body } = await api.get(path)
  const pdf = await api.get(`${path}?format=fhir`)
  return { entry: body.biomarker.find((one: { id: string }) => one.id === 'glucose'), pdf }
}

const current = async (id: string) => (await operator('GET', `/biomarkers/${id}/versions`)).body[0]
const signature = { laboratory: 'Acme Lab', director: 'Dr A. Example' }

describe('with SIGNED_RANGES_ONLY', () => {
  it('live results have no verdict of a range that nobody signed; the sandbox marks them', async () => {
    expect((await glucoseIn('live')).entry).toMatchObject({ state: 'unknown', interpretation: '', rangesSigned: true })
    const { entry } = await glucoseIn('sandbox')
    expect(entry).toMatchObject({ interpretation: 'N', rangesSigned: false })
  })

  it('a range judges once a director signed it, by the last signed version even after a change', async () => {
    expect(await operator('POST', '/range-signatures', { ...signature, biomarkers: ['glucose'] })).toEqual({
      status: 200,
      body: { signed: 1 },
    })
    expect((await current('glucose')).signature).toMatchObject({ ...signature, signedDate: expect.any(String) })
    expect((await glucoseIn('live')).entry).toMatchObject({ interpretation: 'N', rangesSigned: true })
    const reference = { source: 'new method', M: { low: 100, high: 120 }, F: { low: 100, high: 120 } }
    await operator('PATCH', '/biomarkers/glucose', { reason: 'New method', change: { reference } })
    expect((await current('glucose')).signature).toBeUndefined()
    expect((await glucoseIn('live')).entry).toMatchObject({ interpretation: 'N', rangesSigned: true })
    expect((await glucoseIn('sandbox')).entry).toMatchObject({ rangesSigned: false })
  })

  it('signing is in the audit, counts what was signed now, and knows its biomarkers', async () => {
    const all = (await operator('POST', '/range-signatures', signature)).body.signed
    expect(all).toBeGreaterThan(600)
    expect((await operator('POST', '/range-signatures', signature)).body).toEqual({ signed: 0 })
    expect((await operator('POST', '/range-signatures', { ...signature, biomarkers: ['nothing'] })).status).toBe(404)
    expect((await operator('POST', '/range-signatures', { laboratory: 'Acme Lab' })).status).toBe(400)
    const entries = await world.service.database.asSystem({ name: 'cli' }, (tx) =>
      tx.rows(
        sql<{
          details: object
        }>`select details from audit_entries where action = 'ranges.signed' and object_id = 'glucose'`,
      ),
    )
    expect(entries.length).toBe(2)
    expect(entries[0]?.details).toMatchObject(signature)
  })

  it('covers the factors, which are shown with their source and with who signed them; a change is unsigned', async () => {
    const facts = (ids: string[]) => world.service.database.asSystem({ name: 'cli' }, (tx) => signedFacts(tx, ids))
    await operator('POST', '/range-signatures', { ...signature, biomarkers: ['gastrin', 'ammonia'] })
    const [ammonia, gastrin] = (await facts(['gastrin', 'ammonia'])).toSorted((a, b) => (a.id < b.id ? -1 : 1))
    expect(gastrin).toMatchObject({
      factors: [{ fact: '2098.22 g/mol', source: expect.stringContaining('human gastrin-17') }],
      signature,
    })
    expect(ammonia?.criticalLimits).toMatchObject([
      { fact: '200 or more umol/L from 17 years', source: expect.stringContaining('Calgary') },
      { fact: '110 or more umol/L to 16 years' },
    ])
    await operator('PATCH', '/biomarkers/gastrin', { reason: 'Other name', change: { label: 'Gastrin 17' } })
    expect((await facts(['gastrin']))[0]?.signature ?? null).toBeNull()
    await expect(facts(['nothing'])).rejects.toMatchObject({ code: 'BIOMARKER_NOT_FOUND' })
  })

  it('covers the critical limits, which call a person also while nobody signed them', async () => {
    const facts = async (id: string) => {
      const [found] = await world.service.database.asSystem({ name: 'cli' }, (tx) => signedFacts(tx, [id]))
      return found
    }
    const edited = { reason: 'Other name', change: { label: 'Serum potassium' } }
    await operator('PATCH', '/biomarkers/potassium', edited)
    expect(await facts('potassium')).toMatchObject({ signature: null, criticalLimitsSigned: false })
    const api = clinic.live
    const { id: userId } = (await api.post('/customer', { email: 'critical@example.test', name: 'A B' })).body
    const biomarkerData = [{ name: 'potassium', result: 7.4, unit_of_measure: 'mmol/L' }]
    const { reportId } = (
      await api.post('/customer/add-data', {
        type: 'test',
        userId,
        date: new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10),
        biomarkerData,
      })
    ).body
    expect((await api.get('/critical-results')).body.data).toMatchObject([{ reportID: reportId }])

    await operator('POST', '/range-signatures', { ...signature, biomarkers: ['potassium'] })
    expect(await facts('potassium')).toMatchObject({ signature, criticalLimitsSigned: true })
    expect((await current('potassium')).definition.criticalLimits).toMatchObject([{ high: 6.2 }, {}])
    await operator('PATCH', '/biomarkers/potassium', { reason: 'No limits', change: { criticalLimits: [] } })
    expect((await current('potassium')).definition.criticalLimits).toMatchObject([{ high: 6.2 }, {}])
  })

  it('of a definition that an older release left are brought to those of this release by signing', async () => {
    await world.service.database.asSystem({ name: 'cli' }, (tx) =>
      tx.run(sql`insert into biomarkers (id, version, definition, reason, created_at)
        select id, version + 1, definition - 'criticalLimits', 'by hand', now() from biomarkers
        where id = 'sodium' order by version desc limit 1`),
    )
    const facts = () => world.service.database.asSystem({ name: 'cli' }, (tx) => signedFacts(tx, ['sodium']))
    await operator('POST', '/range-signatures', { ...signature, biomarkers: ['sodium'] })
    expect(await facts()).toMatchObject([{ signature, criticalLimitsSigned: true }])
    expect((await current('sodium')).reason).toBe('critical limits of this release')
  })
})

describe('with CAPILLARY_AS_BLOOD', () => {
  it('results of capillary blood are assessed as those of blood, and those of arterial blood wait', async () => {
    const person = {
      firstName: 'Bo',
      lastName: 'Tester',
      email: 'bo@example.test',
      dateOfBirth: '1980-02-29',
      sex: 'F',
    }
    const { orderId } = (await clinic.live.post('/create-order', anOrder())).body
    const { kitID } = (await clinic.live.get(`/orders/${orderId}`)).body.kits[0]
    await clinic.live.post(`/kits/${kitID}/register`, person)
    const message = [
      `MSH|^~\\&|LAB|X|KITLANE|Y|20260402120000||ORU^R01|${kitID}|P|2.5.1`,
      `PID|1||${kitID}||Tester^Bo||19800229|F`,
      `OBR|1|${kitID}|A1|P^Lipids^L|||20260401083000|||||||||||||||20260402110000|||F`,
      'OBX|1|NM|13457-7^LDL Cholesterol^LN||101|mg/dL|||||F',
      'SPM|1|||BLDC^Capillary blood^HL70487',
      `OBR|2|${kitID}|A2|P^Lipids^L|||20260401083000|||||||||||||||20260402110000|||F`,
      'OBX|1|NM|2085-9^HDL Cholesterol^LN||51|mg/dL|||||F',
      'SPM|1|||BLDA^Arterial blood^HL70487',
    ].join('\r')
    const lab = await operatorWith(world, ['lab', 'review'])
    const sent = await lab('POST', '/lab/results', message, { 'content-type': 'text/plain' })
    expect([sent.status, sent.text]).toEqual([200, expect.stringContaining('reportID')])
    const { body } = await lab('GET', `/unassessed-results?kitID=${kitID}&state=open`)
    expect(body.data).toMatchObject([{ name: 'HDL Cholesterol', code: 'otherSpecimen' }])
  })
})
