import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Random, randomOf } from '../../prove/random.ts'
import * as audit from '../../src/modules/audit/service.ts'
import { eventTypes } from '../../src/modules/events/event-types.ts'
import { readFeed } from '../../src/modules/events/queries.ts'
import { begin } from '../../src/modules/holds/record.ts'
import { mend } from '../../src/modules/holds/service.ts'
import { lockKit, moveKit } from '../../src/modules/kits/move.ts'
import type { Realm, Tx } from '../../src/platform/database/tx.ts'
import { anOrder } from '../harness/orders.ts'
import { ownWorld, type World } from '../harness/world.ts'

let world: World
beforeAll(async () => {
  world = await ownWorld('looks at the events of all businesses')
})
afterAll(() => world.stop())

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
const WRITERS = 8
const TRANSACTIONS = 30

/** Runs transactions of 1 to 3 events, open for 0 to 40 ms, and rolls back one in six. Returns the committed events. */
async function write(realm: Realm, random: Random, name: string): Promise<string[]> {
  const client = new Client({ connectionString: world.urls.owner })
  await client.connect()
  await client.query('set role kitlane_system')
  const committed: string[] = []
  for (let n = 0; n < TRANSACTIONS; n++) {
    const ids = Array.from({ length: random.between(1, 3) }, (_, index) => `evt_${name}_${n}_${index}`)
    await client.query('begin')
    for (const id of ids) {
      await client.query(
        `insert into events (realm_id, id, type, data, occurred_at) values ($1, $2, 'order.created', '{}', now())`,
        [realm.id, id],
      )
      await delay(random.between(0, 20))
    }
    const givenUp = random.fraction() < 1 / 6
    await client.query(givenUp ? 'rollback' : 'commit')
    if (!givenUp) committed.push(...ids)
  }
  await client.end()
  return committed
}

type Page = (after: string | undefined) => Promise<string[]>

/** Reads from its last event on until the writers are done and no more events come. */
async function follow(page: Page, isOver: () => Promise<boolean>): Promise<string[]> {
  const seen: string[] = []
  for (let quiet = 0; quiet < 3; ) {
    const over = await isOver()
    const ids = await page(seen.at(-1))
    seen.push(...ids)
    quiet = over && ids.length === 0 ? quiet + 1 : 0
    if (ids.length === 0) await delay(5)
  }
  return seen
}

async function race(pageOf: (realm: Realm) => Page): Promise<{ committed: string[]; seen: string[]; realm: Realm }> {
  const clinic = await world.business()
  await clinic.live.post('/create-order', anOrder())
  const owner = await world.owner()
  const { rows } = await owner.query(`select id from realms where business_id = $1 and mode = 'live'`, [clinic.id])
  const realm: Realm = { id: rows[0].id, businessId: clinic.id, mode: 'live' }
  const random = randomOf(seed)
  let over = false
  // Transactions in other databases of this server hold the feed back, too.
  const unsettled = 'select 1 from events where realm_id = $1 and xact >= kitlane_settled() limit 1'
  const isOver = async () => over && (await owner.query(unsettled, [realm.id])).rowCount === 0
  const writing = Promise.all(
    Array.from({ length: WRITERS }, (_, n) => write(realm, randomOf(random.between(0, 2 ** 31)), `${realm.id}_${n}`)),
  ).finally(() => {
    over = true
  })
  const [written, seen] = await Promise.all([writing, follow(pageOf(realm), isOver)])
  const first = await owner.query(`select id from events where realm_id = $1 and order_id is not null`, [realm.id])
  return { committed: [...first.rows.map(({ id }) => id), ...written.flat()], seen, realm }
}

it(`a reader that goes on from its last event sees each once, whatever commits late (seed ${seed})`, async () => {
  const { committed, seen, realm } = await race((realm) => async (after) => {
    const { events } = await world.service.database.inRealm(realm, { name: 'test' }, (tx) =>
      readFeed(tx, { after, types: eventTypes, size: 7 }),
    )
    return events.map(({ id }) => id)
  })
  expect(seen.length).toBe(new Set(seen).size)
  expect(new Set(seen)).toEqual(new Set(committed))
  // A reader that followed the feed and one that starts at the end see the same events.
  const all = await world.service.database.inRealm(realm, { name: 'test' }, (tx) =>
    readFeed(tx, { types: eventTypes, size: 10_000 }),
  )
  expect(all.events.map(({ id }) => id)).toEqual(seen)
  // Events of one transaction keep the order in which it wrote them.
  const ofOne = Map.groupBy(seen, (id) => id.slice(0, id.lastIndexOf('_')))
  for (const ids of ofOne.values()) expect(ids).toEqual(ids.toSorted())
})

it(`a reader by position alone would miss some: the race is a real one (seed ${seed})`, async () => {
  const owner = await world.owner()
  const { committed, seen } = await race((realm) => async (after) => {
    const { rows } = await owner.query(
      `select id from events where realm_id = $1
         and position > coalesce((select position from events where realm_id = $1 and id = $2), 0) order by position limit 7`,
      [realm.id, after ?? null],
    )
    return rows.map(({ id }) => id)
  })
  expect(new Set(seen).size).toBeLessThan(new Set(committed).size)
})

it('the feed tells its last events, so that a reader can follow what comes from then on', async () => {
  const clinic = await world.business()
  expect((await clinic.live.get('/events?latest=true')).body).toEqual({ data: [], hasMore: false })
  for (let n = 0; n < 3; n++) await clinic.live.post('/create-order', anOrder())
  await world.settled()
  const all = (await clinic.live.get('/events')).body.data
  expect((await clinic.live.get('/events?latest=true&size=2')).body).toEqual({ data: all.slice(-2), hasMore: false })
  await clinic.live.post('/create-order', anOrder())
  await world.settled()
  const { data } = (await clinic.live.get(`/events?after=${all.at(-1).id}&type=order.created`)).body
  expect(data).toHaveLength(1)
  const both = await clinic.live.get(`/events?latest=true&after=${all.at(-1).id}`)
  expect([both.status, both.body.details[0].path]).toEqual([400, 'latest'])
})

async function aKit() {
  const clinic = await world.business()
  const { orderId } = (await clinic.live.post('/create-order', anOrder())).body
  const kitId: string = (await clinic.live.get(`/orders/${orderId}`)).body.kits[0].kitID
  const owner = await world.owner()
  const { rows } = await owner.query(`select id from realms where business_id = $1 and mode = 'live'`, [clinic.id])
  const realm: Realm = { id: rows[0].id, businessId: clinic.id, mode: 'live' }
  return { clinic, kitId, realm, database: world.service.database }
}

/** A transaction that began to write before others, and does its work after them. */
function olderThan(realm: Realm, kitId: string, work: (tx: Tx) => Promise<unknown>) {
  const began = Promise.withResolvers<void>()
  const mayGoOn = Promise.withResolvers<void>()
  const older = world.service.database.inRealm(realm, { name: 'older' }, async (tx) => {
    await audit.record(tx, [{ action: 'kit.claimed', objectType: 'kit', objectId: kitId }])
    began.resolve()
    await mayGoOn.promise
    await work(tx)
  })
  return { began: began.promise, mayGoOn: mayGoOn.resolve, older }
}

it('shows the changes of a kit in their order, also those of a transaction that began to write before it waited for the kit', async () => {
  const { clinic, kitId, realm, database } = await aKit()
  const { began, mayGoOn, older } = olderThan(realm, kitId, async (tx) => {
    await moveKit(tx, kitId, 'kitDelivered')
    await moveKit(tx, kitId, 'kitRegistered')
  })
  await began
  await database.inRealm(realm, { name: 'newer' }, (tx) => moveKit(tx, kitId, 'kitInTransit'))
  const changes = async () => {
    const { data } = (await clinic.live.get('/events?type=kit.updated')).body
    return data.map(({ data }: { data: { sequence: number; event: string } }) => `${data.sequence} ${data.event}`)
  }
  // The older transaction could still write something that stands before it.
  expect(await changes()).not.toContain('2 kitInTransit')
  mayGoOn()
  await older
  await world.settled()
  expect(await changes()).toEqual(['1 kitPreparing', '2 kitInTransit', '3 kitDelivered', '4 kitRegistered'])
})

it('shows what is said of the sample of a kit in its order, too', async () => {
  const { clinic, kitId, realm, database } = await aKit()
  await database.inRealm(realm, { name: 'before' }, (tx) => moveKit(tx, kitId, 'kitDelivered'))
  const { began, mayGoOn, older } = olderThan(realm, kitId, (tx) => mend(tx, kitId, { identified: true }, 'operator'))
  await began
  await database.inRealm(realm, { name: 'newer' }, async (tx) =>
    begin(tx, await lockKit(tx, kitId), ['labelUnreadable']),
  )
  mayGoOn()
  await older
  await world.settled()
  const { data } = (await clinic.live.get('/events?type=kit.held')).body
  expect(data.map((one: { data: { state: string } }) => one.data.state)).toEqual(['open', 'released'])
})
