/** Every error code of the API with its HTTP status, declared once. */
export const errorCodes = {
  UNAUTHORIZED: 401,
  SIGN_IN_FAILED: 401,
  CODE_REQUIRED: 401,
  CODE_WRONG: 401,
  FORBIDDEN: 403,
  CROSS_SITE: 403,
  SANDBOX_TOKEN_REQUIRED: 403,
  FEATURE_NOT_ENABLED: 403,
  VALIDATION_FAILED: 400,
  REALM_REQUIRED: 400,
  KIT_TYPE_NOT_PROVISIONED: 400,
  NOT_ENOUGH_CREDITS: 409,
  PAYMENT_METHOD_MISSING: 409,
  PURCHASING_DISABLED: 409,
  PAYMENT_FAILED: 402,
  ROUTE_NOT_FOUND: 404,
  ORDER_NOT_FOUND: 404,
  KIT_NOT_FOUND: 404,
  CUSTOMER_NOT_FOUND: 404,
  REPORT_NOT_FOUND: 404,
  BUSINESS_NOT_FOUND: 404,
  PANEL_NOT_FOUND: 404,
  TOKEN_NOT_FOUND: 404,
  USER_NOT_FOUND: 404,
  LINK_NOT_VALID: 404,
  PAYMENT_METHOD_NOT_FOUND: 404,
  JOB_NOT_FOUND: 404,
  WEBHOOK_NOT_FOUND: 404,
  DELIVERY_NOT_FOUND: 404,
  MESSAGE_NOT_FOUND: 404,
  UPLOAD_NOT_FOUND: 404,
  RESULT_NOT_FOUND: 404,
  BIOMARKER_NOT_FOUND: 404,
  EMAIL_NOT_FOUND: 404,
  UPLOAD_CLOSED: 409,
  CUSTOMER_EXISTS: 409,
  EXTERNAL_ID_EXISTS: 409,
  USER_EXISTS: 409,
  LAST_ADMIN: 409,
  TOTP_ENABLED: 409,
  KIT_ALREADY_REGISTERED: 409,
  TRACKING_NUMBER_TAKEN: 409,
  KIT_CLAIMED: 409,
  CONSENT_REQUIRED: 409,
  ILLEGAL_TRANSITION: 409,
  CRITICAL_NOT_TOLD: 409,
  IDEMPOTENCY_CONFLICT: 409,
  IDEMPOTENCY_MISMATCH: 422,
  FILE_NOT_READABLE: 422,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  OVERLOADED: 503,
} as const

export type ErrorCode = keyof typeof errorCodes

export interface ErrorDetail {
  message: string
  path?: string
  code?: string
}

/**
 * A refusal with a stable code. Callers read its message, so it never holds a submitted value, SQL or health data.
 * `extra` is merged into the error body (e.g. `current`, `allowed`).
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: ErrorDetail[]
  readonly extra: Record<string, unknown>

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: ErrorDetail[]; status?: number; extra?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.status = options.status ?? errorCodes[code]
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
