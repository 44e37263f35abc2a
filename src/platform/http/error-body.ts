import { DatabaseError } from 'pg'
import { z } from 'zod'
import { AppError, type ErrorCode, ProviderUnknown } from '../../domain/errors.ts'
import { textIn } from '../../domain/translations/sentences.ts'
import { isBusy, isStorageFull, isUnavailable } from '../database/unavailable.ts'

/** The one error shape. `error` and `message` are the same sentence: clients in the field read either. */
export const ErrorBody = z
  .looseObject({
    error: z.string(),
    message: z.string(),
    code: z.string(),
    details: z
      .array(z.object({ message: z.string(), path: z.string().optional(), code: z.string().optional() }))
      .optional(),
    requestId: z.string(),
  })
  .meta({ id: 'Error' })

export function errorBody(err: AppError, requestId: string, language = 'en'): z.infer<typeof ErrorBody> {
  const message = textIn(language, err.said)
  return {
    error: message,
    message,
    code: err.code,
    ...(err.details.length > 0 && { details: err.details }),
    ...err.extra,
    requestId,
  }
}

const fastifyCodes: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['PAYLOAD_TOO_LARGE', 'The body is larger than this route accepts'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'UNSUPPORTED_MEDIA_TYPE',
    'Send the body as application/json, or as another type that the description of this route names',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['VALIDATION_FAILED', 'The body does not match its Content-Length'],
  FST_ERR_BAD_URL: ['VALIDATION_FAILED', 'The path is not a valid URL path'],
  FST_ERR_REQ_ABORTED: ['VALIDATION_FAILED', 'The request ended early'],
}

const storageFull = (cause: unknown): AppError =>
  new AppError(
    'STORAGE_FULL',
    'The disk of the database is full. Nothing was changed; the operator has to give it space',
    {
      cause,
    },
  )

/** The refusal that a caller receives: the request itself is fine. */
const unavailable = (cause: unknown): AppError =>
  new AppError('OVERLOADED', 'The database cannot be reached or takes no changes now, try again in a moment', { cause })

/** Turns anything thrown into the refusal that a caller gets. An unknown error becomes a bare `Internal server error`. */
export function toAppError(err: unknown): AppError {
  if (err instanceof AppError) return err
  if (err instanceof ProviderUnknown) {
    return new AppError('PROVIDER_UNAVAILABLE', `The ${err.provider} did not answer, try again in a moment`, {
      cause: err,
    })
  }
  if (isUnavailable(err)) return unavailable(err)
  if (isStorageFull(err)) return storageFull(err)
  if (err instanceof DatabaseError) return fromDatabase(err)
  const { code, statusCode } = err as { code?: string; statusCode?: number }
  const known = fastifyCodes[code ?? '']
  if (known) return new AppError(known[0], known[1], { cause: err })
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new AppError('VALIDATION_FAILED', 'The request is not well formed', { cause: err })
  }
  return new AppError('INTERNAL', 'Internal server error', { cause: err })
}

function overloaded(cause: unknown): AppError {
  return new AppError('OVERLOADED', 'The service is busy, try again in a moment', { cause })
}

/** Validation comes first; an error of the database is the caller's (class 22) or temporary. */
function fromDatabase(err: DatabaseError): AppError {
  if (err.code?.startsWith('22')) return new AppError('VALIDATION_FAILED', 'A value cannot be stored', { cause: err })
  if (isBusy(err)) return overloaded(err)
  return new AppError('INTERNAL', 'Internal server error', { cause: err })
}
