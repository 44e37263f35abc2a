import type { Fresh } from './fresh/analytes.ts'
import { freshCsv } from './fresh/csv.ts'
import { freshFhir } from './fresh/fhir.ts'
import { freshHl7 } from './fresh/hl7.ts'
import { freshPdf } from './fresh/pdf.ts'
import { freshWritten } from './fresh/written.ts'

/** Files that were written before their author looked at the reader. They are the same in each run. */
export const fresh: readonly Fresh[] = [...freshHl7, ...freshFhir, ...freshCsv, ...freshPdf, ...freshWritten]
