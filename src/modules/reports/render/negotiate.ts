import * as accept from '../../../platform/http/accept.ts'

/** The formats of a report, in the order that counts when a caller likes several equally. */
export const FHIR = 'application/fhir+json'
export const PDF = 'application/pdf'
const offered = ['application/json', FHIR, PDF] as const
export type MediaType = (typeof offered)[number]

/** The format that an Accept header asks for; JSON where it asks for none of them. */
export const preferred = (header: string): MediaType => accept.preferred(header, offered)
