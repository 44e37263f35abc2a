import type { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { anOrder, recipient } from '../harness/orders.ts'
import { endConnections } from '../harness/owner.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const ORDERS = 4000

let world: World
let clinic: TestBusiness
let owner: Client

beforeAll(async () => {
  world = await ownWorld('counts the rows that its database reads', { role: 'api' })
  clinic = await world.business()
  owner = await world.owner()
  const made = await clinic.live.post('/create-order', anOrder({ recipient }))
  expect(made.status).toBe(201)
  await copies('orders', 'created_at', `'id', 'C' || n, 'sealed', null, 'email_hash', null`)
  await copies('kits', 'created_at', `'id', 'K' || n, 'sealed', null, 'accession', null, 'order_id', 'C' || n`)
  // Nobody but the owner may change the ledger, and the owner sees none of it.
  await owner.query('reset role; alter table credit_transfers no force row level security')
  await copies('credit_transfers', 'at', `'order_id', 'C' || n`)
  await owner.query('alter table credit_transfers force row level security; set role kitlane_system')
  await owner.query(`
    update realm_counters set orders = orders + ${ORDERS}, kits = kits + ${ORDERS}, transfers = transfers + ${ORDERS} where kits > 0;
    insert into order_finds_done (realm_id, seq) select realm_id, orders from realm_counters where kits > 0
      on conflict (realm_id) do update set seq = excluded.seq`)
  await owner.query('reset role; analyze orders; analyze kits; analyze credit_transfers')
  // The total of a list is counted once and kept by blocks of numbers.
  expect((await clinic.live.get('/kits')).status).toBe(200)
})
afterAll(() => world.stop())

/** Copies the newest row, one an hour, up to now; it is the first of them. */
async function copies(table: string, time: string, changed: string): Promise<void> {
  await owner.query(`update ${table} set ${time} = ${time} - interval '${ORDERS + 1} hours'`)
  await owner.query(`
    insert into ${table} select (jsonb_populate_record(t, jsonb_build_object(
      'seq', t.seq + n, '${time}', t.${time} + interval '1 hour' * n, ${changed}))).*
    from ${table} t cross join generate_series(1, ${ORDERS}) n where t.seq = (select max(seq) from ${table}) order by n`)
}

/** How many rows of orders, kits and transfers were read so far. A server process tells what it read when it ends. */
async function rowsRead(): Promise<number> {
  await endConnections(owner)
  const { rows } = await owner.query(`
    select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as read
    from pg_stat_user_tables where relname in ('orders', 'kits', 'credit_transfers')`)
  return rows[0].read
}

async function readFor(path: string): Promise<number> {
  const before = await rowsRead()
  // Connections that have just ended may refuse the first request.
  await expect.poll(async () => (await clinic.live.get(path)).status).toBe(200)
  return (await rowsRead()) - before
}

const day = (ago: number) => new Date(Date.now() - ago * 24 * 3600 * 1000).toISOString().slice(0, 10)

// A table of this size is read whole to count a part of it, once; not in each of the 24 steps that find a range of dates.
it.each([
  ['kits of some days', () => `/kits?createdDateStart=${day(40)}&createdDateEnd=${day(39)}&size=10`, 1.5 * ORDERS],
  ['the overview', () => '/overview', 900],
  ['the credits of a week', () => `/numbers/credits?from=${day(9)}&to=${day(2)}`, 1200],
  ['orders to an address', () => '/orders?email=nobody@example.test', 50],
  ['a search that finds nobody', () => '/search?q=nobody', 50],
  ['how far the kits of a week came', () => `/numbers/funnel?from=${day(9)}&to=${day(2)}`, 900],
  ['how long the steps of a week took', () => `/numbers/turnaround?from=${day(9)}&to=${day(2)}`, 900],
])(
  'for %s the database reads what is shown, and not all orders, kits and transfers of the business',
  async (_what, path, bound) => {
    expect(await readFor(path())).toBeLessThan(bound)
  },
)
