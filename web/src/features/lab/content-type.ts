/** What the service is told a message is, by how it begins. */
export function contentTypeOf(text: string): string {
  const start = text.trimStart()
  if (!start.startsWith('{')) return 'application/hl7-v2'
  return /"resourceType"\s*:/.test(start) ? 'application/fhir+json' : 'application/json'
}
