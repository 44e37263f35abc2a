import { describe, expect, it } from 'vitest'
import { exceptionRows, type KitException, lifetimeStatuses, reportStatuses } from '../../src/modules/kits/lifecycle.ts'
import type { KitRow } from '../../src/modules/kits/queries.ts'
import { stateOf, toRecord } from '../../src/modules/kits/records.ts'
import { advance, allowed, type KitState, type Step } from '../../src/modules/kits/rules.ts'
import { type KitChange, nextOf, timelineOf } from '../../src/modules/kits/timeline.ts'
import { personOf, standingOf } from '../../web/src/features/kits/kit-standing.ts'
import { stepsOf, type TimelineStep } from '../../web/src/features/kits/timeline.ts'

const at = new Date('2026-03-02T10:00:00Z')
const later = new Date('2026-03-30T10:00:00Z')

const row: KitRow = {
  id: 'K000000001',
  seq: 1,
  orderId: 'O000000001',
  kitType: 'X',
  shipment: {},
  reason: null,
  beforeRejection: null,
  eventSequence: 1,
  kitStatus: 'preparing',
  sampleStatus: 'awaitingCollection',
  status: 'notStarted',
  progress: { orderPlaced: at.toISOString() },
  customerId: null,
  registeredEmail: null,
  registeredAt: null,
  registration: null,
  replacementFor: null,
  replacedBy: null,
  createdAt: at,
  updatedAt: at,
  postedAt: null,
  hasLabOrder: false,
  hasCollection: false,
  recipientEmail: 'ada@example.test',
  firstName: 'Ada',
  lastName: 'Example',
  sentTo: null,
  notify: false,
  externalId: null,
}

interface Kit {
  row: KitRow
  told: KitChange[]
  path: string
}

const person = { customerId: 1, registeredEmail: 'ada@example.test', registeredAt: at }

function move(kit: Kit, steps: readonly Step[], name: string, change: Partial<KitRow> = {}): Kit {
  const told = steps.map(
    ({ event, state }, index): KitChange => ({
      event,
      reportStatus: state.status,
      reason: state.reason ?? null,
      actor: 'token:1',
      // All steps of one move have the same time.
      at: new Date(at.getTime() + (kit.told.length + index === 0 ? 0 : kit.path.split(' ').length * 1000)),
    }),
  )
  const state: KitState = steps.at(-1)?.state ?? stateOf(kit.row)
  return {
    row: { ...kit.row, ...state, reason: state.reason ?? null, ...change },
    told: [...kit.told, ...told],
    path: `${kit.path} ${name}`,
  }
}

/** Every next step of a kit: lifecycle moves, registrations in time and late, reviews, an erased person. */
function onward(kit: Kit): Kit[] {
  const state = stateOf(kit.row)
  const ways: Kit[] = []
  for (const to of allowed(state)) {
    const steps = advance(state, to, { at, reason: 'why' })
    ways.push(move(kit, steps, to, to === 'kitRegistered' ? person : {}))
    if (to !== 'reportReady') continue
    ways.push(move(kit, advance(state, to, { at, partial: true }), 'partial'))
    ways.push(move(kit, advance(state, to, { at, autoPublish: true }), 'auto'))
  }
  const isFilledIn = state.progress.kitRegistered !== undefined && kit.row.registeredAt === null
  if (isFilledIn) ways.push(move(kit, [{ event: 'kitRegistered', state }], 'registeredLate', person))
  if (state.progress.reportReady && !state.progress.sampleRejected) {
    for (const status of reportStatuses.filter((one) => one !== 'notStarted' && one !== state.status)) {
      ways.push(move(kit, [{ event: 'reportReady', state: { ...state, status } }], status, { status }))
    }
  }
  if (kit.row.customerId !== null) {
    ways.push(move(kit, [], 'erased', { customerId: null, registeredEmail: null }))
  }
  return ways
}

const keyOf = ({ row: { kitStatus, sampleStatus, status, progress, customerId, registeredAt } }: Kit) =>
  [kitStatus, sampleStatus, status, Object.keys(progress).sort(), customerId, registeredAt !== null].join('/')

/** One kit in each reachable state, by the shortest path. */
function everyKit(): Kit[] {
  const found = new Map<string, Kit>()
  const open: Kit[] = [{ row, told: [], path: 'placed' }]
  for (let kit = open.shift(); kit; kit = open.shift()) {
    if (found.has(keyOf(kit))) continue
    found.set(keyOf(kit), kit)
    open.push(...onward(kit))
  }
  return [...found.values()]
}

function seen({ row, told }: Kit): {
  header: string
  steps: TimelineStep[]
  happened: TimelineStep[]
  isNobody: boolean
} {
  const kit = toRecord(row)
  const timeline = timelineOf(row, told, { mode: 'live', placed: {} })
  const next = nextOf(stateOf(row), later)
  const steps = stepsOf({ kit, timeline, consents: [], registerUrl: '', ...(next && { next }) })
  const isNobody = personOf(kit) === 'none' || personOf(kit) === 'doubted'
  return { header: standingOf(kit).label, steps, happened: steps.filter((step) => step.at !== undefined), isNobody }
}

describe('the header and the timeline of a kit', () => {
  const kits = everyKit()
  const check = (claim: (kit: ReturnType<typeof seen>) => boolean) =>
    kits.flatMap((kit) => (claim(seen(kit)) ? [] : [`${kit.path}: ${JSON.stringify(seen(kit))}`])).slice(0, 3)

  it('are tried in every state of the lifecycle, in every exception and with every report', () => {
    const states = new Set(kits.map(({ row }) => `${row.kitStatus} ${row.sampleStatus} ${row.status}`))
    for (const { kitStatus, sampleStatus, status } of exceptionRows) {
      expect(states).toContain(`${kitStatus} ${sampleStatus} ${status}`)
    }
    const reached = new Set(kits.flatMap(({ row }) => Object.keys(row.progress)))
    expect([...reached].sort()).toEqual([...lifetimeStatuses].sort())
    expect(kits.length).toBeGreaterThan(50)
  })

  it('say the same of where it is', () => {
    expect(check(({ header, steps }) => steps.some(({ label }) => label === header))).toEqual([])
    const isHere = ({ state }: TimelineStep) => state === 'current'
    expect(check(({ header, steps }) => steps.filter(isHere).every(({ label }) => label === header))).toEqual([])
    expect(check(({ steps }) => steps.filter(isHere).length <= 1)).toEqual([])
  })

  it('never say that a report is ready or published while it is in review', () => {
    const inReview = kits.filter(({ row }) => row.status === 'inReview')
    expect(inReview.length).toBeGreaterThan(0)
    for (const kit of inReview) {
      const { header, steps } = seen(kit)
      expect(header).toBe('Report in review')
      expect(steps.at(-1)?.label, kit.path).not.toBe('Report published')
      expect(steps.map(({ label }) => label)).not.toContain('Report ready')
    }
  })

  it('never say that a kit is registered while nobody is, nor that nobody is once somebody was', () => {
    const says = (word: string) => (kit: ReturnType<typeof seen>) =>
      kit.header === word || kit.happened.some(({ label }) => label === word)
    const nobody = kits.filter((kit) => seen(kit).isNobody && kit.row.registeredAt === null)
    expect(nobody.length).toBeGreaterThan(0)
    expect(nobody.filter((kit) => says('Registered')(seen(kit))).map(({ path }) => path)).toEqual([])
    const known = kits.filter(({ row }) => row.registeredAt !== null)
    expect(known.filter((kit) => seen(kit).steps.some(({ label }) => label === 'Not registered'))).toEqual([])
  })

  it('name each exception as its filter does', () => {
    const names = new Set(kits.map((kit) => seen(kit).header))
    const exceptions: Record<KitException, string> = {
      deliveryException: 'Delivery problem',
      collectionException: 'Problem with the sample',
      registrationException: 'Problem with the registration',
      canceled: 'Canceled',
    }
    for (const name of Object.values(exceptions)) expect(names).toContain(name)
  })
})
