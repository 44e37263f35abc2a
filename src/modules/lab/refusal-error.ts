import type { Refusal } from '@kitlane/lab-reader/parse/refusal'
import { AppError } from '../../domain/errors.ts'

/** The API's error for a file that was refused. */
export function refusalError(refusal: Refusal): AppError {
  const { code, message } = refusal
  if (code === 'BUSY') return new AppError('OVERLOADED', message, { cause: refusal })
  return new AppError('FILE_NOT_READABLE', message, { details: [{ message, code }], cause: refusal })
}
