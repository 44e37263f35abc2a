import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allOperatorScopes } from '../../src/domain/scopes.ts'
import { notifyOfWaiting } from '../../src/modules/approvals/providers.ts'
import { createPanel, provision } from '../../src/modules/catalogue/service.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { anOrder, recipient } from '../harness/orders.ts'
import { person } from '../harness/people.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const GUARDED = 'GUARDED'
const PUBLIC_URL = 'https://kits.example.test'
const clock = manualClock(new Date('2026-11-20T12:00:00.000Z'))
const jane = 'jane@clinic.example'
let world: World
let operator: Operator
let clinic: TestBusiness
let administrator: string

beforeAll(async () => {
  world = await ownWorld('sets the clock, and counts every order that waits', { publicUrl: PUBLIC_URL }, { clock })
  operator = await operatorWith(world, allOperatorScopes)
  clinic = await world.business({ name: 'Harbor Clinic', credits: 100 })
  await world.service.database.asSystem({ name: 'cli' }, async (tx) => {
    await createPanel(tx, { kitType: GUARDED, name: 'Guarded', biomarkers: ['ldl'] })
    await provision(tx, clinic.id, [GUARDED], { minor: 9900 })
  })
  await operator('PATCH', `/panels/${GUARDED}`, { providerNeeded: true })
  administrator = (await person(world, 'operator-admin')).email
  const janes = { name: 'Jane Doe, MD', npi: '1234567893', licensedIn: ['US-NY', 'PR'], email: jane }
  expect((await operator('POST', '/providers', janes)).status).toBe(201)
})
afterAll(() => world.stop())

const places = {
  NY: { street1: '1 Broadway', city: 'New York', state: 'NY', zip: '10004', country: 'US' },
  VT: { street1: '1 Main Street', city: 'Burlington', state: 'VT', zip: '05401', country: 'US' },
}
const placed = async (place: keyof typeof places): Promise<string> => {
  const order = { recipient: { ...recipient, address: places[place] }, kit_types: [{ kitType: GUARDED }] }
  const { status, text, body } = await clinic.live.post('/create-order', anOrder(order))
  expect(status, text).toBe(201)
  return body.orderId
}
const notify = (alarmEmail?: string) =>
  world.service.database.asSystem({ name: 'test' }, (tx) => notifyOfWaiting(tx, alarmEmail))
const passes = (minutes: number) => clock.advance(minutes * 60_000)
const written = async (to: string) =>
  (await operator('GET', '/emails?size=250')).body.data
    .filter((email: { to: string }) => email.to === to)
    .map(({ id, subject }: { id: string; subject: string }) => ({ id, subject }))
const subjects = async (to: string) =>
  (await written(to)).map(({ subject }: { subject: string }) => subject).toReversed()
const refuse = async (id: string) => {
  const answer = await operator('POST', `/approvals/${id}`, {
    decision: 'refuse',
    version: (await operator('GET', `/approvals/${id}`)).body.version,
    reason: 'No',
    provider: '1234567893',
  })
  expect(answer.status, answer.text).toBe(200)
}

describe('orders that wait for a provider', () => {
  const first: string[] = []

  it('are said to a provider who is licensed there at once, as a count with the link to the queue, and nothing of the person', async () => {
    first.push(await placed('NY'))
    await notify()
    expect(await subjects(jane)).toEqual(['1 order waits for you'])
    const [{ id }] = await written(jane)
    const { text } = (await operator('GET', `/emails/${id}`)).body
    expect(text).toContain(`${PUBLIC_URL}/app/operator/approvals`)
    for (const secret of ['Ada', 'Example', 'Guarded', GUARDED, 'New York', 'NY', 'Broadway', ...first])
      expect(text).not.toContain(secret)
  })

  it('are said once by two processes at once, and again after four hours while some still wait', async () => {
    first.push(await placed('NY'))
    await Promise.all([notify(), notify()])
    passes(239)
    await notify()
    expect(await subjects(jane)).toHaveLength(1)
    passes(1)
    await Promise.all([notify(), notify()])
    expect(await subjects(jane)).toEqual(['1 order waits for you', '2 orders wait for you'])
  })

  it('are said at once again where all others were decided, but not within half an hour', async () => {
    for (const id of first) await refuse(id)
    passes(10)
    const id = await placed('NY')
    await notify()
    expect(await subjects(jane)).toHaveLength(2)
    passes(20)
    await notify()
    expect(await subjects(jane)).toEqual([expect.anything(), expect.anything(), '1 order waits for you'])
    await refuse(id)
    passes(300)
    await notify()
    expect(await subjects(jane)).toHaveLength(3)
  })

  it('are said to the operator where no active provider is licensed, and the queue says so', async () => {
    const id = await placed('VT')
    await notify('ops@kits.example')
    await notify('ops@kits.example')
    const said = ['1 order waits, and no provider is licensed there']
    expect(await subjects('ops@kits.example')).toEqual(said)
    expect(await subjects(administrator)).toEqual([])
    expect(await subjects(jane)).toHaveLength(3)
    // Without that address, the administrators hear it.
    await notify()
    expect(await subjects(administrator)).toEqual(said)
    const row = async () =>
      (await operator('GET', '/approvals')).body.data.find(({ orderID }: { orderID: string }) => orderID === id)
    expect(await row()).toMatchObject({ state: 'VT', hasProvider: false })
    const [{ id: provider }] = (await operator('GET', '/providers')).body
    await operator('PATCH', `/providers/${provider}`, { licensedIn: ['US-NY', 'US-VT'] })
    expect(await row()).toMatchObject({ hasProvider: true })
    await operator('PATCH', `/providers/${provider}`, { isActive: false })
    expect(await row()).toMatchObject({ hasProvider: false })
    await notify()
    expect(await subjects(jane)).toHaveLength(3)
    await operator('PATCH', `/providers/${provider}`, { isActive: true })
    await notify()
    expect(await subjects(jane)).toHaveLength(4)
  })
})
