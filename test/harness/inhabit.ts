import { realmsOf } from '../../src/modules/businesses/service.ts'
import { publish } from '../../src/modules/reports/publish.ts'
import { receiveResults } from '../../src/modules/reports/receive.ts'
import type { Realm } from '../../src/platform/database/tx.ts'
import { randomBase62 } from '../../src/platform/ids.ts'
import type { Caller } from './caller.ts'
import { address, CORE } from './orders.ts'
import type { Objects } from './slots.ts'
import type { TestBusiness, World } from './world.ts'

/** A realm with objects of every kind in it, and texts that occur nowhere else. */
export interface Inhabited {
  title: string
  realm: Realm
  caller: Caller
  objects: Objects
  /** Texts of its people: never to be seen by another realm, nor in a log. */
  canaries: string[]
  /** Identifiers of its objects: never in what another realm lists. */
  ids: string[]
}

const must = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('an object of the test is missing')
  return value
}

/** Fills a realm through the API: an order, a registered kit, a customer with a published report. */
export async function inhabit(world: World, business: TestBusiness, mode: 'live' | 'sandbox'): Promise<Inhabited> {
  const caller = business[mode]
  const mark = `canary${randomBase62(10)}`
  const email = `${mark}@example.test`.toLowerCase()
  const externalId = `${mark}-order`
  const customerExternalId = `${mark}-person`
  const ordered = await caller.post('/create-order', {
    recipient: { first_name: `${mark}First`, last_name: `${mark}Last`, email, address, external_id: externalId },
    kit_types: [{ kitType: CORE, quantity: 3 }],
    paymentMethod: 'credits',
  })
  const orderId: string = ordered.body.orderId
  const kitIds: string[] = (await caller.get(`/orders/${orderId}`)).body.kits.map((kit: { kitID: string }) => kit.kitID)
  const [kitId, replaceable] = kitIds
  const registered = await caller.post(`/kits/${kitId}/register`, {
    firstName: `${mark}First`,
    lastName: `${mark}Last`,
    email,
    dateOfBirth: '1980-02-29',
    sex: 'F',
    external_id: customerExternalId,
  })
  if (registered.status !== 200) throw new Error(`a kit of the test was not registered: ${registered.text}`)
  const customerId = String(registered.body.customerId)
  const realm = (await world.service.database.asSystem({ name: 'system' }, (tx) => realmsOf(tx, business.id)))[mode]
  const reportId = await world.service.database.inRealm(realm, { name: 'cli' }, async (tx) => {
    const results = [{ biomarkerId: 'ldl', value: 97, unit: 'mg/dL' }]
    const { reportId } = await receiveResults(tx, { kitId: must(kitId), results })
    await publish(tx, reportId)
    return reportId
  })
  return {
    title: `${business.name} ${mode}`,
    realm,
    caller,
    objects: {
      order: [orderId],
      kit: [must(kitId), must(replaceable)],
      customer: [customerId, customerExternalId],
      report: [reportId],
      email: [email, customerId],
      externalId: [externalId, customerExternalId],
    },
    canaries: [mark, mark.toLowerCase()],
    ids: [orderId, ...kitIds, customerId, reportId],
  }
}
