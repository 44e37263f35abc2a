import { z } from 'zod'
import { AppError } from '../../../domain/errors.ts'

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

export const RefusalCode = z.enum(Object.keys(sentences) as [keyof typeof sentences])
export type RefusalCode = keyof typeof sentences

/** Why a person must read a file: no text layer, a picture, or text in an unknown layout. */
export const ReviewReason = z.enum(['scan', 'image', 'layout'])
export type ReviewReason = z.infer<typeof ReviewReason>

export class Refusal extends Error {
  readonly code: RefusalCode
  readonly needsReview: ReviewReason | undefined

  constructor(code: RefusalCode, needsReview?: ReviewReason) {
    super(sentences[code])
    this.code = code
    this.needsReview = needsReview
  }
}

/** The API's error for a file that was refused. */
export function refusalError(refusal: Refusal): AppError {
  const { code, message } = refusal
  if (code === 'BUSY') return new AppError('OVERLOADED', message, { cause: refusal })
  return new AppError('FILE_NOT_READABLE', message, { details: [{ message, code }], cause: refusal })
}
