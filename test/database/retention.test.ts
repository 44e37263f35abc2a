import type { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { configure } from '../../src/modules/businesses/service.ts'
import { purge } from '../../src/modules/privacy/retention/run.ts'
import { receiveResults } from '../../src/modules/reports/versions/receive.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { type CommandLine, commandLine } from '../harness/command-line.ts'
import { dumpOf } from '../harness/in-clear.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { httpReceiver, type Receiver } from '../harness/receivers.ts'
import { sealedValues } from '../harness/sealed-values.ts'
import { waitUntil } from '../harness/wait.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const DAY = 24 * 3_600_000
const clock = manualClock(new Date('2026-03-01T08:00:00Z'))
const reason = 'Court order 17 of 2026'
let world: World
let owner: Client
let operator: Operator
let cli: CommandLine
let receiver: Receiver
let clinic: TestBusiness

beforeAll(async () => {
  world = await ownWorld('sets the clock', {}, { clock })
  owner = await world.owner()
  operator = await operatorWith(world, ['businesses', 'fulfilment', 'lab', 'audit', 'mail'])
  cli = await commandLine(world.urls.owner, world.encryptionKey)
  // Answers with what it was sent, as a careless receiver does.
  receiver = await httpReceiver((request, response) => void request.pipe(response))
})
beforeEach(async () => {
  clinic = await world.business()
})
afterAll(async () => {
  await receiver.stop()
  await cli.close()
  await world.stop()
})

const rowsOf = async (query: string, values: unknown[] = []) => (await owner.query(query, values)).rows
const ok = async (method: string, path: string, body?: object, by = clinic.live) => {
  const reply = await by.request(method, path, body)
  expect(reply.status, reply.text).toBeLessThan(300)
  return reply.body
}
const asOperator = async (method: string, path: string, body?: object, headers = {}) => {
  const reply = await operator(method, path, body, headers)
  expect(reply.status, reply.text).toBeLessThan(300)
  return reply.body
}
const terms = (change: object) => asOperator('PATCH', '/retention', { businessID: clinic.id, ...change })
const run = (signal = new AbortController().signal) =>
  purge(world.service.database, { name: 'job:retention.purge' }, { signal })
const kept = async (): Promise<Record<string, number>> => {
  const rows = await rowsOf(
    `select kind, count(*)::int as n from kept_records k join realms r on r.id = k.realm_id
     where r.business_id = $1 group by 1 order by 1`,
    [clinic.id],
  )
  return Object.fromEntries(rows.map(({ kind, n }) => [kind, n]))
}
const audited = async (action: string) =>
  rowsOf(
    `select e.object_id as id, e.details from audit_entries e join realms r on r.id = e.realm_id
     where r.business_id = $1 and e.action = $2 order by e.id`,
    [clinic.id, action],
  )

/** In which tables a text is, in clear or sealed. */
async function tablesWith(text: string): Promise<string[]> {
  const { database } = world.service
  const holds = (part: string) => part.toLowerCase().includes(text)
  const clear = (await dumpOf(database)).split('\n').filter(holds)
  const sealed = (await sealedValues(database)).filter((value) => holds(value.text))
  const names = [...clear.map((line) => line.split(' ')[0] ?? ''), ...sealed.map(({ name }) => name)]
  return [...new Set(names.map((name) => name.replace(/^public\.|\.sealed.*$/g, '')))].sort()
}

let people = 0

/** A person with an order, a registered kit and a report. `post` brings the kit to them. */
async function somebody(post: (kit: string, name: string) => Promise<void> = async () => {}) {
  const name = `quill${++people}feather`
  const email = `${name}@erased.example`
  const address = { street1: `1 ${name} Road`, city: 'Town', state: 'CA', zip: '90417' }
  const recipient = { first_name: 'Xenia', last_name: name, email, address }
  const { orderId } = await ok('POST', '/create-order', { recipient, kit_types: [{ kitType: 'ED1NL4E3L' }] })
  const { kits } = await ok('GET', `/orders/${orderId}`)
  const kit: string = kits[0].kitID
  await post(kit, name)
  const who = { firstName: 'Xenia', lastName: name, email }
  await ok('POST', `/kits/${kit}/consent`, { ...who, consentVersion: 'v1', consentToTesting: true })
  await ok('POST', `/kits/${kit}/register`, { ...who, dateOfBirth: '1971-03-04', sex: 'F' })
  const [{ id }] = await rowsOf('select customer_id::int8::text as id from kits where id = $1', [kit])
  const biomarkerData = [{ name: 'LDL Cholesterol', result: 97, unit_of_measure: 'mg/dL' }]
  const data = { type: 'test', userId: id, date: '2026-02-27', biomarkerData }
  const { reportId } = await ok('POST', '/customer/add-data', data)
  return { id: Number(id), name, email, kit, orderId, report: reportId as string }
}

/** Also with a laboratory's file, a quiz, and what carriers and receivers of webhooks said. */
async function somebodyKnown() {
  const hook = await ok('POST', '/webhooks', { url: `http://127.0.0.1:${receiver.port}/hook` })
  const number = `1Z${String(people).padStart(16, '0')}`
  const person = await somebody(async (kitID, name) => {
    const labels = { kitID, carrier: 'UPS', outboundTrackingNumber: number, returnTrackingNumber: `94${number}` }
    await asOperator('POST', '/fulfilment/shipments', labels, { 'idempotency-key': `ship-${people}` })
    const at = clock.now().toISOString()
    const message = `Refused by ${name} at the door`
    await asOperator('POST', '/carrier-events', [{ trackingNumber: number, status: 'exception', at, message }])
  })
  const { name, id: userId } = person
  await world.service.database.asSystem({ name: 'cli' }, (tx) => configure(tx, clinic.id, { uploadsEnabled: true }))
  const file = `Patient,Test,Result,Units\nXenia ${name},LDL Cholesterol,97,mg/dL`
  const fileBlob = `data:text/csv;base64,${Buffer.from(file).toString('base64')}`
  await ok('POST', '/customer/add-data', { type: 'file', userId: String(userId), date: '2026-02-26', fileBlob })
  const quizData = [{ question: 'Who?', answer: `quiz of ${name}` }]
  const quiz = { type: 'quiz', userId: String(userId), quizName: 'q', date: '2026-02-27', quizData }
  await ok('POST', '/customer/add-data', quiz)
  await waitUntil(async () => {
    const answered = await rowsOf(
      `select 1 from webhook_attempts a join webhook_deliveries d on d.id = a.delivery_id
       where d.endpoint_id = $1 and a.sealed is not null`,
      [hook.id],
    )
    return answered.length > 2
  })
  return { ...person, hook: hook.id as string, number }
}
type Known = Awaited<ReturnType<typeof somebodyKnown>>
const erase = (id: number) => ok('DELETE', `/customers/${id}`)

/** Whether any reader's answer tells who the person was. */
async function isTold({ id, hook, kit, orderId, number, report, email, name }: Known) {
  const own = ['/customers', `/customers/${id}`, `/customers/${id}/export`, `/customers/${id}/reports/${report}`]
  const others = [`/kits?kitID=${kit}`, `/orders/${orderId}`, '/orders', '/events', `/webhooks/${hook}/deliveries`]
  const found = [`/search?q=${email}`, '/retention', '/legal-holds?state=all', '/emails', '/carrier-events']
  const replies = [
    ...(await Promise.all([...own, ...others, `/search?q=${email}`].map((path) => clinic.live.get(path)))),
    ...(await Promise.all([...found, `/carrier-events?trackingNumber=${number}`].map((path) => operator('GET', path)))),
  ]
  return replies.some(({ text }) => text.toLowerCase().includes(name))
}

test('who is erased is gone for every reader at once, and what the law asks for is kept where only the operator reads it', async () => {
  const person = await somebodyKnown()
  expect(await isTold(person)).toBe(true)
  const passing = ['carrier_events', 'customer_data', 'operator_idempotency_keys', 'webhook_attempts']
  expect(await tablesWith(person.name)).toEqual(expect.arrayContaining(passing))

  const erased = await erase(person.id)
  expect(erased).toMatchObject({ kept: { requisition: 2 }, legalHold: false, keptUntil: '2029-03-01T08:00:00.000Z' })
  // The report and the file it was made of, and no quiz.
  expect(erased.kept.laboratory).toBeGreaterThanOrEqual(3)
  expect(erased.kept.other).toBeUndefined()
  expect(await isTold(person)).toBe(false)
  expect(await tablesWith(person.name)).toEqual(['kept_records'])
  expect(await tablesWith(`quiz of ${person.name}`)).toEqual([])

  await owner.query('begin; set local role kitlane_app')
  const read = await owner.query('select 1 from kept_records').catch((err: { code: string }) => err.code)
  await owner.query('rollback')
  expect(read).toBe('42501')
})

test('what is kept of an erased person is shown to the operator only with a reason, and the business sees that', async () => {
  const person = await somebodyKnown()
  await erase(person.id)
  const which = ['--business', clinic.id, '--customer', String(person.id)]
  expect(await cli.refusal('erased', 'show', ...which)).toContain('--reason is missing')
  const shown = await cli.json('erased', 'show', ...which, '--reason', reason)
  const of = (source: string) => shown.find((one: { source: string }) => one.source === source)?.content
  expect(of('order')).toMatchObject({ order: { lastName: person.name, email: person.email } })
  expect(of('kit')).toMatchObject({ about: { dateOfBirth: '1971-03-04' }, consents: [{ email: person.email }] })
  expect(JSON.stringify(of('report'))).toContain('97')
  expect(Buffer.from(of('file'), 'base64').toString()).toContain(`Xenia ${person.name}`)
  expect(await audited('customer.kept_read')).toEqual([
    { id: String(person.id), details: { reason, records: shown.length } },
  ])
  expect(await cli.refusal('erased', 'show', ...which.with(3, '123'), '--reason', reason)).toContain(
    'no retained records',
  )
})

test('each kind of record ends with its own term, and a run says what it purged', async () => {
  await terms({ laboratoryDays: 10, requisitionDays: 20 })
  const { id } = await somebody()
  const erased = await erase(id)
  expect(erased.keptUntil).toBe(new Date(clock.now().getTime() + 20 * DAY).toISOString())
  const { laboratory } = await kept()
  await run()
  expect(await kept()).toEqual({ laboratory, requisition: 2 })
  clock.advance(10 * DAY)
  const dry = await cli.json('retention', 'run', '--dry-run')
  const due = { kind: 'laboratory', of: 'erased', due: laboratory, held: 0, awaitingReport: 0 }
  // The command line has the time of the machine, which is later than any term here.
  expect(dry.counts).toEqual(expect.arrayContaining([expect.objectContaining({ kind: 'laboratory', purged: 0 })]))
  expect(await kept()).toEqual({ laboratory, requisition: 2 })
  expect((await run()).counts).toContainEqual({ ...due, purged: laboratory })
  expect(await kept()).toEqual({ requisition: 2 })
  clock.advance(10 * DAY)
  const { id: runId } = await run()
  expect(await kept()).toEqual({})
  expect(await audited('retention.purged')).toEqual([
    expect.objectContaining({ details: { kind: 'laboratory', of: 'erased', records: laboratory } }),
    { id: runId, details: { kind: 'requisition', of: 'erased', records: 2 } },
  ])
  const [last] = (await asOperator('GET', '/retention')).runs
  expect(last).toMatchObject({ id: runId, by: 'job:retention.purge', finishedDate: expect.any(String) })
})

test('a term of zero keeps nothing, and so does a sandbox', async () => {
  await terms({ laboratoryDays: 0, requisitionDays: 0 })
  const person = await somebody()
  expect(await erase(person.id)).toMatchObject({ kept: {}, legalHold: false })
  expect(await tablesWith(person.name)).toEqual([])
  await terms({ laboratoryDays: null, requisitionDays: null })
  const made = await clinic.sandbox.post('/customer', { email: 'made.up@erased.example', name: 'Made Up' })
  const erased = await clinic.sandbox.request('DELETE', `/customers/${made.body.id}`)
  expect(erased.body).toMatchObject({ kept: {}, legalHold: false })
})

test('under a legal hold an erasure restricts and says so, and nothing ends until the hold is lifted', async () => {
  await terms({ laboratoryDays: 0, requisitionDays: 0 })
  const person = await somebodyKnown()
  const body = { businessID: clinic.id, customerID: String(person.id), reason }
  const hold = await asOperator('POST', '/legal-holds', body)
  expect(hold).toMatchObject({ customerID: person.id, business: { id: clinic.id }, reason })
  const again = await operator('POST', '/legal-holds', body)
  expect([again.status, again.body.code]).toEqual([409, 'LEGAL_HOLD_EXISTS'])

  const erased = await erase(person.id)
  expect(erased).toMatchObject({ legalHold: true, message: expect.stringContaining('restricted') })
  expect(erased.keptUntil).toBeUndefined()
  expect(await isTold(person)).toBe(false)
  expect(await tablesWith(person.name)).toEqual(['kept_records'])
  // Also what needs no keeping: the quiz, and what receivers and carriers said.
  expect(await tablesWith(`quiz of ${person.name}`)).toEqual(['kept_records'])
  expect(await tablesWith(`refused by ${person.name}`)).toEqual(['kept_records'])
  const before = await kept()
  clock.advance(20 * DAY)
  const { counts } = await run()
  for (const [kind, n] of Object.entries(before)) {
    const count = counts.find((one) => one.of === 'erased' && one.kind === kind)
    expect(count?.held, kind).toBeGreaterThanOrEqual(n)
  }
  expect(await kept()).toEqual(before)

  const lifted = await asOperator('POST', `/legal-holds/${hold.id}/lift`, { reason: 'The case was closed' })
  expect(lifted.liftedDate).toBe(clock.now().toISOString())
  const twice = await operator('POST', `/legal-holds/${hold.id}/lift`, { reason: 'The case was closed' })
  expect([twice.status, twice.body.code]).toEqual([409, 'LEGAL_HOLD_LIFTED'])
  await run()
  expect(await tablesWith(person.name)).toEqual([])
  expect(await audited('legal_hold.set')).toEqual([{ id: String(person.id), details: { hold: hold.id, reason } }])
  expect(await audited('legal_hold.lifted')).toHaveLength(1)
})

test('a hold on a business holds everybody of it, also those who were erased before', async () => {
  await terms({ laboratoryDays: 10, requisitionDays: 10 })
  const person = await somebody()
  await erase(person.id)
  const hold = await cli.json('hold', 'set', '--business', clinic.id, '--reason', reason)
  const { body } = await clinic.live.post('/customer', { email: `held${people}@erased.example`, name: 'Held Too' })
  expect(await erase(body.id)).toMatchObject({ legalHold: true, kept: { other: 1 } })
  const before = await kept()
  clock.advance(11 * DAY)
  await run()
  expect(await kept()).toEqual(before)
  expect((await cli.json('hold', 'list')).map(({ id }: { id: string }) => id)).toContain(hold.id)
  await cli.json('hold', 'lift', '--hold', hold.id, '--reason', reason)
  await run()
  expect(await kept()).toEqual({})
})

test('records of people who were not erased end by age only where that is turned on, the report first', async () => {
  await terms({ laboratoryDays: 20, requisitionDays: 10 })
  const person = await somebody()
  const held = await somebody()
  const hold = await asOperator('POST', '/legal-holds', { businessID: clinic.id, customerID: String(held.id), reason })
  const [{ live }] = await rowsOf(`select id as live from realms where business_id = $1 and mode = 'live'`, [clinic.id])
  const realm = { id: live, businessId: clinic.id, mode: 'live' } as const
  const results = [{ biomarkerId: 'glucose', value: 88.125, unit: 'mg/dL' }]
  await world.service.database.inRealm(realm, { name: 'test' }, (tx) =>
    receiveResults(tx, { kitId: person.kit, results }),
  )
  const untested = await somebody()
  const recipientOf = async ({ orderId }: typeof person) => (await ok('GET', `/orders/${orderId}`)).recipientEmail
  clock.advance(15 * DAY)
  await run()
  expect(await recipientOf(untested)).toBe(untested.email)

  await terms({ byAge: true })
  const early = (await run()).counts.find(({ kind, of }) => kind === 'requisition' && of === 'live')
  // Two rows each: the recipient of the order, and what was said at the registration.
  expect(early).toMatchObject({ due: 6, purged: 2, held: 2, awaitingReport: 2 })
  expect([await recipientOf(person), await recipientOf(held)]).toEqual([person.email, held.email])
  expect(await recipientOf(untested)).toBeUndefined()
  const reportOf = async ({ id, report }: typeof person) =>
    (await rowsOf('select 1 from reports where customer_id = $1 and id = $2', [id, report])).length
  expect([await reportOf(person), await reportOf(held)]).toEqual([1, 1])

  clock.advance(6 * DAY)
  const { counts } = await run()
  expect([await reportOf(person), await reportOf(held)]).toEqual([0, 1])
  expect(counts.find(({ kind, of }) => kind === 'laboratory' && of === 'live')?.held).toBeGreaterThan(0)
  expect([await recipientOf(person), await recipientOf(held)]).toEqual([undefined, held.email])
  // The customer stays until an erasure, and so does the quiz.
  expect(await ok('GET', `/customers/${person.id}`)).toMatchObject({ email: person.email, reports: [] })
  expect(await tablesWith(`${person.name} road`)).toEqual([])
  await terms({ byAge: false })
  await asOperator('POST', `/legal-holds/${hold.id}/lift`, { reason })
})

test('a purge that was interrupted goes on with the next run, and hides nothing', async () => {
  await terms({ laboratoryDays: 1, requisitionDays: 1 })
  const { id } = await somebody()
  await erase(id)
  clock.advance(2 * DAY)
  const stopped = new AbortController()
  stopped.abort()
  const first = await run(stopped.signal)
  expect(first.isFinished).toBe(false)
  expect((await asOperator('GET', '/retention')).runs[0]).not.toHaveProperty('finishedDate')
  expect(Object.keys(await kept())).toEqual(['laboratory', 'requisition'])
  expect((await run()).isFinished).toBe(true)
  expect(await kept()).toEqual({})
})

test('the default of all businesses counts where a business has no term of its own', async () => {
  expect(await asOperator('PATCH', '/retention', { laboratoryDays: 900 })).toMatchObject({ laboratoryDays: 900 })
  expect(await terms({ requisitionDays: 5 })).toMatchObject({ laboratoryDays: 900, requisitionDays: 5, byAge: false })
  const state = await asOperator('GET', '/retention')
  expect(state.defaults).toMatchObject({ laboratoryDays: 900, requisitionDays: 1096 })
  expect(state.businesses).toContainEqual(expect.objectContaining({ requisitionDays: 5, laboratoryDays: 900 }))
  const back = await cli.json('retention', 'set', '--laboratory-days', 'default')
  expect(back).toMatchObject({ laboratoryDays: 731, byAge: false })
  expect((await cli.run('retention', 'status')).stdout).toContain('no: only of erased people')
})

test('a hold needs a reason, and somebody whom it can hold', async () => {
  const none = await operator('POST', '/legal-holds', { businessID: clinic.id })
  expect([none.status, none.body.code]).toEqual([400, 'VALIDATION_FAILED'])
  const nobody = await operator('POST', '/legal-holds', { businessID: clinic.id, customerID: '123', reason })
  expect([nobody.status, nobody.body.code]).toEqual([404, 'CUSTOMER_NOT_FOUND'])
  const lost = await operator('POST', '/legal-holds/hold_none/lift', { reason })
  expect([lost.status, lost.body.code]).toEqual([404, 'LEGAL_HOLD_NOT_FOUND'])
})
