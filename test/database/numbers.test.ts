import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomOf } from '../../prove/random.ts'
import { realmsOf } from '../../src/modules/businesses/service.ts'
import { selectStanding } from '../../src/modules/insights/numbers/counting-queries.ts'
import { selectCreditsLeft, selectCreditWeeks } from '../../src/modules/insights/numbers/credit-queries.ts'
import { selectLegLengths } from '../../src/modules/insights/numbers/leg-queries.ts'
import {
  countRejected,
  selectFunnel,
  selectPromised,
  selectRejectionReasons,
} from '../../src/modules/insights/numbers/queries.ts'
import { totalOf } from '../../src/modules/insights/numbers/rules.ts'
import { cohorts, operatorGroupings } from '../../src/modules/insights/numbers/schema.ts'
import { countChanges } from '../../src/modules/insights/numbers/service.ts'
import { advanceKit } from '../../src/modules/kits/advance.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { anOrder, CARDIO, CORE } from '../harness/orders.ts'
import { recipients } from '../harness/recipients.ts'
import { waitUntil } from '../harness/wait.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const HOUR_MS = 3_600_000
const DAY_HOURS = 24
// A Monday.
const clock = manualClock(new Date('2026-03-02T08:00:00.000Z'))
const wait = (hours: number) => clock.advance(hours * HOUR_MS)
const today = () => clock.now().toISOString().slice(0, 10)

let world: World
let operator: Operator
beforeAll(async () => {
  world = await ownWorld('sets the clock', {}, { clock })
  operator = await operatorWith(world, ['system'])
})
afterAll(() => world.stop())

/** Orders mock kits and returns their IDs. */
async function ordered({ sandbox }: TestBusiness, kitType: string, quantity: number): Promise<string[]> {
  const { body } = await sandbox.post('/create-order', anOrder({ kit_types: [{ kitType, quantity }] }))
  const { kits } = (await sandbox.get(`/orders/${body.orderId}`)).body
  return kits.map(({ kitID }: { kitID: string }) => kitID)
}

async function moved({ sandbox }: TestBusiness, kitId: string, status: string, reason?: string): Promise<void> {
  const { status: answered, text } = await sandbox.post(`/sandbox/kits/${kitId}/advance`, { status, reason })
  expect(answered, text).toBe(200)
}

async function published({ sandbox }: TestBusiness, kitId: string): Promise<void> {
  expect((await sandbox.post(`/sandbox/kits/${kitId}/scenario`, { scenario: 'published' })).status).toBe(200)
}

/** Moves each kit an hour after the one before, and returns when each was. */
async function oneByOne(kitIds: readonly string[], move: (kitId: string) => Promise<void>): Promise<number[]> {
  const times: number[] = []
  for (const kitId of kitIds) {
    wait(1)
    await move(kitId)
    times.push(clock.now().getTime() / HOUR_MS)
  }
  return times
}

/** By the definition of PostgreSQL's percentile_cont, to a tenth. */
function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = part * (sorted.length - 1)
  const [low = 0, high = low] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
  return Math.round((low + (high - low) * (place - Math.floor(place))) * 10) / 10
}

const linesOf = (text: string) => text.replace('\uFEFF', '').trim().split('\r\n')

const sure = (delivered: number, returned: number, received: number) => ({
  unregistered: 0,
  inferred: { delivered, returned, received },
})

describe('numbers of a business', () => {
  it('say how far kits came, how long each leg took and why samples were rejected, and know no kit of others', async () => {
    const clinic = await world.business({ name: 'Harbor Clinic' })
    const other = await world.business({ name: 'Other Clinic' })
    const monday = today()
    const started = clock.now().getTime() / HOUR_MS
    const [jumped = '', ...walked] = await ordered(clinic, CORE, 7)
    for (const kitId of await ordered(other, CORE, 3)) await moved(other, kitId, 'kitDelivered')

    const shipped = await oneByOne(walked, (kitId) => moved(clinic, kitId, 'kitInTransit'))
    wait(2 * DAY_HOURS)
    const delivered = await oneByOne(walked, (kitId) => moved(clinic, kitId, 'kitDelivered'))
    // Nobody recorded how it came there: its earlier steps are filled in, and are no leg of a known length.
    await moved(clinic, jumped, 'kitRegistered')
    const registered = await oneByOne(walked.toReversed(), (kitId) => moved(clinic, kitId, 'kitRegistered'))
    wait(DAY_HOURS)
    const returned = await oneByOne(walked, (kitId) => moved(clinic, kitId, 'sampleInTransit'))
    const received = await oneByOne(walked, (kitId) => moved(clinic, kitId, 'sampleReceived'))
    const finished = walked.slice(0, 5)
    wait(DAY_HOURS)
    const reported = await oneByOne(finished, (kitId) => published(clinic, kitId))

    // A week later.
    wait(10 * DAY_HOURS)
    const nextMonday = '2026-03-16'
    const [canceled = '', lost = '', ...refused] = await ordered(clinic, CARDIO, 8)
    await moved(clinic, canceled, 'canceled')
    await moved(clinic, lost, 'deliveryException', 'lost')
    for (const [index, kitId] of refused.entries()) {
      await moved(clinic, kitId, 'sampleRejected', index === 0 ? 'Mr. Oakley forgot his name' : '=Too small')
    }

    const { status, body: funnel } = await clinic.sandbox.get(`/numbers/funnel?from=${monday}`)
    expect(status).toBe(200)
    const shares = { delivered: 1, registered: 1, returned: 0.8571, received: 0.8571, reported: 0.7143 }
    const first = { ordered: 7, delivered: 7, registered: 7, returned: 6, received: 6, reported: 5 }
    const second = { ordered: 8, delivered: 6, registered: 6, returned: 6, received: 6, reported: 0 }
    expect(funnel.from).toBe(monday)
    expect(funnel.to).toBe(today())
    expect(funnel.rows).toEqual([
      { cohort: monday, ...first, rejected: 0, failed: 0, canceled: 0, shares, ...sure(1, 0, 0) },
      {
        cohort: nextMonday,
        ...second,
        rejected: 6,
        failed: 1,
        canceled: 1,
        shares: { delivered: 0.75, registered: 0.75, returned: 0.75, received: 0.75, reported: 0 },
        ...sure(6, 6, 0),
      },
    ])
    expect(funnel.total).toMatchObject({ ordered: 15, delivered: 13, reported: 5, rejected: 6, failed: 1, canceled: 1 })

    const byPanel = (await clinic.sandbox.get(`/numbers/funnel?from=${monday}&per=month&by=panel`)).body
    expect(byPanel.rows.map((row: Record<string, unknown>) => [row.cohort, row.key, row.ordered])).toEqual(
      expect.arrayContaining([
        ['2026-03-01', CORE, 7],
        ['2026-03-01', CARDIO, 8],
      ]),
    )
    expect(byPanel.rows).toHaveLength(2)
    const byCarrier = (await clinic.sandbox.get(`/numbers/funnel?from=${nextMonday}&by=carrier`)).body.rows
    expect(byCarrier.at(-1)).toMatchObject({ name: 'Not shipped yet', ordered: 1, canceled: 1 })
    expect(byCarrier.at(-1)).not.toHaveProperty('key')
    expect((await clinic.sandbox.get(`/numbers/funnel?from=${monday}&panel=${CARDIO}`)).body.total.ordered).toBe(8)
    expect((await clinic.sandbox.get(`/numbers/funnel?from=${monday}&to=${monday}T20:00:00Z`)).body.total.ordered).toBe(
      7,
    )
    expect((await clinic.live.get(`/numbers/funnel?from=${monday}`)).body.rows).toEqual([])
    const others = (await other.sandbox.get(`/numbers/funnel?from=${monday}`)).body.total
    expect(others).toMatchObject({ ordered: 3, delivered: 3, registered: 0, rejected: 0 })

    const back = registered.toReversed()
    const between = (from: readonly number[], to: readonly number[]) =>
      to.map((time, index) => time - (from[index] ?? 0))
    const origin = walked.map(() => started)
    const legs = {
      orderedToShipped: between(origin, shipped),
      shippedToDelivered: between(shipped, delivered),
      deliveredToRegistered: between(delivered, back),
      registeredToReturned: between(back, returned),
      registeredToReceived: between(back, received),
      receivedToReported: between(received, reported),
      orderedToReported: between(origin, reported),
    }
    const { body: turnaround } = await clinic.sandbox.get(`/numbers/turnaround?from=${monday}&to=${monday}`)
    expect(turnaround.legs).toEqual(
      Object.entries(legs).map(([leg, hours]) => ({
        leg,
        kits: hours.length,
        p50Hours: percentile(hours, 0.5),
        p95Hours: percentile(hours, 0.95),
      })),
    )
    const few = (await other.sandbox.get(`/numbers/turnaround?from=${monday}`)).body.legs
    for (const leg of few) expect(leg).toMatchObject({ p50Hours: null, p95Hours: null, why: 'tooFew' })

    const { body: rejections } = await clinic.sandbox.get(`/numbers/rejections?from=${monday}`)
    expect(rejections).toMatchObject({ received: 12, rejected: 6, share: 0.5 })
    // What was said of one kit may name a person.
    expect(rejections.reasons).toEqual([
      { reason: '=Too small', kits: 5, share: 0.4167 },
      { reason: null, kits: 1, share: 0.0833 },
    ])
    expect((await other.sandbox.get(`/numbers/rejections?from=${monday}`)).body).toMatchObject({
      received: 0,
      rejected: 0,
      share: null,
      reasons: [],
    })

    const csv = { accept: 'text/csv' }
    const file = await clinic.sandbox.get(`/numbers/funnel?from=${monday}&by=panel`, csv)
    expect(file.headers.get('content-type')).toContain('text/csv')
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="funnel.csv"')
    const [head, ...rows] = linesOf(file.text)
    expect(head?.split(',').slice(0, 5)).toEqual(['cohort', 'key', 'name', 'ordered', 'delivered'])
    expect(rows.map((row) => row.split(',').slice(0, 2))).toEqual([
      [monday, CORE],
      [nextMonday, CARDIO],
    ])
    // A spreadsheet would run it.
    expect(linesOf((await clinic.sandbox.get(`/numbers/rejections?from=${monday}`, csv)).text)[1]).toBe(
      "'=Too small,5,0.4167",
    )
    const times = linesOf((await clinic.sandbox.get(`/numbers/turnaround?from=${monday}&to=${monday}`, csv)).text)
    expect(times[1]).toBe(
      `orderedToShipped,6,${percentile(legs.orderedToShipped, 0.5)},${percentile(legs.orderedToShipped, 0.95)},`,
    )
  })

  it('forecast credits from the mean of the last 28 days, and say nothing where none were used', async () => {
    const clinic = await world.business({ credits: 100 })
    const order = (kitType: string, quantity: number) =>
      clinic.live.post('/create-order', anOrder({ kit_types: [{ kitType, quantity }] }))
    expect((await order(CORE, 30)).status).toBe(201)
    const first = today()
    wait(29 * DAY_HOURS)
    const second = today()
    await order(CORE, 12)
    const { body: mistake } = await order(CORE, 8)
    expect((await clinic.live.post(`/orders/${mistake.orderId}/cancel`)).status).toBe(200)

    const { body } = await clinic.live.get(`/numbers/credits?from=${first}`)
    const weekOf = (day: string) => {
      const date = new Date(day)
      return new Date(date.getTime() - ((date.getUTCDay() + 6) % 7) * DAY_HOURS * HOUR_MS).toISOString().slice(0, 10)
    }
    expect(body.weeks).toEqual([
      { week: weekOf(first), type: CORE, used: 30 },
      { week: weekOf(second), type: CORE, used: 12 },
    ])
    const forecast = (type: string) => body.forecasts.find((one: { type: string }) => one.type === type)
    // 58 are left, and 12 in 28 days were used.
    expect(forecast(CORE)).toMatchObject({ available: 58, usedIn28Days: 12, daysLeft: Math.floor((58 * 28) / 12) })
    expect(forecast(CORE).words).toBe('Enough for 135 days at 0.43 a day, the mean of the last 28 days.')
    expect(forecast(CARDIO)).toMatchObject({ available: 100, usedIn28Days: 0, daysLeft: null })
    expect(forecast(CARDIO).words).toContain('nothing can be said')
    const file = await clinic.live.get(`/numbers/credits?from=${first}`, { accept: 'text/csv' })
    expect(linesOf(file.text)).toEqual([
      'week,type,used',
      `${weekOf(first)},${CORE},30`,
      `${weekOf(second)},${CORE},12`,
    ])
  })

  it('say how often reports came when they were promised, each by what was promised when its sample came', async () => {
    const catalogue = await operatorWith(world, ['catalogue'])
    const promise = async (promisedDays: number | null) => {
      const answer = await catalogue('PATCH', `/panels/${CORE}`, { promisedDays })
      expect(answer.status, answer.text).toBe(200)
      return answer.body
    }
    const clinic = await world.business()
    const from = today()
    const [early = '', refused = '', next = '', ...kits] = await ordered(clinic, CORE, 9)
    const promises = async () => (await clinic.sandbox.get(`/numbers/promises?from=${from}`)).body.rows
    const receive = (kitId: string) => moved(clinic, kitId, 'sampleReceived')
    await receive(early)
    expect(await promises()).toEqual([])

    wait(1)
    expect(await promise(3)).toMatchObject({ kitType: CORE, promisedDays: 3 })
    const panel = (await clinic.live.get('/panels')).body.find((one: { kitType: string }) => one.kitType === CORE)
    expect(panel.promisedDays).toBe(3)
    for (const kitId of [...kits, refused]) await receive(kitId)
    await moved(clinic, refused, 'sampleRejected', 'Too small')
    const [first = '', second = '', third = '', last = ''] = kits
    const lastMinute = (Math.floor(clock.now().getTime() / (24 * HOUR_MS)) + 4) * 24 * HOUR_MS - 60_000
    clock.advance(lastMinute - clock.now().getTime())
    for (const kitId of [first, second, third]) await published(clinic, kitId)
    const counts = { type: CORE, promised: 6, kept: 3, late: 0, overdue: 0, open: 3, keptShare: null }
    expect(await promises()).toMatchObject([counts])
    clock.advance(60_000)
    await published(clinic, last)
    const over = { ...counts, late: 1, overdue: 2, open: 0, keptShare: 0.5 }
    expect(await promises()).toMatchObject([over])

    // What is promised later changes nothing of what was promised before.
    await promise(30)
    await receive(next)
    expect(await promises()).toMatchObject([{ ...over, promised: 7, open: 1 }])
    const file = await clinic.sandbox.get(`/numbers/promises?from=${from}`, { accept: 'text/csv' })
    expect(linesOf(file.text)[1]).toMatch(/,7,3,1,2,1,0.5$/)
    wait(1)
    expect(await promise(null)).not.toHaveProperty('promisedDays')
    expect(await promises()).toMatchObject([{ promised: 7 }])
    expect((await catalogue('PATCH', `/panels/${CORE}`, { promisedDays: 0 })).status).toBe(400)
    // The operator's are of live kits.
    expect((await operator('GET', `/numbers/promises?from=${from}`)).body.rows).toEqual([])
  })

  it('cover at most 400 days, and 91 unless it is said', async () => {
    const { live } = await world.business()
    const { body } = await live.get('/numbers/funnel?to=2026-03-31')
    expect([body.from, body.to, body.rows]).toEqual(['2025-12-31', '2026-03-31', []])
    expect((await live.get('/numbers/turnaround?from=2025-02-25&to=2026-03-31')).status).toBe(200)
    for (const asked of ['from=2025-02-24&to=2026-03-31', 'from=2026-04-01&to=2026-03-31', 'from=yesterday']) {
      const refused = await live.get(`/numbers/turnaround?${asked}`)
      expect([asked, refused.status, refused.body.code]).toEqual([asked, 400, 'VALIDATION_FAILED'])
      expect(refused.body.details[0].path).toContain('from')
    }
  })
})

describe('what nobody recorded', () => {
  it('is said beside the numbers: a kit that nobody registered is no registered kit', async () => {
    wait(2 * DAY_HOURS)
    const clinic = await world.business()
    const { body } = await clinic.live.post('/create-order', anOrder({ kit_types: [{ kitType: CORE, quantity: 5 }] }))
    const [registered, ...found] = (await clinic.live.get(`/orders/${body.orderId}`)).body.kits
    const who = {
      firstName: 'Ada',
      lastName: 'Example',
      email: 'ada@example.test',
      dateOfBirth: '1970-01-02',
      sex: 'F',
    }
    await clinic.live.post(`/kits/${registered.kitID}/register`, who)
    wait(1)
    const lab = await operatorWith(world, ['lab'])
    for (const { kitID } of [registered, ...found]) {
      expect((await lab('POST', '/samples/receive', { kitID })).status).toBe(200)
    }
    const { total } = (await clinic.live.get(`/numbers/funnel?from=${today()}`)).body
    expect(total).toMatchObject({ delivered: 5, registered: 1, returned: 5, received: 5, unregistered: 4 })
    expect(total.inferred).toEqual({ delivered: 5, returned: 5, received: 0 })
    expect(total.shares.registered).toBe(0.2)
    const { legs } = (await clinic.live.get(`/numbers/turnaround?from=${today()}`)).body
    const kitsOf = (name: string) => legs.find(({ leg }: { leg: string }) => leg === name).kits
    expect([kitsOf('registeredToReceived'), kitsOf('deliveredToRegistered')]).toEqual([1, 0])
  })
})

describe('numbers of the operator', () => {
  it('are those of the live kits of all businesses, or of one', async () => {
    wait(2 * DAY_HOURS)
    const from = today()
    const [harbor, hill] = [await world.business({ name: 'Harbor' }), await world.business({ name: 'Hill' })]
    for (const [clinic, quantity] of [
      [harbor, 2],
      [hill, 5],
    ] as const) {
      await clinic.live.post('/create-order', anOrder({ kit_types: [{ kitType: CORE, quantity }] }))
      await clinic.sandbox.post('/create-order', anOrder())
    }
    const asked = `from=${from}&by=business`
    const { body } = await operator('GET', `/numbers/funnel?${asked}`)
    expect(body.rows.map((row: Record<string, unknown>) => [row.key, row.name, row.ordered])).toEqual([
      [harbor.id, 'Harbor', 2],
      [hill.id, 'Hill', 5],
    ])
    const one = (await operator('GET', `/numbers/funnel?${asked}&businessID=${hill.id}`)).body
    expect([one.rows.length, one.total.ordered]).toEqual([1, 5])
    expect((await operator('GET', `/numbers/funnel?${asked}&businessID=biz_none`)).body.rows).toEqual([])
    const { legs } = (await operator('GET', `/numbers/turnaround?from=${from}`)).body
    expect(legs.map(({ kits }: { kits: number }) => kits)).toEqual(Array(7).fill(0))
    expect((await operator('GET', `/numbers/rejections?from=${from}`)).body).toMatchObject({ received: 0, share: null })
    const credits = (await operator('GET', `/numbers/credits?from=${from}&panel=${CORE}&businessID=${hill.id}`)).body
    expect(credits.weeks.map(({ type, used }: Record<string, unknown>) => [type, used])).toEqual([[CORE, 5]])
    expect(credits.forecasts).toMatchObject([{ businessID: hill.id, business: 'Hill', type: CORE, available: 95 }])
    const csv = await operator('GET', `/numbers/funnel?${asked}`, undefined, { accept: 'text/csv' })
    expect(linesOf(csv.text)).toHaveLength(3)

    const packer = await operatorWith(world, ['fulfilment'])
    expect((await packer('GET', '/numbers/funnel')).status).toBe(403)
  })
})

/** Does what the job does until it has counted what there is of a business: beside that of the worker, it may wait too long for a row. */
async function counted(clinic: TestBusiness, isAll = true): Promise<number> {
  const { database } = world.service
  const actor = { name: 'test' }
  const { live } = await database.asSystem(actor, (tx) => realmsOf(tx, clinic.id))
  const range = { from: new Date('2026-01-01'), before: new Date('2027-01-01') }
  const { signal } = new AbortController()
  await waitUntil(async () => {
    await countChanges(database, actor, signal, { isAll }).catch(() => undefined)
    const standing = await database.asSystem(actor, (tx) => selectStanding(tx, [live.id], range, 1000))
    return standing.counted.length > 0 && !standing.isChanged
  })
  return live.id
}

describe('numbers of many kits', () => {
  it('are the same from counted days as from the kits, whatever happened to them and however late', async () => {
    wait(2 * DAY_HOURS)
    const seed = Number(process.env.SEED ?? 1)
    const { pick, between } = randomOf(seed)
    const catalogue = await operatorWith(world, ['catalogue'])
    expect((await catalogue('PATCH', `/panels/${CORE}`, { promisedDays: 3 })).status).toBe(200)
    const clinic = await world.business({ name: 'Random Clinic', credits: 500 })
    const people = recipients(world)
    const lab = await operatorWith(world, ['lab', 'fulfilment'])
    const kits: string[] = []
    const orders: string[] = []
    const reports: string[] = []
    const steps = ['kitPreparing', 'kitInTransit', 'kitDelivered', 'sampleInTransit', 'deliveryException'] as const
    const who = { firstName: 'Ada', lastName: 'Example', dateOfBirth: '1970-01-02', sex: 'F' }
    // Most of what is tried is refused: a kit is not where that could happen.
    const tried: Record<string, (kitId: string) => Promise<unknown>> = {
      move: (kitId) =>
        people.inRealm(clinic, (tx) => advanceKit(tx, kitId, pick(steps), 'lost')).catch(() => undefined),
      register: (kitId) => clinic.live.post(`/kits/${kitId}/register`, { ...who, email: people.newEmail() }),
      receive: (kitId) => lab('POST', '/samples/receive', { kitID: kitId }),
      reject: (kitId) => lab('POST', '/samples/reject', { kitID: kitId, reason: 'clotted' }),
      undo: (kitId) => lab('POST', '/samples/undo-rejection', { kitID: kitId }),
      replace: async (kitId) => {
        const { status, body } = await clinic.live.post(`/kits/${kitId}/replacement`, { reason: 'Lost' })
        if (status === 201) kits.push(body.replacementKitID)
      },
      clear: (kitId) => clinic.live.post(`/kits/${kitId}/registration/clear`),
      results: async (kitId) => {
        const report = await people.report(clinic, kitId, { ldl: 97 }).catch(() => undefined)
        if (report) reports.push(report)
      },
      publish: async () => {
        if (reports.length > 0) await people.release(clinic, pick(reports)).catch(() => undefined)
      },
      cancel: () => clinic.live.post(`/orders/${pick(orders)}/cancel`),
      erase: async () => {
        const { body } = await clinic.live.get('/customers')
        if (body.length > 0) await clinic.live.request('DELETE', `/customers/${pick<{ id: number }>(body).id}`)
      },
    }
    // What brings a kit further comes more often, so that some come to the end.
    const names = [
      ...Object.keys(tried),
      ...['move', 'register', 'receive', 'results', 'publish'].flatMap((one) => [one, one]),
    ]

    const order = async () => {
      const kitType = pick([CORE, CARDIO])
      const { body } = await clinic.live.post('/create-order', anOrder({ kit_types: [{ kitType, quantity: 3 }] }))
      orders.push(body.orderId)
      const { kits: made } = (await clinic.live.get(`/orders/${body.orderId}`)).body
      kits.push(...made.map(({ kitID }: { kitID: string }) => kitID))
      wait(between(1, 30))
    }
    const range = { from: new Date('2026-01-01'), before: new Date('2027-01-01'), kitTypes: undefined }
    /** Compares what was counted with the kits. */
    const compared = async () => {
      const realmId = await counted(clinic)
      const read = (which: { live: number[]; counted: number[] }) =>
        world.service.database.asSystem({ name: 'test' }, async (tx) => {
          const asked = { ...range, ...which }
          // The last 28 days begin in the middle of one.
          const since = new Date(clock.now().getTime() - 5 * DAY_HOURS * HOUR_MS)
          const funnels = []
          for (const per of cohorts)
            for (const by of [undefined, ...operatorGroupings])
              funnels.push(await selectFunnel(tx, asked, { per, by, limit: 1000 }))
          return {
            funnels,
            lengths: await selectLegLengths(tx, asked),
            promises: await selectPromised(tx, asked),
            rejected: await countRejected(tx, asked),
            ofCardio: await countRejected(tx, { ...asked, kitTypes: [CARDIO] }),
            reasons: await selectRejectionReasons(tx, asked, 1000),
            weeks: await selectCreditWeeks(tx, asked),
            left: await selectCreditsLeft(tx, { ...which, since, kitTypes: undefined, limit: 10 }),
          }
        })
      const ofKits = await read({ live: [realmId], counted: [] })
      expect(await read({ live: [], counted: [realmId] }), `SEED=${seed}`).toEqual(ofKits)
      expect(ofKits.reasons).toHaveLength(ofKits.rejected.rejected)
      // The operator may ask for businesses of which only one is counted yet.
      expect(await read({ live: [besideId], counted: [realmId] }), `SEED=${seed}`).toEqual(
        await read({ live: [besideId, realmId], counted: [] }),
      )
      return totalOf(ofKits.funnels[0] ?? [])
    }

    const beside = await world.business()
    expect((await beside.live.post('/create-order', anOrder())).status).toBe(201)
    const besideId = await counted(beside)

    await order()
    await order()
    const [good = '', bad = ''] = kits
    for (const step of ['register', 'receive', 'results', 'publish']) await tried[step]?.(good)
    for (const step of ['register', 'receive', 'reject', 'replace']) await tried[step]?.(bad)
    await clinic.live.post(`/orders/${orders[1]}/cancel`)
    expect(await compared()).toMatchObject({ ordered: 7, registered: 2, reported: 1, rejected: 1, canceled: 3 })
    await tried.erase?.('')
    await compared()
    for (let round = 0; round < 5; round++) {
      await order()
      await order()
      for (let n = 0; n < 30; n++) {
        wait(between(0, 90) / 10)
        await tried[pick(names)]?.(pick(kits))
      }
      await compared()
    }
  })

  it('say when the kits were counted, and lengths to 3 of 100', async () => {
    wait(30 * DAY_HOURS)
    const clinic = await world.business({ name: 'Large Clinic', credits: 5000 })
    const from = today()
    const order = async (quantity: number) =>
      (await clinic.live.post('/create-order', anOrder({ kit_types: [{ kitType: CORE, quantity }] }))).body.orderId
    const first = await order(1000)
    const { body } = await clinic.live.get(`/orders/${first}`)
    const [lost = '', ...others]: string[] = body.kits.map(({ kitID }: { kitID: string }) => kitID)
    const people = recipients(world)
    for (const [index, kitId] of others.slice(0, 40).entries()) {
      wait(1 + index / 7)
      await people.inRealm(clinic, (tx) => advanceKit(tx, kitId, 'kitInTransit'))
    }
    wait(1)
    const second = await order(20)
    const numbers = async () => {
      const get = async (what: string) => (await clinic.live.get(`/numbers/${what}?from=${from}`)).body
      return {
        funnel: await get('funnel'),
        promises: await get('promises'),
        rejections: await get('rejections'),
        turnaround: await get('turnaround'),
        credits: await get('credits'),
      }
    }
    const shipped = ({ turnaround }: Awaited<ReturnType<typeof numbers>>) =>
      turnaround.legs.find(({ leg }: { leg: string }) => leg === 'orderedToShipped')
    const before = await numbers()
    await counted(clinic)
    const after = await numbers()
    for (const what of ['funnel', 'promises', 'rejections', 'credits'] as const)
      expect(after[what]).toEqual(before[what])
    expect(shipped(after).kits).toBe(40)
    for (const part of ['p50Hours', 'p95Hours'] as const)
      expect(Math.abs(shipped(after)[part] / shipped(before)[part] - 1)).toBeLessThan(0.035)

    const noted = clock.now()
    wait(1)
    expect((await clinic.live.post(`/orders/${second}/cancel`)).status).toBe(200)
    await people.inRealm(clinic, (tx) => advanceKit(tx, lost, 'deliveryException', 'lost'))
    // The worker may count by itself between these lines: what is said to be counted is.
    const meanwhile = (await numbers()).funnel
    if (new Date(meanwhile.countedAt) > noted) expect(meanwhile.total).toMatchObject({ canceled: 20, failed: 1 })
    else expect(meanwhile.countedAt).toBe(after.funnel.countedAt)
    await counted(clinic)
    const last = (await numbers()).funnel
    expect(last.total).toMatchObject({ ordered: 1020, canceled: 20, failed: 1 })
    expect(new Date(last.countedAt).getTime()).toBeGreaterThan(noted.getTime())
    // Many new ones are counted in each run.
    await order(1000)
    await counted(clinic, false)
    expect((await numbers()).funnel.total).toMatchObject({ ordered: 2020, canceled: 20, failed: 1 })
  })

  it('are none of a sandbox that was emptied', async () => {
    const clinic = await world.business()
    const from = today()
    for (const kitId of await ordered(clinic, CORE, 2)) await moved(clinic, kitId, 'kitDelivered')
    expect((await clinic.live.post('/create-order', anOrder())).status).toBe(201)
    await counted(clinic)
    const total = async () => (await clinic.sandbox.get(`/numbers/funnel?from=${from}`)).body.total
    expect(await total()).toMatchObject({ ordered: 2, delivered: 2 })
    expect((await clinic.sandbox.post('/sandbox/reset')).status).toBe(200)
    expect(await total()).toMatchObject({ ordered: 0, delivered: 0 })
  })
})
