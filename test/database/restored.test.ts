import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anOrder } from '../harness/orders.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

// A restored dump and a promoted logical replica hold the same rows in a cluster with another identifier and a lower
// transaction counter. This test instead raises the transaction IDs of the rows.
const AHEAD = 1_000_000_000

let world: World
let owner: Client
beforeAll(async () => {
  world = await ownWorld('pretends that the database was restored')
  owner = await world.owner()
})
afterAll(() => world.stop())

async function asOwner(statements: string): Promise<void> {
  await owner.query('reset role')
  for (const table of ['events', 'list_counts', 'list_changes'])
    await owner.query(`alter table ${table} no force row level security`)
  await owner.query(statements)
  for (const table of ['events', 'list_counts', 'list_changes'])
    await owner.query(`alter table ${table} force row level security`)
  await owner.query('set role kitlane_system')
}

const ahead = (column: string) =>
  `${column} = ((${column}::text::bigint & ~((1::bigint << 48) - 1)) + (${column}::text::bigint & ((1::bigint << 48) - 1)) + ${AHEAD})::text::xid8`

/** Makes all rows look as if another cluster had written them. */
const moveToAnotherCluster = () =>
  asOwner(`
    update events set ${ahead('xact')};
    update list_changes set ${ahead('xact')};
    update list_counts set ${ahead('seen')};
    update transaction_era set cluster = cluster + 1`)

async function order(clinic: TestBusiness): Promise<void> {
  expect((await clinic.live.post('/create-order', anOrder())).status).toBe(201)
}

/** Waits a moment for older transactions in any database of the server, as the feed does. */
const expectEvents = (clinic: TestBusiness, last?: string) => expect.poll(() => eventsAfter(clinic, last))

async function eventsAfter(clinic: TestBusiness, last?: string): Promise<string[]> {
  const ids: string[] = []
  for (let after = last; ; after = ids.at(-1)) {
    const { body } = await clinic.live.get(`/events?size=3${after ? `&after=${after}` : ''}`)
    ids.push(...body.data.map(({ id }: { id: string }) => id))
    if (!body.hasMore) return ids
  }
}

const written = async (clinic: TestBusiness): Promise<string[]> =>
  (
    await owner.query(
      `select e.id from events e join realms r on r.id = e.realm_id
       where r.business_id = $1 and r.mode = 'live' order by e.position`,
      [clinic.id],
    )
  ).rows.map(({ id }) => id)

describe('after the database was moved to another cluster', () => {
  it('a consumer with a cursor from before sees each event of after once, in order, and a new one sees them all', async () => {
    const clinic = await world.business()
    await order(clinic)
    await expectEvents(clinic).toEqual(await written(clinic))
    let cursor = (await written(clinic)).at(-1)
    // Twice: the service moves to another machine and back.
    for (let move = 1; move <= 2; move++) {
      await order(clinic)
      const unread = (await written(clinic)).slice(-1)
      await moveToAnotherCluster()
      await expectEvents(clinic, cursor).toEqual(unread)
      await order(clinic)
      await order(clinic)
      const all = await written(clinic)
      await expectEvents(clinic, cursor).toEqual(all.slice(all.indexOf(unread[0] as string)))
      await expectEvents(clinic).toEqual(all)
      cursor = all.at(-1)
    }
  })

  it('many who write first at once begin one era', async () => {
    const clinic = await world.business()
    const era = async () => (await owner.query('select number from transaction_era')).rows[0].number
    const before = await era()
    await moveToAnotherCluster()
    const answers = await Promise.all(Array.from({ length: 20 }, () => clinic.live.post('/create-order', anOrder())))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    expect(await era()).toBe(before + 1)
    await expectEvents(clinic).toHaveLength(20)
  })

  it('lists go on counting what changes', async () => {
    const clinic = await world.business({ credits: 1000 })
    const kitCount = async (status: string) =>
      Number((await clinic.live.get(`/kits?kitStatus=${status}&page=0&size=1`)).headers.get('x-total-count'))
    await order(clinic)
    const { rows } = await owner.query(`select id from realms where business_id = $1 and mode = 'live'`, [clinic.id])
    const realm = rows[0].id
    // Enough blocks for the counts to be stored.
    await owner.query(
      `insert into kits (realm_id, id, seq, order_id, kit_type, live, kit_status, sample_status, report_status, progress, created_at, updated_at)
       select k.realm_id, 'K' || (900000 + n), n, k.order_id, k.kit_type, true, k.kit_status, k.sample_status, k.report_status, k.progress, k.created_at, k.updated_at
       from kits k, generate_series(2, 5000) n where k.realm_id = $1`,
      [realm],
    )
    await owner.query('update realm_counters set kits = 5000 where realm_id = $1', [realm])
    expect([await kitCount('preparing'), await kitCount('canceled')]).toEqual([5000, 0])
    await moveToAnotherCluster()
    await owner.query(`update kits set kit_status = 'canceled' where realm_id = $1 and seq between 100 and 200`, [
      realm,
    ])
    expect([await kitCount('preparing'), await kitCount('canceled')]).toEqual([4899, 101])
  })
})
