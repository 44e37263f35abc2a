import type { z } from 'zod'
import { lastingGrant } from '../../domain/effects.ts'
import { accountScope } from '../../domain/scopes.ts'
import { FHIR_TYPE } from '../../platform/http/fhir.ts'
import { type Audience, isFhir, type Route } from '../../platform/http/route.ts'
import { errorsOf } from '../../platform/http/route-errors.ts'
import { brief, type RouteExample } from './examples.ts'
import { answerHeaders } from './headers.ts'
import { isShape, type JsonSchemas } from './json-schemas.ts'
import { lenientShape, type Shape } from './lenient-shape.ts'
import { refusalName } from './refusals.ts'

export interface Described {
  input: JsonSchemas
  output: JsonSchemas
}

const STATUS_WORDS: Record<number, string> = {
  200: 'OK.',
  201: 'Made.',
  202: 'Taken: work goes on.',
  204: 'Done; the answer has no body.',
}

/** What the OpenAPI document says of a route. */
export function operationOf(route: Route, { input, output }: Described, example?: RouteExample) {
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: [route.description ?? `${route.summary}.`, whoMayCall(route)].filter(Boolean).join('\n\n'),
    ...(route.deprecated && { deprecated: true }),
    security: securityOf(route),
    ...(declaredEffects(route) && { 'x-effects': declaredEffects(route) }),
    ...parametersOf(route, input, example),
    ...(route.body && { requestBody: bodyOf(route.body, input, example) }),
    responses: { ...answersOf(route, output, example), ...refusalsOf(route) },
  }
}

/** A route that is undeclared has no list: anyone who reads the document must expect anything. */
const declaredEffects = ({ method, effects }: Route): readonly string[] | undefined =>
  effects ?? (method === 'GET' ? [] : undefined)

const scopesOf = ({ scope }: Route): readonly string[] => [scope ?? []].flat()

function whoMayCall(route: Route): string | undefined {
  const scopes = scopesOf(route)
  if (scopes.includes(accountScope)) return `For administrators who are signed in: no token holds \`${accountScope}\`.`
  const beside = typeof route.grants === 'object' ? alsoNeeded(route) : []
  const also = beside.length > 0 ? ` with \`${beside.join('` and `')}\`` : ''
  return scopes.length > 0 ? `Scope: \`${scopes.join('` or `')}\`${also}.` : undefined
}

/** The scopes of what a route makes that acts by itself, beside its own. */
const alsoNeeded = ({ audience, scope, grants }: Route): string[] =>
  audience === 'business' && typeof grants === 'object'
    ? [...new Set(grants.flatMap((grant) => lastingGrant(grant).needs.business))].filter((one) => one !== scope)
    : []

const schemes: Record<Audience, readonly string[]> = {
  business: ['token', 'session'],
  operator: ['token', 'session'],
  account: ['session'],
  anyone: [],
}

/** Each entry of the list suffices by itself: of several scopes, too, one does. */
function securityOf(route: Route): Record<string, string[]>[] {
  const scopes = scopesOf(route)
  const ways = scopes.includes(accountScope) ? ['session'] : schemes[route.audience]
  return ways.flatMap((scheme) =>
    scopes.length > 0 ? scopes.map((scope) => ({ [scheme]: [scope] })) : [{ [scheme]: [] }],
  )
}

function parametersOf(route: Route, input: JsonSchemas, example?: RouteExample) {
  const takesKey = route.method !== 'GET' && (route.audience === 'business' || route.audience === 'operator')
  const parameters = [
    ...parametersIn('path', route.params, input, example?.params),
    ...parametersIn('query', route.query, input, example?.query),
    ...(takesKey ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ]
  return parameters.length > 0 ? { parameters } : {}
}

function parametersIn(
  where: 'path' | 'query',
  schema: z.ZodType | undefined,
  input: JsonSchemas,
  example: Record<string, unknown> = {},
) {
  if (!schema) return []
  const { properties = {}, required = [] } = input.of(schema)
  return Object.entries(properties).map(([name, { description, ...shape }]) => ({
    name,
    in: where,
    ...(where === 'path' || required.includes(name) ? { required: true } : {}),
    ...(description !== undefined && { description }),
    schema: shape,
    ...(example[name] !== undefined && { example: asTyped(example[name], shape) }),
  }))
}

/** In an address everything is text. */
const asTyped = (value: unknown, { type }: Shape): unknown =>
  type === 'integer' || type === 'number' ? Number(value) : type === 'boolean' ? value === 'true' : value

function bodyOf(body: z.ZodType, input: JsonSchemas, example?: RouteExample) {
  const shape = input.of(body)
  return {
    ...(!body.safeParse(undefined).success && { required: true }),
    content: { 'application/json': { schema: lenientShape(shape), ...shown(example?.request) } },
  }
}

const shown = (value: unknown) => (value === undefined ? {} : { example: value })

function answersOf(route: Route, output: JsonSchemas, example?: RouteExample) {
  const headers = answerHeaders(route)
  return Object.fromEntries(
    Object.entries(route.answers).map(([status, schema]) => {
      const description = STATUS_WORDS[Number(status)] ?? 'OK.'
      if (status === '204') return [status, { description, ...headers }]
      const json = { schema: output.of(schema), ...shown(brief(example?.answers[status])) }
      const others = status === '200' ? (route.documents ?? []) : []
      const content = {
        ...(isNever(json.schema) ? {} : { [isFhir(route) ? FHIR_TYPE : 'application/json']: json }),
        ...documentsOf(others),
      }
      return [status, { description, ...headers, content }]
    }),
  )
}

/** What a route declares that never answers JSON. */
const isNever = (shape: Shape): boolean => isShape(shape.not) && Object.keys(shape.not).length === 0

const documentsOf = (types: readonly string[]) =>
  Object.fromEntries(
    types.map((type) => [type, { schema: { type: 'string', ...(!isText(type) && { format: 'binary' }) } }]),
  )

const isText = (type: string) => /^text\/|json/.test(type)

const refusalsOf = (route: Route) =>
  Object.fromEntries(
    [...errorsOf(route)].map(([status, codes]) => [
      status,
      { $ref: `#/components/responses/${refusalName(status, codes, isFhir(route))}` },
    ]),
  )
