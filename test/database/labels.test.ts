import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { allOperatorScopes } from '../../src/domain/scopes.ts'
import { lockLiveKits } from '../../src/modules/fulfilment/queries.ts'
import { type LabelPorts, workOnLabels } from '../../src/modules/labels/work.ts'
import type { Realm } from '../../src/platform/database/tx.ts'
import { realmPorts } from '../../src/platform/ports/realm-ports.ts'
import type { LabelFault } from '../harness/label-checks.ts'
import { type LabelStandIn, labelStandIn } from '../harness/label-stand-in.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { recipient as ada, anOrder } from '../harness/orders.ts'
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
  expect.poll(() => labelsOf(kitID), { interval: 50, timeout: 10_000 }).toMatchObject(expected)
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
    const { callLabels } = ports
    if (!callLabels) throw new Error('no labels are bought')
    const dying = async <T>(work: () => Promise<T>): Promise<T> => {
      if (isFatal()) throw new Error('the worker died')
      const done = await work()
      if (isFatal()) throw new Error('the worker died')
      return done
    }
    return {
      ...ports,
      open: (work) => dying(() => ports.open(work)),
      callLabels: (call) => dying(() => callLabels(call)),
    }
  }

  async function boughtUnderFaults(provider: 'easypost' | 'shippo', random: () => number): Promise<Label[]> {
    await connected(provider, { buysReturnLabels: false })
    const kits = await Promise.all(Array.from({ length: 12 }, () => kitToPack()))
    const realm = await realmOf(kits[0]?.kitID ?? '')
    const odd = (): LabelFault => {
      const faults: LabelFault[] = ['lose', 'away', { lateMs: 30 }, { slowMs: 20 }, { status: 503 }]
      return faults[Math.floor(random() * faults.length)] ?? 'lose'
    }
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
