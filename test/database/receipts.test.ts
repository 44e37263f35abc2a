import { getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anOrder, aRow, CARDIO, CORE } from '../harness/orders.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const PRICE = 19_900
const issuer = { name: 'Nordlab Kits Ltd', address: ['1 Mill Lane', 'Bristol BS1 4ND'], taxId: 'GB123456789' }

let world: World
beforeAll(async () => {
  world = await ownWorld('has another setting', { operator: issuer })
})
afterAll(() => world.stop())

async function withCard(card = 'pm_card_visa'): Promise<TestBusiness> {
  const clinic = await world.business({ credits: 0 })
  await clinic.live.post('/payment-methods', { id: card })
  return clinic
}

async function order(clinic: TestBusiness, more: object = {}): Promise<string> {
  const { status, body } = await clinic.live.post('/create-order', anOrder({ paymentMethod: 'card', ...more }))
  expect(status).toBe(201)
  return body.orderId
}

const paymentsOf = async (clinic: TestBusiness) => (await clinic.live.get('/payments')).body.data
const json = { accept: 'application/json' }
const receiptOf = async (clinic: TestBusiness, id: string, number = '') =>
  (await clinic.live.get(`/payments/${id}/receipt${number && `?number=${number}`}`, json)).body

describe('a charge', () => {
  it('has a receipt with seller, buyer, card, order and lines', async () => {
    const clinic = await withCard()
    const billing = {
      billingName: 'Clinic Group',
      billingAddress: '4 Park Row\nLeeds',
      billingTaxNumber: 'GB987654321',
    }
    expect((await clinic.live.request('PATCH', '/settings', billing)).body).toMatchObject(billing)
    const kit_types = [{ kitType: CORE, quantity: 2 }, { kitType: CARDIO }]
    const orderId = await order(clinic, { kit_types })
    const [payment] = await paymentsOf(clinic)
    expect(payment).toMatchObject({
      status: 'charged',
      purpose: 'orders',
      amount: 3 * PRICE,
      charged: 3 * PRICE,
      refunded: 0,
    })
    const receipt = await receiptOf(clinic, payment.paymentID)
    expect(receipt).toMatchObject({
      kind: 'receipt',
      amount: 3 * PRICE,
      currency: 'USD',
      orderIDs: [orderId],
      seller: { name: 'Nordlab Kits Ltd', address: ['1 Mill Lane', 'Bristol BS1 4ND'], taxNumber: 'GB123456789' },
      buyer: { name: 'Clinic Group', address: ['4 Park Row', 'Leeds'], taxNumber: 'GB987654321' },
      card: { brand: 'visa', last4: '4242' },
    })
    expect(
      receipt.lines.map(({ quantity, unitPrice, total }: Record<string, number>) => [quantity, unitPrice, total]),
    ).toEqual(
      expect.arrayContaining([
        [2, PRICE, 2 * PRICE],
        [1, PRICE, PRICE],
      ]),
    )
    expect(receipt.number).toMatch(/^R-\d{4}-0001$/)
    expect(JSON.stringify(receipt)).not.toContain('Ada')
  })

  it('is found by its days, status, purpose and order', async () => {
    const clinic = await withCard()
    const [first, second] = [await order(clinic), await order(clinic)]
    await clinic.live.post('/credits/buy', { type: CORE, amount: 2 })
    await clinic.live.post('/credits/buy', { type: CORE, amount: 1, paymentMethod: 'pm_card_declined' })
    await order(clinic, { paymentMethod: 'credits' })
    const found = async (query: string) => (await clinic.live.get(`/payments?${query}`)).body.pagination.total
    const all = await found('')
    expect(await found(`orderID=${first}`)).toBe(1)
    expect(await found(`orderID=${first.toLowerCase()},${second}`)).toBe(2)
    expect(await found('purpose=orders')).toBe(2)
    expect([await found('purpose=credits,top_up'), await found('status=settling')]).toEqual([all - 2, 0])
    const today = new Date().toISOString().slice(0, 10)
    expect([await found(`startDate=${today}`), await found('endDate=2020-01-01')]).toEqual([all, 0])
    expect(await found(`startDate=2020-01-01&endDate=2199-01-01&status=charged`)).toBe(3)
    expect((await clinic.live.get('/payments?status=paid')).status).toBe(400)
  })

  it('that is declined has none', async () => {
    const clinic = await withCard('pm_card_declined')
    expect((await clinic.live.post('/create-order', anOrder({ paymentMethod: 'card' }))).status).toBe(402)
    const [payment] = await paymentsOf(clinic)
    expect(payment).toMatchObject({ status: 'declined', declineCode: 'card_declined', charged: 0, creditNotes: [] })
    expect(payment.receipt).toBeUndefined()
    const { status, body } = await clinic.live.get(`/payments/${payment.paymentID}/receipt`, json)
    expect([status, body.code]).toEqual([404, 'RECEIPT_NOT_FOUND'])
  })

  it('keeps its receipt as it was issued, whatever the business is called later', async () => {
    const clinic = await withCard()
    await order(clinic)
    await clinic.live.request('PATCH', '/settings', { billingName: 'Another name' })
    const [payment] = await paymentsOf(clinic)
    expect((await receiptOf(clinic, payment.paymentID)).buyer.name).toBe(clinic.name)
  })

  it("is nobody else's to read", async () => {
    const [clinic, other] = [await withCard(), await withCard()]
    await order(clinic)
    const [payment] = await paymentsOf(clinic)
    expect((await other.live.get(`/payments/${payment.paymentID}/receipt`, json)).status).toBe(404)
    expect(await paymentsOf(other)).toEqual([])
  })

  it('of a bulk job has one receipt, of what was captured', async () => {
    const clinic = await withCard()
    const rows = Array.from({ length: 25 }, () => aRow())
    const { body } = await clinic.live.post('/create-order', { bulkUploadData: rows, paymentMethod: 'card' })
    await expect
      .poll(async () => (await clinic.live.get(`/bulk-order-jobs/${body.jobId}`)).body.status)
      .toBe('completed')
    const [payment] = await paymentsOf(clinic)
    expect(payment).toMatchObject({
      status: 'charged',
      charged: 25 * PRICE,
      receipt: { amount: 25 * PRICE, orderIDs: [] },
    })
    expect((await receiptOf(clinic, payment.paymentID)).lines).toMatchObject([{ quantity: 25, total: 25 * PRICE }])
  })

  it('of a pending order of several kit types shows what each cost when it was ordered', async () => {
    const clinic = await withCard()
    const kit_types = [{ kitType: CORE, quantity: 2 }, { kitType: CARDIO }]
    const id = await order(clinic, { kit_types, paymentMethod: 'later' })
    const owner = await world.owner()
    await owner.query(
      `update realm_panels set price_minor = 100 where realm_id in (select id from realms where business_id = $1)`,
      [clinic.id],
    )
    expect((await clinic.live.post(`/orders/${id}/pay`, { paymentMethod: 'card' })).status).toBe(200)
    const [payment] = await paymentsOf(clinic)
    const { lines, amount } = await receiptOf(clinic, payment.paymentID)
    expect([amount, lines.length, lines[0].unitPrice]).toEqual([3 * PRICE, 2, PRICE])
  })
})

describe('an order that is canceled', () => {
  it('has a credit note with its own number, at the prices of the receipt', async () => {
    const clinic = await withCard()
    const rows = { bulkUploadData: [aRow(), aRow({ quantity: 2 })], paymentMethod: 'card' }
    const { orderIds } = (await clinic.live.post('/create-order', rows)).body
    await clinic.live.post(`/orders/${orderIds[1]}/cancel`)
    await expect.poll(async () => (await paymentsOf(clinic))[0].creditNotes).toHaveLength(1)
    const [payment] = await paymentsOf(clinic)
    expect(payment).toMatchObject({ charged: 3 * PRICE, refunded: 2 * PRICE })
    const [{ number }] = payment.creditNotes
    expect(number).toMatch(/^C-\d{4}-0001$/)
    expect(await receiptOf(clinic, payment.paymentID, number)).toMatchObject({
      kind: 'credit_note',
      amount: 2 * PRICE,
      orderIDs: [orderIds[1]],
      of: payment.receipt.number,
      lines: [{ quantity: 2, unitPrice: PRICE, total: 2 * PRICE }],
    })
  })
})

describe('the numbers of receipts', () => {
  it('have no gaps, whatever is charged at once and whatever is declined between', async () => {
    const clinic = await withCard()
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        clinic.live.post('/create-order', anOrder({ paymentMethod: index % 4 === 3 ? 'pm_of_nobody' : 'card' })),
      ),
    )
    const numbers = (await paymentsOf(clinic)).map(({ receipt }: { receipt: { number: string } }) => receipt.number)
    const expected = Array.from({ length: 15 }, (_, index) => String(index + 1).padStart(4, '0'))
    expect(numbers.map((number: string) => number.slice(-4)).sort()).toEqual(expected)
  })

  it('are of their own in the sandbox, and say that it is a test', async () => {
    const clinic = await withCard()
    await order(clinic)
    await clinic.sandbox.post('/create-order', anOrder({ paymentMethod: 'card' }))
    const [payment] = (await clinic.sandbox.get('/payments')).body.data
    expect(payment.receipt.number).toMatch(/^TEST-R-\d{4}-0001$/)
  })
})

describe('receipts and credit notes', () => {
  it('add up to the payments, and these to the books of the gateway', async () => {
    const clinic = await withCard()
    const single = await order(clinic)
    await order(clinic, {
      kit_types: [
        { kitType: CORE, quantity: 3 },
        { kitType: CARDIO, quantity: 2 },
      ],
    })
    await clinic.live.post('/credits/buy', { type: CORE, amount: 7 })
    await clinic.live.post('/create-order', anOrder({ paymentMethod: 'pm_card_declined' }))
    const later = await order(clinic, { paymentMethod: 'later' })
    await clinic.live.post(`/orders/${later}/pay`, { paymentMethod: 'card' })
    for (const id of [single, later]) await clinic.live.post(`/orders/${id}/cancel`)
    const owner = await world.owner()
    const sums = async () =>
      (
        await owner.query(
          `select (select coalesce(sum(amount_minor), 0)::int from receipts where realm_id = r.id and kind <> 'credit_note') as receipts,
             (select coalesce(sum(amount_minor), 0)::int from receipts where realm_id = r.id and kind = 'credit_note') as notes,
             (select coalesce(sum(captured_minor), 0)::int from payments where realm_id = r.id) as charged,
             (select coalesce(sum(amount_minor), 0)::int from refunds where realm_id = r.id and state = 'done') as refunded,
             (select coalesce(sum(c.captured), 0)::int from simulated_charges c join payments p on split_part(c.idempotency_key, ':', 3) = p.id
              where p.realm_id = r.id) as books,
             (select coalesce(sum((l ->> 'totalMinor')::int), 0)::int from receipts, jsonb_array_elements(content -> 'lines') l
              where realm_id = r.id and kind <> 'credit_note') as lines
           from realms r where r.business_id = $1 and r.mode = 'live'`,
          [clinic.id],
        )
      ).rows[0]
    const charged = (1 + 5 + 7 + 1) * PRICE
    await expect
      .poll(sums)
      .toEqual({ receipts: charged, lines: charged, charged, books: charged, notes: 2 * PRICE, refunded: 2 * PRICE })
  })

  it('are PDFs with what their data says, readable by screen readers', async () => {
    const clinic = await withCard()
    const orderId = await order(clinic)
    const [payment] = await paymentsOf(clinic)
    const response = await fetch(`${world.service.url}/api/v1/payments/${payment.paymentID}/receipt`, {
      headers: { authorization: `Token ${clinic.liveToken}` },
    })
    expect(response.headers.get('content-type')).toBe('application/pdf')
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${payment.receipt.number}.pdf"`)
    const pdf = await getDocumentProxy(new Uint8Array(await response.arrayBuffer()))
    const { items } = await (await pdf.getPage(1)).getTextContent()
    const text = items.map((item) => ('str' in item ? item.str : '')).join(' ')
    for (const part of ['Receipt', payment.receipt.number, 'Nordlab Kits Ltd', clinic.name, orderId, '$199.00', '4242'])
      expect(text).toContain(part)
    expect(text).not.toContain('Ada')
  })
})
