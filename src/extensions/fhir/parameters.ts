/** How a search parameter is read, in the words of FHIR. */
export type ParameterType = 'token' | 'date' | 'reference'

interface Parameter {
  type: ParameterType
  words: string
}

/** Every search parameter. Names and dates of birth are none: they would stand in URLs, which servers and proxies keep. */
export const parameters = {
  _id: { type: 'token', words: 'IDs of resources; several by comma.' },
  _lastUpdated: { type: 'date', words: 'When the resource last changed.' },
  patient: { type: 'reference', words: 'The person, as `123` or `Patient/123`.' },
  subject: { type: 'reference', words: 'The same as `patient`.' },
  identifier: { type: 'token', words: 'An identifier, as `value` or `system|value`.' },
  code: { type: 'token', words: 'A code, as `code` or `system|code`; LOINC is `http://loinc.org`.' },
  status: { type: 'token', words: "The resource's status." },
  date: { type: 'date', words: 'The day on which the sample was collected; without it, that of the result.' },
  authored: { type: 'date', words: 'When the kit was ordered.' },
  collected: { type: 'date', words: 'When the specimen was collected.' },
} as const satisfies Record<string, Parameter>

export type ParameterName = keyof typeof parameters

const general = ['_id', '_lastUpdated'] as const
const ofPerson = [...general, 'patient', 'subject'] as const

/** The search parameters of each resource: the routes and the CapabilityStatement read this list. */
export const searches = {
  Patient: [...general, 'identifier'],
  ServiceRequest: [...ofPerson, 'identifier', 'code', 'status', 'authored'],
  Specimen: [...ofPerson, 'identifier', 'collected'],
  Observation: [...ofPerson, 'code', 'status', 'date'],
  DiagnosticReport: [...ofPerson, 'identifier', 'code', 'status', 'date'],
} as const satisfies Record<string, readonly ParameterName[]>

export type ResourceType = keyof typeof searches
