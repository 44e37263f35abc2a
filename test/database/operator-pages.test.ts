import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allOperatorScopes } from '../../src/domain/scopes.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { address, anOrder, CORE } from '../harness/orders.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
let admin: Operator
let packer: Operator
let laboratory: Operator
let reviewer: Operator
beforeAll(async () => {
  world = await sharedWorld()
  clinic = await world.business({ name: 'Page Clinic', credits: 50 })
  admin = await operatorWith(world, allOperatorScopes)
  packer = await operatorWith(world, ['fulfilment'])
  laboratory = await operatorWith(world, ['lab'])
  reviewer = await operatorWith(world, ['review'])
})
afterAll(() => world.stop())

const audited = async (action: string, objectID: string) => {
  const { body } = await admin('GET', `/audit?businessID=${clinic.id}&action=${action}&objectID=${objectID}`)
  return body.data as { actor: string; details?: Record<string, unknown> }[]
}

async function placed(quantity = 2) {
  const { body } = await clinic.live.post(
    '/create-order',
    anOrder({ kit_types: [{ kitType: CORE, quantity }], isNotifyReceiver: true }),
  )
  const orderID: string = body.orderId
  const kits = (await clinic.live.get(`/kits?orderID=${orderID}`)).body.map(({ kitID }: { kitID: string }) => kitID)
  return { orderID, kits: kits as string[] }
}

const shipment = (kitID: string, number: string) => ({
  kitID,
  carrier: 'UPS',
  outboundTrackingNumber: `1Z${number}`,
  returnTrackingNumber: `94${kitID}`,
})

async function registered() {
  const { kits } = await placed(1)
  const [kitID = ''] = kits
  const who = { firstName: 'Bo', lastName: 'Tester', email: `bo.${kitID}@example.test`, dateOfBirth: '1980-02-29' }
  const { body } = await clinic.live.post(`/kits/${kitID}/register`, { ...who, sex: 'F' })
  return { kitID, customerID: String(body.customerId), email: who.email }
}

describe("the operator's page of an order", () => {
  it('shows each role its part, and the business who read it', async () => {
    const { orderID } = await placed(1)
    const parts = async (role: Operator) => {
      const { body } = await role('GET', `/orders/${orderID}`)
      return [body.recipient !== undefined, body.payment.amount !== undefined, body.emails !== undefined]
    }
    expect(await parts(packer)).toEqual([true, false, false])
    expect(await parts(laboratory)).toEqual([false, false, false])
    expect((await reviewer('GET', `/orders/${orderID}`)).status).toBe(403)
    expect(await audited('order.read', orderID)).toHaveLength(2)
  })

  it('shows kits, parcels, what happened and e-mails, told once for kits that went together', async () => {
    const { orderID, kits } = await placed()
    for (const kitID of kits) await packer('POST', '/fulfilment/shipments', shipment(kitID, orderID))
    const { status, body } = await admin('GET', `/orders/${orderID}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      business: { id: clinic.id, name: 'Page Clinic' },
      orderID,
      status: 'created',
      quantity: 2,
      addressStays: 'packed',
      items: [{ kitType: CORE, panelName: 'Core Health', quantity: 2 }],
      recipient: { name: 'Ada Example', email: 'ada@example.test', address },
      payment: { method: 'credits', status: 'paid' },
    })
    expect(body.kits).toHaveLength(2)
    expect(body.kits.map(({ shipment }: { shipment: object }) => Object.keys(shipment).length)).toEqual([2, 2])
    const steps = body.happened.map(({ type, kits, kitID }: Record<string, unknown>) => [
      type,
      kits,
      kitID !== undefined,
    ])
    expect(steps.at(-1)).toEqual(['orderPlaced', undefined, false])
    // Each was shipped by its own request, a moment apart.
    expect(steps.filter(([type]: [string]) => type === 'kitInTransit')).toHaveLength(2)
    expect(body.emails.map(({ to }: { to: string }) => to)).toContain('ada@example.test')
  })

  it('knows no order of a sandbox and none that is not there', async () => {
    const { body } = await clinic.sandbox.post('/create-order', anOrder())
    for (const id of [body.orderId, 'OAAAAAAAAA']) {
      expect((await admin('GET', `/orders/${id}`)).body.code).toBe('ORDER_NOT_FOUND')
    }
  })

  it('corrects an address with a reason, which the audit of the business keeps, and not once a kit is packed', async () => {
    const { orderID, kits } = await placed(1)
    const [kitID = ''] = kits
    const recipientAddress = { ...address, street1: '2 Side Street' }
    const correct = (role: Operator, body: object) => role('PATCH', `/orders/${orderID}`, body)
    expect((await correct(packer, { recipientAddress })).body.code).toBe('VALIDATION_FAILED')
    expect((await correct(laboratory, { recipientAddress, reason: 'Called' })).status).toBe(403)
    const corrected = await correct(packer, { recipientAddress, reason: 'The person called: number 2' })
    expect(corrected.status).toBe(200)
    const { body: after } = await packer('GET', `/orders/${orderID}`)
    expect(after.recipient.address.street1).toBe('2 Side Street')
    expect(after.happened.map(({ type }: { type: string }) => type)).toContain('addressCorrected')
    expect((await clinic.live.get(`/orders/${orderID}`)).body.recipientAddress.street1).toBe('2 Side Street')
    const [entry] = await audited('order.updated', orderID)
    expect(entry?.details).toEqual({ changed: ['recipientAddress'], reason: 'The person called: number 2' })
    await packer('POST', '/fulfilment/shipments', shipment(kitID, orderID))
    expect((await correct(packer, { recipientAddress: address, reason: 'Again' })).body.code).toBe('ORDER_PACKED')
  })
})

describe("the operator's page of a person", () => {
  const at = (id: string) => `/businesses/${clinic.id}/customers/${id}`

  it('shows kits, consents and where reports are, never results, and each role its part', async () => {
    const { kitID, customerID, email } = await registered()
    const consent = { firstName: 'Bo', lastName: 'Tester', email, consentToTesting: true }
    expect((await clinic.live.post(`/kits/${kitID}/consent`, consent)).status).toBe(200)
    const { body } = await laboratory('GET', at(customerID))
    expect(body).toMatchObject({
      business: { id: clinic.id, name: 'Page Clinic' },
      name: 'Bo Tester',
      dateOfBirth: '1980-02-29',
      gender: 'F',
      email,
      reports: [],
      kits: [{ kitID }],
      panels: [{ kitType: CORE, name: 'Core Health' }],
      consents: [{ kitID, type: 'agreed', name: 'Bo Tester' }],
    })
    expect(body.emails).toBeUndefined()
    const seen = (await reviewer('GET', at(customerID))).body
    expect(seen.name).toBe('Bo Tester')
    expect(JSON.stringify(seen)).not.toContain(email)
    expect((await packer('GET', at(customerID))).status).toBe(403)
    expect((await admin('GET', at(customerID))).body.emails).toEqual(expect.any(Array))
    expect(await audited('customer.read', customerID)).toHaveLength(3)
    const accesses = (await clinic.live.get(`/customers/${customerID}`)).status
    expect(accesses).toBe(200)
  })

  it('corrects a date of birth with a reason, which the audit of the business keeps', async () => {
    const { customerID } = await registered()
    const change = { dateOfBirth: '1981-02-28', reason: 'The passport says so' }
    expect((await reviewer('PATCH', at(customerID), change)).status).toBe(403)
    expect((await laboratory('PATCH', at(customerID), { dateOfBirth: '1981-02-28' })).body.code).toBe(
      'VALIDATION_FAILED',
    )
    const { status, body } = await laboratory('PATCH', at(customerID), change)
    expect([status, body]).toEqual([200, { id: Number(customerID) }])
    expect((await laboratory('GET', at(customerID))).body.dateOfBirth).toBe('1981-02-28')
    const [entry] = await audited('customer.updated', customerID)
    expect(entry?.details).toEqual({ changed: ['dateOfBirth'], reason: 'The passport says so' })
  })

  it('is of the business that is named', async () => {
    const { customerID } = await registered()
    const other = await world.business()
    const answer = await laboratory('GET', `/businesses/${other.id}/customers/${customerID}`)
    expect(answer.body.code).toBe('CUSTOMER_NOT_FOUND')
  })
})

describe("the operator's first page", () => {
  it('knows since when the oldest of each kind waits, by what the caller may see', async () => {
    await placed(1)
    const { body } = await packer('GET', '/overview/oldest')
    expect(Object.keys(body.oldest)).toContain('toPack')
    expect(['toPack', 'cameBack']).toEqual(expect.arrayContaining(Object.keys(body.oldest)))
    expect(Date.parse(body.oldest.toPack)).toBeLessThanOrEqual(Date.now())
    expect(Object.keys((await reviewer('GET', '/overview/oldest')).body.oldest)).not.toContain('toPack')
  })

  it('lists what is to be done before the first live kit, each ticked off by itself', async () => {
    const steps = async () => {
      const { body } = await admin('GET', '/overview/oldest')
      return Object.fromEntries(body.firstSteps.map(({ step, done }: { step: string; done: boolean }) => [step, done]))
    }
    expect(await steps()).toMatchObject({ ranges: false, mail: false, backup: false })
    await admin('POST', '/range-signatures', { laboratory: 'Main', director: 'Dr. Ito' })
    expect((await steps()).ranges).toBe(true)
    expect((await steps()).contact).toBe(false)
    expect((await packer('GET', '/overview/oldest')).body.firstSteps).toBeUndefined()
    // Signed ranges are the installation's: reports of other files say whether there are any.
    await (await world.owner()).query('reset role; delete from range_signatures')
  })
})
