import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Scope } from '../../src/domain/scopes.ts'
import { createToken } from '../../src/modules/identity/tokens.ts'
import { createIsolationFixtures, type IsolationFixtures } from '../harness/isolation-fixtures.ts'
import { runKitlane } from '../harness/kitlane.ts'
import { address, anOrder, aRow, CARDIO, CORE } from '../harness/orders.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
let realm: IsolationFixtures
const open: Client[] = []
// The SDK gives up after a minute.
const patient = { timeout: 240_000 }
const launcher = fileURLToPath(new URL('../../bin/kitlane.js', import.meta.url))

beforeAll(async () => {
  world = await sharedWorld()
  clinic = await world.business()
  realm = await createIsolationFixtures(world, clinic, 'live')
})
afterEach(async () => {
  for (const client of open.splice(0)) await client.close()
})
afterAll(() => world.stop())

/** `kitlane mcp` as an application starts it, spoken to by the SDK's own client. */
async function assistant(given: string | Record<string, string>, ...flags: string[]) {
  const client = new Client({ name: 'test', version: '1' })
  const login = typeof given === 'string' ? { KITLANE_URL: world.service.url, KITLANE_TOKEN: given } : given
  const env = { PATH: process.env.PATH ?? '', ...login }
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [launcher, 'mcp', ...flags], env, cwd: world.files }),
    patient,
  )
  open.push(client)
  const call = async (name: string, given: Record<string, unknown> = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: given }, undefined, patient)
    const texts = (content as { text: string }[]).map(({ text }) => text)
    const [text = ''] = texts
    return { isError: isError as boolean, text, more: texts.slice(1), body: isError ? undefined : JSON.parse(text) }
  }
  const names = async () => (await client.listTools()).tools.map(({ name }) => name)
  return { client, call, names }
}

async function tokenWith(...scopes: Scope[]): Promise<string> {
  const { token } = await world.service.database.asSystem({ name: 'cli' }, (tx) =>
    createToken(tx, realm.realm, { name: scopes.join(), scopes }),
  )
  return token
}

const ordersNow = async (): Promise<number> => (await clinic.live.get('/orders')).body.pagination.total
const coreCredits = async (): Promise<number> =>
  (await clinic.live.get('/credits')).body.find(({ type }: { type: string }) => type === CORE).credits

describe('the tools of an assistant', () => {
  it('are the routes that the scopes of the token reach', async () => {
    const token = await tokenWith('orders:read')
    expect((await world.as(token).get('/verify-token')).body).toMatchObject({ message: 'OK', scopes: ['orders:read'] })
    const { names } = await assistant(token)
    expect(await names()).toEqual(
      expect.arrayContaining(['verifyToken', 'getOrder', 'listOrders', 'getBulkOrderJob', 'getOverview']),
    )
    expect(await names()).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/createOrder|createQuote|listKits|Customer|Report/)]),
    )
    const { names: all } = await assistant(clinic.liveToken)
    expect(await all()).toEqual(
      expect.arrayContaining(['createQuote', 'createOrder', 'createCustomer', 'getReport', 'listBiomarkers']),
    )
    expect(await all()).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(registerKit|consentForKit)$/)]))
  })

  it('leave out secrets, files, and what a person does: spend, publish, send data out, let in, delete, say who is notified', async () => {
    const { names, call } = await assistant(clinic.liveToken)
    const listed = await names()
    const never = [
      ...['createWebhook', 'changeWebhook', 'rotateWebhookSecret', 'replayWebhookRange', 'deleteWebhook'],
      ...['getUploadFile', 'createToken', 'listAudit', 'payOrder', 'buyCredits', 'changeTopUp', 'attachPaymentMethod'],
      ...['createPlan', 'resumePlan', 'changePlan', 'replaceKit', 'retryShopOrder'],
      ...['connectShop', 'changeShop', 'addShopItem', 'rotateShopSecret', 'disconnectShop'],
      ...['changeSettings', 'replaceOnCallList', 'publishConsentText', 'replaceReminderRules', 'keepTextConsent'],
      ...['eraseCustomer', 'clearKitRegistration', 'correctCustomer', 'correctOrder', 'addData', 'resetSandbox'],
    ]
    const judged = ['publishOwnReport', 'acknowledgeCriticalResult', 'confirmUpload', 'createLegacyOrder', 'signIn']
    expect(listed.filter((name) => [...never, ...judged].includes(name))).toEqual([])
    expect(await call('payOrder', { id: 'O00000000' })).toMatchObject({
      isError: true,
      text: 'There is no tool payOrder. tools/list names those of this token.',
    })
  })

  it('with --read-only change nothing', async () => {
    const { client, call } = await assistant(clinic.liveToken, '--read-only')
    const { tools } = await client.listTools()
    expect(tools.length).toBeGreaterThan(30)
    expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint)).toEqual([])
    expect((await call('cancelOrder', { id: realm.objects.order[0] })).isError).toBe(true)
    const { body } = await call('createQuote', { body: anOrder() })
    expect(body).toMatchObject({ valid: true, payment: 'credits' })
    expect(body.quoteID).toBeUndefined()
  })

  it('have a schema of their own for each, without references, and say which cannot be taken back', async () => {
    const { client } = await assistant(clinic.liveToken)
    const { tools } = await client.listTools()
    expect(JSON.stringify(tools)).not.toContain('$ref')
    const of = (name: string) => tools.find((tool) => tool.name === name)
    expect(of('createCustomer')?.inputSchema).toMatchObject({
      required: ['body'],
      properties: { body: { properties: { dateOfBirth: {}, email: {} } } },
    })
    expect(of('getKit')?.inputSchema).toMatchObject({ required: ['kitID'], properties: { kitID: { type: 'string' } } })
    expect(of('listOrders')?.inputSchema.properties).toHaveProperty('orderDateStart')
    const destructive = tools.filter(({ annotations }) => annotations?.destructiveHint).map(({ name }) => name)
    expect(destructive).toEqual(expect.arrayContaining(['createOrder', 'cancelOrder', 'withdrawConsentForKit']))
    expect(of('createCustomer')?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: false })
  })
})

describe('an order of an assistant', () => {
  it('is made of the quote that it was priced with, once, and costs nothing until a person pays it', async () => {
    const { call } = await assistant(clinic.liveToken)
    const [orders, credits] = [await ordersNow(), await coreCredits()]
    const quoted = await call('createQuote', { body: anOrder({ kit_types: [{ kitType: CORE, quantity: 2 }] }) })
    expect(quoted.body).toMatchObject({ valid: true, outcome: 'placed', kits: 2, credits: [{ type: CORE, needed: 2 }] })
    expect([await ordersNow(), await coreCredits()]).toEqual([orders, credits])
    const { quoteID } = quoted.body
    const [placed, again] = [await call('createOrder', { quoteID }), await call('createOrder', { quoteID })]
    expect(placed.body).toEqual({ orderId: expect.stringMatching(/^O/), pending: true })
    expect(again.body).toEqual(placed.body)
    expect([await ordersNow(), await coreCredits()]).toEqual([orders + 1, credits])
    const id = placed.body.orderId
    expect((await clinic.live.get(`/orders/${id}`)).body).toMatchObject({ orderStatus: 'pending', kits: [] })
    expect((await realm.admin.post(`/orders/${id}/pay`, { paymentMethod: 'credits' })).status).toBe(200)
    expect(await coreCredits()).toBe(credits - 2)
  })

  it('does not pay itself, whatever the assistant writes into it', async () => {
    const { call } = await assistant(clinic.liveToken)
    await clinic.live.post('/payment-methods', { id: 'pm_card_visa' })
    const payments = async () => (await clinic.live.get('/payments')).body.pagination.total
    const paid = await payments()
    for (const asked of [
      { paymentMethod: 'credits' },
      { paymentMethod: 'card' },
      { purchase_with_attached_payment: true },
    ]) {
      const credits = await coreCredits()
      const { quoteID } = (await call('createQuote', { body: anOrder(asked) })).body
      expect((await call('createOrder', { quoteID })).body).toMatchObject({ pending: true })
      expect(await coreCredits()).toBe(credits)
    }
    expect(await payments()).toBe(paid)
  })

  it('without a quote of this session is not placed', async () => {
    const [one, other] = [await assistant(clinic.liveToken), await assistant(clinic.liveToken)]
    const orders = await ordersNow()
    const { quoteID } = (await one.call('createQuote', { body: anOrder() })).body
    for (const given of [{ quoteID }, {}, { body: anOrder() }, { quoteID: 'quote_1' }]) {
      const refused = await other.call('createOrder', given)
      expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('no such quote in this session') })
    }
    expect(await ordersNow()).toBe(orders)
  })

  it('is refused when it would be paid otherwise than it was priced', async () => {
    const { call } = await assistant(clinic.liveToken)
    await clinic.live.post('/payment-methods', { id: 'pm_card_visa' })
    const left = (await clinic.live.get('/credits')).body.find(({ type }: { type: string }) => type === CARDIO).credits
    const body = anOrder({ kit_types: [{ kitType: CARDIO, quantity: left }] })
    const { quoteID } = (await call('createQuote', { body })).body
    // Somebody else takes one of the credits meanwhile.
    expect((await clinic.live.post('/create-order', anOrder({ kit_types: [{ kitType: CARDIO }] }))).status).toBe(201)
    const orders = await ordersNow()
    const refused = await call('createOrder', { quoteID })
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('Nothing was placed') })
    expect(refused.text).toContain('"payment":"card"')
    expect(await ordersNow()).toBe(orders)
  })

  it('of many rows is priced row by row, and what is wrong with a row is answered before anything is placed', async () => {
    const { call } = await assistant(clinic.liveToken)
    const wrong = { bulkUploadData: [aRow(), aRow({ kit_type: 'NOPE' })] }
    const { body } = await call('createQuote', { body: wrong })
    expect(body).toMatchObject({
      valid: false,
      rows: [
        { row: 0, valid: true },
        { row: 1, valid: false },
      ],
    })
    expect(body.quoteID).toBeUndefined()
    const { quoteID } = (await call('createQuote', { body: { bulkUploadData: [aRow(), aRow()] } })).body
    expect((await call('createOrder', { quoteID })).body.orderIds).toHaveLength(2)
  })
})

describe('an answer to an assistant', () => {
  const reads = () => {
    const { order, kit, customer, report } = realm.objects
    const [id, kitID, customerID, reportID] = [order[0], kit[0], customer[0], report[0]]
    return [
      ['getOrder', { id }],
      ['getKit', { kitID }],
      ['validateKit', { kitID }],
      ['getCustomer', { id: customerID }],
      ['exportCustomer', { id: customerID }],
      ['getReport', { customerID, reportID }],
      ['reviewReport', { reportID }],
      ['getUpload', { docID: realm.objects.upload[0] }],
      ['getReceivedDocument', { documentID: realm.objects.received[0] }],
      ['getFileJob', { id: realm.objects.fileJob[0] }],
      ['getBulkOrderJob', { jobId: realm.objects.bulkJob[0] }],
      ...['listOrders', 'listKits', 'listCustomers', 'listReports', 'listEvents', 'listAllWebhookDeliveries'].map(
        (name) => [name, {}] as const,
      ),
      ...['listUnassessedResults', 'listCriticalResults', 'listUploads', 'listWebhooks', 'getOnCallList'].map(
        (name) => [name, {}] as const,
      ),
      ['search', { q: realm.objects.email[0] }],
    ] as const
  }

  it('shows IDs, states and times, and hides whatever else it holds of people', async () => {
    const { call } = await assistant(clinic.liveToken)
    const { text: named } = await clinic.live.get(`/customers/${realm.objects.customer[0]}`)
    const [mark = ''] = realm.canaries
    expect(named).toContain(mark)
    for (const [name, given] of reads()) {
      const { text, isError } = await call(name, given)
      expect(isError, `${name}: ${text}`).toBe(false)
      const shown = [mark, '1980-02-29', address.street1, address.city, '"value":97'].filter((one) =>
        text.toLowerCase().includes(one.toLowerCase()),
      )
      expect(shown, `${name}: ${text}`).toEqual([])
    }
    const { body } = await call('getOrder', { id: realm.objects.order[0] })
    expect(body).toMatchObject({
      orderID: realm.objects.order[0],
      orderStatus: expect.stringMatching(/^[a-z_]+$/),
      recipientName: '[hidden]',
      recipientAddress: { street1: '[hidden]', zip: '[hidden]' },
    })
    expect(body.kits[0]).toMatchObject({ kitID: expect.stringMatching(/^K/), kitType: CORE })
  })

  it('shows with --personal-data what the scopes of the token allow', async () => {
    const { call } = await assistant(clinic.liveToken, '--personal-data')
    const { body } = await call('getCustomer', { id: realm.objects.customer[0] })
    expect(body.dateOfBirth).toBe('1980-02-29')
    const limited = await assistant(await tokenWith('orders:read'), '--personal-data')
    const refused = await limited.call('getCustomer', { id: realm.objects.customer[0] })
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('customers:read') })
  })

  it('to a mistake is an error in the words of the service, with its code and request', async () => {
    const { call } = await assistant(clinic.liveToken)
    const missing = await call('getOrder', { id: 'O00000000' })
    expect(missing.isError).toBe(true)
    expect(missing.text).toMatch(/\(ORDER_NOT_FOUND, request [\w-]+\)/)
    const wrong = await call('createQuote', { body: { ...anOrder(), recipient: { first_name: 'Ada' } } })
    expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('VALIDATION_FAILED') })
    expect(wrong.text).toContain('recipient.last_name')
    expect(await call('getOrder', {})).toMatchObject({ isError: true, text: 'The argument id is missing.' })
    expect((await call('getOrder', { id: 'O00000000', expand: 'kits' })).text).toBe(
      'getOrder has no argument expand. It takes: id.',
    )
  })

  it('that is a list says how many there are', async () => {
    const { call } = await assistant(clinic.liveToken)
    const { body, more } = await call('listKits', { size: 1 })
    expect(body).toHaveLength(1)
    expect(more.join()).toMatch(/There are \d+ in all/)
  })
})

it('what an assistant reads of people is in the audit under the token', async () => {
  const token = await tokenWith('customers:read')
  const { call } = await assistant(token)
  await call('getCustomer', { id: realm.objects.customer[0] })
  const accesses = async () => (await realm.admin.get(`/customers/${realm.objects.customer[0]}/accesses`)).body.data
  await world.settled()
  const who = { kind: 'business', role: 'API token', name: 'customers:read' }
  await expect
    .poll(accesses)
    .toContainEqual(expect.objectContaining({ who, data: 'record', did: 'read', operation: 'getCustomer' }))
})

it('the token may be the one that kitlane login kept', async () => {
  const folder = { XDG_CONFIG_HOME: join(world.files, 'config') }
  const token = await tokenWith('catalogue:read')
  const login = await runKitlane(['login', '--url', world.service.url], folder, world.files, token)
  expect(login).toMatchObject({ code: 0, stderr: '' })
  const { names } = await assistant(folder)
  expect(await names()).toEqual(['verifyToken', 'listBiomarkers', 'listPanels'])
})

it('the command ends when the application closes its side', async () => {
  const env = { KITLANE_URL: world.service.url, KITLANE_TOKEN: clinic.sandboxToken }
  expect(await runKitlane(['mcp'], env, world.files)).toEqual({ code: 0, stdout: '', stderr: '' })
})

it('a token that is wrong, or none, ends the command with a sentence, and the token is in none', async () => {
  const run = (env: Record<string, string>) => runKitlane(['mcp'], env, world.files)
  const url = { KITLANE_URL: world.service.url }
  const wrong = await run({ ...url, KITLANE_TOKEN: 'kl_live_wrongwrongwrong' })
  expect(wrong).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('cannot be used') })
  expect(wrong.stderr).not.toContain('wrongwrong')
  const none = { ...url, XDG_CONFIG_HOME: join(world.files, 'nobody') }
  expect(await run(none)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Run kitlane login') })
  const nowhere = await run({ KITLANE_TOKEN: 'kl_live_x', KITLANE_URL: 'kits.example.com' })
  expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('must look like https://') })
})
