import type { z } from 'zod'
import { AppError, type ErrorDetail } from '../../domain/errors.ts'
import { check, MAX_PROBLEMS } from './check.ts'
import type { Input, Route } from './route.ts'

/** Throws one VALIDATION_FAILED for all problems, or for the first hundred. */
export function refuse(details: ErrorDetail[], isAll = true): never {
  const shown = details.slice(0, MAX_PROBLEMS)
  const hasMore = !isAll || details.length > shown.length
  if (hasMore) shown.push({ message: 'There are more problems: correct these and send the request again' })
  const first = details[0]
  const where = first?.path ? `${first.path}: ` : ''
  const count = hasMore ? `more than ${MAX_PROBLEMS}` : details.length
  const message = details.length === 1 ? `${where}${first?.message}` : `The request has ${count} problems`
  throw new AppError('VALIDATION_FAILED', message, { details: shown })
}

/** `at` is the path of the checked value itself. */
export function issueDetails(error: Pick<z.ZodError, 'issues'>, at: readonly PropertyKey[] = []): ErrorDetail[] {
  return error.issues.map((issue) => {
    const path = [...at, ...issue.path]
    return { message: issue.message, ...(path.length > 0 && { path: path.map(String).join('.') }), code: issue.code }
  })
}

/** Checks path, query and body together, so that the caller learns of every problem at once. */
export async function validate(
  route: Pick<Route, 'params' | 'query' | 'body' | 'bodyFor'>,
  raw: Input<unknown, unknown, unknown>,
): Promise<Input<unknown, unknown, unknown>> {
  const details: ErrorDetail[] = []
  let isAll = true
  const use = async (schema: z.ZodType | undefined, value: unknown) => {
    if (!schema) return undefined
    const result = await check(schema, value)
    if ('data' in result) return result.data
    details.push(...issueDetails(result))
    isAll &&= result.isAll
    return undefined
  }
  const params = await use(route.params, raw.params)
  const query = await use(route.query, raw.query)
  const body = await use(route.bodyFor?.(query) ?? route.body, raw.body)
  if (details.length > 0) refuse(details, isAll)
  return { params, query, body }
}
