import type { StatusOfCode } from './errors.gen.ts'

/** Codes that the client gives to what is no refusal of the API. */
interface OwnStatus {
  /** No answer came: the address is wrong, nothing listens, or the connection was cut. */
  NO_ANSWER: undefined
  /** No answer came within `timeoutMs`. */
  TIMED_OUT: undefined
  /** Something else than Kitlane answered, such as a proxy. */
  UNEXPECTED_ANSWER: number
}

interface AllStatus extends StatusOfCode, OwnStatus {}

/** Every code that an error of this client may have. */
export type ErrorCode = keyof AllStatus

/** Fields that only the refusals of some codes have. */
interface MoreOfCode {
  ILLEGAL_TRANSITION: { current: string; allowed: string[] }
  SSO_REFUSED: { reason: string }
  PAYMENT_FAILED: { reason?: string }
  UPLOAD_CLOSED: { state: string }
}

export interface ErrorDetail {
  message: string
  /** The field that it is about. */
  path?: string
  code?: string
}

interface Refusal<Code extends ErrorCode> extends Error {
  /** What happened. It does not change between releases; `docs/errors.md` says what to do about each. */
  readonly code: Code
  /** Of the answer; undefined where none came. */
  readonly status: AllStatus[Code]
  readonly details: readonly ErrorDetail[]
  /** Finds the request in the log of the service. The client makes it, so that it is there without an answer too. */
  readonly requestId: string
  /** How long the service asks to wait, where it does. */
  readonly retryAfterMs: number | undefined
  /** What the write was sent with. Sending it again with this key cannot do its work twice. */
  readonly idempotencyKey: string | undefined
  /** How often the request was sent. */
  readonly attempts: number
  /** The answer as it was read. */
  readonly body: Readonly<Code extends keyof MoreOfCode ? MoreOfCode[Code] : unknown> &
    Readonly<Record<string, unknown>>
}

/** What every failed call throws, other than an abort by its caller. `code` narrows it. */
export type KitlaneError = { [Code in ErrorCode]: Refusal<Code> }[ErrorCode]

export interface ErrorFacts {
  message: string
  code: string
  requestId: string
  status?: number | undefined
  details?: readonly ErrorDetail[] | undefined
  retryAfterMs?: number | undefined
  idempotencyKey?: string | undefined
  attempts: number
  body?: Record<string, unknown> | undefined
  cause?: unknown
}

class ThrownError extends Error {
  override readonly name = 'KitlaneError'
  readonly code: string
  readonly status: number | undefined
  readonly details: readonly ErrorDetail[]
  readonly requestId: string
  readonly retryAfterMs: number | undefined
  readonly idempotencyKey: string | undefined
  readonly attempts: number
  declare readonly body: Record<string, unknown>

  constructor({ message, code, requestId, status, details = [], body = {}, cause, ...more }: ErrorFacts) {
    super(`${message} (${code}, request ${requestId})`, { cause })
    this.code = code
    this.status = status
    this.details = details
    this.requestId = requestId
    this.retryAfterMs = more.retryAfterMs
    this.idempotencyKey = more.idempotencyKey
    this.attempts = more.attempts
    // Not enumerable: it repeats what the other fields say, and `inspect` and loggers print every field.
    Object.defineProperty(this, 'body', { value: body })
  }
}

/** One class for all errors, typed as the union of what each code has: `instanceof` and then `code` narrow it. */
export const KitlaneError = ThrownError as unknown as {
  new (facts: ErrorFacts): KitlaneError
  readonly prototype: KitlaneError
}
