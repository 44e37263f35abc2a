import { beforeAll, expect, it } from 'vitest'
import { createCompanies, playCompanies } from '../../src/cli/demo-company.ts'
import { kitsOfDemo } from '../../src/cli/demo-plan.ts'
import { DEMO_COMPANIES } from '../../src/modules/businesses/queries.ts'
import * as businesses from '../../src/modules/businesses/service.ts'
import * as catalogue from '../../src/modules/catalogue/service.ts'
import * as bulk from '../../src/modules/orders/bulk/service.ts'
import { cancel } from '../../src/modules/orders/cancel.ts'
import { list } from '../../src/modules/orders/read.ts'
import { operatorWith } from '../harness/operator.ts'
import { ownWorld, type World } from '../harness/world.ts'

const actor = { name: 'test' }
const until = new Date()
const DAYS = 30
let world: World
const never = new AbortController().signal
const given = { until, days: DAYS, isQuiet: () => true }

beforeAll(async () => {
  world = await ownWorld('fills the installation with made-up companies')
  await world.service.database.asSystem(actor, (tx) => createCompanies(tx, 'admin@demo.kitlane.invalid'))
  return () => world.stop()
})

const realmOf = (name: string) =>
  world.service.database.asSystem(
    actor,
    async (tx) => (await businesses.realmsOf(tx, (await businesses.find(tx, name)).id)).live,
  )

async function ordersOf(name: string) {
  return world.service.database.inRealm(await realmOf(name), actor, async (tx) => {
    const { orders } = await list(tx, {}, { page: 0, size: 250, isOldestFirst: true })
    return orders
  })
}

it('The first company of the demo has rows that failed, a result waits for its kit, and boxes run out', async () => {
  const realm = await realmOf(DEMO_COMPANIES[0])
  await world.service.database.inRealm(realm, actor, async (tx) => {
    const { jobs } = await bulk.list(tx, { page: 0, size: 10 })
    expect(jobs).toMatchObject([{ status: 'canceled', failed: 20, succeeded: 0 }])
  })
  const operator = await operatorWith(world, ['lab', 'fulfilment'])
  expect((await operator('GET', '/lab/messages')).body).toMatchObject([{ accession: 'DEMO-0000' }])
  expect((await operator('GET', '/stock/levels?isLow=true')).body.data).toMatchObject([
    { place: 'Main shelf', usable: 3 },
  ])
})

async function plannedOf(index: number) {
  const panels = await world.service.database.asSystem(actor, async (tx) => catalogue.panels(tx))
  return kitsOfDemo({ panels, until: until.getTime(), days: DAYS, seed: index + 1 })
}

async function cancelOne(name: string) {
  const waiting = (await ordersOf(name)).find(
    ({ kits, status }) => status !== 'canceled' && kits[0]?.kitStatus === 'preparing',
  )
  if (!waiting) throw new Error('no kit of the demo waits')
  await world.service.database.inRealm(await realmOf(name), actor, (tx) => cancel(tx, waiting.orderID))
}

it('The companies of the demo live through their days once, however often a start is interrupted, whoever plays beside it and whatever somebody does with a kit', async () => {
  const { database } = world.service
  const interrupted = new AbortController()
  const first = playCompanies(database, given, interrupted.signal)
  await expect.poll(async () => (await ordersOf(DEMO_COMPANIES[1])).length).toBeGreaterThan(3)
  interrupted.abort()
  await first
  const planned = await plannedOf(0)
  expect(await ordersOf(DEMO_COMPANIES[0]), 'the small one is lived through first').toHaveLength(planned.length)
  await cancelOne(DEMO_COMPANIES[1])
  const some = (await ordersOf(DEMO_COMPANIES[1])).length
  await Promise.all([1, 2].map(() => playCompanies(database, given, never)))
  await playCompanies(database, given, never)

  expect((await ordersOf(DEMO_COMPANIES[1])).length).toBeGreaterThan(some)
  for (const [index, name] of DEMO_COMPANIES.entries()) {
    const planned = await plannedOf(index)
    const orders = await ordersOf(name)
    expect(orders.map(({ externalID }) => externalID)).toEqual(planned.map(({ number }) => `demo-${number}`))
    expect(orders.map(({ createdDate }) => Date.parse(createdDate))).toEqual(planned.map(({ steps: [one] }) => one?.at))
    const states = new Set(
      orders.flatMap(({ kits }) => kits.flatMap((kit) => [kit.kitStatus, kit.sampleStatus, kit.status])),
    )
    const waiting = ['preparing', 'inTransit', 'delivered', 'registered', 'received', 'published', 'rejected']
    expect([...states]).toEqual(expect.arrayContaining(waiting))
  }
})
