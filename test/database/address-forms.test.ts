import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefusal } from '../harness/answers.ts'
import { anOrder, CORE } from '../harness/orders.ts'
import { recipients } from '../harness/recipients.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness

beforeAll(async () => {
  world = await sharedWorld()
  clinic = await world.business({ credits: 100 })
})
afterAll(() => world.stop())

const springfield = { street1: '1 Main Street', city: 'Springfield', state: 'IL', zip: '62701', country: 'US' }
const { recipient } = anOrder() as { recipient: { address: object } }

async function addressOf(address: Record<string, unknown>): Promise<Record<string, string>> {
  const { status, text, body } = await clinic.live.post(
    '/create-order',
    anOrder({ recipient: { ...recipient, address } }),
  )
  expect(status, text).toBe(201)
  return (await clinic.live.get(`/orders/${body.orderId}`)).body.recipientAddress
}

describe('an address that another program wrote', () => {
  const { zip, state, street1, country, ...city } = springfield

  it.each([
    ['a zip as a number', { ...springfield, zip: 62701 }],
    ['USA', { ...springfield, country: 'USA' }],
    ['the name of the country', { ...springfield, country: 'United States' }],
    ['the name of the country, with points', { ...springfield, country: 'U.S.A.' }],
    ['postal_code and province', { ...city, street1, country, postal_code: zip, province: state }],
    ['postalCode, region and address1', { ...city, country, address1: street1, postalCode: zip, region: state }],
    [
      'address_line1, zip_code, state_province and country_code',
      { ...city, address_line1: street1, zip_code: zip, state_province: state, country_code: 'us' },
    ],
    ['line1, postcode and an empty line2', { ...city, state, country, line1: street1, line2: '', postcode: 62701 }],
    ['the name itself beside another one, which counts', { ...springfield, postal_code: '99999' }],
  ])('is taken with %s', async (_, address) => {
    expect(await addressOf(address)).toEqual(springfield)
  })

  it.each([
    ['UK', 'GB'],
    ['Great Britain', 'GB'],
    ['Germany', 'DE'],
    ['deu', 'DE'],
    ['Côte d’Ivoire', 'CI'],
    ['fr', 'FR'],
  ])('names the country %s', async (said, code) => {
    expect(await addressOf({ ...springfield, country: said })).toMatchObject({ country: code })
  })

  it.each([
    ['of Boston', { zip: 2134 }],
    ['of Dresden', { zip: 1067, country: 'DE' }],
    ['of Oslo', { zip: 150, country: 'Norway' }],
    ['with nine digits', { zip: 627011234 }],
    ['in Canada, where none is a number', { zip: 12345, country: 'CA' }],
    ['that is no whole number', { zip: 4.1e3 + 0.5 }],
  ])('is refused with a postcode as a number that may have lost its zeros: %s', async (_, wrong) => {
    const address = { ...springfield, ...wrong }
    const single = await clinic.live.post('/create-order', anOrder({ recipient: { ...recipient, address } }))
    expectRefusal(single, 'VALIDATION_FAILED', JSON.stringify(wrong))
    expect(single.body.details).toMatchObject([
      { path: 'recipient.address.zip', message: expect.stringContaining('loses its leading zeros') },
    ])
    expect(single.text).not.toContain(String(wrong.zip))
    const row = { ...recipient, ...address, kit_type: CORE }
    const bulk = await clinic.live.post('/create-order', { bulkUploadData: [row] })
    expect(bulk.body.details).toMatchObject([{ path: 'bulkUploadData.0.zip' }])
  })

  it('is refused where the country is none', async () => {
    const address = { ...springfield, country: 'Atlantis' }
    const reply = await clinic.live.post('/create-order', anOrder({ recipient: { ...recipient, address } }))
    expect(reply.body.details).toMatchObject([{ path: 'recipient.address.country' }])
  })

  it('is taken in rows, legacy orders, corrections, registrations and records of customers', async () => {
    const other = { ...city, address1: '2 Main Street', province: 'IL', postal_code: 62704, country: 'USA' }
    const wanted = { ...springfield, street1: '2 Main Street', zip: '62704' }
    const { address: _, ...person } = recipient as { address: object }
    const { body: made } = await clinic.live.post('/create-order', {
      bulkUploadData: [{ ...person, ...other, kit_type: CORE }],
    })
    const read = async (id: string) => (await clinic.live.get(`/orders/${id}`)).body.recipientAddress
    expect(await read(made.orderIds[0])).toEqual(wanted)
    const legacy = await clinic.live.post('/legacy/create-order', { ...person, ...other, kitType: CORE })
    expect(await read(legacy.body.orderId)).toEqual(wanted)
    const { body: order } = await clinic.live.post('/create-order', anOrder())
    const patched = await clinic.live.request('PATCH', `/orders/${order.orderId}`, { recipientAddress: other })
    expect(patched.status, patched.text).toBe(200)
    expect(await read(order.orderId)).toEqual(wanted)
    const at = recipients(world)
    const kitID = await at.newKit(clinic)
    await at.register(kitID, {
      email: at.newEmail(),
      address1: '3 Main Street',
      city: 'Springfield',
      postal_code: '62704',
      country: 'USA',
    })
    const { customerID } = (await clinic.live.get(`/kits/${kitID}`)).body.kit
    expect(customerID).toEqual(expect.any(Number))
  })
})
