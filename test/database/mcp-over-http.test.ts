import { request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Scope } from '../../src/domain/scopes.ts'
import { createToken } from '../../src/modules/identity/tokens.ts'
import { createIsolationFixtures, type IsolationFixtures } from '../harness/isolation-fixtures.ts'
import { address, anOrder, aRow, CORE } from '../harness/orders.ts'
import { person, signIn } from '../harness/people.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
let realm: IsolationFixtures
let url: string
const open: Client[] = []

beforeAll(async () => {
  world = await sharedWorld()
  clinic = await world.business()
  realm = await createIsolationFixtures(world, clinic, 'live')
  url = `${world.service.url}/mcp`
})
afterEach(async () => {
  for (const client of open.splice(0)) await client.close()
})
afterAll(() => world.stop())

/** An assistant's application, by the SDK's own client. `options` are the address's. */
async function assistant(token: string, options = '', headers: Record<string, string> = {}) {
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { Authorization: `Bearer ${token}`, ...headers } }
  await client.connect(new StreamableHTTPClientTransport(new URL(url + options), { requestInit }))
  open.push(client)
  const call = async (name: string, given: Record<string, unknown> = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: given })
    const [text = ''] = (content as { text: string }[]).map((one) => one.text)
    return { isError: isError as boolean, text, body: isError ? undefined : JSON.parse(text) }
  }
  const names = async () => (await client.listTools()).tools.map(({ name }) => name)
  return { client, call, names }
}

async function tokenWith(scopes: Scope[], addresses?: string[]): Promise<string> {
  const { token } = await world.service.database.asSystem({ name: 'cli' }, (tx) =>
    createToken(tx, realm.realm, { name: scopes.join(), scopes, addresses }),
  )
  return token
}

const ACCEPT = 'application/json, text/event-stream'
const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

/** A request to /mcp as it is written here, headers that `fetch` decides itself among them. */
function send(method: string, headers: Record<string, string>, body?: unknown, options = '') {
  return new Promise<{ status: number; headers: Headers; body: { code?: string } & Record<string, unknown> }>(
    (resolve, reject) => {
      const written = body === undefined ? '' : JSON.stringify(body)
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      const sent = httpRequest(url + options, { method, headers: { accept: ACCEPT, ...type, ...headers } })
      sent.on('error', reject)
      sent.on('response', async (response) => {
        const given = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)])
        const answer = await text(response)
        resolve({ status: response.statusCode ?? 0, headers: new Headers(given), body: answer && JSON.parse(answer) })
      })
      sent.end(written)
    },
  )
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe('the service’s own address for assistants', () => {
  it('offers the tools that the scopes of the token reach', async () => {
    const { client, names } = await assistant(await tokenWith(['orders:read']))
    expect(await names()).toEqual(expect.arrayContaining(['verifyToken', 'getOrder', 'listOrders', 'getOverview']))
    expect(await names()).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/createOrder|createQuote|listKits|Customer|Report|payOrder/)]),
    )
    expect(client.getInstructions()).toContain(clinic.name)
    expect(client.getInstructions()).toContain('live: orders cost money')
    const { names: all } = await assistant(clinic.liveToken)
    expect(await all()).toEqual(expect.arrayContaining(['createQuote', 'createOrder', 'createCustomer', 'getReport']))
  })

  it('answers with identifiers, and shows data of people where its address asks for it and the token may read it', async () => {
    const id = realm.objects.customer[0]
    const { call } = await assistant(clinic.liveToken)
    const hidden = await call('getCustomer', { id })
    expect(hidden.isError, hidden.text).toBe(false)
    expect(hidden.body.dateOfBirth).toBe('[hidden]')
    const order = await call('getOrder', { id: realm.objects.order[0] })
    expect(order.body).toMatchObject({ orderID: realm.objects.order[0], recipientName: '[hidden]' })
    expect(order.text).not.toContain(address.street1)
    const shown = await assistant(clinic.liveToken, '?personalData=true')
    expect((await shown.call('getCustomer', { id })).body.dateOfBirth).toBe('1980-02-29')
    const limited = await assistant(await tokenWith(['orders:read']), '?personalData=true')
    const refused = await limited.call('getCustomer', { id })
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringMatching(/customers:read.*\(FORBIDDEN, request/),
    })
  })

  it('with readOnly changes nothing', async () => {
    const { client, call } = await assistant(clinic.liveToken, '?readOnly=true')
    const { tools } = await client.listTools()
    expect(tools.length).toBeGreaterThan(30)
    expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint)).toEqual([])
    expect((await call('cancelOrder', { id: realm.objects.order[0] })).isError).toBe(true)
    expect((await call('createQuote', { body: anOrder() })).body.quoteID).toBeUndefined()
  })

  it('tells a mistake in the words of the service, with each field', async () => {
    const { call } = await assistant(clinic.liveToken)
    expect((await call('getOrder', { id: 'O00000000' })).text).toMatch(/\(ORDER_NOT_FOUND, request [\w-]+\)/)
    const wrong = await call('createQuote', { body: { ...anOrder(), recipient: { first_name: 'Ada' } } })
    expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('recipient.last_name') })
  })
})

describe('an order of an assistant over HTTP', () => {
  const ordersNow = async (): Promise<number> => (await clinic.live.get('/orders')).body.pagination.total

  it('is made of the quote that it was priced with, once, and waits for a person to pay it', async () => {
    const { call } = await assistant(clinic.liveToken)
    const orders = await ordersNow()
    const quoted = await call('createQuote', { body: anOrder({ kit_types: [{ kitType: CORE, quantity: 2 }] }) })
    expect(quoted.body).toMatchObject({ valid: true, outcome: 'placed', kits: 2, credits: [{ type: CORE, needed: 2 }] })
    expect(await ordersNow()).toBe(orders)
    const { quoteID } = quoted.body
    const [placed, again] = [await call('createOrder', { quoteID }), await call('createOrder', { quoteID })]
    expect(placed.body).toEqual({ orderId: expect.stringMatching(/^O/), pending: true })
    expect(again.body).toEqual(placed.body)
    expect(await ordersNow()).toBe(orders + 1)
  })

  it('is not placed without a quote of the same business and mode', async () => {
    const [live, sandbox] = [await assistant(clinic.liveToken), await assistant(clinic.sandboxToken)]
    const { quoteID } = (await live.call('createQuote', { body: anOrder() })).body
    for (const given of [{ quoteID }, {}, { body: anOrder() }]) {
      const refused = await sandbox.call('createOrder', given)
      expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('no such quote') })
    }
    expect((await clinic.sandbox.get('/orders')).body.pagination.total).toBe(0)
  })

  it('may have hundreds of rows', async () => {
    const { call } = await assistant(clinic.liveToken, '', { 'accept-encoding': 'identity' })
    const note = 'x'.repeat(200)
    const rows = Array.from({ length: 300 }, () => aRow({ street2: note.slice(0, 90) }))
    expect(JSON.stringify(rows).length).toBeGreaterThan(64 * 1024)
    const { body } = await call('createQuote', { body: { bulkUploadData: rows } })
    expect(body.rows).toHaveLength(300)
  })
})

describe('a call of an assistant over HTTP', () => {
  it('is in the log of requests, and what it reads of people in the audit, under the token', async () => {
    const token = await tokenWith(['customers:read', 'requests:read'])
    const { call } = await assistant(token, '', { 'x-request-id': 'chat-7' })
    const customer = realm.objects.customer[0]
    await call('getCustomer', { id: customer })
    const log = async () => (await world.as(token).get('/request-log?requestID=chat-7')).body.data
    await expect.poll(async () => (await log()).length).toBeGreaterThan(0)
    expect(await log()).toEqual([
      expect.objectContaining({
        method: 'GET',
        route: '/api/v1/customers/{id}',
        status: 200,
        callerRequestID: 'chat-7',
        token: expect.objectContaining({ name: 'customers:read,requests:read' }),
      }),
    ])
    await world.settled()
    const who = { kind: 'business', role: 'API token', name: 'customers:read,requests:read' }
    await expect
      .poll(async () => (await realm.admin.get(`/customers/${customer}/accesses`)).body.data)
      .toContainEqual(expect.objectContaining({ who, data: 'record', did: 'read', operation: 'getCustomer' }))
  })

  it('counts towards the limit of its token', async () => {
    const token = await tokenWith(['orders:read'])
    const left = async () => {
      const { headers } = await world.as(token).get('/verify-token')
      return Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
    }
    const { call } = await assistant(token)
    const before = await left()
    await call('listOrders')
    await call('listOrders')
    expect(await left()).toBe(before - 3)
  })

  it('comes from the address of the application: a token for other addresses is refused', async () => {
    const token = await tokenWith(['orders:read'], ['203.0.113.7/32'])
    const { call } = await assistant(token, '', { 'x-forwarded-for': '203.0.113.7' })
    expect((await call('listOrders')).isError).toBe(false)
    const elsewhere = { ...bearer(token), 'x-forwarded-for': '203.0.113.8' }
    expect(await send('POST', elsewhere, listing)).toMatchObject({ status: 403, body: { code: 'ADDRESS_NOT_ALLOWED' } })
  })
})

describe('the address for assistants is refused', () => {
  it('without a token of a business, with the way to send one', async () => {
    const wrong = bearer(`kl_live_${'w'.repeat(32)}`)
    for (const headers of [{}, wrong, bearer('')]) {
      const answer = await send('POST', headers, listing)
      expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    }
    await expect(assistant(`kl_live_${'w'.repeat(32)}`)).rejects.toThrow(/401|UNAUTHORIZED/)
  })

  it('to who is signed in: a session is no token', async () => {
    const who = await person(world, 'business-admin', clinic)
    const { cookie } = await signIn(world, who)
    const headers = { cookie, 'kitlane-realm': `${clinic.id}/live`, 'sec-fetch-site': 'same-origin' }
    expect((await send('POST', headers, listing)).status).toBe(401)
  })

  it('to a page of another site, also to one that DNS led here', async () => {
    const own = { ...bearer(clinic.liveToken), origin: world.service.url }
    expect((await send('POST', own, listing)).status).toBe(200)
    expect((await send('POST', bearer(clinic.liveToken), listing)).status).toBe(200)
    const evil = 'evil.example:8080'
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: `http://${evil}`, host: evil },
      { origin: 'null' },
    ]
    for (const headers of foreign) {
      for (const token of [bearer(clinic.liveToken), {}]) {
        const answer = await send('POST', { ...token, ...headers }, listing)
        expect(answer, JSON.stringify(headers)).toMatchObject({ status: 403, body: { code: 'CROSS_SITE' } })
      }
    }
  })

  it('with other methods than POST: it keeps no session and sends no stream', async () => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await send(method, bearer(clinic.liveToken))
      expect(answer).toMatchObject({ status: 405, body: { code: 'METHOD_NOT_ALLOWED' } })
      expect(answer.headers.get('allow')).toBe('OPTIONS, POST')
    }
  })

  it('with a list of messages, an option that it does not know, or another way to read answers', async () => {
    const own = bearer(clinic.liveToken)
    expect(await send('POST', own, [listing, listing])).toMatchObject({ body: { code: 'VALIDATION_FAILED' } })
    for (const options of ['?readonly=true', '?readOnly=yes', '?personalData']) {
      expect(await send('POST', own, listing, options)).toMatchObject({ body: { code: 'VALIDATION_FAILED' } })
    }
    expect((await send('POST', { ...own, accept: 'text/html' }, listing)).status).toBe(406)
  })
})
