import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { afterEach, expect, it } from 'vitest'
import { openRemoteMcp } from '../../src/cli/remote/mcp.ts'
import { allScopes } from '../../src/domain/scopes.ts'
import { httpReceiver } from '../harness/receivers.ts'

interface Sent {
  route: string
  key: string | undefined
  body: unknown
}
type Answer = object | 'cut'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const quoted = { valid: true, kits: 1, outcome: 'placed', payment: 'credits', credits: [{ type: 'A', needed: 1 }] }

/** A session with a service below a path of its own, that answers each route with the next of its answers. */
async function session(answers: Record<string, Answer[]>) {
  const sent: Sent[] = []
  let nowMs = 0
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    const route = `${request.method} ${request.url}`
    const body = await text(request)
    sent.push({ route, key: request.headers['idempotency-key'] as string | undefined, body: body && JSON.parse(body) })
    const verified = { message: 'OK', mode: 'sandbox', business: { id: 'biz_1', name: 'Clinic' }, scopes: allScopes }
    const answer = route === 'GET /kits/api/v1/verify-token' ? verified : answers[route]?.shift()
    if (answer === 'cut' || !answer) request.socket.destroy()
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }
  const peer = await httpReceiver((request, response) => void listener(request, response))
  const baseUrl = `http://127.0.0.1:${peer.port}/kits/`
  const options = { baseUrl, token: 'kl_test_1', personalData: false, readOnly: false }
  const mcp = await openRemoteMcp(options, () => nowMs)
  const client = new Client({ name: 'test', version: '1' })
  const [own, others] = InMemoryTransport.createLinkedPair()
  await Promise.all([mcp.connect(others), client.connect(own)])
  closing.push(async () => {
    await client.close()
    await peer.stop()
  })
  const call = async (name: string, given: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: given })
    return { isError: isError ?? false, text: (content as { text: string }[])[0]?.text ?? '' }
  }
  const wait = (ms: number) => {
    nowMs += ms
  }
  return { client, call, wait, sent }
}

const QUOTES = 'POST /kits/api/v1/quotes'
const PLACE = 'POST /kits/api/v1/create-order'
const body = { recipient: { first_name: 'Ada' } }

it('a new field of an answer is hidden until it is known to be harmless', async () => {
  const order = { orderID: 'O1', favouriteColour: 'red', kits: [{ kitID: 'K1', shoeSizes: [41, 42], nickname: null }] }
  const { call } = await session({ 'GET /kits/api/v1/orders/O1': [order] })
  expect(JSON.parse((await call('getOrder', { id: 'O1' })).text)).toEqual({
    orderID: 'O1',
    favouriteColour: '[hidden]',
    kits: [{ kitID: 'K1', shoeSizes: ['[hidden]', '[hidden]'], nickname: null }],
  })
})

it('an order whose answer was lost is sent again with the same key, which is its quote', async () => {
  const { call, sent } = await session({ [QUOTES]: [quoted, quoted], [PLACE]: ['cut', { orderId: 'O1' }] })
  const { quoteID } = JSON.parse((await call('createQuote', { body })).text)
  expect(await call('createOrder', { quoteID })).toEqual({ isError: false, text: '{"orderId":"O1"}' })
  const placed = sent.filter(({ route }) => route === PLACE)
  expect(placed).toEqual([
    { route: PLACE, key: quoteID, body: { ...body, paymentMethod: 'later' } },
    { route: PLACE, key: quoteID, body: { ...body, paymentMethod: 'later' } },
  ])
})

it('a quote is good for ten minutes, and then no order is sent', async () => {
  const { call, wait, sent } = await session({ [QUOTES]: [quoted], [PLACE]: [{ orderId: 'O1' }] })
  const { quoteID } = JSON.parse((await call('createQuote', { body })).text)
  wait(600_000)
  const refused = await call('createOrder', { quoteID })
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('older than ten minutes') })
  expect(sent.filter(({ route }) => route === PLACE)).toEqual([])
})

it('another amount on the card than was quoted is refused', async () => {
  const card = (amount: number) => ({ ...quoted, payment: 'card', charge: { amount, currency: 'USD' } })
  const { call, sent } = await session({ [QUOTES]: [card(9900), card(9901)], [PLACE]: [{ orderId: 'O1' }] })
  const { quoteID } = JSON.parse((await call('createQuote', { body })).text)
  const refused = await call('createOrder', { quoteID })
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('9901') })
  expect(sent.filter(({ route }) => route === PLACE)).toEqual([])
})

it('every write carries a key of its own, and values of the path cannot lead elsewhere', async () => {
  const cancel = 'POST /kits/api/v1/orders/..%2Fcustomers/cancel'
  const { call, sent } = await session({ [cancel]: [{ orderID: 'O1' }, { orderID: 'O1' }] })
  await call('cancelOrder', { id: '../customers' })
  await call('cancelOrder', { id: '../customers' })
  const keys = sent.filter(({ route }) => route === cancel).map(({ key }) => key)
  expect(new Set(keys).size).toBe(2)
  expect(keys).not.toContain(undefined)
  expect(await call('cancelOrder', { id: '..' })).toEqual({ isError: true, text: 'The argument id is missing.' })
})

it('the assistant learns whether orders cost money, and that data of people is hidden', async () => {
  const { client } = await session({})
  expect(client.getInstructions()).toContain('in the sandbox: nothing is sent or charged')
  expect(client.getInstructions()).toContain('are hidden')
})
