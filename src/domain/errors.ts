import type { Sentence } from '@kitlane/display/sentence'
import { errorCodes } from './error-codes.ts'

export type ErrorCode = keyof typeof errorCodes

export interface ErrorDetail {
  message: string
  path?: string
  code?: string
}

/** An outside service did not answer, so what became of the request there is unknown. To a caller it is 503 `PROVIDER_UNAVAILABLE`. */
export class ProviderUnknown extends Error {
  /** As callers see it, such as `payment provider`. */
  readonly provider: string

  constructor(provider: string, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'ProviderUnknown'
    this.provider = provider
  }
}

/**
 * A refusal with a stable code. Callers read its message, so it never holds a submitted value, SQL or health data.
 * `extra` is merged into the error body (e.g. `current`, `allowed`).
 */
export class AppError extends Error {
  readonly code: ErrorCode
  /** The message, which becomes text where it is sent; a string is English. */
  readonly said: string | Sentence
  readonly status: number
  readonly details: ErrorDetail[]
  readonly extra: Record<string, unknown>

  constructor(
    code: ErrorCode,
    message: string | Sentence,
    options: { details?: ErrorDetail[]; status?: number; extra?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(String(message), { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.said = message
    this.status = options.status ?? errorCodes[code].status
    this.details = options.details ?? []
    this.extra = options.extra ?? {}
  }
}

/** A sentence for the person who starts or administers the program: printed without a stack, exit code 1. */
export class StartError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'StartError'
  }
}
