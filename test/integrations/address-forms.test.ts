import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefusal } from '../harness/answers.ts'
import { anOrder, CORE } from '../harness/orders.ts'
import { aPlan } from '../harness/plans.ts'
import { recipients } from '../harness/recipients.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness

beforeAll(async () => {
  world = await sharedWorld()
  clinic = await world.business({ credits: 1000 })
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
    ['UK', 'GB', 'SW1A 2AA'],
    ['Great Britain', 'GB', 'SW1A 2AA'],
    ['Germany', 'DE'],
    ['deu', 'DE'],
    ['Côte d’Ivoire', 'CI'],
    ['fr', 'FR'],
  ])('names the country %s', async (said, code, zip = '62701') => {
    expect(await addressOf({ ...springfield, country: said, zip })).toMatchObject({ country: code })
  })

  it.each([
    ['of Boston', { zip: 2134 }],
    ['of Dresden', { zip: 1067, country: 'DE' }],
    ['of Oslo', { zip: 150, country: 'Norway' }],
    ['with nine digits', { zip: 627011234 }],
    ['in Canada, where none is a number', { zip: 12345, country: 'CA', state: 'ON' }],
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

describe('an address by the rules of its country', () => {
  const { state: _state, zip: _zip, ...place } = springfield
  const berlin = { ...place, city: 'Berlin', country: 'DE', zip: '10115' }
  const aCustomer = async () =>
    (await clinic.live.post('/customers', { email: recipients(world).newEmail(), name: 'Ann Example' })).body.id

  /** What the routes that take an address say of one, by the field. */
  async function refusals({ phone, ...change }: Record<string, unknown>): Promise<string[][]> {
    const address = { ...springfield, ...change }
    const called = phone === undefined ? {} : { phone }
    const order = anOrder({ recipient: { ...recipient, ...called, address } })
    const { address: _, ...rest } = recipient as { address: object }
    const person = { ...rest, ...called }
    const row = { ...person, ...address, kit_type: CORE }
    const legacy = { ...person, ...address, kitType: CORE }
    const { body: made } = await clinic.live.post('/create-order', anOrder())
    const fieldsOf = (details: { path: string }[] = []) => details.map(({ path }) => path.split('.').at(-1) ?? '')
    const replies = [
      await clinic.live.post('/create-order', order),
      await clinic.live.post('/create-order?dryRun=true', order),
      await clinic.live.post('/quotes', order),
      await clinic.live.post('/create-order', { bulkUploadData: [row] }),
      await clinic.live.post('/legacy/create-order', legacy),
      await clinic.live.post('/plans', aPlan('2099-01-01', { recipient: { ...recipient, ...called, address } })),
      ...(phone === undefined
        ? [await clinic.live.request('PATCH', `/orders/${made.orderId}`, { recipientAddress: address })]
        : [await clinic.live.request('PATCH', `/customers/${await aCustomer()}`, called)]),
    ]
    for (const reply of replies) expectRefusal(reply, 'VALIDATION_FAILED', JSON.stringify(change))
    const trial = await clinic.live.post('/create-order?dryRun=true', { bulkUploadData: [row] })
    return [...replies.map(({ body }) => fieldsOf(body.details)), fieldsOf(trial.body.rows?.[0]?.errors)]
  }

  it.each([
    ['zip', 'a ZIP code that lost its zero', { zip: '2134', state: 'MA' }],
    ['zip', 'a ZIP code of Puerto Rico that lost two', { zip: '901', state: '', country: 'PR' }],
    ['zip', 'the number of a spreadsheet', { zip: '62701.0' }],
    ['zip', 'the number of a spreadsheet, cut short', { zip: '4.1E+3' }],
    ['zip', 'a letter instead of a digit', { zip: '6270l' }],
    ['zip', 'zeros alone', { zip: '00000' }],
    ['zip', 'a Canadian province and a ZIP code', { country: 'CA', state: 'ON', zip: '90001' }],
    ['zip', 'a German postcode that lost its zero', { country: 'DE', state: '', zip: '1067' }],
    ['zip', 'no ZIP code', { zip: '' }],
    ['zip', 'a British address and a ZIP code', { country: 'UK', state: '' }],
    ['zip', 'half a British postcode', { country: 'GB', state: '', zip: 'SW1A' }],
    ['zip', 'Dutch digits without letters', { country: 'NL', state: '', zip: '1012' }],
    ['zip', 'an Irish address and a ZIP code', { country: 'IE', state: '' }],
    ['zip', 'a Japanese postcode of five digits', { country: 'JP', zip: '62701' }],
    ['zip', 'a Polish postcode cut short', { country: 'PL', state: '', zip: '001' }],
    ['zip', 'letters that Canada does not use', { country: 'CA', state: 'ON', zip: 'D5E 1W7' }],
    ['zip', 'forces abroad and a ZIP code of a state', { state: 'AE', zip: '10001' }],
    ['zip', 'a state and a ZIP code of forces abroad', { state: 'NY', zip: '09012' }],
    ['zip', 'Puerto Rico as a state and a ZIP code of California', { state: 'PR', zip: '90210' }],
    ['zip', 'a state and a ZIP code of Puerto Rico', { state: 'TX', zip: '00787' }],
    ['zip', 'Guam and a ZIP code of Boston', { country: 'GU', state: '', zip: '02134' }],
    ['state', 'a territory and another state', { country: 'PR', state: 'TX', zip: '00901' }],
    ['state', 'no such state of Australia', { country: 'AU', state: 'XYZ', zip: '2000' }],
    ['state', 'no such state of Brazil', { country: 'BR', state: 'ZZ', zip: '01310-100' }],
    ['state', 'no such state of India', { country: 'IN', state: 'ZZ', zip: '560001' }],
    ['street1', 'a point for a street', { street1: '.' }],
    ['city', 'a stroke for a city', { city: '-' }],
    ['phone', 'nought for a phone number', { phone: '0' }],
    ['phone', 'words for a phone number', { phone: 'call me' }],
    ['state', 'no such state', { state: 'ZZ' }],
    ['state', 'a state of another country', { state: 'Bavaria' }],
    ['state', 'a state that is a word of the language', { state: 'constructor' }],
    ['state', 'no state', { state: undefined }],
    ['country', 'no such country', { country: 'XX' }],
    ['country', 'a country that may be a state', { country: 'Georgia', state: 'GA' }],
    ['country', 'a country that may be a state, by its ZIP code', { country: 'Georgia', state: '', zip: '30301' }],
  ])('names the %s everywhere where it has %s', async (field, _, change) => {
    expect(await refusals(change)).toEqual(Array(8).fill([field]))
  })

  it('says everything that is wrong at once, and what to do', async () => {
    const address = { ...springfield, street1: '', country: 'CA', state: 'CA', zip: '90001' }
    const reply = await clinic.live.post('/create-order', anOrder({ recipient: { ...recipient, address } }))
    expect(reply.body.details).toMatchObject([
      { path: 'recipient.address.street1' },
      { path: 'recipient.address.state', message: expect.stringContaining('such as NY') },
      { path: 'recipient.address.zip', message: expect.stringContaining('K1A 0B1') },
    ])
  })

  it.each([
    ['Germany without a state', berlin, { state: '', zip: '10115' }],
    ['the United Kingdom without a state', { ...place, country: 'UK', zip: 'SW1A 1AA' }, { state: '', country: 'GB' }],
    ['Ireland without either', { ...place, country: 'IE' }, { state: '', zip: '' }],
    ['Hong Kong without a postcode', { ...place, country: 'HK', state: 'Kowloon' }, { state: 'Kowloon', zip: '' }],
    ['the Emirates without either', { ...place, country: 'AE' }, { zip: '' }],
    ['Japan without a state', { ...place, country: 'JP', zip: '100-0001' }, { state: '' }],
    ['Korea without a state', { ...place, country: 'KR', zip: '03051' }, { state: '' }],
    ['Puerto Rico without a state', { ...place, country: 'PR', zip: '00901' }, { state: '', country: 'PR' }],
    ['Puerto Rico as a state', { ...springfield, state: 'PR', zip: '00901' }, { state: 'PR', country: 'US' }],
    ['the armed forces', { ...springfield, city: 'APO', state: 'AE', zip: '09012-1234' }, { state: 'AE' }],
    ['a state by its name', { ...springfield, state: 'New York' }, { state: 'NY' }],
    ['a state in small letters', { ...springfield, state: 'il' }, { state: 'IL' }],
    ['Canada', { ...place, country: 'CA', state: 'Québec', zip: 'h2x1y4' }, { state: 'QC', zip: 'H2X 1Y4' }],
    ['Georgia, the country', { ...place, country: 'Georgia', zip: '0105' }, { country: 'GE', state: '' }],
    ['a postcode with the letters of the country', { ...berlin, zip: 'D-10115' }, { zip: '10115' }],
    ['the Netherlands', { ...place, country: 'NL', zip: '1012ab' }, { state: '', zip: '1012 AB' }],
    ['a state with its country, as ISO writes it', { ...springfield, state: 'US-IL' }, { state: 'IL' }],
    ['nine digits of a ZIP code', { ...springfield, zip: '627011234' }, { zip: '62701-1234' }],
    ['digits of full width', { ...springfield, zip: '６２７０１' }, { zip: '62701' }],
    ['a British postcode in small letters', { ...place, country: 'GB', zip: 'sw1a1aa' }, { zip: 'SW1A 1AA' }],
    ['a British postcode with two spaces', { ...place, country: 'GB', zip: 'SW1A  1AA' }, { zip: 'SW1A 1AA' }],
    ['Lithuania with its letters', { ...place, country: 'LT', zip: 'LT-04340' }, { zip: 'LT-04340' }],
    ['Poland as digits', { ...place, country: 'PL', zip: '00950' }, { zip: '00-950' }],
    ['Hong Kong by its name', { ...place, country: 'Hong Kong' }, { country: 'HK' }],
    ['Turkey by its former name', { ...place, country: 'Turkey', zip: '34000' }, { country: 'TR' }],
    [
      'Czechia by its long name',
      { ...place, country: 'Czech Republic', zip: '11000' },
      { country: 'CZ', zip: '110 00' },
    ],
    ['Jersey', { ...place, country: 'Jersey', zip: 'JE2 3WG' }, { country: 'JE' }],
    ['Martinique', { ...place, country: 'MQ', zip: '97200' }, { country: 'MQ', state: '' }],
    ['the Marshall Islands as a state', { ...springfield, state: 'MH', zip: '96960' }, { state: 'MH' }],
    ['Guam', { ...place, country: 'GU', zip: '96910' }, { state: '' }],
    [
      'a state of Australia by its name',
      { ...place, country: 'AU', state: 'New South Wales', zip: '2000' },
      { state: 'NSW' },
    ],
    [
      'a state of India by a former name',
      { ...place, country: 'IN', state: 'Orissa', zip: '751 001' },
      { state: 'OR' },
    ],
    ['Brazil', { ...place, country: 'Brasil', state: 'Sao Paulo', zip: '01310-100' }, { country: 'BR', state: 'SP' }],
    ['Mexico', { ...place, country: 'MX', state: 'CDMX', zip: '06000' }, { state: 'CDMX' }],
    ['a state cut short as newspapers do', { ...springfield, state: 'Mass.', zip: '02134' }, { state: 'MA' }],
    ['Argentina, old and new', { ...place, country: 'AR', zip: '1070' }, { zip: '1070' }],
    ['Portugal', { ...place, country: 'PT', zip: '1000-001' }, { zip: '1000-001' }],
    ['Taiwan', { ...place, country: 'TW', zip: '100' }, { zip: '100' }],
    ['forces of the United Kingdom', { ...place, country: 'GB', zip: 'BFPO 801' }, { zip: 'BFPO 801' }],
    ['a name with a joiner, as Persian has', { ...berlin, city: 'می\u200cخواهم' }, { city: 'می\u200cخواهم' }],
  ])('is taken of %s', async (_, address, wanted) => {
    expect(await addressOf(address)).toMatchObject(wanted)
  })

  it.each([
    ['phone', { phone: 'call me' }],
    ['phone', { phone: '9.17E+11' }],
    ['country', { country: 'Atlantis' }],
    ['state', { country: 'USA', state: 'ZZ' }],
    ['zip', { country: 'US', zip: '4.1E+3' }],
    ['zip', { country: 'UK', zip: 'SW1A' }],
    ['zip', { zip: '4.1E+3' }],
  ])('names the %s in a registration and in the record of a customer, too', async (field, wrong) => {
    const at = recipients(world)
    const person = { firstName: 'Ada', lastName: 'Example', email: at.newEmail(), dateOfBirth: '1985-01-15', sex: 'F' }
    const registered = await clinic.live.post(`/kits/${await at.newKit(clinic)}/register`, { ...person, ...wrong })
    expectRefusal(registered, 'VALIDATION_FAILED', JSON.stringify(wrong))
    expect(registered.body.details).toMatchObject([{ path: field }])
    const change = 'phone' in wrong ? wrong : { address: wrong }
    const record = await clinic.live.request('PATCH', `/customers/${await aCustomer()}`, change)
    expectRefusal(record, 'VALIDATION_FAILED', JSON.stringify(wrong))
  })

  it('of a registration may lack any part, and stands as its country writes it', async () => {
    const at = recipients(world)
    for (const [said, kept] of [
      [{ addressLine1: '1 High Street' }, { street1: '1 High Street' }],
      [
        { addressLine1: 'Hauptstraße 1', country: 'Alemania', zip: 'D-10115' },
        { street1: 'Hauptstraße 1', country: 'DE', zip: '10115' },
      ],
    ]) {
      const kitID = await at.newKit(clinic)
      await at.register(kitID, { email: at.newEmail(), ...said })
      const { customerID } = (await clinic.live.get(`/kits/${kitID}`)).body.kit
      const { body } = await clinic.live.get(`/customers/${customerID}/export`)
      expect(body.customer.address).toEqual(kept)
    }
  })

  const hidden = ['\u200b', '\u3164', '\u00ad\u2060', '\u2800']
  const harmful = ['1 \u202eMain', '1 \u0007Main', '1\nMain', '1\u2028Main', '1 \u2067Main', '1\tMain', 'Jos\ufffd']

  it.each(['street1', 'city', 'street2', 'state', 'zip'])(
    'names the %s where nothing of it can be seen, or where it shows another text than was sent',
    async (field) => {
      for (const wrong of [...hidden, ...harmful]) {
        const address = { ...springfield, [field]: wrong }
        const reply = await clinic.live.post('/create-order', anOrder({ recipient: { ...recipient, address } }))
        expectRefusal(reply, 'VALIDATION_FAILED', JSON.stringify(wrong))
        const paths = reply.body.details.map(({ path }: { path: string }) => path)
        expect([...new Set(paths)], JSON.stringify(wrong)).toEqual([`recipient.address.${field}`])
      }
    },
  )

  it('holds names, identifiers, registrations and records of customers to the same characters', async () => {
    const at = recipients(world)
    const kitID = await at.newKit(clinic)
    await at.register(kitID, { email: at.newEmail() })
    const { customerID } = (await clinic.live.get(`/kits/${kitID}`)).body.kit
    const aKit = await at.newKit(clinic)
    for (const wrong of ['\u200b', 'a\u202eb', 'a\u0007b', 'a\nb']) {
      const named = JSON.stringify(wrong)
      const name = anOrder({ recipient: { ...recipient, first_name: wrong } })
      expectRefusal(await clinic.live.post('/create-order', name), 'VALIDATION_FAILED', named)
      expectRefusal(await clinic.live.post('/create-order', anOrder({ externalID: wrong })), 'VALIDATION_FAILED', named)
      const person = {
        firstName: 'Ada',
        lastName: 'Example',
        email: at.newEmail(),
        dateOfBirth: '1985-01-15',
        sex: 'F',
      }
      const registered = await clinic.live.post(`/kits/${aKit}/register`, { ...person, addressLine1: wrong })
      expectRefusal(registered, 'VALIDATION_FAILED', named)
      expect(registered.body.details).toMatchObject([{ path: 'addressLine1' }])
      for (const change of [{ name: wrong }, { address: { city: wrong } }]) {
        const reply = await clinic.live.request('PATCH', `/customers/${customerID}`, change)
        expectRefusal(reply, 'VALIDATION_FAILED', named)
      }
    }
  })
})
