import { AppError } from '../../../domain/errors.ts'

/** A refusal with the `scimType` of RFC 7644, 3.12. */
export const refusal = (scimType: string, message: string): AppError =>
  new AppError('VALIDATION_FAILED', message, { extra: { scimType } })

const taken = (what: string): AppError =>
  new AppError('USER_EXISTS', `There is one with this ${what} already`, { extra: { scimType: 'uniqueness' } })
export const nameTaken = (): AppError => taken('name')
export const emailTaken = (): AppError => taken('e-mail address')
