import type { Random } from '../../../../prove/random.ts'
import { type Measured, measure, print } from '../facts.ts'
import type { DocumentClass, Expected, Made } from '../truth.ts'
import { bundle, type Json, madeOf, observation, patient, result } from './fhir.ts'

const quantity = ({ fact, value }: Measured, more: Json = {}): Json => ({ value, unit: fact.unit, ...more })

/** Values in every type that FHIR has, with what contradicts or withdraws them. */
function values(random: Random): Made {
  const expected: Expected[] = []
  const resources = measure(random, random.between(8, 14)).map((one, index) => {
    const { fact, name, value } = one
    const text = print(value, fact.decimals)
    const of = (more: Json) => observation(`o${index}`, one, { valueQuantity: undefined, ...more })
    const yes = (more: Json, says: Partial<Expected & { as: 'result' }> = {}) => {
      expected.push(result(one, { text, ...says }))
      return of(more)
    }
    const no = (more: Json) => {
      expected.push({ as: 'wait', text: '', name })
      return of(more)
    }
    const cases: (() => Json)[] = [
      () => yes({ valueString: `${text} ${fact.unit}` }),
      () => yes({ valueString: `<${text} ${fact.unit}` }, { comparator: '<' }),
      () => yes({ valueString: ` ${text}  ${fact.unit} ` }),
      () => no({ valueString: text }),
      // Only where other numbers of the file prove its points.
      () => yes({ valueString: `1.250 ${fact.unit}` }, { text: '1.250', value: 1.25, isCertain: false }),
      () => no({ valueString: `${text} furlong` }),
      () => no({ valueString: `${text} ${fact.unit} (was ${print(fact.high, fact.decimals)})` }),
      () => no({ valueString: `${text}-${print(fact.high * 2, fact.decimals)} ${fact.unit}` }),
      () => no({ valueQuantity: quantity(one), dataAbsentReason: { coding: [{ code: 'error' }] } }),
      () => no({ dataAbsentReason: { coding: [{ code: 'unknown' }] } }),
      () =>
        no({
          valueQuantity: {
            unit: fact.unit,
            _value: {
              extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'masked' }],
            },
          },
        }),
      () =>
        no({
          valueQuantity: quantity(one),
          modifierExtension: [{ url: 'http://example.org/negated', valueBoolean: true }],
        }),
      () => no({ valueQuantity: { value: String(value), unit: fact.unit } }),
      () =>
        yes({
          valueQuantity: quantity(one, { extension: [{ url: 'http://example.org/x', valueDecimal: value * 2 }] }),
        }),
      () => yes({ valueQuantity: { value, code: fact.ucum ?? fact.unit, system: 'http://unitsofmeasure.org' } }),
      () =>
        no({
          valueQuantity: {
            value,
            unit: fact.unit,
            code: fact.unit === 'mg/dL' ? 'mmol/L' : 'mg/dL',
            system: 'http://unitsofmeasure.org',
          },
        }),
      () => yes({ valueQuantity: quantity(one, { comparator: '>=' }) }, { comparator: '>=' }),
      () => no({ valueQuantity: quantity(one, { comparator: 'ad' }) }),
      () => no({ valueRange: { low: quantity(one), high: { value: value * 2, unit: fact.unit } } }),
      () => no({ valueRatio: { numerator: quantity(one), denominator: { value: 2 } } }),
      () => no({ valueInteger: Math.round(value) }),
      () =>
        yes({
          valueQuantity: quantity(one),
          code: {
            coding: [
              { system: 'urn:local', code: 'X1', display: name },
              { system: 'http://loinc.org', code: fact.loinc },
            ],
          },
        }),
      () =>
        yes({
          valueQuantity: quantity(one),
          extension: [{ url: 'http://example.org/goal', valueQuantity: { value: value * 3, unit: fact.unit } }],
        }),
      () =>
        yes({
          valueQuantity: quantity(one),
          category: [{ coding: [{ code: 'laboratory' }] }, { coding: [{ code: 'vital-signs' }] }],
        }),
    ]
    return random.pick(cases)()
  })
  return madeOf(bundle([patient(), ...resources]), expected)
}

/** Blood pressure and other vital signs beside results; components of other things. */
function vitals(random: Random): Made {
  const expected: Expected[] = []
  const all = measure(random, 5).map((one, index) => {
    expected.push(result(one))
    return observation(`o${index}`, one)
  })
  const pressure = (category: unknown): Json => ({
    resourceType: 'Observation',
    id: 'bp',
    status: 'final',
    ...(category ? { category } : {}),
    code: { coding: [{ system: 'http://loinc.org', code: '85354-9', display: 'Blood pressure panel' }] },
    subject: { reference: 'Patient/p1' },
    effectiveDateTime: '2025-03-21',
    component: [
      {
        code: { coding: [{ system: 'http://loinc.org', code: '8480-6', display: 'Systolic blood pressure' }] },
        valueQuantity: { value: 121, unit: 'mmHg' },
      },
      {
        code: { coding: [{ system: 'http://loinc.org', code: '8462-4', display: 'Diastolic blood pressure' }] },
        valueQuantity: { value: 78, unit: 'mmHg' },
      },
    ],
  })
  const weight: Json = {
    resourceType: 'Observation',
    id: 'w',
    status: 'final',
    category: [{ coding: [{ code: 'vital-signs' }] }],
    code: { coding: [{ system: 'http://loinc.org', code: '29463-7', display: 'Body weight' }] },
    subject: { reference: 'Patient/p1' },
    valueQuantity: { value: 71, unit: 'kg' },
  }
  const isMarked = random.between(0, 1) === 0
  if (!isMarked) {
    for (const [name, text] of [
      ['Systolic blood pressure', '121'],
      ['Diastolic blood pressure', '78'],
    ] as const)
      expected.push({ as: 'wait', text, name })
  }
  const goal: Json = {
    resourceType: 'Goal',
    id: 'g',
    description: { text: 'Ferritin 50 ng/mL' },
    target: [{ detailQuantity: { value: 50, unit: 'ng/mL' } }],
  }
  return madeOf(
    bundle([patient(), ...all, pressure(isMarked ? [{ coding: [{ code: 'vital-signs' }] }] : undefined), weight, goal]),
    expected,
  )
}

/** References by every way, one result referred to twice, and results that stand beside the report. */
function references(random: Random): Made {
  const expected: Expected[] = []
  const all = measure(random, 8)
  const way = random.between(0, 3)
  const url = (id: string) =>
    way === 0
      ? `urn:uuid:00000000-0000-4000-8000-00000000000${id.slice(1)}`
      : `https://fhir.example.org/r4/Observation/${id}`
  const refer = (id: string) =>
    way === 0 ? url(id) : way === 1 ? url(id) : way === 2 ? `Observation/${id}/_history/2` : `Observation/${id}`
  const entries = all.map((one, index) => {
    expected.push(result(one))
    return { fullUrl: url(`o${index}`), resource: observation(`o${index}`, one) }
  })
  const report: Json = {
    resourceType: 'DiagnosticReport',
    id: 'r1',
    status: random.pick(['final', 'corrected', 'preliminary', 'amended']),
    code: { text: 'Panel' },
    subject: { reference: 'Patient/p1' },
    // The first one twice; the last two are not of the report.
    result: [0, 0, 1, 2, 3, 4, 5].map((index) => ({ reference: refer(`o${index}`) })),
    conclusion: 'Ferritin 12 ng/mL was discussed.',
  }
  return madeOf(
    {
      resourceType: 'Bundle',
      type: random.pick(['collection', 'searchset', 'message', 'transaction']),
      entry: [
        { fullUrl: 'Patient/p1', resource: patient() },
        { fullUrl: 'https://fhir.example.org/r4/DiagnosticReport/r1', resource: report },
        ...entries,
      ],
    },
    expected,
  )
}

/** The same result twice: different, corrected, or withdrawn. */
function again(random: Random): Made {
  const expected: Expected[] = []
  const resources = measure(random, random.between(4, 7)).flatMap((one, index) => {
    const { fact, name, value } = one
    const other = Number(print(value + 2 * 10 ** -fact.decimals, fact.decimals))
    const first = observation(`a${index}`, one)
    const second = observation(`b${index}`, { ...one, value: other })
    switch (random.between(0, 3)) {
      case 0:
        expected.push({ as: 'wait', text: String(value), name }, { as: 'wait', text: String(other), name })
        return [first, second]
      case 1:
        expected.push(result({ ...one, value: other }), { as: 'wait', text: String(value), name })
        return [first, { ...second, status: 'corrected' }]
      case 2:
        expected.push(result(one), { as: 'wait', text: String(other), name })
        return [first, { ...second, status: 'entered-in-error' }]
      default:
        expected.push(result(one))
        return [first, observation(`b${index}`, one)]
    }
  })
  return madeOf(bundle([patient(), ...resources]), expected)
}

export const fhirValueClasses: readonly DocumentClass[] = [
  { name: 'fhir, values', make: values },
  { name: 'fhir, vital signs beside', make: vitals },
  { name: 'fhir, references', make: references },
  { name: 'fhir, twice', make: again },
]
