import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealOldRows } from '../../src/modules/keys/service.ts'
import { anOrder } from '../harness/orders.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
let owner: Client

const recipient = {
  first_name: 'Isolde',
  last_name: 'Brandywater',
  email: 'isolde.brandywater@example.test',
  phone: '+1 555 013 7788',
  address: { street1: '7 Heronmoor Lane', city: 'Tidewick', state: 'OR', zip: '97001', country: 'US' },
}
const traces = ['Isolde', 'Brandywater', '013 7788', 'Heronmoor', 'Tidewick']

beforeAll(async () => {
  world = await ownWorld('looks at every sealed row')
  clinic = await world.business()
  owner = await world.owner()
})
afterAll(() => world.stop())

async function placed(): Promise<string> {
  const { status, body } = await clinic.live.post('/create-order', anOrder({ paymentMethod: 'credits', recipient }))
  expect(status).toBe(201)
  return body.orderId
}

const rowOf = async (id: string): Promise<string> =>
  (await owner.query('select o::text as row from orders o where id = $1', [id])).rows[0].row

/** Writes the recipient of an order as versions before sealing did. */
const inClear = (id: string) =>
  owner.query(
    `update orders set sealed = null, email_hash = null, updated_at = null, first_name = $2, last_name = $3, email = $4, phone = $5, address = $6
     where id = $1`,
    [id, recipient.first_name, recipient.last_name, recipient.email, recipient.phone, recipient.address],
  )

const sealAll = () => sealOldRows(world.service.database, { name: 'test' }, new AbortController().signal)

describe('the recipient of an order', () => {
  it('is not in the database in clear', async () => {
    const id = await placed()
    const row = await rowOf(id)
    expect(traces.filter((trace) => row.includes(trace))).toEqual([])
    // The same look finds what a version before wrote.
    await inClear(id)
    const before = await rowOf(id)
    expect(traces.filter((trace) => before.includes(trace))).toEqual(traces)
  })

  it('that an earlier version wrote is read and found as before, and sealed without a change that anybody sees', async () => {
    const id = await placed()
    const path = `/orders/${id}`
    const before = (await clinic.live.get(path)).body
    expect(before.recipientName).toBe('Isolde Brandywater')
    await inClear(id)
    expect((await clinic.live.get(path)).body).toEqual(before)
    const found = async () => (await clinic.live.get('/search?q=brandyw')).body.map((hit: { id: string }) => hit.id)
    expect(await found()).toContain(id)
    await owner.query('delete from sealing_progress')
    await sealAll()
    const row = await rowOf(id)
    expect(traces.filter((trace) => row.includes(trace))).toEqual([])
    expect((await clinic.live.get(path)).body).toEqual(before)
    expect(await found()).toContain(id)
  })

  it('cannot be put on another order', async () => {
    const [one, other] = [await placed(), await placed()]
    await owner.query('update orders o set sealed = (select sealed from orders where id = $1) where id = $2', [
      one,
      other,
    ])
    expect((await clinic.live.get(`/orders/${other}`)).status).toBe(500)
    expect((await clinic.live.get(`/orders/${one}`)).status).toBe(200)
  })
})
