import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allOperatorScopes } from '../../src/domain/scopes.ts'
import { configure } from '../../src/modules/businesses/service.ts'
import { createOperatorToken } from '../../src/modules/identity/operator-tokens.ts'
import { startIdentityProvider } from '../harness/identity-provider.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { anOrder, aRow } from '../harness/orders.ts'
import { person, signIn } from '../harness/people.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
let staff: Operator
let customerId: number

beforeAll(async () => {
  world = await ownWorld('runs its jobs itself', { role: 'api' })
  clinic = await world.business()
  staff = await operatorWith(world, ['lab', 'review', 'fulfilment', 'businesses'])
  await world.service.database.asSystem({ name: 'cli' }, (tx) => configure(tx, clinic.id, { uploadsEnabled: true }))
  const who = { email: 'riley@example.test', name: 'Riley Smith', dateOfBirth: '1980-02-03', gender: 'F' }
  customerId = (await clinic.live.post('/customer', who)).body.id
})
afterAll(() => world.stop())

const message = [
  'MSH|^~\\&|LAB|X|KITLANE|Y|20260402120000||ORU^R01|1|P|2.5.1',
  'PID|1||X||Else^Some||19410101|F',
  'OBR|1||ACC-1|24331-1^Lipid panel^LN|||20260401083000',
  'OBX|1|NM|13457-7^LDL Cholesterol^LN||97|mg/dL|0-99|N|||F',
].join('\r')

/** A file that waits for a person, since it names somebody else. */
async function waitingFile(): Promise<string> {
  const fileBlob = `data:application/hl7-v2;base64,${Buffer.from(message).toString('base64')}`
  const sent = { type: 'file', userId: customerId, date: '2026-04-02', fileBlob, fileName: 'results.hl7' }
  const { body } = await clinic.live.post('/customer/add-data', sent)
  expect(body.needsReview).toBe('person')
  return body.docId
}

async function newKit(): Promise<string> {
  const { orderId } = (await clinic.live.post('/create-order', anOrder())).body
  return (await clinic.live.get(`/orders/${orderId}`)).body.kits[0].kitID
}

describe('a file that names somebody else', () => {
  it('is listed to the staff with its business, and becomes a report once they have compared it', async () => {
    const docID = await waitingFile()
    const listed = (await staff('GET', '/uploads?needsReview=person&size=250')).body
    const mine = listed.data.find((one: { docID: string }) => one.docID === docID)
    expect(mine).toMatchObject({ business: { id: clinic.id }, mode: 'live', state: 'waiting', customerID: customerId })
    const confirm = (dates: object) =>
      staff('POST', `/uploads/${docID}/results`, {
        ...dates,
        results: [{ biomarker: 'ldl', value: 97, unit: 'mg/dL', range: { high: 99 }, flag: 'N' }],
        confirmed: true,
      })
    const inTwoDays = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
    for (const dates of [{ collectedDate: '1980-02-02' }, { collectedDate: '2026-04-01', resultedDate: inTwoDays }]) {
      const refused = await confirm(dates)
      expect([refused.status, refused.body.details?.[0].path]).toEqual([400, Object.keys(dates).at(-1)])
    }
    const done = await confirm({ collectedDate: '2026-04-01', resultedDate: '2026-04-02' })
    expect([done.status, done.body.matched], done.text).toEqual([201, 1])
    expect((await clinic.live.get(`/customers/${customerId}`)).body.reports).toMatchObject([{ id: done.body.reportID }])
  })

  it('is dismissed by the staff or by the business with a reason, which the file keeps, and becomes no report', async () => {
    const before = (await clinic.live.get(`/customers/${customerId}`)).body.reports
    const [one, other] = [await waitingFile(), await waitingFile()]
    const reason = 'It was sent for somebody else, and the laboratory has been told'
    expect((await staff('POST', `/uploads/${one}/dismiss`, { reason })).body).toEqual({
      docID: one,
      state: 'dismissed',
    })
    expect((await clinic.live.post(`/uploads/${other}/dismiss`, { reason })).body).toEqual({
      docID: other,
      state: 'dismissed',
    })
    for (const docID of [one, other])
      expect((await clinic.live.get(`/uploads/${docID}`)).body).toMatchObject({ state: 'dismissed', reason })
    expect((await staff('POST', `/uploads/${one}/dismiss`, { reason })).body.code).toBe('UPLOAD_CLOSED')
    expect((await clinic.live.get(`/customers/${customerId}`)).body.reports).toEqual(before)
  })
})

it('a result that could not be assessed is closed by the staff with a note, also by the older name of dismissing', async () => {
  const kitID = await newKit()
  await clinic.live.post(`/kits/${kitID}/register`, {
    firstName: 'Riley',
    lastName: 'Smith',
    email: 'riley@example.test',
    dateOfBirth: '1980-02-03',
    sex: 'F',
  })
  const results = [
    'MSH|^~\\&|LAB|X|KITLANE|Y|20260402120000||ORU^R01|2|P|2.5.1',
    'PID|1||X||Smith^Riley||19800203|F',
    `OBR|1|${kitID}|ACC-2|24331-1^Lipid panel^LN|||20260401083000`,
    'OBX|1|NM|13457-7^LDL Cholesterol^LN||97|mg/dL|0-99|N|||F',
    'OBX|2|ST|^Sample appearance||Clear||||||F',
  ].join('\r')
  const sent = await staff('POST', '/lab/results', results, { 'content-type': 'application/hl7-v2' })
  expect(sent.body.reports[0].unmatched).toHaveLength(1)
  const open = () => staff('GET', `/unassessed-results?kitID=${kitID}&state=open`)
  const [{ id }] = (await open()).body.data
  const closed = await staff('POST', `/unassessed-results/${id}/close`, { note: 'It says how the sample looked' })
  expect([closed.status, closed.body]).toEqual([200, { id, state: 'closed' }])
  expect((await open()).body.data).toEqual([])
})

it('a price is asked of the legacy alias as of create-order', async () => {
  const { kit_type, ...flat } = aRow()
  const legacy = await clinic.live.post('/legacy/create-order?dryRun=true', { ...flat, kitType: kit_type, quantity: 2 })
  const current = await clinic.live.post(
    '/create-order?dryRun=true',
    anOrder({ kit_types: [{ kitType: kit_type, quantity: 2 }] }),
  )
  expect([legacy.status, current.status]).toEqual([200, 200])
  expect(legacy.body).toEqual(current.body)
})

it('a file of tracking numbers ships each kit that it names rightly, and says what is wrong with the others', async () => {
  const [one, other] = [await newKit(), await newKit()]
  const csv = `kitID,carrier,outbound,return\n${one},UPS,1Z9990000000000011,1Z9990000000000012\n${other},UPS,,\n`
  const { status, body } = await staff('POST', '/fulfilment/shipments/csv', csv, { 'content-type': 'text/csv' })
  expect([status, body.shipped, body.failed]).toEqual([200, 1, 1])
  expect((await clinic.live.get(`/kits/${one}`)).body.kit.kitStatus).toBe('inTransit')
  expect((await clinic.live.get(`/kits/${other}`)).body.kit.kitStatus).toBe('preparing')
})

it("the operator's consent texts are listed, newest first, as they were published", async () => {
  const text = {
    language: 'en',
    text: 'Your sample is tested for what your kit names.\n\nNothing else is done with it.',
  }
  const published = await staff('POST', '/consent-texts', text)
  expect(published.status, published.text).toBe(201)
  const listed = await staff('GET', '/consent-texts')
  expect(listed.body[0]).toEqual(published.body)
})

describe("the operator's own", () => {
  it('token takes another name and other addresses at once', async () => {
    const admin = await operatorWith(world, allOperatorScopes)
    const { id } = await world.service.database.asSystem({ name: 'cli' }, (tx) =>
      createOperatorToken(tx, { name: 'Nightly export', scopes: ['businesses'] }),
    )
    const change = { name: 'Export of each night', addresses: ['192.0.2.0/24'] }
    const { status, body } = await admin('PATCH', `/tokens/${id}`, change)
    expect([status, body.name, body.addresses]).toEqual([200, change.name, change.addresses])
    const listed = (await admin('GET', '/tokens')).body
    expect((listed.data ?? listed).find((one: { id: string }) => one.id === id)).toMatchObject(change)
  })

  it('single sign-on is listed, changed, and given a token for SCIM that ends on request', async () => {
    const provider = await startIdentityProvider(`${world.service.url}/app/sso`)
    const { operator } = await signIn(world, await person(world, 'operator-admin'))
    const made = await operator.post('/sso-connections', {
      name: 'Staff login',
      issuer: provider.issuer,
      clientID: provider.clientId,
      clientSecret: provider.clientSecret,
      domains: ['operator.test'],
      groupRoles: [{ group: 'packers', role: 'fulfilment' }],
    })
    expect(made.status, made.text).toBe(201)
    const path = `/sso-connections/${made.body.id}`
    const changed = await operator.request('PATCH', path, { name: 'Sign in at work', groupClaim: 'roles' })
    expect([changed.status, changed.body.name, changed.body.groupClaim]).toEqual([200, 'Sign in at work', 'roles'])
    expect((await operator.get('/sso-connections')).body).toEqual([changed.body])
    const scim = await operator.post(`${path}/scim-token`)
    expect([scim.status, scim.body.url]).toEqual([201, `${world.service.url}/scim/v2`])
    const users = () =>
      fetch(`${scim.body.url}/Users`, { headers: { authorization: `Bearer ${scim.body.token}` } }).then(
        (one) => one.status,
      )
    expect(await users()).toBe(200)
    const ended = await operator.request('DELETE', `${path}/scim-token`)
    expect([ended.status, ended.body]).toEqual([200, { revoked: true }])
    expect(await users()).toBe(401)
    await provider.stop()
  })
})
