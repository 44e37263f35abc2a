import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { realmsOf } from '../../src/modules/businesses/service.ts'
import { grant } from '../../src/modules/credits/service.ts'
import { checkLedger, verifyLedger } from '../../src/modules/credits/verify.ts'
import { readFigures } from '../../src/modules/insights/figures/service.ts'
import { commandLine } from '../harness/command-line.ts'
import { anOrder, CARDIO, CORE } from '../harness/orders.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
beforeAll(async () => {
  world = await ownWorld('breaks the ledger')
})
afterAll(() => world.stop())

const actor = { name: 'cli' }
const check = () => world.service.database.asSystem(actor, verifyLedger)

/** A model of a business's credits in the simplest arithmetic. */
interface Model {
  credits: Map<string, number>
  orders: { id: string; items: Map<string, number>; standing: boolean }[]
}

type Step =
  | { do: 'grant'; kitType: string; amount: number }
  | { do: 'order'; items: { kitType: string; quantity: number }[] }
  | { do: 'cancel'; pick: number }

const kitType = fc.constantFrom(CORE, CARDIO)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('grant' as const), kitType, amount: fc.integer({ min: -5, max: 8 }) }),
  fc.record({
    do: fc.constant('order' as const),
    items: fc.array(fc.record({ kitType, quantity: fc.integer({ min: 1, max: 4 }) }), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ do: fc.constant('cancel' as const), pick: fc.nat(20) }),
)

async function perform(clinic: TestBusiness, model: Model, action: Step): Promise<void> {
  if (action.do === 'grant') return performGrant(clinic, model, action)
  if (action.do === 'order') return performOrder(clinic, model, action.items)
  const order = model.orders[action.pick % Math.max(1, model.orders.length)]
  if (!order) return
  const { status } = await clinic.live.post(`/orders/${order.id}/cancel`)
  expect(status).toBe(order.standing ? 200 : 409)
  if (order.standing) for (const [type, amount] of order.items) add(model.credits, type, amount)
  order.standing = false
}

async function performGrant(
  clinic: TestBusiness,
  model: Model,
  change: { kitType: string; amount: number },
): Promise<void> {
  const fits = (model.credits.get(change.kitType) ?? 0) + change.amount >= 0
  const done = await world.service.database
    .asSystem(actor, async (tx) => (await realmsOf(tx, clinic.id)).live)
    .then((live) =>
      world.service.database
        .inRealm(live, actor, (tx) => grant(tx, [change]))
        .then(
          () => true,
          (err: { code?: string }) => {
            expect(err.code).toBe('NOT_ENOUGH_CREDITS')
            return false
          },
        ),
    )
  expect(done).toBe(fits)
  if (fits) add(model.credits, change.kitType, change.amount)
}

async function performOrder(
  clinic: TestBusiness,
  model: Model,
  kit_types: { kitType: string; quantity: number }[],
): Promise<void> {
  const items = new Map<string, number>()
  for (const { kitType, quantity } of kit_types) add(items, kitType, quantity)
  const covered = [...items].every(([type, amount]) => (model.credits.get(type) ?? 0) >= amount)
  const { status, body } = await clinic.live.post(
    '/create-order',
    anOrder({ kit_types, purchase_with_attached_payment: false }),
  )
  expect(status).toBe(covered ? 201 : 400)
  if (!covered) return
  for (const [type, amount] of items) add(model.credits, type, -amount)
  model.orders.push({ id: body.orderId, items, standing: true })
}

const add = (sums: Map<string, number>, key: string, amount: number) => sums.set(key, (sums.get(key) ?? 0) + amount)

describe('credits', () => {
  it('are neither made nor lost by any sequence of grants, orders and cancels', async () => {
    const sequences = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const clinic = await world.business({ credits: 0, panels: [CORE, CARDIO] })
      const model: Model = { credits: new Map(), orders: [] }
      for (const action of steps) await perform(clinic, model, action)
      const { body } = await clinic.live.get('/credits')
      for (const { type, credits = 0 } of body) expect(credits).toBe(model.credits.get(type) ?? 0)
      const ledger = (await clinic.live.get('/credits/transactions?size=250')).body.data
      for (const type of [CORE, CARDIO]) {
        const sum = ledger
          .filter((row: { type: string }) => row.type === type)
          .reduce((s: number, row: { change: number }) => s + row.change, 0)
        expect(sum).toBe(model.credits.get(type) ?? 0)
      }
    })
    await fc.assert(sequences, { numRuns: 25, verbose: 1 })
    const result = await check()
    expect(result.ok).toBe(true)
  })

  it('that were tampered with are found by verify-ledger', async () => {
    const clinic = await world.business({ credits: 7, panels: [CORE] })
    expect((await check()).ok).toBe(true)
    const owner = await world.owner()
    const tamper = (change: number) =>
      owner.query(
        `begin; set local role kitlane_system;
         update credit_balances set available = available + ${change} where realm_id =
           (select id from realms where business_id = '${clinic.id}' and mode = 'live'); commit`,
      )
    await tamper(1)
    const found = await check()
    expect(found.ok).toBe(false)
    expect(found.balances.filter((balance) => !balance.ok)).toEqual([
      expect.objectContaining({ business: clinic.name, mode: 'live', available: 8, ledgerAvailable: 7 }),
    ])
    await tamper(-1)
  })

  it('cannot go below zero even by a write past the program', async () => {
    await world.business({ credits: 1, panels: [CORE] })
    const owner = await world.owner()
    await owner.query('set role kitlane_system')
    await expect(owner.query('update credit_balances set available = -1')).rejects.toThrow(/check constraint/)
  })
})

it('that is found wrong by a run of the command line is wrong for the doctor and the alerts until a whole run finds it right', async () => {
  const clinic = await world.business()
  const { body } = await clinic.live.post('/create-order', anOrder({ paymentMethod: 'credits' }))
  const [kit] = (await clinic.live.get(`/orders/${body.orderId}`)).body.kits
  const owner = await world.owner()
  const { database } = world.service
  const move = (orderId: string) => owner.query('update kits set order_id = $2 where id = $1', [kit.kitID, orderId])
  const figure = async () => (await readFigures(database)).kitlane_ledger_ok
  const cli = await commandLine(world.urls.owner)
  try {
    expect((await cli.run('verify-ledger')).code).toBe(0)
    expect(await figure()).toBe(1)
    await move('O000000000')
    expect((await cli.run('verify-ledger')).code).toBe(1)
    expect(await figure()).toBe(0)
    // At night usually only what is new is read, and no more of that kit.
    await checkLedger(database, actor, { which: { dueAfterMs: Number.POSITIVE_INFINITY } })
    expect(await figure()).toBe(0)
    await move(body.orderId)
    expect((await cli.run('verify-ledger')).code).toBe(0)
    expect(await figure()).toBe(1)
  } finally {
    await cli.close()
  }
})

it('names a kit whose order is not there, which no foreign key prevents', async () => {
  const clinic = await world.business()
  const { body } = await clinic.live.post('/create-order', anOrder({ paymentMethod: 'credits' }))
  const [kit] = (await clinic.live.get(`/orders/${body.orderId}`)).body.kits
  const owner = await world.owner()
  await owner.query('update kits set order_id = $2 where id = $1', [kit.kitID, 'O000000000'])
  expect(await check()).toMatchObject({ ok: false, orphans: [kit.kitID] })
  await owner.query('update kits set order_id = $2 where id = $1', [kit.kitID, body.orderId])
  expect(await check()).toMatchObject({ ok: true, orphans: [] })
})
