import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CARDIO, CORE } from '../harness/orders.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
let database: Client
let realm: number

// Nine full blocks of 512, whose counts are stored, and part of a tenth.
const ORDERS = 5000

beforeAll(async () => {
  world = await ownWorld('writes orders without the ledger')
  clinic = await world.business()
  database = await world.owner()
  realm = (await rows(`select id from realms where business_id = $1 and mode = 'live'`, [clinic.id]))[0].id
  await fill(1, ORDERS)
})
afterAll(() => world.stop())

const rows = async (text: string, values: unknown[] = []) => (await database.query(text, values)).rows

/** Writes orders as the service does, an hour apart, in many states. Every seventh has two kits. */
async function fill(from: number, to: number): Promise<void> {
  await database.query('begin')
  await database.query(
    `insert into orders (realm_id, id, seq, status, sku, quantity, email, external_id, notify, payment_method, payment_status, created_at)
     select $1, 'O' || n, n, case when n % 11 = 0 then 'pending' when n % 13 = 0 then 'canceled' else 'created' end,
       case when n % 5 = 0 then $4 else $5 end, 1, 'p' || n, 'x' || n, false, 'credits', 'paid', timestamptz '2026-01-01' + n * interval '1 hour'
     from generate_series($2::int, $3::int) n`,
    [realm, from, to, CARDIO, CORE],
  )
  await database.query(
    `insert into order_items (realm_id, order_id, kit_type, quantity)
     select realm_id, id, sku, 1 from orders where realm_id = $1 and seq between $2 and $3`,
    [realm, from, to],
  )
  await database.query(
    `insert into kits (realm_id, id, seq, order_id, kit_type, live, kit_status, sample_status, report_status, progress, registered_at, created_at, updated_at)
     select $1, 'K' || n, n, 'O' || o, $4, true, (array['preparing', 'inTransit', 'delivered', 'registered'])[1 + n % 4],
       (array['awaitingCollection', 'inTransit', 'received'])[1 + n / 7 % 3], 'notStarted', '{}',
       case when n % 4 = 3 then timestamptz '2026-02-01' + n * interval '1 minute' end, now(), now()
     from (select o, row_number() over () + (select kits from realm_counters where realm_id = $1) as n
           from (select o from generate_series($2::int, $3::int) o, generate_series(0, (o % 7 = 0)::int) order by o) made) numbers`,
    [realm, from, to, CORE],
  )
  await database.query(
    `update realm_counters set orders = $2, kits = (select max(seq) from kits where realm_id = $1) where realm_id = $1`,
    [realm, to],
  )
  await database.query('commit')
  // Autovacuum does this within a minute.
  await database.query('reset role; analyze orders, kits; set role kitlane_system')
}

const hasKit = (where: string) =>
  `exists (select from kits k where k.realm_id = o.realm_id and k.order_id = o.id and ${where})`

/** Each filter of the orders with its meaning in SQL. */
const orderFilters: [string, string][] = [
  ['', 'true'],
  ['status=created', `o.status = 'created'`],
  ['status=canceled', `o.status = 'canceled'`],
  ['status=created,pending', `o.status in ('created', 'pending')`],
  ['kitStatus=preparing', hasKit(`k.kit_status = 'preparing'`)],
  ['kitStatus=delivered,preparing', hasKit(`k.kit_status in ('preparing', 'delivered')`)],
  ['sampleStatus=received', hasKit(`k.sample_status = 'received'`)],
  [
    `sku=${CARDIO}`,
    `exists (select from order_items i where i.realm_id = o.realm_id and i.order_id = o.id and i.kit_type = '${CARDIO}')`,
  ],
  [`sku=${CARDIO},${CORE}`, 'true'],
  ['startDate=2026-02-03&endDate=2026-02-20', `o.created_at >= '2026-02-03' and o.created_at < '2026-02-21'`],
  ['orderDateStart=2026-02-03', `o.created_at >= '2026-02-03'`],
  ['orderDateEnd=2026-03-04', `o.created_at < '2026-03-05'`],
  [
    'orderDateStart=2026-02-03T04:30:00Z&orderDateEnd=2026-02-20',
    `o.created_at >= '2026-02-03 04:30Z' and o.created_at < '2026-02-21'`,
  ],
  ['orderDateStart=2030-01-01', 'false'],
  ['registrationDateStart=2026-02-02', hasKit(`k.registered_at >= '2026-02-02'`)],
  [
    'registrationDateStart=2026-02-02&registrationDateEnd=2026-02-02',
    hasKit(`k.registered_at >= '2026-02-02' and k.registered_at < '2026-02-03'`),
  ],
  ['externalID=x77', `o.external_id = 'x77'`],
  [
    'status=created&kitStatus=delivered&orderDateStart=2026-01-20',
    `o.status = 'created' and ${hasKit(`k.kit_status = 'delivered'`)} and o.created_at >= '2026-01-20'`,
  ],
]

const kitFilters: [string, string][] = [
  ['', 'true'],
  ['kitStatus=registered', `k.kit_status = 'registered'`],
  ['sampleStatus=inTransit', `k.sample_status = 'inTransit'`],
  ['sampleStatus=received&sampleStatus=inTransit', `k.sample_status in ('inTransit', 'received')`],
  ['status=published', 'false'],
  ['status=published,notStarted', 'true'],
  ['kitStatus=registered&sampleStatus=inTransit', `k.kit_status = 'registered' and k.sample_status = 'inTransit'`],
]

/** Compares page 0, a middle page, the last one and the one after it with a plain query. */
async function expectExact(path: string, filter: string, ids: string[], size: number, id: string): Promise<void> {
  const last = Math.max(0, Math.ceil(ids.length / size) - 1)
  for (const page of [...new Set([0, Math.floor(last / 2), last, last + 1])]) {
    const { body, status, text, headers } = await clinic.live.get(`${path}?${filter}&page=${page}&size=${size}`)
    expect([status, status === 200 || text]).toEqual([200, true])
    const total = Number(headers.get('x-total-count') ?? body.pagination.total)
    const shown = (body.data ?? body).map((item: Record<string, string>) => item[id])
    expect({ filter, page, total, shown }).toEqual({
      filter,
      page,
      total: ids.length,
      shown: ids.slice(page * size, (page + 1) * size),
    })
  }
}

async function expectAllExact(): Promise<void> {
  for (const [filter, where] of orderFilters) {
    const found = await rows(`select id from orders o where realm_id = $1 and ${where} order by seq desc`, [realm])
    await expectExact(
      '/orders',
      filter,
      found.map((row) => row.id),
      17,
      'orderID',
    )
  }
  for (const [filter, where] of kitFilters) {
    const found = await rows(`select id from kits k where realm_id = $1 and ${where} order by seq desc`, [realm])
    await expectExact(
      '/kits',
      filter,
      found.map((row) => row.id),
      23,
      'kitID',
    )
  }
}

describe('lists of orders and kits', () => {
  it('show exact totals and pages for every filter', async () => {
    await expectAllExact()
    // The second time uses the stored counts.
    await expectAllExact()
    const [{ kept }] = await rows('select count(*)::int as kept from list_counts where realm_id = $1', [realm])
    expect(kept).toBeGreaterThan(5)
  })

  it('stay exact while kits move, orders are canceled and new ones come', async () => {
    for (let round = 0; round < 3; round++) {
      await database.query(
        `update kits set kit_status = (array['preparing', 'inTransit', 'delivered', 'registered'])[1 + (seq + $2) % 4] where realm_id = $1 and seq % 97 = $2`,
        [realm, round],
      )
      await database.query(`update orders set status = 'canceled' where realm_id = $1 and seq % 211 = $2`, [
        realm,
        round,
      ])
      await fill(ORDERS + round * 700 + 1, ORDERS + (round + 1) * 700)
      await expectAllExact()
    }
  })

  it('stay exact when a change that was open while they were counted commits', async () => {
    const count = async (filter: string) => (await clinic.live.get(`/orders?${filter}&size=1`)).body.pagination.total
    await database.query('begin')
    await database.query(`update kits set kit_status = 'canceled' where realm_id = $1 and seq % 50 = 1`, [realm])
    // While the change is open, all blocks are counted again and stored, except those that it changes.
    await database.query('savepoint counted')
    expect(await count('kitStatus=canceled')).toBe(0)
    await database.query('commit')
    const [{ changed }] = await rows(
      `select count(distinct order_id)::int as changed from kits where realm_id = $1 and kit_status = 'canceled'`,
      [realm],
    )
    expect(await count('kitStatus=canceled')).toBe(changed)
    expect(changed).toBeGreaterThan(50)
  })

  it('a count that misses changes is found wrong', async () => {
    // Blocks are counted again as long as a transaction of the server is older than their last change.
    const unsettled = async () =>
      (await rows('select 1 from list_changes where realm_id = $1 and xact >= kitlane_settled() limit 1', [realm]))
        .length
    await expect.poll(unsettled).toBe(0)
    await expectAllExact()
    await database.query('reset role')
    await database.query('alter table kits disable trigger list_changed')
    await database.query('set role kitlane_system')
    await database.query(
      `update kits set kit_status = 'preparing' where realm_id = $1 and kit_status = 'registered' and seq < 1000`,
      [realm],
    )
    await expect(expectAllExact()).rejects.toThrow()
    await database.query('reset role')
    await database.query('alter table kits enable trigger list_changed')
    await database.query('set role kitlane_system')
  })
})

describe('the list of customers', () => {
  it('shows exact totals and pages, and without a page all of them', async () => {
    await database.query(
      `insert into customers (realm_id, id, seq, email, name, created_at, erased_at)
       select $1, 1000 + n, n, 'c' || n || '@example.test', 'Customer ' || n, now(), case when n % 10 = 0 then now() end from generate_series(1, 2600) n`,
      [realm],
    )
    await database.query('update realm_counters set customers = 2600 where realm_id = $1', [realm])
    const expectCustomers = async () => {
      const found = await rows(
        `select id::int as id from customers where realm_id = $1 and erased_at is null order by seq desc`,
        [realm],
      )
      const ids = found.map((row) => row.id)
      for (const page of [0, 7, Math.ceil(ids.length / 100) - 1]) {
        const { body, headers } = await clinic.live.get(`/customers?page=${page}&size=100`)
        expect(headers.get('x-total-count')).toBe(String(ids.length))
        expect(body.map(({ id }: { id: number }) => id)).toEqual(ids.slice(page * 100, (page + 1) * 100))
      }
      const all = await clinic.live.get('/customers')
      expect(all.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(all.body.map(({ id }: { id: number }) => id)).toEqual(ids)
    }
    await expectCustomers()
    await database.query('update customers set erased_at = now() where realm_id = $1 and id % 7 = 0', [realm])
    await expectCustomers()
  })
})

describe('the lists of orders, kits and customers', () => {
  const names = { orders: 'orderID', kits: 'kitID', customers: 'id' } as const
  const ids = (list: keyof typeof names, body: unknown): (string | number)[] => {
    const rows = (list === 'orders' ? (body as { data: unknown }).data : body) as Record<string, string | number>[]
    return rows.flatMap((row) => row[names[list]] ?? [])
  }

  it.each([
    ['orders', ''],
    ['orders', 'status=pending'],
    ['orders', 'orderDateStart=2026-03-01&orderDateEnd=2026-04-15'],
    ['orders', 'externalID=x17'],
    ['kits', ''],
    ['kits', 'kitStatus=delivered'],
    ['kits', 'kitStatus=delivered&sampleStatus=received'],
    ['kits', 'orderID=O7'],
    ['customers', ''],
  ] as const)('come from the other end with the same rows and the same total: %s %s', async (list, filter) => {
    const read = async (sort: string, page: number) => {
      const { body, headers } = await clinic.live.get(`/${list}?${filter}&sort=${sort}&page=${page}&size=100`)
      const total = list === 'orders' ? body.pagination.total : Number(headers.get('x-total-count'))
      return { total, ids: ids(list, body) }
    }
    const newest = await read('-createdDate', 0)
    const pages = Math.ceil(newest.total / 100)
    const oldest = await read('createdDate', 0)
    expect(oldest.total).toBe(newest.total)
    // All rows from the one end, turned round, are all rows from the other: told by the pages at both ends.
    const last = await read('-createdDate', pages - 1)
    const before = pages > 1 ? await read('-createdDate', pages - 2) : { ids: [] }
    expect(oldest.ids).toEqual([...before.ids, ...last.ids].toReversed().slice(0, 100))
    expect((await read('createdDate', pages - 1)).ids).toEqual(
      newest.ids.slice(0, newest.total - (pages - 1) * 100).toReversed(),
    )
    expect((await read('createdDate', pages)).ids).toEqual([])
  })

  it('find kits by when they were made, in pages and as a file, from either end', async () => {
    await database.query(
      `update kits set created_at = timestamptz '2026-01-01' + seq * interval '1 hour' where realm_id = $1`,
      [realm],
    )
    const range = 'createdDateStart=2026-02-01&createdDateEnd=2026-02-10'
    const inRange = await rows(
      `select id from kits where realm_id = $1 and created_at >= '2026-02-01' and created_at < '2026-02-11' order by seq`,
      [realm],
    )
    const expected = inRange.map(({ id }) => id)
    expect(expected).toHaveLength(240)
    const { body, headers } = await clinic.live.get(`/kits?${range}&page=1&size=100`)
    expect(headers.get('x-total-count')).toBe('240')
    expect(ids('kits', body)).toEqual(expected.toReversed().slice(100, 200))
    const status = await clinic.live.get(`/kits?${range}&kitStatus=delivered&size=250`)
    expect(ids('kits', status.body).every((id) => expected.includes(String(id)))).toBe(true)
    const accept = { accept: 'text/csv' }
    const file = await clinic.live.get(`/kits?${range}&sort=createdDate&columns=kitID,nothing,kitStatus`, accept)
    const lines = file.text.trim().split('\r\n')
    expect(lines[0]).toBe('kitID,kitStatus')
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(expected)
    const none = await clinic.live.get('/kits?createdDateStart=2030-01-01')
    expect([none.headers.get('x-total-count'), none.body]).toEqual(['0', []])
  })

  it('give a file of those that are named, and no others', async () => {
    const accept = { accept: 'text/csv' }
    const named = async (path: string) =>
      (await clinic.live.get(path, accept)).text
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',')[0])
    expect(await named('/orders?orderID=O5,O9,O1')).toEqual(['O9', 'O5', 'O1'])
    expect(await named('/kits?kitID=K5,K9,K1&sort=createdDate')).toEqual(['K1', 'K5', 'K9'])
    expect(await named('/customers?id=1003,1002')).toEqual(['1003', '1002'])
  })
})
