import type { z } from 'zod'
import { AppError, type ErrorDetail } from '../errors.ts'
import type { Input, Route } from './route.ts'

// A bulk request of 10,000 rows could otherwise answer with megabytes.
const MAX_DETAILS = 1000

/** Throws one VALIDATION_FAILED for all problems. */
export function refuse(details: ErrorDetail[]): never {
  const shown = details.slice(0, MAX_DETAILS)
  if (details.length > shown.length) shown.push({ message: `and ${details.length - shown.length} more problems` })
  const first = details[0]
  const where = first?.path ? `${first.path}: ` : ''
  const message = details.length === 1 ? `${where}${first?.message}` : `The request has ${details.length} problems`
  throw new AppError('VALIDATION_FAILED', message, { details: shown })
}

/** `at` is where the checked value itself is. */
export function issueDetails(error: z.ZodError, at: readonly PropertyKey[] = []): ErrorDetail[] {
  return error.issues.map((issue) => {
    const path = [...at, ...issue.path]
    return { message: issue.message, ...(path.length > 0 && { path: path.map(String).join('.') }), code: issue.code }
  })
}

/** Checks path, query and body together, so that the caller learns of every problem at once. */
export function validate(
  route: Pick<Route, 'params' | 'query' | 'body' | 'bodyFor'>,
  raw: Input<unknown, unknown, unknown>,
): Input<unknown, unknown, unknown> {
  const details: ErrorDetail[] = []
  const check = (schema: z.ZodType | undefined, value: unknown) => {
    if (!schema) return undefined
    const result = schema.safeParse(value)
    if (result.success) return result.data
    details.push(...issueDetails(result.error))
    return undefined
  }
  const params = check(route.params, raw.params)
  const query = check(route.query, raw.query)
  const body = check(route.bodyFor?.(query) ?? route.body, raw.body)
  if (details.length > 0) refuse(details)
  return { params, query, body }
}
