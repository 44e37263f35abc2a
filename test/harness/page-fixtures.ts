import { expect } from 'vitest'
import { randomBase62 } from '../../src/domain/ids.ts'
import { configure } from '../../src/modules/businesses/service.ts'
import { labSheet, scanPage } from '../samples/make-scan.ts'
import { anOrder, aRow, CORE } from './orders.ts'
import { person, type SignedIn, signIn } from './people.ts'
import { aPlan } from './plans.ts'
import { recipients } from './recipients.ts'
import { fromWoo, SHOP_SECRET, wooOrder } from './shops.ts'
import { aGtin, codeOf, inDays } from './stock.ts'
import { waitUntil } from './wait.ts'
import type { TestBusiness, World } from './world.ts'

/** A business and an operator with content on every page. */
export interface PageFixtures {
  clinic: TestBusiness
  /** The administrator of the business. */
  owner: SignedIn
  /** The administrator of the operator. */
  admin: SignedIn
  orderId: string
  kitId: string
  /** Its order waits for a laboratory. */
  orderedKitId: string
  customerId: number
  /** A published report, and below one in review. */
  reportId: string
  reviewId: string
  endpointId: string
  jobId: string
  planId: string
  shopId: string
  docId: string
  boxSerial: string
  laboratoryId: string
  recallId: string
  emailId: string
  /** Of the log of requests. */
  requestId: string
  /** The path of the personal page of the person tested. */
  link: string
}

export async function createPageFixtures(world: World): Promise<PageFixtures> {
  const clinic = await world.business({ name: 'Harbor Clinic', credits: 100, panels: 'all' })
  const cli = { name: 'cli' }
  await world.service.database.asSystem(cli, (tx) => configure(tx, clinic.id, { uploadsEnabled: true }))
  await clinic.live.request('PATCH', '/settings', { brandColor: '#7a1f5c' })
  const owner = await signIn(world, await person(world, 'business-admin', clinic))
  const admin = await signIn(world, await person(world, 'operator-admin'))
  const people = recipients(world)

  const groupRoles = [
    { group: 'kitlane-admins', role: 'business-admin' },
    { group: 'customer-care', role: 'business-viewer' },
  ]
  const login = { issuer: 'https://login.harbor.example', clientID: 'kitlane', clientSecret: 'a secret' }
  const domains = ['harbor.example', 'harbor-labs.example']
  await owner.in(clinic).post('/sso-connections', { name: 'Harbor login', ...login, domains, groupRoles })

  const kitId = await people.newKit(clinic)
  const { email } = await people.register(kitId)
  const { body: kit } = await clinic.live.get(`/kits/${kitId}`)
  const customerId: number = kit.registration.customerID
  const docId = await uploadScan(clinic, customerId)
  const values = { glucose: 91, ldl: 134, hdl: 62, insulin: 31 }
  const reportId = await people.report(clinic, kitId, values)
  await people.release(clinic, reportId)
  const { body: laboratory } = await admin.operator.post('/laboratories', { name: 'Harbor Lab', address: '1 Road' })
  const second = await people.newKit(clinic)
  await people.register(second)
  const reviewId = await people.report(clinic, second, { ...values, glucose: 412 })
  const orderedKitId = await people.newKit(clinic)
  await people.register(orderedKitId)
  await admin.operator.post(`/lab-orders/${orderedKitId}/route`, {})
  const { body: order } = await clinic.live.post('/create-order', anOrder({ tags: ['spring'], externalID: 'A-17' }))
  const bulk = Array.from({ length: 24 }, (_, row) => aRow({ email: `person${row}@example.test` }))
  const { body: job } = await clinic.live.post('/create-order', { bulkUploadData: bulk })
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  const { body: plan } = await clinic.live.post('/plans', aPlan(tomorrow, { every: { weeks: 6 }, externalID: 'A-18' }))
  await clinic.live.post(`/plans/${plan.planID}/skip`)
  const shopId = await aShop(world, clinic)
  const { body: endpoint } = await clinic.live.post('/webhooks', { url: 'http://127.0.0.1:9/hook' })
  await admin.operator.post('/lab/results', {
    accession: 'ACC-1009',
    patient: { name: 'Grace Oakley', dateOfBirth: '1956-12-09', sex: 'F' },
    results: [
      { name: 'LDL', value: 99, unit: 'mg/dL' },
      { name: 'Potassium', value: 7.1, unit: 'mmol/L', rangeText: '3.5-5.1', flag: 'HH' },
    ],
  })
  await admin.operator.post('/lab/results', {
    kitID: second,
    results: [
      { name: 'HIV 1 and 2 antigen and antibody', value: 'Detected', unit: '', rangeText: 'Not detected', flag: 'AA' },
      { name: 'Moon dust', value: 3, unit: 'mg/dL' },
    ],
  })
  await admin.operator.post('/carrier-events', [
    { trackingNumber: '1Z999AA10123450000', status: 'delivered', at: new Date().toISOString() },
  ])
  const boxSerial = await receivedBox(admin)
  await admin.operator.post('/stock/components', {
    ...{ component: 'Glucose reagent', lot: 'R4711', expiryDate: '2099-01-31', quantity: 500 },
  })
  const recalled = { kind: 'reagentLot', lot: 'R4711', reason: 'It gives values that are too low' }
  const { body: recall } = await admin.operator.post('/recalls', recalled)
  await spentBefore(world, clinic)
  await waitForScan(admin, docId)
  const { body: mail } = await admin.operator.get('/emails')
  const requestId = await loggedRequest(clinic)
  const [link = '/r'] = await people.linksTo(email)
  return {
    clinic,
    owner,
    admin,
    orderId: order.orderId,
    kitId,
    orderedKitId,
    recallId: recall.id,
    customerId,
    reportId,
    reviewId,
    endpointId: endpoint.id,
    jobId: job.jobId,
    planId: plan.planID,
    docId,
    boxSerial,
    laboratoryId: laboratory.id,
    emailId: mail.data[0].id,
    requestId,
    shopId,
    link,
  }
}

/** Credits that were bought by card, and spent before the bank took the money back: the operator settles them. Returns its ID. */
export async function spentBefore(world: World, clinic: TestBusiness): Promise<string> {
  await clinic.live.post('/payment-methods', { id: 'pm_card_visa' })
  const { status, text } = await clinic.live.post('/credits/buy', { type: CORE, amount: 10 })
  expect(status, text).toBeLessThan(300)
  const { data } = (await clinic.live.get('/payments?purpose=credits')).body
  const id = `re_${randomBase62(12)}`
  await (await world.owner()).query(
    `insert into payment_reversals (realm_id, id, payment_id, kind, state, amount_minor, credits_taken, credits_waiting, created_at, changed_at)
     select realm_id, $1, id, 'refund', 'done', amount_minor, 6, 4, now(), now() from payments where id = $2`,
    [id, data[0].paymentID],
  )
  return id
}

/** The log is written in batches: the first requests are there after a moment. */
async function loggedRequest(clinic: TestBusiness): Promise<string> {
  const newest = async () => (await clinic.live.get('/request-log?size=1')).body.data[0]?.requestID
  await waitUntil(async () => (await newest()) !== undefined)
  return newest()
}

/** Uploads a scan of another laboratory's report, which a person must review. */
export async function uploadScan(clinic: TestBusiness, userId: number): Promise<string> {
  const image = await scanPage(labSheet(), { dpi: 150, format: 'jpeg' })
  // Drawing the scan blocks the event loop, and the service in this process sheds load until the loop is free again.
  await waitUntil(async () => (await clinic.live.get('/verify-token')).status === 200)
  const { status, text, body } = await clinic.live.post('/customer/add-data', {
    type: 'file',
    userId,
    date: '2026-01-15',
    fileName: 'results.jpg',
    fileBlob: `data:image/jpeg;base64,${image.toString('base64')}`,
  })
  expect(status, text).toBeLessThan(300)
  return body.docId
}

/** Waits until a person can review it. */
export const waitForScan = (admin: SignedIn, docId: string) =>
  waitUntil(async () => (await admin.operator.get(`/uploads/${docId}`)).body.state === 'waiting')

/** Connects a shop with an order that is placed, one whose product nobody knows, and one without an address. */
async function aShop(world: World, clinic: TestBusiness): Promise<string> {
  const items = [{ sku: 'CORE-1', kitType: CORE }, { sku: 'MUG' }]
  const wanted = { kind: 'woocommerce', url: 'https://shop.example.com', webhookSecret: SHOP_SECRET, items }
  const { body } = await clinic.live.post('/shops', wanted)
  const line = { id: 1, name: 'Heart panel at home', product_id: 94, variation_id: 0, quantity: 1, sku: 'HEART-2' }
  await fromWoo(world, body.shopID, wooOrder())
  await fromWoo(world, body.shopID, wooOrder({ id: 728, number: '728', line_items: [line] }))
  await fromWoo(world, body.shopID, wooOrder({ id: 729, number: '729', billing: { email: 'bo@example.test' } }))
  await waitUntil(async () => (await clinic.live.get(`/shops/${body.shopID}/orders`)).body.data.length === 3)
  return body.shopID
}

/** A sealed box in stock, below its reorder point. */
async function receivedBox(admin: SignedIn): Promise<string> {
  const [gtin, serial] = [aGtin(), 'SHOWN0001']
  await admin.operator.post(`/stock/products/${gtin}`, { kitType: CORE, reorderPoints: { Main: 20 } })
  const code = codeOf({ gtin, serial, lot: 'L7', expiresOn: inDays(300) })
  await admin.operator.post('/stock/receipts', { place: 'Main', boxes: [{ code }] })
  return serial
}
