import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { identifyReport } from '@kitlane/lab-reader/identify/identify'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { describe, expect, test } from 'vitest'

async function read(text: string) {
  const { reports } = await parseBytes(Buffer.from(text), { maxPages: 1 })
  const all = reports.map((report) => identifyReport(report, biomarkers))
  return {
    values: all.flatMap(({ results }) => results.map(({ biomarkerId }) => biomarkerId)),
    waiting: Object.fromEntries(all.flatMap(({ unmatched }) => unmatched.map(({ name, code }) => [name, code]))),
    texts: all.flatMap(({ unmatched }) => unmatched.map(({ valueText }) => valueText)),
  }
}

const patient = {
  resourceType: 'Patient',
  id: 'p',
  name: [{ family: 'Valle', given: ['Nora'] }],
  birthDate: '1975-06-06',
}
const observation = (more: object) => ({
  ...{ resourceType: 'Observation', id: 'o', status: 'final', subject: { reference: 'Patient/p' } },
  ...{ code: { coding: [{ system: 'http://loinc.org', code: '2345-7', display: 'Glucose' }] } },
  ...{ effectiveDateTime: '2026-02-27T07:00:00Z', valueQuantity: { value: 95, unit: 'mg/dL' } },
  ...more,
})
const fhir = (...resources: object[]) =>
  JSON.stringify({
    ...{ resourceType: 'Bundle', type: 'collection' },
    entry: [patient, ...resources].map((resource) => ({ resource })),
  })

describe('a result in FHIR', () => {
  test('waits where the name of its report is that of somebody else', async () => {
    const report = {
      ...{ resourceType: 'DiagnosticReport', id: 'r', status: 'final', code: { text: 'Donor chemistry' } },
      ...{ subject: { reference: 'Patient/p' }, result: [{ reference: 'Observation/o' }] },
    }
    expect((await read(fhir(report, observation({})))).waiting).toEqual({ Glucose: 'notOwn' })
  })

  test('waits where a later report leaves it out, or takes it back by its name', async () => {
    const of = (id: string, issued: string, more: object) => ({
      ...{ resourceType: 'DiagnosticReport', id, code: { text: 'Chemistry' }, subject: { reference: 'Patient/p' } },
      ...{ identifier: [{ value: '7' }], issued, status: 'final', result: [{ reference: 'Observation/o' }], ...more },
    })
    const first = of('r', '2026-02-27T09:00:00Z', {})
    const sodium = observation({ id: 's', code: { text: 'Sodium' }, valueQuantity: { value: 139, unit: 'mmol/L' } })
    const waiting = async (more: object) => {
      const later = of('t', '2026-02-28T09:00:00Z', { result: [{ reference: 'Observation/s' }], ...more })
      return (await read(fhir(first, later, observation({}), sodium))).waiting
    }
    expect(await waiting({ status: 'corrected' })).toEqual({ Glucose: 'annulled' })
    expect(await waiting({ status: 'appended' })).toEqual({})
    expect(await waiting({ conclusion: 'Glucose reported in error.' })).toMatchObject({ Glucose: 'annulled' })
  })

  test.each([
    [{ comment: 'Haemolysed, do not use this result' }, 'annulled'],
    [{ comments: 'Wrong patient' }, 'annulled'],
    [{ bodyStructure: { reference: 'BodyStructure/b' } }, 'otherSite'],
    [{ basedOn: [{ reference: 'ServiceRequest/x' }] }, 'contradicted'],
    [{ valueQuantity: { value: 95, unit: 'mg', system: 'http://unitsofmeasure.org', code: 'mg/dL' } }, 'unknownUnit'],
  ])('waits where a field of another version or of its order says so: %j', async (more, code) => {
    const order = { resourceType: 'ServiceRequest', id: 'x', status: 'revoked', subject: { reference: 'Patient/p' } }
    expect((await read(fhir(order, observation(more)))).waiting).toEqual({ Glucose: code })
    expect((await read(fhir(order, observation({ comment: 'Analysed on cobas 8000' })))).values).toEqual(['glucose'])
  })

  test.each([
    [{ code: { text: 'Glucose tolerance test' } }, 'otherSpecimenSection'],
    [{ code: { text: 'Paternity, alleged father' } }, 'notOwn'],
    [{ note: [{ text: 'Ordered for the wrong patient' }] }, 'annulled'],
    [{ subject: { reference: 'Patient/another' } }, 'notOwn'],
    [{ code: { concept: { text: 'Glucose tolerance test' } } }, 'otherSpecimenSection'],
    [{ reasonCode: [{ text: 'Proficiency testing' }] }, 'notOwn'],
  ])('waits as its order says: %j', async (more, code) => {
    const order = { resourceType: 'ServiceRequest', id: 'x', status: 'completed', ...more }
    const ordered = observation({ basedOn: [{ reference: 'ServiceRequest/x' }] })
    expect((await read(fhir(order, ordered))).waiting).toEqual({ Glucose: code })
  })

  test('waits with its panel, as versions before R4 name its members', async () => {
    const related = [{ type: 'has-member', target: { reference: 'Observation/o' } }]
    const panel = { ...observation({ id: 'b', status: 'entered-in-error', code: { text: 'Panel' }, related }) }
    expect((await read(fhir(panel, observation({})))).waiting).toMatchObject({ Glucose: 'withdrawn' })
  })

  const said = 'Sample mix-up suspected'
  test.each([
    [{ extension: [{ url: 'x', extension: [{ url: 'y', valueMarkdown: said }] }] }, {}, 'annulled'],
    [{ extension: [{ url: 'x', valueCodeableConcept: { text: said } }] }, {}, 'annulled'],
    [{ partOf: [{ reference: 'MedicationAdministration/m' }] }, {}, 'otherSpecimenSection'],
    [{}, { resourceType: 'Communication', payload: [{ contentString: said }] }, 'annulled'],
    [{}, { resourceType: 'DetectedIssue', code: { text: said } }, 'annulled'],
    [{}, { combined: 'pooled' }, 'notOwn'],
    [{}, { extension: [{ url: 'x', valueString: 'Mislabelled' }] }, 'annulled'],
    [{}, { collection: { bodySite: { concept: { text: 'Left knee joint' } } } }, 'otherSite'],
  ])('waits as its extensions, its specimen and what is about it say: %j %j', async (more, other, code) => {
    const about = [{ reference: 'Observation/o' }]
    const beside = { ...{ resourceType: 'Specimen', id: 's', about, implicated: about }, ...other }
    const given = observation({ specimen: { reference: 'Specimen/s' }, ...more })
    expect((await read(fhir(beside, given))).waiting).toEqual({ Glucose: code })
  })

  test('waits where a note on its report says so', async () => {
    const report = {
      ...{ resourceType: 'DiagnosticReport', id: 'r', status: 'final', code: { text: 'Chemistry' } },
      ...{ subject: { reference: 'Patient/p' }, result: [{ reference: 'Observation/o' }] },
      note: [{ text: 'Tubes of two patients were exchanged; results invalid.' }],
    }
    expect((await read(fhir(report, observation({})))).waiting).toEqual({ Glucose: 'annulled' })
  })

  const specimen = (code: string) => ({
    ...{ resourceType: 'Specimen', id: 's', subject: { reference: 'Patient/p' } },
    role: [{ coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0369', code }] }],
  })
  const of = { specimen: { reference: 'Specimen/s' } }

  test('waits where the role of its specimen is not the person', async () => {
    expect((await read(fhir(specimen('c'), observation(of)))).waiting).toEqual({ Glucose: 'notOwn' })
    expect((await read(fhir(specimen('P'), observation(of)))).values).toEqual(['glucose'])
  })

  test('waits where it comes from a questionnaire or from what was taken back', async () => {
    const answered = observation({ derivedFrom: [{ reference: 'QuestionnaireResponse/q' }] })
    expect((await read(fhir(answered))).waiting).toEqual({ Glucose: 'contradicted' })
    const wrong = observation({ id: 'w', status: 'entered-in-error', code: { text: 'Creatinine' } })
    const derived = observation({ derivedFrom: [{ reference: 'Observation/w' }] })
    expect((await read(fhir(wrong, derived))).waiting).toMatchObject({ Glucose: 'annulled' })
  })

  test('shows what stands in the place of its number where that is none', async () => {
    const other = { id: 'n', code: { text: 'Sodium' }, valueQuantity: { value: 141, unit: 'mmol/L' } }
    const told = await read(fhir(observation({ valueQuantity: { value: '95', unit: 'mg/dL' } }), observation(other)))
    expect(told).toMatchObject({ waiting: { Glucose: 'unreadable' }, texts: ['95'] })
  })

  const panel = (name: string, note = '') => ({
    ...{ resourceType: 'Observation', id: 'q', status: 'final', subject: { reference: 'Patient/p' } },
    ...{ code: { text: name }, hasMember: [{ reference: 'Observation/o' }], note: [{ text: note }] },
  })

  test.each([
    ['Donor chemistry', 'notOwn'],
    ['Cord blood gases', 'notOwn'],
    ['Cerebrospinal fluid chemistry', 'otherSpecimenSection'],
  ])('is of what its panel is of, wherever the panel stands: %s', async (name, code) => {
    expect((await read(fhir(panel(name), observation({})))).waiting).toEqual({ Glucose: code })
    expect((await read(fhir(observation({}), panel(name)))).waiting).toEqual({ Glucose: code })
    const { code: glucoseCode, valueQuantity } = observation({}) as { code: object; valueQuantity: object }
    const parts = {
      id: 'c',
      code: { text: name },
      valueQuantity: undefined,
      component: [{ code: glucoseCode, valueQuantity }],
    }
    expect((await read(fhir(observation(parts)))).waiting).toEqual({ Glucose: code })
  })

  test('may not be used where a note on its panel says so, wherever the panel stands', async () => {
    const note = 'Sample mislabelled, do not use.'
    const report = {
      ...{ resourceType: 'DiagnosticReport', id: 'r', status: 'final', code: { text: 'Chemistry' } },
      ...{ subject: { reference: 'Patient/p' }, result: [{ reference: 'Observation/o' }] },
    }
    for (const resources of [
      [panel('Chemistry', note), observation({})],
      [observation({}), panel('Chemistry', note)],
      [report, observation({}), panel('Chemistry', note)],
    ])
      expect((await read(fhir(...resources))).waiting).toEqual({ Glucose: 'annulled' })
  })

  test('waits where its category is quality control', async () => {
    const told = await read(fhir(observation({ category: [{ text: 'Quality control' }] })))
    expect(told.waiting).toEqual({ Glucose: 'notOwn' })
  })
})

describe('the kit of a report in FHIR', () => {
  const report = { resourceType: 'DiagnosticReport', id: 'r', status: 'final', code: { text: 'Glucose' } }
  const kitOf = async (...resources: object[]) =>
    (await parseBytes(Buffer.from(fhir(...resources)), { maxPages: 1 })).reports.map(({ kitId }) => kitId)
  const request = (more: object) => ({ resourceType: 'ServiceRequest', id: 'q', status: 'active', ...more })
  const on = { basedOn: [{ reference: 'ServiceRequest/q' }] }
  const result = [{ reference: 'Observation/o' }]

  test('is named by the identifier or the requisition of the request that the report or a result is based on', async () => {
    const named = request({ identifier: [{ system: 'urn:lims', value: '77' }, { value: 'k241vvt7ta' }] })
    expect(await kitOf(named, { ...report, ...on, result }, observation({}))).toEqual(['K241VVT7TA'])
    expect(await kitOf(named, observation(on))).toEqual(['K241VVT7TA'])
    expect(await kitOf(request({ requisition: { value: 'K241VVT7TA' } }), observation(on))).toEqual(['K241VVT7TA'])
    expect(await kitOf(named, observation({}))).toEqual([undefined])
  })

  test('is named by the reference to the request as Kitlane shows it', async () => {
    const basedOn = [{ reference: 'https://kits.example.com/fhir/ServiceRequest/K241VVT7TA' }]
    expect(await kitOf({ ...report, basedOn, result }, observation({}))).toEqual(['K241VVT7TA'])
    expect(await kitOf(observation({ basedOn: [{ reference: 'ServiceRequest/K241VVT7TB' }] }))).toEqual([undefined])
  })

  test('is not sought in a request that cannot be read, which costs no result', async () => {
    const broken = request({ identifier: 'K241VVT7TA', requisition: [] })
    expect(await kitOf(broken, observation(on))).toEqual([undefined])
    expect((await read(fhir(broken, observation(on)))).values).toEqual(['glucose'])
  })
})
