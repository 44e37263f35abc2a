import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allOperatorScopes } from '../../src/domain/scopes.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { anOrder } from '../harness/orders.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let operator: Operator
let clinic: TestBusiness
beforeAll(async () => {
  world = await sharedWorld()
  operator = await operatorWith(world, allOperatorScopes)
  clinic = await world.business({ credits: 1000 })
})
afterAll(() => world.stop())

let serial = 0
const DAY = 86_400_000
const today = () => new Date().toISOString().slice(0, 10)

async function shipped(of = clinic, changes: Record<string, unknown> = {}): Promise<string> {
  const placed = await of.live.post('/create-order', anOrder(changes))
  expect(placed.status, placed.text).toBe(201)
  const { kits } = (await of.live.get(`/orders/${placed.body.orderId}`)).body
  const kitID: string = kits[0].kitID
  const outboundTrackingNumber = `1ZHOLD${Date.now()}${String(++serial).padStart(6, '0')}`
  const sent = await operator('POST', '/fulfilment/shipments', { kitID, carrier: 'UPS', outboundTrackingNumber })
  expect(sent.status, sent.text).toBe(200)
  return kitID
}

const somebody = (changes: Record<string, unknown> = {}) => ({
  firstName: 'Jörg',
  lastName: 'Møller',
  email: `held${Date.now()}.${++serial}@people.test`,
  dateOfBirth: '1980-02-03',
  sex: 'M',
  ...changes,
})

async function registered(of = clinic, person = somebody()): Promise<string> {
  const kitID = await shipped(of)
  const answer = await of.live.post(`/kits/${kitID}/register`, person)
  expect(answer.status, answer.text).toBe(200)
  return kitID
}

const receive = async (kitID: string) => {
  const answer = await operator('POST', '/samples/receive', { kitID })
  expect(answer.status, answer.text).toBe(200)
}
const hold = async (kitID: string, of = clinic) => (await of.live.get(`/kits/${kitID}/hold`)).body
const holdIt = (kitID: string, causes: string[], more = {}) =>
  operator('POST', `/kits/${kitID}/hold`, { causes, ...more })
const codes = ({ requiredActions }: { requiredActions: { code: string }[] }) => requiredActions.map(({ code }) => code)

describe('a sample that is taken in', () => {
  it('waits for its registration, and goes on by itself once somebody registers it', async () => {
    const kitID = await shipped()
    await receive(kitID)
    const held = await hold(kitID)
    expect(held).toMatchObject({
      state: 'open',
      causes: ['notRegistered'],
      clock: { restsOn: 'receipt', stabilityDays: 7 },
    })
    expect(Date.parse(held.discardAt) - Date.parse(held.since)).toBeGreaterThan(6.9 * DAY)
    expect(codes(held)).toEqual(['register'])
    expect((await clinic.live.post(`/kits/${kitID}/register`, somebody())).status).toBe(200)
    expect(await hold(kitID)).toMatchObject({ state: 'released', requiredActions: [], endedBy: 'mended' })
  })

  it('is not held where nothing is missing', async () => {
    const kitID = await registered()
    await receive(kitID)
    expect((await clinic.live.get(`/kits/${kitID}/hold`)).body.code).toBe('HOLD_NOT_FOUND')
  })
})

describe('a laboratory', () => {
  it('holds a sample, the business mends it, and the laboratory sees it first until it acknowledges', async () => {
    const kitID = await registered()
    await receive(kitID)
    const held = await holdIt(kitID, ['collectionDateMissing', 'labelUnreadable'])
    expect(held.status, held.text).toBe(200)
    expect(codes(held.body)).toEqual(['giveCollectionDate', 'identifySample'])
    const mended = await clinic.live.post(`/kits/${kitID}/hold/mend`, { collectedDate: today(), identified: true })
    expect(mended.body, mended.text).toMatchObject({ state: 'released', collectedDate: today() })
    const queue = (await operator('GET', `/held-samples?businessID=${clinic.id}`)).body.data
    expect(queue[0]).toMatchObject({ kitID, state: 'released', business: { id: clinic.id } })
    expect((await operator('POST', `/kits/${kitID}/hold/acknowledge`)).body.acknowledged).toBe(true)
    const after = (await operator('GET', `/held-samples?businessID=${clinic.id}`)).body.data
    expect(after.map((one: { kitID: string }) => one.kitID)).not.toContain(kitID)
  })

  it('discards a sample with a reason: it is rejected, and a free kit with its lineage goes out', async () => {
    const kitID = await registered()
    await receive(kitID)
    await holdIt(kitID, ['collectionDateMissing'])
    const gone = await operator('POST', `/kits/${kitID}/hold/discard`, { reason: 'It leaked' })
    expect(gone.body, gone.text).toMatchObject({ state: 'discarded', endedBy: 'laboratory' })
    const [kit] = (await clinic.live.get(`/kits?kitID=${kitID}`)).body
    expect(kit).toMatchObject({ sampleStatus: 'rejected', replacedBy: gone.body.replacedBy })
    expect(kit.exceptionReason).toContain('It leaked')
    const [fresh] = (await clinic.live.get(`/kits?kitID=${gone.body.replacedBy}`)).body
    expect(fresh).toMatchObject({ replacementFor: kitID, kitStatus: 'preparing' })
  })
})
