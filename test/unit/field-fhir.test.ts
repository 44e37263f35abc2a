import { annuls } from '@kitlane/lab-reader/parse/annulling'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { SEVERAL_PEOPLE } from '@kitlane/lab-reader/parse/person'
import { describe, expect, it } from 'vitest'

const parse = (resource: unknown) => parseBytes(Buffer.from(JSON.stringify(resource)), { maxPages: 1 })
const bundle = (...resources: object[]) => ({
  resourceType: 'Bundle',
  type: 'collection',
  entry: resources.map((resource) => ({ resource })),
})
const result = (id: string, name: string, value: number, more: object = {}) => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  code: { text: name },
  valueQuantity: { value, unit: 'mmol/L' },
  ...more,
})
const report = (results: string[], more: object = {}) => ({
  resourceType: 'DiagnosticReport',
  id: 'r',
  status: 'final',
  code: { text: 'Panel' },
  result: results.map((id) => ({ reference: `Observation/${id}` })),
  ...more,
})
const observed = async (...resources: object[]) =>
  (await parse(bundle(...resources))).reports.flatMap(({ observations }) => observations)

describe('a specimen that FHIR calls unsatisfactory or entered in error', () => {
  it.each(['unsatisfactory', 'entered-in-error'])(
    'says so in its condition, which holds the report: %s',
    async (status) => {
      const glucose = result('a', 'Glucose', 95, { specimen: { reference: 'Specimen/s' } })
      const { reports } = await parse(
        bundle(glucose, { resourceType: 'Specimen', id: 's', status, type: { text: 'Serum' } }),
      )
      expect(annuls(reports[0]?.origin?.specimens[0]?.condition ?? '')).toBe(true)
    },
  )
})

describe('people of a FHIR file', () => {
  it('are distinguished by their numbers alone', async () => {
    const of = (value: string) => ({ subject: { identifier: { system: 'urn:lab', value } } })
    const { reports, notes } = await parse(
      bundle(result('a', 'Sodium', 140, of('17')), result('b', 'Potassium', 4.1, of('18'))),
    )
    expect(notes).toContain(SEVERAL_PEOPLE)
    expect(reports.map(({ patient }) => patient)).toEqual([{ id: '17' }, { id: '18' }])
    const one = await parse(bundle(result('a', 'Sodium', 140, of('17')), result('b', 'Potassium', 4.1, of('17'))))
    expect([one.notes, one.reports.length]).toEqual([[], 1])
  })
})

describe('Patients of one name and birth', () => {
  it('are two people where one system numbers them twice', async () => {
    const of = (id: string, system: string, value: string) => ({
      resourceType: 'Patient',
      id,
      name: [{ family: 'Valle', given: ['Nora'] }],
      birthDate: '1975-06-06',
      identifier: [{ system, value }],
    })
    const severalOf = async (...people: object[]) =>
      (await parse(bundle(...people, result('a', 'Sodium', 140)))).notes.includes(SEVERAL_PEOPLE)
    expect(await severalOf(of('p', 'urn:lab', '12'), of('q', 'urn:lab', '13'))).toBe(true)
    expect(await severalOf(of('p', 'urn:lab', '12'), of('q', 'urn:clinic', '13'))).toBe(false)
  })
})

describe('a FHIR report', () => {
  it('has the day of an instant', async () => {
    const at = { effectiveInstant: '2026-01-31T22:15:00+01:00' }
    expect((await parse(bundle(result('a', 'Sodium', 140, at)))).reports[0]?.collectedDate).toBe('2026-01-31')
  })

  it('that something not known here changes keeps its results for a person', async () => {
    const changed = report(['a'], { modifierExtension: [{ url: 'urn:lab:not-for-care', valueBoolean: true }] })
    const [sodium] = await observed(changed, result('a', 'Sodium', 140))
    expect(sodium).toMatchObject({ valueText: '140', doubt: 'contradicted' })
    expect(sodium).not.toHaveProperty('value')
  })

  it('or a result under rules of its own keeps its values for a person', async () => {
    const implicitRules = 'urn:lab:rules'
    const [ofReport] = await observed(report(['a'], { implicitRules }), result('a', 'Sodium', 140))
    const [ofResult, other] = await observed(result('a', 'Sodium', 140, { implicitRules }), result('b', 'Iron', 9))
    expect([ofReport?.doubt, ofResult?.doubt, other?.value]).toEqual(['contradicted', 'contradicted', 9])
  })

  it('that is nothing but a document waits for a person to open it', async () => {
    const presentedForm = [{ contentType: 'application/pdf', data: 'JVBERi0xLjQK' }]
    const file = await parse(bundle(report([], { presentedForm, conclusionCode: [{ text: 'Anemia' }] })))
    expect(file.reports[0]?.observations).toMatchObject([
      { name: 'Panel', valueText: 'A document of its own, to be opened' },
    ])
    expect(file.reports[0]?.origin?.notes).toEqual(['Anemia'])
    const both = await parse(bundle(report(['a'], { presentedForm }), result('a', 'Sodium', 140)))
    expect(both.reports[0]?.observations).toHaveLength(1)
    expect(both.notes).toEqual(['A report is also sent as a document, which was not read'])
  })

  it('waits for members of a panel that are not in the file', async () => {
    const panel = { resourceType: 'Observation', id: 'p', status: 'final', code: { text: 'Panel' } }
    const members = (...ids: string[]) => ({ hasMember: ids.map((reference) => ({ reference })) })
    const lines = (more: object) => observed({ ...panel, ...more }, result('a', 'Sodium', 140))
    expect((await lines(members('Observation/a', 'Observation/gone'))).map(({ doubt }) => doubt)).toEqual([
      undefined,
      'notCounted',
    ])
    expect(await lines(members('Observation/a', 'QuestionnaireResponse/q'))).toHaveLength(1)
  })
})

describe('a FHIR file', () => {
  it('with an empty entry is read', async () => {
    const file = {
      resourceType: 'Bundle',
      type: 'batch-response',
      entry: [null, { resource: null }, { resource: result('a', 'Sodium', 140) }],
    }
    expect((await parse(file)).reports[0]?.observations).toMatchObject([{ value: 140 }])
  })

  it('whose results are all in resources that are not read is refused as such, not as one without results', async () => {
    const parameters = { resourceType: 'Parameters', parameter: [{ name: 'a', resource: result('a', 'Sodium', 140) }] }
    await expect(parse(parameters)).rejects.toMatchObject({ code: 'PARSE_FAILED' })
    await expect(parse({ resourceType: 'Parameters' })).rejects.toMatchObject({ code: 'NOTHING_FOUND' })
  })

  it('keeps a text of several thousand letters to its end', async () => {
    const valueString = `${'A finding in words. '.repeat(400)}The last word`
    const [text] = await observed({ ...result('a', 'Comment', 0), valueQuantity: undefined, valueString })
    expect(text?.valueText).toBe(valueString)
  })
})

describe('a unit whose code is in no table here', () => {
  const unitOf = async (unit: string, code: string) => {
    const valueQuantity = { value: 95, unit, code, system: 'http://unitsofmeasure.org' }
    return (await observed(result('a', 'Glucose', 95, { valueQuantity })))[0]?.unit
  }

  it('contradicts the printed one where it is of another kind or size', async () => {
    expect(await unitOf('mg/dL', 'mmol')).toBe('mg/dL or mmol')
    expect(await unitOf('mg/dL', 'g/mL')).toBe('mg/dL or g/mL')
    expect(await unitOf('U/L', 'mmol')).toBe('U/L or mmol')
    expect(await unitOf('kU/L', 'U/L')).toBe('kU/L or U/L')
  })

  it('leaves the printed one where both mean the same, or the code says nothing', async () => {
    expect(await unitOf('mg/dL', 'mg/(dL)')).toBe('mg/dL')
    expect(await unitOf('IU/mL', '[IU].mL-1')).toBe('IU/mL')
    expect(await unitOf('%', '{percent}')).toBe('%')
  })
})

describe('a ratio', () => {
  const of = async (numerator: object, denominator: object) =>
    observed({ ...result('a', 'ACR', 1), valueQuantity: undefined, valueRatio: { numerator, denominator } })

  it('to one of a unit is a number in both units', async () => {
    const [one] = await of({ value: 11, comparator: '<', unit: 'mg' }, { value: 1, unit: 'g', code: 'g' })
    expect(one).toMatchObject({ value: 11, comparator: '<', unit: 'mg/g', valueText: '<11' })
  })

  it.each([
    [
      { value: 11, unit: 'mg' },
      { value: 2, unit: 'g' },
    ],
    [{ value: 11, unit: 'mg' }, { value: 1 }],
    [
      { value: 11, unit: 'mg' },
      { value: 1, comparator: '>', unit: 'g' },
    ],
    [
      { value: 11, unit: 'mg/L' },
      { value: 1, unit: 'g' },
    ],
  ])('of other numbers or units is none: %j %j', async (numerator, denominator) => {
    const [one] = await of(numerator, denominator)
    expect([one?.value, one?.unit]).toEqual([undefined, undefined])
  })
})

describe('a test whose control failed', () => {
  const finding = (id: string, name: string, valueString: string, more: object = {}) =>
    result(id, name, 0, { valueQuantity: undefined, valueString, ...more })
  const control = (valueString: string) => ({ code: { text: 'Internal control' }, valueString })

  it('waits, whether the control is a component or a result of the same report', async () => {
    const component = [control('Failed')]
    expect(await observed(finding('a', 'Chlamydia', 'Not detected', { component }))).toMatchObject(
      Array(2).fill({ doubt: 'annulled', because: 'Internal control: Failed' }),
    )
    const both = [finding('a', 'Chlamydia', 'Not detected'), finding('b', 'Internal control', 'Invalid')]
    expect(await observed(report(['a', 'b']), ...both)).toMatchObject(Array(2).fill({ doubt: 'annulled' }))
  })

  it('holds no other test, and nothing where it passed', async () => {
    const component = [control('Failed')]
    const two = [finding('a', 'Chlamydia', 'Not detected', { component }), result('b', 'Sodium', 140)]
    expect((await observed(...two)).map(({ doubt }) => doubt)).toEqual(['annulled', 'annulled', undefined])
    const passed = finding('a', 'Chlamydia', 'Not detected', { component: [control('Passed')] })
    expect((await observed(passed)).map(({ doubt }) => doubt)).toEqual([undefined, undefined])
  })
})

it('the number of a specimen names no material', async () => {
  const specimen = (display: string) => ({ specimen: { reference: 'Specimen/elsewhere', display } })
  const of = async (display: string) => (await observed(result('a', 'Sodium', 140, specimen(display))))[0]?.specimen
  expect(await of('Specimen 26H-071C0012')).toBeUndefined()
  expect(await of('Urine 26H-071C0012')).toBe('Urine 26H-071C0012')
  // The SNOMED code of amniotic fluid is a number, too, and says the material.
  const amniotic = { resourceType: 'Specimen', id: 's', type: { coding: [{ code: '258450006' }] } }
  const [coded] = await observed(result('a', 'Sodium', 140, { specimen: { reference: 'Specimen/s' } }), amniotic)
  expect(coded?.specimen).toBe('258450006')
})

describe('what a FHIR file says of a result beside its value', () => {
  const potassium = (more: object = {}) => result('a', 'Potassium', 4.2, more)
  const document = (more: object) => ({ resourceType: 'Composition', status: 'final', title: 'Report', ...more })
  const inSection = (title: string) => document({ section: [{ title, entry: [{ reference: 'Observation/a' }] }] })

  it.each([
    [
      'an extension of its own',
      [potassium({ extension: [{ url: 'https://lab.example/result-invalid', valueBoolean: true }] })],
      'annulled',
    ],
    [
      'its narrative',
      [potassium({ text: { status: 'additional', div: '<div>Do not use the value.</div>' } })],
      'annulled',
    ],
    ['a method through the skin', [potassium({ method: { text: 'Non-invasive pulse co-oximetry' } })], 'contradicted'],
    ['the answer to a survey', [potassium({ note: [{ text: 'Self-reported by patient' }] })], 'contradicted'],
    [
      'the words of an extension',
      [potassium({ extension: [{ url: 'https://lab.example/comment', valueString: 'Do not use, sample swapped' }] })],
      'annulled',
    ],
    [
      'a relative who measured it',
      [potassium({ performer: [{ type: 'RelatedPerson', display: 'Daughter' }] })],
      'contradicted',
    ],
    [
      'a list of what was deleted',
      [
        { resourceType: 'List', status: 'current', entry: [{ deleted: true, item: { reference: 'Observation/a' } }] },
        potassium(),
      ],
      'annulled',
    ],
    ['a document that was entered in error', [document({ status: 'entered-in-error' }), potassium()], 'annulled'],
    ['a section of earlier results', [inSection('Previous results'), potassium()], 'earlierOrGoal'],
    ['a section of another specimen', [inSection('Cerebrospinal fluid'), potassium()], 'otherSpecimenSection'],
  ])('holds it: %s', async (_, resources, doubt) => {
    expect((await observed(...resources)).map((one) => one.doubt)).toEqual([doubt])
  })

  it('takes back what a cancelled report refers to by an identifier alone', async () => {
    const identifier = { system: 'urn:obs', value: '1' }
    const [one] = await observed(
      report([], { status: 'cancelled', result: [{ identifier }] }),
      potassium({ identifier: [identifier] }),
    )
    expect(one?.status).toBe('cancelled')
  })

  it('holds what a bundle deletes, unless it is written again later', async () => {
    const put = {
      resource: potassium(),
      fullUrl: 'https://lab.example/Observation/a',
      request: { method: 'PUT', url: 'Observation/a' },
    }
    const gone = { fullUrl: put.fullUrl, request: { method: 'DELETE', url: 'Observation/a' } }
    const doubts = async (...entry: object[]) =>
      (await parse({ resourceType: 'Bundle', type: 'history', entry })).reports.flatMap(({ observations }) =>
        observations.map(({ doubt }) => doubt),
      )
    expect([await doubts(gone, put), await doubts(put, gone)]).toEqual([['annulled'], [undefined]])
    expect(await doubts(gone, put, put)).not.toContain(undefined)
  })

  it('takes back the members of a panel that was entered in error', async () => {
    const panel = {
      resourceType: 'Observation',
      id: 'g',
      status: 'entered-in-error',
      code: { text: 'Panel' },
      hasMember: [{ reference: 'Observation/a' }],
    }
    const found = await observed(panel, potassium())
    expect(found.find(({ name }) => name === 'Potassium')?.status).toBe('entered-in-error')
  })

  it('finds a specimen by its identifier alone', async () => {
    const identifier = { system: 'urn:specimen', value: '77' }
    const specimen = {
      resourceType: 'Specimen',
      id: 's',
      identifier: [identifier],
      type: { text: 'Cerebrospinal fluid' },
    }
    const [one] = await observed(specimen, potassium({ specimen: { identifier } }))
    expect(one?.specimen).toBe('Cerebrospinal fluid')
  })
})
