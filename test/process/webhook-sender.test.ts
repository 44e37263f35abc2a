import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Attempt, type Claimed, writeAttempts } from '../../src/modules/webhooks/delivery/claim-queries.ts'
import { type Dispatch, DispatchQueue } from '../../src/modules/webhooks/delivery/dispatch-queue.ts'
import { purgeDeliveries } from '../../src/modules/webhooks/jobs.ts'
import { anOrder } from '../harness/orders.ts'
import { httpReceiver, tcpReceiver } from '../harness/receivers.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const claimed = (endpointId: string, id: string): Claimed => ({
  realmId: 1,
  id,
  endpointId,
  eventId: 'evt',
  eventType: 'order.created',
  occurredAt: new Date(0),
  data: '{}',
  attempt: 1,
  url: 'https://hooks.example.com/',
  payload: 'full',
  secret: Buffer.alloc(0),
  oldSecret: null,
  ordered: false,
  rateLimit: null,
})

describe('what a process has taken on', () => {
  it('is sent in full, never with more than 16 on their way to one endpoint, 64 unwritten, and 256 in all', () => {
    const step = fc.record({
      endpoint: fc.integer({ min: 0, max: 29 }),
      count: fc.integer({ min: 1, max: 128 }),
      answer: fc.integer({ min: 0, max: 60 }),
      write: fc.integer({ min: 0, max: 60 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const queue = new DispatchQueue()
        const stages = { inFlight: [] as Dispatch[], answered: [] as Dispatch[] }
        let [added, written] = [0, 0]
        const most = (dispatches: Dispatch[]) => {
          const byEndpoint = Map.groupBy(dispatches, ({ delivery }) => delivery.endpointId)
          return Math.max(0, ...[...byEndpoint.values()].map(({ length }) => length))
        }
        const advance = (answers: number, writes: number) => {
          for (let dispatch = queue.next(); dispatch; dispatch = queue.next()) stages.inFlight.push(dispatch)
          expect(stages.inFlight.length).toBeLessThanOrEqual(256)
          expect(most(stages.inFlight)).toBeLessThanOrEqual(16)
          expect(most([...stages.inFlight, ...stages.answered])).toBeLessThanOrEqual(64)
          for (const dispatch of stages.inFlight.splice(0, answers)) {
            dispatch.answered()
            stages.answered.push(dispatch)
          }
          for (const dispatch of stages.answered.splice(0, writes)) {
            dispatch.written()
            written++
          }
        }
        for (const { endpoint, count, answer, write } of steps) {
          queue.add(
            Array.from({ length: count }, () => claimed(`we_${endpoint}`, `del_${added++}`)),
            false,
          )
          advance(answer, write)
        }
        for (let round = 0; round < added + 2; round++) advance(256, 256)
        expect([written, queue.held, queue.saturated()]).toEqual([added, 0, []])
      }),
      { numRuns: 60 },
    )
  })

  it('is given up as far as it is not on its way, for one endpoint or for all', () => {
    const queue = new DispatchQueue()
    queue.add(
      Array.from({ length: 20 }, (_, n) => claimed('we_a', `a${n}`)),
      false,
    )
    queue.add([claimed('we_b', 'b')], true)
    const dispatches = Array.from({ length: 17 }, () => queue.next())
    expect(dispatches.map((dispatch) => dispatch?.delivery.id)).toContain('b')
    expect(queue.failing).toBe(1)
    expect(queue.drop(dispatches[0]?.delivery)).toHaveLength(dispatches[0]?.delivery.id === 'b' ? 0 : 4)
    queue.drop()
    for (const dispatch of dispatches) dispatch?.answered()
    for (const dispatch of dispatches) dispatch?.written()
    expect([queue.held, queue.next(), queue.drop()]).toEqual([0, undefined, []])
  })
})

async function inWorld(work: (world: World, clinic: TestBusiness) => Promise<void>): Promise<void> {
  const world = await ownWorld('counts what the sender has to do')
  try {
    await work(world, await world.business())
  } finally {
    await world.stop()
  }
}

/** Inserts this many deliveries of one order's event, due now. */
async function owe(world: World, clinic: TestBusiness, id: string, count: number): Promise<void> {
  await clinic.live.post('/create-order', anOrder())
  const owner = await world.owner()
  await owner.query(
    `insert into webhook_deliveries (realm_id, id, endpoint_id, event_id, status, due_at, created_at)
     select d.realm_id, 'del_' || n || d.id, d.endpoint_id, d.event_id, 'pending', now(), now()
     from webhook_deliveries d, generate_series(1, $2::int - 1) n where d.endpoint_id = $1`,
    [id, count],
  )
}

const statuses = async (world: World, id: string) => {
  const owner = await world.owner()
  const { rows } = await owner.query(
    'select status, attempts, count(*)::int n from webhook_deliveries where endpoint_id = $1 group by 1, 2',
    [id],
  )
  return rows
}

describe('the sender', () => {
  it('gives a receiver that takes nine seconds for each answer its time, sixteen at once', () =>
    inWorld(async (world, clinic) => {
      const slow = await httpReceiver((request, response) => {
        request.resume()
        setTimeout(() => response.end(), 9_000)
      })
      const { id } = (await clinic.live.post('/webhooks', { url: `http://127.0.0.1:${slow.port}/` })).body
      await owe(world, clinic, id, 16)
      await expect
        .poll(() => statuses(world, id), { interval: 250 })
        .toEqual([{ status: 'delivered', attempts: 1, n: 16 }])
      await slow.stop()
    }))

  it('goes on when it was woken while it had all that it can hold', () =>
    inWorld(async (world, clinic) => {
      const hook = await httpReceiver((request, response) => {
        request.resume()
        setTimeout(() => response.end(), 50)
      })
      const url = `http://127.0.0.1:${hook.port}/`
      const ids: string[] = []
      for (let n = 0; n < 20; n++) ids.push((await clinic.live.post('/webhooks', { url, enabled: false })).body.id)
      const owner = await world.owner()
      await clinic.live.post('/create-order', anOrder())
      await owner.query(
        `insert into webhook_deliveries (realm_id, id, endpoint_id, event_id, status, due_at, created_at)
         select d.realm_id, 'del_' || n || d.id, d.endpoint_id, d.event_id, 'pending', now(), now()
         from webhook_deliveries d, generate_series(1, 149) n where d.endpoint_id = any($1)`,
        [ids],
      )
      await owner.query('update webhook_endpoints set enabled = true, disabled_reason = null where id = any($1)', [ids])
      let left = 3000
      while (left > 0) {
        await owner.query(
          `select pg_notify('kitlane_deliveries', realm_id::text) from webhook_endpoints where id = $1`,
          [ids[0]],
        )
        const { rows } = await owner.query(`select count(*)::int n from webhook_deliveries where status = 'pending'`)
        left = rows[0].n
        await delay(5)
      }
      await hook.stop()
    }))

  it('tries a failing endpoint with one delivery at a time', () =>
    inWorld(async (world, clinic) => {
      const hole = await tcpReceiver(() => {})
      const { id } = (await clinic.live.post('/webhooks', { url: `http://127.0.0.1:${hole.port}/` })).body
      const owner = await world.owner()
      await owner.query('update webhook_endpoints set failures = 5, failing_since = now() where id = $1', [id])
      await owe(world, clinic, id, 50)
      await expect.poll(hole.accepted).toBe(1)
      await delay(2_000)
      expect(hole.accepted()).toBe(1)
      await hole.stop()
    }))

  it("stops without waiting for what is on its way, which is then nobody's and counts as no attempt", async () => {
    const world = await ownWorld('counts what the sender has to do')
    const clinic = await world.business()
    const hole = await tcpReceiver(() => {})
    const { id } = (await clinic.live.post('/webhooks', { url: `http://127.0.0.1:${hole.port}/` })).body
    const owner = await world.owner()
    await owe(world, clinic, id, 100)
    await expect.poll(hole.accepted).toBe(16)
    await world.service.stop()
    expect(hole.accepted()).toBe(16)
    // An attempt whose end was waited for would be counted.
    const { rows } = await owner.query(
      `select status, attempts, lease is null as free, leased_until is null as now, count(*)::int n
       from webhook_deliveries where endpoint_id = $1 group by 1, 2, 3, 4`,
      [id],
    )
    expect(rows).toEqual([{ status: 'pending', attempts: 0, free: true, now: true, n: 100 }])
    await owner.end()
    await hole.stop()
  })
})

it('an outcome that comes late, after the delivery was tried again, changes neither its state nor its log', () =>
  inWorld(async (world, clinic) => {
    const { id } = (await clinic.live.post('/webhooks', { url: 'http://127.0.0.1:9/', enabled: false })).body
    await owe(world, clinic, id, 1)
    const owner = await world.owner()
    const { rows } = await owner.query('select realm_id, id from webhook_deliveries where endpoint_id = $1', [id])
    const lease = '00000000-0000-4000-8000-000000000001'
    const made = { realmId: rows[0].realm_id, id: rows[0].id, endpointId: id, at: new Date(), durationMs: 1 }
    const outcome = { ...made, error: null, answer: '' }
    const write = async (attempt: Attempt) => {
      await owner.query('update webhook_deliveries set lease = $1 where endpoint_id = $2', [lease, id])
      await world.service.database.asSystem({ name: 'test' }, (tx) => writeAttempts(tx, lease, [attempt]))
    }
    const failed = { ...outcome, status: 500, delivered: false, dueAt: new Date() }
    const delivered = { ...outcome, status: 200, delivered: true }
    await write({ ...failed, attempt: 1 })
    await write({ ...delivered, attempt: 2 })
    // The process that made the first attempt stood still, and claimed the delivery twice.
    await write({ ...failed, attempt: 1 })
    expect(await statuses(world, id)).toEqual([{ status: 'delivered', attempts: 2, n: 1 }])
    const log = await owner.query('select number, status from webhook_attempts order by number')
    expect(log.rows).toEqual([
      { number: 1, status: 500 },
      { number: 2, status: 200 },
    ])
  }))

it('the log forgets what ended more than 30 days ago, however much there is, and nothing else', () =>
  inWorld(async (world, clinic) => {
    const url = 'http://127.0.0.1:9/'
    const { id } = (await clinic.live.post('/webhooks', { url, enabled: false })).body
    await owe(world, clinic, id, 12_004)
    const owner = await world.owner()
    await owner.query(
      `update webhook_deliveries set status = 'delivered', due_at = null, finished_at = now() - interval '31 days'
       where (realm_id, id) in (select realm_id, id from webhook_deliveries where endpoint_id = $1 limit 12001)`,
      [id],
    )
    await owner.query(
      `update webhook_deliveries set status = 'failed', due_at = null, finished_at = now() - interval '29 days'
       where (realm_id, id) in (select realm_id, id from webhook_deliveries where status = 'pending' limit 1)`,
    )
    const actor = { name: 'test' }
    const run = { signal: new AbortController().signal }
    const context = { database: world.service.database, actor, run } as Parameters<typeof purgeDeliveries.handler>[0]
    await purgeDeliveries.handler(context, {})
    expect((await statuses(world, id)).toSorted((a, b) => (a.status < b.status ? -1 : 1))).toEqual([
      { status: 'failed', attempts: 0, n: 1 },
      { status: 'pending', attempts: 0, n: 2 },
    ])
  }))
