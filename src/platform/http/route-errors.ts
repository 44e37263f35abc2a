import { errorCodes } from '../../domain/error-codes.ts'
import type { ErrorMeaning } from '../../domain/error-meaning.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import type { Audience, Route } from './route.ts'

type Refusing = Pick<Route, 'audience' | 'method' | 'errors'> & {
  mode?: Route['mode'] | undefined
  needsProof?: Route['needsProof'] | undefined
}

const anyRoute: readonly ErrorCode[] = ['VALIDATION_FAILED', 'RATE_LIMITED', 'INTERNAL', 'OVERLOADED', 'STORAGE_FULL']
const byAudience: Record<Audience, readonly ErrorCode[]> = {
  business: [
    'UNAUTHORIZED',
    'FORBIDDEN',
    'ADDRESS_NOT_ALLOWED',
    'SUPPORT_ACCESS_REQUIRED',
    'REALM_REQUIRED',
    'SECOND_FACTOR_REQUIRED',
  ],
  operator: ['UNAUTHORIZED', 'FORBIDDEN', 'ADDRESS_NOT_ALLOWED', 'SECOND_FACTOR_REQUIRED'],
  account: ['UNAUTHORIZED'],
  anyone: [],
}
// Also without a declared body: Fastify reads any body that is sent, and the site that a browser names is checked.
// A GET with Content-Encoding is refused with 415 too; no client sends one.
const anyWrite: readonly ErrorCode[] = ['CROSS_SITE', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']
const anyKeyedWrite: readonly ErrorCode[] = ['IDEMPOTENCY_CONFLICT', 'IDEMPOTENCY_MISMATCH']

/** The refusals of the edge, before and around the handler. */
function edgeErrors({ audience, method, mode, needsProof }: Refusing): readonly ErrorCode[] {
  const takesKey = audience === 'business' || audience === 'operator'
  return [
    ...anyRoute,
    ...byAudience[audience],
    ...(mode === 'sandbox' ? (['SANDBOX_TOKEN_REQUIRED'] as const) : []),
    ...(needsProof ? (['REAUTHENTICATION_REQUIRED'] as const) : []),
    ...(method === 'GET' ? [] : anyWrite),
    ...(method !== 'GET' && takesKey ? anyKeyedWrite : []),
  ]
}

/** Every code that a route may be refused with, by its status. */
export function errorsOf(route: Refusing): ReadonlyMap<number, readonly ErrorCode[]> {
  const codes = [...new Set([...edgeErrors(route), ...(route.errors ?? [])])].sort()
  const answered = codes.flatMap((code) => statusesOf(code).map((status) => ({ code, status })))
  const byStatus = Map.groupBy(answered, ({ status }) => status)
  return new Map(
    [...byStatus].sort(([a], [b]) => a - b).map(([status, refusals]) => [status, refusals.map((one) => one.code)]),
  )
}

/** Every HTTP status that a code is answered with, the usual one first. */
function statusesOf(code: ErrorCode): readonly number[] {
  const { status, otherStatus }: ErrorMeaning = errorCodes[code]
  return otherStatus === undefined ? [status] : [status, otherStatus]
}

export const declares = (route: Refusing, { status, code }: { status: number; code: string }): boolean =>
  errorsOf(route)
    .get(status)
    ?.some((one) => one === code) ?? false
