import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyLedger } from '../../src/modules/credits/verify.ts'
import type { Reply } from '../harness/caller.ts'
import { aRow, CARDIO, CORE } from '../harness/orders.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})
afterAll(() => world.stop())

const rows = (count: number, changes: (row: number) => Record<string, unknown> = () => ({})) =>
  Array.from({ length: count }, (_, row) => aRow({ external_id: `row-${row}`, ...changes(row) }))

const start = (clinic: TestBusiness, bulkUploadData: unknown[], flags = {}): Promise<Reply> =>
  clinic.live.post('/create-order', { bulkUploadData, ...flags })

async function ended(clinic: TestBusiness, jobId: string): Promise<Reply['body']> {
  let job: Reply['body']
  await expect
    .poll(
      async () => {
        job = (await clinic.live.get(`/bulk-order-jobs/${jobId}?size=1000`)).body
        return ['completed', 'canceled', 'failed'].includes(job.status)
      },
      { interval: 50 },
    )
    .toBe(true)
  return job
}

async function balance(clinic: TestBusiness, type = CORE): Promise<{ available: number; reserved: number }> {
  const owner = await world.owner()
  const { rows } = await owner.query(
    `select available::int, reserved::int from credit_balances b join realms r on r.id = b.realm_id
     where r.business_id = $1 and r.mode = 'live' and b.kit_type = $2`,
    [clinic.id, type],
  )
  return rows[0]
}

const ledgerIsWhole = async () => (await world.service.database.asSystem({ name: 'test' }, verifyLedger)).ok

describe('a bulk request of 20 rows or more', () => {
  it('is accepted with 202, reserves its credits first, and places one order a row in row order', async () => {
    const clinic = await world.business({ credits: 30 })
    const { status, body, headers } = await start(clinic, rows(25))
    expect(status).toBe(202)
    expect(Object.keys(body)).toEqual(['jobId'])
    expect(headers.get('location')).toBe(`/api/v1/bulk-order-jobs/${body.jobId}`)
    const job = await ended(clinic, body.jobId)
    expect(job).toMatchObject({
      status: 'completed',
      total: 25,
      processed: 25,
      succeeded: 25,
      failed: 0,
      progress: 100,
    })
    expect(job.rows.map((row: { row: number }) => row.row)).toEqual(Array.from({ length: 25 }, (_, row) => row))
    const order = (await clinic.live.get(`/orders/${job.rows[7].orderId}`)).body
    expect(order).toMatchObject({
      externalID: 'row-7',
      status: 'created',
      payment: { method: 'credits', status: 'paid' },
    })
    expect(order.kits).toHaveLength(1)
    expect(await balance(clinic)).toEqual({ available: 5, reserved: 0 })
    expect(await ledgerIsWhole()).toBe(true)
  })

  it('says by one event that it ended, and how', async () => {
    const clinic = await world.business({ credits: 30 })
    const { body } = await start(clinic, rows(20))
    await ended(clinic, body.jobId)
    // The feed holds back events that an open transaction could still precede.
    await expect
      .poll(async () => (await clinic.live.get('/events?type=bulk_order.completed')).body.data)
      .toMatchObject([{ data: { jobId: body.jobId, status: 'completed', total: 20, succeeded: 20 } }])
  })

  it('of 19 rows is placed at once, of 20 as a job', async () => {
    const clinic = await world.business()
    expect((await start(clinic, rows(19))).status).toBe(201)
    expect((await start(clinic, rows(20))).status).toBe(202)
  })

  it('is validated whole before the 202: one bad row refuses all, by its number', async () => {
    const clinic = await world.business()
    const bad = rows(30, (row) => (row === 17 ? { email: 'nobody' } : row === 29 ? { kit_type: CORE, zip: '' } : {}))
    const { status, body } = await start(clinic, bad)
    expect(status).toBe(400)
    expect(body.details.map((detail: { path: string }) => detail.path)).toEqual([
      'bulkUploadData.17.email',
      'bulkUploadData.29.zip',
    ])
    const unknown = await start(
      clinic,
      rows(30, (row) => (row === 3 ? { kit_type: 'NOPE' } : {})),
    )
    expect([unknown.status, unknown.body.code]).toEqual([400, 'KIT_TYPE_NOT_PROVISIONED'])
    expect(await balance(clinic)).toEqual({ available: 100, reserved: 0 })
  })

  it('that credits do not cover is refused before anything is reserved', async () => {
    const clinic = await world.business({ credits: 24 })
    const { status, body } = await start(clinic, rows(25), { purchase_with_attached_payment: false })
    expect([status, body.code]).toEqual([400, 'NOT_ENOUGH_CREDITS'])
    expect(await balance(clinic)).toEqual({ available: 24, reserved: 0 })
  })

  it('pages its rows and filters them by what came of them', async () => {
    const clinic = await world.business()
    const { jobId } = (await start(clinic, rows(45))).body
    await ended(clinic, jobId)
    const page = (await clinic.live.get(`/bulk-order-jobs/${jobId}?size=20&page=2`)).body
    expect(page.rows.map((row: { row: number }) => row.row)).toEqual([40, 41, 42, 43, 44])
    expect(page.pagination).toMatchObject({ total: 45, totalPages: 3, hasNext: false })
    expect((await clinic.live.get(`/bulk-order-jobs/${jobId}?rowStatus=failed`)).body.rows).toEqual([])
    expect((await clinic.live.get(`/bulk-order-jobs/${jobId}?rowStatus=created&size=10&page=1`)).body.rows[0].row).toBe(
      10,
    )
    expect((await clinic.live.get(`/bulk-order-jobs/${jobId}?size=1001`)).status).toBe(400)
  })

  it('is unknown to every other business, and to the other mode', async () => {
    const clinic = await world.business()
    const other = await world.business()
    const { jobId } = (await start(clinic, rows(20))).body
    for (const caller of [other.live, clinic.sandbox]) {
      expect((await caller.get(`/bulk-order-jobs/${jobId}`)).body.code).toBe('JOB_NOT_FOUND')
      expect((await caller.request('DELETE', `/bulk-order-jobs/${jobId}`)).body.code).toBe('JOB_NOT_FOUND')
    }
    await ended(clinic, jobId)
  })

  it('becomes a job of pending orders when nothing pays for it yet', async () => {
    const clinic = await world.business({ credits: 0 })
    const { status, body } = await start(clinic, rows(22))
    expect(status).toBe(202)
    const job = await ended(clinic, body.jobId)
    expect(job.succeeded).toBe(22)
    expect((await clinic.live.get(`/orders/${job.rows[0].orderId}`)).body).toMatchObject({
      status: 'pending',
      kits: [],
    })
  })

  it('says pending on the job, in its event and in each row whose order waits for its payment, until it is paid', async () => {
    const clinic = await world.business({ credits: 0 })
    const { jobId } = (await start(clinic, rows(20))).body
    const job = await ended(clinic, jobId)
    const pendingIn = ({ rows }: Reply['body']) => rows.filter(({ pending }: { pending?: true }) => pending).length
    expect([job.pending, pendingIn(job)]).toEqual([true, 20])
    expect((await clinic.live.get('/bulk-order-jobs')).body.data).toMatchObject([{ jobId, pending: true }])
    await world.settled()
    const { data } = (await clinic.live.get('/events?type=bulk_order.completed')).body
    expect(data).toMatchObject([{ data: { jobId, pending: true } }])
    await world.grant(clinic, CORE, 20)
    const pay = (orderId: string) => clinic.live.post(`/orders/${orderId}/pay`, { paymentMethod: 'credits' })
    expect((await pay(job.rows[0].orderId)).status).toBe(200)
    const later = (await clinic.live.get(`/bulk-order-jobs/${jobId}`)).body
    expect([later.pending, later.rows[0].pending, pendingIn(later)]).toEqual([true, undefined, 19])
    for (const { orderId } of job.rows.slice(1)) await pay(orderId)
    expect((await clinic.live.get(`/bulk-order-jobs/${jobId}`)).body).not.toHaveProperty('pending')
    await world.grant(clinic, CORE, 20)
    const paid = await ended(clinic, (await start(clinic, rows(20))).body.jobId)
    expect([paid.pending, pendingIn(paid)]).toEqual([undefined, 0])
  })

  it('takes 10,000 rows of several kit types, and refuses 10,001', async () => {
    const clinic = await world.business({ credits: 10_000 })
    const many = rows(10_000, (row) => ({ kit_type: row % 2 ? CORE : CARDIO }))
    expect((await start(clinic, [...many, aRow()])).status).toBe(400)
    const { status, body } = await start(clinic, many)
    expect(status).toBe(202)
    const seen: number[] = []
    await expect
      .poll(
        async () => {
          const job = (await clinic.live.get(`/bulk-order-jobs/${body.jobId}?size=1`)).body
          seen.push(job.progress)
          return job.status
        },
        { interval: 250 },
      )
      .toBe('completed')
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect(await balance(clinic, CORE)).toEqual({ available: 5000, reserved: 0 })
    expect(await balance(clinic, CARDIO)).toEqual({ available: 5000, reserved: 0 })
    expect((await clinic.live.get('/orders')).body.pagination.total).toBe(10_000)
    expect(await ledgerIsWhole()).toBe(true)
  })
})

describe('canceling a bulk job', () => {
  it('keeps what was placed, fails the rest as CANCELED and gives its credits back', async () => {
    const clinic = await world.business({ credits: 3000 })
    const { jobId } = (await start(clinic, rows(3000))).body
    const canceled = await clinic.live.request('DELETE', `/bulk-order-jobs/${jobId}`)
    expect([canceled.status, canceled.body.status]).toEqual([200, 'canceled'])
    const { succeeded, failed } = canceled.body
    expect(succeeded + failed).toBe(3000)
    expect(failed).toBeGreaterThan(0)
    const [row] = (await clinic.live.get(`/bulk-order-jobs/${jobId}?rowStatus=failed`)).body.rows
    expect(row.error.code).toBe('CANCELED')
    expect(await balance(clinic)).toEqual({ available: failed, reserved: 0 })
    expect((await clinic.live.get('/orders')).body.pagination.total).toBe(succeeded)
    const again = await clinic.live.request('DELETE', `/bulk-order-jobs/${jobId}`)
    expect([again.status, again.body.code]).toEqual([409, 'ILLEGAL_TRANSITION'])
    expect(await ledgerIsWhole()).toBe(true)
  })
})

describe('a bulk job by card', () => {
  const charges = async (clinic: TestBusiness) => {
    const owner = await world.owner()
    const { rows } = await owner.query(
      `select c.state, c.amount::int, c.captured::int from simulated_charges c
       join payments p on c.idempotency_key = 'kitlane:live:' || p.id || ':' || p.key_number join realms r on r.id = p.realm_id
       where r.business_id = $1`,
      [clinic.id],
    )
    return rows
  }

  it('is authorised before the 202 and charged for what was placed', async () => {
    const clinic = await world.business({ credits: 0 })
    await clinic.live.post('/payment-methods', { id: 'pm_card_visa' })
    const { status, body } = await start(clinic, rows(30), { paymentMethod: 'card' })
    expect(status).toBe(202)
    expect((await charges(clinic))[0].amount).toBe(30 * 19_900)
    await ended(clinic, body.jobId)
    expect(await charges(clinic)).toEqual([{ state: 'charged', amount: 30 * 19_900, captured: 30 * 19_900 }])
  })

  it('that is declined is refused with 402 and leaves no job', async () => {
    const clinic = await world.business({ credits: 0 })
    await clinic.live.post('/payment-methods', { id: 'pm_card_declined' })
    const { status, body } = await start(clinic, rows(30), { purchase_with_attached_payment: true })
    expect([status, body.code]).toEqual([402, 'PAYMENT_FAILED'])
    expect((await clinic.live.get('/orders')).body.pagination.total).toBe(0)
  })

  it('that is canceled is charged for the placed rows only', async () => {
    const clinic = await world.business({ credits: 0 })
    await clinic.live.post('/payment-methods', { id: 'pm_card_visa' })
    const { jobId } = (await start(clinic, rows(2000), { paymentMethod: 'card' })).body
    const { succeeded } = (await clinic.live.request('DELETE', `/bulk-order-jobs/${jobId}`)).body
    await expect
      .poll(() => charges(clinic))
      .toEqual([
        succeeded > 0
          ? { state: 'charged', amount: 2000 * 19_900, captured: succeeded * 19_900 }
          : { state: 'canceled', amount: 2000 * 19_900, captured: 0 },
      ])
  })
})
