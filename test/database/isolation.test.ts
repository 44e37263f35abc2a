import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomBase62 } from '../../src/domain/ids.ts'
import { routesFor } from '../../src/modules/index.ts'
import type { RouteOf } from '../../src/platform/http/route.ts'
import type { Reply } from '../harness/caller.ts'
import { type Call, callsOf, type Fill, own } from '../harness/calls.ts'
import { createIsolationFixtures, type IsolationFixtures } from '../harness/isolation-fixtures.ts'
import { anOrder } from '../harness/orders.ts'
import { openSample } from '../harness/sample.ts'
import { each } from '../harness/send.ts'
import { random, type Slot, slotsOf } from '../harness/slots.ts'
import { of, snapshot } from '../harness/snapshot.ts'
import { ownWorld, type World } from '../harness/world.ts'

type Route = RouteOf<'business'>
const routes = routesFor('business')

let world: World
let realms: IsolationFixtures[]

beforeAll(async () => {
  world = await ownWorld('compares the whole database')
  const businesses = [await world.business({ credits: 100_000 }), await world.business({ credits: 100_000 })]
  const pairs = businesses.flatMap((business) => (['live', 'sandbox'] as const).map((mode) => ({ business, mode })))
  realms = await each(pairs, ({ business, mode }) => createIsolationFixtures(world, business, mode), 1)
})
afterAll(() => world.stop())

const others = (one: IsolationFixtures) => realms.filter((realm) => realm !== one)

/** The realms that call: in a sample one of each mode. */
const drawnOf = (matrix: string) => openSample(matrix).draw(realms, ({ realm }) => realm.mode, 2)

/** How two realms stand to one another: of each, a route is asked by one caller in every run. */
const relationOf = ({ caller, target }: { caller: IsolationFixtures; target: IsolationFixtures }) =>
  `${caller.realm.businessId === target.realm.businessId ? 'own' : 'other'} business, ${target.realm.mode}`

const send = (realm: IsolationFixtures, { method, path, body, byAdmin }: Call): Promise<Reply> =>
  realm[byAdmin ? 'admin' : 'caller'].request(method, path, body)

/** Removes what may differ between two calls: IDs that are sent, created or of the request, times, addresses. */
function comparable(reply: Reply, sent: readonly string[]): string {
  let text = reply.text
  for (const value of sent) text = text.replaceAll(value, '<sent>')
  return `${reply.status} ${text
    .replace(/"requestId":"[^"]*"/, '')
    // How far the log of requests is, which these requests lengthen.
    .replace(/"after":"\d+","keptDays"/, '')
    .replace(/\b[OKR][0-9A-HJKMNP-TV-Z]{9}\b/g, '<id>')
    .replace(/\b(plan|shop|sho)_[0-9A-Za-z]{22}\b/g, '<id>')
    .replace(/\b[1-9]\d{11}\b/g, '<number>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/[\w.]+@[\w.]+/g, '<email>')}`
}

/** Every way to put one or all objects of another realm into the path or the query. */
function variants(
  route: Route,
  caller: IsolationFixtures,
  target: IsolationFixtures,
): { which: string; foreign: Fill; unknown: Fill; query: Slot[] }[] {
  const slots = slotsOf(route).filter(({ where }) => where !== 'body')
  const path = slots.filter(({ where }) => where === 'path')
  const query = slots.filter(({ where }) => where === 'query')
  // A business has the same users, and single sign-on and accesses of the operator, in both modes.
  const isTwin = caller.realm.businessId === target.realm.businessId
  if (isTwin && slots.some(({ kind }) => kind === 'user' || kind === 'supportAccess' || kind === 'ssoConnection'))
    return []
  const sets = [...(path.length > 1 ? [path] : []), ...path.map((slot) => [slot]), ...query.map((slot) => [slot])]
  return sets.flatMap((set) => {
    const spellings = Math.max(...set.map(({ kind }) => target.objects[kind].length))
    return Array.from({ length: spellings }, (_, index) => {
      const pick: Fill = ({ kind }) => target.objects[kind][index] ?? target.objects[kind][0]
      const made = new Map(set.map((slot) => [slot.name, random[slot.kind](pick(slot))]))
      const inSet = (slot: Slot) => set.some((one) => one.name === slot.name && one.where === slot.where)
      return {
        which: `${set.map(({ where, name }) => `${where} ${name}`)} ${index}`,
        foreign: (slot: Slot) => (inSet(slot) ? pick(slot) : own(caller)(slot)),
        unknown: (slot: Slot) => (inSet(slot) ? (made.get(slot.name) ?? '') : own(caller)(slot)),
        query: set.filter(({ where }) => where === 'query'),
      }
    })
  })
}

describe('what belongs to another realm', () => {
  it('answers like what does not exist, in every identifier of every route, and stays as it was', async () => {
    const before = await snapshot(world)
    const sample = openSample('isolation')
    let [all, asked, probes] = [0, 0, 0]
    const differences: unknown[] = []
    const seen: { caller: IsolationFixtures; text: string }[] = []
    for (const route of routes) {
      const cases = realms.flatMap((caller) =>
        others(caller).flatMap((target) => variants(route, caller, target).map((one) => ({ caller, target, ...one }))),
      )
      all += cases.length
      const drawn = sample.draw(cases, (one) => `${relationOf(one)}, ${one.which}`)
      asked += drawn.length
      await each(drawn, async ({ caller, foreign, unknown, query }) => {
        const sent = slotsOf(route).flatMap((slot) => [foreign(slot), unknown(slot)])
        const expected = callsOf(route, unknown, query)
        for (const [index, call] of callsOf(route, foreign, query).entries()) {
          const [answer, likeUnknown] = [await send(caller, call), await send(caller, expected[index] ?? call)]
          probes++
          seen.push({ caller, text: withoutAsked(answer.text) })
          const [got, wanted] = [comparable(answer, sent), comparable(likeUnknown, sent)]
          if (got !== wanted) differences.push({ route: route.id, as: caller.title, call, got, wanted })
        }
      })
    }
    process.stdout.write(`isolation: ${asked} of ${all} cases, ${probes} probes\n`)
    expect(differences).toEqual([])
    expect(all).toBeGreaterThan(2000)
    expect(probes).toBeGreaterThan(200)
    expect(leaks(seen)).toEqual([])
    expect(await snapshot(world)).toEqual(before)
  })

  it('is in no answer of any route that reads, and in no log', async () => {
    const seen: { caller: IsolationFixtures; text: string }[] = []
    const callers = drawnOf('isolation, readers')
    for (const route of routes.filter(({ method }) => method === 'GET')) {
      await each(callers, async (caller) => {
        for (const call of callsOf(route, own(caller)))
          seen.push({ caller, text: withoutAsked((await send(caller, call)).text) })
      })
    }
    const withIds = seen.flatMap(({ caller, text }) =>
      others(caller).flatMap(({ ids, title }) =>
        ids.some((id) => text.includes(id)) ? [`${caller.title} ← ${title}`] : [],
      ),
    )
    expect(withIds).toEqual([])
    expect(leaks(seen)).toEqual([])
    // Every caller finds its own objects, so the search works.
    for (const caller of callers) {
      const mine = seen.filter((one) => one.caller === caller).map(({ text }) => text)
      for (const id of caller.ids) expect(mine.some((text) => text.includes(id))).toBe(true)
      expect(mine.some((text) => caller.canaries.some((mark) => text.includes(mark)))).toBe(true)
    }
    const logged = world.logged.join('')
    expect(realms.flatMap(({ canaries }) => canaries).filter((mark) => logged.includes(mark))).toEqual([])
  })

  it('is not reached by an identifier in a body', async () => {
    const cases = routes.flatMap((route) =>
      slotsOf(route)
        .filter(({ where }) => where === 'body')
        .flatMap((slot) =>
          realms.flatMap((caller) => others(caller).map((target) => ({ route, slot, caller, target }))),
        ),
    )
    // Two of the twelve pairs of realms.
    const drawn = openSample('isolation, bodies').draw(cases, (one) => `${one.route.id} ${one.slot.name}`, 6)
    const own = realms.map((realm) => realm.realm.id)
    const seen: { caller: IsolationFixtures; text: string }[] = []
    for (const caller of realms) {
      const rest = own.filter((id) => id !== caller.realm.id)
      const twins = new Map<string, string>()
      const untouched = of(await snapshot(world), rest)
      for (const { route, slot, target } of drawn.filter((one) => one.caller === caller)) {
        const foreign = target.objects[slot.kind][0]
        // The service may store values from a body, so the same two values are sent everywhere.
        const unknown = twins.get(foreign) ?? random[slot.kind](foreign)
        twins.set(foreign, unknown)
        // It answers with the whole object, which the first request changes.
        if (route.method === 'PATCH') await sendInBody(route, slot, caller, random[slot.kind](foreign))
        const [got, wanted] = [
          await sendInBody(route, slot, caller, foreign),
          await sendInBody(route, slot, caller, unknown),
        ]
        seen.push(...got.map((reply) => ({ caller, text: reply.text.replaceAll(foreign, '') })))
        const sent = [foreign, unknown]
        expect(
          got.map((reply) => comparable(reply, sent)),
          `${route.id} ${slot.name} as ${caller.title}`,
        ).toEqual(wanted.map((reply) => comparable(reply, sent)))
      }
      expect(of(await snapshot(world), rest)).toEqual(untouched)
    }
    expect(cases.length).toBeGreaterThan(50)
    expect(leaks(seen)).toEqual([])
  })
})

/** Sends a value in one field of the body, to new objects of the caller, so that a call can succeed again. */
async function sendInBody(route: Route, slot: Slot, caller: IsolationFixtures, value: string): Promise<Reply[]> {
  const needsNew = slotsOf(route).some(({ where, kind }) => where === 'path' && (kind === 'order' || kind === 'kit'))
  // `is_test_order` is the only way from live to the sandbox of the same business.
  const hints = { email: 'somebody@example.test', is_test_order: false, [slot.name]: value }
  const bodies = callsOf(route, own(caller), [], hints).map(({ body }) => JSON.stringify(body))
  return each(
    bodies,
    async (body) => {
      const path = callsOf({ ...route, body: undefined }, needsNew ? await freshObjects(caller) : own(caller))[0]?.path
      const email = `${randomBase62(12)}@example.test`
      return caller.caller.request(route.method, path ?? '', body.replaceAll('somebody@example.test', email))
    },
    1,
  )
}

async function freshObjects(realm: IsolationFixtures): Promise<Fill> {
  const order = await realm.caller.post('/create-order', anOrder({ paymentMethod: 'credits' }))
  const made = (await realm.caller.get(`/orders/${order.body.orderId}`)).body
  return (slot) => (slot.kind === 'order' ? made.orderID : slot.kind === 'kit' ? made.kits[0].kitID : own(realm)(slot))
}

/** A search of FHIR repeats what was asked, in the address of the page; the log of requests repeats which IDs the caller asked for. */
const withoutAsked = (text: string) =>
  text.replace(/"relation":"self","url":"[^"]*"/, '').replace(/"path":"\/(?:api|fhir)\/[^"]*"/g, '')

function leaks(seen: readonly { caller: IsolationFixtures; text: string }[]): string[] {
  return seen.flatMap(({ caller, text }) =>
    others(caller).flatMap(({ canaries, title }) =>
      canaries.some((mark) => text.includes(mark)) ? [`${caller.title} sees ${title}: ${text.slice(0, 200)}`] : [],
    ),
  )
}

describe('an Idempotency-Key', () => {
  it('is independent in every realm', async () => {
    const key = randomBase62(20)
    const replies = await each(realms, ({ caller }) =>
      caller.post('/create-order', anOrder({ paymentMethod: 'credits' }), { 'idempotency-key': key }),
    )
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(new Set(replies.map(({ body }) => body.orderId)).size).toBe(4)
    expect(replies.every(({ headers }) => !headers.has('idempotent-replayed'))).toBe(true)
    const [first, ...rest] = realms
    const again = await first?.caller.post('/create-order', anOrder({ paymentMethod: 'credits' }), {
      'idempotency-key': key,
    })
    expect(again?.text).toBe(replies[0]?.text)
    expect(again?.headers.get('idempotent-replayed')).toBe('true')
    // A different body is a mismatch for the realm that used the key, and a new request for all others.
    const other = anOrder({ paymentMethod: 'credits', externalID: 'other' })
    const own = await first?.caller.post('/create-order', other, { 'idempotency-key': key })
    expect(own?.status).toBe(422)
    expect(rest).toHaveLength(3)
  })
})

describe('a sandbox token', () => {
  it('changes nothing live, whatever route it calls with whatever identifiers', async () => {
    const live = realms.filter(({ realm }) => realm.mode === 'live')
    const before = of(
      await snapshot(world),
      live.map(({ realm }) => realm.id),
    )
    const answered = new Map<string, number[]>()
    const last = (route: Route) => Number(route.method === 'DELETE') + 2 * Number(route.id === 'resetSandbox')
    const sorted = [...routes].sort((a, b) => last(a) - last(b))
    for (const caller of drawnOf('isolation, sandbox').filter(({ realm }) => realm.mode === 'sandbox')) {
      for (const route of sorted) {
        const email = `${randomBase62(12)}@example.test`
        const foreign: Fill = ({ kind }) => live[0]?.objects[kind][0] ?? ''
        for (const fill of [own(caller), foreign]) {
          for (const call of callsOf(route, fill, [], { email })) {
            answered.set(route.id, [
              ...(answered.get(route.id) ?? []),
              (await send(caller, { ...call, byAdmin: false })).status,
            ])
          }
        }
      }
    }
    const after = of(
      await snapshot(world),
      live.map(({ realm }) => realm.id),
    )
    expect(after).toEqual(before)
    // If all calls were refused as malformed, the test would prove nothing.
    const neverTaken = [...answered].filter(([, statuses]) => statuses.every((status) => status === 400))
    expect(neverTaken, 'give the field a valid value in the hints of test/harness/generate.ts').toEqual([])
  })
})

it('a route with an identifier that nobody explained fails here', () => {
  expect(() => slotsOf({ id: 'getThing', path: '/things/:thingID' })).toThrow(
    'Route getThing has the identifier "thingID" in its path. Add its kind to test/harness/slots.ts.',
  )
})
