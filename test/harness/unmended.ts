/** The beginnings of offences that wait to be mended; to be emptied. */
export const unmended: readonly string[] = [
  // Platform.
  'src/platform/http/access-audit.ts:',
  'src/platform/http/fields.ts:',
  'src/platform/http/openapi.ts:',
  'src/platform/http/operator-route.ts:',
  'src/platform/http/pages.ts:',
  // Laboratory and reports.
  'src/modules/lab/message-queries.ts writes kits',
  'src/modules/reports/unassessed/queries.ts reads documents',
  'src/modules/reports/list.ts holds SQL',
  'src/modules/reports/sample-date.ts holds SQL',
  'src/modules/lab/parse/identify/identify.ts → src/modules/lab/parse/identify/duplicates.ts → src/modules/lab/parse/identify/identify.ts',
]
