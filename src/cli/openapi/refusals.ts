import { errorCodes } from '../../domain/error-codes.ts'
import type { ErrorMeaning } from '../../domain/error-meaning.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import { FHIR_TYPE } from '../../platform/http/fhir.ts'
import { refusalHeaders } from './headers.ts'

// What most routes with the status are refused with: it is not repeated in the name.
const usual: Record<number, { name: string; codes: readonly ErrorCode[] }> = {
  400: { name: 'BadRequest', codes: ['VALIDATION_FAILED'] },
  401: { name: 'Unauthorized', codes: ['UNAUTHORIZED'] },
  402: { name: 'PaymentRequired', codes: [] },
  403: { name: 'Forbidden', codes: ['ADDRESS_NOT_ALLOWED', 'FORBIDDEN', 'SECOND_FACTOR_REQUIRED'] },
  404: { name: 'NotFound', codes: [] },
  409: { name: 'Conflict', codes: ['IDEMPOTENCY_CONFLICT'] },
  413: { name: 'TooLarge', codes: ['PAYLOAD_TOO_LARGE'] },
  415: { name: 'UnsupportedMediaType', codes: ['UNSUPPORTED_MEDIA_TYPE'] },
  422: { name: 'NotProcessable', codes: ['IDEMPOTENCY_MISMATCH'] },
  429: { name: 'TooManyRequests', codes: ['RATE_LIMITED'] },
  500: { name: 'Internal', codes: ['INTERNAL'] },
  502: { name: 'BadGateway', codes: [] },
  503: { name: 'Unavailable', codes: ['OVERLOADED', 'STORAGE_FULL'] },
}

/** The name of the shared answer for these codes: `Conflict.LAST_ADMIN` has the usual ones too, `Forbidden.only.…` has not. */
export function refusalName(status: number, codes: readonly ErrorCode[], inFhir = false): string {
  const { name, codes: known } = usual[status] ?? { name: `Status${status}`, codes: [] }
  const hasUsual = known.every((code) => codes.includes(code))
  const named = hasUsual ? codes.filter((code) => !known.includes(code)) : ['only', ...codes]
  return [...(inFhir ? ['Fhir'] : []), name, ...named].join('.')
}

const hasRetry = (status: number, codes: readonly ErrorCode[]): boolean =>
  status === 429 || status === 503 || codes.includes('IDEMPOTENCY_CONFLICT')

/** One answer of `components.responses`: which codes it has, and an example of each. */
export function refusal(status: number, codes: readonly ErrorCode[], inFhir = false) {
  const headers = refusalHeaders({ retry: hasRetry(status, codes), counts: status === 429 })
  // The example of each code says what it means.
  if (!inFhir) return { description: `Refused: ${listed(codes)}.`, ...headers, ...inJson(codes) }
  return { description: codes.map((code) => meant(code)).join('\n'), ...headers, ...inOutcome }
}

/** The same beside a range, which has its headers and the examples of all codes but those that are `shown`. */
export function ownRefusal(codes: readonly ErrorCode[], shown: readonly ErrorCode[], inFhir: boolean) {
  return { description: listed(codes), ...(inFhir ? inOutcome : inBrief(codes, shown)) }
}

/** The same for all statuses of a range, with a line for each. */
export function rangeRefusal(byStatus: ReadonlyMap<number, readonly ErrorCode[]>, inFhir = false) {
  const entries = [...byStatus]
  const headers = refusalHeaders({
    retry: entries.some(([status, codes]) => hasRetry(status, codes)),
    counts: byStatus.has(429),
  })
  const description = entries.map(([status, codes]) => `${status}: ${listed(codes)}`).join('\n')
  return { description, ...headers, ...(inFhir ? inOutcome : inBrief(entries.flatMap(([, codes]) => codes))) }
}

const listed = (codes: readonly ErrorCode[]): string => codes.map((code) => `\`${code}\``).join(', ')

const meaningOf = (code: ErrorCode): ErrorMeaning => errorCodes[code]

const meant = (code: ErrorCode): string => `\`${code}\`: ${meaningOf(code).meaning}`

const inOutcome = { content: { [FHIR_TYPE]: { schema: { $ref: '#/components/schemas/FhirOperationOutcome' } } } }

const inJson = (codes: readonly ErrorCode[]) =>
  errorThat(codes, { type: 'object', properties: { code: { type: 'string', enum: codes } }, required: ['code'] })

/** `Error` says the rest. */
const inBrief = (codes: readonly ErrorCode[], shown = codes) =>
  errorThat(shown, { properties: { code: { enum: codes } } })

const errorThat = (shown: readonly ErrorCode[], isMore: object) => ({
  content: {
    'application/json': {
      schema: { allOf: [{ $ref: '#/components/schemas/Error' }, isMore] },
      examples: Object.fromEntries(shown.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
    },
  },
})

/** One of `components.examples`: what a test was refused with. docs/errors.md has what to do about it. */
export const refusalExample = (code: ErrorCode, value: unknown) => ({
  summary: meaningOf(code).meaning,
  value: value ?? { error: meaningOf(code).meaning, message: meaningOf(code).meaning, code, requestId: 'req_0' },
})
