import { z } from 'zod'
import type { ErrorCode } from '../../domain/errors.ts'
import { ErrorBody } from './error-body.ts'
import type { Audience, Route } from './route.ts'
import { errorsOf } from './route-errors.ts'

const security: Record<Audience, Record<string, string[]>[]> = {
  business: [{ token: [] }, { session: [] }],
  operator: [{ token: [] }, { session: [] }],
  account: [{ session: [] }],
  anyone: [],
}

/** What the OpenAPI document says of a route. */
export function openApiSchema(route: Route) {
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, route.scope && `Scope: \`${[route.scope].flat().join('` or `')}\`.`]
      .filter(Boolean)
      .join('\n\n'),
    deprecated: route.deprecated !== undefined,
    security: security[route.audience],
    ...(route.params && { params: route.params }),
    ...(route.query && { querystring: route.query }),
    ...(route.body && { body: route.body }),
    response: { ...route.answers, ...documentsOf(route), ...refusalsOf(route) },
  }
}

function documentsOf({ answers, documents }: Route) {
  if (!documents) return {}
  const others = documents.map((type) => [type, { schema: z.string().meta({ format: 'binary' }) }])
  return { 200: { content: { 'application/json': { schema: answers[200] }, ...Object.fromEntries(others) } } }
}

const refusalsOf = (route: Route) =>
  Object.fromEntries([...errorsOf(route)].map(([status, codes]) => [status, withCode(codes)]))

const shapes = new Map<string, z.ZodType>()

/** One component for each set of codes, named by them: written out in 1,200 places, they would double the document. */
function withCode(codes: readonly ErrorCode[]): z.ZodType {
  const id = ['Error', ...codes].join('.')
  const shape = shapes.get(id) ?? z.intersection(ErrorBody, z.looseObject({ code: z.enum(codes) })).meta({ id })
  shapes.set(id, shape)
  return shape
}
