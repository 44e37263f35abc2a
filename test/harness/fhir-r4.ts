import { z } from 'zod'

/** The parts of FHIR R4 that a report uses. Stricter than the standard: fields not listed here must not be sent. */
const uri = z.string().regex(/^(https?:|urn:)\S+$/)
const code = z.string().regex(/^\S+$/)
const date = z.iso.date()
const instant = z.iso.datetime({ offset: true })
const some = <T extends z.ZodType>(schema: T) => z.array(schema).min(1)

const Coding = z.strictObject({ system: uri, code, display: z.string().min(1).optional() })
const CodeableConcept = z.strictObject({ coding: some(Coding), text: z.string().min(1).optional() })
const Identifier = z.strictObject({ system: uri, value: z.string().min(1) })
const Reference = z.strictObject({ reference: z.string().regex(/^urn:uuid:[0-9a-f-]{36}$/) })
const Annotation = z.strictObject({ text: z.string().min(1) })
const SimpleQuantity = z.strictObject({
  value: z.number(),
  unit: z.string().min(1),
  system: z.literal('http://unitsofmeasure.org'),
  code,
})
const Quantity = SimpleQuantity.extend({ comparator: z.enum(['<', '<=', '>=', '>']).optional() })

const conceptOf = (system: string, codes: [string, ...string[]]) =>
  z.strictObject({
    coding: z.tuple([z.strictObject({ system: z.literal(system), code: z.enum(codes) })]),
    text: z.string().optional(),
  })
const TERMS = 'http://terminology.hl7.org/CodeSystem'

const Comparator = Quantity.shape.comparator
const Ratio = z.strictObject({
  numerator: z.strictObject({ value: z.literal(1) }),
  denominator: z.strictObject({ value: z.number(), comparator: Comparator }),
})

const ReferenceRange = z
  .strictObject({
    low: SimpleQuantity.optional(),
    high: SimpleQuantity.optional(),
    type: z.union([
      conceptOf(`${TERMS}/referencerange-meaning`, ['normal', 'recommended']),
      conceptOf('urn:kitlane:range', ['good', 'fair', 'laboratory']),
    ]),
    text: z.string().min(1),
  })
  .refine(({ low, high, text }) => low || high || text, 'obs-3: a reference range has a low, a high or a text')

const Observation = z
  .strictObject({
    resourceType: z.literal('Observation'),
    status: z.enum(['final', 'corrected']),
    category: z.tuple([conceptOf(`${TERMS}/observation-category`, ['laboratory'])]),
    code: CodeableConcept,
    subject: Reference,
    effectiveDateTime: date.optional(),
    issued: instant,
    valueQuantity: Quantity.optional(),
    valueCodeableConcept: CodeableConcept.optional(),
    valueRatio: Ratio.optional(),
    valueString: z.string().min(1).optional(),
    dataAbsentReason: conceptOf(`${TERMS}/data-absent-reason`, ['error', 'unsupported']).optional(),
    interpretation: z
      .tuple([conceptOf(`${TERMS}/v3-ObservationInterpretation`, ['N', 'L', 'H', 'LL', 'HH', 'A', 'AA'])])
      .optional(),
    note: some(Annotation).optional(),
    performer: some(Reference.extend({ display: z.string().min(1) })).optional(),
    method: z.strictObject({ text: z.string().min(1) }).optional(),
    specimen: Reference,
    referenceRange: some(ReferenceRange).optional(),
  })
  .refine(
    ({ valueQuantity, valueCodeableConcept, valueRatio, valueString, dataAbsentReason }) =>
      [valueQuantity, valueCodeableConcept, valueRatio, valueString, dataAbsentReason].filter(Boolean).length === 1,
    'obs-6: one value, or the reason why there is none',
  )

const DiagnosticReport = z.strictObject({
  resourceType: z.literal('DiagnosticReport'),
  meta: z.strictObject({ versionId: z.string() }),
  identifier: some(Identifier),
  status: z.enum(['partial', 'final', 'corrected', 'unknown']),
  category: z.tuple([conceptOf(`${TERMS}/v2-0074`, ['LAB'])]),
  code: CodeableConcept,
  subject: Reference,
  effectiveDateTime: date.optional(),
  issued: instant,
  performer: some(Reference.extend({ display: z.string().min(1) })).optional(),
  specimen: some(Reference),
  result: some(Reference),
  conclusion: z.string().min(1),
})

const Patient = z.strictObject({
  resourceType: z.literal('Patient'),
  identifier: some(Identifier),
  gender: z.enum(['male', 'female', 'other']).optional(),
  birthDate: date.optional(),
})

const moment = z.union([date, instant])
const Text = z.strictObject({ text: z.string().min(1) })

const Specimen = z.strictObject({
  resourceType: z.literal('Specimen'),
  identifier: some(Identifier).optional(),
  accessionIdentifier: z.strictObject({ value: z.string().min(1) }).optional(),
  type: Text.optional(),
  subject: Reference,
  receivedTime: moment.optional(),
  collection: z.strictObject({ collectedDateTime: moment }).optional(),
  condition: some(Text).optional(),
  note: some(Annotation).optional(),
})

const Organization = z.strictObject({
  resourceType: z.literal('Organization'),
  identifier: some(Identifier).optional(),
  name: z.string().min(1),
  address: some(Text).optional(),
  contact: some(z.strictObject({ purpose: Text, name: Text })).optional(),
})

const fullUrl = Reference.shape.reference
const entry = <T extends z.ZodType>(resource: T) => z.strictObject({ fullUrl, resource })

export const ReportBundle = z.strictObject({
  resourceType: z.literal('Bundle'),
  meta: z.strictObject({ lastUpdated: instant }),
  identifier: Identifier,
  type: z.literal('collection'),
  timestamp: instant,
  entry: z.tuple(
    [entry(DiagnosticReport), entry(Patient), entry(Specimen)],
    z.union([entry(Observation), entry(Specimen), entry(Organization)]),
  ),
})
export type ReportBundle = z.infer<typeof ReportBundle>
