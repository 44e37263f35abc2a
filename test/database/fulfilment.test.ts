import { randomBytes } from 'node:crypto'
import { csvOfWorkbook } from '@kitlane/display/workbook'
import { XLSX } from '@kitlane/display/workbook-kind'
import fc from 'fast-check'
import type { Client } from 'pg'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allOperatorScopes } from '../../src/domain/scopes.ts'
import { signatureOf } from '../../src/modules/fulfilment/easypost.ts'
import { queueFile } from '../../src/modules/fulfilment/queue-file.ts'
import { loadSettings } from '../../src/service/load-settings.ts'
import type { Reply } from '../harness/caller.ts'
import { kitEvents } from '../harness/kit-events.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { anOrder, CORE } from '../harness/orders.ts'
import { aWorkbook } from '../harness/workbook.ts'
import { ownWorld, sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

const secrets = {
  generic: `whsec_${randomBytes(24).toString('base64')}`,
  easypost: 'påssword of the hook',
  shippo: randomBytes(24).toString('hex'),
  shipstation: randomBytes(24).toString('hex'),
  shipbob: `whsec_${randomBytes(24).toString('base64')}`,
}
let world: World
let operator: Operator
let clinic: TestBusiness
let owner: Client
beforeAll(async () => {
  world = await ownWorld('has another setting', {
    carrierWebhookSecret: secrets.generic,
    easypostWebhookSecret: secrets.easypost,
    shippoWebhookToken: secrets.shippo,
    shipstationWebhookToken: secrets.shipstation,
    shipbobWebhookSecret: secrets.shipbob,
  })
  operator = await operatorWith(world, allOperatorScopes)
  clinic = await world.business({ credits: 10_000 })
  owner = await world.owner()
})
afterAll(() => world.stop())

let serial = 0
const aNumber = (prefix = '1Z') => `${prefix}TEST${String(++serial).padStart(12, '0')}`

async function order(of = clinic, changes: Record<string, unknown> = {}): Promise<string[]> {
  const { orderId } = (await of.live.post('/create-order', anOrder(changes))).body
  const { kits } = (await of.live.get(`/orders/${orderId}`)).body
  return kits.map(({ kitID }: { kitID: string }) => kitID)
}
async function kit(of = clinic): Promise<string> {
  const [id = ''] = await order(of)
  return id
}

const labels = (kitID: string, changes: Record<string, unknown> = {}) => ({
  kitID,
  carrier: 'UPS',
  outboundTrackingNumber: aNumber(),
  returnTrackingNumber: aNumber('94'),
  ...changes,
})
const ship = (body: unknown) => operator('POST', '/fulfilment/shipments', body)
const find = async (kitID: string) => (await clinic.live.get(`/kits?kitID=${kitID}`)).body[0]
const shipped = async (of = clinic) => {
  const labeled = labels(await kit(of))
  expect((await ship(labeled)).status).toBe(200)
  return { kitID: labeled.kitID, out: labeled.outboundTrackingNumber, back: labeled.returnTrackingNumber }
}

const person = { firstName: 'Bo', lastName: 'Tester', email: 'bo@example.test', dateOfBirth: '1980-02-29', sex: 'F' }
const register = (kitID: string) => clinic.live.post(`/kits/${kitID}/register`, person)

const HOUR = 3_600_000
const start = Date.now() - 48 * HOUR
const hours = (count: number) => new Date(start + count * HOUR).toISOString()
async function carrier(trackingNumber: string, status: string, at: number, more = {}): Promise<string> {
  const event = { trackingNumber, status, at: hours(at), ...more }
  const { status: code, body } = await operator('POST', '/carrier-events', [event])
  expect(code).toBe(200)
  return body.events[0].outcome
}
/** The events of a kit in order. */
async function happened(kitID: string): Promise<string[]> {
  return (await kitEvents(world.service.database, kitID)).map(({ data }) => data.event)
}

describe('the pack queue', () => {
  it('holds the paid live kits of all businesses, oldest first, with where they go', async () => {
    const [first, second] = [await world.business(), await world.business()]
    await operator('GET', '/fulfilment/queue')
    const one = await kit(first)
    const two = await order(second, { kit_types: [{ kitType: CORE, quantity: 2 }] })
    await first.sandbox.post('/create-order', anOrder())
    const pending = await second.live.post('/create-order', anOrder({ kit_types: [{ kitType: CORE, quantity: 900 }] }))
    expect(pending.body.pending).toBe(true)
    const { body } = await operator('GET', '/fulfilment/queue?size=250')
    const ids = body.data.map((row: { kitID: string }) => row.kitID)
    expect(ids.filter((id: string) => [one, ...two].includes(id))).toEqual([one, ...two])
    const dates = body.data.map((row: { orderedDate: string }) => row.orderedDate)
    expect(dates).toEqual(dates.toSorted())
    const ofSecond = await operator('GET', `/fulfilment/queue?businessID=${second.id}`)
    expect(ofSecond.body.pagination.total).toBe(2)
    expect(ofSecond.body.data[0]).toMatchObject({
      kitID: two[0],
      kitType: CORE,
      business: { id: second.id, name: second.name },
      recipient: { name: 'Ada Example', street1: '1 Main Street', city: 'Springfield', country: 'US' },
      waitingDays: 0,
      kitsInOrder: 2,
    })
    const pages = await Promise.all(
      [0, 1].map((page) => operator('GET', `/fulfilment/queue?size=1&page=${page}&businessID=${second.id}`)),
    )
    expect(pages.map((page) => page.body.data[0].kitID)).toEqual(two)
    await ship(labels(one))
    expect((await operator('GET', `/fulfilment/queue?businessID=${first.id}`)).body.data).toEqual([])
  })

  it('is a file with addresses, too, which comes back as shipments; the audit has whose they are', async () => {
    const business = await world.business()
    const one = await kit(business)
    const other = await kit(business)
    const file = await operator('GET', `/fulfilment/queue?businessID=${business.id}`, undefined, { accept: 'text/csv' })
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const [head = '', ...lines] = file.text.replace('\uFEFF', '').trim().split('\r\n')
    expect(lines.map((line) => line.split(',')[0])).toEqual([one, other])
    expect(lines[0]).toContain(',Ada Example,1 Main Street,')
    const filled = lines.map((line) => line.replace(/,,,$/, `,UPS,${aNumber()},`))
    const { body } = await operator('POST', '/fulfilment/shipments/csv', [head, ...filled].join('\r\n'), {
      'content-type': 'text/csv',
    })
    expect(body).toMatchObject({ shipped: 2, failed: 0 })
    const owner = await world.owner()
    const { rows } = await owner.query(
      `select details -> 'ids' as ids from audit_entries where details ->> 'operation' = 'listKitsToPack'
       and details ->> 'format' = 'text/csv' and details -> 'ids' ? $1`,
      [one],
    )
    expect(rows.map(({ ids }) => ids.toSorted())).toEqual([[one, other].toSorted()])
  })

  it('as a file leaves out the kits of erased people', async () => {
    await kit()
    const [{ recipient: _, ...erased }] = (await operator('GET', '/fulfilment/queue?size=1')).body.data
    const { document } = await queueFile([erased], 'text/csv')
    expect(document).toMatchObject({ body: expect.not.stringContaining(erased.kitID), shows: [] })
  })

  it('is a workbook, too, in which every text is as it was written, and which comes back as shipments', async () => {
    const business = await world.business()
    const one = await kit(business)
    const path = `/fulfilment/queue?businessID=${business.id}`
    const file = await operator('GET', path, undefined, { accept: XLSX })
    expect(file.headers.get('content-type')).toBe(XLSX)
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="kits-to-pack.xlsx"')
    const [row] = (await operator('GET', path)).body.data
    const recipient = {
      ...row.recipient,
      name: '=HYPERLINK("x")',
      street1: '  +1 <Main> & Co',
      phone: '9400111899223197428490',
    }
    const { document } = await queueFile([{ ...row, recipient }], XLSX)
    if (!('body' in document && document.body instanceof Buffer)) throw new Error('not a workbook')
    const csv = await csvOfWorkbook(document.body, { mostBytes: 1e6 })
    expect(csv).toContain('"=HYPERLINK(""x"")","+1 <Main> & Co"')
    expect(csv).toContain('"9400111899223197428490"')
    expect(document.body.includes('<f>')).toBe(false)
    const { body } = await operator('POST', '/fulfilment/shipments/csv?dryRun=true', document.body, {
      'content-type': XLSX,
    })
    expect(body.rows).toMatchObject([{ row: 2, kitID: one, status: 'failed' }])
  })

  it('is for the scope fulfilment', async () => {
    const lab = await operatorWith(world, ['lab'])
    expect((await lab('GET', '/fulfilment/queue')).status).toBe(403)
    expect((await lab('POST', '/fulfilment/shipments', labels(await kit()))).status).toBe(403)
  })
})

describe('shipping a kit', () => {
  it('keeps both tracking numbers, moves it to kitInTransit and tells the business', async () => {
    const kitID = await kit()
    const { status, body } = await ship(
      labels(kitID, {
        outboundTrackingNumber: ' 1z 999 aa1 01 2345 6784',
        returnCarrier: 'USPS',
        returnTrackingNumber: '420900019400111899223197428490',
      }),
    )
    expect(status).toBe(200)
    expect(body.kit).toMatchObject({
      kitStatus: 'inTransit',
      shipment: {
        toUser: { trackingNumber: '1Z999AA10123456784', carrier: 'UPS' },
        toLab: { trackingNumber: '9400111899223197428490', carrier: 'USPS' },
      },
    })
    expect((await find(kitID)).shipment).toEqual(body.kit.shipment)
    expect(await happened(kitID)).toEqual(['kitPreparing', 'kitInTransit'])
  })

  it('again with the same labels changes nothing, with others is refused', async () => {
    const { kitID, out, back } = await shipped()
    const before = await find(kitID)
    const same = { kitID, carrier: 'UPS', outboundTrackingNumber: out, returnTrackingNumber: back }
    expect((await ship(same)).status).toBe(200)
    expect(await find(kitID)).toEqual(before)
    const other = await ship({ ...same, outboundTrackingNumber: aNumber() })
    expect([other.status, other.body.code]).toEqual([409, 'ILLEGAL_TRANSITION'])
    expect(await find(kitID)).toEqual(before)
  })

  it('is refused for a number on another parcel, though several kits of one order may go in one', async () => {
    const [first = '', second = ''] = await order(clinic, { kit_types: [{ kitType: CORE, quantity: 2 }] })
    const one = labels(first)
    expect((await ship(one)).status).toBe(200)
    const taken = async (changes: Record<string, unknown>) => {
      const { status, body } = await ship(labels(second, changes))
      return [status, body.code]
    }
    const refused = [409, 'TRACKING_NUMBER_TAKEN']
    expect(await taken({ returnTrackingNumber: one.returnTrackingNumber })).toEqual(refused)
    expect(await taken({ outboundTrackingNumber: one.returnTrackingNumber })).toEqual(refused)
    expect(await taken({ returnTrackingNumber: one.outboundTrackingNumber })).toEqual(refused)
    const both = aNumber()
    expect(await taken({ outboundTrackingNumber: both, returnTrackingNumber: both })).toEqual(refused)
    const foreign = await kit(await world.business())
    const elsewhere = await ship(labels(foreign, { outboundTrackingNumber: one.outboundTrackingNumber }))
    expect([elsewhere.status, elsewhere.body.code]).toEqual(refused)
    expect((await ship(labels(second, { outboundTrackingNumber: one.outboundTrackingNumber }))).status).toBe(200)
  })

  it('is refused for a canceled order, a sandbox kit and one that does not exist', async () => {
    const { orderId } = (await clinic.live.post('/create-order', anOrder())).body
    const { kits } = (await clinic.live.get(`/orders/${orderId}`)).body
    await clinic.live.post(`/orders/${orderId}/cancel`)
    expect((await ship(labels(kits[0].kitID))).status).toBe(409)
    const mock = (await clinic.sandbox.post('/create-order', anOrder())).body.orderId
    const mockKit = (await clinic.sandbox.get(`/orders/${mock}`)).body.kits[0].kitID
    expect((await ship(labels(mockKit))).body.code).toBe('KIT_NOT_FOUND')
    expect((await ship(labels('K000000000'))).body.code).toBe('KIT_NOT_FOUND')
  })

  it('by two packers at once is won by one', async () => {
    for (let round = 0; round < 5; round++) {
      const kitID = await kit()
      const answers = await Promise.all([1, 2, 3, 4].map(() => ship(labels(kitID))))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
      const winner = answers.find(({ status }) => status === 200)
      expect((await find(kitID)).shipment).toEqual(winner?.body.kit.shipment)
    }
  })

  it('of two kits under one number at once is won by one', async () => {
    const kits = [await kit(), await kit(), await kit(await world.business())]
    const outboundTrackingNumber = aNumber()
    const answers = await Promise.all(kits.map((kitID) => ship(labels(kitID, { outboundTrackingNumber }))))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  })

  it('beside a cancel leaves it shipped or canceled, never both', async () => {
    for (let round = 0; round < 5; round++) {
      const { orderId } = (await clinic.live.post('/create-order', anOrder())).body
      const kitID = (await clinic.live.get(`/orders/${orderId}`)).body.kits[0].kitID
      const [packed, canceled] = await Promise.all([ship(labels(kitID)), clinic.live.post(`/orders/${orderId}/cancel`)])
      expect([packed.status, canceled.status].toSorted()).toEqual([200, 409])
      expect((await find(kitID)).kitStatus).toBe(packed.status === 200 ? 'inTransit' : 'canceled')
    }
  })
})

describe('a shipment that was noted by mistake', () => {
  const undo = (kitID: string) => operator('DELETE', `/fulfilment/shipments/${kitID}`)

  it('is taken back: the kit waits again, and its numbers are free', async () => {
    const [first = '', second = ''] = await order(clinic, { kit_types: [{ kitType: CORE, quantity: 2 }] })
    const one = labels(first)
    await ship(one)
    await ship(labels(second, { outboundTrackingNumber: one.outboundTrackingNumber }))
    const { status, body } = await undo(first)
    expect(status).toBe(200)
    expect(body.kit).toMatchObject({ kitStatus: 'preparing' })
    expect(body.kit.shipment).toBeUndefined()
    expect((await undo(first)).status).toBe(409)
    // The parcel still holds the other kit.
    const stranger = await ship(labels(await kit(), { outboundTrackingNumber: one.outboundTrackingNumber }))
    expect(stranger.body.code).toBe('TRACKING_NUMBER_TAKEN')
    await undo(second)
    const { outboundTrackingNumber, returnTrackingNumber } = one
    expect((await ship(labels(await kit(), { outboundTrackingNumber, returnTrackingNumber }))).status).toBe(200)
  })

  it('stays once the carrier said something, the person registered, or 15 minutes passed', async () => {
    const scanned = await shipped()
    await carrier(scanned.out, 'in_transit', 1)
    const registered = await shipped()
    await register(registered.kitID)
    const old = await shipped()
    await owner.query(
      `update kits set shipment = jsonb_set(shipment, '{toUser,date}', '"2026-01-01T00:00:00.000Z"') where id = $1`,
      [old.kitID],
    )
    for (const { kitID } of [scanned, registered, old]) expect((await undo(kitID)).body.code).toBe('ILLEGAL_TRANSITION')
    expect((await undo('K000000000')).body.code).toBe('KIT_NOT_FOUND')
  })
})

describe('shipping by CSV', () => {
  const send = (csv: string | Buffer, query = '') =>
    operator('POST', `/fulfilment/shipments/csv${query}`, csv, { 'content-type': 'text/csv' })
  const header = 'kitID,carrier,outbound,return\n'

  it('ships what is right and says what is wrong, row by row', async () => {
    const [a = '', b = ''] = await order(clinic, { kit_types: [{ kitType: CORE, quantity: 2 }] })
    const c = await kit()
    const out = aNumber()
    const rows = [
      `${a},UPS,${out},${aNumber('94')}`,
      `${b},UPS,${out},`,
      `${c},UPS,${out},`,
      `${c},,${aNumber()},`,
      `KNOPE,UPS,${aNumber()},`,
    ]
    const dry = await send(header + rows.join('\n'), '?dryRun=true')
    expect(dry.body).toMatchObject({ dryRun: true, shipped: 2, already: 0, failed: 3 })
    expect((await find(a)).kitStatus).toBe('preparing')
    const { status, body } = await send(`\uFEFF${header}${rows.join('\r\n')}`)
    expect(status).toBe(200)
    expect(body.rows).toEqual([
      { row: 2, kitID: a, status: 'shipped' },
      { row: 3, kitID: b, status: 'shipped' },
      { row: 4, kitID: c, status: 'failed', error: 'The outbound tracking number is on another parcel' },
      { row: 5, kitID: c, status: 'failed', error: 'carrier is missing' },
      { row: 6, kitID: 'KN0PE', status: 'failed', error: 'There is no such kit' },
    ])
    expect({ ...dry.body, dryRun: false }).toEqual(body)
    expect((await find(a)).kitStatus).toBe('inTransit')
  })

  it('the same file again changes nothing', async () => {
    const kits = await order(clinic, { kit_types: [{ kitType: CORE, quantity: 3 }] })
    const file = header + kits.map((id) => `${id},USPS,${aNumber()},${aNumber('94')}`).join('\n')
    expect((await send(file)).body).toMatchObject({ shipped: 3, failed: 0 })
    const before = await Promise.all(kits.map(find))
    expect((await send(file)).body).toMatchObject({ shipped: 0, already: 3, failed: 0 })
    expect(await Promise.all(kits.map(find))).toEqual(before)
  })

  it('reads the exports of shipping software, and what Excel writes to keep numbers whole', async () => {
    const kits = await order(clinic, { kit_types: [{ kitType: CORE, quantity: 4 }] })
    const numbers = kits.map(() => aNumber())
    const files = [
      `Order - Number,Custom Field,Carrier - Service Selected,Shipment - Tracking Number\n77,${kits[0]},USPS,${numbers[0]}`,
      `sep=;\r\nKit;Carrier;Tracking Number\r\n${kits[1]};UPS;${numbers[1]}`,
      `Order Number,Provider,Tracking Number\n${kits[2]},FedEx,="${numbers[2]}"`,
      `kit_id\tshipping_carrier\ttracking_code\n${kits[3]}\tUSPS\t${numbers[3]}`,
    ]
    for (const [index, file] of files.entries()) {
      expect((await send(file)).body).toMatchObject({ shipped: 1, failed: 0 })
      const { shipment } = await find(kits[index] ?? '')
      expect(shipment.toUser.trackingNumber).toBe(numbers[index])
    }
  })

  it('finds the kit in the column that holds it, and the carrier by its service or the form of its number', async () => {
    const kits = await order(clinic, { kit_types: [{ kitType: CORE, quantity: 7 }] })
    const [a, b, c, d, e, f, g] = kits
    const usps = () => `94${aNumber('').slice(-12).padStart(20, '7')}`
    const numbers = [usps(), usps(), `AB${aNumber('').slice(-9)}GB`, usps(), usps(), usps(), usps()]
    const [t1, t2, t3, t4, t5, t6, t7] = numbers
    const files: [string | Buffer, string][] = [
      [
        `Order - Number,Order - Custom Field 1,Carrier - Service Selected,Shipment - Tracking Number\n1001,${a},USPS - Priority Mail,${t1}`,
        'USPS',
      ],
      [`Recipient,Tracking Number,Order ID,Rubber Stamp 1\nAda,${t2},1002,${b}`, 'USPS'],
      [
        `Order reference,Order number,Shipping service,Tracking number,Despatched on\n${c},21,Royal Mail Tracked 24,${t3},27/11/2026`,
        'Royal Mail',
      ],
      [
        Buffer.from(
          `Sendungsnummer;Sendungsreferenz;Produkt- und Servicedetails;Empfänger\n${t4};${d};DHL Paket;Müller`,
          'latin1',
        ),
        'DHL',
      ],
      [`Shipments of 27 November,,\nKit|Carrier|Tracking Number\n${e}|USPS|${t5}`, 'USPS'],
      [`"sep=,"\r\nkitID,carrier,outbound\r\n${f},USPS,${t6}`, 'USPS'],
      [Buffer.from(`kitID,carrier,outbound\n${g},USPS,${t7}`, 'utf16le'), 'USPS'],
    ]
    for (const [index, [file, carrier]] of files.entries()) {
      const answer = await send(file)
      expect(answer.body).toMatchObject({ shipped: 1, failed: 0 })
      const { shipment } = await find(kits[index] ?? '')
      expect(shipment.toUser).toMatchObject({ trackingNumber: numbers[index], carrier })
    }
  })

  it('says of a file that names orders what it needs', async () => {
    const { orderId } = (await clinic.live.post('/create-order', anOrder())).body
    const { body } = await send(`Order Number,Carrier,Tracking Number\n${orderId},USPS,${aNumber()}`)
    expect(body.rows).toMatchObject([{ status: 'failed', error: expect.stringContaining('the ID of an order') }])
  })

  it('reads headings in German, French and Spanish, and of a cell what is seen', async () => {
    for (const [kit_, carrier, number] of [
      ['Kit-ID', 'Paketdienst', 'Sendungsnummer'],
      ['Kit', 'Transporteur', 'Numéro de suivi'],
      ['Kit', 'Transportista', 'Número de seguimiento'],
    ]) {
      const [one, out] = [await kit(), aNumber()]
      const file = `${kit_};${carrier};${number}\r\n\u200B${one};USPS\u00A0;'${out}\u200B\r\n`
      expect((await send(file)).body).toMatchObject({ shipped: 1 })
      expect((await find(one)).shipment.toUser).toMatchObject({ carrier: 'USPS', trackingNumber: out })
    }
  })

  it('refuses a date, and two numbers in one cell', async () => {
    const one = await kit()
    for (const [cell, words] of [
      ['27.11.2026', 'This is a date'],
      ['2026-11-27', 'This is a date'],
      [`${aNumber()}, ${aNumber()}`, 'more than one'],
    ]) {
      const { body } = await send(`kitID,carrier,outbound\n${one},USPS,"${cell}"`)
      expect(body.rows).toMatchObject([{ status: 'failed', error: expect.stringContaining(words ?? '') }])
    }
  })

  it('reads a workbook as CSV, whatever it is sent as, with its numbers in full', async () => {
    for (const type of ['text/csv', 'application/vnd.ms-excel', XLSX]) {
      const [one, other] = [await kit(), await kit()]
      const rows = [
        ['Kit ID', 'Carrier', 'Tracking Number'],
        [one, 'UPS', 100_200_300_400_500],
        [other, 'UPS', Number('9400111899223197428490')],
      ]
      const file = aWorkbook(rows)
      const { body } = await operator('POST', '/fulfilment/shipments/csv', file, { 'content-type': type })
      expect(body.rows).toMatchObject([
        { row: 2, kitID: one, status: 'shipped' },
        { row: 3, kitID: other, status: 'failed', error: expect.stringContaining('cut this number short') },
      ])
      expect((await find(one)).shipment.toUser.trackingNumber).toBe('100200300400500')
      await operator('DELETE', `/fulfilment/shipments/${one}`)
    }
  })

  it('refuses a workbook that cannot be read, has no rows, or unpacks to more than 4 MB', async () => {
    const bomb = aWorkbook([['kitID']], { 'xl/styles.xml': new Uint8Array(20_000_000) })
    expect(bomb.length).toBeLessThan(1024 * 1024)
    for (const [file, words] of [
      [Buffer.from(`PK\u0003\u0004${'\u0007'.repeat(50)}`), 'cannot be read'],
      [Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'cannot be read'],
      [aWorkbook([]), 'has no rows'],
      [bomb, 'too large when it is unpacked'],
    ] as const) {
      const { status, body } = await send(file)
      expect([status, body.message]).toEqual([400, expect.stringContaining(words)])
    }
  })

  it('refuses a number that a spreadsheet cut short, everywhere', async () => {
    const one = await kit()
    for (const number of ['9.40011E+21', '9,40011E+21', '9E21', '9400111899223100000000']) {
      const { body } = await send(`kitID;carrier;outbound\n${one};USPS;${number}`)
      expect(body).toMatchObject({ shipped: 0, failed: 1 })
      expect(body.rows[0].error).toContain('spreadsheet')
    }
    expect((await ship(labels(one, { outboundTrackingNumber: '9.40011E+21' }))).status).toBe(400)
    expect((await find(one)).kitStatus).toBe('preparing')
  })

  it('of no such columns, without rows or with an open quote is refused with a sentence', async () => {
    for (const text of ['kit;tracking\nK1;2', header, `${header}"K1,UPS`]) {
      const { status, body } = await send(text)
      expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
      expect(body.message).not.toContain('K1')
    }
  })

  it('of 2,000 kits is one request', async () => {
    const kits = (
      await Promise.all([1, 2].map(() => order(clinic, { kit_types: [{ kitType: CORE, quantity: 1000 }] })))
    ).flat()
    const { status, body } = await send(header + kits.map((id) => `${id},UPS,${aNumber()},${aNumber('94')}`).join('\n'))
    expect([status, body.shipped, body.failed]).toEqual([200, 2000, 0])
  })
})

describe('a carrier', () => {
  it('brings the kit to the recipient and the sample back, but does not receive it', async () => {
    const { kitID, out, back } = await shipped()
    expect(await carrier(out, 'in_transit', 1)).toBe('noted')
    expect(await carrier(out, 'delivered', 2)).toBe('moved')
    expect((await find(kitID)).kitStatus).toBe('delivered')
    await register(kitID)
    expect(await carrier(back, 'in_transit', 3)).toBe('moved')
    expect(await find(kitID)).toMatchObject({ kitStatus: 'collected', sampleStatus: 'inTransit' })
    expect(await carrier(back, 'delivered', 4)).toBe('noted')
    expect((await find(kitID)).sampleStatus).toBe('inTransit')
    const scanned = await operator('GET', `/fulfilment/kits/${back}`)
    expect(scanned.body).toMatchObject({ expected: 'intake', atTheDoorSince: hours(4) })
    const received = await operator('POST', '/samples/receive', { kitID, accession: `A-${kitID}` })
    expect(received.body.sampleStatus).toBe('received')
    expect(await carrier(back, 'in_transit', 5)).toBe('noted')
    expect((await find(kitID)).sampleStatus).toBe('received')
  })

  it('cannot bring a parcel: the kit shows why, and goes on when the parcel does', async () => {
    const { kitID, out, back } = await shipped()
    await carrier(out, 'exception', 1, { message: 'No such address' })
    expect(await find(kitID)).toMatchObject({ kitStatus: 'deliveryException', exceptionReason: 'No such address' })
    expect(await carrier(out, 'out_for_delivery', 2)).toBe('moved')
    expect((await find(kitID)).kitStatus).toBe('inTransit')
    await carrier(out, 'return_to_sender', 3)
    expect((await find(kitID)).exceptionReason).toBe('The carrier returned the parcel')
    expect(await carrier(out, 'in_transit', 3.5), 'on its way back').toBe('noted')
    expect(await carrier(out, 'delivered', 4), 'to the sender').toBe('noted')
    expect((await find(kitID)).kitStatus).toBe('deliveryException')
    await register(kitID)
    await carrier(back, 'exception', 5)
    expect(await find(kitID)).toMatchObject({ kitStatus: 'collected', sampleStatus: 'deliveryException' })
    expect(await carrier(out, 'exception', 6)).toBe('noted')
    await carrier(back, 'return_in_transit', 6.5)
    await carrier(back, 'delivered', 7)
    expect((await find(kitID)).sampleStatus).toBe('inTransit')
    expect((await operator('GET', `/fulfilment/kits/${back}`)).body.atTheDoorSince).toBe(hours(7))
    await carrier(back, 'return_to_sender', 8)
    await carrier(back, 'delivered', 9)
    expect((await find(kitID)).sampleStatus, 'back at the person').toBe('deliveryException')
  })

  it('with whom a parcel waits to be fetched calls for somebody, until it is fetched', async () => {
    const { kitID, out } = await shipped()
    expect(await carrier(out, 'available_for_pickup', 1)).toBe('moved')
    const waits = await find(kitID)
    expect(waits.kitStatus).toBe('deliveryException')
    expect(waits.exceptionReason).toContain('has to fetch it')
    expect(await carrier(out, 'delivered', 2)).toBe('moved')
    expect((await find(kitID)).kitStatus).toBe('delivered')
  })

  it('that says something late changes nothing backwards', async () => {
    const { kitID, out } = await shipped()
    await carrier(out, 'delivered', 10)
    expect(await carrier(out, 'exception', 9)).toBe('late')
    expect(await carrier(out, 'in_transit', 8)).toBe('late')
    expect((await find(kitID)).kitStatus).toBe('delivered')
    expect(await happened(kitID)).toEqual(['kitPreparing', 'kitInTransit', 'kitDelivered'])
  })

  it('is heard once for the same event, though it comes 20 times at once', async () => {
    const { kitID, out } = await shipped()
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => carrier(out, 'delivered', 1, { id: `same-${kitID}` })),
    )
    expect(outcomes.toSorted()).toEqual([...Array.from({ length: 19 }, () => 'duplicate'), 'moved'])
    expect(await happened(kitID)).toEqual(['kitPreparing', 'kitInTransit', 'kitDelivered'])
  })

  it('that was heard before the parcel was packed counts once it is', async () => {
    const labeled = labels(await kit())
    expect(await carrier(labeled.outboundTrackingNumber, 'in_transit', 1)).toBe('unmatched')
    expect(await carrier(labeled.outboundTrackingNumber, 'delivered', 2)).toBe('unmatched')
    const listed = await operator(
      'GET',
      `/carrier-events?status=unmatched&trackingNumber=${labeled.outboundTrackingNumber}`,
    )
    expect(listed.body.data.map(({ status }: { status: string }) => status)).toEqual(['delivered', 'in_transit'])
    expect((await ship(labeled)).body.kit.kitStatus).toBe('delivered')
    const after = await operator('GET', `/carrier-events?trackingNumber=${labeled.outboundTrackingNumber}`)
    expect(after.body.data.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['moved', 'noted'])
  })

  it('heard while the parcel is being packed is never lost', async () => {
    for (let round = 0; round < 5; round++) {
      const labeled = labels(await kit())
      await Promise.all([ship(labeled), carrier(labeled.outboundTrackingNumber, 'delivered', 1)])
      expect((await find(labeled.kitID)).kitStatus).toBe('delivered')
    }
  })

  it('moves every kit of a parcel, of several businesses in one message', async () => {
    const two = await order(clinic, { kit_types: [{ kitType: CORE, quantity: 2 }] })
    const out = aNumber()
    for (const kitID of two) await ship(labels(kitID, { outboundTrackingNumber: out }))
    const other = await world.business()
    const elsewhere = await shipped(other)
    const { body } = await operator('POST', '/carrier-events', [
      { trackingNumber: elsewhere.out, status: 'delivered', at: hours(1) },
      { trackingNumber: out, status: 'delivered', at: hours(1) },
      { trackingNumber: out, status: 'in_transit', at: hours(0) },
      { trackingNumber: out, status: 'delivered', at: hours(1) },
    ])
    expect(body.events.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'moved',
      'moved',
      'noted',
      'duplicate',
    ])
    for (const kitID of two) expect((await find(kitID)).kitStatus).toBe('delivered')
    expect((await other.live.get(`/kits?kitID=${elsewhere.kitID}`)).body[0].kitStatus).toBe('delivered')
  })

  it('says the same in any order, any number of times, and at once: the newest word holds', async () => {
    const words = ['in_transit', 'out_for_delivery', 'delivered', 'exception'] as const
    const story = fc.uniqueArray(
      fc.record({ at: fc.integer({ min: 1, max: 40 }), status: fc.constantFrom(...words) }),
      {
        minLength: 1,
        maxLength: 6,
        selector: ({ at }) => at,
      },
    )
    await fc.assert(
      fc.asyncProperty(story, fc.infiniteStream(fc.nat()), async (events, picks) => {
        const { kitID, out } = await shipped()
        const inTime = events.toSorted((a, b) => a.at - b.at)
        const twice = [...events, ...events].map((event) => ({ event, pick: picks.next().value ?? 0 }))
        const shuffled = twice.toSorted((a, b) => a.pick - b.pick).map(({ event }) => event)
        await Promise.all(shuffled.map(({ at, status }) => carrier(out, status, at)))
        const last = inTime.at(-1)?.status
        const { kitStatus } = await find(kitID)
        // Later events may arrive before the delivery itself. Only an exception undoes a delivery.
        if (last === 'delivered') expect(kitStatus).toBe('delivered')
        else if (last === 'exception') expect(kitStatus).toBe('deliveryException')
        else expect(['inTransit', 'delivered']).toContain(kitStatus)
        const eventsOfKit = await happened(kitID)
        expect(eventsOfKit.length).toBeLessThanOrEqual(2 + events.length)
      }),
      { numRuns: 8 },
    )
  })
})

async function hook(
  path: string,
  body: string,
  headers: Record<string, string>,
): Promise<Pick<Reply, 'status' | 'body'>> {
  const response = await fetch(`${world.service.url}/hooks/${path}`, { method: 'POST', body, headers })
  return { status: response.status, body: await response.json() }
}

describe('the signed hook of carriers', () => {
  function signed(body: unknown, { id = `msg_${++serial}`, at = new Date(), secret = secrets.generic } = {}) {
    const text = JSON.stringify(body)
    return hook('carrier', text, {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, text),
    })
  }

  it('takes an event, several, or a message around them, each once by the ID of the message', async () => {
    const [a, b, c] = [await shipped(), await shipped(), await shipped()]
    const event = (trackingNumber: string, at = 1) => ({ trackingNumber, status: 'delivered', at: hours(at) })
    expect((await signed(event(a.out), { id: 'msg_a' })).status).toBe(200)
    expect((await signed(event(a.out), { id: 'msg_a' })).status).toBe(200)
    expect((await signed([event(b.out)])).status).toBe(200)
    expect((await signed({ type: 'parcel.moved', timestamp: hours(1), data: [event(c.out)] })).status).toBe(200)
    for (const { kitID } of [a, b, c]) expect((await find(kitID)).kitStatus).toBe('delivered')
    const { body } = await operator('GET', `/carrier-events?trackingNumber=${a.out}`)
    expect(body.data).toMatchObject([{ id: 'msg_a/0', source: 'webhook', outcome: 'moved' }])
  })

  it('refuses another signature, an old one, and what is no event', async () => {
    const { kitID, out } = await shipped()
    const event = { trackingNumber: out, status: 'delivered', at: hours(1) }
    const other = `whsec_${randomBytes(24).toString('base64')}`
    expect((await signed(event, { secret: other })).status).toBe(400)
    expect((await signed(event, { at: new Date(Date.now() - 10 * 60_000) })).status).toBe(400)
    expect((await hook('carrier', JSON.stringify(event), {})).status).toBe(400)
    const wrong = await signed({ ...event, status: 'eaten' })
    expect([wrong.status, wrong.body.code]).toEqual([400, 'VALIDATION_FAILED'])
    expect((await find(kitID)).kitStatus).toBe('inTransit')
  })

  it('does not start with a secret that is none, and does not show it', () => {
    const load = (env: Record<string, string>) => () => loadSettings({ env, flags: {}, envFile: '/nowhere/.env' })
    expect(load({ CARRIER_WEBHOOK_SECRET: 'short-secret' })).toThrow(
      /CARRIER_WEBHOOK_SECRET must be whsec_(?!.*short-secret)/,
    )
    expect(load({ EASYPOST_WEBHOOK_SECRET: 'short-secret' })).toThrow(
      /EASYPOST_WEBHOOK_SECRET must be(?!.*short-secret)/,
    )
    const { carrierWebhookSecret } = load({ CARRIER_WEBHOOK_SECRET: secrets.generic })()
    expect(carrierWebhookSecret).toBe(secrets.generic)
  })

  it('is off without its secret, and says so', async () => {
    const bare = await sharedWorld()
    for (const [path, setting] of [
      ['carrier', 'CARRIER_WEBHOOK_SECRET'],
      ['easypost', 'EASYPOST_WEBHOOK_SECRET'],
      ['shippo', 'SHIPPO_WEBHOOK_TOKEN'],
      ['shipstation', 'SHIPSTATION_WEBHOOK_TOKEN'],
      ['shipbob', 'SHIPBOB_WEBHOOK_SECRET'],
    ]) {
      const response = await fetch(`${bare.service.url}/hooks/${path}`, { method: 'POST', body: '{}' })
      expect(response.status).toBe(404)
      expect(await response.text()).toContain(`set ${setting}`)
    }
    await bare.stop()
  })
})

describe('the hook of EasyPost', () => {
  const tracker = (id: string, tracking_code: string, status: string, at: number, description = 'tracker.updated') =>
    JSON.stringify({
      id,
      object: 'Event',
      mode: 'production',
      description,
      result: {
        id: 'trk_1',
        object: 'Tracker',
        tracking_code,
        status,
        carrier: 'UPS',
        updated_at: hours(47),
        weight: 17.6,
        tracking_details: [
          { object: 'TrackingDetail', status: 'pre_transit', datetime: hours(0), message: 'Label made' },
          { object: 'TrackingDetail', status, datetime: hours(at), message: 'Ü nobody home' },
        ],
      },
    })
  const send = (body: string, signature = signatureOf(Buffer.from(body), secrets.easypost)) =>
    hook('easypost', body, { 'content-type': 'application/json', 'x-hmac-signature': signature })

  it('moves kits by what its trackers say, at the time of the scan', async () => {
    const { kitID, out } = await shipped()
    expect((await send(tracker(`evt_1${kitID}`, out, 'failure', 3))).status).toBe(200)
    expect(await find(kitID)).toMatchObject({ kitStatus: 'deliveryException', exceptionReason: 'Ü nobody home' })
    await send(tracker(`evt_2${kitID}`, out, 'delivered', 4))
    await send(tracker(`evt_2${kitID}`, out, 'delivered', 4))
    expect((await find(kitID)).kitStatus).toBe('delivered')
    const { body } = await operator('GET', `/carrier-events?trackingNumber=${out}`)
    expect(body.data.map(({ at, status }: { at: string; status: string }) => [status, at])).toEqual([
      ['delivered', hours(4)],
      ['exception', hours(3)],
    ])
  })

  it.each([
    ['available_for_pickup', 'arrived_at_pickup_location', 'deliveryException', 'waitingForPickup'],
    ['return_to_sender', 'return', 'deliveryException', 'returnedToSender'],
    ['failure', 'refused', 'deliveryException', 'refused'],
    ['failure', 'damaged', 'deliveryException', 'damaged'],
    ['failure', 'lost', 'deliveryException', 'lost'],
    ['failure', 'delivery_exception', 'deliveryException', 'notDelivered'],
    ['cancelled', 'cancelled', 'inTransit', 'labelCanceled'],
    ['error', 'unknown', 'inTransit', undefined],
    ['in_transit', 'delayed', 'inTransit', undefined],
  ])('says by %s with %s what became of a box', async (status, detail, wanted, outcome) => {
    const { kitID, out } = await shipped()
    const said = JSON.parse(tracker(`evt_${kitID}`, out, status, 3))
    said.result.status_detail = detail
    expect((await send(JSON.stringify(said))).status).toBe(200)
    expect((await find(kitID)).kitStatus).toBe(wanted)
    expect((await clinic.live.get(`/kits/${kitID}/undelivered`)).body.outcome).toBe(outcome)
  })

  it('takes what is about something else and does nothing', async () => {
    const { out } = await shipped()
    expect((await send(tracker('evt_batch', out, 'delivered', 1, 'batch.updated'))).status).toBe(200)
    expect((await send(tracker('evt_unknown', out, 'unknown', 1))).status).toBe(200)
    const byTestKey = tracker('evt_test', out, 'delivered', 1).replace('"production"', '"test"')
    expect((await send(byTestKey)).status).toBe(200)
    expect((await operator('GET', `/carrier-events?trackingNumber=${out}`)).body.data).toEqual([])
  })

  it('refuses what EasyPost did not sign', async () => {
    const { kitID, out } = await shipped()
    const body = tracker('evt_x', out, 'delivered', 1)
    const other = signatureOf(Buffer.from(body), 'another secret of nobody')
    for (const signature of [other, '', 'hmac-sha256-hex=', signatureOf(Buffer.from(`${body} `), secrets.easypost)]) {
      expect((await send(body, signature)).status).toBe(400)
    }
    expect((await find(kitID)).kitStatus).toBe('inTransit')
  })
})

describe('the hook of Shippo', () => {
  const tracked = (
    tracking_number: string,
    status: string,
    at: number,
    code?: string,
    event = 'track_updated',
    isTest = false,
  ) =>
    JSON.stringify({
      event,
      test: isTest,
      data: {
        carrier: 'usps',
        tracking_number,
        tracking_status: {
          status,
          status_date: hours(at),
          status_details: 'As the carrier says',
          substatus: code ? { code, text: 'x', action_required: false } : null,
          object_id: `${tracking_number}-${at}`,
        },
        tracking_history: [],
      },
    })
  const send = (body: string, token = secrets.shippo) => hook(`shippo?token=${token}`, body, {})

  it.each([
    ['PRE_TRANSIT', 'information_received', 'inTransit', undefined],
    ['TRANSIT', 'out_for_delivery', 'inTransit', undefined],
    ['TRANSIT', 'pickup_available', 'deliveryException', 'waitingForPickup'],
    ['TRANSIT', 'address_issue', 'deliveryException', 'notDelivered'],
    ['TRANSIT', 'location_inaccessible', 'deliveryException', 'notDelivered'],
    ['TRANSIT', 'package_damaged', 'deliveryException', 'damaged'],
    ['DELIVERED', 'delivered', 'delivered', undefined],
    ['RETURNED', 'return_to_sender', 'deliveryException', 'returnedToSender'],
    ['RETURNED', 'package_unclaimed', 'deliveryException', 'returnedToSender'],
    ['FAILURE', 'package_undeliverable', 'deliveryException', 'notDelivered'],
    ['FAILURE', 'package_lost', 'deliveryException', 'lost'],
    ['FAILURE', 'package_disposed', 'deliveryException', 'lost'],
    ['UNKNOWN', undefined, 'inTransit', undefined],
  ])('moves a kit by %s with %s to %s', async (status, code, wanted, outcome) => {
    const { kitID, out } = await shipped()
    expect((await send(tracked(out, status, 3, code))).status).toBe(200)
    expect((await find(kitID)).kitStatus).toBe(wanted)
    expect((await clinic.live.get(`/kits/${kitID}/undelivered`)).body.outcome).toBe(outcome)
  })

  it('counts a message once and not after a newer one, and does nothing with other events', async () => {
    const { kitID, out } = await shipped()
    await send(tracked(out, 'RETURNED', 1, undefined, 'transaction_updated'))
    await send(tracked(out, 'DELIVERED', 4))
    await send(tracked(out, 'DELIVERED', 4))
    await send(tracked(out, 'FAILURE', 3))
    expect((await find(kitID)).kitStatus).toBe('delivered')
    const { body } = await operator('GET', `/carrier-events?trackingNumber=${out}`)
    expect(body.data.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['late', 'moved'])
  })

  it('does nothing with events of a test key, and reads a status whose details have another shape', async () => {
    const { kitID, out } = await shipped()
    expect((await send(tracked(out, 'DELIVERED', 3, undefined, 'track_updated', true))).status).toBe(200)
    expect((await find(kitID)).kitStatus).toBe('inTransit')
    const odd = tracked(out, 'DELIVERED', 4, 'delivered').replace(/"substatus":\{.*?\}/, '"substatus":"delivered"')
    await send(odd)
    expect((await find(kitID)).kitStatus).toBe('delivered')
  })

  it('refuses an address without its token', async () => {
    const { kitID, out } = await shipped()
    for (const token of ['', 'wrong', `${secrets.shippo}&token=${secrets.shippo}`])
      expect((await send(tracked(out, 'DELIVERED', 1), token)).status).toBe(400)
    expect((await find(kitID)).kitStatus).toBe('inTransit')
  })
})

describe('the hook of ShipStation', () => {
  const tracked = (tracking_number: string, status_code: string, at: number, detail: string | null = null) => ({
    resource_url: 'https://api.shipstation.com/v2/labels/se-1234567890/track',
    resource_type: 'TRACK_EVENT_V2',
    data: {
      tracking_number,
      status_code,
      status_detail_code: detail,
      status_description: 'As ShipStation says',
      carrier_code: 'ups',
      carrier_id: 3,
      carrier_status_description: 'As the carrier says',
      actual_delivery_date: null,
      exception_description: null,
      events: [
        { occurred_at: hours(at), carrier_occurred_at: null, description: 'Newest', status_code },
        { occurred_at: hours(0), description: 'Shipper created a label', status_code: 'NY' },
      ],
    },
  })
  const send = (body: unknown, token = secrets.shipstation) =>
    hook(`shipstation?token=${token}`, JSON.stringify(body), { 'x-shipengine-timestamp': hours(5) })

  it.each([
    ['NY', null, 'inTransit', undefined],
    ['UN', null, 'inTransit', undefined],
    ['AT', 'ATTEMPTED_DELIVERY', 'inTransit', undefined],
    ['SP', null, 'deliveryException', 'waitingForPickup'],
    ['IT', 'COLLECT_AT_LOCAL_PO', 'deliveryException', 'waitingForPickup'],
    ['DE', null, 'delivered', undefined],
    ['DE', 'DELIVERED_TO_LOCKER_COLLECTION_POINT', 'delivered', undefined],
    ['DE', 'RETURN_TO_SENDER', 'deliveryException', 'returnedToSender'],
    ['EX', null, 'deliveryException', 'notDelivered'],
    ['EX', 'REFUSED_BY_CUSTOMER', 'deliveryException', 'refused'],
    ['EX', 'PARCEL_DAMAGED', 'deliveryException', 'damaged'],
    ['EX', 'PARCEL_LOST', 'deliveryException', 'lost'],
    ['EX', 'A_CODE_OF_TOMORROW', 'deliveryException', 'notDelivered'],
  ])('moves a kit by %s with %s to %s', async (status, detail, wanted, outcome) => {
    const { kitID, out } = await shipped()
    expect((await send(tracked(out, status, 3, detail))).status).toBe(200)
    expect((await find(kitID)).kitStatus).toBe(wanted)
    expect((await clinic.live.get(`/kits/${kitID}/undelivered`)).body.outcome).toBe(outcome)
  })

  it('dates by the latest scan, counts a message once, and reads one whose additions have another shape', async () => {
    const { kitID, out } = await shipped()
    await send(tracked(out, 'DE', 4))
    await send(tracked(out, 'DE', 4))
    await send(tracked(out, 'EX', 3))
    expect((await find(kitID)).kitStatus).toBe('delivered')
    const { body } = await operator('GET', `/carrier-events?trackingNumber=${out}`)
    expect(body.data.map(({ at, outcome }: { at: string; outcome: string }) => [at, outcome])).toEqual([
      [hours(3), 'late'],
      [hours(4), 'moved'],
    ])
    const other = await shipped()
    const odd = tracked(other.out, 'DE', 4)
    Object.assign(odd.data, { events: 'none', status_detail_code: 7 })
    await send({ ...odd, resource_type: 'API_TRACK' })
    expect((await find(other.kitID)).kitStatus).toBe('delivered')
  })

  it('takes a message that only names an address, fetches nothing, and refuses one without its token', async () => {
    const { kitID, out } = await shipped()
    const notices = ['SHIP_NOTIFY', 'ITEM_SHIP_NOTIFY', 'FULFILLMENT_SHIPPED']
    for (const resource_type of notices)
      expect((await send({ resource_url: `${world.service.url}/nowhere`, resource_type })).status).toBe(200)
    for (const token of ['', 'another']) expect((await send(tracked(out, 'DE', 1), token)).status).toBe(400)
    expect((await find(kitID)).kitStatus).toBe('inTransit')
  })
})

describe('the hook of ShipBob', () => {
  function send(
    topic: string,
    body: unknown,
    { id = `msg_${++serial}`, at = new Date(), secret = secrets.shipbob } = {},
  ) {
    const text = JSON.stringify(body)
    return hook('shipbob', text, {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, text),
      'x-webhook-topic': topic,
    })
  }
  const shipment = (tracking_number: string, changes: Record<string, unknown> = {}) => ({
    id: 100000001,
    order_id: 100000002,
    reference_id: 'TEST101',
    status: 'Completed',
    tracking: { carrier: 'USPS', tracking_number, tracking_url: 'https://tools.usps.com' },
    ...changes,
  })
  const detail = (name: string) => ({
    event_time: hours(3),
    status_details: [{ id: 1, name, description: 'As ShipBob says' }],
  })
  const UPDATED = 'order.shipment.tracking.updated'

  it.each([
    [UPDATED, detail('InTransit'), 'inTransit', undefined],
    [UPDATED, detail('Delivered'), 'delivered', undefined],
    [UPDATED, { event_time: hours(3), status: 'Delivered' }, 'delivered', undefined],
    [UPDATED, detail('DeliveryException'), 'deliveryException', 'notDelivered'],
    [UPDATED, detail('DeliveryAttemptFailed'), 'inTransit', undefined],
    [UPDATED, detail('A word of tomorrow'), 'inTransit', undefined],
    ['order.shipment.delivered', { delivery_date: hours(3) }, 'delivered', undefined],
    ['order.shipment.cancelled', {}, 'inTransit', 'labelCanceled'],
    ['order.shipment.exception', detail('DeliveryException'), 'inTransit', undefined],
    ['order.shipped', detail('Delivered'), 'inTransit', undefined],
  ])('moves a kit by %s with %j to %s', async (topic, changes, wanted, outcome) => {
    const { kitID, out } = await shipped()
    expect((await send(topic, shipment(out, changes))).status).toBe(200)
    expect((await find(kitID)).kitStatus).toBe(wanted)
    expect((await clinic.live.get(`/kits/${kitID}/undelivered`)).body.outcome).toBe(outcome)
  })

  it('reads tracking_id, and a parcel that comes back to the sender, not a return that its recipient asked for', async () => {
    const [first, second, third] = [await shipped(), await shipped(), await shipped()]
    const tracking = { carrier: 'USPS', tracking_id: first.out }
    await send('order.shipment.tracking_received', { event_time: hours(2), status: 'Delivered', tracking })
    expect((await find(first.kitID)).kitStatus).toBe('delivered')
    const back = { id: 1, status: 'AwaitingArrival', tracking_number: 'RET1', shipment_tracking_number: second.out }
    await send('return.created', { ...back, return_type: 'ReturnToSender' })
    expect((await find(second.kitID)).kitStatus).toBe('deliveryException')
    await send('return.created', { ...back, shipment_tracking_number: third.out, return_type: 'Regular' })
    expect((await find(third.kitID)).kitStatus).toBe('inTransit')
  })

  it('counts a message once by its ID, and refuses another signature and an old one', async () => {
    const { kitID, out } = await shipped()
    const body = shipment(out, detail('Delivered'))
    const other = `whsec_${randomBytes(24).toString('base64')}`
    expect((await send(UPDATED, body, { secret: other })).status).toBe(400)
    expect((await send(UPDATED, body, { at: new Date(Date.now() - 10 * 60_000) })).status).toBe(400)
    expect((await find(kitID)).kitStatus).toBe('inTransit')
    for (let time = 0; time < 2; time++) await send(UPDATED, body, { id: `msg_${kitID}` })
    const { body: heard } = await operator('GET', `/carrier-events?trackingNumber=${out}`)
    expect(heard.data).toMatchObject([{ id: `msg_${kitID}`, source: 'shipbob', at: hours(3), outcome: 'moved' }])
  })
})

describe('a scan', () => {
  const scanOf = async (code: string, as = operator) => as('GET', `/fulfilment/kits/${encodeURIComponent(code)}`)

  it('of a kit, either label or the accession shows the kit and what to do', async () => {
    const kitID = await kit()
    expect((await scanOf(kitID.toLowerCase())).body).toMatchObject({
      expected: 'pack',
      recipient: { name: 'Ada Example' },
      business: { id: clinic.id },
    })
    const labeled = labels(kitID)
    await ship(labeled)
    await register(kitID)
    for (const code of [
      `https://kits.example.com/k/${kitID}`,
      labeled.outboundTrackingNumber,
      labeled.returnTrackingNumber,
    ]) {
      expect((await scanOf(code)).body).toMatchObject({
        kit: { kitID },
        expected: 'intake',
        sentence: 'Take this sample in.',
      })
    }
    await operator('POST', '/samples/receive', { kitID, accession: `acc ${kitID}` })
    expect((await scanOf(`acc ${kitID}`)).body).toMatchObject({
      kit: { kitID },
      expected: 'nothing',
      accession: `acc ${kitID}`,
    })
    expect((await scanOf('NOTHING')).body.code).toBe('KIT_NOT_FOUND')
  })

  it('warns of a sample whose kit nobody has registered, or which lacks the consent that its business requires', async () => {
    const kitID = await kit()
    await ship(labels(kitID))
    const cautionOf = async () => (await scanOf(kitID)).body.caution
    expect(await cautionOf()).toBe('Nobody has registered this kit: its results will wait until somebody does.')
    await register(kitID)
    expect(await cautionOf()).toBeUndefined()
    await clinic.live.request('PATCH', '/settings', { requireConsent: true })
    expect(await cautionOf()).toContain('Nobody has consented')
    const consent = { firstName: 'Ada', lastName: 'Example', consentVersion: '1', consentToTesting: true }
    const consented = await clinic.live.post(`/kits/${kitID}/consent`, { ...consent, email: 'ada@example.test' })
    const left = await cautionOf()
    await clinic.live.request('PATCH', '/settings', { requireConsent: false })
    expect([consented.status, left]).toEqual([200, undefined])
  })

  it('by the laboratory does not show where the kit was posted', async () => {
    const lab = await operatorWith(world, ['lab'])
    const { body } = await scanOf(await kit(), lab)
    expect(body.recipient).toBeUndefined()
    expect(body.kit.kitStatus).toBe('preparing')
    expect((await scanOf(await kit(), await operatorWith(world, ['catalogue']))).status).toBe(403)
  })
})

it('nothing that was packed or heard is in the log: no name, no street, no tracking number', () => {
  const logged = world.logged.join('')
  for (const secret of ['Ada', 'Main Street', '1ZTEST', 'nobody home', secrets.generic, secrets.shippo])
    expect(logged).not.toContain(secret)
})
