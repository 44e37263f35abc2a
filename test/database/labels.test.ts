import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { allOperatorScopes } from '../../src/domain/scopes.ts'
import { lockLiveKits } from '../../src/modules/fulfilment/queries.ts'
import { type LabelPorts, workOnLabels } from '../../src/modules/labels/work.ts'
import type { Realm } from '../../src/platform/database/tx.ts'
import { realmPorts } from '../../src/platform/ports/realm-ports.ts'
import type { Fault } from '../harness/faulty-server.ts'
import { pdfOf, services } from '../harness/label-checks.ts'
import { type LabelStandIn, labelStandIn } from '../harness/label-stand-in.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { recipient as ada, anOrder, CORE } from '../harness/orders.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let operator: Operator
let clinic: TestBusiness
let shop: LabelStandIn
let aheadMs = 0

beforeAll(async () => {
  shop = await labelStandIn()
  const clock = { now: () => new Date(Date.now() + aheadMs) }
  world = await ownWorld('sets the clock, and buys labels at a stand-in', { labelsApiUrl: shop.url }, { clock })
  operator = await operatorWith(world, allOperatorScopes)
  clinic = await world.business({ credits: 1000 })
})
afterAll(async () => {
  await world.stop()
  await shop.stop()
})

const sender = {
  name: 'Nordlab Kits',
  street1: '10 Depot Road',
  city: 'Columbus',
  state: 'OH',
  zip: '43004',
  country: 'US',
  phone: '+16145550100',
}
const account = (changes: Record<string, unknown> = {}) => ({
  secretKey: shop.easypostKey,
  sender,
  samplesTo: { ...sender, name: 'North Laboratory', street1: '1 Assay Street' },
  parcels: [{ lengthMm: 200, widthMm: 150, heightMm: 40, weightGrams: 180, returnWeightGrams: 210 }],
  buysReturnLabels: true,
  ...changes,
})
const connected = async (provider: 'easypost' | 'shippo', changes: Record<string, unknown> = {}) => {
  const secretKey = provider === 'easypost' ? shop.easypostKey : shop.shippoKey
  const saved = await operator('POST', `/label-accounts/${provider}`, account({ secretKey, ...changes }))
  expect(saved.status, saved.text).toBe(200)
  return saved.body
}

beforeEach(async () => {
  Object.assign(shop, { refunds: 'submitted', isTest: false, noRates: undefined, forgets: false })
  Object.assign(shop, { services, charges: undefined, file: undefined })
  for (const faults of Object.values(shop.faults)) faults.length = 0
  shop.mistakes.length = 0
})

async function kitToPack(changes: Record<string, unknown> = {}): Promise<{ kitID: string; orderID: string }> {
  const placed = await clinic.live.post('/create-order', anOrder(changes))
  expect(placed.status, placed.text).toBeLessThan(300)
  const orderID: string = placed.body.orderId
  return { orderID, kitID: (await clinic.live.get(`/orders/${orderID}`)).body.kits[0].kitID }
}
const bought = async (kitID: string) => {
  const asked = await operator('POST', `/fulfilment/labels/${kitID}`)
  expect(asked.status, asked.text).toBe(200)
}
// biome-ignore lint/suspicious/noExplicitAny: tests read answers as a caller without types would
type Label = Record<string, any>
const labelsOf = async (kitID: string): Promise<Label[]> =>
  (await operator('GET', `/fulfilment/labels/${kitID}`)).body.labels
const becomes = (kitID: string, ...expected: Label[]) =>
  expect.poll(() => labelsOf(kitID), { interval: 50 }).toMatchObject(expected)
const out = { leg: 'toUser' }
const back = { leg: 'toLab' }
const done = { state: 'bought', hasDocument: true }

/** Everything that is due by then is done. */
async function later(ms: number): Promise<void> {
  aheadMs += ms
  await world.service.database.asSystem({ name: 'test' }, (tx) => tx.enqueue('labels.due', {}))
}
const soldFor = (labels: readonly Label[]) =>
  shop.sold.filter(({ reference }) => labels.some((one) => one.labelID === reference))
const ship = (kitID: string, [outbound, returned]: Label[], changes: Record<string, unknown> = {}) =>
  operator('POST', '/fulfilment/shipments', {
    kitID,
    carrier: outbound?.carrier,
    outboundTrackingNumber: outbound?.trackingNumber,
    returnTrackingNumber: returned?.trackingNumber,
    ...changes,
  })

describe.each(['easypost', 'shippo'] as const)('labels of %s', (provider) => {
  it('are bought once for a kit that is packed, out and back, printed, and used by their numbers', async () => {
    await connected(provider)
    const { kitID, orderID } = await kitToPack()
    await bought(kitID)
    await bought(kitID)
    await becomes(kitID, { ...out, ...done, carrier: 'USPS', amount: 557 }, { ...back, ...done, carrier: 'USPS' })
    const labels = await labelsOf(kitID)
    expect(soldFor(labels).map(({ isReturn }) => isReturn)).toEqual([false, true])
    expect(shop.mistakes).toEqual([])
    const printed = await operator('GET', `/labels/${labels[0]?.labelID}/document`)
    expect([printed.status, printed.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(printed.text).toContain('%PDF-')
    expect((await ship(kitID, labels)).status).toBe(200)
    await becomes(kitID, { ...out, state: 'used' }, { ...back, state: 'used' })
    const { kit } = (await operator('GET', `/fulfilment/kits/${kitID}`)).body
    expect(kit.shipment.toLab.trackingNumber).toBe(labels[1]?.trackingNumber)
    const ofOrder = (await operator('GET', `/orders/${orderID}/labels`)).body
    expect(ofOrder.totals).toEqual([{ currency: 'USD', outbound: 557, onUse: 557 }])
  })

  it('are found again after the answer to the purchase was lost, and not bought a second time', async () => {
    await connected(provider, { buysReturnLabels: false })
    const { kitID } = await kitToPack()
    shop.faults.buy.push('lose')
    await bought(kitID)
    await becomes(kitID, { state: 'queued', reason: 'unavailable' })
    await later(60_000)
    await becomes(kitID, done)
    expect(soldFor(await labelsOf(kitID))).toHaveLength(1)
  })

  it('are bought once more only when the first purchase surely came to nothing', async () => {
    await connected(provider, { buysReturnLabels: false })
    const { kitID } = await kitToPack()
    shop.faults.buy.push('away')
    await bought(kitID)
    await becomes(kitID, { state: 'queued', reason: 'unavailable' })
    await later(60_000)
    await becomes(kitID, { state: 'queued' })
    expect(soldFor(await labelsOf(kitID))).toHaveLength(0)
    await later(6 * 60_000)
    await becomes(kitID, done)
    expect(soldFor(await labelsOf(kitID))).toHaveLength(1)
  })

  it('are voided when the order is canceled, and the refund is followed to its end', async () => {
    await connected(provider, { buysReturnLabels: false })
    const { kitID, orderID } = await kitToPack()
    await bought(kitID)
    await becomes(kitID, done)
    const canceled = await clinic.live.post(`/orders/${orderID}/cancel`, {})
    expect(canceled.status, canceled.text).toBeLessThan(300)
    await becomes(kitID, { state: 'voiding', reason: 'pending' })
    for (const sold of soldFor(await labelsOf(kitID))) sold.refund = 'refunded'
    await later(25 * 3_600_000)
    await becomes(kitID, { state: 'voided' })
    expect((await operator('GET', `/orders/${orderID}/labels`)).body.totals).toEqual([])
  })

  it('show a refund that is refused, which a person asks for again or closes', async () => {
    await connected(provider, { buysReturnLabels: false })
    const { kitID } = await kitToPack()
    await bought(kitID)
    await becomes(kitID, done)
    const [label] = await labelsOf(kitID)
    shop.refunds = 'rejected'
    expect((await operator('POST', `/labels/${label?.labelID}/void`)).status).toBe(200)
    await becomes(kitID, { state: 'voidRefused', reason: 'notVoided' })
    const open = (await operator('GET', '/labels?needsAttention=true')).body
    expect(open.data.map((one: Label) => one.labelID)).toContain(label?.labelID)
    shop.refunds = 'refunded'
    await operator('POST', `/labels/${label?.labelID}/void`)
    await becomes(kitID, { state: 'voided' })
  })

  it('that are refused leave the kit to be packed by hand, with the reason', async () => {
    await connected(provider, { buysReturnLabels: false })
    const { kitID } = await kitToPack()
    shop.faults.buy.push({ status: 402, code: 'INSUFFICIENT_FUNDS', text: 'Your balance is too low' })
    await bought(kitID)
    await becomes(kitID, { state: 'refused', reason: 'noMoney' })
    const shipped = await ship(kitID, [{ carrier: 'USPS', trackingNumber: `1Z${Date.now()}${provider}` }])
    expect(shipped.status, shipped.text).toBe(200)
    await becomes(kitID, { state: 'closed' })
  })

  it('cross a border with what customs want, and are refused before that without it', async () => {
    const recipientAddress = { street1: '1 Rue Haute', city: 'Bruxelles', state: '', zip: '1000', country: 'BE' }
    const abroad = {
      recipient: {
        first_name: 'Zoë',
        last_name: 'Peeters',
        email: 'zoe@example.test',
        phone: '+3225550100',
        address: recipientAddress,
      },
    }
    await connected(provider, { buysReturnLabels: false })
    const first = await kitToPack(abroad)
    await bought(first.kitID)
    await becomes(first.kitID, { state: 'refused', reason: 'customs' })
    const customs = {
      contents: 'Sampling set',
      valueMinor: 1500,
      currency: 'USD',
      hsCode: '3822.19',
      originCountry: 'US',
      signer: 'Ann Agent',
    }
    await connected(provider, { customs })
    const { kitID } = await kitToPack(abroad)
    await bought(kitID)
    await becomes(kitID, { ...out, ...done }, { ...back, state: 'refused', reason: 'abroad' })
    expect(shop.mistakes).toEqual([])
  })
})

describe('a label', () => {
  it('is not bought without an account: numbers are entered by hand, as before', async () => {
    const { kitID } = await kitToPack()
    for (const provider of ['easypost', 'shippo'] as const) await connected(provider, { isActive: false })
    expect((await operator('GET', `/fulfilment/labels/${kitID}`)).body).toEqual({ isOn: false, labels: [] })
    const asked = await operator('POST', `/fulfilment/labels/${kitID}`)
    expect([asked.status, asked.body.code]).toEqual([404, 'LABEL_ACCOUNT_NOT_FOUND'])
    const shipped = await ship(kitID, [{ carrier: 'USPS', trackingNumber: `1ZHAND${Date.now()}` }])
    expect(shipped.status, shipped.text).toBe(200)
  })

  it('is bought with what the account says, to whom the order goes, and without a word of what is tested', async () => {
    await connected('shippo', { format: 'A6' })
    const { kitID } = await kitToPack({ recipient: { ...ada, phone: '+12175550100' } })
    shop.offered.length = 0
    await bought(kitID)
    await becomes(kitID, { ...out, ...done }, { ...back, ...done })
    const text = JSON.stringify(shop.offered)
    expect(text).toContain('1 Main Street')
    for (const secret of ['+1217', 'example.test', kitID, 'Core', 'ED1NL4E3L', 'panel'])
      expect(text).not.toContain(secret)
    expect(soldFor(await labelsOf(kitID))[0]?.fileType).toBe('PDF_A6')
    const { packaging } = (await operator('GET', `/fulfilment/labels/${kitID}`)).body
    expect(packaging).toContain('Exempt human specimen')
  })

  it('that leads to an address of before is voided, and the next one leads to the new address', async () => {
    await connected('easypost', { buysReturnLabels: false })
    const { kitID, orderID } = await kitToPack()
    await bought(kitID)
    await becomes(kitID, done)
    const recipientAddress = { street1: '99 New Road', city: 'Chicago', state: 'IL', zip: '60601' }
    const corrected = await operator('PATCH', `/orders/${orderID}`, { recipientAddress, reason: 'Moved' })
    expect(corrected.status, corrected.text).toBe(200)
    await becomes(kitID, { state: 'voiding' })
    await bought(kitID)
    await becomes(kitID, done, { state: 'voiding' })
    expect(JSON.stringify(shop.offered.at(-1))).toContain('99 New Road')
  })

  it('is voided when its shipment is taken back, or the kit is shipped under another number', async () => {
    await connected('shippo', { buysReturnLabels: false })
    const [first, second] = [await kitToPack(), await kitToPack()]
    for (const { kitID } of [first, second]) {
      await bought(kitID)
      await becomes(kitID, done)
    }
    await ship(first.kitID, await labelsOf(first.kitID))
    await becomes(first.kitID, { state: 'used' })
    expect((await operator('DELETE', `/fulfilment/shipments/${first.kitID}`)).status).toBe(200)
    await becomes(first.kitID, { state: 'voiding' })
    await ship(second.kitID, [{ carrier: 'UPS', trackingNumber: `1ZELSE${Date.now()}` }])
    await becomes(second.kitID, { state: 'voiding' })
  })

  it('of a kit that goes out again is voided when a recall stops the kit, and the one that was used stays', async () => {
    await connected('easypost', { buysReturnLabels: false })
    const loaded = { product: CORE, lot: `LBL${Date.now()}` }
    expect((await operator('POST', '/stock/kit-lots', { ...loaded, load: true })).status).toBe(200)
    const { kitID } = await kitToPack()
    await bought(kitID)
    await becomes(kitID, done)
    await ship(kitID, await labelsOf(kitID))
    await operator('POST', '/stock/kit-lots', { ...loaded, load: false })
    expect((await operator('POST', '/undelivered', { kitIDs: [kitID] })).status).toBe(200)
    expect((await clinic.live.post(`/kits/${kitID}/undelivered`, { choice: 'sendAgain' })).status).toBe(200)
    await bought(kitID)
    await becomes(kitID, done, { state: 'used' })
    const recall = { kind: 'kitLot', subject: CORE, lot: loaded.lot, reason: 'Not sterile' }
    const begun = await operator('POST', '/recalls', recall)
    expect(begun.status, begun.text).toBe(200)
    await becomes(kitID, { state: 'voiding' }, { state: 'used' })
  })

  it('that nobody wants any more while its purchase is unclear is looked up, and voided if it was bought', async () => {
    await connected('shippo', { buysReturnLabels: false })
    const { kitID, orderID } = await kitToPack()
    shop.faults.buy.push('lose')
    await bought(kitID)
    await becomes(kitID, { state: 'queued', reason: 'unavailable' })
    await clinic.live.post(`/orders/${orderID}/cancel`, {})
    await becomes(kitID, { state: 'voiding' })
    expect(soldFor(await labelsOf(kitID))).toMatchObject([{ refund: 'submitted' }])
  })

  it('is never bought with a key for tests, nor with one that is not known', async () => {
    await connected('easypost', { buysReturnLabels: false })
    const [first, second] = [await kitToPack(), await kitToPack()]
    shop.isTest = true
    await bought(first.kitID)
    await becomes(first.kitID, { state: 'refused', reason: 'testKey' })
    shop.isTest = false
    await connected('easypost', { buysReturnLabels: false, secretKey: 'EZAKnobodyknowsit' })
    await bought(second.kitID)
    await becomes(second.kitID, { state: 'refused', reason: 'account', code: 'APIKEY.INACTIVE' })
    const labels = [...(await labelsOf(first.kitID)), ...(await labelsOf(second.kitID))]
    expect(soldFor(labels)).toEqual([])
    const closed = await operator('POST', `/labels/${labels[0]?.labelID}/close`)
    expect(closed.body).toMatchObject({ state: 'closed' })
  })

  it('has the address of its order, and no name, address or key is in a row, a job, the audit or the log', async () => {
    await connected('shippo', { buysReturnLabels: false })
    const email = 'canary@example.test'
    const canary = {
      first_name: 'Canaria',
      last_name: 'Vogelsang',
      email,
      address: { ...ada.address, street1: '7 Canary Lane' },
    }
    const { kitID } = await kitToPack({ recipient: canary })
    shop.faults.offer.push({ status: 422, text: 'Canaria Vogelsang, 7 Canary Lane: undeliverable address' })
    await bought(kitID)
    await becomes(kitID, { state: 'refused', reason: 'address' })
    await bought(kitID)
    await becomes(kitID, done, { state: 'closed' })
    const owner = await world.owner()
    for (const table of ['shipping_labels', 'label_accounts', 'audit_entries', 'pgboss.job']) {
      const { rows } = await owner.query(`select t::text as text from ${table} t`)
      expect(rows.length, table).toBeGreaterThan(0)
      for (const { text } of rows) expect(text).not.toMatch(/Canari|Vogelsang|7 Canary|shippo_live_standin/)
    }
    expect(world.logged.join('')).not.toMatch(/Canaria|Vogelsang|Canary Lane|shippo_live_standin/)
  })

  it('of a person who is erased is voided if it was not used, and what was printed is gone', async () => {
    await connected('shippo', { buysReturnLabels: false })
    const email = `erased${Date.now()}@example.test`
    const [used, waiting] = [
      await kitToPack({ recipient: { ...ada, email } }),
      await kitToPack({ recipient: { ...ada, email } }),
    ]
    for (const { kitID } of [used, waiting]) {
      await bought(kitID)
      await becomes(kitID, done)
    }
    await ship(used.kitID, await labelsOf(used.kitID))
    const person = { firstName: 'Ada', lastName: 'Example', email, dateOfBirth: '1980-02-03', sex: 'F' }
    const registered = await clinic.live.post(`/kits/${used.kitID}/register`, person)
    expect(registered.status, registered.text).toBe(200)
    const { kit } = (await clinic.live.get(`/kits/${used.kitID}`)).body
    const erased = await clinic.live.request('DELETE', `/customers/${kit.customerID}`)
    expect(erased.status, erased.text).toBe(200)
    await becomes(waiting.kitID, { state: 'voiding', hasDocument: false })
    const [label] = await labelsOf(used.kitID)
    expect(label).toMatchObject({ state: 'used', hasDocument: false })
    expect((await operator('GET', `/labels/${label?.labelID}/document`)).body.code).toBe('LABEL_NOT_FOUND')
  })

  it('is summed up by month, business and currency', async () => {
    const buyer = await world.business({ credits: 10 })
    await connected('easypost')
    const placed = await buyer.live.post('/create-order', anOrder())
    const kitID: string = (await buyer.live.get(`/orders/${placed.body.orderId}`)).body.kits[0].kitID
    await bought(kitID)
    await becomes(kitID, { ...out, ...done }, { ...back, ...done })
    const month = new Date(Date.now() + aheadMs).toISOString().slice(0, 7)
    const costs = (await operator('GET', `/label-costs?from=${month}&to=${month}`)).body
    const own = costs.filter(({ business }: Label) => business.id === buyer.id)
    const business = { id: buyer.id, name: expect.any(String) }
    expect(own).toEqual([{ month, business, currency: 'USD', labels: 2, outbound: 557, onUse: 557, voided: 0 }])
    const csv = (await operator('GET', `/label-costs?from=${month}&to=${month}`, undefined, { accept: 'text/csv' }))
      .text
    expect(csv).toContain('month,businessID,business,currency,labels,outbound,onUse,voided\r\n')
    expect(csv).toContain(`${month},${buyer.id},${own[0].business.name},USD,2,557,557,0\r\n`)
  })
})

describe('a number that Kitlane bought', () => {
  const boughtKit = async (changes: Record<string, unknown> = {}) => {
    const found = await kitToPack(changes)
    await bought(found.kitID)
    await becomes(found.kitID, { ...out, ...done }, { ...back, ...done })
    return { ...found, labels: await labelsOf(found.kitID) }
  }
  const refusal = async (shipping: ReturnType<typeof ship>) => {
    const { status, body } = await shipping
    return [status, body.code, body.error]
  }
  const TAKEN = [409, 'TRACKING_NUMBER_TAKEN'] as const

  it('is not shipped while it is voided or after that, by the API or a file: the refusal names the right label', async () => {
    await connected('easypost')
    const { kitID, orderID, labels } = await boughtKit()
    const recipientAddress = { street1: '98 New Road', city: 'Chicago', state: 'IL', zip: '60601' }
    await operator('PATCH', `/orders/${orderID}`, { recipientAddress, reason: 'Moved' })
    const none = 'This label was voided, or is being voided: buy a new one, or take one of your own'
    expect(await refusal(ship(kitID, labels))).toEqual([...TAKEN, none])
    await bought(kitID)
    const expected = [{ ...out, ...done }, { ...back, ...done }, { state: 'voiding' }, { state: 'voiding' }]
    await becomes(kitID, ...expected)
    const now = await labelsOf(kitID)
    expect(now[2]).toMatchObject({ hasDocument: false })
    const why = `This label was voided, or is being voided: take the label ${now[0]?.trackingNumber}`
    expect(await refusal(ship(kitID, labels))).toEqual([...TAKEN, why])
    const csv = `kitID,carrier,outbound,return\n${kitID},USPS,${labels[0]?.trackingNumber},${labels[1]?.trackingNumber}\n`
    for (const query of ['?dryRun=true', '']) {
      const headers = { 'content-type': 'text/csv' }
      const answer = await operator('POST', `/fulfilment/shipments/csv${query}`, csv, headers)
      expect(answer.body.rows, query).toEqual([{ row: 2, kitID, status: 'failed', error: why }])
    }
    expect((await ship(kitID, now)).status).toBe(200)
    await becomes(kitID, { state: 'used' }, { state: 'used' }, { state: 'voiding' }, { state: 'voiding' })
  })

  it('is not shipped after its shipment was taken back, or it was voided by hand', async () => {
    await connected('shippo')
    const [first, second] = [await boughtKit(), await boughtKit()]
    expect((await ship(first.kitID, first.labels)).status).toBe(200)
    await operator('DELETE', `/fulfilment/shipments/${first.kitID}`)
    await operator('POST', `/labels/${second.labels[0]?.labelID}/void`)
    for (const { kitID, labels } of [first, second])
      expect((await refusal(ship(kitID, labels))).slice(0, 2)).toEqual(TAKEN)
  })

  it('belongs to one kit: no other one is shipped with it, and the refusal says whose it is', async () => {
    await connected('easypost')
    const [own, other] = [await boughtKit(), await boughtKit()]
    const why = `This label was bought for kit ${other.kitID}: take the labels of the kit in hand`
    expect(await refusal(ship(own.kitID, other.labels))).toEqual([...TAKEN, why])
    expect(await refusal(ship(own.kitID, [own.labels[0] ?? {}, other.labels[1] ?? {}]))).toEqual([...TAKEN, why])
    expect(await labelsOf(own.kitID)).toMatchObject([{ state: 'bought' }, { state: 'bought' }])
  })

  it('carries several kits of one order, and is not voided while it does', async () => {
    await connected('shippo')
    const { kitID, orderID, labels } = await boughtKit({ kit_types: [{ kitType: CORE }, { kitType: CORE }] })
    const all: Label[] = (await clinic.live.get(`/orders/${orderID}`)).body.kits
    const other: string = all.find((one) => one.kitID !== kitID)?.kitID
    expect((await ship(other, [labels[0] ?? {}])).status).toBe(200)
    await becomes(kitID, { state: 'used' }, { state: 'bought' })
    expect((await operator('POST', `/labels/${labels[0]?.labelID}/void`)).body.code).toBe('ILLEGAL_TRANSITION')
    expect((await ship(kitID, labels)).status).toBe(200)
    expect((await operator('DELETE', `/fulfilment/shipments/${other}`)).status).toBe(200)
    await becomes(kitID, { state: 'used' }, { state: 'used' })
    expect((await operator('DELETE', `/fulfilment/shipments/${kitID}`)).status).toBe(200)
    await becomes(kitID, { state: 'voiding' }, { state: 'voiding' })
  })

  it('is for one way: swapped labels are refused, and neither is voided', async () => {
    await connected('easypost')
    const { kitID, labels } = await boughtKit()
    const why = 'That is the return label: scan the label that goes to the recipient'
    expect(await refusal(ship(kitID, labels.toReversed()))).toEqual([...TAKEN, why])
    expect(await labelsOf(kitID)).toMatchObject([{ state: 'bought' }, { state: 'bought' }])
  })

  it.each(['the API', 'a file'])(
    'is on the shipment of its kit where %s names no return label, and another one voids it',
    async (by) => {
      await connected('easypost')
      const [unnamed, replaced] = [await boughtKit(), await boughtKit()]
      const { kitID, labels } = unnamed
      const outbound = labels[0]?.trackingNumber
      const headers = { 'content-type': 'text/csv' }
      const csv = `kitID,carrier,outbound,return\n${kitID},USPS,${outbound},\n`
      const shipping = by === 'the API' ? ship(kitID, labels.slice(0, 1)) : undefined
      const answer = await (shipping ?? operator('POST', '/fulfilment/shipments/csv', csv, headers))
      expect(answer.status, answer.text).toBe(200)
      await becomes(kitID, { ...out, state: 'used' }, { ...back, state: 'used' })
      const again = await ship(kitID, labels)
      expect(again.status, again.text).toBe(200)
      expect((await ship(kitID, labels.slice(0, 1))).status).toBe(200)
      const toLab = { trackingNumber: labels[1]?.trackingNumber, carrier: 'USPS' }
      expect(again.body.kit.shipment).toMatchObject({ toLab })
      const another = { carrier: 'USPS', trackingNumber: `9400ANOTHER${Date.now()}` }
      const shipped = await ship(replaced.kitID, [replaced.labels[0] ?? {}, another])
      expect(shipped.status, shipped.text).toBe(200)
      await becomes(replaced.kitID, { ...out, state: 'used' }, { ...back, state: 'voiding' })
    },
  )

  it('is of its carrier, whatever the shipment says', async () => {
    await connected('easypost')
    const { kitID, labels } = await boughtKit()
    const { body } = await ship(kitID, labels, { carrier: 'FedEx', returnCarrier: 'FedEx' })
    expect(body.kit.shipment).toMatchObject({ toUser: { carrier: 'USPS' }, toLab: { carrier: 'USPS' } })
  })

  it.each(['close', 'replace', 'sendAgain'])('for a box that came back is kept to the choice: %s', async (choice) => {
    await connected('shippo', { buysReturnLabels: false })
    const { kitID } = await kitToPack()
    await bought(kitID)
    await becomes(kitID, done)
    const before = await labelsOf(kitID)
    expect((await ship(kitID, before)).status).toBe(200)
    await operator('POST', '/undelivered', { kitIDs: [kitID], outcome: 'returnedToSender' })
    await clinic.live.post(`/kits/${kitID}/undelivered`, { choice: 'sendAgain' })
    await bought(kitID)
    await becomes(kitID, done, { state: 'used' })
    if (choice === 'sendAgain') {
      expect((await refusal(ship(kitID, before))).slice(0, 2)).toEqual(TAKEN)
      const [now = {}] = await labelsOf(kitID)
      expect((await ship(kitID, [now])).status).toBe(200)
      return becomes(kitID, { state: 'used' }, { state: 'used' })
    }
    const chosen = await clinic.live.post(`/kits/${kitID}/undelivered`, { choice })
    expect(chosen.status, chosen.text).toBeLessThan(300)
    await becomes(kitID, { state: 'voiding' }, { state: 'used' })
  })

  it('of a kit that is registered without being packed is voided', async () => {
    await connected('easypost')
    const { kitID } = await boughtKit()
    const person = { firstName: 'Ada', lastName: 'Example', email: 'ada@example.test' }
    const registered = await clinic.live.post(`/kits/${kitID}/register`, {
      ...person,
      dateOfBirth: '1980-02-03',
      sex: 'F',
    })
    expect(registered.status, registered.text).toBe(200)
    await becomes(kitID, { state: 'voiding' }, { state: 'voiding' })
  })
})

describe('what is bought', () => {
  const customs = {
    contents: 'Sampling set',
    valueMinor: 1500,
    currency: 'USD',
    hsCode: '3822.19',
    originCountry: 'US',
  }
  const to = (address: Record<string, string>) => ({ recipient: { ...ada, phone: '+16715550100', address } })
  const street1 = '1 Marine Corps Drive'

  it.each([
    ['JPY', 1500, '1500'],
    ['KWD', 1500, '1.500'],
    ['USD', 1500, '15.00'],
  ])('tells customs a value in %s with the decimals of that currency', async (currency, valueMinor, value) => {
    const given = { ...customs, signer: 'Ann Agent', currency, valueMinor }
    const address = { street1: '1 Rue Haute', city: 'Bruxelles', state: '', zip: '1000', country: 'BE' }
    for (const provider of ['easypost', 'shippo'] as const) {
      await connected(provider, { customs: given, buysReturnLabels: false })
      const { kitID } = await kitToPack(to(address))
      await bought(kitID)
      await becomes(kitID, done)
      const { body } = shop.offered.at(-1) ?? {}
      const said = JSON.stringify(body)
      expect(said).toContain(provider === 'shippo' ? `"value_amount":"${value}"` : `"value":${Number(value)},`)
    }
    expect(shop.mistakes).toEqual([])
  })

  it.each([
    ['military post', { street1: 'PSC 1234 Box 5678', city: 'APO', state: 'AE', zip: '09012' }],
    ['Guam, as a state', { street1, city: 'Tamuning', state: 'GU', zip: '96913' }],
    ['Guam, as a country', { street1, city: 'Tamuning', zip: '96913', country: 'GU' }],
    ['Puerto Rico, as a country', { street1: '1 Calle Sol', city: 'San Juan', zip: '00901', country: 'PR' }],
    ['the Virgin Islands', { street1: '1 Main Street', city: 'St Thomas', state: 'VI', zip: '00802' }],
  ])(
    'goes to %s by USPS, out and back, with a customs form where USPS wants one and without a phone number',
    async (_, address) => {
      shop.services = services.map((one) => (one.carrier === 'UPS' ? { ...one, price: '1.00' } : one))
      for (const provider of ['easypost', 'shippo'] as const) {
        await connected(provider, { customs: { ...customs, signer: 'Ann Agent' } })
        const { kitID } = await kitToPack(to(address))
        await bought(kitID)
        await becomes(kitID, { ...out, ...done, carrier: 'USPS' }, { ...back, ...done, carrier: 'USPS' })
      }
      expect(shop.mistakes).toEqual([])
    },
  )

  it('is a return label of the service that was chosen, also of another carrier', async () => {
    await connected('easypost', { returnService: { carrier: 'UPS', service: 'Ground' } })
    const { kitID } = await kitToPack()
    await bought(kitID)
    await becomes(kitID, { ...out, ...done, carrier: 'USPS' }, { ...back, ...done, carrier: 'UPS' })
    const { body } = await ship(kitID, await labelsOf(kitID))
    expect(body.kit.shipment).toMatchObject({ toUser: { carrier: 'USPS' }, toLab: { carrier: 'UPS' } })
  })

  it('is the cheapest in the currency of most prices, and left to a person where no currency has most', async () => {
    await connected('shippo', { buysReturnLabels: false })
    const [usps, priority, ups] = services
    if (!usps || !priority || !ups) throw new Error('no services')
    shop.services = [{ ...usps, price: '3.00', currency: 'EUR' }, priority, ups]
    const [first, second] = [await kitToPack(), await kitToPack()]
    await bought(first.kitID)
    await becomes(first.kitID, { ...done, amount: 810, currency: 'USD' })
    shop.services = [{ ...usps, currency: 'EUR' }, ups]
    await bought(second.kitID)
    await becomes(second.kitID, { state: 'refused', reason: 'currencies' })
  })

  it.each(['easypost', 'shippo'] as const)(
    'costs what %s charged; another price than offered waits for a person',
    async (provider) => {
      await connected(provider, { buysReturnLabels: false })
      shop.charges = '9.99'
      const { kitID, orderID } = await kitToPack()
      await bought(kitID)
      await becomes(kitID, { ...done, amount: 999, reason: 'price' })
      expect((await operator('GET', `/orders/${orderID}/labels`)).body.totals[0].outbound).toBe(999)
      const [label] = await labelsOf(kitID)
      expect(await attention()).toContain(label?.labelID)
      const closed = await operator('POST', `/labels/${label?.labelID}/close`)
      expect(closed.body).toMatchObject({ state: 'bought', hasDocument: true })
      expect(await attention()).not.toContain(label?.labelID)
    },
  )

  const attention = async () =>
    (await operator('GET', '/labels?needsAttention=true&size=250')).body.data.map((one: Label) => one.labelID)

  it.each([
    ['is no PDF', Buffer.from('%PDF-1.4 nothing')],
    ['is a page of A4', pdfOf(595, 842)],
    ['runs a script when it is opened', pdfOf(288, 432, '/OpenAction <</S /JavaScript /JS (app.alert\\(1\\))>>')],
    ['is a PNG of a pixel', Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010802000000', 'hex')],
  ])('does not count as printed if its file %s: a person must look', async (_, file) => {
    await connected('easypost', { buysReturnLabels: false })
    shop.file = file
    const { kitID } = await kitToPack()
    await bought(kitID)
    await becomes(kitID, { state: 'bought', hasDocument: false, reason: 'badDocument' })
    expect(await attention()).toContain((await labelsOf(kitID))[0]?.labelID)
  })

  it.each([
    ['is not there', { status: 404 }, undefined],
    ['is elsewhere', { status: 302 }, undefined],
    ['is too large', undefined, Buffer.alloc(3 * 1024 * 1024)],
  ])('is said at once to be bought, but to be printed at the service, if its file %s', async (_, fault, file) => {
    await connected('easypost', { buysReturnLabels: false })
    shop.file = file
    if (fault) shop.faults.file.push(fault)
    const { kitID } = await kitToPack()
    await bought(kitID)
    await becomes(kitID, { state: 'bought', hasDocument: false, reason: 'badDocument' })
    expect(await attention()).toContain((await labelsOf(kitID))[0]?.labelID)
  })

  it.each([404, 409])(
    'is bought by a new offer, once, where the purchase of the first is answered %i',
    async (status) => {
      await connected('easypost', { buysReturnLabels: false })
      const kits = [await kitToPack(), await kitToPack()] as const
      for (const [index, { kitID }] of kits.entries()) {
        shop.faults.buy.push(...Array.from({ length: index + 1 }, () => ({ status, code: 'SHIPMENT.GONE' })))
        await bought(kitID)
        await becomes(kitID, { state: 'queued', reason: 'unclear' })
        await later(6 * 60_000)
        await becomes(kitID, index === 0 ? done : { state: 'refused', reason: 'refused', code: 'SHIPMENT.GONE' })
        expect(soldFor(await labelsOf(kitID))).toHaveLength(1 - index)
      }
    },
  )

  it('is not one of a price of zero, unless nothing else is offered', async () => {
    await connected('easypost', { buysReturnLabels: false })
    const [usps, priority] = services
    if (!usps || !priority) throw new Error('no services')
    for (const [offered, amount] of [
      [[{ ...usps, price: '0.00' }, priority], 810],
      [[{ ...usps, price: '0.00' }], 0],
    ] as const) {
      shop.services = [...offered]
      const { kitID } = await kitToPack()
      await bought(kitID)
      await becomes(kitID, { ...done, amount })
    }
  })

  it('waits for a person if it is not there after ten minutes, and is said to be looked up meanwhile', async () => {
    await connected('shippo', { buysReturnLabels: false })
    shop.faults.buy.push({ slowMs: 500 })
    const { kitID } = await kitToPack()
    await bought(kitID)
    await becomes(kitID, { state: 'queued', reason: 'unclear', sentence: expect.stringContaining('looked up') })
    await becomes(kitID, done)
    const late = await kitToPack()
    shop.faults.offer.push(...Array.from({ length: 40 }, () => 'away' as const))
    await bought(late.kitID)
    await becomes(late.kitID, { state: 'queued', reason: 'unavailable' })
    const [label] = await labelsOf(late.kitID)
    expect(await attention()).not.toContain(label?.labelID)
    aheadMs += 11 * 60_000
    expect(await attention()).toContain(label?.labelID)
    shop.faults.offer.length = 0
    await later(0)
    await becomes(late.kitID, done)
  })

  it('is nothing for a kit that would not be shipped, such as one of a lot in quarantine', async () => {
    await connected('easypost')
    const lot = `L${Date.now()}`
    await operator('POST', '/stock/kit-lots', { product: CORE, lot, load: true })
    await operator('POST', '/stock/quarantine', { kind: 'kitLot', subject: CORE, lot, reason: 'Wet' })
    const { kitID } = await kitToPack()
    const refused = await operator('POST', `/fulfilment/labels/${kitID}`)
    await operator('POST', '/stock/kit-lots', { product: CORE, lot, load: false })
    expect([refused.status, refused.body.code]).toEqual([409, 'LOT_REFUSED'])
    expect(await labelsOf(kitID)).toEqual([])
  })

  it('is in the audit: who opened a label, and which settings of the account changed, without their values', async () => {
    await connected('easypost', { buysReturnLabels: false })
    const samplesTo = { ...sender, name: 'Other Laboratory', street1: '9 Diversion Road' }
    await connected('easypost', { buysReturnLabels: false, samplesTo, secretKey: shop.easypostKey })
    const owner = await world.owner()
    const entries = async (action: string, id: string) =>
      (
        await owner.query('select details from audit_entries where action = $1 and object_id = $2 order by id desc', [
          action,
          id,
        ])
      ).rows
    expect((await entries('labels.connected', 'easypost'))[0].details).toEqual({
      isActive: true,
      fields: ['key', 'samplesTo'],
    })
    const { kitID } = await kitToPack()
    await bought(kitID)
    await becomes(kitID, done)
    const [label] = await labelsOf(kitID)
    expect((await operator('GET', `/labels/${label?.labelID}/document`)).status).toBe(200)
    expect((await entries('kit.read', kitID)).map(({ details }) => details.operation)).toContain('getLabelDocument')
  })

  it('has a key of its own service, and costs are summed from a month to a later one', async () => {
    for (const [provider, secretKey] of [
      ['easypost', 'shippo_live_1234567890'],
      ['shippo', 'EZAK1234567890'],
    ] as const) {
      const refused = await operator('POST', `/label-accounts/${provider}`, account({ secretKey }))
      expect([refused.status, refused.body.details[0].path]).toEqual([400, 'secretKey'])
    }
    expect((await operator('GET', '/label-costs?from=2026-05&to=2026-04')).status).toBe(400)
  })
})

it('an account is tested without buying anything: for what its key is, and what a parcel would cost', async () => {
  await connected('shippo')
  const before = shop.sold.length
  expect((await operator('POST', '/label-accounts/shippo/test')).status).toBe(200)
  const found = async () =>
    (await operator('GET', '/label-accounts')).body.find((one: Label) => one.provider === 'shippo')
  await expect.poll(found).toMatchObject({ hasSecretKey: true, tested: { isDone: true, mode: 'live' } })
  expect((await found()).tested.rates[0]).toEqual({
    carrier: 'USPS',
    service: 'usps_ground_advantage',
    amount: 557,
    currency: 'USD',
  })
  expect(JSON.stringify(await found())).not.toContain('shippo_live_standin')
  expect(shop.sold).toHaveLength(before)
  const unlike = await operator('POST', '/label-accounts/easypost', account({ format: 'A6' }))
  expect([unlike.status, unlike.body.code]).toEqual([400, 'VALIDATION_FAILED'])
})

describe('workers that die at any moment, and answers that are lost,', () => {
  /** A worker that ends before or after a transaction or a call, as the die says. */
  function mortal(realm: Realm, isFatal: () => boolean): LabelPorts {
    const { database, portsOf } = world.service
    const ports = realmPorts(database, portsOf, realm, { name: 'test' })
    const { callShipping } = ports
    if (!callShipping) throw new Error('no labels are bought')
    const dying = async <T>(work: () => Promise<T>): Promise<T> => {
      if (isFatal()) throw new Error('the worker died')
      const done = await work()
      if (isFatal()) throw new Error('the worker died')
      return done
    }
    return {
      ...ports,
      open: (work) => dying(() => ports.open(work)),
      callShipping: (call) => dying(() => callShipping(call)),
    }
  }

  async function boughtUnderFaults(provider: 'easypost' | 'shippo', random: () => number): Promise<Label[]> {
    await connected(provider, { buysReturnLabels: false })
    const kits = await Promise.all(Array.from({ length: 12 }, () => kitToPack()))
    const realm = await realmOf(kits[0]?.kitID ?? '')
    const odd = (): Fault => {
      const faults: Fault[] = ['lose', 'away', { lateMs: 30 }, { slowMs: 20 }, { status: 503 }]
      return faults[Math.floor(random() * faults.length)] ?? 'lose'
    }
    // Whatever the dice throw, the first answers are lost: without a look-up each of these is bought twice.
    shop.faults.buy.push(...kits.map(() => 'lose' as const))
    // The service itself buys at once: it meets faults, too.
    for (const kind of ['offer', 'buy', 'find'] as const) shop.faults[kind].push(...kits.map(odd))
    await Promise.all(kits.map(({ kitID }) => bought(kitID)))
    for (let round = 0; round < 6; round++) {
      for (const kind of ['offer', 'buy', 'find'] as const) shop.faults[kind].push(...Array.from({ length: 5 }, odd))
      const workers = kits.flatMap(({ kitID }) =>
        [0, 1].map(() =>
          workOnLabels(
            mortal(realm, () => random() < 0.08),
            kitID,
          ),
        ),
      )
      await Promise.allSettled(workers)
      await shop.settled()
      aheadMs += [20_000, 130_000, 6 * 60_000][round % 3] ?? 0
    }
    for (const faults of Object.values(shop.faults)) faults.length = 0
    for (let round = 0; round < 3; round++) {
      aheadMs += 70 * 60_000
      await Promise.all(
        kits.map(({ kitID }) =>
          workOnLabels(
            mortal(realm, () => false),
            kitID,
          ),
        ),
      )
    }
    return (await Promise.all(kits.map(({ kitID }) => labelsOf(kitID)))).flat()
  }

  const realmOf = async (kitID: string): Promise<Realm> =>
    world.service.database.asSystem({ name: 'test' }, async (tx) => {
      const [kit] = await lockLiveKits(tx, [kitID])
      if (!kit) throw new Error('no such kit')
      return kit.realm
    })

  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9))
  const dice = () => {
    let state = seed
    return () => {
      state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
      return state / 2 ** 32
    }
  }

  it.each(['easypost', 'shippo'] as const)(`buy each label of %s once (SEED=${seed})`, async (provider) => {
    const labels = await boughtUnderFaults(provider, dice())
    expect(labels.map(({ state }) => state)).toEqual(labels.map(() => 'bought'))
    for (const { labelID } of labels)
      expect(
        shop.sold.filter(({ reference }) => reference === labelID),
        labelID,
      ).toHaveLength(1)
  })

  it(`would be noticed to buy twice, were a purchase not looked up first (SEED=${seed})`, async () => {
    shop.forgets = true
    const labels = await boughtUnderFaults('shippo', dice())
    const twice = labels.filter(({ labelID }) => shop.sold.filter(({ reference }) => reference === labelID).length > 1)
    expect(twice.length).toBeGreaterThan(0)
  })
})
