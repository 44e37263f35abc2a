import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kitAttentions, kitExceptions, lifetimeStatuses } from '../../src/modules/kits/lifecycle.ts'
import { anOrder, CORE } from '../harness/orders.ts'
import { sharedWorld, type World } from '../harness/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})
afterAll(() => world.stop())

describe('kits that need attention', () => {
  it('are the same ones in the list, in its file and in the count of the overview, wherever kits stand', async () => {
    const { sandbox, id } = await world.business()
    const events = [...lifetimeStatuses, ...kitExceptions]
    // For each: a new one, an old one, and an old replaced one if possible.
    const kit_types = [{ kitType: CORE, quantity: 3 * events.length }]
    const { body: order } = await sandbox.post('/create-order', anOrder({ kit_types }))
    const { kits } = (await sandbox.get(`/orders/${order.orderId}`)).body
    const old: string[] = []
    for (const [index, { kitID }] of kits.entries()) {
      const status = events[Math.floor(index / 3)]
      expect((await sandbox.post(`/sandbox/kits/${kitID}/advance`, { status })).status).toBe(200)
      if (index % 3 > 0) old.push(kitID)
      if (index % 3 === 2) await sandbox.post(`/kits/${kitID}/replacement`, { reason: 'lost' })
    }
    const owner = await world.owner()
    await owner.query("update kits set updated_at = now() - interval '13 days' where id = any($1)", [old])
    const { attention } = (await sandbox.get('/overview')).body
    for (const kind of kitAttentions) {
      const found = attention.find((item: { kind: string }) => item.kind === kind)
      expect(found?.count, kind).toBeGreaterThan(1)
      const list = await sandbox.get(`/kits?attention=${kind}&size=250`)
      expect(list.headers.get('x-total-count'), kind).toBe(String(found.count))
      const ids: string[] = list.body.map(({ kitID }: { kitID: string }) => kitID)
      expect(ids).toHaveLength(found.count)
      expect(ids).toContain(found.example)
      const file = await sandbox.get(`/kits?attention=${kind}`, { accept: 'text/csv' })
      expect(
        file.text
          .trim()
          .split('\r\n')
          .slice(1)
          .map((line) => line.split(',')[0]),
      ).toEqual(ids)
    }
    const elsewhere = await world.business()
    expect(elsewhere.id).not.toBe(id)
    expect((await elsewhere.sandbox.get('/kits?attention=late')).body).toEqual([])
  })

  it('are late only after the days that their own step usually takes', async () => {
    const { sandbox } = await world.business()
    const { body: order } = await sandbox.post(
      '/create-order',
      anOrder({ kit_types: [{ kitType: CORE, quantity: 2 }] }),
    )
    const [packed, delivered] = (await sandbox.get(`/orders/${order.orderId}`)).body.kits
    await sandbox.post(`/sandbox/kits/${delivered.kitID}/advance`, { status: 'kitDelivered' })
    const owner = await world.owner()
    await owner.query("update kits set updated_at = now() - interval '5 days' where order_id = $1", [order.orderId])
    const { body } = await sandbox.get('/kits?attention=late')
    expect(body.map(({ kitID }: { kitID: string }) => kitID)).toEqual([packed.kitID])
    expect((await sandbox.get('/kits?attention=soon')).status).toBe(400)
  })
})
