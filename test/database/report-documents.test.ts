import { sentence } from '@kitlane/display/sentence'
import { afterAll, assert, beforeAll, describe, expect, test } from 'vitest'
import { preferred } from '../../src/modules/reports/render/negotiate.ts'
import { publishReviewedReport } from '../../src/modules/reports/versions/publish.ts'
import { FHIR, glucose, insulin, observationsOf, PDF, type Reporting, reporting } from '../harness/reports.ts'
import { sharedWorld, type World } from '../harness/world.ts'

let world: World
let at: Reporting
beforeAll(async () => {
  world = await sharedWorld()
  at = await reporting(world)
})
afterAll(() => world.stop())

describe('the format of a report', () => {
  test.each([
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json'],
    ['application/pdf', PDF],
    ['Application/PDF', PDF],
    ['application/fhir+json; fhirVersion=4.0', FHIR],
    ['application/pdf;q=0.5, application/fhir+json;q=0.9', FHIR],
    ['application/pdf, */*', PDF],
    ['application/*;q=0.8, application/pdf;q=0.9', PDF],
    ['application/json;q=0, */*', FHIR],
    ['application/json, application/pdf', 'application/json'],
    ['application/pdf;q=0', 'application/json'],
    ['image/png', 'application/json'],
    ['application/pdf;q=7, ,;;/,q', 'application/json'],
  ])('is chosen by Accept: %j gives %s', (accept, format) => {
    expect(preferred(accept)).toBe(format)
  })

  test('is said in the headers, for HEAD too, and an error is JSON whatever was asked for', async () => {
    const made = await at.report([glucose(90)])
    const plain = await at.clinic.live.get(made.path)
    expect(plain.headers.get('content-type')).toContain('application/json')
    expect(plain.headers.get('vary')).toContain('Accept')
    const fhir = await at.clinic.live.request('HEAD', made.path, undefined, { accept: FHIR })
    expect(fhir.status).toBe(200)
    expect(fhir.headers.get('content-type')).toMatch(/^application\/fhir\+json/)
    const { response } = await at.pdfOf(made)
    expect(response.headers.get('content-type')).toBe(PDF)
    expect(response.headers.get('vary')).toContain('Accept')
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="report-${made.reportId}.pdf"`)
    const missing = await at.clinic.live.get(`/customers/${made.customerId}/reports/R000000000`, { accept: PDF })
    expect(missing.status).toBe(404)
    expect(missing.body.code).toBe('REPORT_NOT_FOUND')
  })

  test('is written to the audit with who read it; what was not found is not', async () => {
    const { path, reportId, customerId } = await at.report([glucose(90)])
    await at.clinic.live.get(path)
    await at.clinic.live.get(path, { accept: FHIR })
    await at.clinic.live.get(path, { accept: PDF })
    await at.clinic.live.get(`${path}?version=7`)
    await at.clinic.live.get(`/customers/${customerId + 1}/reports/${reportId}`)
    const owner = await world.owner()
    const { rows } = await owner.query(
      `select actor, details from audit_entries where action = 'report.read' and object_id = $1 order by id`,
      [reportId],
    )
    expect(rows.map(({ details }) => details)).toEqual(
      ['json', 'fhir', 'pdf'].map((format) => ({ format, version: 1 })),
    )
    expect(rows.every(({ actor }) => /^token:/.test(actor))).toBe(true)
  })
})

describe('a new version', () => {
  test('says what differs from the one before: changed, new and gone results, and nothing else', async () => {
    const made = await at.report([glucose(90), insulin, { biomarkerId: 'ldl', value: 97, unit: 'mg/dL' }], {
      partial: false,
    })
    const first = (await at.json(made)).details
    expect(first).not.toHaveProperty('changes')
    expect(first).not.toHaveProperty('issuedDate')
    expect((await at.pdfOf(made)).text).not.toContain('Corrected on')
    const results = [glucose(7000), { biomarkerId: 'tsh', value: 2, unit: 'm[IU]/L' }]
    await at.receive({ kitId: made.kitId, results, reason: sentence('mix-up') })
    // A value that cannot be right is read by a person before anybody has it, in a later version, too.
    await at.publish(made)
    const { details } = await at.json(made)
    expect(details).toMatchObject({ version: 2, vendorStatus: 'corrected', reason: 'mix-up' })
    // The day of this version stands in JSON as in FHIR, and in the PDF.
    const { issued } = (await at.bundle(made)).entry[0].resource
    expect(details.issuedDate).toBe(issued)
    expect((await at.pdfOf(made)).text).toMatch(/Published.*Corrected on/s)
    const changes = new Map(details.changes?.map(({ biomarker, ...rest }) => [biomarker, rest]))
    expect([...changes.keys()].sort()).toEqual(['glucose', 'homa_ir', 'tsh'])
    expect(changes.get('glucose')).toEqual({
      label: 'Glucose (fasting)',
      before: expect.objectContaining({ result: 90, unit: 'mg/dL', state: 'optimal', rawText: '90' }),
      after: expect.objectContaining({ state: 'unknown', rawText: '7000' }),
    })
    expect(changes.get('homa_ir')).toMatchObject({ before: { result: 2 } })
    expect(changes.get('homa_ir')).not.toHaveProperty('after')
    expect(changes.get('tsh')).toMatchObject({ after: { result: 2 } })
    expect(changes.get('tsh')).not.toHaveProperty('before')
    expect((await at.json(made, '?version=1')).details).not.toHaveProperty('changes')
    await at.receive({ kitId: made.kitId, results: [{ ...glucose(7000), rawResult: '7000' }] })
    await at.publish(made)
    expect((await at.json(made)).details.changes).toEqual([])
    expect((await at.json(made, '?version=2')).details.changes).toHaveLength(3)
    const { text } = await at.pdfOf(made)
    expect(text).toContain('Version 3 of 3')
  })

  test('shows the difference on paper', async () => {
    const made = await at.report([glucose(90)], { partial: false })
    const { publishedDate } = (await at.json(made)).details
    await at.receive({ kitId: made.kitId, results: [glucose(180)], reason: sentence('Two tubes were mixed up.') })
    // The day of this version stands beside the first one, in JSON as in FHIR.
    const { issued } = (await at.bundle(made)).entry[0].resource
    expect((await at.json(made)).details).toMatchObject({ publishedDate, issuedDate: issued })
    const { text } = await at.pdfOf(made)
    expect(text).toContain('Changed since version 1')
    expect(text).toContain('90 mg/dL → 180 mg/dL')
    expect(text).toContain('Two tubes were mixed up.')
    const old = await at.pdfOf({ ...made, path: `${made.path}?version=1` })
    expect(old.text).toContain('This is version 1. It was replaced by version 2')
  })
})

describe('FHIR R4', () => {
  test('a report of everything is a valid Bundle whose references all lead somewhere', async () => {
    const made = await at.publish(await at.report(await at.everything(), { collectedDate: '2026-02-03' }))
    const [fhir, plain] = [await at.bundle(made), await at.json(made)]
    const [{ resource }, patient, specimen] = fhir.entry
    const observations = fhir.entry.filter(({ resource: { resourceType } }) => resourceType === 'Observation')
    const labels = new Set(plain.biomarker.map(({ label }) => label))
    const others = observationsOf(fhir).flatMap(({ code }) => (labels.has(code.text ?? '') ? [] : [code.text]))
    expect(observations, others.join(', ')).toHaveLength(plain.biomarker.length + plain.unassessed.length)
    expect(resource.result.map(({ reference }) => reference)).toEqual(observations.map(({ fullUrl }) => fullUrl))
    const urls = fhir.entry.map(({ fullUrl }) => fullUrl)
    expect(new Set(urls).size).toBe(urls.length)
    const referred = [...JSON.stringify(fhir).matchAll(/"reference":"([^"]+)"/g)].map(([, url]) => url)
    expect(referred.filter((url) => !urls.includes(url ?? ''))).toEqual([])
    expect(resource).toMatchObject({ status: 'final', effectiveDateTime: '2026-02-03' })
    expect(patient.resource).toMatchObject({ gender: 'female', birthDate: '1985-03-10' })
    expect(specimen.resource.identifier).toEqual([{ system: 'urn:kitlane:kit', value: made.kitId }])
    for (const entry of plain.biomarker) {
      const resource = observationsOf(fhir).find(({ code }) => code.text === entry.label) ?? assert.fail()
      expect((resource.valueQuantity ?? resource.valueRatio?.denominator)?.value).toBe(entry.result)
      expect(resource.code.coding.map(({ code }) => code)).toContain(entry.id)
      expect(resource.interpretation?.[0].coding[0].code ?? '').toBe(entry.interpretation)
    }
    expect(await at.bundle(made)).toEqual(fhir)
  })

  test('says units in UCUM, comparators, why a value is missing and what the laboratory wrote', async () => {
    const made = await at.report(
      [
        { biomarkerId: 'glucose', value: 6.1, unit: 'mmol/L', rawResult: '6.10', labRange: { low: 3.9, high: 5.5 } },
        { biomarkerId: 'egfr', value: 90, unit: 'mL/min/{1.73_m2}', comparator: '>' },
        { biomarkerId: 'ldl', value: 3.1, unit: 'furlongs' },
        { biomarkerId: 'potassium', value: 5.9, unit: 'mmol/L' },
      ],
      { labErrors: ['HEMOLYSIS'], partial: true },
    )
    await at.inLive((tx) => publishReviewedReport(tx, made.reportId))
    const fhir = await at.bundle(made)
    const byId = (id: string) =>
      observationsOf(fhir).find(({ code }) => code.coding.some((coding) => coding.code === id))
    expect(fhir.entry[0].resource.status).toBe('partial')
    expect(fhir.entry[2].resource.note?.[0]?.text).toContain('HEMOLYSIS')
    expect(byId('glucose')).toMatchObject({
      code: { coding: [{ system: 'http://loinc.org' }, { system: 'urn:kitlane:biomarker', code: 'glucose' }] },
      valueQuantity: { value: 110, unit: 'mg/dL', code: 'mg/dL' },
      interpretation: [{ coding: [{ code: 'H' }] }],
      note: [{ text: 'As the laboratory gave it: 6.10 mmol/L' }],
    })
    expect(byId('glucose')?.referenceRange?.[0]).toMatchObject({ low: { value: 70 }, high: { value: 99 } })
    expect(byId('egfr')?.valueQuantity).toMatchObject({ value: 90, comparator: '>', code: 'mL/min/{1.73_m2}' })
    expect(byId('ldl')).toMatchObject({ dataAbsentReason: { coding: [{ code: 'unsupported' }] } })
    expect(byId('ldl')?.note?.map(({ text }) => text)).toContain('As the laboratory gave it: 3.1 furlongs')
    expect(byId('potassium')).toMatchObject({ valueQuantity: { value: 5.9 } })
    expect(byId('potassium')?.note?.[0]?.text).toContain('Interpret with care')
  })

  test('tells a correction from what it replaced, and names nobody', async () => {
    const made = await at.report([glucose(90), insulin], { partial: false }, { lastName: 'Quercetanus' })
    await at.receive({ kitId: made.kitId, results: [glucose(180)], corrected: true })
    const [now, before] = [await at.bundle(made), await at.bundle(made, '?version=1')]
    expect(now.entry[0].resource).toMatchObject({ status: 'corrected', meta: { versionId: '2' } })
    expect(before.entry[0].resource).toMatchObject({ status: 'unknown', meta: { versionId: '1' } })
    expect(before.entry[0].resource.conclusion).toContain('Superseded by version 2')
    const statuses = observationsOf(now).map(({ code, status }) => [code.text, status])
    expect(Object.fromEntries(statuses)).toMatchObject({
      'Glucose (fasting)': 'corrected',
      'Insulin (fasting)': 'final',
    })
    expect(now.entry[1].fullUrl).toBe(before.entry[1].fullUrl)
    expect(now.entry[0].fullUrl).not.toBe(before.entry[0].fullUrl)
    expect(JSON.stringify(now)).not.toMatch(/Quercetanus|example\.test/)
  })
})
