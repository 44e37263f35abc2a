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

const inWords = (codes: readonly ErrorCode[]): string => `Refused: ${codes.map((code) => `\`${code}\``).join(', ')}.`

const meaningOf = (code: ErrorCode): ErrorMeaning => errorCodes[code]

/** One answer of `components.responses`: which codes it has, and an example of each. */
export function refusal(status: number, codes: readonly ErrorCode[], inFhir = false) {
  const retry = status === 429 || status === 503 || codes.includes('IDEMPOTENCY_CONFLICT')
  const headers = refusalHeaders({ retry, counts: status === 429 })
  // The example of each code says what it means.
  const said = { description: inWords(codes), ...headers }
  if (inFhir) {
    const schema = { $ref: '#/components/schemas/FhirOperationOutcome' }
    const meanings = codes.map((code) => `\`${code}\`: ${meaningOf(code).meaning}`).join('\n')
    return { ...said, description: meanings, content: { [FHIR_TYPE]: { schema } } }
  }
  return {
    ...said,
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Error' },
            { type: 'object', properties: { code: { type: 'string', enum: codes } }, required: ['code'] },
          ],
        },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  }
}

/** One of `components.examples`: what a test was refused with. */
export const refusalExample = (code: ErrorCode, value: unknown) => ({
  summary: meaningOf(code).meaning,
  description: meaningOf(code).remedy,
  value: value ?? { error: meaningOf(code).meaning, message: meaningOf(code).meaning, code, requestId: 'req_0' },
})
