import { expect } from 'vitest'
import { errorCodes } from '../../src/domain/error-codes.ts'
import type { ErrorCode } from '../../src/domain/errors.ts'
import { ErrorBody } from '../../src/platform/http/error-body.ts'
import { FHIR_TYPE, OperationOutcome } from '../../src/platform/http/fhir.ts'

export interface Answered {
  status: number
  headers: Headers | Record<string, string | string[] | undefined>
  text: string
}

export function header({ headers }: Answered, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/** Asks again what a busy service refused, which did nothing then. */
export async function patiently<Answer extends { status: number }>(ask: () => Promise<Answer>): Promise<Answer> {
  const answer = await ask()
  return answer.status === 503 ? patiently(ask) : answer
}

/** Contract 4: the same refusal has this status where only credits are allowed. */
const otherStatuses: Partial<Record<ErrorCode, number>> = { NOT_ENOUGH_CREDITS: 400 }

const PROTECTION = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
}

/** Lists how an answer of the API violates section 2 of the contract. Empty for a valid answer. */
export function contractViolations(answer: Answered): string[] {
  const violations: string[] = []
  const need = (ok: boolean, what: string) => void (ok || violations.push(what))
  const id = header(answer, 'x-request-id') ?? ''
  need(/^[\w.:-]{1,128}$/.test(id), 'no x-request-id')
  need(header(answer, 'cache-control') === 'no-store', 'no cache-control: no-store')
  need(/^"default";q=\d+;w=60$/.test(header(answer, 'ratelimit-policy') ?? ''), 'no RateLimit-Policy')
  need(/^"default";r=\d+;t=\d+$/.test(header(answer, 'ratelimit') ?? ''), 'no RateLimit')
  for (const [name, value] of Object.entries(PROTECTION)) need(header(answer, name) === value, `no ${name}`)
  need(answer.status < 500, 'a 5xx')
  return answer.status < 400 ? violations : [...violations, ...bodyViolations(answer, id)]
}

function bodyViolations(answer: Answered, id: string): string[] {
  const violations: string[] = []
  const need = (ok: boolean, what: string) => void (ok || violations.push(what))
  if (header(answer, 'content-type')?.startsWith(FHIR_TYPE)) {
    const { code = '' } = refusalOf(answer)
    need(code in errorCodes, `unknown code ${code}`)
    need(errorCodes[code as ErrorCode]?.status === answer.status, `${code} with status ${answer.status}`)
    return violations
  }
  need(/^application\/json/.test(header(answer, 'content-type') ?? ''), 'not JSON')
  const parsed = ErrorBody.safeParse(tryJson(answer.text))
  if (!parsed.success) return [...violations, 'not the error shape']
  const { error, message, code, requestId } = parsed.data
  need(error === message, 'error is not message')
  need(code in errorCodes, `unknown code ${code}`)
  const statuses = [errorCodes[code as ErrorCode]?.status, otherStatuses[code as ErrorCode]]
  need(statuses.includes(answer.status as never), `${code} with status ${answer.status}`)
  need(requestId === id, 'requestId is not x-request-id')
  if (answer.status === 429 || answer.status === 503) {
    need(/^\d+$/.test(header(answer, 'retry-after') ?? ''), 'no retry-after')
  }
  return violations
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Code and sentence of a refusal, in our form or in FHIR's. */
export function refusalOf({ text }: Answered): { code?: string | undefined; message?: string | undefined } {
  const body = tryJson(text)
  const outcome = OperationOutcome.safeParse(body)
  if (!outcome.success) return (body ?? {}) as { code?: string; message?: string }
  const [issue] = outcome.data.issue
  return { code: issue?.details.coding[0]?.code, message: issue?.details.text }
}

/** Expects exactly this refusal, as an error body of the contract. */
export function expectRefusal(answer: Answered, code: ErrorCode, about: string): void {
  expect(
    { violations: contractViolations(answer), status: answer.status, code: refusalOf(answer).code },
    about,
  ).toEqual({
    violations: [],
    status: errorCodes[code].status,
    code,
  })
}
