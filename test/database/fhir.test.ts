import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Scope } from '../../src/domain/scopes.ts'
import { realmsOf } from '../../src/modules/businesses/service.ts'
import { createToken } from '../../src/modules/identity/tokens.ts'
import { routes } from '../../src/modules/index.ts'
import { type Caller, caller, type Reply } from '../harness/caller.ts'
import { sinceWritten } from '../harness/days.ts'
import { CapabilityStatement, SearchSet, served } from '../harness/fhir-r4.ts'
import { anOrder } from '../harness/orders.ts'
import { FHIR, glucose, insulin, type Reporting, reporting } from '../harness/reports.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

const february = sinceWritten('2026-02-03')

type Type = keyof typeof served
const types = Object.keys(served) as Type[]

let world: World
let at: Reporting
let own: Caller
let first: Awaited<ReturnType<Reporting['report']>>
let second: typeof first
/** Of a business that publishes by hand: its report waits. */
let waiting: { clinic: TestBusiness; customerId: number; reportId: string; kitId: string }

const origin = {
  laboratories: [{ name: 'North Lab', clia: '05D0000001' }],
  specimens: [{ id: 'ACC-1', source: 'Serum', collectedDate: february }],
  notes: [],
}

beforeAll(async () => {
  world = await sharedWorld()
  at = await reporting(world)
  own = at.clinic.live
  first = await at.report([glucose(90), insulin], { collectedDate: february, partial: false, origin })
  second = await at.report(
    [glucose(95)],
    { collectedDate: sinceWritten('2026-03-04'), partial: true },
    { external_id: 'shop-77' },
  )
  waiting = await aWaitingReport()
})
afterAll(() => world.stop())

async function aWaitingReport() {
  const other = await reporting(world)
  await other.clinic.live.request('PATCH', '/settings', { publishing: 'manual' })
  const { kitId, customerId, reportId } = await other.report([glucose(97)], { collectedDate: february })
  return { clinic: other.clinic, kitId, customerId, reportId }
}

const search = async (path: string, by = own) => {
  const { status, text, body } = await by.get(`/fhir/${path}`)
  expect(status, text).toBe(200)
  const { entry = [], link } = SearchSet.parse(body)
  return { resources: entry.map(({ resource }) => resource), link }
}
const idsOf = async (path: string, by = own) =>
  (await search(path, by)).resources.map((one) => ('id' in one ? one.id : 'outcome'))
const codeOf = ({ body }: Reply) => body.issue[0].details.coding[0].code

/** A token with some scopes. */
async function tokenWith(...scopes: Scope[]): Promise<Caller> {
  const { token } = await world.service.database.asSystem({ name: 'cli' }, async (tx) =>
    createToken(tx, (await realmsOf(tx, at.clinic.id)).live, { name: 'fhir', scopes }),
  )
  return caller(world.service.url, token)
}

describe('the FHIR API', () => {
  it('says in its CapabilityStatement, to anyone, which routes and parameters there are, and no other', async () => {
    const { status, headers, body } = await world.anonymous.get('/fhir/metadata')
    expect([status, headers.get('content-type')]).toEqual([200, `${FHIR}; fhirVersion=4.0; charset=utf-8`])
    const statement = CapabilityStatement.parse(body)
    expect(statement.implementation.url).toBe(`${world.service.url}/fhir`)
    const said = statement.rest.flatMap(({ resource }) =>
      resource.flatMap(({ type, operation = [] }) => [
        `/fhir/${type}`,
        `/fhir/${type}/:id`,
        ...operation.map(({ name }) => `/fhir/${type}/:id/$${name}`),
      ]),
    )
    const real = routes
      .map(({ path }) => path)
      .filter((path) => path.startsWith('/fhir/') && !path.endsWith('/metadata'))
    expect(said.sort()).toEqual(real.sort())
    for (const { type, searchParam } of statement.rest[0]?.resource ?? []) {
      for (const { name, type: kind } of searchParam) {
        const value = kind === 'date' ? '2026' : '1'
        expect([name, (await own.get(`/fhir/${type}?${name}=${value}`)).status]).toEqual([name, 200])
      }
    }
  })

  it.each(types)('serves each %s as R4 defines it, by search and by its ID', async (type) => {
    const { resources } = await search(type)
    expect(resources.length).toBeGreaterThan(1)
    for (const resource of resources) {
      const { status, headers, body } = await own.get(`/fhir/${type}/${'id' in resource ? resource.id : ''}`)
      expect([status, headers.get('content-type')]).toEqual([200, `${FHIR}; fhirVersion=4.0; charset=utf-8`])
      expect(served[type].parse(body)).toEqual(resource)
    }
  })

  it('serves the values of the report that the API serves, with its person, kit and laboratory', async () => {
    const report = served.DiagnosticReport.parse((await own.get(`/fhir/DiagnosticReport/${first.reportId}`)).body)
    expect(report).toMatchObject({
      status: 'final',
      effectiveDateTime: february,
      subject: { reference: `Patient/${first.customerId}` },
      basedOn: [{ reference: `ServiceRequest/${first.kitId}` }],
      performer: [{ reference: '#laboratory-1', display: 'North Lab' }],
      contained: [{ resourceType: 'Organization', id: 'laboratory-1', name: 'North Lab' }],
    })
    const values = await Promise.all(
      report.result.map(async ({ reference }) => {
        const { code, valueQuantity } = served.Observation.parse((await own.get(`/fhir/${reference}`)).body)
        return [code.coding.at(-1)?.code, valueQuantity?.value]
      }),
    )
    const { biomarker } = await at.json(first)
    expect(values).toEqual(biomarker.map(({ id, result }) => [id, result]))
    for (const { reference } of report.specimen) expect((await own.get(`/fhir/${reference}`)).status).toBe(200)
    const patient = served.Patient.parse((await own.get(`/fhir/Patient/${second.customerId}`)).body)
    expect(patient).toMatchObject({ name: [{ text: 'Ada Byron' }], gender: 'female', birthDate: '1985-03-10' })
    const request = served.ServiceRequest.parse((await own.get(`/fhir/ServiceRequest/${first.kitId}`)).body)
    expect(request).toMatchObject({ status: 'completed', subject: { reference: `Patient/${first.customerId}` } })
  })

  it('takes a token as Bearer, as clients of FHIR send it', async () => {
    const response = await fetch(`${world.service.url}/fhir/Patient/${first.customerId}`, {
      headers: { authorization: `Bearer ${at.clinic.liveToken}`, accept: FHIR },
    })
    expect(response.status).toBe(200)
  })
})

describe('a search', () => {
  it.each<[string, () => string[], () => string[]]>([
    ['Patient?_id', () => [`${first.customerId}`], () => [`${first.customerId}`]],
    ['Patient?identifier', () => ['shop-77'], () => [`${second.customerId}`]],
    ['Patient?identifier', () => ['urn:other|shop-77'], () => []],
    ['ServiceRequest?patient', () => [`${first.customerId}`], () => [first.kitId]],
    ['ServiceRequest?subject', () => [`Patient/${second.customerId}`], () => [second.kitId]],
    ['ServiceRequest?identifier', () => [`urn:kitlane:kit|${first.kitId}`], () => [first.kitId]],
    ['Patient?_lastUpdated', () => ['lt2000-01-01'], () => []],
    ['Patient?_lastUpdated', () => ['ge2000-01-01'], () => [`${second.customerId}`, `${first.customerId}`]],
    ['ServiceRequest?_id', () => [`${first.kitId},K000000000`], () => [first.kitId]],
    ['ServiceRequest?_lastUpdated', () => ['gt2000'], () => [second.kitId, first.kitId]],
    ['ServiceRequest?status', () => ['completed'], () => [second.kitId, first.kitId]],
    [
      'ServiceRequest?code',
      () => ['NONE,ULTIMATE_METABOLIC_HORMONE_THYROID_EASY_DRAW'],
      () => [second.kitId, first.kitId],
    ],
    ['ServiceRequest?authored', () => ['ge2000-01-01'], () => [second.kitId, first.kitId]],
    ['Specimen?_id', () => [`${first.reportId}.1`], () => [`${first.reportId}.1`]],
    ['Specimen?patient', () => [`${second.customerId}`], () => [`${second.reportId}.1`]],
    ['Specimen?_lastUpdated', () => ['le2000'], () => []],
    ['Observation?subject', () => ['Patient/1'], () => []],
    ['Observation?_lastUpdated', () => ['lt2000'], () => []],
    ['DiagnosticReport?patient', () => [`${first.customerId}`], () => [first.reportId]],
    ['DiagnosticReport?code', () => ['1-1'], () => []],
    ['ServiceRequest?status', () => ['active'], () => []],
    ['ServiceRequest?code', () => ['NONE'], () => []],
    ['ServiceRequest?authored', () => ['lt2000-01-01'], () => []],
    ['Specimen?identifier', () => [second.kitId], () => [`${second.reportId}.1`]],
    ['Specimen?collected', () => [february], () => [`${first.reportId}.1`]],
    ['Observation?_id', () => [`${first.reportId}.insulin`], () => [`${first.reportId}.insulin`]],
    ['Observation?patient', () => [`Patient/${second.customerId}`], () => [`${second.reportId}.glucose`]],
    ['Observation?code', () => ['urn:kitlane:biomarker|insulin'], () => [`${first.reportId}.insulin`]],
    ['Observation?code', () => ['http://loinc.org|insulin'], () => []],
    ['Observation?date', () => [`gt${february}`], () => [`${second.reportId}.glucose`]],
    ['Observation?status', () => ['corrected'], () => []],
    ['DiagnosticReport?_id', () => [first.reportId], () => [first.reportId]],
    ['DiagnosticReport?identifier', () => [second.reportId], () => [second.reportId]],
    ['DiagnosticReport?code', () => ['11502-2'], () => [second.reportId, first.reportId]],
    ['DiagnosticReport?status', () => ['partial'], () => [second.reportId]],
    [
      'DiagnosticReport?date',
      () => [`ge${february.slice(0, 7)}`, `lt${sinceWritten('2026-03-01')}`],
      () => [first.reportId],
    ],
    ['DiagnosticReport?date', () => [`ge${february.slice(0, 4)}`], () => [second.reportId, first.reportId]],
    ['DiagnosticReport?_lastUpdated', () => ['lt2026-01-01'], () => []],
    ['DiagnosticReport?_lastUpdated', () => ['ge2000-01-01T00:00:00Z'], () => [second.reportId, first.reportId]],
    ['DiagnosticReport?subject', () => ['Patient/1,Patient/x'], () => []],
  ])('by %s finds what fits and nothing else (%#)', async (start, values, expected) => {
    const [path = '', name = ''] = start.split('?')
    const query = new URLSearchParams(values().map((value): [string, string] => [name, value]))
    const found = await idsOf(`${path}?${query}`)
    expect(found.filter((id) => !id.includes('homa'))).toEqual(expected())
  })

  it('goes through pages that show all once, and whose addresses repeat no more than was asked', async () => {
    for (const type of types) {
      const all = await idsOf(type)
      const seen: string[] = []
      let next: string | undefined = `${world.service.url}/fhir/${type}?_count=1`
      for (let pages = 0; next !== undefined; pages++) {
        expect(pages).toBeLessThanOrEqual(all.length)
        expect([...new URL(next).searchParams.keys()].filter((name) => !['_count', '_cursor'].includes(name))).toEqual(
          [],
        )
        const { pathname, search: query } = new URL(next)
        const { resources, link } = await search(`${pathname.slice('/fhir/'.length)}${query}`)
        seen.push(...resources.map((one) => ('id' in one ? one.id : '')))
        next = link.find(({ relation }) => relation === 'next')?.url
      }
      expect(seen).toEqual(all)
    }
  })

  it('by a name, a date of birth or anything else that is not offered is refused, and so is a date that is none', async () => {
    for (const query of ['name=Ada', 'birthdate=1985-03-10', 'family=Byron', '_sort=date']) {
      const reply = await own.get(`/fhir/Patient?${query}`)
      expect([query, reply.status, codeOf(reply)]).toEqual([query, 400, 'VALIDATION_FAILED'])
    }
    for (const date of ['2026-02-30', 'soon', 'ne2026-01-01', '2026-01-01T10:00']) {
      const reply = await own.get(`/fhir/Observation?date=${date}`)
      expect([date, reply.status, codeOf(reply)]).toEqual([date, 400, 'VALIDATION_FAILED'])
    }
  })
})

describe('the resources of FHIR', () => {
  it('are none of a report that is not published, in any answer', async () => {
    const { clinic, customerId, reportId } = waiting
    expect(await idsOf('DiagnosticReport', clinic.live)).toEqual([])
    expect(await idsOf('Observation', clinic.live)).toEqual([])
    expect(await idsOf('Specimen', clinic.live)).toEqual([])
    for (const id of [`DiagnosticReport/${reportId}`, `Observation/${reportId}.glucose`, `Specimen/${reportId}.1`]) {
      const reply = await clinic.live.get(`/fhir/${id}`)
      expect([id, reply.status, codeOf(reply)]).toEqual([id, 404, 'REPORT_NOT_FOUND'])
    }
    const whole = await idsOf(`Patient/${customerId}/$everything`, clinic.live)
    expect(whole).toEqual([String(customerId), waiting.kitId])
    await clinic.live.post(`/reports/${reportId}/publish`)
    expect(await idsOf('Observation', clinic.live)).toEqual([`${reportId}.glucose`])
  })

  it('are none of a value that a later version corrected or took back', async () => {
    const made = await at.report([glucose(83), insulin], { partial: false })
    const withdrawals = [{ biomarkerId: 'insulin', why: 'withdrawn' as const }]
    await at.receive({ kitId: made.kitId, results: [glucose(181)], corrected: true, withdrawals })
    const answer = await own.get(`/fhir/Observation?patient=${made.customerId}`)
    expect(answer.text).toContain('"value":181')
    expect(answer.text).not.toContain('"value":83')
    expect(answer.text).not.toContain('insulin')
    expect((await own.get(`/fhir/Observation/${made.reportId}.insulin`)).status).toBe(404)
    const { status, meta } = served.DiagnosticReport.parse(
      (await own.get(`/fhir/DiagnosticReport/${made.reportId}`)).body,
    )
    expect([status, meta.versionId]).toEqual(['corrected', '2'])
  })

  it('are not found by another business, nor by a token of the other mode', async () => {
    const stranger = (await world.business()).live
    for (const by of [stranger, at.clinic.sandbox]) {
      for (const type of types) {
        expect(await idsOf(type, by)).toEqual([])
        for (const id of await idsOf(type)) {
          const reply = await by.get(`/fhir/${type}/${id}`)
          expect([id, reply.status, reply.body.resourceType]).toEqual([id, 404, 'OperationOutcome'])
        }
      }
      expect((await by.get(`/fhir/Patient/${first.customerId}/$everything`)).status).toBe(404)
    }
  })

  it('are none of a kit that nobody registered', async () => {
    const { body } = await own.post('/create-order', anOrder())
    const [{ kitID }] = (await own.get(`/kits?orderID=${body.orderId}`)).body
    expect((await own.get(`/fhir/ServiceRequest/${kitID}`)).status).toBe(404)
  })

  it('are refused without their scope, as an OperationOutcome with our code', async () => {
    const scopes: Record<Type, Scope> = {
      Patient: 'customers:read',
      ServiceRequest: 'kits:read',
      Specimen: 'reports:read',
      Observation: 'reports:read',
      DiagnosticReport: 'reports:read',
    }
    for (const type of types) {
      const others = Object.values(scopes).filter((scope) => scope !== scopes[type])
      const lacking = await (await tokenWith(...others)).get(`/fhir/${type}`)
      expect([type, lacking.status, codeOf(lacking)]).toEqual([type, 403, 'FORBIDDEN'])
      expect([type, (await (await tokenWith(scopes[type])).get(`/fhir/${type}`)).status]).toEqual([type, 200])
    }
    const nobody = await world.anonymous.get('/fhir/Patient')
    expect([nobody.status, codeOf(nobody)]).toEqual([401, 'UNAUTHORIZED'])
    const nowhere = await own.get('/fhir/Medication')
    expect([nowhere.status, codeOf(nowhere)]).toEqual([404, 'ROUTE_NOT_FOUND'])
  })

  it('of one person come together, and what the scopes leave out is said', async () => {
    const whole = await search(`Patient/${first.customerId}/$everything`)
    const kinds = whole.resources.map(({ resourceType }) => resourceType)
    expect(new Set(kinds)).toEqual(new Set(types))
    const references = [...JSON.stringify(whole.resources).matchAll(/"reference":"(\w+\/[^"]+)"/g)].map(
      ([, one]) => one,
    )
    const here = whole.resources.map((one) => ('id' in one ? `${one.resourceType}/${one.id}` : ''))
    expect(references.filter((one) => !here.includes(one ?? ''))).toEqual([])
    const some = await search(`Patient/${first.customerId}/$everything`, await tokenWith('customers:read', 'kits:read'))
    expect(some.resources.map(({ resourceType }) => resourceType)).toEqual([
      'Patient',
      'ServiceRequest',
      'OperationOutcome',
    ])
    expect(JSON.stringify(some.resources)).toContain('reports:read')
  })

  it('are in the audit of health data when they are read, with who read which', async () => {
    const written = async (path: string) => {
      const requestID = `fhir-${path.replaceAll(/\W/g, '.')}`
      await own.get(`/fhir/${path}`, { 'x-request-id': requestID })
      return at.inLive((tx) =>
        tx.rows(sql<{ action: string; object_id: string | null }>`
          select action, object_id from audit_entries
          where realm_id = ${tx.realm.id} and caller_request_id = ${requestID} order by id`),
      )
    }
    expect(await written(`Patient/${first.customerId}`)).toMatchObject([
      { action: 'customer.read', object_id: String(first.customerId) },
    ])
    expect(await written(`ServiceRequest/${first.kitId}`)).toMatchObject([
      { action: 'kit.read', object_id: first.kitId },
    ])
    for (const read of [`DiagnosticReport/${first.reportId}`, `Observation/${first.reportId}.glucose`]) {
      expect(await written(read)).toMatchObject([{ action: 'report.read', object_id: first.reportId }])
    }
    expect(await written(`Observation?patient=${first.customerId}`)).toMatchObject([{ action: 'report.listed' }])
    expect(await written(`Patient/${first.customerId}/$everything`)).toMatchObject([
      { action: 'customer.read' },
      { action: 'kit.listed' },
      { action: 'report.listed' },
    ])
    expect(await written('Patient?identifier=nobody')).toEqual([])
  })
})
