import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sinceWritten } from '../harness/days.ts'
import { ReportBundle } from '../harness/fhir-r4.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { recipients } from '../harness/recipients.ts'
import { FHIR, PDF, readPdf } from '../harness/reports.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
let lab: Operator
let at: ReturnType<typeof recipients>

const profile = {
  name: 'Kestrel Laboratories',
  address: '5 Assay Road, Springfield, IL 62701, US',
  clia: '14D0987654',
  director: 'Dr. Ines Okoro',
  timeZone: 'America/Chicago',
  names: ['KESTREL_LAB'],
  isDefault: true,
}

beforeAll(async () => {
  world = await sharedWorld()
  at = recipients(world)
  clinic = await world.business({ name: 'Content Clinic' })
  await clinic.live.request('PATCH', '/settings', { publishing: 'auto' })
  lab = await operatorWith(world, ['lab'])
  expect((await lab('POST', '/laboratories', profile)).status).toBe(201)
})
afterAll(() => world.stop())

interface Shown {
  json: string
  fhir: string
  pdf: string
  page: string
  bundle: ReportBundle
}

/** Sends results for a new kit, and reads the report in each form. */
async function shown(message: (kitID: string) => { body: unknown; type?: string }[]): Promise<Shown> {
  const kitID = await at.newKit(clinic)
  const { email } = await at.register(kitID, ada)
  let reportID = ''
  for (const { body, type } of message(kitID)) {
    const sent = await lab('POST', '/lab/results', body, type ? { 'content-type': type } : {})
    expect(sent.body.reports, sent.text).toMatchObject([{ status: 'reported' }])
    reportID = sent.body.reports[0].reportID
  }
  const customerID = await at.customerOf(clinic, email)
  const path = `/customers/${customerID}/reports/${reportID}`
  const json = await clinic.live.get(path)
  expect(json.status, json.text).toBe(200)
  const fhir = await clinic.live.get(path, { accept: FHIR })
  const headers = { authorization: `Token ${clinic.liveToken}`, accept: PDF }
  const pdf = await fetch(`${world.service.url}/api/v1${path}`, { headers })
  const { text } = await readPdf(Buffer.from(await pdf.arrayBuffer()))
  const [link = ''] = await at.linksTo(email)
  const { who } = await at.enter(link)
  const page = (await who.open(`/r/reports/${reportID}`)).text
  const forms = { json: JSON.stringify(json.body), fhir: fhir.text, pdf: text, page }
  return { ...forms, bundle: ReportBundle.parse(JSON.parse(fhir.text)) }
}

const ada = { firstName: 'Grace', lastName: 'Hopper' }
const born = '1956-12-09'

const hl7 = (kitID: string, status = 'F', value = '90') =>
  [
    `MSH|^~\\&|LIS|KESTREL_LAB|KITLANE|K|20260402120000-0500||ORU^R01^ORU_R01|${status}1|P|2.5.1`,
    `PID|1||MRN-4711||${ada.lastName}^${ada.firstName}||${born.replaceAll('-', '')}|F`,
    `OBR|1|${kitID}|ACC-9|24323-8^Panel^LN|||202604010830|||||||202604020915||||||||20260402114500||LAB|${status}`,
    'NTE|1||Fasting was confirmed by the person.',
    `OBX|1|NM|2345-7^Glucose^LN||${value}|mg/dL|70-99|N|||${status}|||202604010830|||HEXO^Hexokinase^L||||||Plover Reference Lab^^^^^^^^^05D1234567|9 Quay Street^^Portland^OR^97201^US|^Hale^Ada^^^Dr.`,
    'NTE|1||Measured by hexokinase on cobas c503.',
    'SPM|1|K9^S-77||SER^Serum^HL70487|||||||||||||202604010830|202604020915||||||HEM^Slightly hemolysed, still accepted^L',
  ].join('\r')

const fhirIn = (kitID: string) => ({
  resourceType: 'Bundle',
  type: 'collection',
  entry: [
    {
      resource: {
        resourceType: 'DiagnosticReport',
        status: 'final',
        identifier: [{ value: kitID }],
        subject: { reference: 'Patient/p' },
        performer: [{ reference: 'Organization/o' }],
        specimen: [{ reference: 'Specimen/s' }],
        issued: '2026-04-02T11:45:00-05:00',
        conclusion: 'Fasting was confirmed by the person.',
        result: [{ reference: 'Observation/g' }],
      },
    },
    {
      resource: {
        resourceType: 'Patient',
        id: 'p',
        identifier: [{ value: 'MRN-4711' }],
        name: [{ family: ada.lastName, given: [ada.firstName] }],
        birthDate: born,
      },
    },
    {
      resource: {
        resourceType: 'Organization',
        id: 'o',
        name: 'Plover Reference Lab',
        identifier: [{ system: 'urn:oid:2.16.840.1.113883.4.7', value: '05D1234567' }],
        address: [{ line: ['9 Quay Street'], city: 'Portland', state: 'OR', postalCode: '97201', country: 'US' }],
      },
    },
    {
      resource: {
        resourceType: 'Specimen',
        id: 's',
        accessionIdentifier: { value: 'S-77' },
        type: { text: 'Serum' },
        receivedTime: '2026-04-02T09:15:00-05:00',
        collection: { collectedDateTime: '2026-04-01T08:30:00-05:00' },
        condition: [{ text: 'Slightly hemolysed, still accepted' }],
      },
    },
    {
      resource: {
        resourceType: 'Observation',
        id: 'g',
        status: 'final',
        code: { coding: [{ system: 'http://loinc.org', code: '2345-7' }], text: 'Glucose' },
        subject: { reference: 'Patient/p' },
        specimen: { reference: 'Specimen/s' },
        performer: [{ reference: 'Organization/o' }],
        method: { text: 'Hexokinase' },
        note: [{ text: 'Measured by hexokinase on cobas c503.' }],
        valueQuantity: { value: 90, unit: 'mg/dL', system: 'http://unitsofmeasure.org', code: 'mg/dL' },
        referenceRange: [{ low: { value: 70, unit: 'mg/dL' }, high: { value: 99, unit: 'mg/dL' }, text: '70-99' }],
      },
    },
  ],
})

/** A time as programs have it, and as a page has it. */
function momentOf(written: string, time: string): RegExp {
  const day = sinceWritten(written)
  const shown = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
  return new RegExp(`${day}T${time}:00-05:00|${shown.format(new Date(day)).replace('Sept', 'Sept?')}, ${time} -05:00`)
}

/** 42 CFR 493.1291(c)(1) to (7), (d) and (k)(2), with what must be read in each form. */
const points: [point: string, everywhere: RegExp[], notOnThePage?: true][] = [
  ['(c)(1) the person: an identification number of the laboratory', [/MRN-4711/]],
  ['(c)(2) name of the laboratory location', [/Plover Reference Lab/]],
  ['(c)(2) address of the laboratory location', [/9 Quay Street,? Portland,? OR,? 97201,? US/]],
  ['its CLIA number', [/05D1234567/]],
  ['(c)(3) the test report date', [/20\d\d-\d\d-\d\d|\d+ \w+ 20\d\d/]],
  ['(c)(4) the test performed, and its method', [/Glucose/, /Hexokinase/]],
  ['(c)(5) specimen source', [/Serum/]],
  ['when it was collected, with the zone', [momentOf('2026-04-01', '08:30')]],
  ['when it was received, with the zone', [momentOf('2026-04-02', '09:15')]],
  ['(c)(6) result and unit', [/90/, /mg\/dL/]],
  ['(c)(6) interpretation, in notes', [/Fasting was confirmed/, /Measured by hexokinase/]],
  ['(c)(7) condition and disposition of the specimen', [/Slightly hemolysed, still accepted/]],
  ['(d) reference interval', [/70/, /99/]],
]

describe('a report says what 42 CFR 493.1291(c) asks', () => {
  it.each([
    ['an HL7 message', (kitID: string) => [{ body: sinceWritten(hl7(kitID)), type: 'application/hl7-v2' }]],
    [
      'a FHIR bundle',
      (kitID: string) => [{ body: sinceWritten(JSON.stringify(fhirIn(kitID))), type: 'application/fhir+json' }],
    ],
  ])('point by point in PDF, FHIR, JSON and on the page: %s', async (_, message) => {
    const { bundle, ...forms } = await shown(message)
    const missing = Object.entries(forms).flatMap(([form, text]) =>
      points.flatMap(([point, texts]) =>
        texts.filter((wanted) => !wanted.test(text)).map((wanted) => `${form}: ${point}: ${wanted}`),
      ),
    )
    expect(missing).toEqual([])
    expect(forms.pdf).toContain(`${ada.firstName} ${ada.lastName}`)
    expect(bundle.entry[0].resource.performer?.[0]?.display).toBe('Plover Reference Lab')
  })

  it('and a corrected report says that it is one', async () => {
    const { bundle, pdf, page } = await shown((kitID) => [
      { body: sinceWritten(hl7(kitID)), type: 'application/hl7-v2' },
      { body: sinceWritten(hl7(kitID, 'C', '91')), type: 'application/hl7-v2' },
    ])
    expect(pdf).toContain('Corrected laboratory report')
    expect(page).toContain('This report was corrected by the laboratory.')
    expect(bundle.entry[0].resource.status).toBe('corrected')
  })

  it('from the profile of the laboratory where the message says less', async () => {
    const short = (kitID: string) => [
      {
        body: {
          kitID,
          collectedDate: sinceWritten('2026-04-01'),
          results: [{ name: 'Glucose', value: 90, unit: 'mg/dL' }],
        },
      },
    ]
    const { bundle: _, ...forms } = await shown(short)
    for (const [form, text] of Object.entries(forms)) {
      expect(text, form).toContain('Kestrel Laboratories')
      expect(text, form).toContain(profile.address)
      expect(text, form).toContain(profile.clia)
      expect(text, form).toContain(profile.director)
    }
  })

  it('and the profiles are changed and removed by the operator only', async () => {
    const made = (await lab('POST', '/laboratories', { name: 'Dunlin Lab', address: '1 Shore Road' })).body
    const changed = await lab('POST', `/laboratories/${made.id}`, { ...made, clia: '01D0000001' })
    expect(changed.body).toMatchObject({ id: made.id, clia: '01D0000001', isDefault: false })
    expect((await lab('POST', `/laboratories/${made.id}/remove`)).status).toBe(200)
    expect((await lab('POST', `/laboratories/${made.id}/remove`)).body.code).toBe('LABORATORY_NOT_FOUND')
    expect((await lab('GET', '/laboratories')).body).toMatchObject([{ name: profile.name }])
  })
})
