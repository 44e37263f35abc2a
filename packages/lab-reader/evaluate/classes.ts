import { csvClasses } from './classes/csv.ts'
import { csvFileClasses } from './classes/csv-files.ts'
import { fhirClasses } from './classes/fhir.ts'
import { fhirValueClasses } from './classes/fhir-values.ts'
import { hl7Classes } from './classes/hl7.ts'
import { hl7MessageClasses } from './classes/hl7-messages.ts'
import { pdfClasses } from './classes/pdf.ts'
import { pdfDateClasses } from './classes/pdf-dates.ts'
import { pdfLabClasses } from './classes/pdf-labs.ts'
import { pdfPageClasses } from './classes/pdf-pages.ts'
import type { DocumentClass } from './truth.ts'

export const classes: readonly DocumentClass[] = [
  ...pdfClasses,
  ...pdfPageClasses,
  ...pdfLabClasses,
  ...pdfDateClasses,
  ...csvClasses,
  ...csvFileClasses,
  ...hl7Classes,
  ...hl7MessageClasses,
  ...fhirClasses,
  ...fhirValueClasses,
]
