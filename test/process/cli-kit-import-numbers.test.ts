import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomBase62 } from '../../src/domain/ids.ts'
import { type CommandLine, commandLine } from '../harness/command-line.ts'
import { importKits } from '../harness/kit-import.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { CORE } from '../harness/orders.ts'
import { sharedWorld, type World } from '../harness/world.ts'

let world: World
let cli: CommandLine
let operator: Operator

beforeAll(async () => {
  world = await sharedWorld()
  cli = await commandLine(world.urls.owner, world.encryptionKey)
  operator = await operatorWith(world, ['fulfilment', 'lab', 'mail'])
})
afterAll(async () => {
  await world.stop()
  await cli.close()
})

/** A row of JSON Lines: a kit at the laboratory, with what differs. */
const rowOf = (own: string, differs: object = {}) =>
  JSON.stringify({
    external_id: own,
    kit_type: CORE,
    status: 'received_at_lab',
    first_name: 'Lara',
    last_name: 'Moved',
    email: `${own}@moved.test`,
    street1: '1 Main Street',
    city: 'Springfield',
    state: 'IL',
    zip: '62701',
    ordered_date: '2026-01-02',
    registered_date: '2026-01-08',
    received_date: '2026-01-12',
    date_of_birth: '1991-02-03',
    sex: 'F',
    ...differs,
  })
const SHIPPED = {
  status: 'shipped',
  shipped_date: '2026-01-03',
  registered_date: '',
  received_date: '',
  carrier: 'UPS',
}
const ORDERED = { status: 'ordered', registered_date: '', received_date: '', carrier: 'UPS' }

describe('the numbers of kits that were taken over', () => {
  it('are free for live after a trial in the sandbox, and the laboratory finds the live kit by its accession', async () => {
    const clinic = await world.business({ credits: 1 })
    const own = randomBase62(8).toUpperCase()
    const row = rowOf(own, { accession: `ACC-${own}`, carrier: 'UPS', tracking_number: `1Z${own}` })
    expect(await importKits(cli, clinic, row, '--mode', 'sandbox')).toMatchObject({ taken: 1, refused: 0 })
    const live = await importKits(cli, clinic, row)
    expect(live).toMatchObject({ taken: 1, refused: 0 })
    const patient = { name: 'Lara Moved', dateOfBirth: '1991-02-03', sex: 'F' }
    const results = [{ name: 'Glucose', value: 88, unit: 'mg/dL' }]
    expect((await operator('POST', '/lab/results', { accession: `ACC-${own}`, patient, results })).status).toBe(200)
    const [kit] = (await clinic.live.get(`/kits?kitID=${live.of(own).kitID}`)).body
    expect(kit.sampleStatus).toBe('partiallyResulted')
  })

  it('cannot be the same on both labels of a kit', async () => {
    const clinic = await world.business()
    const own = randomBase62(8).toUpperCase()
    const number = `1Z${own}`
    const row = rowOf(own, { ...SHIPPED, tracking_number: number, return_tracking_number: number })
    expect((await importKits(cli, clinic, row)).rows[0]?.problem).toBe(
      'return_tracking_number: Both labels have the same tracking number',
    )
  })

  it('may be those of a parcel of more than a year ago, as when a kit is shipped', async () => {
    const clinic = await world.business()
    const [first, second] = [randomBase62(8).toUpperCase(), randomBase62(8).toUpperCase()]
    const tracking_number = `1Z${first}`
    expect(await importKits(cli, clinic, rowOf(first, { ...SHIPPED, tracking_number }))).toMatchObject({ taken: 1 })
    const again = await importKits(cli, clinic, rowOf(second, { ...SHIPPED, tracking_number }))
    expect(again.rows[0]?.problem).toBe('tracking_number: is on another parcel already')
    const owner = await world.owner()
    await owner.query(`update parcels set created_at = created_at - interval '366 days' where number = $1`, [
      tracking_number,
    ])
    expect(await importKits(cli, clinic, rowOf(second, { ...SHIPPED, tracking_number }))).toMatchObject({ taken: 1 })
  })

  it('are none of a kit that was only ordered, whose labels the packer prints', async () => {
    const clinic = await world.business()
    const own = randomBase62(8).toUpperCase()
    const row = rowOf(own, { ...ORDERED, tracking_number: `1Z${own}` })
    expect((await importKits(cli, clinic, row)).rows[0]?.problem).toBe(
      'tracking_number: comes after the status kitPreparing',
    )
    const taken = await importKits(cli, clinic, rowOf(own, ORDERED))
    const kitID = taken.of(own).kitID
    const shipment = { kitID, carrier: 'UPS', outboundTrackingNumber: `1Z${own}9` }
    expect((await operator('POST', '/fulfilment/shipments', shipment)).status).toBe(200)
  })
  it('may be unknown: such a box that comes back is sent again under a new label', async () => {
    const clinic = await world.business()
    const own = randomBase62(8).toUpperCase()
    const kitID = (await importKits(cli, clinic, rowOf(own, SHIPPED))).of(own).kitID
    expect((await operator('POST', '/undelivered', { kitIDs: [kitID] })).status).toBe(200)
    expect((await clinic.live.post(`/kits/${kitID}/undelivered`, { choice: 'sendAgain' })).body.state).toBe(
      'readyToSend',
    )
    const outboundTrackingNumber = `1Z${own}`
    const shipped = await operator('POST', '/fulfilment/shipments', { kitID, carrier: 'UPS', outboundTrackingNumber })
    expect(shipped.status, shipped.text).toBe(200)
    expect((await clinic.live.get(`/kits/${kitID}/undelivered`)).body).toMatchObject({
      state: 'sentAgain',
      trackingNumber: outboundTrackingNumber,
    })
  })
})
