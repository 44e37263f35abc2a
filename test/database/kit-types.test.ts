import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPanel, provision } from '../../src/modules/catalogue/service.ts'
import { address, anOrder, aRow, CORE } from '../harness/orders.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness

/** Creates a business that may order the panel called ORIGINAL internally and BASE in public. */
beforeAll(async () => {
  world = await sharedWorld()
  clinic = await world.business({ credits: 5 })
  await world.service.database.asSystem({ name: 'cli' }, async (tx) => {
    const biomarkers = ['ldl', 'hdl', 'total_cholesterol', 'triglycerides']
    await createPanel(tx, { kitType: 'ORIGINAL', name: 'Base', biomarkers })
    await provision(tx, clinic.id, ['ORIGINAL'], { minor: 9900 })
  })
})
afterAll(() => world.stop())

const base = (quantity = 1) => anOrder({ kit_types: [{ kitType: 'BASE', quantity }] })

describe('a provisioned kit type', () => {
  it('without a balance has no credits field, and counts as zero', async () => {
    const { body } = await clinic.live.get('/credits')
    expect(body).toContainEqual({ type: 'BASE' })
    expect(body).toContainEqual({ type: CORE, credits: 5 })
    const refused = await clinic.live.post('/create-order', { ...base(), purchase_with_attached_payment: false })
    expect([refused.status, refused.body.code]).toEqual([400, 'NOT_ENOUGH_CREDITS'])
  })

  it('is the only kind that the credits show', async () => {
    const few = await world.business({ panels: [CORE] })
    expect((await few.live.get('/credits')).body).toEqual([{ type: CORE, credits: 100 }])
    const { body } = await few.live.get('/panels')
    expect(body).toMatchObject([
      { kitType: CORE, name: 'Core Health', price: { amount: 19_900, currency: 'USD' }, biomarkers: expect.any(Array) },
    ])
  })
})

describe('the kit type ORIGINAL', () => {
  it('is BASE in every answer and every event, however it was ordered', async () => {
    await clinic.sandbox.post('/sandbox/reset')
    const { sandbox } = clinic
    const { kit_type: _, ...flat } = aRow()
    const made = [
      await sandbox.post('/create-order', base(2)),
      await sandbox.post('/create-order', anOrder({ kit_types: [{ kitType: 'BASE' }, { kitType: CORE }] })),
      await sandbox.post('/create-order', { bulkUploadData: [aRow({ kit_type: 'BASE' })] }),
      await sandbox.post('/legacy/create-order', { ...flat, ...address, kitType: 'BASE' }),
    ]
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    const [{ kitID }] = (await sandbox.get(`/kits?orderID=${made[0]?.body.orderId}`)).body
    const published = await sandbox.post(`/sandbox/kits/${kitID}/scenario`, { scenario: 'published' })
    const { customerID } = published.body
    await sandbox.post(`/orders/${made[2]?.body.orderIds[0]}/cancel`)
    // The feed waits a moment for older transactions in any database of the server.
    const cancellations = async () => (await sandbox.get('/events?type=order.canceled')).body.data.length
    await expect.poll(cancellations).toBe(1)
    const paths = [
      '/credits',
      '/credits/transactions',
      '/panels',
      '/orders',
      '/orders?sku=BASE',
      '/kits',
      '/events?size=250',
    ]
    const answers = await Promise.all(
      [...paths, `/orders/${made[0]?.body.orderId}`, '/sandbox/kits', `/customers/${customerID}/export`].map((path) =>
        sandbox.get(path),
      ),
    )
    const dry = await sandbox.post('/create-order?dryRun=true', base())
    for (const { status, text } of [...answers, published, dry]) {
      expect([status, text.includes('BASE'), text.includes('ORIGINAL')]).toEqual([200, true, false])
    }
    const [first] = await sandbox.get(`/orders/${made[0]?.body.orderId}`).then(({ body }) => [body])
    expect(first).toMatchObject({
      sku: 'BASE',
      items: [{ kitType: 'BASE', quantity: 2 }],
      kits: [{ kitType: 'BASE' }, {}],
    })
    expect((await sandbox.get('/orders?sku=BASE')).body.pagination.total).toBe(4)
  })
})
