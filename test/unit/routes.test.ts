import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { errorCodes } from '../../src/domain/error-codes.ts'
import { AppError, type ErrorCode } from '../../src/domain/errors.ts'
import { routes } from '../../src/modules/index.ts'
import { addressOf, defineRoute, defineRoutes, type Route, type UnnamedRoute } from '../../src/platform/http/route.ts'
import { errorsOf } from '../../src/platform/http/route-errors.ts'
import { apiDocuments } from '../harness/api-documents.ts'
import { exportedNames } from '../harness/reach.ts'
import { withoutDatabase } from '../harness/without-database.ts'

const exportsIn = (path: string) => exportedNames(readFileSync(path, 'utf8'))

interface Refusal {
  description: string
  content: {
    'application/json'?: { schema: { allOf: { properties?: { code: { enum: string[] } } }[] } }
    'application/fhir+json'?: object
  }
}

const document = () => {
  const { paths, components } = apiDocuments.whole
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  return { operations, refusals: (components.responses ?? {}) as Record<string, Refusal> }
}

describe('a route', () => {
  it('has the name of its export, and the operation has it too: one of each', () => {
    const ids = routes.map(({ id }) => id).sort()
    expect(new Set(ids).size).toBe(ids.length)
    expect(globSync('src/{modules,extensions}/**/*routes.ts').flatMap(exportsIn).sort()).toEqual(ids)
    expect(
      document()
        .operations.map(({ operationId }) => operationId)
        .sort(),
    ).toEqual(ids)
  })

  it('is documented with every code that it is refused with, under its status, and with no other', () => {
    const { operations, refusals } = document()
    const codesOf = ($ref: string) => {
      const { content, description = '' } = refusals[$ref.replace('#/components/responses/', '')] ?? {}
      // An OperationOutcome has them too deep for an enumeration.
      if (content?.['application/fhir+json']) return [...description.matchAll(/^`(\w+)`/gm)].map(([, code]) => code)
      return content?.['application/json']?.schema.allOf.flatMap(({ properties }) => properties?.code.enum ?? [])
    }
    const documented = operations.map(({ operationId, responses }) => [
      operationId,
      Object.entries(responses).flatMap(([status, answer]) =>
        '$ref' in answer ? [[Number(status), codesOf(String(answer.$ref))]] : [],
      ),
    ])
    const declared = routes.map((route) => [route.id, [...errorsOf(route)]])
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(declared))
  })

  it('declares no refusal that follows from its other fields', () => {
    const repeated = routes.flatMap((route) => {
      const fromEdge = [...errorsOf({ ...route, errors: [] }).values()].flat()
      return (route.errors ?? []).filter((code) => fromEdge.includes(code)).map((code) => `${route.id} ${code}`)
    })
    expect(repeated).toEqual([])
  })

  it('exists for every code, but for those of a path that is none and of a method that no route takes', () => {
    const declared = new Set(routes.flatMap((route) => [...errorsOf(route).values()].flat()))
    expect(Object.keys(errorCodes).filter((code) => !declared.has(code as ErrorCode))).toEqual([
      'METHOD_NOT_ALLOWED',
      'ROUTE_NOT_FOUND',
    ])
  })

  it('is typed by its audience: who calls, which transaction, which fields', () => {
    const x = { method: 'GET', path: '/x', tag: 'X', summary: 'X', answers: { 200: z.string() } } as const
    const [business, operator, anyone] = [
      { ...x, audience: 'business' },
      { ...x, audience: 'operator' },
      { ...x, audience: 'anyone' },
    ] as const
    const ok = { status: 200, body: 'x' } as const
    const handler = async () => ok
    const wrong: UnnamedRoute[] = [
      // @ts-expect-error a transaction of all realms has no realm
      defineRoute({ ...operator, handler: async ({ tx }) => ({ ...ok, body: tx.realm.mode }) }),
      // @ts-expect-error anyone who is not signed in has no session
      defineRoute({ ...anyone, handler: async ({ session }) => ({ ...ok, body: session.userId }) }),
      // @ts-expect-error a scope of a business is none of the operator
      defineRoute({ ...operator, scope: 'kits:read', handler }),
      // @ts-expect-error the operator has no modes
      defineRoute({ ...operator, mode: 'sandbox', handler }),
      // @ts-expect-error an answer that is not declared
      defineRoute({ ...business, handler: async () => ({ ...ok, body: 7 }) }),
      // @ts-expect-error ids are taken from the shape of the answer
      defineRoute({ ...business, handler, accesses: { reads: 'kit', ids: ({ kitID }) => [kitID] } }),
      // @ts-expect-error its name is that of its export
      defineRoute({ ...business, id: 'x', handler }),
    ]
    expect(wrong).toHaveLength(7)
  })

  it('of a business and the operator is typed by both: the scope of each, and the realm that the operator finds', () => {
    const x = { method: 'GET', path: '/x', summary: 'X', params: z.object({ id: z.string() }) } as const
    const audiences = { business: { tag: 'X', scope: 'kits:read' }, operator: { tag: 'X', scope: 'lab' } } as const
    const answers = { 200: z.string() }
    const handler = async () => ({ status: 200, body: 'x' }) as const
    const realmOf = async (_: string) => ({ id: 7, businessId: 'biz', mode: 'live' }) as const
    const wrong = [
      // @ts-expect-error a scope of the operator is none of a business
      defineRoutes({ ...x, answers, handler, audiences: { ...audiences, business: { tag: 'X', scope: 'lab' } } }),
      // @ts-expect-error a scope of a business is none of the operator
      defineRoutes({ ...x, answers, handler, audiences: { ...audiences, operator: { tag: 'X', scope: 'kits:read' } } }),
      // @ts-expect-error both have a scope
      defineRoutes({ ...x, answers, handler, audiences: { ...audiences, operator: { tag: 'X' } } }),
      // @ts-expect-error one audience is a route of its own
      defineRoutes({ ...x, answers, handler, audiences: { business: audiences.business } }),
      // @ts-expect-error without `realmOf` the operator's transaction has no realm
      defineRoutes({ ...x, answers, audiences, handler: async ({ tx }) => ({ status: 200, body: tx.realm.mode }) }),
      // @ts-expect-error what the operator is asked for finds the realm, and there is no such parameter
      defineRoutes({ ...x, answers, audiences, handler, realmOf: async (_, { params }) => realmOf(params.kitID) }),
    ]
    expect(wrong).toHaveLength(6)
    const right = defineRoutes({
      ...x,
      answers,
      audiences,
      realmOf: async (_, { params }) => realmOf(params.id),
      handler: async ({ tx }) => ({ status: 200, body: tx.realm.mode }),
    })
    const { business, operator } = right
    expect([business.audience, business.scope]).toEqual(['business', 'kits:read'])
    expect([operator.audience, operator.scope]).toEqual(['operator', 'lab'])
  })
})

// Of the routes that a business and the operator have at the same path, those that two declarations make, by the business's name.
const apart: Readonly<Record<string, readonly string[]>> = {
  "the operator's answer says whose it is, a business's the name of the person": [
    'listUploads',
    'getUpload',
    'listUnassessedResults',
    'listUndeliveredKits',
    'listHeldSamples',
    'listCriticalResults',
    'listSupportAccesses',
    'endSupportAccess',
  ],
  'the operator orders no kits': ['chooseForUndeliveredKit'],
  'the operator decides about no name': ['mendHeldSample'],
  'the operator sees figures by business': ['getCriticalFigures'],
  'the operator sees as much of an order or a person as its scopes show, and what happened': [
    'getOrder',
    'getCustomer',
  ],
  'the operator gives a reason, and is answered only the ID': ['correctOrder', 'correctCustomer'],
  'a reviewer of the operator sees checks, earlier results, holds and comments': ['reviewReport'],
  'a business lists all of its reports, the operator those that wait for it': ['listReports'],
  'the operator sees what it edits, a business what it may order': ['listBiomarkers', 'listPanels'],
  'what waits for the one does not wait for the other': ['getOverview'],
  "the operator's texts are rows of another table": ['listConsentTexts', 'publishConsentText'],
  "the operator's tokens are rows of another table": [
    'listTokens',
    'createToken',
    'changeToken',
    'rotateToken',
    'revokeToken',
  ],
  'each side has roles of its own, in what is sent and in what is answered': [
    'listSsoConnections',
    'createSsoConnection',
    'changeSsoConnection',
    'removeSsoConnection',
    'inviteUser',
  ],
  'the operator sees what is of no business, too': ['listAudit'],
  'a business sees its own terms, the operator all of them and the last purges': ['getRetentionTerms'],
  'a business finds its reports, too': ['search'],
  'a business may have a file of it for the person': ['listCustomerAccesses'],
}

const shapeOf = ({ method, path }: Pick<Route, 'method' | 'path'>) =>
  `${method} ${path.replace(/^\/businesses\/:\w+(?=\/)/, '').replaceAll(/:\w+/g, ':')}`

const both = globSync('src/{modules,extensions}/**/*routes.ts').flatMap((path) =>
  [...readFileSync(path, 'utf8').matchAll(/\{\s*business: (\w+),\s*operator: \w+,?\s*\} = defineRoutes\(/g)].map(
    ([, id]) => id,
  ),
)

/** The names of routes of businesses that the operator has at the same path, and that two declarations make. */
function declaredTwice(all: readonly Route[]): string[] {
  const ofOperator = new Set(all.filter(({ audience }) => audience === 'operator').map(shapeOf))
  const ofBusiness = all.filter((one) => one.audience === 'business' && ofOperator.has(shapeOf(one)))
  return ofBusiness.map(({ id }) => id).filter((id) => !both.includes(id))
}

it('a route that a business and the operator both have is declared once, but for those that differ in more than scope, words and realm', () => {
  const message = 'Declare both with defineRoutes, or say in `apart` what differs'
  expect(declaredTwice(routes).sort(), message).toEqual(Object.values(apart).flat().sort())
  const two = ['business', 'operator'].map((audience) => ({ audience, method: 'GET', path: '/x/:id', id: 'getX' }))
  expect(declaredTwice(two as unknown as Route[])).toEqual(['getX'])
})

describe('a refusal that its route does not declare', () => {
  const refusing = (errors: ErrorCode[]): Route =>
    ({
      ...defineRoute({
        audience: 'anyone',
        method: 'GET',
        path: '/refusing',
        tag: 'X',
        summary: 'X',
        answers: { 200: z.string() },
        errors,
        handler: async () => {
          throw new AppError('KIT_NOT_FOUND', 'There is no such kit')
        },
      }),
      id: 'refusing',
    }) as Route

  it('fails in tests, and names the route', async () => {
    expect(await answerOf(refusing([]))).toMatchObject({
      status: 500,
      body: { code: 'INTERNAL', message: 'refusing refuses with an undeclared 404 KIT_NOT_FOUND' },
    })
  })

  it('and one that it declares does not', async () => {
    expect(await answerOf(refusing(['KIT_NOT_FOUND']))).toMatchObject({ status: 404, body: { code: 'KIT_NOT_FOUND' } })
  })
})

const answerOf = (route: Route) =>
  withoutDatabase({ routes: [route], checkResponses: true }, async (app) => {
    const reply = await app.inject({ method: route.method, url: addressOf(route) })
    return { status: reply.statusCode, body: reply.json() }
  })
