import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PostmanCollection, PostmanItem } from '../../src/cli/openapi/postman.ts'
import { openApiDocuments } from '../../src/cli/openapi-document.ts'
import { callKitlane } from '../harness/in-process.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
beforeAll(async () => {
  world = await sharedWorld()
  clinic = await world.business()
})
afterAll(() => world.stop())

async function collection(...more: string[]): Promise<PostmanCollection> {
  const { code, stdout } = await callKitlane(['openapi', '--postman', ...more], {}, tmpdir())
  expect(code).toBe(0)
  return JSON.parse(stdout)
}
const requestsOf = ({ item }: PostmanCollection) => item.flatMap((folder) => folder.item)
const isText = (value: unknown) => typeof value === 'string'

/** What is wrong with an item by the schema of collections, v2.1, and by Postman's ways of filling in variables. */
function problemsOf({ name, request, response }: PostmanItem): string[] {
  const { method, url, header, body, description } = request
  const entries = [...header, ...url.query, ...url.variable]
  const named = new Set(url.variable.map(({ key }) => key))
  const used = url.path.filter((segment) => segment.startsWith(':')).map((segment) => segment.slice(1))
  const enabled = url.query.filter(({ disabled }) => !disabled).map(({ key }) => key)
  const bodyIsJson = () => JSON.parse(body?.raw ?? 'null') !== undefined
  const checks: [string, boolean][] = [
    ['name', isText(name) && name !== ''],
    ['method', ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method)],
    ['description', isText(description)],
    ['response', Array.isArray(response)],
    ['entries', entries.every(({ key, value }) => isText(key) && key !== '' && isText(value))],
    ['path variables', used.length === named.size && used.every((one) => named.has(one))],
    ['host', url.host.join('.') === '{{baseUrl}}'],
    ['raw', url.raw.split('?')[0] === ['{{baseUrl}}', ...url.path].join('/')],
    ['raw query', [...new URLSearchParams(url.raw.split('?')[1]).keys()].join() === enabled.join()],
    ['body', !body || (body.mode === 'raw' && body.options.raw.language === 'json' && bodyIsJson())],
    ['no body of a GET', method !== 'GET' || !body],
  ]
  return checks.flatMap(([what, holds]) => (holds ? [] : [`${name}: ${what}`]))
}

/** The method and path that a request has once it is filled in. */
function resolved({ request: { method, url } }: PostmanItem): string {
  const values = new Map(url.variable.map(({ key, value }) => [key, value]))
  const path = url.path.map((segment) => (segment.startsWith(':') ? (values.get(segment.slice(1)) ?? '') : segment))
  return `${method} /${path.join('/')}`
}

it('kitlane openapi --postman is a collection of format 2.1: every request that a token can make, in folders by subject', async () => {
  for (const [document, flags] of [
    [openApiDocuments().business, []],
    [openApiDocuments().operator, ['--operator']],
  ] as const) {
    const made = await collection(...flags)
    expect(made.info.schema).toBe('https://schema.getpostman.com/json/collection/v2.1.0/collection.json')
    expect(made.auth.apikey.map(({ key, value }) => [key, value])).toEqual([
      ['key', 'Authorization'],
      ['value', 'Token {{token}}'],
      ['in', 'header'],
    ])
    expect(made.variable.map(({ key, value }) => [key, value])).toEqual([
      ['baseUrl', 'http://localhost:8080'],
      ['token', ''],
    ])
    expect(made.item.every(({ name, item }) => isText(name) && item.length > 0)).toBe(true)
    const items = requestsOf(made)
    expect(items.flatMap(problemsOf)).toEqual([])
    const variables = new Set(JSON.stringify(made.item).match(/\{\{[^}]+\}\}/g))
    expect(variables).toEqual(new Set(['{{baseUrl}}', '{{$guid}}']))

    // A fixed path wins over one with a parameter, as in the router.
    const routes = Object.entries(document.paths)
      .flatMap(([path, methods]) => Object.entries(methods).map(([method, route]) => ({ path, method, route })))
      .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)
    const found = items.map((item) => {
      const asked = resolved(item)
      return routes.find(({ path, method }) => {
        const pattern = path.replaceAll(/[$.]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')
        return new RegExp(`^${method.toUpperCase()} ${pattern}$`).test(asked)
      })?.route
    })
    const tokenRoutes = routes.filter(
      ({ route }) =>
        !route.deprecated &&
        (route.security as { token?: string[] }[]).some(({ token }) => token && !token.includes('account:admin')),
    )
    const ids = (all: readonly unknown[]) => all.map((one) => (one as { operationId?: string })?.operationId).toSorted()
    expect(ids(found)).toEqual(ids(tokenRoutes.map(({ route }) => route)))
    expect(items.filter(({ request: { body } }) => body).length).toBeGreaterThan(20)
  }
})

it('kitlane openapi prints each of the three documents', async () => {
  for (const [flags, path] of [
    [[], '/api/v1/create-order'],
    [['--dashboard'], '/api/v1/session'],
    [['--operator'], '/operator/v1/businesses'],
  ] as const) {
    const { code, stdout } = await callKitlane(['openapi', ...flags], {}, tmpdir())
    expect([code, Object.keys(JSON.parse(stdout).paths)]).toEqual([0, expect.arrayContaining([path])])
  }
})

it('each reading request of the collection is answered when it is sent as it stands, and an order is quoted', async () => {
  const items = requestsOf(await collection('--url', `${world.service.url}/`))
  const send = ({ request: { method, url, header, body } }: PostmanItem) =>
    fetch(url.raw.replace('{{baseUrl}}', world.service.url), {
      method,
      headers: {
        Authorization: `Token ${clinic.sandboxToken}`,
        ...Object.fromEntries(header.map(({ key, value }) => [key, value.replace('{{$guid}}', crypto.randomUUID())])),
      },
      ...(body && { body: body.raw }),
    })
  const plain = items.filter(({ request: { method, url } }) => method === 'GET' && url.variable.length === 0)
  expect(plain.length).toBeGreaterThan(25)
  const answers = await Promise.all(plain.map(async (item) => [item.name, (await send(item)).status]))
  expect(answers.filter(([, status]) => status !== 200)).toEqual([])
  const quote = items.find(({ request }) => request.url.path.at(-1) === 'quotes')
  expect((await send(quote as PostmanItem)).status).toBe(200)
})
