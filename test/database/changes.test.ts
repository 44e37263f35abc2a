import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { realmsOf } from '../../src/modules/businesses/service.ts'
import { moveKit } from '../../src/modules/kits/move.ts'
import type { Tx } from '../../src/platform/database/tx.ts'
import { anOrder } from '../harness/orders.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
beforeAll(async () => {
  world = await sharedWorld()
  clinic = await world.business()
})
afterAll(() => world.stop())

async function within(work: (tx: Tx) => Promise<unknown>): Promise<unknown> {
  const actor = { name: 'cli' }
  const realm = (await world.service.database.asSystem(actor, (tx) => realmsOf(tx, clinic.id))).live
  return world.service.database.inRealm(realm, actor, work)
}

async function placed(): Promise<{ orderID: string; kitID: string }> {
  const { orderId } = (await clinic.live.post('/create-order', anOrder())).body
  return { orderID: orderId, kitID: (await clinic.live.get(`/orders/${orderId}`)).body.kits[0].kitID }
}

/** What a caller does who keeps a copy: asks with the time of the answer before. */
async function poll(list: string, since = '2026-01-01') {
  const { body, headers } = await clinic.live.get(`/${list}?updatedSince=${since}`)
  return { text: JSON.stringify(body), next: headers.get('x-next-updated-since') ?? '' }
}

describe('what changed since a time', () => {
  it('misses no change that is committed after an answer and dated before it', async () => {
    const { orderID, kitID } = await placed()
    const polled: Record<string, string> = {}
    await within(async (tx) => {
      await moveKit(tx, kitID, 'kitInTransit')
      // The answers are given while the change is dated and not committed.
      for (const list of ['kits', 'orders']) polled[list] = (await poll(list)).next
    })
    expect((await poll('kits', polled.kits)).text).toContain(kitID)
    expect((await poll('orders', polled.orders)).text).toContain(orderID)
  })

  it('holds new and changed reports, in the list of reports and in those of their customers', async () => {
    const made = await placedReport()
    for (const [list, id] of [['reports', made.reportID] as const, ['customers', made.reportID] as const]) {
      const first = await poll(list)
      expect(first.text).toContain(id)
      expect((await poll(list, first.next)).text).toContain(id)
      expect((await poll(list, '2199-01-01')).text).not.toContain(id)
    }
  })

  it('is settled by then: a transaction that took longer is rolled back and writes nothing', async () => {
    const { kitID } = await placed()
    const now = performance.now.bind(performance)
    const late = within(async (tx) => {
      await moveKit(tx, kitID, 'kitInTransit')
      vi.spyOn(performance, 'now').mockImplementation(() => now() + 121_000)
    })
    await expect(late.finally(() => vi.restoreAllMocks())).rejects.toMatchObject({ code: 'OVERLOADED' })
    expect((await clinic.live.get(`/kits/${kitID}/validate`)).body.kitStatus).toBe('preparing')
  })
})

async function placedReport(): Promise<{ reportID: string }> {
  const { id } = (await clinic.live.post('/customer', { email: 'ada@example.test', name: 'Ada Example' })).body
  const biomarkerData = [{ name: 'ldl', result: 90, unit_of_measure: 'mg/dL' }]
  const { body } = await clinic.live.post('/customer/add-data', {
    type: 'test',
    userId: id,
    date: '2026-01-15',
    biomarkerData,
  })
  return { reportID: body.reportId }
}
