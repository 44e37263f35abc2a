import { z } from 'zod'
import { isOfQuality, isOfTraining } from '../specimen-words.ts'

const text = z.string().max(20_000)
const Coding = z.object({ system: text.optional(), code: text.optional(), display: text.optional() })
export const Concept = z.object({ coding: z.array(Coding).max(50).optional(), text: text.optional() })
export type Concept = z.infer<typeof Concept>
/** R5 puts some concepts, such as a place of the body, one level lower. */
const Lower = z
  .object({ ...Concept.shape, concept: Concept.optional() })
  .transform(({ concept, ...own }): Concept => concept ?? own)

const Extended = z
  .array(z.object({ url: text, valueCode: text.optional() }))
  .max(50)
  .optional()
  .catch(undefined)

const Quantity = z.object({
  value: z.number().optional(),
  comparator: z.enum(['<', '<=', '>=', '>', 'ad']).optional(),
  unit: text.optional(),
  system: text.optional(),
  code: text.optional(),
  extension: Extended,
})
export type Quantity = z.infer<typeof Quantity>

const Identifier = z.object({ system: text.optional(), value: text.optional() })
export const Reference = z.object({
  reference: text.optional(),
  type: text.optional(),
  display: text.optional(),
  identifier: Identifier.optional(),
})
export type Reference = z.infer<typeof Reference>

/** A reference without its server and version. */
export const plainReference = (reference: string) =>
  reference
    .replace(/\/_history\/.*$/, '')
    .split('/')
    .slice(-2)
    .join('/')

export const Notes = z.array(z.object({ text: text.optional() })).optional()

const ReferenceRange = z.object({
  low: Quantity.optional(),
  high: Quantity.optional(),
  type: Concept.optional(),
  appliesTo: z.array(Concept).optional(),
  age: z.unknown().optional(),
  text: text.optional(),
})
export type ReferenceRange = z.infer<typeof ReferenceRange>

const valued = {
  code: Concept.optional(),
  valueQuantity: Quantity.optional(),
  /** The standard has such a twin beside a plain value alone; some write it beside any. */
  _valueQuantity: z.object({ extension: Extended }).optional().catch(undefined),
  valueCodeableConcept: Concept.extend({ extension: Extended }).optional(),
  _valueString: z.object({ extension: Extended }).optional().catch(undefined),
  valueString: text.optional(),
  valueInteger: z.number().optional(),
  valueBoolean: z.boolean().optional(),
  valueRange: z.object({ low: Quantity.optional(), high: Quantity.optional() }).optional(),
  valueRatio: z.object({ numerator: Quantity.optional(), denominator: Quantity.optional() }).optional(),
  valueDateTime: text.optional(),
  valueTime: text.optional(),
  valueSampledData: z.unknown().optional(),
  valuePeriod: z.object({ start: text.optional(), end: text.optional() }).optional(),
  dataAbsentReason: Concept.optional(),
  /** Whatever it says, it changes what the value means. */
  modifierExtension: z.array(z.unknown()).optional(),
  interpretation: z.array(Concept).max(20).optional(),
  referenceRange: z.array(ReferenceRange).max(100).optional(),
}
const Component = z.object(valued)
export type Valued = z.infer<typeof Component>

const Timed = {
  effectiveDateTime: text.optional(),
  effectiveInstant: text.optional(),
  effectivePeriod: z.object({ start: text.optional() }).optional(),
  issued: text.optional(),
}
const HumanName = z.object({
  use: text.optional(),
  text: text.optional(),
  family: text.optional(),
  given: z.array(text).max(20).optional(),
})

const Narrative = z.object({ status: text.optional(), div: z.string().optional() }).optional().catch(undefined)

const Labels = z.array(Coding).optional().catch(undefined)
const Meta = z.object({ lastUpdated: text.optional(), security: Labels, tag: Labels })

/** What a label says against all that bears it: test data, control material, a system for training. */
export function labelAgainst({ tag = [], security = [] }: z.infer<typeof Meta> = {}): string | undefined {
  const said = tag.flatMap(({ code = '', display = '' }) => [code, display])
  const isTest = [...tag, ...security].some(({ code }) => code === 'HTEST')
  return isTest ? 'HTEST' : said.find((text) => isOfQuality(text) || isOfTraining(text))
}

const known = {
  id: text.optional(),
  meta: Meta.optional().catch(undefined),
  /** Whatever it says, a reader who does not know these rules may misunderstand the resource. */
  implicitRules: z.unknown().optional(),
  contained: z.array(z.unknown()).max(2000).optional(),
}

export const ObservationResource = z.object({
  ...known,
  ...Timed,
  ...valued,
  resourceType: z.literal('Observation'),
  identifier: z.array(Identifier).optional(),
  status: text,
  category: z.array(Concept).max(50).optional(),
  basedOn: z.array(Reference).optional().catch(undefined),
  partOf: z.array(Reference).optional().catch(undefined),
  subject: Reference.optional(),
  specimen: Reference.optional(),
  note: Notes,
  performer: z.array(Reference).max(50).optional(),
  method: Concept.optional(),
  device: Reference.optional().catch(undefined),
  bodySite: Concept.optional(),
  /** Since R5, instead of it. */
  bodyStructure: Reference.optional().catch(undefined),
  focus: z.array(Reference).max(50).optional(),
  derivedFrom: z.array(Reference).max(500).optional().catch(undefined),
  extension: z
    .array(
      z.object({
        url: text,
        valueBoolean: z.boolean().optional().catch(undefined),
        valueString: text.optional().catch(undefined),
      }),
    )
    .max(50)
    .optional(),
  text: Narrative,
  hasMember: z.array(Reference).max(5000).optional(),
  component: z.array(Component).max(500).optional(),
})
export type ObservationResource = z.infer<typeof ObservationResource>

export const ReportResource = z.object({
  ...known,
  ...Timed,
  resourceType: z.literal('DiagnosticReport'),
  identifier: z.array(Identifier).optional(),
  basedOn: z.array(Reference).optional(),
  status: text,
  code: Concept.optional(),
  subject: Reference.optional(),
  specimen: z.array(Reference).optional(),
  result: z.array(Reference).max(5000).optional(),
  conclusion: text.optional(),
  text: Narrative,
  conclusionCode: z.array(Concept).max(50).optional(),
  /** The whole report as a document, such as a PDF. */
  presentedForm: z
    .array(z.object({ contentType: text.optional(), data: z.string().optional(), title: text.optional() }).catch({}))
    .optional(),
  modifierExtension: z.array(z.unknown()).optional(),
  performer: z.array(Reference).max(50).optional(),
})
export type ReportResource = z.infer<typeof ReportResource>

const PatientResource = z.object({
  ...known,
  resourceType: z.literal('Patient'),
  identifier: z.array(Identifier).optional(),
  name: z.array(HumanName).optional(),
  birthDate: text.optional(),
  gender: text.optional(),
  deceasedBoolean: z.boolean().optional(),
  deceasedDateTime: text.optional(),
  extension: z
    .array(z.object({ url: text }))
    .optional()
    .catch(undefined),
  /** Versions before R4 have it beside the name. */
  animal: z.unknown().optional(),
})
export type PatientResource = z.infer<typeof PatientResource>

const Handled = z
  .array(
    z.object({
      description: text.optional(),
      procedure: Concept.optional(),
      additiveCodeableConcept: Concept.optional().catch(undefined),
    }),
  )
  .optional()
  .catch(undefined)

const SpecimenResource = z.object({
  ...known,
  resourceType: z.literal('Specimen'),
  identifier: z.array(Identifier).optional(),
  accessionIdentifier: Identifier.optional(),
  subject: Reference.optional(),
  type: Concept.optional(),
  status: text.optional(),
  receivedTime: text.optional(),
  condition: z.array(Concept).optional(),
  /** Since R5: what it is for, as HL7 table 0369. */
  role: z.array(Concept).max(50).optional().catch(undefined),
  combined: text.optional().catch(undefined),
  parent: z.array(Reference).optional().catch(undefined),
  note: Notes,
  processing: Handled,
  container: Handled,
  collection: z
    .object({
      collectedDateTime: text.optional(),
      collectedPeriod: z.object({ start: text.optional() }).optional(),
      bodySite: Lower.optional(),
      method: Concept.optional().catch(undefined),
      fastingStatusCodeableConcept: Concept.optional(),
    })
    .optional(),
})
export type SpecimenResource = z.infer<typeof SpecimenResource>

const OrganizationResource = z.object({
  ...known,
  resourceType: z.literal('Organization'),
  identifier: z.array(Identifier).optional(),
  name: text.optional(),
  address: z
    .array(
      z.object({
        text: text.optional(),
        line: z.array(text).max(10).optional(),
        city: text.optional(),
        state: text.optional(),
        postalCode: text.optional(),
        country: text.optional(),
      }),
    )
    .max(20)
    .optional(),
})
export type OrganizationResource = z.infer<typeof OrganizationResource>

/** What a laboratory was asked for. */
const RequestResource = z.object({
  ...known,
  resourceType: z.literal('ServiceRequest'),
  identifier: z.array(Identifier).optional().catch(undefined),
  requisition: Identifier.optional().catch(undefined),
  status: text.optional().catch(undefined),
  code: Lower.optional().catch(undefined),
  reasonCode: z.array(Concept).optional().catch(undefined),
  doNotPerform: z.boolean().optional().catch(undefined),
  subject: Reference.optional().catch(undefined),
  note: Notes.catch(undefined),
})

export const Resource = z.discriminatedUnion('resourceType', [
  ObservationResource,
  ReportResource,
  PatientResource,
  SpecimenResource,
  OrganizationResource,
  RequestResource,
])
export type Resource = z.infer<typeof Resource>

export const Bundle = z.object({
  resourceType: z.literal('Bundle'),
  type: text.optional().catch(undefined),
  meta: Meta.optional().catch(undefined),
  timestamp: text.optional().catch(undefined),
  entry: z
    .array(
      z
        .object({
          fullUrl: text.optional(),
          resource: z.unknown().optional(),
          request: z.object({ method: text.optional(), url: text.optional() }).optional().catch(undefined),
        })
        .nullable(),
    )
    .max(100_000)
    .optional(),
})
