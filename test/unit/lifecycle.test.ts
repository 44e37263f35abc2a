import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppError } from '../../src/domain/errors.ts'
import { kitExceptions, type LifetimeStatus, lifetimeStatuses } from '../../src/modules/kits/lifecycle.ts'
import {
  advance,
  allowed,
  current,
  isFinal,
  type KitEvent,
  type KitState,
  parseStatus,
  passesRegistration,
} from '../../src/modules/kits/rules.ts'
import { runsOf } from '../harness/sample.ts'

const events: readonly KitEvent[] = [...lifetimeStatuses, ...kitExceptions]
const start = Date.UTC(2026, 0, 1)
const day = 24 * 3600 * 1000
const fresh: KitState = {
  kitStatus: 'preparing',
  sampleStatus: 'awaitingCollection',
  status: 'notStarted',
  progress: { orderPlaced: new Date(start).toISOString() },
}

// A second copy of the contract's table, on purpose: the states that each status allows.
const rows: Record<KitEvent, string[]> = {
  orderPlaced: ['preparing awaitingCollection notStarted'],
  kitPreparing: ['preparing awaitingCollection notStarted'],
  kitInTransit: ['inTransit awaitingCollection notStarted'],
  kitDelivered: ['delivered awaitingCollection notStarted'],
  kitRegistered: ['registered awaitingCollection notStarted'],
  sampleInTransit: ['collected inTransit notStarted'],
  sampleReceived: ['collected received notStarted'],
  reportReady: [
    'collected resulted inReview',
    'collected resulted published',
    'collected partiallyResulted inReview',
    'collected partiallyResulted published',
  ],
  sampleRejected: ['collected rejected rejected'],
  deliveryException: ['deliveryException awaitingCollection notStarted', 'collected deliveryException notStarted'],
  collectionException: ['registered collectionException notStarted'],
  registrationException: ['registrationException awaitingCollection notStarted'],
  canceled: ['canceled canceled notStarted'],
}

const lifetimes = (first: number): KitEvent[] => lifetimeStatuses.slice(first)

/** The moves that may follow each state, independent of the code under test. */
function expectedNext(state: KitState): KitEvent[] {
  const delivered = state.progress.sampleInTransit === undefined
  const { status, sampleStatus } = state
  const next: Record<KitEvent, KitEvent[]> = {
    orderPlaced: [...lifetimes(1), ...kitExceptions],
    kitPreparing: [...lifetimes(2), ...kitExceptions],
    kitInTransit: [...lifetimes(3), 'deliveryException', 'collectionException', 'registrationException'],
    kitDelivered: [...lifetimes(4), 'deliveryException', 'collectionException', 'registrationException'],
    kitRegistered: [...lifetimes(5), 'collectionException', 'registrationException'],
    sampleInTransit: [...lifetimes(6), 'deliveryException'],
    sampleReceived: lifetimes(7),
    reportReady: [
      ...(sampleStatus === 'partiallyResulted' ? (['reportReady'] as const) : []),
      ...(status === 'inReview' ? (['sampleRejected'] as const) : []),
    ],
    sampleRejected: [],
    deliveryException: lifetimes(delivered ? 2 : 5),
    collectionException: lifetimes(5),
    registrationException: ['kitRegistered'],
    canceled: [],
  }
  return next[current(state)]
}

const move = fc.record({
  to: fc.constantFrom(...events),
  afterDays: fc.integer({ min: -5, max: 5 }),
  partial: fc.boolean(),
  autoPublish: fc.boolean(),
  reason: fc.option(fc.constant('a reason'), { nil: undefined }),
  force: fc.boolean(),
})
const moves = fc.array(move, { maxLength: 12 })

function isRefusal(err: unknown): boolean {
  return err instanceof AppError && err.code === 'ILLEGAL_TRANSITION'
}

/** Every state along a list of moves, without the illegal ones. */
function walk(list: readonly (typeof move extends fc.Arbitrary<infer M> ? M : never)[], mayForce: boolean): KitState[] {
  const states = [fresh]
  let time = start
  for (const { to, afterDays, force, ...options } of list) {
    time += afterDays * day
    const before = states.at(-1) ?? fresh
    try {
      const steps = advance(before, to, { ...options, at: new Date(time), force: mayForce && force })
      expect(steps.length).toBeGreaterThan(0)
      expect(steps.at(-1)?.event).toBe(to)
      for (const { event, state } of steps) expect(current(state)).toBe(event)
      states.push(...steps.map((step) => step.state))
    } catch (err) {
      if (!isRefusal(err)) throw err
    }
  }
  return states
}

const check = <T>(arbitrary: fc.Arbitrary<T>, property: (value: T) => void) =>
  // A failure prints its seed and path.
  fc.assert(fc.property(arbitrary, property), { numRuns: runsOf(1000) })

test.each([false, true])('whatever happens to a kit, its statuses are those of the table (force: %s)', (mayForce) => {
  check(moves, (list) => {
    for (const state of walk(list, mayForce)) {
      const { kitStatus, sampleStatus, status } = state
      expect(rows[current(state)]).toContain(`${kitStatus} ${sampleStatus} ${status}`)
    }
  })
})

test.each([false, true])(
  'dates of progress never decrease, and no step is missing before another (force: %s)',
  (mayForce) => {
    check(moves, (list) => {
      for (const { progress } of walk(list, mayForce)) {
        const happened = lifetimeStatuses.filter((status) => progress[status] !== undefined)
        const dates = happened.map((status) => progress[status] ?? '')
        expect(dates).toEqual(dates.toSorted())
        const last = happened.at(-1) ?? 'orderPlaced'
        const before = lifetimeStatuses.slice(0, lifetimeStatuses.indexOf(last))
        const optional: LifetimeStatus[] = last === 'sampleRejected' ? ['reportReady'] : []
        expect(happened).toEqual(expect.arrayContaining(before.filter((status) => !optional.includes(status))))
      }
    })
  },
)

test.each([false, true])('what a kit may be moved to is exactly what is not refused (force before: %s)', (mayForce) => {
  check(fc.tuple(moves, move), ([list, { reason, partial, autoPublish }]) => {
    const state = walk(list, mayForce).at(-1) ?? fresh
    const accepted = events.filter((to) => {
      try {
        return advance(state, to, { at: new Date(start), reason, partial, autoPublish }).length > 0
      } catch (err) {
        if (isRefusal(err)) return false
        throw err
      }
    })
    expect(allowed(state)).toEqual(accepted)
    expect(new Set(accepted)).toEqual(new Set(expectedNext(state)))
  })
})

test('nothing leaves a final state without force, and force leaves every one', () => {
  check(moves, (list) => {
    const state = walk(list, false).at(-1) ?? fresh
    const { status, sampleStatus } = state
    const isEnd = ['canceled', 'sampleRejected'].includes(current(state))
    expect(isFinal(state)).toBe(isEnd || (status === 'published' && sampleStatus === 'resulted'))
    if (!isFinal(state)) return
    for (const to of events.filter((event) => event !== current(state))) {
      expect(() => advance(state, to, { at: new Date(start) })).toThrow(AppError)
      expect(advance(state, to, { at: new Date(start), force: true }).at(-1)?.event).toBe(to)
    }
  })
})

test('a refusal says where the kit is and what it may be moved to', () => {
  const [, registered] = walkTo('kitRegistered')
  try {
    advance(registered, 'kitDelivered', { at: new Date(start) })
    expect.unreachable()
  } catch (err) {
    expect(err).toMatchObject({
      code: 'ILLEGAL_TRANSITION',
      extra: { current: 'kitRegistered', allowed: expect.arrayContaining(['sampleInTransit']) },
    })
  }
})

function walkTo(to: KitEvent): [KitState, KitState] {
  const state = advance(fresh, to, { at: new Date(start + day) }).at(-1)?.state
  if (!state) throw new Error('no step')
  return [fresh, state]
}

test('steps that a move skips are filled in with its date', () => {
  const steps = advance(fresh, 'kitRegistered', { at: new Date(start + day) })
  expect(steps.map(({ event }) => event)).toEqual(['kitPreparing', 'kitInTransit', 'kitDelivered', 'kitRegistered'])
  const { progress } = walkTo('kitRegistered')[1]
  expect(new Set(Object.values(progress).slice(1))).toEqual(new Set([new Date(start + day).toISOString()]))
})

test('a lost kit that is sent again is on its way from the new date, not yet delivered', () => {
  const [, delivered] = walkTo('kitDelivered')
  const lost = advance(delivered, 'deliveryException', { at: new Date(start + 2 * day), reason: 'Not found' })
  expect(lost.map(({ state }) => state.reason)).toEqual(['Not found'])
  const again = advance(lost[0]?.state ?? fresh, 'kitInTransit', { at: new Date(start + 5 * day) })
  expect(again).toHaveLength(1)
  expect(again[0]?.state).toMatchObject({
    kitStatus: 'inTransit',
    progress: { kitInTransit: '2026-01-06T00:00:00.000Z' },
  })
  expect(again[0]?.state.progress.kitDelivered).toBeUndefined()
  expect(again[0]?.state.reason).toBeUndefined()
})

test('going back by force forgets what came later and keeps the dates of what came before', () => {
  const [, resulted] = walkTo('reportReady')
  const [step, ...more] = advance(resulted, 'kitDelivered', { at: new Date(start + 9 * day), force: true })
  expect(more).toEqual([])
  expect(Object.keys(step?.state.progress ?? {})).toEqual([
    'orderPlaced',
    'kitPreparing',
    'kitInTransit',
    'kitDelivered',
  ])
  expect(step?.state.progress.kitDelivered).toBe(resulted.progress.kitDelivered)
})

test('the other names of statuses are understood, and nothing else is', () => {
  const aliases = ['shippedToUser', 'arrivedToUser', 'registered', 'shippedToLab', 'arrivedAtLab']
  const meant = ['kitInTransit', 'kitDelivered', 'kitRegistered', 'sampleInTransit', 'sampleReceived']
  expect(aliases.map(parseStatus)).toEqual(meant)
  for (const event of events) expect(parseStatus(event)).toBe(event)
  for (const text of ['', 'toString', '__proto__', 'preparing']) expect(parseStatus(text)).toBeUndefined()
})

test('a move that implies a registration is known beforehand', () => {
  expect(passesRegistration(fresh, 'kitDelivered')).toBe(false)
  expect(passesRegistration(fresh, 'sampleReceived')).toBe(true)
  expect(passesRegistration(fresh, 'collectionException')).toBe(true)
  expect(passesRegistration(walkTo('kitRegistered')[1], 'sampleReceived')).toBe(false)
})
