import { parameters, type ResourceType, searches } from './parameters.ts'

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
export function capabilityStatement(publicUrl: string | undefined) {
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
