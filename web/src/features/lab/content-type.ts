/** The content type of a message, detected from its beginning. */
export function contentTypeOf(text: string): string {
  const start = text.trimStart()
  if (!start.startsWith('{')) return 'application/hl7-v2'
  return /"resourceType"\s*:/.test(start) ? 'application/fhir+json' : 'application/json'
}
