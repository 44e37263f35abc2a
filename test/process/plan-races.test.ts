import fc from 'fast-check'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { placeDue } from '../../src/extensions/plans/place.ts'
import { selectPlan, updatePlan } from '../../src/extensions/plans/queries.ts'
import { orderOf } from '../../src/extensions/plans/service.ts'
import { realmsOf } from '../../src/modules/businesses/service.ts'
import { createOrders } from '../../src/modules/orders/group.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { type RealmPorts, realmPorts } from '../../src/platform/ports/realm-ports.ts'
import { dying } from '../harness/dying-ports.ts'
import { aPlan, placePlansOf } from '../harness/plans.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const clock = manualClock(new Date('2027-01-04T12:00:00.000Z'))
const actor = { name: 'job:plans.place' }
let world: World
let owner: Client

beforeAll(async () => {
  world = await ownWorld('sets the clock', { role: 'api' }, { clock })
  owner = await world.owner()
})
afterAll(() => world.stop())

async function clinicWithCard(): Promise<TestBusiness> {
  const clinic = await world.business()
  await clinic.live.post('/payment-methods', { id: 'pm_card_visa' })
  return clinic
}

async function portsOf({ id }: TestBusiness): Promise<RealmPorts> {
  const { database, portsOf } = world.service
  const { live } = await database.asSystem(actor, (tx) => realmsOf(tx, id))
  return realmPorts(database, portsOf, live, actor)
}

async function dueToday(clinic: TestBusiness, paymentMethod: string): Promise<string> {
  const { status, body, text } = await clinic.live.post('/plans', aPlan('2027-01-04', { paymentMethod }))
  expect(status, text).toBe(201)
  return body.planID
}

/** What the books say: orders, kits and charges of a business, and how many dates of its plans have an order. */
async function booksOf({ id }: TestBusiness): Promise<Record<string, number>> {
  const { rows } = await owner.query(
    `select (select count(*)::int from orders o where o.realm_id = r.id) as orders,
            (select count(*)::int from kits k where k.realm_id = r.id) as kits,
            (select count(*)::int from plan_occurrences p where p.realm_id = r.id and p.status = 'placed' and p.order_id is not null) as placed,
            (select count(*)::int from simulated_charges c join payments p
               on c.idempotency_key = 'kitlane:live:' || p.id || ':' || p.key_number
             where p.realm_id = r.id and c.captured > 0) as charges
     from realms r where r.business_id = $1 and r.mode = 'live'`,
    [id],
  )
  return rows[0]
}

/** A worker as it must not be: it looks at the plan without locking it. */
const placeUnlocked = (ports: RealmPorts, planId: string) =>
  ports.open(async (tx) => {
    const plan = await selectPlan(tx, planId)
    if (!plan?.dueAt || plan.dueAt > tx.now) return
    await createOrders(tx, orderOf(plan))
    await updatePlan(tx, { ...plan, nextIndex: 1, dueAt: null })
  })

describe('workers that come at once', () => {
  it('place the order of each plan once, in whatever order they come', async () => {
    const workers = fc.array(fc.shuffledSubarray([0, 1, 2], { minLength: 3 }), { minLength: 2, maxLength: 5 })
    const payments = fc.tuple(...[0, 1, 2].map(() => fc.constantFrom('credits', 'card', 'later')))
    const races = fc.asyncProperty(workers, payments, async (orders, methods) => {
      const clinic = await clinicWithCard()
      const ports = await portsOf(clinic)
      const ids = await Promise.all(methods.map((method) => dueToday(clinic, method)))
      await Promise.all(
        orders.map(async (order) => {
          for (const index of order) await placeDue(ports, ids[index] ?? '')
        }),
      )
      const charges = methods.filter((method) => method === 'card').length
      const kits = methods.filter((method) => method !== 'later').length
      expect(await booksOf(clinic)).toEqual({ orders: 3, kits, placed: 3, charges })
    })
    // A failure prints the seed and the shortest failing race.
    await fc.assert(races, { numRuns: 15, interruptAfterTimeLimit: 60_000 })
  })

  it('would be seen to place it twice, if they did not lock the plan', async () => {
    const clinic = await clinicWithCard()
    const ports = await portsOf(clinic)
    const id = await dueToday(clinic, 'credits')
    await Promise.all(Array.from({ length: 8 }, () => placeUnlocked(ports, id)))
    expect((await booksOf(clinic)).orders).toBeGreaterThan(1)
  })
})

describe('a worker that dies', () => {
  it.each(['credits', 'card'])('anywhere leaves one order and one charge to whoever comes next: %s', async (method) => {
    const clinic = await clinicWithCard()
    const ports = await portsOf(clinic)
    await dueToday(clinic, method)
    const { ports: counting, opened } = dying(ports, Number.POSITIVE_INFINITY, 'after')
    const { rows } = await owner.query('select id from plans where due_at <= $1', [clock.now()])
    for (const { id } of rows) await placeDue(counting, id)
    // Deciding; and for a card reading the payment, the gateway's, recording its answer, recording the date.
    expect(opened()).toBeGreaterThanOrEqual(method === 'card' ? 4 : 1)
    for (let at = 1; at <= opened(); at++) {
      for (const when of ['before', 'after'] as const) {
        const clinic = await clinicWithCard()
        const ports = await portsOf(clinic)
        const id = await dueToday(clinic, method)
        await expect(placeDue(dying(ports, at, when).ports, id), `${at} ${when}`).rejects.toThrow('died')
        clock.advance(61_000)
        await placePlansOf(world)
        await placePlansOf(world)
        const charges = method === 'card' ? 1 : 0
        expect(await booksOf(clinic), `${at} ${when}`).toEqual({ orders: 1, kits: 1, placed: 1, charges })
      }
    }
  })
})
