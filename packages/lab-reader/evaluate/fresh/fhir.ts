import type { Expected, Made } from '../truth.ts'
import { at, earlier, type Fresh, finds, is, type Taken, take, waits } from './analytes.ts'

// Shapes follow the resources of FHIR R4 and its pages on references, contained resources and bundles.

type Json = Record<string, unknown>

const LOINC = 'http://loinc.org'
const SCT = 'http://snomed.info/sct'
const UCUM = 'http://unitsofmeasure.org'
const codes: Record<string, string> = { 'mIU/L': 'm[IU]/L', 'µmol/L': 'umol/L', 'µg/L': 'ug/L' }
const ucumOf = (unit: string) => codes[unit] ?? unit

const file = (content: Json | readonly Json[] | string, expected: Expected[], more: Partial<Made> = {}): Made => ({
  ...{ format: 'fhir', bytes: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)), expected },
  ...more,
})
const quantity = (one: Taken, more: Json = {}) => ({
  ...{ value: one.value, unit: one.unit, system: UCUM, code: ucumOf(one.unit) },
  ...more,
})
const person = (id = 'pat', more: Json = {}): Json => ({
  resourceType: 'Patient',
  id,
  identifier: [{ system: 'urn:lab:mrn', value: `H-${id}` }],
  name: [{ use: 'official', family: 'Example', given: ['Robin', 'T'] }],
  gender: 'female',
  birthDate: '1978-09-14',
  ...more,
})
const seen = (id: string, one: Taken, more: Json = {}): Json => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  category: [
    { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'laboratory' }] },
  ],
  code: { coding: [{ system: LOINC, code: one.loinc, display: one.name }] },
  subject: { reference: 'Patient/pat' },
  effectiveDateTime: '2026-03-11T08:15:00Z',
  valueQuantity: quantity(one),
  referenceRange: [{ text: `${one.low}-${one.high}` }],
  ...more,
})
const report = (ids: readonly string[], more: Json = {}): Json => ({
  resourceType: 'DiagnosticReport',
  id: 'rep',
  status: 'final',
  code: { coding: [{ system: LOINC, code: '11502-2', display: 'Laboratory report' }] },
  subject: { reference: 'Patient/pat' },
  effectiveDateTime: '2026-03-11T08:15:00Z',
  issued: '2026-03-12T10:45:00Z',
  result: ids.map((id) => ({ reference: id })),
  ...more,
})
const bundle = (
  resources: readonly Json[],
  type = 'collection',
  entry: (one: Json, n: number) => Json = () => ({}),
): Json => ({
  resourceType: 'Bundle',
  type,
  entry: resources.map((resource, n) => ({ resource, ...entry(resource, n) })),
})
const exact = (one: Taken, more: Partial<Expected & { as: 'result' }> = {}) =>
  is(one, { text: String(one.value), ucum: ucumOf(one.unit), ...more })

/** One report with everything contained in it. */
function contained(index: number): Made {
  const all = take(index + 1, 5)
  return file(
    report(
      all.map((_, n) => `#o${n}`),
      {
        contained: [
          ...all.map((one, n) =>
            seen(`o${n}`, one, { subject: { reference: '#pat' }, specimen: { reference: '#sp' } }),
          ),
          person(),
          {
            resourceType: 'Specimen',
            id: 'sp',
            type: { coding: [{ system: SCT, code: '119364003', display: 'Serum specimen' }] },
          },
        ],
        subject: { reference: '#pat' },
      },
    ),
    all.map((one) => exact(one)),
    { day: '2026-03-11' },
  )
}

/** Bundles of each type, with what each carries beside resources. */
function bundles(index: number): Made {
  const all = take(index + 3, 4)
  const type = at(['transaction', 'batch', 'searchset', 'history', 'message', 'document', 'collection'], index)
  const head: Json[] =
    type === 'message'
      ? [
          {
            resourceType: 'MessageHeader',
            id: 'mh',
            eventCoding: { code: 'R01' },
            source: { endpoint: 'urn:lab' },
            focus: [{ reference: 'DiagnosticReport/rep' }],
          },
        ]
      : type === 'document'
        ? [
            {
              resourceType: 'Composition',
              id: 'c',
              status: 'final',
              type: { text: 'Report' },
              subject: { reference: 'Patient/pat' },
              date: '2026-03-12',
              author: [{ display: 'Lab' }],
              title: 'Report',
              section: [{ entry: [{ reference: 'DiagnosticReport/rep' }] }],
            },
          ]
        : []
  return file(
    bundle(
      [...head, person(), report(all.map((_, n) => `Observation/o${n}`)), ...all.map((one, n) => seen(`o${n}`, one))],
      type,
      (one) => ({
        fullUrl: `https://lab.example/fhir/${one.resourceType}/${one.id}`,
        ...(['transaction', 'batch', 'history'].includes(type) && {
          request: { method: 'PUT', url: `${one.resourceType}/${one.id}` },
        }),
        ...(type === 'searchset' && { search: { mode: one.resourceType === 'Observation' ? 'match' : 'include' } }),
        ...(type === 'history' && { response: { status: '200', lastModified: '2026-03-12T11:00:00Z' } }),
      }),
    ),
    all.map((one) => exact(one)),
    { day: '2026-03-11' },
  )
}

/** A history in which a result was deleted or replaced. */
function histories(index: number): Made {
  const [a, b, c] = take(index + 5, 3) as [Taken, Taken, Taken]
  const old = seen('b', b, {
    valueQuantity: { ...quantity(b), value: Number(earlier(b)) },
    meta: { versionId: '1', lastUpdated: '2026-03-12T09:00:00Z' },
  })
  const later = seen('b', b, { status: 'corrected', meta: { versionId: '2', lastUpdated: '2026-03-12T12:00:00Z' } })
  return file(
    {
      resourceType: 'Bundle',
      type: 'history',
      entry: [
        {
          fullUrl: 'https://lab.example/fhir/Patient/pat',
          resource: person(),
          request: { method: 'PUT', url: 'Patient/pat' },
        },
        {
          fullUrl: 'https://lab.example/fhir/Observation/a',
          resource: seen('a', a),
          request: { method: 'POST', url: 'Observation' },
        },
        ...(index % 2 ? [later, old] : [old, later]).map((resource) => ({
          ...{
            fullUrl: 'https://lab.example/fhir/Observation/b',
            resource,
            request: { method: 'PUT', url: 'Observation/b' },
          },
        })),
        {
          fullUrl: 'https://lab.example/fhir/Observation/c',
          resource: seen('c', c, { status: 'entered-in-error' }),
          request: { method: 'PUT', url: 'Observation/c' },
        },
        { fullUrl: 'https://lab.example/fhir/Observation/d', request: { method: 'DELETE', url: 'Observation/d' } },
      ],
    },
    [exact(a), exact(b), waits(b.name, earlier(b)), waits(c.name, String(c.value))],
  )
}

/** Components: a panel, a value of its own beside them, absent ones. */
function components(index: number): Made {
  const [a, b, c, d] = take(index + 7, 4) as [Taken, Taken, Taken, Taken]
  const part = (one: Taken, more: Json = { valueQuantity: quantity(one) }) => ({
    ...{ code: { coding: [{ system: LOINC, code: one.loinc, display: one.name }] } },
    ...more,
  })
  return file(
    bundle([
      person(),
      seen('panel', a, {
        code: { text: 'Chemistry panel' },
        valueQuantity: undefined,
        referenceRange: undefined,
        component: [
          part(a),
          part(b, { dataAbsentReason: { coding: [{ code: 'not-performed' }] } }),
          part(c, { valueQuantity: quantity(c, { comparator: '>' }), interpretation: [{ coding: [{ code: 'HH' }] }] }),
          part(d, { valueRange: { low: quantity(d), high: quantity(d, { value: d.value * 2 }) } }),
        ],
      }),
    ]),
    [exact(a), waits(b.name, ''), exact(c, { comparator: '>' }), waits(d.name, String(d.value))],
  )
}

/** Values that are absent, and why, in all the places of it. */
function absent(index: number): Made {
  const all = take(index + 9, 6)
  const EXTENSION = 'http://hl7.org/fhir/StructureDefinition/data-absent-reason'
  const reason = at(['unknown', 'masked', 'error', 'not-performed', 'temp-unknown', 'unsupported', 'as-text'], index)
  const makers: ((one: Taken) => Json)[] = [
    () => ({
      valueQuantity: undefined,
      dataAbsentReason: {
        coding: [{ system: 'http://terminology.hl7.org/CodeSystem/data-absent-reason', code: reason }],
      },
    }),
    () => ({ valueQuantity: undefined, dataAbsentReason: { text: 'Sample clotted' } }),
    () => ({ valueQuantity: { extension: [{ url: EXTENSION, valueCode: reason }] } }),
    () => ({ valueQuantity: undefined, _valueString: { extension: [{ url: EXTENSION, valueCode: reason }] } }),
    () => ({ valueQuantity: undefined }),
    (one) => ({ valueQuantity: quantity(one) }),
  ]
  return file(
    bundle([person(), ...all.map((one, n) => seen(`o${n}`, one, at(makers, n)(one)))]),
    all.map((one, n) => (n === 5 ? exact(one) : waits(one.name, ''))),
  )
}

/** Values of every type. */
function types(index: number): Made {
  const all = take(index + 11, 8)
  const makers: [(one: Taken) => Json, (one: Taken) => Expected][] = [
    [
      (one) => ({ valueRange: { low: quantity(one), high: quantity(one, { value: one.value + 1 }) } }),
      (one) => waits(one.name, ''),
    ],
    [
      (one) => ({ valueRatio: { numerator: quantity(one), denominator: { value: 1, unit: 'L' } } }),
      (one) => waits(one.name, ''),
    ],
    [
      (one) => ({
        valueSampledData: { origin: { value: 0 }, period: 10, dimensions: 1, data: `${one.value} ${one.value}` },
      }),
      (one) => waits(one.name, ''),
    ],
    [(one) => ({ valueString: `${one.text} ${one.unit}` }), (one) => is(one)],
    [(one) => ({ valueString: `approx. ${one.text} ${one.unit}` }), (one) => waits(one.name, one.text)],
    [() => ({ valueCodeableConcept: { text: 'See comment' } }), (one) => waits(one.name, '')],
    [() => ({ valueBoolean: true }), (one) => waits(one.name, '')],
    [
      (one) => ({ valueQuantity: quantity(one, { comparator: at(['<', '<=', '>=', '>'], index) }) }),
      (one) => exact(one, { comparator: at(['<', '<=', '>=', '>'] as const, index) }),
    ],
    [() => ({ valueDateTime: '2026-03-11' }), (one) => waits(one.name, '')],
    [() => ({ valuePeriod: { start: '2026-03-11' } }), (one) => waits(one.name, '')],
    [() => ({ valueInteger: 5 }), (one) => waits(one.name, '')],
  ]
  return file(
    bundle([
      person(),
      ...all.map((one, n) => seen(`o${n}`, one, { valueQuantity: undefined, ...at(makers, n + index * 3)[0](one) })),
    ]),
    all.map((one, n) => at(makers, n + index * 3)[1](one)),
  )
}

/** Coded answers, with more codings and texts that agree or contradict. */
function concepts(index: number): Made {
  const test = (id: string, code: string, name: string) => ({ id, code, name })
  const tests = [
    test('hiv_ag_ab', '56888-1', 'HIV 1+2 Ab+HIV1 p24 Ag'),
    test('hbsag', '5196-1', 'Hepatitis B virus surface Ag'),
    test('hepatitis_c_antibody', '16128-1', 'Hepatitis C virus Ab'),
  ]
  const coding = (code: string, display: string, system = SCT) => ({ system, code, display })
  const answers: [Json, string, string | null][] = [
    [{ coding: [coding('260385009', 'Negative (qualifier value)')] }, 'Negative', 'negative'],
    [{ coding: [coding('10828004', 'Negative')] }, 'Negative', null],
    [{ coding: [coding('260373001', 'Detected')], text: 'DETECTED' }, 'Detected', 'positive'],
    [
      {
        coding: [
          coding('260385009', 'Negative'),
          coding('POS', 'Positive', 'http://terminology.hl7.org/CodeSystem/v2-0078'),
        ],
      },
      'Negative',
      null,
    ],
    [{ coding: [coding('LA6577-6', 'Negative', LOINC)] }, 'Negative', 'negative'],
    [{ text: 'Non-reactive' }, 'Non-reactive', 'negative'],
    [{ coding: [coding('260415000', 'Not detected')], text: 'Reactive' }, 'Not detected', null],
    [{ coding: [coding('NR', 'Non-Reactive', 'urn:lab:answers')] }, 'Non-Reactive', 'negative'],
    [{ coding: [{ system: SCT, code: '11214006' }] }, '11214006', 'positive'],
    [{ coding: [coding('419984006', 'Inconclusive')] }, 'Inconclusive', 'indeterminate'],
  ]
  const chosen = tests.map((one, n) => ({ one, said: at(answers, index * 3 + n) }))
  const blank = at(take(index, 1), 0)
  return file(
    bundle([
      person(),
      ...chosen.map(({ one, said }, n) =>
        seen(
          `o${n}`,
          { ...blank, loinc: one.code, name: one.name },
          { valueQuantity: undefined, referenceRange: undefined, valueCodeableConcept: said[0] },
        ),
      ),
    ]),
    chosen.map(({ one, said: [, text, value] }) =>
      value === null ? waits(one.name, text) : finds(one.id, one.name, text, value),
    ),
  )
}

/** Numbers in extensions, notes, derived values: none of it is a result. */
function besideTheValue(index: number): Made {
  const [a, b, c] = take(index + 13, 3) as [Taken, Taken, Taken]
  return file(
    bundle([
      person(),
      seen('a', a, {
        extension: [{ url: 'http://lab.example/previous', valueQuantity: quantity(a, { value: Number(earlier(a)) }) }],
        note: [{ text: `${b.name} 999 ${b.unit}` }],
      }),
      seen('b', b, {
        valueQuantity: undefined,
        extension: [{ url: 'http://lab.example/value', valueQuantity: quantity(b) }],
      }),
      seen(
        'c',
        c,
        at(
          [
            { modifierExtension: [{ url: 'http://lab.example/not-of-this-person', valueBoolean: true }] },
            { valueQuantity: quantity(c), note: [{ text: 'Specimen mislabeled, do not use' }] },
            { implicitRules: 'urn:lab:rules' },
          ],
          index,
        ),
      ),
      {
        resourceType: 'Condition',
        id: 'x',
        subject: { reference: 'Patient/pat' },
        code: { text: 'Potassium 6.9 mmol/L' },
      },
    ]),
    [exact(a), waits(b.name, ''), waits(c.name, String(c.value))],
  )
}

/** References by urn, by address, by version, by identifier, and one that leads nowhere. */
function references(index: number): Made {
  const all = take(index + 15, 3)
  const urn = (id: string) =>
    `urn:uuid:${(8 + index).toString(16)}${'0'.repeat(7)}-0000-4000-8000-0000000000${id.padStart(2, '0')}`
  const address = (type: string, id: string) => `https://lab.example/fhir/r4/${type}/${id}`
  const full = (type: string, id: string) =>
    index % 2 ? urn(`${id.charCodeAt(id.length - 1) % 89}`) : address(type, id)
  const refer = (type: string, id: string) =>
    index % 4 === 2 ? `${type}/${id}` : index % 4 === 0 ? `${address(type, id)}/_history/3` : full(type, id)
  return file(
    {
      resourceType: 'Bundle',
      type: 'collection',
      entry: [
        { fullUrl: full('Patient', 'pat'), resource: person('pat') },
        {
          fullUrl: full('DiagnosticReport', 'rep'),
          resource: report([...all.map((_, n) => refer('Observation', `o${n}`)), 'Observation/nowhere'], {
            subject: { reference: refer('Patient', 'pat') },
          }),
        },
        ...all.map((one, n) => ({
          fullUrl: full('Observation', `o${n}`),
          resource: seen(`o${n}`, one, { subject: { reference: refer('Patient', 'pat') } }),
        })),
      ],
    },
    all.map((one) => exact(one)),
  )
}

/** Several people in one file, or the subject said in two ways. */
function people(index: number): Made {
  const [a, b] = take(index + 17, 2) as [Taken, Taken]
  const [other, subject, isOther] = at<[Json, Json, boolean]>(
    [
      [
        person('pat2', { birthDate: '1991-02-03', name: [{ family: 'Sample', given: ['Chris'] }] }),
        { reference: 'Patient/pat2' },
        true,
      ],
      [person('pat2', { gender: 'male' }), { reference: 'Patient/pat2' }, true],
      [
        {
          resourceType: 'RelatedPerson',
          id: 'rp',
          patient: { reference: 'Patient/pat' },
          relationship: [{ text: 'Mother' }],
        },
        { reference: 'Patient/pat' },
        false,
      ],
      [
        { resourceType: 'Practitioner', id: 'dr', name: [{ family: 'Doctor' }] },
        { reference: 'Patient/pat', display: 'Example, Robin' },
        false,
      ],
    ],
    index,
  )
  return file(
    bundle([person(), other, seen('a', a), seen('b', b, { subject })]),
    isOther ? [waits(a.name, ''), waits(b.name, '')] : [exact(a), exact(b)],
    isOther ? { waits: true } : {},
  )
}

/** Samples of devices, groups, relatives; control material; other sites of the body. */
function notTheBlood(index: number): Made {
  const [a, b] = take(index + 19, 2) as [Taken, Taken]
  const [more, resource] = at<[Json, Json?]>(
    [
      [
        { subject: { reference: 'Device/d' } },
        { resourceType: 'Device', id: 'd', deviceName: [{ name: 'Analyser', type: 'user-friendly-name' }] },
      ],
      [{ bodySite: { coding: [{ system: SCT, code: '65216001', display: 'Cerebrospinal fluid' }] } }],
      [
        { specimen: { reference: 'Specimen/s' } },
        { resourceType: 'Specimen', id: 's', type: { text: 'Quality control material' } },
      ],
      [
        { focus: [{ reference: 'RelatedPerson/r' }] },
        { resourceType: 'RelatedPerson', id: 'r', patient: { reference: 'Patient/pat' } },
      ],
      [
        { specimen: { reference: 'Specimen/s' } },
        {
          resourceType: 'Specimen',
          id: 's',
          type: { coding: [{ system: SCT, code: '258442002', display: 'Fluid sample' }] },
        },
      ],
      [{ specimen: { display: 'Urine, 24 hour collection' } }],
      [{ subject: { reference: 'Group/g' } }, { resourceType: 'Group', id: 'g', type: 'person', actual: true }],
      [{ focus: [{ display: 'Fetus' }] }],
    ],
    index,
  )
  return file(bundle([person(), ...(resource ? [resource] : []), seen('a', a), seen('b', b, more)]), [
    exact(a, { isCertain: index % 8 !== 0 && index % 8 !== 6 }),
    waits(b.name, String(b.value)),
  ])
}

/** What a report says of its results as a whole. */
function reports(index: number): Made {
  const all = take(index + 21, 3)
  const status = at(
    ['amended', 'appended', 'corrected', 'preliminary', 'partial', 'cancelled', 'entered-in-error'],
    index,
  )
  const isGone = status === 'cancelled' || status === 'entered-in-error'
  const isEarly = status === 'preliminary' || status === 'partial'
  return file(
    bundle([
      person(),
      report(
        all.map((_, n) => `Observation/o${n}`),
        { status, conclusion: `${all[0]?.name} 1.1 was discussed` },
      ),
      ...all.map((one, n) => seen(`o${n}`, one)),
    ]),
    all.map((one) => (isGone ? waits(one.name, String(one.value)) : exact(one, { isCertain: !isEarly }))),
  )
}

/** Single resources, lists, lines of JSON, and units by word or by code. */
function loose(index: number): Made {
  const all = take(index + 23, 3)
  const unitOf: ((one: Taken) => Json)[] = [
    (one) => ({ value: one.value, unit: one.unit }),
    (one) => ({ value: one.value, code: ucumOf(one.unit), system: UCUM }),
    (one) => ({ value: one.value, unit: `${one.unit} `, system: UCUM, code: ucumOf(one.unit) }),
  ]
  const resources = [person(), ...all.map((one, n) => seen(`o${n}`, one, { valueQuantity: at(unitOf, n)(one) }))]
  const says = all.map((one) => exact(one))
  switch (index % 3) {
    case 0:
      return file(resources, says)
    case 1:
      return file(resources.map((one) => JSON.stringify(one)).join('\r\n'), says)
    default:
      return file(`\uFEFF${JSON.stringify(bundle(resources), null, '\t')}\n`, says)
  }
}

/** Units against codes, ranges against values, flags against both. */
function units(index: number): Made {
  const [a, b, c, d] = take(index + 25, 4, { not: ['sodium', 'potassium', 'chloride', 'hba1c'] }) as [
    Taken,
    Taken,
    Taken,
    Taken,
  ]
  return file(
    bundle([
      person(),
      seen('a', a, { valueQuantity: quantity(a, { code: 'mmol', unit: a.unit }) }),
      seen('b', b, { valueQuantity: { value: b.value } }),
      seen('c', c, { valueQuantity: quantity(c, { unit: 'furlong', code: 'furlong' }) }),
      seen('d', d, {
        referenceRange: [
          {
            low: { value: Number(d.low) },
            high: { value: Number(d.high) },
            appliesTo: [{ text: 'female' }],
            age: { low: { value: 18 } },
          },
          { text: 'Children: see website' },
        ],
      }),
    ]),
    [waits(a.name, String(a.value)), waits(b.name, String(b.value)), waits(c.name, String(c.value)), exact(d)],
  )
}

/** The time of the sample in each form. */
function times(index: number): Made {
  const all = take(index + 27, 2)
  const [more, day] = at<[Json, string | null]>(
    [
      [{ effectiveDateTime: '2026-03-11' }, '2026-03-11'],
      [
        {
          effectiveDateTime: undefined,
          effectivePeriod: { start: '2026-03-11T08:00:00Z', end: '2026-03-11T08:10:00Z' },
        },
        '2026-03-11',
      ],
      [{ effectiveDateTime: undefined, effectiveInstant: '2026-03-11T08:00:00Z' }, '2026-03-11'],
      [{ effectiveDateTime: '2026-03' }, null],
      [{ effectiveDateTime: undefined, issued: '2026-03-12T10:00:00Z' }, null],
    ],
    index,
  )
  return file(
    bundle([person(), ...all.map((one, n) => seen(`o${n}`, one, more))]),
    all.map((one) => exact(one)),
    { day },
  )
}

export const freshFhir: readonly Fresh[] = [
  { name: 'fhir, contained', count: 3, make: contained },
  { name: 'fhir, types of bundles', count: 7, make: bundles },
  { name: 'fhir, histories', count: 4, make: histories },
  { name: 'fhir, components', count: 4, make: components },
  { name: 'fhir, absent values', count: 7, make: absent },
  { name: 'fhir, types of values', count: 6, make: types },
  { name: 'fhir, coded answers', count: 7, make: concepts },
  { name: 'fhir, beside the value', count: 3, make: besideTheValue },
  { name: 'fhir, ways of reference', count: 4, make: references },
  { name: 'fhir, people', count: 4, make: people },
  { name: 'fhir, not the blood', count: 8, make: notTheBlood },
  { name: 'fhir, states of reports', count: 7, make: reports },
  { name: 'fhir, loose resources', count: 3, make: loose },
  { name: 'fhir, units and codes', count: 3, make: units },
  { name: 'fhir, forms of time', count: 5, make: times },
]
