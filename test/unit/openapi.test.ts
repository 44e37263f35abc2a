import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { describeApi } from '../../src/cli/openapi/document.ts'
import { eventDocuments } from '../../src/cli/openapi/event-documents.ts'
import { openApiDocuments } from '../../src/cli/openapi-document.ts'
import { follow } from '../../src/docs/reference/document.ts'
import { apiWords } from '../../src/domain/api-description.ts'
import { errorCodes } from '../../src/domain/error-codes.ts'
import { fieldWords } from '../../src/domain/field-words.ts'
import { accountScope, allOperatorScopes, allScopes } from '../../src/domain/scopes.ts'
import { eventTypes } from '../../src/modules/events/event-types.ts'
import { routes } from '../../src/modules/index.ts'
import { ErrorBody } from '../../src/platform/http/error-body.ts'
import { defineRoute, type Route } from '../../src/platform/http/route.ts'
import { problemsOf, readExamples, withoutBody } from '../harness/examples/known.ts'
import { undescribed, untyped } from '../harness/openapi-gaps.ts'
import { root } from '../harness/sources.ts'

const { business, operator } = openApiDocuments()

/** A part of a document with what it refers to in its place; what holds itself is followed once. An example of a parameter may be that of another one. */
function inFull(part: unknown, document: object, within: readonly string[] = []): unknown {
  if (Array.isArray(part)) return part.map((one) => inFull(one, document, within))
  if (part === null || typeof part !== 'object') return part
  const { $ref } = part as { $ref?: string }
  if ($ref !== undefined && within.includes($ref)) return '…'
  const { $ref: _, ...whole } = follow(document, part as { $ref?: string })
  const known = $ref === undefined ? within : [...within, $ref]
  const kept = Object.entries(whole).filter(([key]) => !(key === 'example' && 'in' in whole))
  return Object.fromEntries(kept.map(([key, value]) => [key, inFull(value, document, known)]))
}
const both = { business, operator }
const examples = readExamples()

/** What no example was taken of yet; none may be added. `generate:examples` with a test of it takes it off this list. */
// A label is a picture. One flat order is never so large that it becomes a job.
const WITHOUT: readonly string[] = ['createLegacyOrder 202', 'getBoxLabel 200']

it('a token is offered for what some token can hold, and a session alone for what only people may do', () => {
  const held: readonly string[] = [...allScopes, ...allOperatorScopes]
  const operations = Object.values(both).flatMap(({ paths }) =>
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

  it.each(Object.entries(both))(
    'in the document of the %s is explained, with each parameter and field',
    (_, document) => {
      expect(undescribed(document)).toEqual([])
    },
  )

  it.each(Object.entries(both))('in the document of the %s says of what type each field is', (_, document) => {
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
    const { business } = describeApi({ routes: [route], words: { ...apiWords, fields: fieldWords } })
    expect(undescribed(business)).toEqual(['getNew thing', 'getNew.newField', 'getNew.anything'])
    expect(untyped(business)).toEqual(['getNew.anything'])
  })
})

describe('the documents', () => {
  it('name each webhook that a business may hear of, with its payload and a true example', () => {
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
    const used = new Set(Object.values(both).flatMap(({ components }) => Object.keys(components.examples ?? {})))
    expect([...used].sort()).toEqual(
      Object.keys(errorCodes)
        .filter((code) => code !== 'ROUTE_NOT_FOUND' && code !== 'METHOD_NOT_ALLOWED')
        .sort(),
    )
  })

  it('say once what they repeat, and mean the same', () => {
    const { whole } = openApiDocuments()
    for (const [path, one] of Object.entries(whole.paths)) {
      const document = path.startsWith('/operator') ? operator : business
      expect([path, inFull(document.paths[path], document)]).toEqual([path, inFull(one, whole)])
    }
  })

  it('are small: under 1.02 MB together, that for businesses under 620 kB, and the examples under 500 kB', () => {
    const bytes = (...files: string[]) => files.reduce((sum, file) => sum + readFileSync(join(root, file)).length, 0)
    expect(bytes('openapi.json', 'openapi-operator.json')).toBeLessThan(1_020_000)
    expect(bytes('openapi.json')).toBeLessThan(620_000)
    expect(bytes('test/examples.json')).toBeLessThan(500_000)
  })

  it('hold nothing twice: what is sent has a shape of its own only where it differs from what is answered', () => {
    for (const { components, paths } of Object.values(both)) {
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
