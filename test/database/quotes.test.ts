import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { realmsOf } from '../../src/modules/businesses/service.ts'
import { grant } from '../../src/modules/credits/service.ts'
import { anOrder, aRow, CARDIO, CORE } from '../harness/orders.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
beforeAll(async () => {
  world = await sharedWorld()
  clinic = await world.business({ credits: 0 })
  await clinic.live.post('/payment-methods', { id: 'pm_card_visa' })
})
afterAll(() => world.stop())

const actor = { name: 'cli' }
const kitType = fc.constantFrom(CORE, CORE, CARDIO, 'NOPE')
const line = fc.record({ kitType, quantity: fc.integer({ min: 1, max: 3 }) })
const rows = (minLength: number, maxLength: number) =>
  fc.array(line, { minLength, maxLength }).map((lines) => ({
    bulkUploadData: lines.map(({ kitType: kit_type, quantity }) => aRow({ kit_type, quantity })),
  }))
const known = fc.constantFrom(CORE, CARDIO)
const situation = fc.record({
  credits: fc.integer({ min: 0, max: 4 }),
  settings: fc.record({
    insufficientCredits: fc.constantFrom('charge', 'pending', 'reject'),
    purchasingEnabled: fc.constantFrom(true, true, false),
  }),
  body: fc.oneof(
    { weight: 4, arbitrary: fc.array(line, { minLength: 1, maxLength: 2 }).map((kit_types) => anOrder({ kit_types })) },
    { weight: 2, arbitrary: rows(1, 3) },
    {
      weight: 1,
      arbitrary: known.map((kit_type) => ({ bulkUploadData: Array.from({ length: 20 }, () => aRow({ kit_type })) })),
    },
  ),
  how: fc.constantFrom(
    ...[{}, {}, { purchase_with_attached_payment: true }, { purchase_with_attached_payment: false }],
    ...[{ paymentMethod: 'credits' }, { paymentMethod: 'card' }, { paymentMethod: 'later' }],
  ),
})

async function creditsNow(): Promise<Map<string, number>> {
  const { body } = await clinic.live.get('/credits')
  return new Map(body.map(({ type, credits }: { type: string; credits?: number }) => [type, credits ?? 0]))
}

/** How much a business has of everything that placing orders writes. */
async function written(business: TestBusiness): Promise<unknown> {
  const owner = await world.owner()
  const { live } = await world.service.database.asSystem(actor, (tx) => realmsOf(tx, business.id))
  const tables = ['orders', 'kits', 'events', 'credit_transfers', 'payments', 'bulk_jobs', 'emails']
  const { rows } = await owner.query(
    `select ${tables.map((table) => `(select count(*)::int from ${table} where realm_id = $1) as ${table}`).join(', ')}`,
    [live.id],
  )
  return rows[0]
}

async function settle(orderIds: string[]): Promise<{ amount: number; statuses: string[] }> {
  const orders = await Promise.all(orderIds.map((id) => clinic.live.get(`/orders/${id}`)))
  return {
    amount: orders.reduce((sum, { body }) => sum + (body.payment.amount ?? 0), 0),
    statuses: [...new Set(orders.map(({ body }) => body.payment.method))],
  }
}

it('an order does and costs what its quote said, however it is paid, refused or made by a job', async () => {
  const outcomes = new Set<string>()
  const realm = (await world.service.database.asSystem(actor, (tx) => realmsOf(tx, clinic.id))).live
  await fc.assert(
    fc.asyncProperty(situation, async ({ credits, settings, body, how }) => {
      await clinic.live.request('PATCH', '/settings', settings)
      const before = await creditsNow()
      const missing = [CORE, CARDIO].map((kitType) => ({ kitType, amount: credits - (before.get(kitType) ?? 0) }))
      const changes = missing.filter(({ amount }) => amount !== 0)
      if (changes.length > 0) await world.service.database.inRealm(realm, actor, (tx) => grant(tx, changes))
      const request = { ...body, ...how }
      const quoted = (await clinic.live.post('/quotes', request)).body
      const placed = await clinic.live.post('/create-order', request)
      outcomes.add(`${quoted.outcome} ${quoted.payment ?? 'problems'}`)
      const { outcome, payment, charge, refusal } = quoted
      expect([quoted.valid, outcome !== 'refused']).toEqual([placed.status < 300, placed.status < 300])
      if (outcome === 'refused') expect(placed.body.code).toBe(refusal?.code ?? 'KIT_TYPE_NOT_PROVISIONED')
      if (outcome === 'job') expect([placed.status, 'jobId' in placed.body]).toEqual([202, true])
      if (outcome === 'pending') expect(placed.body.pending).toBe(true)
      if (outcome === 'placed' || outcome === 'pending') {
        const { amount, statuses } = await settle(placed.body.orderIds ?? [placed.body.orderId])
        expect(amount).toBe(charge?.amount ?? 0)
        expect(statuses).toEqual([{ credits: 'credits', card: 'card', pending: 'none' }[payment as 'credits']])
      }
      const after = await creditsNow()
      for (const { type, remaining } of quoted.credits) expect([type, after.get(type) ?? 0]).toEqual([type, remaining])
    }),
    { numRuns: 40, seed: Number(process.env.SEED ?? 20_260_101) },
  )
  expect([...outcomes]).toEqual(
    expect.arrayContaining(['placed credits', 'placed card', 'pending pending', 'refused refused', 'refused problems']),
  )
})

it('a quote writes, charges and reserves nothing, and tells what is wrong with each row', async () => {
  // Jobs of the orders above may still write.
  const calm = await world.business({ credits: 0 })
  await calm.live.post('/payment-methods', { id: 'pm_card_visa' })
  const before = await written(calm)
  const bodies = [
    anOrder({ paymentMethod: 'card' }),
    anOrder({ paymentMethod: 'later' }),
    { bulkUploadData: Array.from({ length: 25 }, () => aRow()) },
    { bulkUploadData: [aRow(), aRow({ email: 'nobody' }), aRow({ kit_type: 'NOPE' })] },
  ]
  const answers = []
  for (const body of bodies) answers.push(await calm.live.post('/quotes', body))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const { valid, outcome, rows } = answers[3]?.body ?? {}
  expect([valid, outcome, rows.map((row: { valid: boolean }) => row.valid)]).toEqual([
    false,
    'refused',
    [true, false, false],
  ])
  expect(await written(calm)).toEqual(before)
  expect((await calm.live.post('/quotes', { recipient: 7 })).body.code).toBe('VALIDATION_FAILED')
})
