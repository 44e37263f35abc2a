import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Mode } from '../../src/platform/database/tx.ts'
import { operatorWith } from '../harness/operator.ts'
import { begin, personWithoutPassword } from '../harness/people.ts'
import { recipients } from '../harness/recipients.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let at: ReturnType<typeof recipients>
beforeAll(async () => {
  world = await sharedWorld()
  at = recipients(world)
})
afterAll(() => world.stop())

const home = { addressLine1: '7 Sea Road', city: 'Arlington', state: 'VA', zip: '22201', country: 'United States' }

/** A person with a published report of a business, on its pages. */
async function reader(settings: object = {}, mode: Mode = 'live', credits = 5) {
  const clinic = await world.business({ name: 'Harbor Clinic', credits })
  const kitId = await at.newKit(clinic, mode)
  const { body } = await clinic[mode].get(`/kits?kitID=${kitId}`)
  const kitType: string = body[0].kitType
  const changed = await clinic[mode].request('PATCH', '/settings', { retestPanels: [kitType], ...settings })
  expect(changed.status, changed.text).toBe(200)
  const { email } = await at.register(kitId, home)
  const reportId = await at.report(clinic, kitId, { glucose: 141, ldl: 187, hdl: 55 }, mode)
  expect((await clinic[mode].post(`/reports/${reportId}/publish`, {})).status).toBe(200)
  const { who } = await at.enter((await at.linksTo(email))[0] ?? '')
  const path = `/r/reports/${reportId}/retest`
  return { clinic, who, email, reportId, kitType, path }
}

interface Order {
  orderID: string
  externalTags: string[]
  recipientAddress: object
  kits: { kitID: string }[]
}

const ordersOf = async (clinic: TestBusiness, mode: Mode = 'live') =>
  (await clinic[mode].get('/orders')).body.data as Order[]

describe('ordering a test again from the report', () => {
  it('is not offered unless the settings name the panel', async () => {
    const { clinic, who, reportId, path } = await reader({ retestPanels: [] })
    expect((await clinic.live.get('/settings')).body.retestPanels).toEqual([])
    expect((await who.open(`/r/reports/${reportId}`)).text).not.toContain('Take this test again')
    expect((await who.open(path)).status).toBe(404)
    expect((await who.submit(await who.open('/r'))).path).toBe('/r?left')
  })

  it('takes two taps: the address of the registration is there, credits pay, and the page says what comes next', async () => {
    const { clinic, who, email, reportId, kitType, path } = await reader()
    const report = await who.open(`/r/reports/${reportId}`)
    expect(report.text).toContain('Harbor Clinic pays for it.')
    expect(report.html).toContain(`href="${path}"`)
    const page = await who.open(path)
    expect(page.text).toContain('7 Sea Road, 22201 Arlington, VA, United States')
    const done = await who.submit(page)
    expect([done.path, done.status]).toEqual([path, 200])
    expect(done.text).toContain('Your kit is ordered')
    expect(done.text).toContain(email)
    const [order] = await ordersOf(clinic)
    expect(order).toMatchObject({
      status: 'created',
      recipientEmail: email,
      externalTags: ['retest'],
      isNotifyReceiver: true,
      items: [{ kitType, quantity: 1 }],
      payment: { method: 'credits', status: 'paid' },
      recipientAddress: { street1: '7 Sea Road', city: 'Arlington', state: 'VA', zip: '22201', country: 'US' },
    })
    expect((await who.open(`/r/reports/${reportId}`)).text).toContain('You ordered this test again on')
    const staff = await begin(world, await personWithoutPassword(world, 'business-admin', clinic))
    const { body } = await staff.in(clinic).get('/audit?action=retest.ordered')
    expect(body.data).toHaveLength(1)
    expect(body.data[0]).toMatchObject({
      actor: expect.stringMatching(/^recipient:/),
      objectID: order?.orderID,
    })
  })

  it('makes one order of two taps at once, a reload, the back button, and any other report of the panel', async () => {
    const { clinic, who, path } = await reader()
    const before = (await ordersOf(clinic)).length
    const page = await who.open(path)
    await Promise.all([who.submit(page), who.submit(page), who.submit(page)])
    await who.submit(page)
    expect((await who.open(path)).text).toContain('Your kit is ordered')
    expect((await ordersOf(clinic)).length).toBe(before + 1)
  })

  it('is possible again once the order was canceled, or its report is there', async () => {
    const { clinic, who, path, email } = await reader()
    await who.submit(await who.open(path))
    const [first] = await ordersOf(clinic)
    expect((await clinic.live.post(`/orders/${first?.orderID}/cancel`, {})).status).toBe(200)
    const again = await who.open(path)
    expect(again.text).toContain('Order it')
    await who.submit(again)
    const [second] = await ordersOf(clinic)
    expect(second?.orderID).not.toBe(first?.orderID)
    const kitId = second?.kits[0]?.kitID ?? ''
    await at.register(kitId, { ...home, email })
    expect((await who.open(path)).text).toContain('Your kit is ordered')
    const reportId = await at.report(clinic, kitId, { glucose: 90 })
    expect((await clinic.live.post(`/reports/${reportId}/publish`, {})).status).toBe(200)
    expect((await who.open(path)).text).toContain('Order it')
  })

  it('goes to the address that was corrected, and says what is missing of it', async () => {
    const { clinic, who, path } = await reader()
    const page = await who.open(path)
    const wrong = await who.submit(page, { street1: '', state: '' })
    expect(wrong.status).toBe(400)
    expect(wrong.text).toContain('Street and number: please fill it in')
    expect(wrong.text).toContain('State: please fill it in')
    const right = await who.submit(wrong, { street1: 'Hafenstr. 3', city: 'Hamburg', zip: '20457', country: 'DE' })
    expect(right.text).toContain('Your kit is ordered')
    const [order] = await ordersOf(clinic)
    expect(order?.recipientAddress).toMatchObject({ street1: 'Hafenstr. 3', city: 'Hamburg', country: 'DE' })
  })

  it('shows no address of an order that somebody else got', async () => {
    const { who, path } = await reader()
    expect((await who.open(path)).html).not.toContain('1 Main Street')
  })

  it('that credits do not cover orders nothing, charges no card, says so, and tells the business once', async () => {
    const settings = { insufficientCredits: 'charge', contactEmail: 'desk@harbor.example' }
    const { clinic, who, path } = await reader(settings, 'live', 1)
    const before = (await ordersOf(clinic)).length
    for (const _ of [1, 2]) {
      const refused = await who.submit(await who.open(path))
      expect(refused.text).toContain('Nothing was ordered. Harbor Clinic was told.')
    }
    expect((await ordersOf(clinic)).length).toBe(before)
    const told = (await at.emailsTo('desk@harbor.example')).filter(({ kind }) => kind === 'retest_refused')
    expect(told).toHaveLength(1)
  })

  it('that credits do not cover waits where the settings let orders wait', async () => {
    const { clinic, who, path } = await reader({ insufficientCredits: 'pending' }, 'live', 1)
    const waiting = await who.submit(await who.open(path))
    expect(waiting.text).toContain('Your order is waiting')
    expect((await ordersOf(clinic))[0]).toMatchObject({ status: 'pending', externalTags: ['retest'] })
    expect((await who.submit(waiting)).path).toBe('/r?left')
  })

  it('that a provider refused says so to the person, who asks before they order again', async () => {
    const { clinic, who, path, reportId, kitType } = await reader({}, 'sandbox')
    const operator = await operatorWith(world, ['catalogue'])
    await operator('PATCH', `/panels/${kitType}`, { providerNeeded: true })
    onTestFinished(async () => void (await operator('PATCH', `/panels/${kitType}`, { providerNeeded: null })))
    expect((await who.submit(await who.open(path))).text).toContain('Harbor Clinic confirms it')
    const waiting = (await ordersOf(clinic, 'sandbox')).find(({ externalTags }) => externalTags.includes('retest'))
    const refused = await clinic.sandbox.post(`/sandbox/orders/${waiting?.orderID}/approval`, { decision: 'refuse' })
    expect(refused.status, refused.text).toBe(200)
    for (const page of [path, `/r/reports/${reportId}`])
      expect((await who.open(page)).text).toContain('A provider did not approve your order of')
  })

  it('works in the sandbox', async () => {
    const { clinic, who, path } = await reader({}, 'sandbox')
    expect((await who.submit(await who.open(path))).text).toContain('Your kit is ordered')
    expect((await ordersOf(clinic, 'sandbox'))[0]?.externalTags).toEqual(['retest'])
    expect((await clinic.sandbox.post('/sandbox/reset', {})).status).toBe(200)
  })

  it('is forgotten with the person', async () => {
    const { clinic, who, path, email } = await reader()
    await who.submit(await who.open(path))
    const id = await at.customerOf(clinic, email)
    expect((await clinic.live.request('DELETE', `/customers/${id}`)).status).toBe(200)
    expect((await clinic.live.get('/orders')).text).not.toContain(email)
    expect((await who.open(path)).path).toBe('/r')
  })
})
