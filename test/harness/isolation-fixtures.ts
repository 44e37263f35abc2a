import { sentence } from '@kitlane/display/sentence'
import { sql } from 'kysely'
import { newOpaqueId, randomBase62 } from '../../src/domain/ids.ts'
import { configure, realmsOf } from '../../src/modules/businesses/service.ts'
import { requestData } from '../../src/modules/privacy/requests/service.ts'
import { raiseCriticals } from '../../src/modules/reports/critical/raise.ts'
import { publishReviewedReport } from '../../src/modules/reports/versions/publish.ts'
import { receiveResults } from '../../src/modules/reports/versions/receive.ts'
import type { Realm } from '../../src/platform/database/tx.ts'
import { type BrowserSession, type Caller, caller as callerOf } from './caller.ts'
import { address, aRow, CORE, recipient } from './orders.ts'
import { person, requestAccess, signIn } from './people.ts'
import { fromWoo, SHOP_SECRET, wooOrder } from './shops.ts'
import type { Objects } from './slots.ts'
import { waitUntil } from './wait.ts'
import type { TestBusiness, World } from './world.ts'

/** A realm with objects of every kind, and texts that occur nowhere else. */
export interface IsolationFixtures {
  title: string
  realm: Realm
  caller: Caller
  /** The same realm through its administrator's browser, for routes that accept no token. */
  admin: Caller
  session: BrowserSession
  objects: Objects
  /** Texts of its customers. They must never appear in another realm or in a log. */
  canaries: string[]
  /** Identifiers of its objects. They must never appear in another realm's lists. */
  ids: string[]
}

const must = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('an object of the fixtures is missing')
  return value
}

/** Fills a realm through the API: an order, a registered kit, a customer with a published report. */
export async function createIsolationFixtures(
  world: World,
  business: TestBusiness,
  mode: 'live' | 'sandbox',
): Promise<IsolationFixtures> {
  const caller = business[mode]
  const mark = `canary${randomBase62(10)}`
  const email = `${mark}@example.test`.toLowerCase()
  const externalId = `${mark}-order`
  const customerExternalId = `${mark}-person`
  const webhookId = await webhook(caller)
  const ordered = await caller.post('/create-order', {
    recipient: { first_name: `${mark}First`, last_name: `${mark}Last`, email, address, external_id: externalId },
    kit_types: [{ kitType: CORE, quantity: 3 }],
    paymentMethod: 'credits',
  })
  if (ordered.status !== 201) throw new Error(`the order of the fixtures was not placed: ${ordered.text}`)
  const orderId: string = ordered.body.orderId
  const kitIds: string[] = (await caller.get(`/orders/${orderId}`)).body.kits.map((kit: { kitID: string }) => kit.kitID)
  const [kitId, replaceable] = kitIds
  const registered = await caller.post(`/kits/${kitId}/register`, {
    firstName: `${mark}First`,
    lastName: `${mark}Last`,
    email,
    dateOfBirth: '1980-02-29',
    sex: 'F',
    external_id: customerExternalId,
  })
  if (registered.status !== 200) throw new Error(`the kit of the fixtures was not registered: ${registered.text}`)
  const customerId = String(registered.body.customerId)
  const realm = (await world.service.database.asSystem({ name: 'system' }, (tx) => realmsOf(tx, business.id)))[mode]
  const reportId = await world.service.database.inRealm(realm, { name: 'cli' }, async (tx) => {
    const results = [{ biomarkerId: 'ldl', value: 97, unit: 'mg/dL' }]
    const { reportId } = await receiveResults(tx, { kitId: must(kitId), results })
    await publishReviewedReport(tx, reportId)
    return reportId
  })
  const jobId = await bulkJob(caller, email)
  const planId = await plan(caller, email)
  const { shopId, shopOrderId } = await shop(world, caller, email)
  const methodId = await savedCard(world, realm)
  const paymentId = await payment(world, realm)
  const fileJobId = await fileJob(world, business, caller, customerId)
  const uploadId = await upload(caller, customerId)
  const [waitingId, receivedId] = await waitingResult(world, realm, caller, customerId)
  const dataRequestId = await dataRequests(world, realm, caller, { customerId, mark })
  const criticalId = await criticalResult(world, realm, customerId)
  const { cookie } = await signIn(world, await person(world, 'business-admin', business))
  const session = { cookie, realm: `${business.id}/${mode}` }
  const admin = callerOf(world.service.url, undefined, { session })
  const { id: userId } = await person(world, 'business-viewer', business)
  const provider = { name: 'Login', issuer: 'https://idp.example.com', clientID: 'kitlane', clientSecret: mark }
  const { id: connectionId } = (await admin.post('/sso-connections', provider)).body
  const { id: tokenId } = (await admin.post('/tokens', { name: mark })).body
  const supportAccessId = await requestAccess(await signIn(world, await person(world, 'operator-admin')), business)
  const { id: textId } = (await caller.post('/consent-texts', { language: 'en', text: `${mark} words` })).body
  const { id: deliveryId, eventID: eventId } = (await caller.get(`/webhooks/${webhookId}/deliveries?size=1`)).body
    .data[0]
  return {
    title: `${business.name} ${mode}`,
    realm,
    caller,
    admin,
    session,
    objects: {
      order: [orderId],
      kit: [must(kitId), must(replaceable)],
      customer: [customerId, customerExternalId],
      report: [reportId],
      email: [email, customerId],
      externalId: [externalId, customerExternalId],
      bulkJob: [jobId],
      plan: [planId],
      shop: [shopId],
      shopOrder: [shopOrderId],
      paymentMethod: [methodId],
      payment: [paymentId],
      webhook: [webhookId],
      delivery: [deliveryId],
      event: [eventId],
      fileJob: [fileJobId],
      upload: [uploadId],
      waitingResult: [waitingId],
      received: [receivedId],
      criticalResult: [criticalId],
      user: [userId],
      token: [tokenId],
      supportAccess: [supportAccessId],
      consentText: [textId],
      dataRequest: [dataRequestId],
      ssoConnection: [connectionId],
      specimen: [`${reportId}.1`],
      observation: [`${reportId}.ldl`],
    },
    canaries: [mark, mark.toLowerCase()],
    ids: [
      orderId,
      ...kitIds,
      customerId,
      reportId,
      jobId,
      planId,
      shopId,
      shopOrderId,
      methodId,
      paymentId,
      webhookId,
      deliveryId,
      eventId,
      fileJobId,
      uploadId,
      waitingId,
      receivedId,
      tokenId,
      textId,
      dataRequestId,
    ],
  }
}

/** Creates a disabled endpoint: its deliveries wait, and nothing is sent. */
async function webhook(caller: Caller): Promise<string> {
  const { status, body, text } = await caller.post('/webhooks', { url: 'https://hooks.example.com/', enabled: false })
  if (status !== 201) throw new Error(`the endpoint of the fixtures was not made: ${text}`)
  return body.id
}

/** Creates a paused plan: it places nothing. */
async function plan(caller: Caller, email: string): Promise<string> {
  const firstDate = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  const wanted = { recipient: { ...recipient, email }, kit_types: [{ kitType: CORE }], every: { months: 1 }, firstDate }
  const { status, body, text } = await caller.post('/plans', wanted)
  if (status !== 201) throw new Error(`the plan of the fixtures was not made: ${text}`)
  await caller.post(`/plans/${body.planID}/pause`)
  return body.planID
}

/** Connects a shop with an order that waits for a person. */
async function shop(world: World, caller: Caller, email: string) {
  const wanted = { kind: 'woocommerce', url: 'https://shop.example.com', webhookSecret: SHOP_SECRET }
  const { status, body, text } = await caller.post('/shops', wanted)
  if (status !== 201) throw new Error(`the shop of the fixtures was not connected: ${text}`)
  const { shopID: shopId } = body
  const { billing } = wooOrder()
  await fromWoo(world, shopId, wooOrder({ billing: { ...billing, email } }))
  const orders = async () => (await caller.get(`/shops/${shopId}/orders`)).body.data as { shopOrderID: string }[]
  await waitUntil(async () => (await orders()).length === 1)
  const [order] = await orders()
  return { shopId: shopId as string, shopOrderId: order?.shopOrderID ?? '' }
}

/** Runs a bulk job to its end, so that nothing in the realm changes later. */
async function bulkJob(caller: Caller, email: string): Promise<string> {
  const rows = Array.from({ length: 20 }, () => aRow({ email }))
  const accepted = await caller.post('/create-order', { bulkUploadData: rows, paymentMethod: 'credits' })
  if (accepted.status !== 202) throw new Error(`the bulk order of the fixtures was not taken: ${accepted.text}`)
  const { jobId } = accepted.body
  await waitUntil(async () => (await caller.get(`/bulk-order-jobs/${jobId}`)).body.status === 'completed')
  return jobId
}

const TRIES = 5

/** Uploads a file and waits until it is read, so that nothing in the realm changes later. */
async function fileJob(world: World, business: TestBusiness, caller: Caller, customerId: string): Promise<string> {
  await world.service.database.asSystem({ name: 'cli' }, (tx) => configure(tx, business.id, { uploadsEnabled: true }))
  const content = Buffer.from('Test,Result,Units\nLDL Cholesterol,97,mg/dL').toString('base64')
  const upload = {
    type: 'file',
    userId: customerId,
    date: '2026-01-01',
    fileBlob: `data:text/csv;base64,${content}`,
    async: true,
  }
  for (let tries = 1; ; tries++) {
    const { status, body, text } = await caller.post('/customer/add-data', upload)
    if (status !== 202) throw new Error(`the file of the fixtures was not taken: ${text}`)
    const ended = await waitUntil(async () => {
      const job = await caller.get(`/customer/add-data/jobs/${body.jobId}`)
      return ['completed', 'failed'].includes(job.body.status) && job
    })
    if (ended.body.status === 'completed') return body.jobId
    // The reader's time is limited, and a machine may be too busy for one that has to start.
    if (tries === TRIES) throw new Error(`the file of the fixtures was not read: ${ended.text}`)
  }
}

/** Uploads a file that waits for review, because its date of birth differs. */
async function upload(caller: Caller, customerId: string): Promise<string> {
  const message = [
    'MSH|^~\\&|LAB|X|KITLANE|Y|20260402120000||ORU^R01|1|P|2.5.1',
    'PID|1||X||Else^Some||19410101|F',
    'OBR|1|X|ACC|24331-1^Lipid panel^LN|||20260401083000',
    'OBX|1|NM|13457-7^LDL Cholesterol^LN||97|mg/dL|0-99|N|||F',
  ].join('\r')
  const fileBlob = `data:text/plain;base64,${Buffer.from(message).toString('base64')}`
  const sent = { type: 'file', userId: customerId, date: '2026-01-01', fileBlob }
  const { status, body, text } = await caller.post('/customer/add-data', sent)
  if (status !== 201 || body.needsReview !== 'person') throw new Error(`the file of the fixtures was not kept: ${text}`)
  return body.docId
}

/** Adds a result that matches no biomarker. */
async function waitingResult(
  world: World,
  realm: Realm,
  caller: Caller,
  customerId: string,
): Promise<[string, string]> {
  const biomarkerData = [{ name: 'Moon Dust', result: 3, unit_of_measure: 'mg/dL' }]
  const sent = { type: 'test', userId: customerId, date: '2026-01-01', biomarkerData }
  const { status, text } = await caller.post('/customer/add-data', sent)
  if (status !== 201) throw new Error(`the result of the fixtures was not kept: ${text}`)
  const { id, received } = await world.service.database.inRealm(realm, { name: 'cli' }, (tx) =>
    tx.row(sql<{ id: string; received: string }>`
      select id, received_id as received from unassessed_results where realm_id = ${realm.id} and customer_id = ${customerId}`),
  )
  return [id, received]
}

/** The customer asks for their data: a copy, which is refused, and erasure, which waits. */
async function dataRequests(
  world: World,
  realm: Realm,
  caller: Caller,
  { customerId, mark }: { customerId: string; mark: string },
): Promise<string> {
  const ask = (kind: 'copy' | 'erasure') =>
    world.service.database.inRealm(realm, { name: 'recipient' }, (tx) => requestData(tx, Number(customerId), kind))
  const open = async (): Promise<string> => (await caller.get('/data-requests?status=open')).body.data[0].dataRequestID
  await ask('copy')
  const { status, text } = await caller.post(`/data-requests/${await open()}/refusal`, { reason: `${mark} has one` })
  if (status !== 200) throw new Error(`the request of the fixtures was not refused: ${text}`)
  await ask('erasure')
  return open()
}

/** Raises a critical result. */
async function criticalResult(world: World, realm: Realm, customerId: string): Promise<string> {
  const { id } = await world.service.database.inRealm(realm, { name: 'cli' }, async (tx) => {
    const result = {
      key: 'name moon',
      name: 'Moon Dust',
      value: '401',
      unit: 'mg/dL',
      why: sentence('It is far too much.'),
    }
    await raiseCriticals(tx, { customerId: Number(customerId) }, [result])
    return tx.row(sql<{ id: string }>`select id from critical_results where realm_id = ${realm.id}`)
  })
  return id
}

/** A payment that was charged, with its receipt; and a top-up that waits and is off. */
async function payment(world: World, realm: Realm): Promise<string> {
  const id = newOpaqueId('pay')
  const party = { name: 'Somebody', address: [] }
  const content = { lines: [], seller: party, buyer: party }
  await world.service.database.inRealm(realm, { name: 'cli' }, async (tx) => {
    await tx.run(sql`
      insert into payments (realm_id, id, state, purpose, on_decline, method_id, customer_ref, amount_minor, captured_minor,
        currency, actor, checked_at, created_at)
      values (${realm.id}, ${id}, 'charged', 'orders', 'refuse', 'pm_test', 'cus_test', 100, 100, 'USD', 'cli', ${tx.now}, ${tx.now})`)
    await tx.run(sql`
      insert into receipts (realm_id, kind, year, number, payment_id, order_ids, amount_minor, currency, content, issued_at)
      values (${realm.id}, 'receipt', 1999, 1, ${id}, '{}', 100, 'USD', ${JSON.stringify(content)}::jsonb, ${tx.now})`)
    await tx.run(sql`
      insert into top_ups (realm_id, kit_type, below, amount, is_on, retry_at)
      values (${realm.id}, ${CORE}, 1, 1, false, ${tx.now})`)
  })
  return id
}

/** Saves a card that only this realm has. The IDs of the simulated cards are the same in every realm. */
async function savedCard(world: World, realm: Realm): Promise<string> {
  const id = newOpaqueId('pm')
  await world.service.database.inRealm(realm, { name: 'cli' }, (tx) =>
    tx.run(sql`
      insert into payment_methods (realm_id, id, gateway, customer_ref, brand, last4, exp_month, exp_year, is_default, attached_at)
      values (${realm.id}, ${id}, 'simulated', 'cus_test', 'visa', '4242', 12, 2099, false, ${tx.now})`),
  )
  return id
}
