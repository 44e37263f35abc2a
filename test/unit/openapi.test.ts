import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { describeApi } from '../../src/cli/openapi/document.ts'
import type { OpenApi, Operation } from '../../src/cli/openapi/open-api.ts'
import { eventDocuments } from '../../src/cli/openapi-document.ts'
import { follow } from '../../src/docs/reference/document.ts'
import { apiWords } from '../../src/domain/api-description.ts'
import { errorCodes } from '../../src/domain/error-codes.ts'
import { fieldWords } from '../../src/domain/field-words.ts'
import { accountScope, allOperatorScopes, allScopes } from '../../src/domain/scopes.ts'
import { tagsOf } from '../../src/modules/define-module.ts'
import { eventTypes } from '../../src/modules/events/event-types.ts'
import { modules, routes } from '../../src/modules/index.ts'
import { ErrorBody } from '../../src/platform/http/error-body.ts'
import { defineRoute, type Route } from '../../src/platform/http/route.ts'
import { errorsOf } from '../../src/platform/http/route-errors.ts'
import { apiDocuments } from '../harness/api-documents.ts'
import { problemsOf, readExamples, withoutBody } from '../harness/examples/known.ts'
import { undescribed, untyped } from '../harness/openapi-gaps.ts'
import { root } from '../harness/sources.ts'

const { business, dashboard, operator, whole } = apiDocuments

/** A part of a document with what it refers to in its place; what holds itself is followed once. An example of a parameter may be that of another one. */
function inFull(part: unknown, document: object, within: readonly string[] = []): unknown {
  if (Array.isArray(part)) return part.map((one) => inFull(one, document, within))
  if (part === null || typeof part !== 'object') return part
  const { $ref } = part as { $ref?: string }
  if ($ref !== undefined && within.includes($ref)) return '…'
  const { $ref: _, ...whole } = follow(document, part as { $ref?: string })
  const known = $ref === undefined ? within : [...within, $ref]
  const kept = Object.entries(whole).filter(([key]) => !(key === 'example' && 'in' in whole))
  return asOneObject(Object.fromEntries(kept.map(([key, value]) => [key, inFull(value, document, known)])))
}

type Objects = { properties: Record<string, unknown>; required?: string[] }[]

/** A shape that is another one with more fields, as one; which fields are required in the order of their names. */
function asOneObject({ allOf, ...rest }: Record<string, unknown>): Record<string, unknown> {
  const parts = (allOf ?? []) as Objects
  const required = [rest, ...parts].flatMap((one) => (Array.isArray(one.required) ? one.required : [])).sort()
  const properties = Object.assign({}, ...parts.map((one) => one.properties))
  return {
    ...rest,
    ...(allOf !== undefined && { type: 'object', properties }),
    ...(required.length > 0 && { required }),
  }
}

type Answer = { $ref?: string; description?: string; content?: Record<string, { schema: { allOf?: CodeShape[] } }> }
type CodeShape = { properties?: { code?: { enum?: string[] } } }

/** The codes of each status that an operation declares; those of a range stand in the lines of its description. */
function codesByStatus(responses: object, document: OpenApi): Record<string, string[]> {
  const refused = Object.entries(responses as Record<string, Answer>)
    .filter(([status]) => /^[45]/.test(status))
    .map(([status, answer]) => [status, follow(document, answer) as Answer] as const)
  const own = refused.filter(([status]) => !status.endsWith('XX'))
  const inLines = refused.flatMap(([range, { description = '', content }]) => {
    if (!range.endsWith('XX')) return []
    const lines = description.split('\n').map((line) => [line.slice(0, 3), codesIn(line)] as const)
    expect(lines.filter(([status]) => status[0] !== range[0])).toEqual([])
    const shape = content?.['application/json']?.schema
    if (shape) expect(enumOf(shape)).toEqual(lines.flatMap(([, codes]) => codes))
    return lines
  })
  return Object.fromEntries([
    ...inLines,
    ...own.map(([status, { description = '', content }]) => {
      const shape = content?.['application/json']?.schema
      if (shape) expect(enumOf(shape)).toEqual(codesIn(description))
      return [status, codesIn(description)] as const
    }),
  ])
}

const codesIn = (text: string) => [...text.matchAll(/`([A-Z_]+)`/g)].map(([, code = '']) => code)
const enumOf = ({ allOf = [] }: { allOf?: CodeShape[] }) =>
  allOf.flatMap(({ properties }) => properties?.code?.enum ?? [])

/** An operation in full, but for its refusals, its scope in words, and sessions where a token will do. */
function meant(operation: Operation | undefined, document: OpenApi): unknown {
  if (!operation) return undefined
  const { responses, security, description, ...rest } = operation
  const answered = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const mayBeToken = security.some((way) => 'token' in way) && !operation.tags[0]?.startsWith('Operator')
  return {
    ...(inFull(rest, document) as object),
    description: description.replace(/\n\nScope: .*$/, ''),
    security: security.filter((way) => !mayBeToken || 'token' in way),
    responses: inFull(Object.fromEntries(answered), document),
  }
}
const all = { business, dashboard, operator }
const examples = readExamples()

/** What no example was taken of yet; none may be added. `generate:examples` with a test of it takes it off this list. */
// A label is a picture. One flat order is never so large that it becomes a job.
const WITHOUT: readonly string[] = ['createLegacyOrder 202', 'getBoxLabel 200']

it('a token is offered for what some token can hold, and a session alone for what only people may do', () => {
  const held: readonly string[] = [...allScopes, ...allOperatorScopes]
  const operations = Object.values(all).flatMap(({ paths }) =>
    Object.values(
      paths as Record<string, Record<string, { operationId: string; security: Record<string, string[]>[] }>>,
    ),
  )
  const ways = operations
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId, security }) =>
      security.flatMap((way) => Object.entries(way).map(([scheme, scopes]) => ({ operationId, scheme, scopes }))),
    )
  const offered = ways.filter(({ scheme }) => scheme === 'token')
  expect(offered.filter(({ scopes }) => scopes.some((scope) => !held.includes(scope)))).toEqual([])
  expect(ways).toContainEqual({ operationId: 'listUsers', scheme: 'session', scopes: [accountScope] })
})

describe('every route', () => {
  it('has a true example of its request and of each answer; `npm run generate:examples -- <a test of it>` takes one', () => {
    const missing = routes.flatMap((route) => {
      const bare = withoutBody(route)
      const example = examples.routes[route.id]
      const wanted = Object.keys(route.answers).filter((status) => !bare.includes(status))
      const unanswered = wanted.filter((status) => example?.answers[status] === undefined)
      const unasked = route.body && example?.request === undefined && !route.body.safeParse(undefined).success
      return [...unanswered.map((status) => `${route.id} ${status}`), ...(unasked ? [`${route.id} request`] : [])]
    })
    expect(missing).toEqual(WITHOUT)
  })

  it('still takes and answers what its example shows', () => {
    const shown = routes.flatMap((route) => {
      const example = examples.routes[route.id]
      return example ? problemsOf(route, example) : []
    })
    expect(shown).toEqual([])
    const ids = new Set(routes.map(({ id }) => id))
    expect(Object.keys(examples.routes).filter((id) => !ids.has(id))).toEqual([])
  })

  it('an example that a route has outgrown is found', () => {
    const route = routes.find(({ id }) => id === 'getCredits') as Route
    const of = (answer: unknown) => problemsOf(route, { answers: { 200: answer } }).join()
    expect(of([{ type: 'CORE', credits: 3 }])).toBe('')
    expect(of([{ type: 'CORE', credits: 'many' }])).toContain('the answer 200 does not fit')
    expect(of([{ type: 'CORE', credits: 3, left: 3 }])).toContain('the answer 200 has fields that are gone')
  })

  it.each(Object.entries(all))(
    'in the document of the %s is explained, with each parameter and field',
    (_, document) => {
      expect(undescribed(document)).toEqual([])
    },
  )

  it.each(Object.entries(all))('in the document of the %s says of what type each field is', (_, document) => {
    // What was kept as it came, and two lists that are always empty.
    const open = ['axes', 'suggestions', 'labParamsError', 'biomarker[]', 'payload'].map(
      (name) => `CustomerExport.${name}`,
    )
    const empty = ['Report', 'ReviewedReport'].flatMap((name) => [`${name}.wearable[]`, `${name}.actionsState[]`])
    expect(untyped(document).filter((name) => ![...open, ...empty].includes(name))).toEqual([])
  })

  it('a new one without words is found', () => {
    const route = {
      ...defineRoute({
        audience: 'business',
        method: 'GET',
        path: '/new/:thing',
        tag: 'Kits',
        summary: 'New',
        params: z.object({ thing: z.string() }),
        answers: { 200: z.object({ newField: z.string(), anything: z.unknown() }) },
        handler: async () => ({ status: 200, body: { newField: '', anything: 1 } }),
      }),
      id: 'getNew',
    } as Route
    const { business } = describeApi({
      routes: [route],
      words: { ...apiWords, tags: tagsOf(modules), fields: fieldWords },
    })
    expect(undescribed(business)).toEqual(['getNew thing', 'getNew.newField', 'getNew.anything'])
    expect(untyped(business)).toEqual(['getNew.anything'])
  })
})

describe('the documents', () => {
  it('name each webhook that a business may hear of, with its payload and a true example', () => {
    const declared = modules.flatMap(({ events = {} }) => Object.keys(events))
    expect(declared.toSorted(), 'each by one module').toEqual([...eventTypes, 'webhook.test'].toSorted())
    expect(Object.keys(business.webhooks ?? {}).sort()).toEqual([...eventTypes, 'webhook.test'].sort())
    const wrong = Object.entries(eventDocuments).flatMap(([type, { body }]) => {
      const parsed = body.safeParse(examples.events[type])
      return parsed.success ? [] : [`${type}: ${parsed.error.message}`]
    })
    expect(wrong).toEqual([])
    expect(operator.webhooks).toBeUndefined()
  })

  it('show each error code once, as it is answered', () => {
    const wrong = Object.entries(examples.errors).filter(([code, body]) => ErrorBody.parse(body).code !== code)
    expect(wrong).toEqual([])
    expect(Object.keys(examples.errors).filter((code) => !(code in errorCodes))).toEqual([])
    const used = new Set(Object.values(all).flatMap(({ components }) => Object.keys(components.examples ?? {})))
    expect([...used].sort()).toEqual(
      Object.keys(errorCodes)
        .filter((code) => code !== 'ROUTE_NOT_FOUND' && code !== 'METHOD_NOT_ALLOWED')
        .sort(),
    )
  })

  it('hold each route once: for businesses what a token may call, for the dashboard what only a session may', () => {
    const operationsOf = ({ paths }: OpenApi) =>
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, path, ...operation })),
      )
    const published = Object.values(all).flatMap((one) => operationsOf(one).map(({ name }) => name))
    expect(published.sort()).toEqual(
      operationsOf(whole)
        .map(({ name }) => name)
        .sort(),
    )
    const mayBeToken = ({ security }: { security: object[] }) => security.some((way) => 'token' in way)
    expect(operationsOf(dashboard).filter(mayBeToken)).toEqual([])
    const open = operationsOf(business).filter((one) => !mayBeToken(one))
    expect(open.map(({ path }) => path)).toEqual(['/fhir/metadata'])
    expect(operationsOf(operator).filter(({ path }) => !path.startsWith('/operator/'))).toEqual([])
  })

  it('say once what they repeat, and mean the same', () => {
    for (const document of Object.values(all))
      for (const [path, methods] of Object.entries(document.paths))
        for (const [method, operation] of Object.entries(methods)) {
          const said = meant(operation, document)
          expect([path, method, said]).toEqual([path, method, meant(whole.paths[path]?.[method], whole)])
        }
  })

  it('tell every code that a route is refused with, under its status or in the line for it of a range', () => {
    const told = Object.values(all).flatMap((document) =>
      Object.values(document.paths)
        .flatMap((methods) => Object.values(methods))
        .map(({ operationId, responses }) => [operationId, codesByStatus(responses, document)]),
    )
    expect(Object.fromEntries(told)).toEqual(
      Object.fromEntries(routes.map((route) => [route.id, Object.fromEntries(errorsOf(route))])),
    )
  })

  it('have no pattern that JavaScript reads otherwise without a flag, and no shape that is one constant and any fields', () => {
    const wrong = (text: string) => [
      ...text.matchAll(
        /"pattern":"[^"]*\\\\p\{|"properties":\{"\w+":\{[^{}]*"const":[^{}]*\}\},"required":\["\w+"\],"additionalProperties"/g,
      ),
    ]
    for (const document of [business, operator, dashboard])
      expect(wrong(JSON.stringify(document)).map(String)).toEqual([])
    const [pattern, shape] = [
      { pattern: '\\p{L}' },
      { properties: { a: { const: 1 } }, required: ['a'], additionalProperties: {} },
    ]
    expect(wrong(JSON.stringify([pattern, shape]))).toHaveLength(2)
  })

  it('are small: under 3.1 kB an operation together, that for businesses under 3.4 kB, and the examples under 500 kB', () => {
    const bytes = (...files: string[]) => files.reduce((sum, file) => sum + readFileSync(join(root, file)).length, 0)
    const operations = ({ paths }: (typeof all)[keyof typeof all]) =>
      Object.values(paths).reduce((sum, path) => sum + Object.keys(path ?? {}).length, 0)
    const total = Object.values(all).reduce((sum, document) => sum + operations(document), 0)
    expect(bytes('openapi.json', 'openapi-dashboard.json', 'openapi-operator.json') / total).toBeLessThan(3_100)
    expect(bytes('openapi.json') / operations(all.business)).toBeLessThan(3_400)
    expect(bytes('test/examples.json')).toBeLessThan(500_000)
  })

  it('hold nothing twice: what is sent has a shape of its own only where it differs from what is answered', () => {
    for (const { components, paths } of Object.values(all)) {
      const schemas = components.schemas ?? {}
      const twice = Object.keys(schemas).filter(
        (name) =>
          JSON.stringify(schemas[name]) === JSON.stringify(schemas[name.replace(/Input$/, '')]) && /Input$/.test(name),
      )
      expect(twice).toEqual([])
      expect(JSON.stringify(paths)).not.toContain('Default Response')
    }
  })
})
