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

const moment = z.union([date, instant])
const Text = z.strictObject({ text: z.string().min(1) })

const Patient = z.strictObject({
  resourceType: z.literal('Patient'),
  identifier: some(Identifier),
  gender: z.enum(['male', 'female', 'other']).optional(),
  birthDate: date.optional(),
})

const Organization = z.strictObject({
  resourceType: z.literal('Organization'),
  identifier: some(Identifier).optional(),
  name: z.string().min(1),
  address: some(Text).optional(),
  contact: some(z.strictObject({ purpose: Text, name: Text })).optional(),
})

/** The resources of a report, which refer to each other in one way. */
function resourcesThatRefer<T extends z.ZodType<string>>(reference: T) {
  const Reference = z.strictObject({ reference })
  const Observation = z
    .strictObject({
      resourceType: z.literal('Observation'),
      status: z.enum(['preliminary', 'final', 'corrected', 'entered-in-error']),
      category: z.tuple([conceptOf(`${TERMS}/observation-category`, ['laboratory'])]),
      code: CodeableConcept,
      subject: Reference,
      effectiveDateTime: moment.optional(),
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
    basedOn: some(Reference).optional(),
    effectiveDateTime: moment.optional(),
    issued: instant,
    performer: some(Reference.extend({ display: z.string().min(1) })).optional(),
    specimen: some(Reference),
    result: some(Reference),
    conclusion: z.string().min(1).optional(),
  })

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

  return { Observation, DiagnosticReport, Specimen }
}

const fullUrl = z.string().regex(/^urn:uuid:[0-9a-f-]{36}$/)
const { Observation, DiagnosticReport, Specimen } = resourcesThatRefer(fullUrl)
const entry = <T extends z.ZodType>(resource: T) => z.strictObject({ fullUrl, resource })

const requester = z
  .strictObject({ type: z.literal('Practitioner'), identifier: Identifier, display: z.string().min(1) })
  .optional()

/** Of a report whose order a provider approved. */
const ApprovedRequest = z.strictObject({
  resourceType: z.literal('ServiceRequest'),
  identifier: some(Identifier),
  status: z.literal('completed'),
  intent: z.literal('order'),
  subject: z.strictObject({ reference: fullUrl }),
  requester: requester.unwrap(),
})

export const ReportBundle = z.strictObject({
  resourceType: z.literal('Bundle'),
  meta: z.strictObject({ lastUpdated: instant }),
  identifier: Identifier,
  type: z.literal('collection'),
  timestamp: instant,
  entry: z.tuple(
    [entry(DiagnosticReport), entry(Patient), entry(Specimen)],
    z.union([entry(Observation), entry(Specimen), entry(Organization), entry(ApprovedRequest)]),
  ),
})
export type ReportBundle = z.infer<typeof ReportBundle>

const id = z.string().regex(/^[A-Za-z0-9.-]{1,64}$/)
const types = 'Patient|ServiceRequest|Specimen|Observation|DiagnosticReport'
const relative = resourcesThatRefer(z.string().regex(new RegExp(`^((${types})/[A-Za-z0-9.-]{1,64}|#laboratory-\\d+)$`)))
const named = { id, meta: z.strictObject({ versionId: z.string().min(1).optional(), lastUpdated: instant }) }
const contained = some(Organization.extend({ id })).optional()

const ServiceRequest = z.strictObject({
  resourceType: z.literal('ServiceRequest'),
  ...named,
  identifier: some(Identifier),
  requisition: Identifier,
  status: z.enum(['active', 'revoked', 'completed']),
  intent: z.literal('order'),
  code: CodeableConcept,
  subject: z.strictObject({ reference: z.string().regex(/^Patient\/\d+$/) }),
  authoredOn: instant,
  requester,
})

/** The resources as the FHIR API serves them, by their type. */
export const served = {
  Patient: Patient.extend({
    ...named,
    name: some(Text).optional(),
    telecom: some(z.strictObject({ system: z.literal('email'), value: z.string().min(1) })).optional(),
  }),
  ServiceRequest,
  Specimen: relative.Specimen.extend(named),
  Observation: relative.Observation.safeExtend({ ...named, contained }),
  DiagnosticReport: relative.DiagnosticReport.extend({
    ...named,
    contained,
    basedOn: some(z.strictObject({ reference: z.string().regex(/^ServiceRequest\/K\w+$/) })).optional(),
  }),
}

const Outcome = z.strictObject({
  resourceType: z.literal('OperationOutcome'),
  issue: some(
    z.strictObject({
      severity: z.enum(['error', 'warning']),
      code,
      details: z.strictObject({ coding: some(Coding).optional(), text: z.string().min(1) }),
    }),
  ),
})

export const SearchSet = z.strictObject({
  resourceType: z.literal('Bundle'),
  type: z.literal('searchset'),
  link: some(z.strictObject({ relation: z.enum(['self', 'next']), url: z.url() })),
  entry: some(
    z.strictObject({
      fullUrl: z.url().optional(),
      resource: z.union([...Object.values(served), Outcome]),
      search: z.strictObject({ mode: z.enum(['match', 'outcome']) }),
    }),
  ).optional(),
})

export const CapabilityStatement = z.strictObject({
  resourceType: z.literal('CapabilityStatement'),
  status: z.literal('active'),
  date,
  kind: z.literal('instance'),
  software: z.strictObject({ name: z.string().min(1) }),
  implementation: z.strictObject({ description: z.string().min(1), url: z.url() }),
  fhirVersion: z.literal('4.0.1'),
  format: some(z.string().min(1)),
  rest: some(
    z.strictObject({
      mode: z.literal('server'),
      documentation: z.string().min(1),
      security: z.strictObject({ description: z.string().min(1) }),
      resource: some(
        z.strictObject({
          type: z.string().min(1),
          documentation: z.string().min(1),
          interaction: some(z.strictObject({ code: z.enum(['read', 'search-type']) })),
          versioning: z.literal('no-version'),
          searchParam: some(
            z.strictObject({
              name: z.string().min(1),
              type: z.enum(['token', 'date', 'reference']),
              documentation: z.string().min(1),
            }),
          ),
          operation: some(z.strictObject({ name: z.string().min(1), definition: z.url() })).optional(),
        }),
      ),
    }),
  ),
})
