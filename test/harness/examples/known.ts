import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Examples, RouteExample } from '../../../src/cli/openapi/examples.ts'
import { isRecord, normalise, unwrap } from '../../../src/platform/http/lenient.ts'
import type { Route } from '../../../src/platform/http/route.ts'
import { root } from '../sources.ts'

export const EXAMPLES = join(root, 'test/examples.json')

export const readExamples = (): Examples =>
  existsSync(EXAMPLES) ? JSON.parse(readFileSync(EXAMPLES, 'utf8')) : { routes: {}, events: {}, errors: {} }

/** Statuses that need no example: there is no body, or it is a file. */
export const withoutBody = ({ answers }: Route): string[] =>
  Object.entries(answers)
    .filter(([status, schema]) => status === '204' || schema.meta()?.format === 'binary')
    .map(([status]) => status)

/** Why an example does not show its route, as sentences; none: it does. */
export function problemsOf(route: Route, example: RouteExample): string[] {
  const problems: string[] = []
  const { body } = route
  if (body) {
    const parsed = body.safeParse(normalise(body, example.request))
    if (!parsed.success) problems.push(`${route.id}: the request does not fit: ${parsed.error.message}`)
  }
  for (const [status, answer] of Object.entries(example.answers)) {
    const parsed = route.answers[Number(status)]?.safeParse(answer)
    if (!parsed) problems.push(`${route.id}: it answers no ${status} any more`)
    else if (!parsed.success) problems.push(`${route.id}: the answer ${status} does not fit: ${parsed.error.message}`)
    else if (dropped(answer, parsed.data)) problems.push(`${route.id}: the answer ${status} has fields that are gone`)
  }
  return problems
}

/** Whether something was given that the schema does not know. */
function dropped(given: unknown, known: unknown): boolean {
  if (Array.isArray(given)) return Array.isArray(known) && given.some((one, at) => dropped(one, known[at]))
  if (given === null || typeof given !== 'object' || known === null || typeof known !== 'object') return false
  return Object.entries(given).some(
    ([key, one]) => !(key in known) || dropped(one, (known as Record<string, unknown>)[key]),
  )
}

/** The request without fields that the route does not know: tests send such, and they are passed over. */
export function withoutUnknown(body: z.ZodType | undefined, request: unknown): unknown {
  const bare = body && unwrap(body)
  if (!(bare instanceof z.ZodObject) || !isRecord(request)) return request
  return Object.fromEntries(Object.entries(request).filter(([name]) => name in bare.shape))
}
