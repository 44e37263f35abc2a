import type { Random } from '../../../../prove/random.ts'
import { type Measured, measure, print } from '../facts.ts'
import type { DocumentClass, Expected, Made } from '../truth.ts'
import { odd } from './words.ts'

export type Json = Record<string, unknown>

const LOINC = 'http://loinc.org'
const UCUM = 'http://unitsofmeasure.org'

export const result = ({ fact, value }: Measured, more: Partial<Expected & { as: 'result' }> = {}): Expected => ({
  as: 'result',
  biomarkerId: fact.id,
  text: String(value),
  value,
  unit: fact.unit,
  ...(fact.ucum && { ucum: fact.ucum }),
  isCertain: true,
  ...more,
})

export const observation = (id: string, { fact, name, value }: Measured, more: Json = {}): Json => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  category: [
    { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'laboratory' }] },
  ],
  code: { coding: [{ system: LOINC, code: fact.loinc, display: name }], text: name },
  subject: { reference: 'Patient/p1' },
  effectiveDateTime: '2025-03-21T08:30:00+01:00',
  valueQuantity: { value, unit: fact.unit, system: UCUM, code: fact.ucum ?? fact.unit },
  referenceRange: [{ low: { value: fact.low, unit: fact.unit }, high: { value: fact.high, unit: fact.unit } }],
  ...more,
})

export const patient = (id = 'p1', family = 'Doe', born = '1980-02-13'): Json => ({
  resourceType: 'Patient',
  id,
  name: [{ family, given: ['Jamie'] }],
  birthDate: born,
  gender: 'female',
})

export const bundle = (resources: readonly Json[], type = 'collection'): Json => ({
  resourceType: 'Bundle',
  type,
  entry: resources.map((resource) => ({ fullUrl: `${resource.resourceType}/${resource.id}`, resource })),
})

export const madeOf = (content: string | Json, expected: Expected[], waits = false): Made => ({
  format: 'fhir',
  bytes: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
  expected,
  ...(waits && { waits }),
})

/** The same results in the shapes that servers send. */
function shapes(random: Random): Made {
  const all = measure(random, random.between(5, 14))
  const resources = all.map((one, index) => observation(`o${index}`, one))
  const expected = all.map((one) => result(one))
  const report: Json = {
    resourceType: 'DiagnosticReport',
    id: 'r1',
    status: 'final',
    code: { text: 'Panel' },
    subject: { reference: 'Patient/p1' },
    result: resources.map(({ id }) => ({ reference: `Observation/${id}` })),
  }
  const everything = [patient(), report, ...resources]
  switch (random.between(0, 4)) {
    case 0:
      return madeOf(bundle(everything), expected)
    case 1:
      return madeOf(
        {
          ...report,
          contained: [patient(), ...resources.map((one) => ({ ...one, subject: { reference: '#p1' } }))],
          result: resources.map(({ id }) => ({ reference: `#${id}` })),
          subject: { reference: '#p1' },
        },
        expected,
      )
    case 2:
      return madeOf(everything.map((one) => JSON.stringify(one)).join('\n'), expected)
    case 3:
      return madeOf(JSON.stringify(everything), expected)
    default:
      return madeOf(bundle([bundle(everything)]), expected)
  }
}

/** Panels with members or components, and categories other than "laboratory". */
function panels(random: Random): Made {
  const all = measure(random, 6)
  const expected = all.map((one) => result(one))
  const [first, second, ...others] = all
  if (!first || !second) throw new Error('too few facts')
  const component = ({ fact, name, value }: Measured) => ({
    code: { coding: [{ system: LOINC, code: fact.loinc, display: name }], text: name },
    valueQuantity: { value, unit: fact.unit, system: UCUM, code: fact.ucum ?? fact.unit },
  })
  const of: Json = {
    resourceType: 'Observation',
    id: 'panel',
    status: 'final',
    code: { coding: [{ system: LOINC, code: '24323-8' }], text: 'Comprehensive metabolic panel' },
    subject: { reference: 'Patient/p1' },
    effectiveDateTime: '2025-03-21',
    component: [component(first), component(second)],
    hasMember: others.map((_, index) => ({ reference: `Observation/o${index}` })),
  }
  const category = random.pick([
    null,
    [{ text: 'Chemistry' }],
    [{ coding: [{ code: 'CH' }] }],
    [{ coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0074', code: 'HM' }] }],
  ])
  return madeOf(
    bundle([
      patient(),
      of,
      ...others.map((one, index) => observation(`o${index}`, one, category ? { category } : { category: undefined })),
    ]),
    expected,
  )
}

/** States, absent values, comparators, interpretations. */
function states(random: Random): Made {
  const expected: Expected[] = []
  const resources = measure(random, random.between(6, 14)).map((one, index) => {
    const id = `o${index}`
    const { fact, name, value } = one
    const waits = (more: Json): Json => {
      expected.push({ as: 'wait', text: '', name })
      return observation(id, one, more)
    }
    const isResult = (more: Json, says: Partial<Expected & { as: 'result' }> = {}): Json => {
      expected.push(result(one, says))
      return observation(id, one, more)
    }
    const cases: (() => Json)[] = [
      () => isResult({ status: 'corrected' }),
      () => isResult({ status: 'amended' }),
      () => isResult({ status: 'preliminary' }, { isCertain: false }),
      () => waits({ status: 'entered-in-error' }),
      () => waits({ status: 'cancelled' }),
      () => waits({ status: 'registered', valueQuantity: undefined }),
      () => waits({ valueQuantity: undefined, dataAbsentReason: { text: 'Specimen hemolyzed' } }),
      () =>
        isResult(
          { valueQuantity: { value, comparator: '<', unit: fact.unit, system: UCUM, code: fact.ucum ?? fact.unit } },
          { comparator: '<' },
        ),
      () =>
        isResult(
          { valueQuantity: undefined, valueString: `${print(value, fact.decimals)} ${fact.unit}` },
          { isCertain: false },
        ),
      () => isResult({ interpretation: [{ coding: [{ code: one.flag || 'N' }] }] }),
      () => waits({ valueQuantity: undefined, valueCodeableConcept: { text: 'Reactive' } }),
      () => waits({ valueQuantity: { value } }),
    ]
    return random.pick(cases)()
  })
  for (const [index, { name, text, says }] of odd(random).entries()) {
    expected.push(says)
    resources.push({
      resourceType: 'Observation',
      id: `x${index}`,
      status: 'final',
      code: { text: name },
      subject: { reference: 'Patient/p1' },
      valueString: text,
    })
  }
  return madeOf(bundle([patient(), ...resources]), expected)
}

/** Specimens by code, by word or by reference. */
function specimens(random: Random): Made {
  const expected: Expected[] = []
  const resources = measure(random, 8).flatMap((one, index) => {
    const isBlood = random.between(0, 1) === 0
    const type = isBlood
      ? random.pick([
          { text: 'Serum' },
          { coding: [{ code: '119364003', display: 'Serum specimen' }] },
          { coding: [{ code: 'PLAS' }] },
          { text: 'Venous blood' },
        ])
      : random.pick([
          { text: 'Urine' },
          { coding: [{ code: '122575003', display: 'Urine specimen' }] },
          { coding: [{ code: 'SAL' }] },
          { text: 'Sweat' },
          { text: 'Hair' },
          { coding: [{ code: '258450006' }] },
        ])
    expected.push(isBlood ? result(one) : { as: 'wait', text: String(one.value), name: one.name })
    return [
      { resourceType: 'Specimen', id: `s${index}`, type },
      observation(`o${index}`, one, { specimen: { reference: `Specimen/s${index}` } }),
    ]
  })
  return madeOf(bundle([patient(), ...resources]), expected)
}

/** Results of two people. */
function twoPeople(random: Random): Made {
  const expected: Expected[] = []
  const resources = measure(random, 6).map((one, index) => {
    expected.push({ as: 'wait', text: String(one.value), name: one.name })
    return observation(`o${index}`, one, { subject: { reference: `Patient/p${1 + (index % 2)}` } })
  })
  return madeOf(bundle([patient(), patient('p2', 'Roe', '1991-05-17'), ...resources]), expected, true)
}

export const fhirClasses: readonly DocumentClass[] = [
  { name: 'fhir, shapes', make: shapes },
  { name: 'fhir, panels', make: panels },
  { name: 'fhir, states', make: states },
  { name: 'fhir, specimens', make: specimens },
  { name: 'fhir, two people', make: twoPeople },
]
