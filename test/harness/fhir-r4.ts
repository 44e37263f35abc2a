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
  .refine(({ low, high }) => low || high, 'obs-3: a reference range has a low, a high or a text')

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
    dataAbsentReason: conceptOf(`${TERMS}/data-absent-reason`, ['error', 'unsupported']).optional(),
    interpretation: z
      .tuple([conceptOf(`${TERMS}/v3-ObservationInterpretation`, ['N', 'L', 'H', 'LL', 'HH', 'A'])])
      .optional(),
    note: some(Annotation).optional(),
    specimen: Reference,
    referenceRange: some(ReferenceRange).optional(),
  })
  .refine(
    ({ valueQuantity, dataAbsentReason }) => (valueQuantity === undefined) !== (dataAbsentReason === undefined),
    'obs-6: a value, or the reason why there is none',
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
  specimen: z.tuple([Reference]),
  result: some(Reference),
  conclusion: z.string().min(1),
})

const Patient = z.strictObject({
  resourceType: z.literal('Patient'),
  identifier: some(Identifier),
  gender: z.enum(['male', 'female', 'other']).optional(),
  birthDate: date.optional(),
})

const Specimen = z.strictObject({
  resourceType: z.literal('Specimen'),
  identifier: some(Identifier).optional(),
  subject: Reference,
  collection: z.strictObject({ collectedDateTime: date }).optional(),
  note: some(Annotation).optional(),
})

const fullUrl = Reference.shape.reference
const entry = <T extends z.ZodType>(resource: T) => z.strictObject({ fullUrl, resource })

export const ReportBundle = z.strictObject({
  resourceType: z.literal('Bundle'),
  meta: z.strictObject({ lastUpdated: instant }),
  identifier: Identifier,
  type: z.literal('collection'),
  timestamp: instant,
  entry: z.tuple([entry(DiagnosticReport), entry(Patient), entry(Specimen)], entry(Observation)),
})
export type ReportBundle = z.infer<typeof ReportBundle>
