import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomBase62 } from '../../src/domain/ids.ts'
import { allOperatorScopes, type OperatorScope } from '../../src/domain/scopes.ts'
import { checkLedger } from '../../src/modules/credits/verify.ts'
import { routesFor } from '../../src/modules/index.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { anOrder, CARDIO, CORE } from '../harness/orders.ts'
import { person, requestAccess, signIn } from '../harness/people.ts'
import { sharedWorld, type World } from '../harness/world.ts'

let world: World
let operator: Operator
beforeAll(async () => {
  world = await sharedWorld()
  operator = await operatorWith(world, allOperatorScopes)
})
afterAll(() => world.stop())

describe('every route of the operator', () => {
  it('wants a token of the operator, with its scope', async () => {
    const clinic = await world.business()
    const foreign = world.as(clinic.liveToken)
    const callers = new Map<string, Operator>()
    /** A token with every scope except these. `lab` would include `review`. */
    async function without(scopes: readonly OperatorScope[]): Promise<Operator> {
      const missing = scopes.includes('review') ? [...scopes, 'lab'] : scopes
      const rest = allOperatorScopes.filter((scope) => !missing.includes(scope))
      const caller = callers.get(rest.join()) ?? (await operatorWith(world, rest))
      callers.set(rest.join(), caller)
      return caller
    }
    expect(routesFor('operator').length).toBeGreaterThan(25)
    for (const { method, path, scope } of routesFor('operator')) {
      const url = path.replaceAll(/:\w+/g, 'x')
      const call = (headers: Record<string, string>) =>
        fetch(`${world.service.url}/operator/v1${url}`, { method, headers }).then(({ status }) => status)
      expect([path, await call({})]).toEqual([path, 401])
      expect([path, await call({ authorization: `Token ${foreign.token}` })]).toEqual([path, 403])
      if (scope === undefined) continue
      const { status, body } = await (await without([scope].flat()))(method, url)
      expect([path, status, body.code]).toEqual([path, 403, 'FORBIDDEN'])
    }
  })
})

describe('a business', () => {
  it('is made with tokens that can order at once, and found by its ID or part of its name', async () => {
    const name = `Größe & Söhne ${randomBase62(6)} 100%`
    const made = await operator('POST', '/businesses', { name, panels: [CORE], credits: 2 })
    expect(made.status).toBe(201)
    const { business, liveToken, sandboxToken } = made.body
    expect((await world.as(liveToken).post('/create-order', anOrder())).status).toBe(201)
    expect((await world.as(sandboxToken).post('/create-order', anOrder())).status).toBe(201)
    for (const q of [business.id, name.toUpperCase().slice(8, 20), '100%']) {
      const { body } = await operator('GET', `/businesses?q=${encodeURIComponent(q)}`)
      expect(body.data.find(({ id }: { id: string }) => id === business.id)).toMatchObject({
        name,
        panels: 1,
        kitsInFlight: 1,
        credits: { live: 1 },
        users: 0,
      })
    }
    expect((await operator('GET', '/businesses?q=100%25_nobody')).body.data).toEqual([])
  })

  it('is shown with its panels, credits, settings and users, and changed in both modes', async () => {
    const clinic = await world.business({ credits: 5, panels: [CORE] })
    const name = `Renamed ${randomBase62(6)}`
    const change = { name, uploadsEnabled: true, rateLimitPerMinute: 4321, lowCreditThreshold: 3 }
    const changed = await operator('PATCH', `/businesses/${clinic.id}`, change)
    expect(changed.status).toBe(200)
    expect(changed.body).toMatchObject({
      id: clinic.id,
      name,
      rateLimitPerMinute: 4321,
      users: [],
      settings: {
        live: { name, uploadsEnabled: true, lowCreditThreshold: 3 },
        sandbox: { name, uploadsEnabled: true, lowCreditThreshold: 3 },
      },
      credits: [
        { mode: 'live', type: CORE, available: 5 },
        { mode: 'sandbox', type: CORE, available: 1000 },
      ],
    })
    expect(changed.body.panels.filter((panel: { provisioned: boolean }) => panel.provisioned)).toMatchObject([
      { kitType: CORE, price: { amount: 19_900, currency: 'USD' } },
    ])
    expect((await clinic.live.get('/settings')).body).toMatchObject({ name, uploadsEnabled: true })
    expect((await operator('GET', `/businesses/${clinic.id}`)).body).toEqual(changed.body)
    const nobody = await operator('PATCH', '/businesses/biz_nobody', { name })
    expect([nobody.status, nobody.body.code]).toEqual([404, 'BUSINESS_NOT_FOUND'])
  })

  it('gets panels at a price, and credits whose reason is in its ledger', async () => {
    const clinic = await world.business({ credits: 0, panels: [CORE] })
    const panels = await operator('POST', `/businesses/${clinic.id}/panels`, {
      kitTypes: [CARDIO],
      price: 1500,
      currency: 'EUR',
    })
    expect(panels.body.panels.find(({ kitType }: { kitType: string }) => kitType === CARDIO)).toMatchObject({
      provisioned: true,
      price: { amount: 1500, currency: 'EUR' },
    })
    const credits = await operator('POST', `/businesses/${clinic.id}/credits`, {
      type: CARDIO,
      amount: 7,
      reason: 'invoice 1042',
    })
    expect(credits.body.credits).toContainEqual({ mode: 'live', type: CARDIO, available: 7 })
    const [entry] = (await clinic.live.get('/credits/transactions')).body.data
    expect(JSON.stringify(entry)).toContain('invoice 1042')
    const refused = [
      await operator('POST', `/businesses/${clinic.id}/credits`, { type: CARDIO, amount: -7, reason: 'x' }),
      await operator('POST', `/businesses/${clinic.id}/credits`, { type: 'NOTHING', amount: 7, reason: 'x' }),
      await operator('POST', `/businesses/${clinic.id}/panels`, { kitTypes: ['NOTHING'] }),
    ]
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual([
      [400, 'VALIDATION_FAILED'],
      [404, 'PANEL_NOT_FOUND'],
      [404, 'PANEL_NOT_FOUND'],
    ])
  })

  it('gets a user by invitation: without a mail server a person sees the link, and a machine cannot invite', async () => {
    const clinic = await world.business()
    const path = `/businesses/${clinic.id}/users`
    const email = `${randomBase62(8)}@example.test`
    const byMachine = await operator('POST', path, { email, role: 'business-admin' })
    expect([byMachine.status, byMachine.body.code]).toEqual([403, 'FEATURE_NOT_ENABLED'])
    const session = await signIn(world, await person(world, 'operator-admin'))
    await requestAccess(session, clinic)
    const staff = session.operator
    const invited = await staff.post(path, { email, role: 'business-admin' })
    expect(invited.status).toBe(201)
    expect(invited.body).toMatchObject({ user: { role: 'business-admin', status: 'invited' } })
    expect(invited.body.invitationUrl).toContain('/app/invitation#')
    expect((await operator('GET', `/businesses/${clinic.id}`)).body.users).toMatchObject([{ status: 'invited' }])
    expect((await staff.post(path, { email, role: 'operator-admin' })).status).toBe(400)
  })

  it('is made without tokens by a machine that may not let anyone into it', async () => {
    const machine = await operatorWith(world, ['businesses'])
    const made = await machine('POST', '/businesses', { name: `Quiet ${randomBase62(6)}`, panels: [CORE], credits: 2 })
    expect([made.status, Object.keys(made.body)]).toEqual([201, ['business']])
    const { body } = await machine('GET', `/businesses/${made.body.business.id}`)
    expect(body.credits).toContainEqual({ mode: 'live', type: CORE, available: 2 })
  })
})

describe('the search of the operator', () => {
  it('finds kits, orders and people of every business, and only what the caller’s scopes show', async () => {
    const last = `Quillon${randomBase62(5)}`
    const [one, other] = [await world.business({ name: 'One' }), await world.business({ name: 'Other' })]
    const recipient = { ...anOrder().recipient, last_name: last }
    const orders = await Promise.all([one, other].map(({ live }) => live.post('/create-order', anOrder({ recipient }))))
    await one.sandbox.post('/create-order', anOrder({ recipient }))
    const kits = (await one.live.get(`/kits?orderID=${orders[0]?.body.orderId}`)).body
    const kitID: string = kits[0].kitID
    const person = {
      firstName: 'Ünal',
      lastName: last,
      email: `${last}@example.test`,
      dateOfBirth: '1980-01-02',
      sex: 'F',
    }
    const { body: registered } = await one.live.post(`/kits/${kitID}/register`, person)
    const search = async (caller: Operator, q: string) => {
      const { body } = await caller('GET', `/search?q=${encodeURIComponent(q)}`)
      return body.map(({ kind, id, business }: { kind: string; id: string; business: { name: string } }) =>
        [kind, id, business.name].join(' '),
      )
    }
    const customer = `customer ${registered.customerId} One`
    const ofOrders = [`order ${orders[1]?.body.orderId} Other`, `order ${orders[0]?.body.orderId} One`]
    expect((await search(operator, last.toUpperCase())).sort()).toEqual([customer, ...ofOrders].sort())
    expect(await search(operator, `unal ${last}`)).toEqual([customer])
    expect(await search(operator, kitID.toLowerCase())).toEqual([`kit ${kitID} One`, ofOrders[1]])
    expect((await search(await operatorWith(world, ['fulfilment']), last)).sort()).toEqual([...ofOrders].sort())
    expect(await search(operator, '')).toEqual([])
    const { body } = await operator('GET', `/search?q=${last}`)
    expect(body.find(({ kind }: { kind: string }) => kind === 'customer')).toMatchObject({
      kitID,
      title: `Ünal ${last}`,
    })
  })
})

describe('an Idempotency-Key of the operator', () => {
  const keyed = (key: string) => ({ 'idempotency-key': key })
  const made = async (name: string) => (await operator('GET', `/businesses?q=${name}`)).body.pagination.total

  it('makes a request count once, however often and at once it is sent, and gives the first answer again', async () => {
    const name = `Once${randomBase62(10)}`
    const key = randomBase62(20)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => operator('POST', '/businesses', { name }, keyed(key))),
    )
    const [first] = answers.filter(({ headers, status }) => status === 201 && !headers.has('idempotent-replayed'))
    for (const { status, text } of answers) if (status !== 409) expect([status, text]).toEqual([201, first?.text])
    const again = await operator('POST', '/businesses', { name }, keyed(key))
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first?.text, 'true'])
    expect(await made(name)).toBe(1)
  })

  it('is refused with another body, and belongs to its sender', async () => {
    const key = randomBase62(20)
    const [name, other] = [`A${randomBase62(10)}`, `B${randomBase62(10)}`]
    expect((await operator('POST', '/businesses', { name }, keyed(key))).status).toBe(201)
    expect((await operator('POST', '/businesses', { name: other }, keyed(key))).body.code).toBe('IDEMPOTENCY_MISMATCH')
    const colleague = await operatorWith(world, ['businesses'])
    expect((await colleague('POST', '/businesses', { name: other }, keyed(key))).status).toBe(201)
    const csv = (text: string) =>
      operator('POST', '/fulfilment/shipments/csv', `kitID,carrier,outbound\n${text}`, {
        'content-type': 'text/csv',
        ...keyed(`csv${key}`),
      })
    expect((await csv('K1,UPS,1Z999')).status).toBe(200)
    expect((await csv('K2,UPS,1Z999')).body.code).toBe('IDEMPOTENCY_MISMATCH')
  })

  it('keeps a mistake of the request, and tries again what a later change can turn', async () => {
    const ship = (key: string, body: unknown) => operator('POST', '/fulfilment/shipments', body, keyed(key))
    const mistake = randomBase62(20)
    const refused = await ship(mistake, {})
    const again = await ship(mistake, {})
    expect([refused.status, again.text]).toEqual([400, refused.text])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const early = randomBase62(20)
    const unknown = { kitID: 'K000000000', carrier: 'UPS', outboundTrackingNumber: '1Z1234' }
    expect((await ship(early, unknown)).status).toBe(404)
    const tried = await ship(early, unknown)
    expect([tried.status, tried.headers.get('idempotent-replayed')]).toEqual([404, null])
  })

  it('keeps no token in clear', async () => {
    const { body } = await operator('POST', '/businesses', { name: 'Sealed' }, keyed(randomBase62(20)))
    const owner = await world.owner()
    const { rows } = await owner.query<{ answer: Buffer }>(
      'select coalesce(sealed, answer) as answer from operator_idempotency_keys',
    )
    const kept = Buffer.concat(rows.map(({ answer }) => answer)).toString('latin1')
    expect(kept.length).toBeGreaterThan(100)
    for (const token of [body.liveToken, body.sandboxToken]) expect(kept).not.toContain(token)
  })
})

describe('the catalogue of the operator', () => {
  it('lists every biomarker and every panel, provisioned or not', async () => {
    const [biomarkers, panels] = [await operator('GET', '/biomarkers'), await operator('GET', '/panels')]
    expect(biomarkers.body.length).toBeGreaterThan(90)
    expect(panels.body.map(({ kitType }: { kitType: string }) => kitType)).toContain(CORE)
    expect(panels.body.length).toBeGreaterThanOrEqual(5)
  })
})

describe('jobs', () => {
  const QUEUE = 'access.purge-idempotency-keys'
  async function failedJob(output: object): Promise<string> {
    const owner = await world.owner()
    await owner.query('reset role')
    const { rows } = await owner.query<{ id: string }>(
      `insert into pgboss.job (name, data, state, retry_limit, retry_count, completed_on, output)
       values ($1, '{}', 'failed', 2, 2, now(), $2) returning id`,
      [QUEUE, output],
    )
    return rows[0]?.id ?? ''
  }

  it('are counted by kind, and those by the clock say when', async () => {
    await failedJob({})
    const { body } = await operator('GET', '/jobs')
    expect(body.find(({ name }: { name: string }) => name === QUEUE)).toMatchObject({ active: 0, cron: '17 * * * *' })
    expect(body.find(({ name }: { name: string }) => name === QUEUE).failed).toBeGreaterThan(0)
    expect(body.filter(({ name }: { name: string }) => name.startsWith('__'))).toEqual([])
  })

  it('that failed say what kind of error it was, and are tried again', async () => {
    const id = await failedJob({
      message: 'job failed: Ada Example',
      reason: { type: 'DatabaseError', code: '23505', stack: ['at x'] },
    })
    const find = async () =>
      (await operator('GET', '/jobs/failed?size=250')).body.data.find((one: { id: string }) => one.id === id)
    expect(await find()).toMatchObject({ name: QUEUE, attempts: 3, error: 'DatabaseError 23505' })
    expect((await operator('POST', `/jobs/failed/${id}/retry`)).body).toEqual({ id, status: 'queued' })
    expect(await find()).toBeUndefined()
    const owner = await world.owner()
    await owner.query('reset role')
    await expect
      .poll(async () => (await owner.query('select state from pgboss.job where id = $1', [id])).rows[0]?.state)
      .toBe('completed')
    expect((await operator('POST', `/jobs/failed/${id}/retry`)).body.code).toBe('JOB_NOT_FOUND')
    expect((await operator('POST', '/jobs/failed/nothing/retry')).body.code).toBe('JOB_NOT_FOUND')
  })
})

it('the system says how it is doing, and how the ledger came out when it was added up last', async () => {
  await checkLedger(world.service.database, { name: 'job:test' }, { which: 'whole' })
  const { status, body } = await operator('GET', '/system')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    version: '0.1.0',
    node: process.versions.node,
    mail: { configured: false, failed: 0 },
    ledger: { ok: true },
  })
  expect(body.postgres.sizeBytes).toBeGreaterThan(1_000_000)
  expect(body.postgres.connections).toBeGreaterThan(0)
  expect(body.migrations.version).toBeGreaterThan(13)
  expect(body.businesses).toBeGreaterThan(0)
})

it('the overview counts what waits, by what the caller may see', async () => {
  const clinic = await world.business()
  const counted = async () => {
    // Jobs that other files have caused raise alarms, and fail, whenever they run.
    const { alarms: _, failedJobs: __, ...counts } = (await operator('GET', '/overview')).body
    return counts
  }
  // What other files have uploaded may still be read.
  const reading = `select from pgboss.job where name in ('lab.read-file', 'lab.recognise') and state in ('created', 'active')`
  const owner = await world.owner()
  await expect.poll(async () => (await owner.query(reading)).rowCount).toBe(0)
  const before = await counted()
  const { orderId } = (await clinic.live.post('/create-order', anOrder())).body
  const kitID = (await clinic.live.get(`/orders/${orderId}`)).body.kits[0].kitID
  expect(await counted()).toEqual({ ...before, toPack: before.toPack + 1 })
  const shipment = { kitID, carrier: 'UPS', outboundTrackingNumber: '1ZOVERVIEW', returnTrackingNumber: '94OVERVIEW' }
  await operator('POST', '/fulfilment/shipments', shipment)
  const at = new Date(Date.now() - 3_600_000).toISOString()
  const carrierEvent = (trackingNumber: string, status: string) => ({ trackingNumber, status, at })
  await operator('POST', '/carrier-events', [
    carrierEvent('94OVERVIEW', 'delivered'),
    carrierEvent('1ZNOBODY', 'delivered'),
  ])
  expect(await counted()).toEqual({
    ...before,
    toReceive: before.toReceive + 1,
    atTheDoor: before.atTheDoor + 1,
    unmatchedParcels: before.unmatchedParcels + 1,
  })
  const fields = async (...scopes: Parameters<typeof operatorWith>[1]) =>
    Object.keys((await (await operatorWith(world, scopes))('GET', '/overview')).body).toSorted()
  expect(await fields('fulfilment')).toEqual([
    'cameBack',
    'lateKits',
    'lowStock',
    'recalledKits',
    'toPack',
    'toSendAgain',
    'unmatchedParcels',
    'waitingAtWarehouses',
    'waitingLabels',
  ])
  expect(await fields('lab')).toEqual([
    'atTheDoor',
    'critical',
    'heldSamples',
    'inReview',
    'noticesToTell',
    'overdueNotices',
    'toDiscardSoon',
    'toReceive',
    'unassessed',
    'unmatched',
    'uploadsToReview',
    'waitingLabOrders',
  ])
  expect(await fields('catalogue')).toEqual([])
  expect(await fields('system', 'mail')).toEqual(['failedEmails', 'failedJobs'])
})
