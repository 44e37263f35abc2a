import { errorCodes } from '../../domain/error-codes.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import { ErrorBody } from '../../platform/http/error-body.ts'
import { OperationOutcome } from '../../platform/http/fhir.ts'
import { FHIR_PATH, isFhir, prefixes, type Route } from '../../platform/http/route.ts'
import { errorsOf } from '../../platform/http/route-errors.ts'
import { withOneCopy } from './copies.ts'
import { type Examples, noExamples } from './examples.ts'
import { withExtensions } from './extending.ts'
import { headers } from './headers.ts'
import { inlineSingleUseComponents } from './inline-components.ts'
import { isShape, jsonSchemas, mapValues, renamed } from './json-schemas.ts'
import { lenientShape, type Shape } from './lenient-shape.ts'
import type { OpenApi, Operation, Section } from './open-api.ts'
import { operationOf, pathOf } from './operation.ts'
import { asPublished } from './published.ts'
import { refusal, refusalExample, refusalName } from './refusals.ts'
import { shared } from './sharing.ts'
import { type DocumentedEvents, webhookHeaders, webhookOf } from './webhooks.ts'
import { type FieldWords, withWords, wordFor } from './words.ts'

/** `dashboard`: what no token may call, since it is about people who sign in. */
export type DocumentName = 'business' | 'dashboard' | 'operator'

export interface ApiWords {
  title: string
  version: string
  /** What stands before the routes of each document. */
  descriptions: Readonly<Record<DocumentName, string>>
  session: string
  token: string
  idempotencyKey: string
  server: string
  tags: Readonly<Record<string, string>>
  fields: FieldWords
}

export interface ApiSources {
  routes: readonly Route[]
  events?: DocumentedEvents
  words: ApiWords
  examples?: Examples
}

/** OpenAPI 3.1 from the routes: what businesses call by token, what people do who signed in, and what the operator calls. */
export function describeApi(sources: ApiSources): Record<DocumentName | 'whole', OpenApi> {
  const whole = wholeOf(sources)
  // Not in the whole: the clients made from it name each shape after the operation that has it.
  const published = shared(asPublished(whole, sources.routes))
  const { descriptions } = sources.words
  const known = new Set(Object.keys(whole.components.schemas ?? {}))
  const part = (name: DocumentName) =>
    inlineSingleUseComponents(withExtensions(partOf(published, name, descriptions[name])), known)
  return { whole, business: part('business'), dashboard: part('dashboard'), operator: part('operator') }
}

function documentOf(path: string, { security }: Operation): DocumentName {
  if (path.startsWith(prefixes.operator)) return 'operator'
  // Anyone may read what a server of FHIR can do.
  return path.startsWith(`${FHIR_PATH}/`) || security.some(({ token }) => token) ? 'business' : 'dashboard'
}

function wholeOf({ routes, events = {}, words, examples = noExamples }: ApiSources): OpenApi {
  const inRequests = routes.flatMap(({ params, query, body }) =>
    [params, query, body].filter((one) => one !== undefined),
  )
  const answered = routes.flatMap(({ answers }) => Object.values(answers))
  const output = jsonSchemas(
    [...answered, ...Object.values(events).map(({ body }) => body), ErrorBody, OperationOutcome],
    'output',
  )
  const input = jsonSchemas(inRequests, 'input')
  const asInput = <T>(value: T): T => renamed(value, (name) => `${name}Input`)
  const inputs = { ...input, of: (schema: Parameters<typeof input.of>[0]) => asInput(input.of(schema)) }

  const paths: OpenApi['paths'] = {}
  for (const route of routes) {
    const operation = operationOf(route, { input: inputs, output }, examples.routes[route.id])
    paths[pathOf(route)] = { ...paths[pathOf(route)], [route.method.toLowerCase()]: operation }
  }
  const webhooks = mapValues(events, (event, type) => webhookOf(type, event, output, examples.events[type]))
  const schemas = {
    ...output.named,
    ...Object.fromEntries(
      Object.entries(input.named).map(([name, shape]) => [`${name}Input`, asInput(lenientShape(shape))]),
    ),
  }
  const document: OpenApi = {
    openapi: '3.1.0',
    info: {
      title: words.title,
      version: words.version,
      description: words.descriptions.business,
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: words.server }],
    tags: [...new Set(routes.map(({ tag }) => tag))]
      .sort()
      .map((name) => ({ name, description: words.tags[name] ?? '' })),
    paths,
    ...(Object.keys(webhooks).length > 0 && { webhooks }),
    components: {
      schemas,
      responses: refusalsOf(routes),
      parameters: { ...webhookHeaders, IdempotencyKey: idempotencyKey(words) },
      examples: mapValues(errorCodes, (_, code) => refusalExample(code as ErrorCode, examples.errors[code])),
      headers,
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'Authorization', description: words.token },
        session: { type: 'apiKey', in: 'cookie', name: 'kitlane', description: words.session },
      },
    },
  }
  return worded(pruned(withOneCopy(document)), words.fields)
}

const idempotencyKey = ({ idempotencyKey }: ApiWords) => ({
  name: 'Idempotency-Key',
  in: 'header',
  description: idempotencyKey,
  schema: { type: 'string', maxLength: 255 },
  example: 'order-2026-000417',
})

function refusalsOf(routes: readonly Route[]): Section {
  const found = new Map<string, unknown>()
  for (const route of routes)
    for (const [status, codes] of errorsOf(route)) {
      const inFhir = isFhir(route)
      found.set(refusalName(status, codes, inFhir), refusal(status, codes, inFhir))
    }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Who reads the document for businesses has a token. */
const byToken = ({ security, ...operation }: Operation): Operation => ({
  ...operation,
  security: security.filter((way) => 'token' in way),
})

/** The operations of one document, with what they refer to. */
function partOf(whole: OpenApi, name: DocumentName, description: string): OpenApi {
  const paths = Object.fromEntries(
    Object.entries(whole.paths).flatMap(([path, methods]) => {
      const own = Object.entries(methods).filter(([, operation]) => documentOf(path, operation) === name)
      return own.length > 0
        ? [[path, mapValues(Object.fromEntries(own), name === 'business' ? byToken : (one) => one)]]
        : []
    }),
  )
  const { webhooks, ...rest } = whole
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  const used = new Set(operations.flatMap(({ tags }) => tags))
  const ways = new Set(operations.flatMap(({ security }) => security.flatMap((way) => Object.keys(way))))
  const schemes = Object.entries(whole.components.securitySchemes ?? {}).filter(([scheme]) => ways.has(scheme))
  return pruned({
    ...rest,
    info: { ...whole.info, description },
    tags: whole.tags.filter(({ name }) => used.has(name)),
    paths,
    ...(name === 'business' && webhooks && { webhooks }),
    components: { ...whole.components, securitySchemes: Object.fromEntries(schemes) },
  })
}

/** Without components that nothing refers to; the others by name, so that the order in which files are loaded does not show. */
function pruned(document: OpenApi): OpenApi {
  const { components, ...rest } = document
  const used = new Set<string>()
  const follow = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) follow(one)
    else if (isShape(value)) {
      const { $ref } = value
      if (typeof $ref === 'string' && !used.has($ref)) {
        used.add($ref)
        const [, , section = '', name = ''] = $ref.split('/')
        follow(components[section]?.[name])
      }
      for (const inner of Object.values(value)) follow(inner)
    }
  }
  follow(rest)
  const referenced = mapValues(components, (section, name) =>
    name === 'securitySchemes'
      ? section
      : Object.fromEntries(
          Object.entries(section)
            .filter(([key]) => used.has(`#/components/${name}/${key}`))
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        ),
  )
  return { ...rest, components: referenced }
}

function worded(document: OpenApi, words: FieldWords): OpenApi {
  const of = <T>(value: T, owner: string) => withWords(value as Shape, owner, words) as T
  const paths = mapValues(document.paths, (path) =>
    mapValues(path, (operation) => {
      const { parameters, requestBody, responses, ...rest } = operation
      const owner = operation.operationId
      const named = parameters?.map((one) => ('name' in one ? parameterWords(one, owner, words) : one))
      return {
        ...rest,
        ...(named && { parameters: named }),
        ...(requestBody && { requestBody: of(requestBody, owner) }),
        responses: of(responses, owner),
      } as Operation
    }),
  )
  const schemas = mapValues(document.components.schemas ?? {}, (shape, name) => of(shape, name.replace(/Input$/, '')))
  return { ...document, paths, components: { ...document.components, schemas } }
}

function parameterWords<T extends { name: string; description?: string }>(one: T, owner: string, words: FieldWords): T {
  const description = one.description ?? wordFor(one.name, owner, words)
  return description === undefined ? one : { ...one, description }
}
