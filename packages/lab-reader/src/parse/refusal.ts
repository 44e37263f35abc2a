/** Why a file was refused. The sentences never quote the file. */
const sentences = {
  UNSUPPORTED_FORMAT: 'Only PDF with text, CSV, HL7 v2 results and FHIR R4 results can be read',
  TOO_LARGE: 'The file is too large or holds too much',
  TOO_MANY_PAGES: 'The PDF has too many pages',
  PARSE_TIMEOUT: 'Reading the file took too long',
  PARSE_FAILED: 'The file is damaged or is not laid out as results',
  NOTHING_FOUND: 'The file was read but holds no results to import',
  NEEDS_REVIEW: 'A person must read this file',
  BUSY: 'Too many files are being read; try again later',
} as const

/** What a file is instead, where that is certain. */
const instead = {
  empty: 'The file is empty',
  workbook: 'This is an Excel workbook: save it as CSV, and send that',
  archive: 'This is an archive: unpack it, and send the files in it',
  fhirXml: 'This is FHIR in XML: only FHIR in JSON can be read',
  xml: 'This is XML: only PDF with text, CSV, HL7 v2 results and FHIR R4 results can be read',
} as const
export type Instead = keyof typeof instead

export type RefusalCode = keyof typeof sentences
export const refusalCodes = Object.keys(sentences) as [RefusalCode]

/** Why a person must read a file: no text layer, a picture, or text in an unknown layout. */
export const reviewReasons = ['scan', 'image', 'layout'] as const
export type ReviewReason = (typeof reviewReasons)[number]

export class Refusal extends Error {
  readonly code: RefusalCode
  readonly needsReview: ReviewReason | undefined
  /** The layout template that the document was recognised by. */
  layout: string | undefined

  constructor(code: RefusalCode, needsReview?: ReviewReason, layout?: string, is?: Instead) {
    super(is ? instead[is] : sentences[code])
    this.code = code
    this.needsReview = needsReview
    this.layout = layout
  }
}
