/** The beginnings of offences that wait to be mended; to be emptied. */
export const unmended: readonly string[] = [
  // Platform.
  'src/platform/http/fields.ts:',
  'src/platform/http/openapi.ts:',
  'src/platform/http/pages.ts:',
]
