import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allOperatorScopes } from '../../src/domain/scopes.ts'
import { standingAfter } from '../../src/modules/stock/decision.ts'
import { patiently } from '../harness/answers.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { anOrder, CARDIO, CORE } from '../harness/orders.ts'
import { grace } from '../harness/recipients.ts'
import { aGtin, codeOf, inDays } from '../harness/stock.ts'
import { visitor } from '../harness/visitor.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let operator: Operator
let clinic: TestBusiness
let gtin: string
let place: string
beforeAll(async () => {
  world = await sharedWorld()
  operator = await operatorWith(world, allOperatorScopes)
  clinic = await world.business({ credits: 1000 })
  gtin = aGtin()
  place = `Shelf ${gtin}`
  expect((await product(gtin)).status).toBe(200)
})
afterAll(() => world.stop())

const product = (of: string, more: Record<string, unknown> = {}) =>
  operator('POST', `/stock/products/${of}`, { kitType: CORE, ...more })

let last = 0
const aSerial = () => `S${gtin.slice(4, 13)}x${String(++last).padStart(5, '0')}`

interface NewBox {
  expiresInDays?: number
  lot?: string
  of?: string
  at?: string
}

/** Receives a box. Returns its serial number and its code. */
async function aBox({ expiresInDays = 365, lot = 'L1', of = gtin, at = place }: NewBox = {}) {
  const serial = aSerial()
  const code = codeOf({ gtin: of, serial, lot, expiresOn: inDays(expiresInDays) })
  const { body, text } = await operator('POST', '/stock/receipts', { place: at, boxes: [{ code }] })
  expect(body.done, text).toBe(1)
  return { serial, code }
}

async function order(of = clinic, changes: Record<string, unknown> = {}) {
  const placed = await of.live.post('/create-order', anOrder(changes))
  expect(placed.status, placed.text).toBe(201)
  const { kits } = (await of.live.get(`/orders/${placed.body.orderId}`)).body
  return kits[0].kitID as string
}

const aNumber = () => `1ZBOX${Date.now()}${String(++last).padStart(6, '0')}`
const ship = (kitID: string, box?: string, outboundTrackingNumber = aNumber()) =>
  operator('POST', '/fulfilment/shipments', { kitID, carrier: 'UPS', outboundTrackingNumber, ...(box && { box }) })
const history = async (code: string) => (await operator('GET', `/stock/boxes/${encodeURIComponent(code)}`)).body
const levelOf = async (of = gtin, at = place) => {
  const { body } = await operator('GET', `/stock/levels?place=${encodeURIComponent(at)}&size=250`)
  return body.data.find((one: { gtin: string }) => one.gtin === of)
}
const person = (email: string) => ({
  firstName: 'Bo',
  lastName: 'Tester',
  email,
  dateOfBirth: '1980-02-29',
  sex: 'F',
})

describe('boxes in stock', () => {
  it('are received by their codes, many at once, and the same box twice is one', async () => {
    const at = `Door ${gtin}`
    const code = (serial: string) => codeOf({ gtin, serial, lot: 'A', expiresOn: inDays(200) })
    const [one, two] = [aSerial(), aSerial()]
    const boxes = [{ code: code(one) }, { code: code(two) }, { code: code(one) }, { code: `01${gtin}10A` }]
    const tried = await operator('POST', '/stock/receipts', { place: at, boxes, dryRun: true })
    expect(tried.body).toMatchObject({ dryRun: true, done: 2, already: 1, failed: 1 })
    expect(await levelOf(gtin, at)).toBeUndefined()
    const received = await operator('POST', '/stock/receipts', { place: at, boxes })
    expect(received.body).toMatchObject({ dryRun: false, done: 2, already: 1, failed: 1 })
    expect(received.body.rows[3].error).toMatch(/no serial number/)
    const again = await operator('POST', '/stock/receipts', { place: at, boxes })
    expect(again.body).toMatchObject({ done: 0, already: 3, failed: 1 })
    expect(await levelOf(gtin, at)).toMatchObject({ inStock: 2, usable: 2, soonestExpiry: inDays(200) })
  })

  it('are refused where the product is unknown, or the same box has another expiry', async () => {
    const { serial } = await aBox()
    const wrong = codeOf({ gtin, serial, lot: 'L1', expiresOn: inDays(100) })
    const unknown = codeOf({ gtin: aGtin(), serial, lot: 'L1', expiresOn: inDays(100) })
    const { body } = await operator('POST', '/stock/receipts', { place, boxes: [{ code: wrong }, { code: unknown }] })
    expect(body.rows.map(({ error }: { error: string }) => error)).toEqual([
      expect.stringMatching(/another lot or expiry/),
      expect.stringMatching(/No product has this GTIN/),
    ])
  })

  it('are not received by the code of their product, which all of them have', async () => {
    const beside = { lot: 'L1', expiryDate: inDays(300) }
    const boxes = [
      { code: gtin.slice(1), ...beside, gtin },
      { code: gtin.slice(1), ...beside },
    ]
    const { body } = await operator('POST', '/stock/receipts', { place, boxes })
    expect(body).toMatchObject({ done: 0, failed: 2 })
    for (const { error } of body.rows) expect(error).toMatch(/not that of its product/)
  })

  it('move to another place, are written off with a reason, and come back where they are found', async () => {
    const { serial, code } = await aBox()
    const to = `Shop ${gtin}`
    expect((await operator('POST', '/stock/transfers', { to, boxes: [code] })).body).toMatchObject({ done: 1 })
    expect((await operator('POST', '/stock/transfers', { to, boxes: [serial] })).body).toMatchObject({ already: 1 })
    const why = await operator('POST', '/stock/adjustments', { reason: 'other', boxes: [serial] })
    expect(why.status).toBe(400)
    await operator('POST', '/stock/adjustments', { reason: 'lost', boxes: [serial] })
    expect((await operator('POST', '/stock/transfers', { to: place, boxes: [serial] })).body.rows[0].error).toMatch(
      /written off/,
    )
    await operator('POST', '/stock/adjustments', { reason: 'found', boxes: [serial], place })
    const { box, movements } = await history(serial.toLowerCase())
    expect(box).toMatchObject({ state: 'inStock', place, gtin, kitType: CORE })
    const listed = await operator('GET', `/stock/boxes?gtin=${gtin}&state=inStock&lot=L1&size=250`)
    expect(listed.body.data).toContainEqual(box)
    expect(movements.map(({ kind, reason }: { kind: string; reason?: string }) => reason ?? kind)).toEqual([
      'received',
      'transferred',
      'lost',
      'found',
    ])
  })

  it('lie at one place however it is spelled, large or small, and the first spelling stays', async () => {
    const at = `Cellar ${gtin}`
    const other = ` cellar ${gtin} `
    const of = aGtin()
    await product(of)
    const { code } = await aBox({ of, at })
    const second = await aBox({ of, at: other })
    expect((await history(second.serial)).box.place).toBe(at)
    expect((await operator('POST', '/stock/transfers', { to: other, boxes: [code] })).body).toMatchObject({
      already: 1,
    })
    const { body: saved } = await product(of, { reorderPoints: { [other.trim()]: 3 } })
    expect(saved.reorderPoints).toEqual({ [at]: 3 })
    const levels = await operator('GET', `/stock/levels?place=${encodeURIComponent(other.trim())}`)
    expect(levels.body.data).toMatchObject([{ place: at, inStock: 2, reorderPoint: 3, isLow: true }])
    const boxes = await operator('GET', `/stock/boxes?gtin=${of}&place=${encodeURIComponent(other.trim())}`)
    expect(boxes.body.data).toHaveLength(2)
    const counted = await operator('POST', '/stock/counts', { place: other, boxes: [code, second.code] })
    expect(counted.body).toMatchObject({ expected: 2, counted: 2, unexpected: [] })
    const twice = await product(of, { reorderPoints: { [at]: 3, [other.trim()]: 4 } })
    expect(twice.status).toBe(400)
  })

  it('are counted: what is missing and what is unexpected changes only where that is asked for', async () => {
    const at = `Count ${gtin}`
    const [here, missing] = [await aBox({ at }), await aBox({ at })]
    const elsewhere = await aBox()
    const count = (more = {}) =>
      operator('POST', '/stock/counts', { place: at, boxes: [here.code, elsewhere.code, '???'], ...more })
    const { body } = await count()
    expect(body).toMatchObject({ applied: false, expected: 2, counted: 1 })
    expect([body.missing[0].serial, body.unexpected[0].serial, body.failed.length]).toEqual([
      missing.serial,
      elsewhere.serial,
      1,
    ])
    expect((await history(missing.serial)).box.state).toBe('inStock')
    expect((await count({ apply: true })).status).toBe(400)
    expect((await count({ apply: true, note: 'Yearly count' })).body.applied).toBe(true)
    expect((await history(missing.serial)).box.state).toBe('writtenOff')
    expect((await history(elsewhere.serial)).box).toMatchObject({ state: 'inStock', place: at })
    expect((await count()).body).toMatchObject({ expected: 2, counted: 2, missing: [], unexpected: [] })
  })

  it('below their reorder point wait for the operator', async () => {
    const of = aGtin()
    const at = `Low ${of}`
    const waiting = async () => (await operator('GET', '/overview')).body.lowStock
    const before = await waiting()
    await product(of, { reorderPoints: { [at]: 2 } })
    expect(await waiting()).toBe(before + 1)
    expect(await levelOf(of, at)).toMatchObject({ inStock: 0, reorderPoint: 2, isLow: true })
    await aBox({ of, at })
    // It is in stock, and too old to be packed.
    await aBox({ of, at, expiresInDays: 10 })
    expect(await levelOf(of, at)).toMatchObject({ inStock: 2, usable: 1, isLow: true })
    await aBox({ of, at })
    expect(await waiting()).toBe(before)
  })

  it('keep the kit type of their product', async () => {
    await aBox()
    const { data } = (await operator('GET', '/stock/products?size=250')).body
    expect(data.find((one: { gtin: string }) => one.gtin === gtin)).toMatchObject({ minimumDaysAtPacking: 60 })
    expect((await product(gtin, { kitType: CARDIO })).status).toBe(400)
    expect((await product(aGtin(), { kitType: 'NOSUCH' })).status).toBe(400)
  })
})

describe('a box that is packed', () => {
  it('is the kit’s from then on, and whoever has its code finds the kit', async () => {
    const { serial, code } = await aBox({ expiresInDays: 100 })
    const kitID = await order()
    expect((await ship(kitID, code)).status).toBe(200)
    const box = { gtin, serial, lot: 'L1', expiryDate: inDays(100), registerBy: inDays(70) }
    expect((await clinic.live.get(`/kits/${kitID}`)).body.box).toEqual(box)
    for (const named of [serial, code, `https://id.example.test/01/${gtin}/21/${serial}`]) {
      const scanned = await operator('GET', `/fulfilment/kits/${encodeURIComponent(named)}`)
      expect(scanned.body, named).toMatchObject({ kit: { kitID }, box })
      const checked = await clinic.live.get(`/kits/${encodeURIComponent(named)}/validate`)
      expect(checked.body, named).toMatchObject({ exists: true, kitID })
    }
    expect((await history(serial)).box).toMatchObject({ state: 'bound', kitID })
  })

  it('is registered by its serial number by whoever bought it, in the API', async () => {
    const { serial } = await aBox()
    const kitID = await order()
    await ship(kitID, serial)
    const registered = await clinic.live.post(`/kits/${serial}/register`, person(`${serial}@example.test`))
    expect(registered.status, registered.text).toBe(200)
    expect(registered.body.kitID).toBe(kitID)
  })

  it('is registered by its serial number on the page for people', async () => {
    const { serial, code } = await aBox({ expiresInDays: 200 })
    const kitID = await order()
    await ship(kitID, serial)
    for (const typed of [serial, ` ${serial.toLowerCase()} `, code]) {
      const page = await visitor(world.service.url).open(`/k?kit=${encodeURIComponent(typed)}`)
      expect([page.path, page.status], typed).toEqual([`/k/${kitID}`, 200])
      expect(page.text).toContain('Please register it by')
    }
  })

  it('has a serial number of its own: none of another box in other letters, of a kit, or with its lot behind it', async () => {
    const { serial } = await aBox()
    const kitID = await order()
    const { body } = await operator('POST', '/stock/receipts', {
      place,
      boxes: [
        ...[serial.toLowerCase(), kitID, 'S00110L7', 'S0011728013110L9'].map((code) => {
          return { code, gtin, lot: code.endsWith('L9') ? 'L9' : 'L7', expiryDate: '2028-01-31' }
        }),
      ],
    })
    expect(body.rows.map(({ status }: { status: string }) => status)).toEqual(['failed', 'failed', 'failed', 'failed'])
    const nothing = await operator('POST', '/stock/counts', { place, boxes: [], apply: true, note: 'Empty' })
    expect([nothing.status, nothing.body.details[0].path]).toEqual([400, 'boxes'])
  })

  it('is not found by trying serial numbers for long, also where many of them exist', async () => {
    const boxes = await Promise.all(Array.from({ length: 3 }, () => aBox({ expiresInDays: 200 })))
    for (const { serial } of boxes) await ship(await order(), serial)
    const address = '2001:db8::77'
    const statuses: number[] = []
    for (let n = 0; n < 40 && statuses.at(-1) !== 429; n++) {
      const path = `${world.service.url}/k?kit=${encodeURIComponent(boxes[n % 3]?.serial ?? '')}`
      statuses.push((await fetch(path, { redirect: 'manual', headers: { 'x-forwarded-for': address } })).status)
    }
    expect(statuses[0]).toBeLessThan(400)
    expect(statuses.at(-1)).toBe(429)
  })

  it('registers nobody whose box is taken off the kit meanwhile', async () => {
    const { serial } = await aBox({ expiresInDays: 200 })
    const kitID = await order()
    await ship(kitID, serial)
    const owner = await world.owner()
    await owner.query('begin')
    await owner.query('select from kits where id = $1 for update', [kitID])
    const registering = clinic.live.post(`/kits/${serial}/register`, person(`${serial}@example.test`))
    const waits = 'select from pg_locks where not granted'
    await expect.poll(async () => (await owner.query(waits)).rowCount).toBeGreaterThan(0)
    await owner.query(
      `update stock_boxes set state = 'inStock', kit_id = null, realm_id = null, register_by = null where kit_id = $1`,
      [kitID],
    )
    await owner.query('commit')
    expect((await registering).body.code).toBe('KIT_NOT_FOUND')
    expect((await clinic.live.get(`/kits?kitID=${kitID}`)).body[0].registeredToEmail).toBe('')
  })

  it('registers nobody on its page either, however long they take to fill it in', async () => {
    const { serial } = await aBox({ expiresInDays: 200 })
    const kitID = await order()
    await ship(kitID, serial)
    const who = visitor(world.service.url)
    await who.open(`/k?kit=${serial}`)
    const details = await who.submit(await who.open(`/k/${kitID}/consent`), { consentToTesting: 'yes' })
    const check = await who.submit(details, { ...grace, email: `${serial}@example.test` })
    expect(check.path).toBe(`/k/${kitID}/check`)
    await operator('DELETE', `/fulfilment/shipments/${kitID}`)
    expect((await who.submit(check)).status).toBe(409)
    expect((await clinic.live.get(`/kits?kitID=${kitID}`)).body[0].registeredToEmail).toBe('')
  })

  it('gets no kit in its place where a shop sold it, for that one would go to the shop', async () => {
    const { serial } = await aBox({ expiresInDays: 200 })
    const kitID = await order()
    await ship(kitID, serial)
    await clinic.live.post(`/kits/${serial}/register`, person(`${serial}@example.test`))
    await operator('POST', '/samples/receive', { kitID })
    await operator('POST', `/kits/${kitID}/hold`, { causes: ['labelUnreadable'] })
    const gone = await operator('POST', `/kits/${kitID}/hold/discard`, { reason: 'Empty' })
    expect(gone.body, gone.text).toMatchObject({ state: 'discarded' })
    expect(gone.body.replacedBy).toBeUndefined()
  })

  it('says nothing to another business', async () => {
    const { serial, code } = await aBox()
    await ship(await order(), code)
    const other = await world.business({ credits: 10 })
    for (const named of [serial, code]) {
      const path = `/kits/${encodeURIComponent(named)}`
      const checked = await other.live.get(`${path}/validate`)
      expect(checked.body).toEqual({ exists: false, kitID: expect.any(String) })
      expect((await other.live.post(`${path}/register`, person('x@example.test'))).body.code).toBe('KIT_NOT_FOUND')
      const sandbox = await clinic.sandbox.get(`${path}/validate`)
      expect(sandbox.body.exists).toBe(false)
    }
  })

  it('is of the kit’s type, in stock and young enough; else the one that expires first is named', async () => {
    const of = aGtin()
    await product(of, { kitType: CARDIO })
    const fine = await aBox({ expiresInDays: 61 })
    const kitID = await order()
    const checked = (box: string) => operator('GET', `/stock/boxes/${encodeURIComponent(box)}?kitType=${CORE}`)
    const refusal = async (box: string) => {
      const early = (await checked(box)).body
      const { status, body } = await ship(kitID, box)
      expect(early.problem ?? early.message, 'said at the scan of the box').toBe(body.message)
      return [status, body.code, body.message]
    }
    const cardio = await aBox({ of })
    expect(await refusal(cardio.serial)).toEqual([409, 'BOX_REFUSED', expect.stringMatching(/Take a box of/)])
    const old = await aBox({ expiresInDays: 59 })
    expect(await refusal(old.code)).toEqual([
      409,
      'BOX_REFUSED',
      expect.stringMatching(/less than 60 days.*expires first/),
    ])
    const expired = await aBox({ expiresInDays: -1 })
    expect(await refusal(expired.code)).toEqual([409, 'BOX_REFUSED', expect.stringMatching(/has expired/)])
    const broken = await aBox()
    await operator('POST', '/stock/adjustments', { reason: 'damaged', boxes: [broken.serial] })
    expect(await refusal(broken.code)).toEqual([409, 'BOX_REFUSED', expect.stringMatching(/written off/)])
    expect(await refusal('NEVERSEEN1')).toEqual([404, 'BOX_NOT_FOUND', expect.stringMatching(/never received/)])
    expect((await clinic.live.get(`/kits?kitID=${kitID}`)).body[0].kitStatus).toBe('preparing')
    expect((await checked(fine.code)).body).not.toHaveProperty('problem')
    expect((await ship(kitID, fine.code)).status).toBe(200)
    const second = await ship(await order(), fine.code)
    expect([second.status, second.body.code]).toEqual([409, 'BOX_REFUSED'])
    expect((await checked(fine.code)).body.problem).toBe(second.body.message)
  })

  it('is neither counted nor named as one that can be packed where nobody could register it any more', async () => {
    const [of, at] = [aGtin(), `Late ${gtin}`]
    await product(of, { minimumDaysAtPacking: 0, registerDaysBeforeExpiry: 30 })
    const { serial } = await aBox({ of, at, expiresInDays: 10 })
    expect(await levelOf(of, at)).toMatchObject({ inStock: 1, usable: 0 })
    const { body } = await ship(await order(), serial)
    expect(body.message).toMatch(/less than 30 days/)
    expect(body.message).not.toContain(`first is ${serial}`)
  })

  it('stays the kit’s when the same shipment is sent again, and no other box takes its place', async () => {
    const [one, two] = [await aBox(), await aBox()]
    const [kitID, number] = [await order(), aNumber()]
    expect((await ship(kitID, one.code, number)).status).toBe(200)
    expect((await ship(kitID, one.serial, number)).status).toBe(200)
    expect((await ship(kitID, two.code, number)).body.code).toBe('ILLEGAL_TRANSITION')
    expect((await history(two.serial)).box.state).toBe('inStock')
    expect((await history(one.serial)).movements).toHaveLength(2)
  })

  it('of whose code a part was scanned as a label is not shipped: no carrier has that number', async () => {
    const kitID = await order()
    for (const number of [gtin.slice(1), `01${gtin}1727`, `01${gtin.slice(0, 13)}X172801`]) {
      const refused = await ship(kitID, undefined, number)
      expect([refused.status, refused.body.message], number).toEqual([409, expect.stringMatching(/scan the label/)])
    }
    const labels = { carrier: 'UPS', outboundTrackingNumber: aNumber(), returnTrackingNumber: gtin }
    expect((await operator('POST', '/fulfilment/shipments', { kitID, ...labels })).status).toBe(409)
    expect((await ship(kitID)).status).toBe(200)
  })

  it('is in stock again when the shipment is taken back', async () => {
    const { serial, code } = await aBox()
    const kitID = await order()
    await ship(kitID, code)
    expect((await operator('DELETE', `/fulfilment/shipments/${kitID}`)).status).toBe(200)
    expect((await history(serial)).box).toMatchObject({ state: 'inStock', place })
    expect((await clinic.live.get(`/kits/${kitID}`)).body).not.toHaveProperty('box')
    expect((await clinic.live.get(`/kits/${serial}/validate`)).body.exists).toBe(false)
    expect((await ship(kitID, code)).status).toBe(200)
  })

  it('by a spreadsheet: a row whose box is refused does not stop the others, and ships nothing', async () => {
    const { serial, code } = await aBox()
    const [one, two] = [await order(), await order()]
    const csv = ['kitID,carrier,outbound,box', `${one},UPS,${aNumber()},${serial}`, `${two},UPS,${aNumber()},"${code}"`]
    const send = (query = '') =>
      operator('POST', `/fulfilment/shipments/csv${query}`, csv.join('\n'), { 'content-type': 'text/csv' })
    expect((await send('?dryRun=true')).body).toMatchObject({ shipped: 1, failed: 1 })
    expect((await history(serial)).box.state).toBe('inStock')
    const { body } = await send()
    expect(body).toMatchObject({ shipped: 1, failed: 1 })
    expect(body.rows[1].error).toMatch(/on another kit already/)
    expect((await clinic.live.get(`/kits?kitID=${two}`)).body[0].kitStatus).toBe('preparing')
    expect((await send()).body).toMatchObject({ already: 1, failed: 1 })
  })

  it('is registered until so many days before its expiry, and not after', async () => {
    const of = aGtin()
    await product(of, { minimumDaysAtPacking: 0, registerDaysBeforeExpiry: 40 })
    const late = await aBox({ of, expiresInDays: 39 })
    const today = await aBox({ of, expiresInDays: 40 })
    const kits = [await order(), await order()]
    expect((await ship(kits[0] ?? '', late.code)).body.code).toBe('BOX_REFUSED')
    const inTime = await aBox({ of, expiresInDays: 41 })
    expect((await ship(kits[0] ?? '', inTime.code)).status).toBe(200)
    expect((await ship(kits[1] ?? '', today.code)).status).toBe(200)
    const owner = await world.owner()
    await owner.query('update stock_boxes set register_by = register_by - 2 where kit_id = $1', [kits[0]])
    const refused = await clinic.live.post(`/kits/${kits[0]}/register`, person(`${late.serial}@example.test`))
    expect([refused.status, refused.body.code]).toEqual([409, 'REGISTER_BY_PASSED'])
    const page = await visitor(world.service.url).open(`/k/${kits[0]}`)
    expect(page.text).toContain('This kit is too old to be registered')
    const right = await clinic.live.post(`/kits/${kits[1]}/register`, person(`${today.serial}@example.test`))
    expect(right.status, right.text).toBe(200)
  })
})

describe('a serial number', () => {
  it('that two products have means none of them, until the one that is packed first is on a kit', async () => {
    const of = aGtin()
    await product(of)
    const serial = aSerial()
    const codes = [gtin, of].map((gtin) => codeOf({ gtin, serial, lot: 'L', expiresOn: inDays(300) }))
    await operator('POST', '/stock/receipts', { place, boxes: codes.map((code) => ({ code })) })
    const kits = [await order(), await order()]
    const listed = await operator('GET', `/stock/boxes?serial=${serial.toLowerCase()}`)
    expect(listed.body.data.map(({ gtin }: { gtin: string }) => gtin).toSorted()).toEqual([gtin, of].toSorted())
    const refused = await ship(kits[0] ?? '', serial)
    expect([refused.status, refused.body.message]).toEqual([404, expect.stringMatching(/Several products/)])
    expect((await ship(kits[0] ?? '', codes[0])).status).toBe(200)
    const second = await ship(kits[1] ?? '', codes[1])
    const early = await operator('GET', `/stock/boxes/${encodeURIComponent(codes[1] ?? '')}?kitType=${CORE}`)
    expect(early.body.problem).toBe(second.body.message)
    expect([second.body.code, second.body.message]).toEqual(['BOX_REFUSED', expect.stringMatching(/tell them apart/)])
    for (const named of [serial, encodeURIComponent(codes[0] ?? '')]) {
      expect((await clinic.live.get(`/kits/${named}/validate`)).body.kitID).toBe(kits[0])
    }
    expect((await clinic.live.get(`/kits/${encodeURIComponent(codes[1] ?? '')}/validate`)).body.exists).toBe(false)
  })
})

describe('a serial number that is a tracking number, too,', () => {
  it('means neither kit at a station, which says what it found; the square code of the box does', async () => {
    const { serial, code } = await aBox()
    const [inBox, posted] = [await order(), await order()]
    const number = serial.toUpperCase()
    expect((await ship(inBox, code)).status).toBe(200)
    expect((await ship(posted, undefined, number)).status).toBe(200)
    const scan = (text: string) => operator('GET', `/fulfilment/kits/${encodeURIComponent(text)}`)
    const both = await scan(serial)
    expect([both.status, both.body.code]).toEqual([404, 'KIT_NOT_FOUND'])
    expect(both.body.message).toContain(`kit ${posted}`)
    expect(both.body.message).toContain(`box of kit ${inBox}`)
    expect((await scan(code)).body.kit.kitID).toBe(inBox)
    expect((await scan(posted)).body.kit.kitID).toBe(posted)
  })

  it('means its kit where both are of one kit', async () => {
    const { serial } = await aBox()
    const kitID = await order()
    expect((await ship(kitID, serial, serial)).status).toBe(200)
    expect((await operator('GET', `/fulfilment/kits/${serial}`)).body).toMatchObject({
      kit: { kitID },
      box: { serial },
    })
  })
})

describe('boxes that many scan at once', () => {
  const seed = Number(process.env.STOCK_SEED ?? Date.now() % 1_000_000)

  it(`are each on one kit at most, and what stands is the sum of what happened (STOCK_SEED=${seed})`, async () => {
    let state = seed
    const draw = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((state / 2_147_483_648) * below)
    }
    const boxes = await Promise.all(Array.from({ length: 4 }, () => aBox()))
    const kits = await Promise.all(Array.from({ length: 8 }, () => order()))
    const any = () => boxes[draw(boxes.length)]?.code ?? ''
    const acts = Array.from({ length: 40 }, () => {
      const [kitID, box] = [kits[draw(kits.length)] ?? '', any()]
      const what = draw(5)
      if (what < 3) return () => ship(kitID, box)
      if (what === 3) return () => operator('DELETE', `/fulfilment/shipments/${kitID}`)
      return () => operator('POST', '/stock/transfers', { to: `Race ${draw(3)}`, boxes: [any(), any()] })
    })
    const answers = await Promise.all(acts.map(patiently))
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    expect(answers.some(({ status }) => status === 409)).toBe(true)
    const bound: string[] = []
    for (const { serial } of boxes) {
      const { box, movements } = await history(serial)
      expect(standingAfter(movements)).toEqual({ state: box.state, place: box.place })
      if (box.kitID) bound.push(box.kitID)
      for (const kitID of kits.filter((one) => one === box.kitID)) {
        expect((await clinic.live.get(`/kits/${kitID}`)).body.box.serial).toBe(serial)
      }
    }
    expect(new Set(bound).size).toBe(bound.length)
  })

  it('would be found out: a box that was put on two kits has no standing', () => {
    const bound = { kind: 'bound', place: 'A' } as const
    expect(standingAfter([{ kind: 'received', place: 'A' }, bound])).toEqual({ state: 'bound', place: 'A' })
    expect(standingAfter([{ kind: 'received', place: 'A' }, bound, bound])).toBeUndefined()
  })
})
