import { errorCodes } from '../../domain/error-codes.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import { ErrorBody } from '../../platform/http/error-body.ts'
import { OperationOutcome } from '../../platform/http/fhir.ts'
import { addressOf, FHIR_PATH, isFhir, prefixes, type Route } from '../../platform/http/route.ts'
import { errorsOf } from '../../platform/http/route-errors.ts'
import { type Examples, noExamples } from './examples.ts'
import { withExtensions, withOneCopy } from './extending.ts'
import { headers } from './headers.ts'
import { isShape, jsonSchemas, mapValues, renamed } from './json-schemas.ts'
import { lenientShape, type Shape } from './lenient-shape.ts'
import type { OpenApi, Operation, Section } from './open-api.ts'
import { operationOf } from './operation.ts'
import { asPublished } from './published.ts'
import { refusal, refusalExample, refusalName } from './refusals.ts'
import { shared } from './sharing.ts'
import { type DocumentedEvents, webhookHeaders, webhookOf } from './webhooks.ts'

/** `dashboard`: what no token may call, since it is about people who sign in. */
export type DocumentName = 'business' | 'dashboard' | 'operator'

/** What fields are, by name, or by `Owner.name` where that says more: an owner is a named shape or an operation. */
type FieldWords = Readonly<Record<string, string>>

/** Gives each field that has no description the words for it. */
function withWords(shape: Shape, owner: string, words: FieldWords): Shape {
  return mapValues(shape, (value, key) => {
    if (key === 'properties') {
      return mapValues(value as Record<string, Shape>, (field, name) => described(field, name, owner, words))
    }
    if (Array.isArray(value)) return value.map((one) => (isShape(one) ? withWords(one, owner, words) : one))
    return isShape(value) && key !== 'default' ? withWords(value, owner, words) : value
  })
}

function described(field: Shape, name: string, owner: string, words: FieldWords): Shape {
  const inner = withWords(field, owner, words)
  const description = field.description ?? wordFor(name, owner, words)
  return description === undefined ? inner : { description, ...inner }
}

const wordFor = (name: string, owner: string, words: FieldWords): string | undefined =>
  own(words, `${owner}.${name}`) ?? own(words, name)

const own = (words: FieldWords, key: string) => (Object.hasOwn(words, key) ? words[key] : undefined)

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

const SECTIONS = ['schemas', 'responses', 'parameters']

/**
 * One of several documents: what few places of this one refer to stands in them, where that is shorter. `known`: names of shapes
 * that stay, because the code has them.
 */
export function inlineSingleUseComponents(document: OpenApi, known: ReadonlySet<string>): OpenApi {
  const text = JSON.stringify(document)
  const singleUse = new Map<string, unknown>()
  const isSingleUse = (section: string, name: string, part: unknown): boolean => {
    const $ref = `#/components/${section}/${name}`
    const uses = text.split(`"${$ref}"`).length - 1
    const [length, reference] = [JSON.stringify(part).length, JSON.stringify({ $ref }).length]
    const isShorter = uses * length <= length + name.length + uses * reference
    if (isShorter && !(section === 'schemas' && known.has(name))) singleUse.set($ref, part)
    return singleUse.has($ref)
  }
  const components = mapValues(document.components, (parts, section) =>
    SECTIONS.includes(section)
      ? Object.fromEntries(Object.entries(parts).filter(([name, part]) => !isSingleUse(section, name, part)))
      : parts,
  )
  if (singleUse.size === 0) return document
  const inlined = <T>(value: T): T => {
    if (Array.isArray(value)) return value.map(inlined) as T
    if (!isShape(value)) return value
    const inner = mapValues(value as Record<string, unknown>, inlined)
    const { $ref, ...beside } = inner
    if (typeof $ref !== 'string' || !singleUse.has($ref)) return inner as T
    return { ...(inlined(singleUse.get($ref)) as object), ...beside } as T
  }
  // A component that one of them contained may have a single use now.
  return inlineSingleUseComponents(inlined({ ...document, components }), known)
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

const pathOf = (route: Route): string => addressOf(route).replaceAll(/:(\w+)/g, '{$1}')

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
