import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anOrder, CORE } from '../harness/orders.ts'
import { person, type SignedIn, signIn } from '../harness/people.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const start = Date.now()
let minutes = 0
let world: World
let pat: SignedIn
let kim: SignedIn
beforeAll(async () => {
  world = await ownWorld('sets the clock', {}, { clock: { now: () => new Date(start + minutes * 60_000) } })
  pat = await signIn(world, await person(world, 'fulfilment'))
  kim = await signIn(world, await person(world, 'fulfilment'))
})
afterAll(() => world.stop())

async function kitsOf(clinic: TestBusiness, quantity: number): Promise<string[]> {
  const { body } = await clinic.live.post('/create-order', anOrder({ kit_types: [{ kitType: CORE, quantity }] }))
  const { kits } = (await clinic.live.get(`/orders/${body.orderId}`)).body
  return kits.map(({ kitID }: { kitID: string }) => kitID)
}

const claim = (who: SignedIn, clinic: TestBusiness, wanted: object = {}) =>
  who.operator.post('/fulfilment/claims', { station: 'bench', businessID: clinic.id, ...wanted })
const kitIn = async (answer: ReturnType<typeof claim>) => (await answer).body.kit?.kitID

describe('at two benches', () => {
  it('two packers who ask at the same moment, again and again, never get the same kit', async () => {
    const clinic = await world.business()
    const kits = await kitsOf(clinic, 12)
    const benches = Array.from({ length: 6 }, (_, bench) => ({ who: bench % 2 ? pat : kim, station: `bench ${bench}` }))
    const ask = ({ who, station }: (typeof benches)[number], skip: string[]) =>
      kitIn(claim(who, clinic, { station, skip }))
    const first = await Promise.all(benches.map((bench) => ask(bench, [])))
    const second = await Promise.all(benches.map((bench, index) => ask(bench, [first[index]])))
    for (const held of [first, second]) {
      expect(new Set(held).size, held.join()).toBe(benches.length)
      expect(kits).toEqual(expect.arrayContaining(held))
    }
    const { body } = await pat.operator.get(`/fulfilment/queue?businessID=${clinic.id}`)
    expect(body.pagination.total).toBe(12)
  })

  it('a packer who asks again, or loads the page again, gets the kit that is in hand', async () => {
    const clinic = await world.business()
    await kitsOf(clinic, 2)
    const kit = await kitIn(claim(pat, clinic))
    expect(await kitIn(claim(pat, clinic))).toBe(kit)
    expect(await kitIn(claim(kim, clinic))).not.toBe(kit)
    expect(await kitIn(claim(pat, clinic, { station: 'a second window' }))).toBeUndefined()
    const owner = await world.owner()
    const { rows } = await owner.query(
      "select actor from audit_entries where action = 'kit.claimed' and object_id = $1",
      [kit],
    )
    expect(rows).toEqual([{ actor: `user:${pat.person.id}` }])
  })

  it('a kit that another packs is refused with the name of who, and any other that waits is given', async () => {
    const clinic = await world.business()
    const [first, , third] = await kitsOf(clinic, 3)
    expect(await kitIn(claim(pat, clinic, { kitID: first }))).toBe(first)
    const refused = await claim(kim, clinic, { kitID: first })
    expect([refused.status, refused.body.code]).toEqual([409, 'KIT_CLAIMED'])
    expect(refused.body.message).toContain(pat.person.email)
    expect(await kitIn(claim(kim, clinic, { kitID: third }))).toBe(third)
  })

  it('a kit is free again after ten minutes without a scan, and each scan begins them again', async () => {
    const clinic = await world.business()
    const [kit] = await kitsOf(clinic, 1)
    await claim(pat, clinic)
    minutes += 9
    expect(await kitIn(claim(pat, clinic, { kitID: kit }))).toBe(kit)
    expect(await kitIn(claim(kim, clinic))).toBeUndefined()
    minutes += 9
    expect(await kitIn(claim(kim, clinic))).toBeUndefined()
    minutes += 2
    expect(await kitIn(claim(kim, clinic))).toBe(kit)
    expect((await claim(pat, clinic, { kitID: kit })).body.code).toBe('KIT_CLAIMED')
  })

  it('a kit that is put back, or left for another one, is free at once; nobody puts back what another has', async () => {
    const clinic = await world.business()
    const [first, second] = await kitsOf(clinic, 2)
    await claim(pat, clinic, { kitID: first })
    const back = (who: SignedIn) => who.operator.request('DELETE', `/fulfilment/claims/${first}?station=bench`)
    expect((await back(kim)).body).toEqual({ kitID: first, released: false })
    expect((await claim(kim, clinic, { kitID: first })).status).toBe(409)
    expect((await back(pat)).body).toEqual({ kitID: first, released: true })
    expect(await kitIn(claim(kim, clinic, { kitID: first }))).toBe(first)
    expect(await kitIn(claim(kim, clinic, { kitID: second }))).toBe(second)
    expect(await kitIn(claim(pat, clinic, { kitID: first }))).toBe(first)
  })

  it('a kit that is posted is nobody’s any more, and one that was canceled is not given', async () => {
    const clinic = await world.business()
    const [posted] = await kitsOf(clinic, 1)
    const [canceled] = await kitsOf(clinic, 1)
    await claim(pat, clinic, { kitID: posted })
    const labels = { kitID: posted, carrier: 'UPS', outboundTrackingNumber: '1Z999AA10111111111' }
    expect((await kim.operator.post('/fulfilment/shipments', labels)).status).toBe(200)
    const late = await claim(pat, clinic, { kitID: posted })
    expect([late.status, late.body.code]).toEqual([409, 'ILLEGAL_TRANSITION'])
    const { orderID } = (await clinic.live.get(`/kits/${canceled}`)).body.kit
    expect(await kitIn(claim(pat, clinic))).toBe(canceled)
    await clinic.live.post(`/orders/${orderID}/cancel`)
    const answer = await claim(pat, clinic)
    expect(answer.body).toEqual({ waiting: 0 })
    expect((await claim(pat, clinic, { kitID: canceled })).body.message).toContain('Put the kit back into stock')
  })
})

describe('the address of an order', () => {
  const elsewhere = { street1: '9 Other Road', city: 'Salem', state: 'OR', zip: '97301' }
  const orderOf = async (clinic: TestBusiness, kit: string) =>
    (await clinic.live.get(`/kits?kitID=${kit}`)).body[0].orderID
  const correct = (clinic: TestBusiness, order: string, recipientAddress: object = elsewhere) =>
    clinic.live.request('PATCH', `/orders/${order}`, { recipientAddress })

  it('is corrected until a packer has a kit in hand, sealed, with an event and an entry in the audit', async () => {
    const clinic = await world.business()
    const [kit = ''] = await kitsOf(clinic, 2)
    const order = await orderOf(clinic, kit)
    for (const times of [1, 2]) {
      const { status, body } = await correct(clinic, order)
      expect([times, status, body.recipientAddress]).toEqual([times, 200, { ...elsewhere, country: 'US' }])
    }
    const packed = await claim(pat, clinic, { kitID: kit })
    expect(packed.body.kit.recipient).toMatchObject(elsewhere)
    const refused = await correct(clinic, order, { ...elsewhere, zip: '97302' })
    expect([refused.status, refused.body.code]).toEqual([409, 'ORDER_PACKED'])
    await pat.operator.request('DELETE', `/fulfilment/claims/${kit}?station=bench`)
    expect((await correct(clinic, order, { ...elsewhere, zip: '97303' })).status).toBe(200)
    const owner = await world.owner()
    const { rows } = await owner.query(
      `select (select count(*)::int from audit_entries where object_id = $1 and action = 'order.updated') as audited,
              (select address is null and sealed is not null from orders where id = $1) as sealed`,
      [order],
    )
    expect(rows).toEqual([{ audited: 2, sealed: true }])
    await world.settled()
    const told = (await clinic.live.get('/events?type=order.updated')).body.data
    const changed = { orderID: order, changed: ['recipientAddress'] }
    expect(told.map(({ data }: { data: object }) => data)).toMatchObject([changed, changed])
  })

  it('is never changed while a packer reads it: of a claim and a correction at once, the packer has what the order says', async () => {
    const clinic = await world.business()
    for (let round = 0; round < 12; round++) {
      const [kit = ''] = await kitsOf(clinic, 1)
      const order = await orderOf(clinic, kit)
      const [corrected, claimed] = await Promise.all([
        correct(clinic, order),
        claim(pat, clinic, { kitID: kit, station: `bench ${round}` }),
      ])
      expect([[200, 409].includes(corrected.status), claimed.status]).toEqual([true, 200])
      const { recipientAddress } = (await clinic.live.get(`/orders/${order}`)).body
      expect(claimed.body.kit.recipient).toMatchObject(recipientAddress)
    }
  })
})
