import { z } from 'zod'
import type { HealthObject } from '../../domain/health-data.ts'
import type { Scope } from '../../domain/scopes.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { type ParameterName, parameters, type ResourceType, searches } from './parameters.ts'
import { Bundle, type Resource, resourceOf, resourceParams, type Search } from './schema.ts'
import { everything, read, reportOf, search } from './service.ts'

const tag = 'FHIR'

interface Kind {
  scope: Scope
  /** What the audit says is read, and which one of it. */
  object: HealthObject
  objectId(id: string): string
  error: 'CUSTOMER_NOT_FOUND' | 'KIT_NOT_FOUND' | 'REPORT_NOT_FOUND'
}

const same = (id: string) => id
const ofReport: Kind = { scope: 'reports:read', object: 'report', objectId: reportOf, error: 'REPORT_NOT_FOUND' }
const kinds: Record<ResourceType, Kind> = {
  Patient: { scope: 'customers:read', object: 'customer', objectId: same, error: 'CUSTOMER_NOT_FOUND' },
  ServiceRequest: { scope: 'kits:read', object: 'kit', objectId: same, error: 'KIT_NOT_FOUND' },
  Specimen: ofReport,
  Observation: ofReport,
  DiagnosticReport: ofReport,
}

/** The objects that the resources of some types are of, each once. */
const objectsIn = ({ entry = [] }: z.input<typeof Bundle>, types: readonly ResourceType[]): string[] => [
  ...new Set(
    entry.flatMap(({ resource: { resourceType, id } }) => {
      const type = types.find((one) => one === resourceType)
      return type && id !== undefined ? [kinds[type].objectId(id)] : []
    }),
  ),
]

const reading = <T extends ResourceType>(type: T, summary: string) => {
  const { scope, object, objectId, error } = kinds[type]
  return defineRoute({
    audience: 'business',
    method: 'GET',
    path: `/fhir/${type}/:id`,
    tag,
    summary,
    scope,
    params: resourceParams,
    answers: { 200: resourceOf(type) as z.ZodType<Resource, Resource> },
    errors: [error],
    accesses: { reads: object, ids: ({ id }) => [objectId(id)] },
    handler: async ({ tx, params, access }) => ({ status: 200, body: await read(tx, type, params.id, access) }),
  })
}

const MAX_VALUES = 50
const MAX_COUNT = 100
const list = (words: string) =>
  z
    .preprocess(
      (given) => (Array.isArray(given) ? given : [given]),
      z.array(z.string().min(1).max(4000)).min(1).max(MAX_VALUES),
    )
    .optional()
    .describe(`${words} Sent several times, all must fit.`)

/** What a search may be asked with. Any other parameter is refused: one that was ignored would find too much. */
function searchOf<T extends ResourceType>(type: T) {
  const names: readonly ParameterName[] = searches[type]
  const fields = Object.fromEntries(names.map((name) => [name, list(parameters[name].words)]))
  return z.strictObject({
    ...fields,
    _count: z.coerce
      .number()
      .int()
      .min(1)
      .max(MAX_COUNT)
      .default(MAX_COUNT / 2)
      .describe('The most entries of a page, 1 to 100. A page may have fewer and a `next` all the same.'),
    _cursor: z
      .string()
      .regex(/^[\w.-]{1,100}$/, 'Take it from a `next` link')
      .optional()
      .describe('Where the page begins; `next` links have it.'),
    _format: z
      .enum(['json', 'application/json', 'application/fhir+json'])
      .optional()
      .describe('Answers are always `application/fhir+json`.'),
  })
}

const searching = (type: ResourceType, summary: string) => {
  const { scope, object } = kinds[type]
  return defineRoute({
    audience: 'business',
    method: 'GET',
    path: `/fhir/${type}`,
    tag,
    summary,
    description: 'Newest first. Parameters combine with AND, values of a comma list with OR. `next` is the next page.',
    scope,
    query: searchOf(type),
    answers: { 200: Bundle },
    accesses: { lists: object, ids: (bundle) => objectsIn(bundle, [type]) },
    handler: async ({ tx, query, access }) => ({
      status: 200,
      // Its fields are named by the list of search parameters.
      body: await search(tx, type, query as unknown as Search, access),
    }),
  })
}

// Of this page of the API, not of the service that answers.
const PUBLISHED = '2026-11-23'

const NO_NAMES =
  'Names and dates of birth are no search parameters: they would stand in URLs, which servers and proxies keep. Search by identifier.'

const documentation: Record<ResourceType, string> = {
  Patient: `People tested. Scope customers:read. ${NO_NAMES}`,
  ServiceRequest: 'Kits that are registered to a person. Scope kits:read.',
  Specimen: 'Of published reports. Scope reports:read.',
  Observation: 'Results of published reports, in their newest version. Scope reports:read.',
  DiagnosticReport: 'Published reports, in their newest version. Scope reports:read.',
}

/** What is offered below an address. Of `searches`, which the routes are made of too. */
function capabilityStatement(publicUrl: string | undefined) {
  const types = Object.keys(searches) as ResourceType[]
  return {
    resourceType: 'CapabilityStatement' as const,
    status: 'active',
    date: PUBLISHED,
    kind: 'instance',
    software: { name: 'Kitlane' },
    implementation: { description: 'Kits, people tested and published reports', url: `${publicUrl ?? ''}/fhir` },
    fhirVersion: '4.0.1',
    format: ['application/fhir+json', 'json'],
    rest: [
      {
        mode: 'server',
        documentation: `Read only. ${NO_NAMES} An unknown search parameter is refused.`,
        security: {
          description:
            'Authorization: Bearer <token>, with a token of a business. It works on the data of its business and mode; its scopes say what it reads.',
        },
        resource: types.map((type) => ({
          type,
          documentation: documentation[type],
          interaction: [{ code: 'read' }, { code: 'search-type' }],
          versioning: 'no-version',
          searchParam: searches[type].map((name) => ({
            name,
            type: parameters[name].type,
            documentation: parameters[name].words,
          })),
          ...(type === 'Patient' && {
            operation: [
              { name: 'everything', definition: 'http://hl7.org/fhir/OperationDefinition/Patient-everything' },
            ],
          }),
        })),
      },
    ],
  }
}

export const getFhirMetadata = defineRoute({
  audience: 'anyone',
  method: 'GET',
  path: '/fhir/metadata',
  tag,
  summary: 'Get what the FHIR API offers',
  description: 'The CapabilityStatement of FHIR R4. It needs no token: it holds no data.',
  answers: {
    200: z
      .looseObject({
        resourceType: z.literal('CapabilityStatement').describe('The type of the resource.'),
        fhirVersion: z.string().describe('The version of FHIR.'),
      })
      .meta({ id: 'FhirCapabilityStatement', description: 'http://hl7.org/fhir/R4/capabilitystatement.html' }),
  },
  handler: async ({ open }) => ({
    status: 200,
    body: await open(async (tx) => capabilityStatement(tx.context.publicUrl)),
  }),
})

export const readFhirPatient = reading('Patient', 'Read a customer as a FHIR Patient')
export const searchFhirPatients = searching('Patient', 'Search customers as FHIR Patients')
export const readFhirServiceRequest = reading('ServiceRequest', 'Read a registered kit as a FHIR ServiceRequest')
export const searchFhirServiceRequests = searching('ServiceRequest', 'Search registered kits as FHIR ServiceRequests')
export const readFhirSpecimen = reading('Specimen', 'Read a specimen of a published report')
export const searchFhirSpecimens = searching('Specimen', 'Search specimens of published reports')
export const readFhirObservation = reading('Observation', 'Read a result of a published report')
export const searchFhirObservations = searching('Observation', 'Search results of published reports')
export const readFhirDiagnosticReport = reading('DiagnosticReport', 'Read a published report')
export const searchFhirDiagnosticReports = searching('DiagnosticReport', 'Search published reports')

export const getFhirEverything = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/fhir/Patient/:id/$everything',
  tag,
  summary: 'Get everything about a customer as FHIR',
  effects: ['sends-out'],
  description:
    'The Patient, ServiceRequests with `kits:read`, and DiagnosticReports, Specimens and Observations with `reports:read`. An OperationOutcome names the scopes without which something was left out.',
  scope: 'customers:read',
  params: resourceParams,
  answers: { 200: Bundle },
  errors: ['CUSTOMER_NOT_FOUND'],
  accesses: [
    { reads: 'customer', id: ({ params }) => (params as { id: string }).id },
    { lists: 'kit', ids: (bundle) => objectsIn(bundle, ['ServiceRequest']) },
    { lists: 'report', ids: (bundle) => objectsIn(bundle, ['DiagnosticReport']) },
  ],
  needsProof: true,
  handler: async ({ tx, params, access }) => ({ status: 200, body: await everything(tx, params.id, access) }),
})
