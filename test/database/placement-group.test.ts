import fc from 'fast-check'
import { sql } from 'kysely'
import { type Client, Connection } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../src/domain/errors.ts'
import { configure } from '../../src/modules/businesses/service.ts'
import { list as listEmails } from '../../src/modules/emails/service.ts'
import { onboard } from '../../src/modules/onboarding/onboard.ts'
import { answerOf } from '../../src/modules/orders/answer.ts'
import { createOrders, type GroupedRequest, orderGroup } from '../../src/modules/orders/group.ts'
import type { OrderRequest } from '../../src/modules/orders/request.ts'
import { mayJoinGroup } from '../../src/modules/orders/rules.ts'
import { statement } from '../../src/platform/database/statement.ts'
import type { Realm, SystemTx } from '../../src/platform/database/tx.ts'
import { type GroupCommit, type Member, startGroupCommit } from '../../src/platform/http/group-commit.ts'
import { type IdempotencyKey, once } from '../../src/platform/http/idempotency.ts'
import { realmKeys } from '../../src/platform/http/realm-keys.ts'
import { refusalToWire, toWire, type WireAnswer } from '../../src/platform/http/wire.ts'
import { createLogger } from '../../src/platform/log.ts'
import { address, anOrder, CARDIO, CORE } from '../harness/orders.ts'
import { runsOf } from '../harness/sample.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let database: Client

beforeAll(async () => {
  world = await ownWorld('sets balances past the ledger')
  database = await world.owner()
})
afterAll(() => world.stop())

const rows = async (text: string, values: unknown[] = []) => (await database.query(text, values)).rows
const realmOf = async ({ id }: TestBusiness): Promise<number> =>
  (await rows(`select id from realms where business_id = $1 and mode = 'live'`, [id]))[0].id
const paid = anOrder({ paymentMethod: 'credits' })
const of = (kitType: string, quantity = 1) => ({ kitType, quantity })
const keptBody = (id: number, key: string) =>
  world.service.database.inRealm({ id, businessId: '', mode: 'live' }, { name: 'test' }, async (tx) => {
    return (await realmKeys(tx).find(key)).answer?.body
  })
const failures = () => world.logged.filter((line) => line.includes('a group failed')).length

async function expectSoundLedger(): Promise<void> {
  const wrong = await rows(`
    select b.realm_id from credit_balances b where b.available <> (
      select coalesce(sum(case when to_account = 'available' then amount when from_account = 'available' then -amount else 0 end), 0)
      from credit_transfers t where t.realm_id = b.realm_id and t.kit_type = b.kit_type)`)
  expect(wrong).toEqual([])
  const gaps = await rows(`
    select realm_id from orders group by 1 having min(seq) <> 1 or max(seq) <> count(*)
    union all select realm_id from credit_transfers group by 1 having min(seq) <> 1 or max(seq) <> count(*)
    union all select realm_id from kits group by 1 having min(seq) <> 1 or max(seq) <> count(*)`)
  expect(gaps).toEqual([])
}

describe('orders that arrive at once', () => {
  it('are placed together, across businesses, and each gets its own answer', async () => {
    const clinics = await Promise.all(Array.from({ length: 5 }, () => world.business({ credits: 50 })))
    const replies = await Promise.all(
      Array.from({ length: 150 }, (_, i) =>
        clinics[i % 5]?.live.post(
          '/create-order',
          { ...paid, externalID: `together-${i}` },
          { 'idempotency-key': `t${i}` },
        ),
      ),
    )
    expect(replies.map((reply) => reply?.status)).toEqual(replies.map(() => 201))
    const realms = await Promise.all(clinics.map(realmOf))
    const groups = await rows(
      `select xact, count(*)::int as orders, count(distinct realm_id)::int as realms from events
       where realm_id = any($1) and type = 'order.created' group by 1`,
      [realms],
    )
    expect(groups.reduce((sum, group) => sum + group.orders, 0)).toBe(150)
    // How many arrive while a group is written is the machine's; a busy one also places some alone, after 200 ms for a lock.
    expect(groups.length).toBeLessThan(150)
    expect(Math.max(...groups.map((group) => group.realms))).toBeGreaterThan(1)
    for (const [i, reply] of replies.entries()) {
      const [order] = await rows(
        `select o.external_id, a.actor, a.request_id from orders o
         join audit_entries a on a.realm_id = o.realm_id and a.object_id = o.id where o.id = $1 and o.realm_id = $2`,
        [reply?.body.orderId, realms[i % 5]],
      )
      expect(order.external_id).toBe(`together-${i}`)
      expect(await keptBody(Number(realms[i % 5]), `t${i}`)).toBe(reply?.text)
      expect(order.actor).toMatch(/^token:/)
      expect(order.request_id).toBe(reply?.headers.get('x-request-id'))
    }
    await expectSoundLedger()
  })

  it('take the credits to the last one and never one more, whatever their kit types', async () => {
    const clinic = await world.business({ credits: 30 })
    const wanted = Array.from({ length: 120 }, (_, i) =>
      i % 3 === 0 ? [of(CORE), of(CARDIO, 2)] : i % 3 === 1 ? [of(CORE)] : [of(CARDIO)],
    )
    const replies = await Promise.all(
      wanted.map((kit_types) => clinic.live.post('/create-order', { ...paid, kit_types })),
    )
    const spent = { [CORE]: 0, [CARDIO]: 0 }
    for (const [i, { status, body }] of replies.entries()) {
      if (status !== 201) expect([status, body.code]).toEqual([400, 'NOT_ENOUGH_CREDITS'])
      else for (const { kitType, quantity } of wanted[i] ?? []) spent[kitType as typeof CORE] += quantity
    }
    const balances = (await clinic.live.get('/credits')).body as { type: string; credits: number }[]
    for (const kitType of [CORE, CARDIO] as const) {
      expect(balances.find(({ type }) => type === kitType)?.credits).toBe(30 - spent[kitType])
    }
    // No order was refused that would still have fitted: one of the two types has no credits left.
    expect([30 - spent[CORE], 30 - spent[CARDIO]].some((left) => left === 0)).toBe(true)
    await expectSoundLedger()
  })

  it('do not fail with a poisoned neighbour', async () => {
    await database.query('reset role')
    await database.query(`
      create function poison() returns trigger language plpgsql as $$
      begin if new.external_id = 'poison' then raise exception 'poison' using errcode = '22000'; end if; return new; end $$;
      create trigger poison before insert on orders for each row execute function poison()`)
    await database.query('set role kitlane_system')
    const clinics = await Promise.all(Array.from({ length: 4 }, () => world.business({ credits: 100 })))
    const replies = await Promise.all(
      Array.from({ length: 80 }, (_, i) =>
        clinics[i % 4]?.live.post('/create-order', { ...paid, externalID: i % 10 === 3 ? 'poison' : 'well' }),
      ),
    )
    expect(replies.map((reply) => reply?.status)).toEqual(replies.map((_, i) => (i % 10 === 3 ? 400 : 201)))
    expect(failures()).toBeGreaterThan(0)
    await database.query('reset role; drop trigger poison on orders; set role kitlane_system')
    const [left] = await rows(
      `select sum(available)::int as left from credit_balances where kit_type = $1 and realm_id = any($2)`,
      [CORE, await Promise.all(clinics.map(realmOf))],
    )
    expect(left.left).toBe(4 * 100 - 72)
    await expectSoundLedger()
  })

  it('do not wait for the business whose balance somebody holds, and that one is answered once it is free', async () => {
    const [held, free] = [await world.business({ credits: 50 }), await world.business({ credits: 50 })]
    await database.query('begin')
    await database.query(`select from credit_balances where realm_id = $1 for update`, [await realmOf(held)])
    const place = async (clinic: TestBusiness, key: string) =>
      (await clinic.live.post('/create-order', paid, { 'idempotency-key': key })).status
    const waiting: Promise<number>[] = []
    /** Whether others were answered while the order that came before theirs still waited. */
    const passes = async (round: number): Promise<boolean> => {
      let isAnswered = false
      const before = place(held, `held-${round}`)
      waiting.push(before)
      void before.then(() => {
        isAnswered = true
      })
      const others = await Promise.all(Array.from({ length: 6 }, (_, n) => place(free, `free-${round}-${n}`)))
      expect(others).toEqual(others.map(() => 201))
      return !isAnswered
    }
    // Who waits for a lock is refused after two seconds, in which a busy machine may not answer the others.
    let rounds = 1
    while (!(await passes(rounds))) rounds++
    await database.query('rollback')
    // What was refused while it waited is placed when it is sent again.
    for (const [n, status] of (await Promise.all(waiting)).entries())
      expect(status === 503 ? await place(held, `held-${n + 1}`) : status).toBe(201)
    await expectSoundLedger()
  })

  it('go with cancellations at the same time, and every credit comes back once', async () => {
    const clinics = await Promise.all([world.business({ credits: 30 }), world.business({ credits: 30 })])
    const first = await Promise.all(
      Array.from({ length: 16 }, (_, i) => clinics[i % 2]?.live.post('/create-order', paid)),
    )
    const work = first.flatMap((reply, i) => {
      const clinic = clinics[i % 2]
      return [clinic?.live.post(`/orders/${reply?.body.orderId}/cancel`), clinic?.live.post('/create-order', paid)]
    })
    const statuses = (await Promise.all(work)).map((reply) => reply?.status)
    expect(new Set(statuses)).toEqual(new Set([200, 201]))
    for (const clinic of clinics) {
      const balances = (await clinic.live.get('/credits')).body as { type: string; credits: number }[]
      expect(balances.find(({ type }) => type === CORE)?.credits).toBe(22)
    }
    await expectSoundLedger()
  })

  it('with e-mails, low credits and webhooks cause what single ones cause', async () => {
    const clinic = await world.business({ credits: 10 })
    await clinic.live.post('/webhooks', { url: 'https://hooks.example.com/', enabled: false })
    await clinic.live.request('PATCH', '/settings', { lowCreditThreshold: 5, contactEmail: 'desk@clinic.test' })
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => clinic.live.post('/create-order', { ...paid, isNotifyReceiver: true })),
    )
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201))
    const realm = await realmOf(clinic)
    const count = async (sql: string) => (await rows(`select count(*)::int as n from ${sql}`, [realm]))[0].n
    expect(await count(`events where realm_id = $1 and type = 'credits.low'`)).toBe(1)
    await world.settled()
    expect((await clinic.live.get('/events?type=credits.low')).body.data).toMatchObject([{ data: { threshold: 5 } }])
    expect(await count(`webhook_deliveries where realm_id = $1`)).toBe(9)
    const emailsTo = (recipient: string) =>
      world.service.database.asSystem({ name: 'test' }, async (tx) => {
        return (await listEmails(tx, { businessIds: [clinic.id], recipient, page: 0, size: 100 })).total
      })
    expect(await emailsTo('ada@example.test')).toBe(8)
    expect(await emailsTo('desk@clinic.test')).toBe(1)
  })
})

it('the transaction of a group sees and writes the realms of its members only', async () => {
  const [mine, other] = [await realmOf(await world.business()), await realmOf(await world.business())]
  await database.query('reset role')
  const asGroup = async (statement: string) => {
    await database.query(
      `begin; set local role kitlane_app; set local role kitlane_placement; set local kitlane.realms = ',${mine},'`,
    )
    try {
      return (await database.query(statement)).rowCount
    } catch (err) {
      return (err as { code?: string }).code
    } finally {
      await database.query('rollback')
    }
  }
  const counter = (realm: number) => `update realm_counters set kits = kits + 1 where realm_id = ${realm}`
  const entry = (realm: number) =>
    `insert into audit_entries (realm_id, at, actor, action, object_type, object_id) values (${realm}, now(), 'x', 'x', 'x', 'x')`
  expect([await asGroup(counter(mine)), await asGroup(counter(other))]).toEqual([1, 0])
  expect([await asGroup(entry(mine)), await asGroup(entry(other))]).toEqual([1, '42501'])
  expect(await asGroup('select from realms')).toBe(1)
  expect(await asGroup(`select from credit_balances where realm_id <> ${mine}`)).toBe(0)
  // The role may do what placing needs and nothing else.
  for (const table of ['customers', 'orders', 'reports', 'tokens'])
    expect(await asGroup(`select from ${table}`)).toBe('42501')
  await database.query('set role kitlane_system')
})

/** Requests of several realms, in the order in which they arrive. */
interface Step {
  realm: number
  items: { kitType: string; quantity: number }[][]
  isBulk: boolean
  paymentMethod?: string
  flag?: boolean
  key?: string
}

const line = fc.record({
  kitType: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(CORE, CARDIO) },
    { weight: 1, arbitrary: fc.constant('NONE') },
  ),
  quantity: fc.integer({ min: 1, max: 3 }),
})
const items = fc.uniqueArray(line, { minLength: 1, maxLength: 2, selector: ({ kitType }) => kitType })
const step: fc.Arbitrary<Step> = fc.record(
  {
    realm: fc.nat(2),
    items: fc.array(items, { minLength: 1, maxLength: 3 }),
    isBulk: fc.boolean(),
    paymentMethod: fc.constantFrom('credits', undefined),
    flag: fc.constantFrom(false, undefined),
    key: fc.constantFrom('a', 'b', 'c', undefined),
  },
  { requiredKeys: ['realm', 'items', 'isBulk'] },
)
const settings = fc.record({
  insufficientCredits: fc.constantFrom('charge' as const, 'pending' as const, 'reject' as const),
  purchasingEnabled: fc.boolean(),
  lowCreditThreshold: fc.constantFrom(3, null),
})
const plan = fc.record({
  settings: fc.tuple(settings, settings, settings),
  steps: fc.array(step, { minLength: 2, maxLength: 16 }),
})
type Plan = typeof plan extends fc.Arbitrary<infer P> ? P : never

const requestOf = ({ items, isBulk, paymentMethod, flag }: Step): OrderRequest => ({
  orders: (isBulk ? items : items.slice(0, 1)).map((items) => ({
    recipient: {
      firstName: 'Ada',
      lastName: 'Example',
      email: 'ada@example.test',
      address: { ...address, country: 'US' },
    },
    items,
    externalTags: [],
    notify: false,
  })),
  isBulk,
  paymentMethod,
  flag,
})

const actor = { name: 'token:test', requestId: 'req_test' }

/** Places one request in its own transaction, without group commit. */
function single(realm: Realm, request: OrderRequest, key: IdempotencyKey | undefined): Promise<WireAnswer> {
  return world.service.database.inRealm(realm, actor, async (tx) => {
    const work = async () => {
      const ordering = await createOrders(tx, request, key?.key)
      if (ordering.kind === 'charging') throw new Error('no realm of this test has a card')
      return toWire(answerOf(ordering, request.isBulk))
    }
    return key ? once(realmKeys(tx), key, work, (err) => refusalToWire(err, actor.requestId)) : work()
  })
}

async function makeRealms({ settings }: Plan): Promise<Realm[]> {
  const realms: Realm[] = []
  for (const setting of settings) {
    realms.push(
      await world.service.database.asSystem({ name: 'cli' }, async (tx) => {
        const { business, live } = await onboard(tx, { name: 'Group', panels: [CORE, CARDIO], credits: 6 })
        await configure(tx, business.id, setting)
        return live
      }),
    )
  }
  return realms
}

const outcome = async (answer: Promise<WireAnswer>): Promise<WireAnswer> => {
  try {
    return await answer
  } catch (err) {
    if (!(err instanceof AppError)) throw err
    return { ...refusalToWire(err, actor.requestId), headers: { thrown: 'true' } }
  }
}

/** Runs a plan on new realms. Returns the answers and the rows in the database. */
async function run(given: Plan, how: (realm: Realm, step: Step) => Promise<WireAnswer>, isInTurn: boolean) {
  const realms = await makeRealms(given)
  const answers: WireAnswer[] = []
  const pending: Promise<WireAnswer>[] = []
  for (const step of given.steps) {
    const realm = realms[step.realm]
    if (!realm) throw new Error('no such realm')
    const answer = outcome(how(realm, step))
    if (isInTurn) answers.push(await answer)
    else pending.push(answer)
  }
  answers.push(...(await Promise.all(pending)))
  const state: unknown[] = []
  for (const { id } of realms) state.push(await stateOf(id))
  return JSON.parse(withoutIds(JSON.stringify({ answers, state })))
}

/** Replaces each identifier by the number of its first appearance, because identifiers differ between runs. */
function withoutIds(text: string): string {
  const seen = new Map<string, string>()
  return text.replaceAll(/\b[OK][0-9A-HJKMNP-TV-Z]{9}\b/g, (id) => {
    if (!seen.has(id)) seen.set(id, `id${seen.size}`)
    return seen.get(id) ?? ''
  })
}

const stateOf = async (realm: number) => ({
  orders: await rows(
    `select seq, id, status, sku, quantity, payment_method, payment_status, amount_minor, currency,
       (select jsonb_agg(jsonb_build_array(kit_type, quantity) order by kit_type) from order_items i where i.realm_id = o.realm_id and i.order_id = o.id) as items,
       (select jsonb_agg(jsonb_build_array(seq, kit_type, kit_status) order by seq) from kits k where k.realm_id = o.realm_id and k.order_id = o.id) as kits,
       (select jsonb_agg(jsonb_build_array(type, data - 'createdDate')) from events e where e.realm_id = o.realm_id and e.order_id = o.id) as events,
       (select jsonb_agg(jsonb_build_array(action, actor, request_id)) from audit_entries a where a.realm_id = o.realm_id and a.object_id = o.id) as audit
     from orders o where realm_id = $1 order by seq`,
    [realm],
  ),
  transfers: await rows(
    `select seq, kit_type, kind, amount, available_after, order_id, actor from credit_transfers where realm_id = $1 order by seq`,
    [realm],
  ),
  balances: await rows(`select kit_type, available, reserved from credit_balances where realm_id = $1 order by 1`, [
    realm,
  ]),
  counters: await rows(`select orders, kits, transfers from realm_counters where realm_id = $1`, [realm]),
  keys: await Promise.all(
    (await rows(`select key, status from idempotency_keys where realm_id = $1 order by 1`, [realm])).map(
      async ({ key, status }) => ({ key, status, body: status && (await keptBody(realm, key)) }),
    ),
  ),
  low: await rows(`select data from events where realm_id = $1 and type = 'credits.low' order by position`, [realm]),
})

const keyOf = ({ key, ...step }: Step): IdempotencyKey | undefined =>
  key === undefined ? undefined : { key, fingerprint: Buffer.from(JSON.stringify(step)) }

function inGroups(groupCommit: GroupCommit, alones: { count: number }) {
  const group = startGroupCommit(world.service.database, groupCommit, createLogger({ level: 'silent' }))
  return (realm: Realm, step: Step): Promise<WireAnswer> => {
    const request = requestOf(step)
    if (!mayJoinGroup(request)) throw new Error('every request of this test joins a group')
    const alone = () => {
      alones.count++
      return single(realm, request, keyOf(step))
    }
    const asked = { request, headers: {} }
    return group.add({ realm, actor, input: asked, key: keyOf(step), requestId: actor.requestId, alone })
  }
}

const compare = async (given: Plan, groupCommit: GroupCommit, alones = { count: 0 }) => {
  const oneByOne = await run(given, (realm, step) => single(realm, requestOf(step), keyOf(step)), true)
  const grouped = await run(given, inGroups(groupCommit, alones), false)
  expect(grouped).toEqual(oneByOne)
}

const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))

describe('a group does what one request after the other does', () => {
  it(`for any requests of several businesses (SEED=${SEED})`, async () => {
    const alones = { count: 0 }
    await fc.assert(
      fc.asyncProperty(plan, (given) => compare(given, orderGroup as GroupCommit, alones)),
      { seed: SEED, numRuns: runsOf(25), endOnFailure: true },
    )
    expect(alones.count).toBe(0)
  })

  it('and a group that forgets the order of arrival is found', async () => {
    const reversed: GroupCommit = {
      ...(orderGroup as GroupCommit),
      async open(tx, members, ahead) {
        const answer = await (orderGroup as GroupCommit).open(tx, members, ahead)
        return async (fresh) => {
          const { outcomes, writes } = await answer(fresh.toReversed())
          return { outcomes: outcomes.toReversed(), writes }
        }
      },
    }
    const isFound = fc.assert(
      fc.asyncProperty(plan, (given) => compare(given, reversed)),
      { seed: SEED, numRuns: 25, endOnFailure: true },
    )
    await expect(isFound).rejects.toThrow()
  })
})

describe('a group that begins while the one before it is written', () => {
  const log = createLogger({ level: 'silent' })
  const asked = () => ({
    request: requestOf({ realm: 0, items: [[of(CORE)]], isBulk: false, paymentMethod: 'credits' }),
    headers: {},
  })
  const never = async () => {
    throw new Error('a request was performed alone')
  }
  const addTo = (collector: ReturnType<typeof startGroupCommit>, realm: Realm, key?: IdempotencyKey) =>
    outcome(collector.add({ realm, actor, input: asked(), requestId: 'req_test', alone: never, ...(key && { key }) }))
  const onboarded = (credits: number) =>
    world.service.database.asSystem(
      { name: 'cli' },
      async (tx) => (await onboard(tx, { name: 'Overlap', panels: [CORE], credits })).live,
    )
  const available = async ({ id }: Realm) =>
    (await rows(`select available::int from credit_balances where realm_id = $1`, [id]))[0].available as number

  // Without a transfer, whose number would give the change away as well.
  const setBalance = ({ id }: Realm, credits: number) =>
    database.query('update credit_balances set available = $2 where realm_id = $1', [id, credits])

  /** Places orders as ever, but between what the first group reads and what it writes, somebody takes all credits. */
  const overtaken = (realm: Realm, claims: 'kept' | 'forgotten'): GroupCommit => {
    const group = orderGroup as GroupCommit
    let taken: Promise<unknown> | undefined
    return {
      ...group,
      async open(tx, members, ahead) {
        const isClaim = (query: unknown) => /_claim$/.test((query as { name?: string }).name ?? '')
        const rows: typeof tx.rows = (query) => (isClaim(query) ? Promise.resolve([]) : tx.rows(query))
        const answer = await group.open(claims === 'kept' ? tx : { ...tx, rows }, members, ahead)
        taken ??= setBalance(realm, 0)
        await taken
        return answer
      },
    }
  }
  const placeTwo = (realm: Realm, group: GroupCommit) => {
    const collector = startGroupCommit(world.service.database, group, log)
    return Promise.all([addTo(collector, realm), addTo(collector, realm)])
  }

  it('is decided again where another took the credits meanwhile', async () => {
    const realm = await onboarded(5)
    const answers = await placeTwo(realm, overtaken(realm, 'kept'))
    expect(answers.map(({ status }) => status)).toEqual([400, 400])
    expect(await available(realm)).toBe(0)
    await setBalance(realm, 5)
    await expectSoundLedger()
  })

  it('is decided again even if its e-mails were refused with its claim', async () => {
    const realm = await onboarded(5)
    const group = overtaken(realm, 'kept')
    const notified: GroupCommit = {
      ...group,
      open: (tx, members, ahead) => {
        for (const { input: asked } of members as readonly Member<GroupedRequest>[])
          for (const order of asked.request.orders) order.notify = true
        return group.open(tx, members, ahead)
      },
    }
    expect((await placeTwo(realm, notified)).map(({ status }) => status)).toEqual([400, 400])
    await setBalance(realm, 5)
    await expectSoundLedger()
  })

  it('and one that forgets its claims is found', async () => {
    const realm = await onboarded(5)
    const answers = await placeTwo(realm, overtaken(realm, 'forgotten'))
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    // Three are left of the five that were there: none of it was seen.
    expect(await available(realm)).toBe(3)
  })

  it('waits with its second use of a key for the first', async () => {
    const realm = await onboarded(5)
    const collector = startGroupCommit(world.service.database, orderGroup as GroupCommit, log)
    const key = { key: 'twice', fingerprint: Buffer.alloc(32, 1) }
    const answers: Promise<WireAnswer>[] = []
    for (let n = 0; n < 6; n++) {
      answers.push(addTo(collector, realm, key))
      await new Promise((resolve) => setImmediate(resolve))
    }
    const bodies = (await Promise.all(answers)).map(({ body }) => body)
    expect(new Set(bodies).size).toBe(1)
    expect(await available(realm)).toBe(4)
  })

  it(`loses, doubles and misnumbers nothing beside another process (SEED=${SEED})`, async () => {
    const realms = await Promise.all([onboarded(200), onboarded(200), onboarded(200)])
    const collectors = [0, 1].map(() => startGroupCommit(world.service.database, orderGroup as GroupCommit, log))
    const random = fc.sample(fc.record({ collector: fc.nat(1), realm: fc.nat(2), turns: fc.nat(3) }), {
      seed: SEED,
      numRuns: 300,
    })
    const answers: Promise<WireAnswer>[] = []
    for (const { collector, realm, turns } of random) {
      const [one, of] = [collectors[collector], realms[realm]]
      if (one && of) answers.push(addTo(one, of))
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
    }
    expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([201]))
    const left = await Promise.all(realms.map(available))
    expect(left.reduce((sum, n) => sum + n, 0)).toBe(600 - 300)
    await expectSoundLedger()
  })
})

describe('statements that are sent together', () => {
  const inSystem = <T>(work: (tx: SystemTx) => Promise<T>) => world.service.database.asSystem({ name: 'test' }, work)
  const named = statement<{ one: number }, [number]>('test_sent_together', 'select $1::int as one')

  it('are an order alone in two messages to the database, with two answers', async () => {
    const clinic = await world.business()
    // Of each connection, since its BEGIN: how many messages, and what was in them.
    const open = new Map<Connection, { messages: number; statements: string[] }>()
    const perOrder: number[] = []
    const { bind, sync } = Connection.prototype
    Connection.prototype.bind = function (config, more) {
      const name = config?.statement ?? ''
      if (name === 'begin') open.set(this, { messages: 0, statements: [] })
      open.get(this)?.statements.push(name)
      return bind.call(this, config, more)
    }
    Connection.prototype.sync = function () {
      const transaction = open.get(this)
      if (transaction) transaction.messages++
      if (transaction?.statements.at(-1) === 'commit') {
        open.delete(this)
        if (transaction.statements.includes('orders_insert')) perOrder.push(transaction.messages)
      }
      return sync.call(this)
    }
    try {
      // What the event loop of a busy process brings in another turn leaves in a message of its own.
      for (let n = 0; n < 30 && !perOrder.includes(2); n++)
        expect((await clinic.live.post('/create-order', paid)).status).toBe(201)
    } finally {
      Object.assign(Connection.prototype, { bind, sync })
    }
    expect(Math.min(...perOrder)).toBe(2)
  })

  it('change nothing if one of them fails, which has its own error, and leave the connection as it was', async () => {
    const outcomes = await inSystem(async (tx) => {
      const sent = [tx.rows(named(1)), tx.rows(sql`select 1 / ${0}::int`), tx.rows(named(2)), tx.run(sql`select 3`)]
      const settled = await Promise.allSettled(sent)
      await expect(tx.rows(sql`select 4`)).rejects.toThrow('current transaction is aborted')
      throw Object.assign(new Error('done'), { settled })
    }).catch((err) => err.settled)
    expect(outcomes[0]).toEqual({ status: 'fulfilled', value: [{ one: 1 }] })
    expect(outcomes[1].reason).toMatchObject({ code: '22012' })
    expect(outcomes[2].reason).toMatchObject({ cause: outcomes[1].reason })
    expect(outcomes[3].reason).toMatchObject({ cause: outcomes[1].reason })
    expect(await inSystem((tx) => Promise.all([tx.row(named(5)), tx.row(named(6))]))).toEqual([{ one: 5 }, { one: 6 }])
  })

  it('are parsed again where a failure before them kept the server from it', async () => {
    const late = statement<{ late: number }, []>('test_parsed_late', 'select 7 as late')
    await inSystem((tx) => Promise.all([tx.rows(sql`select 1 / ${0}::int`), tx.rows(late())])).catch(() => undefined)
    expect(await inSystem((tx) => tx.row(late()))).toEqual({ late: 7 })
    expect(await inSystem((tx) => tx.row(late()))).toEqual({ late: 7 })
  })

  it('answer each by itself where one has a value that cannot be read, and run before what is asked of the connection later', async () => {
    const { large, next, direct } = await inSystem(async (tx) => {
      const sent = [
        tx.rows(sql`select 9007199254740993::bigint as large`),
        tx.rows(sql`set local kitlane.realms = 'mark'`),
      ]
      const asked = tx.client.query(`select current_setting('kitlane.realms') as mark`)
      const [large, next] = await Promise.allSettled(sent)
      return { large, next, direct: await asked }
    })
    expect(large).toMatchObject({ status: 'rejected', reason: expect.any(RangeError) })
    expect(next).toMatchObject({ status: 'fulfilled', value: [] })
    expect(direct.rows).toEqual([{ mark: 'mark' }])
  })
})
