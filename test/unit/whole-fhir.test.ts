import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { identifyReport } from '@kitlane/lab-reader/identify/identify'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { describe, expect, it } from 'vitest'

const subject = { reference: 'Patient/p' }
const patient = (more: object = {}) => ({
  resourceType: 'Patient',
  id: 'p',
  name: [{ family: 'Valle', given: ['Nora'] }],
  birthDate: '1975-06-06',
  ...more,
})
const result = (id: string, name: string, value: number, more: object = {}) => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  code: { text: name },
  subject,
  effectiveDateTime: '2026-02-27T07:00:00Z',
  valueQuantity: { value, unit: 'mmol/L' },
  ...more,
})
const report = (more: object = {}) => ({
  resourceType: 'DiagnosticReport',
  id: 'r',
  status: 'final',
  code: { text: 'Panel' },
  subject,
  result: ['a', 'b'].map((id) => ({ reference: `Observation/${id}` })),
  ...more,
})
const sodium = (more: object = {}) => result('a', 'Sodium', 141, more)
const potassium = (more: object = {}) => result('b', 'Potassium', 4.2, more)
const drawn = { specimen: { reference: 'Specimen/s' } }
const specimen = (more: object = {}) => ({ resourceType: 'Specimen', id: 's', type: { text: 'Serum' }, ...more })

/** What is read and what waits. */
async function outcome(...resources: object[]) {
  const bundle = { resourceType: 'Bundle', type: 'collection', entry: resources.map((resource) => ({ resource })) }
  const { reports } = await parseBytes(Buffer.from(JSON.stringify(bundle)), { maxPages: 1 })
  const all = reports.map((one) => identifyReport(one, biomarkers))
  return {
    read: all.flatMap(({ results }) => results.map(({ biomarkerId }) => biomarkerId)),
    waiting: all.flatMap(({ unmatched }) => unmatched.map(({ code }) => code)),
    because: all.flatMap(({ unmatched }) => unmatched.map(({ reason }) => reason)),
  }
}
const text = (words: string) => [
  { contentType: 'text/plain', data: Buffer.from(words).toString('base64'), title: 'Report' },
]
const issuedInError = 'Report issued in error; specimen belongs to another patient.'

describe('all results of a FHIR report wait', () => {
  it.each([
    ['its conclusion says so', [patient(), report({ conclusion: issuedInError }), sodium(), potassium()]],
    [
      'its conclusion says so in German',
      [patient(), report({ conclusion: 'Befund ungültig.' }), sodium(), potassium()],
    ],
    ['its text says so', [patient(), report({ presentedForm: text(issuedInError) }), sodium(), potassium()]],
    [
      'a note on one result speaks of these results',
      [patient(), report(), sodium(), potassium({ note: [{ text: 'These results are invalid.' }] })],
    ],
    [
      'its specimen was entered in error',
      [patient(), report(drawnBy()), sodium(), potassium(), specimen({ status: 'entered-in-error' })],
    ],
    [
      'its specimen has the label of another',
      [patient(), report(), sodium(drawn), potassium(drawn), specimen({ note: [{ text: 'Wrong patient label' }] })],
    ],
    [
      'its specimen is contaminated',
      [patient(), report(), sodium(drawn), potassium(drawn), specimen({ condition: [{ text: 'Contaminated' }] })],
    ],
  ])('where %s', async (_, resources) => {
    expect(await outcome(...resources)).toMatchObject({ read: [], waiting: ['annulled', 'annulled'] })
  })

  it.each([
    [
      'its specimen is of another patient',
      [patient(), report(), sodium(drawn), potassium(drawn), specimen({ subject: { reference: 'Patient/q' } })],
    ],
    [
      'it is labelled as test data',
      [patient(), report({ meta: { security: [{ code: 'HTEST' }] } }), sodium(), potassium()],
    ],
    [
      'the patient is an animal',
      [
        patient({ extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/patient-animal' }] }),
        report(),
        sodium(),
        potassium(),
      ],
    ],
    [
      'the patient is control material',
      [patient({ name: [{ family: 'Control', given: ['Level 2'] }] }), report(), sodium(), potassium()],
    ],
  ])('where %s', async (_, resources) => {
    expect(await outcome(...resources)).toMatchObject({ read: [], waiting: ['notOwn', 'notOwn'] })
  })

  it('with both days, where the specimen was collected on another one', async () => {
    const taken = specimen({ collection: { collectedDateTime: '2026-01-15' } })
    const { read, waiting, because } = await outcome(patient(), report(), sodium(drawn), potassium(drawn), taken)
    expect([read, waiting]).toEqual([[], ['impossibleTimes', 'impossibleTimes']])
    expect(because[0]).toContain('2026-01-15')
    expect(because[0]).toContain('2026-02-27')
  })
})

function drawnBy() {
  return { specimen: [drawn.specimen] }
}

describe('results of a FHIR report are read', () => {
  it.each([
    [
      'beside an ordinary conclusion',
      [patient(), report({ conclusion: 'Electrolytes are normal.' }), sodium(), potassium()],
    ],
    [
      'beside an ordinary text',
      [patient(), report({ presentedForm: text('Sodium 141, potassium 4.2.') }), sodium(), potassium()],
    ],
    [
      'of a specimen that is no longer there',
      [patient(), report(), sodium(drawn), potassium(drawn), specimen({ status: 'unavailable', subject })],
    ],
    [
      'of one that was collected the night before',
      [
        patient(),
        report(),
        sodium(drawn),
        potassium(drawn),
        specimen({ collection: { collectedDateTime: '2026-02-26T23:00:00Z' } }),
      ],
    ],
    [
      'of a patient under another address',
      [
        patient(),
        report(),
        sodium(drawn),
        potassium(drawn),
        specimen({ subject: { reference: 'http://fhir.test/Patient/p' } }),
      ],
    ],
    [
      'with other labels',
      [patient({ meta: { security: [{ code: 'R' }], tag: [{ code: 'lab' }] } }), report(), sodium(), potassium()],
    ],
  ])('%s', async (_, resources) => {
    expect(await outcome(...resources)).toMatchObject({ read: ['sodium', 'potassium'], waiting: [] })
  })
})

describe('a FHIR result', () => {
  const loinc = (code: string) => ({ system: 'http://loinc.org', code })

  it('waits where two LOINC codes are of two biomarkers, or one is not known', async () => {
    const both = { code: { text: 'Potassium', coding: [loinc('2823-3'), loinc('2951-2')] } }
    expect(await outcome(patient(), potassium(both))).toMatchObject({ read: [], waiting: ['severalBiomarkers'] })
    const unknown = { code: { text: 'Potassium', coding: [loinc('2823-3'), loinc('88888-6')] } }
    expect(await outcome(patient(), potassium(unknown))).toMatchObject({ read: [], waiting: ['unknownCode'] })
  })

  it.each([
    ['the person performed', { performer: [{ reference: 'Patient/p' }] }],
    ['a glucometer measured', { method: { text: 'glucometer' } }],
    ['a device of the person measured', { device: { display: 'Home monitor' } }],
  ])('waits that %s', async (_, more) => {
    expect(await outcome(patient(), sodium(more))).toMatchObject({ read: [], waiting: ['contradicted'] })
  })

  it.each([
    ['quality control failed', 'annulled'],
    ['indeterminate', 'annulled'],
  ])('waits whose interpretation is “%s”', async (text, code) => {
    expect(await outcome(patient(), sodium({ interpretation: [{ text }] }))).toMatchObject({ waiting: [code] })
  })

  it('is read that a laboratory measured with its analyzer', async () => {
    const more = { performer: [{ display: 'Westlab' }], method: { text: 'ISE' }, device: { display: 'Cobas' } }
    const normal = { interpretation: [{ coding: [{ code: 'N' }], text: 'Normal' }] }
    expect(await outcome(patient(), sodium({ ...more, ...normal }))).toMatchObject({ read: ['sodium'], waiting: [] })
  })
})

describe('a result that is only referred to', () => {
  it('waits by the name that the reference says, with what to do', async () => {
    const lacking = report({
      result: [{ reference: 'Observation/a' }, { reference: 'Observation/z', display: 'Chloride' }],
    })
    const { read, waiting, because } = await outcome(patient(), lacking, sodium())
    expect([read, waiting]).toEqual([['sodium'], ['notInFile']])
    expect(because[0]).toContain('ask the laboratory for it')
    const panel = sodium({ hasMember: [{ reference: 'Observation/z', display: 'Chloride' }] })
    expect(await outcome(patient(), panel)).toMatchObject({ read: ['sodium'], waiting: ['notInFile'] })
  })
})

describe('a result that cannot be read', () => {
  it('waits with the name of the field that is to blame', async () => {
    const { waiting, because } = await outcome(patient(), potassium(), sodium({ valueQuantity: { value: '141' } }))
    expect(waiting).toEqual(['unreadable'])
    expect(because[0]).toContain('valueQuantity.value')
  })

  it('waits with what is sent beside it where that says that there is none', async () => {
    const url = 'http://hl7.org/fhir/StructureDefinition/data-absent-reason'
    const valueQuantity = { value: 140, unit: 'mmol/L', extension: [{ url, valueCode: 'error' }] }
    for (const absent of [{ dataAbsentReason: { text: 'error' } }, { valueQuantity }]) {
      const { because } = await outcome(patient(), sodium(absent))
      expect(because[0]).toContain('dataAbsentReason error')
    }
  })
})

describe('the narrative of a report', () => {
  const narrative = (words: string) => report({ text: { div: `<div><p>${words}</p><p>Sodium 141</p></div>` } })
  const results = async (words: string) => {
    const entry = [patient(), narrative(words), sodium(), potassium()].map((resource) => ({ resource }))
    const bundle = { resourceType: 'Bundle', type: 'collection', entry }
    const { reports } = await parseBytes(Buffer.from(JSON.stringify(bundle)), { maxPages: 1 })
    return reports.flatMap((one) => identifyReport(one, biomarkers).results)
  }

  it('makes all values preliminary, or wait, where it says so', async () => {
    expect(await results('PRELIMINARY REPORT')).toMatchObject([{ preliminary: true }, { preliminary: true }])
    expect(await results('These results are invalid.')).toEqual([])
  })

  it('changes nothing else', async () => {
    const read = await results('Preliminary results were reported earlier and are now final.')
    expect(read.map(({ preliminary }) => preliminary)).toEqual([undefined, undefined])
  })
})

describe('a result of a device in a file of one person', () => {
  const ofDevice = result('c', 'Chloride', 101, { subject: { reference: 'Device/7', display: 'Analyzer 7' } })
  const parsed = async (...resources: object[]) => {
    const bundle = { resourceType: 'Bundle', type: 'collection', entry: resources.map((resource) => ({ resource })) }
    return (await parseBytes(Buffer.from(JSON.stringify(bundle)), { maxPages: 1 })).reports
  }

  it('waits alone: the others are read, and the file is of one person', async () => {
    const device = { resourceType: 'Device', id: '7', deviceName: [{ name: 'Analyzer 7' }] }
    for (const others of [[], [device]]) {
      const all = [ofDevice, patient(), sodium(), potassium(), ...others]
      expect(await outcome(...all)).toMatchObject({ read: ['sodium', 'potassium'], waiting: ['notOwn'] })
      expect(await parsed(...all)).toMatchObject([{ patient: { name: 'Nora Valle' }, observations: { length: 3 } }])
      expect((await parsed(...all))[0]).not.toHaveProperty('isOfSeveral')
    }
  })

  it('names no person, where the file holds nothing else', async () => {
    const [only, ...others] = await parsed(ofDevice)
    expect([only?.patient, only?.observations[0]?.doubt, others]).toEqual([undefined, 'notOwn', []])
  })

  it('leaves two people two people', async () => {
    const other = sodium({ subject: { reference: 'Patient/q' } })
    expect((await parsed(ofDevice, patient(), potassium(), other))[0]).toMatchObject({ isOfSeveral: true })
  })
})

describe('a FHIR result waits', () => {
  const taken = (collection: object, more: object = {}) => [specimen({ collection, ...more }), potassium(drawn)]
  const absent = {
    extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'error' }],
  }
  const label = (code: string) => ({ meta: { security: [{ code }] } })
  it.each<[string, object[]]>([
    ['that a model predicted', [potassium({ method: { text: 'Predicted by a model from earlier values' } })]],
    ['that was estimated from others', [potassium({ method: { text: 'Estimated from population data' } })]],
    ['that is labelled as unreliable', [potassium(label('UNRELIABLE'))]],
    ['of a sample that is labelled so', [specimen(label('UNCERTREL')), potassium(drawn)]],
    ['beside whose value stands that there is none', [potassium({ _valueQuantity: absent })]],
    ['whose sample has a note that is not known', taken({}, { note: [{ text: 'Tube label reads another surname' }] })],
    [
      'whose sample was collected in words that are not known',
      taken({ method: { text: 'Drawn from a line with TPN running' } }),
    ],
  ])('%s', async (_, resources) => {
    const { read, waiting } = await outcome(patient(), sodium(), ...resources)
    expect([read, waiting.length]).toEqual([['sodium'], 1])
  })

  it('that a later report takes back, whichever stands first', async () => {
    const reports = [report(), report({ id: 'r2', conclusion: 'Please disregard this potassium: wrong tube.' })]
    for (const both of [reports, reports.toReversed()])
      expect((await outcome(patient(), ...both, sodium(), potassium())).read).toEqual([])
    const ordinary = report({ id: 'r2', conclusion: 'No further action suggested.' })
    expect((await outcome(patient(), report(), ordinary, sodium(), potassium())).read).toHaveLength(2)
  })

  it('and not one that was calculated, or drawn in the usual way', async () => {
    const usual = taken(
      { method: { text: 'Collection of venous blood by venipuncture' } },
      { note: [{ text: 'Fasting sample' }] },
    )
    const calculated = sodium({ method: { text: 'Calculated by the formula of Friedewald' } })
    expect((await outcome(patient(), calculated, ...usual)).waiting).toEqual([])
  })
})

describe('what a resource contains under an id that others use, too', () => {
  const within = (...contained: object[]) => ({ contained })
  const serum = { resourceType: 'Specimen', id: 's', type: { text: 'Serum' }, subject }
  const urine = { resourceType: 'Specimen', id: 's', type: { text: 'Urine' }, subject }
  const ofSpecimen = { specimen: { reference: '#s' } }
  const self = { ...patient(), id: 'x' }
  const byX = { performer: [{ reference: '#x' }] }
  const ofX = { subject: { reference: '#x' } }

  it('lets both results count, each with its sample', async () => {
    const { read, waiting } = await outcome(
      patient(),
      sodium({ ...within(serum), ...ofSpecimen }),
      potassium({ ...within(serum), ...ofSpecimen }),
    )
    expect({ read, waiting }).toEqual({ read: ['sodium', 'potassium'], waiting: [] })
  })

  it('takes the sample of each from itself', async () => {
    const { read } = await outcome(
      patient(),
      sodium({ ...within(serum), ...ofSpecimen }),
      potassium({ ...within(urine), ...ofSpecimen }),
    )
    expect(read).toEqual(['sodium', 'potassium_urine'])
  })

  it('takes the results of each report from itself', async () => {
    const holding = (id: string, one: object) =>
      report({ id, contained: [{ ...one, id: 'o' }], result: [{ reference: '#o' }] })
    const { read, waiting } = await outcome(patient(), holding('r1', sodium()), holding('r2', potassium()))
    expect({ read, waiting }).toEqual({ read: ['sodium', 'potassium'], waiting: [] })
  })

  it('lets what is measured of a device wait beside a result of a person', async () => {
    const device = { resourceType: 'Device', id: 'x' }
    const { read } = await outcome(sodium({ ...within(device), ...ofX }), potassium({ ...within(self), ...ofX }))
    expect(read).not.toContain('sodium')
    const { read: other } = await outcome(potassium({ ...within(self), ...ofX }), sodium({ ...within(device), ...ofX }))
    expect(other).not.toContain('sodium')
  })

  it('lets what the person measured wait beside a result of a laboratory, and that one count', async () => {
    const laboratory = { resourceType: 'Organization', id: 'x', name: 'Laboratory' }
    const own = sodium({ ...within(self), ...byX })
    const theirs = potassium({ ...within(laboratory), ...byX })
    for (const both of [
      [own, theirs],
      [theirs, own],
    ])
      expect((await outcome(patient(), ...both)).read).toEqual(['potassium'])
  })
})
