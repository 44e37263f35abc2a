import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allOperatorScopes } from '../../src/domain/scopes.ts'
import { expectAccessible, useStage } from '../harness/browser.ts'
import { type StandInLaboratory, standInLaboratory } from '../harness/laboratory.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { anOrder, CORE } from '../harness/orders.ts'
import { person, type SignedIn, signIn } from '../harness/people.ts'
import { ownWorld, type TestBusiness } from '../harness/world.ts'

let laboratory: StandInLaboratory
const stage = useStage(async () => {
  laboratory = await standInLaboratory()
  const labOrders = { at: 'registration', hosts: laboratory.hosts } as const
  return ownWorld('has laboratories of its own', { labOrders })
})
let operator: Operator
let clinic: TestBusiness
let admin: SignedIn
let laboratoryID: string

beforeAll(async () => {
  operator = await operatorWith(stage.world, allOperatorScopes)
  clinic = await stage.world.business({ name: 'Harbor Clinic', credits: 50 })
  admin = await signIn(stage.world, await person(stage.world, 'operator-admin'))
  laboratoryID = (await operator('POST', '/laboratories', { name: 'North Laboratory', address: '1 Road' })).body.id
  const test = { kitType: CORE, code: '24331-1', name: 'Lipid panel', codingSystem: 'LN', specimen: 'BLDC' }
  const body = { transport: { kind: 'mllp', url: laboratory.mllp }, tests: [test] }
  const saved = await operator('POST', `/laboratories/${laboratoryID}/connection`, body)
  expect(saved.status, saved.text).toBe(200)
})
afterAll(() => laboratory.stop())

let serial = 0
async function registered(): Promise<string> {
  const { body } = await clinic.live.post('/create-order', anOrder())
  const kitID: string = (await clinic.live.get(`/orders/${body.orderId}`)).body.kits[0].kitID
  const outboundTrackingNumber = `1ZWEB${Date.now()}${++serial}`
  await operator('POST', '/fulfilment/shipments', { kitID, carrier: 'UPS', outboundTrackingNumber })
  const email = `ordered${serial}@people.test`
  const who = { firstName: 'Zoë', lastName: 'Lane', email, dateOfBirth: '1980-02-03', sex: 'F' }
  const answer = await clinic.live.post(`/kits/${kitID}/register`, who)
  expect(answer.status, answer.text).toBe(200)
  return kitID
}

const becomes = (kitID: string, state: string) =>
  expect.poll(async () => (await operator('GET', `/lab-orders/${kitID}`)).body.state, { interval: 50 }).toBe(state)

describe('orders to laboratories', () => {
  it('a refused order waits with the laboratory’s words, and is gone once a person has sent it again', async () => {
    laboratory.treats(() => ({ is: 'refused', reason: 'Unknown test code' }))
    const kitID = await registered()
    await becomes(kitID, 'refused')
    laboratory.treats(() => ({ is: 'accepted' }))
    const queue = await stage.open('/app/operator/lab-orders', { cookie: admin.cookie })
    const row = queue.getByRole('row').filter({ hasText: kitID })
    await row.getByText('The laboratory says: “Unknown test code”').waitFor()
    await row.getByText('Harbor Clinic').waitFor()
    await expectAccessible(queue)
    const { body: closed } = await operator('POST', '/laboratories', { name: 'Closed Laboratory', address: '1 Road' })
    const transport = { kind: 'mllp', url: laboratory.mllp }
    const tests = [{ kitType: CORE, code: '24331-1', name: 'Lipid panel' }]
    await operator('POST', `/laboratories/${closed.id}/connection`, { transport, tests, isActive: false })
    await row.getByRole('link').click()
    await queue.getByRole('button', { name: 'Send it' }).click()
    await queue.getByRole('dialog').getByRole('combobox', { name: 'Laboratory' }).click()
    const option = queue.getByRole('option', { name: 'Closed Laboratory (gets no new orders)' })
    expect(await option.getAttribute('data-combobox-disabled')).toBe('true')
    await queue.getByRole('option', { name: 'North Laboratory', exact: true }).click()
    expect((await operator('POST', `/laboratories/${closed.id}/remove`)).status).toBe(200)
    await expectAccessible(queue)
    await queue.getByRole('dialog').getByRole('button', { name: 'Send it' }).click()
    await becomes(kitID, 'accepted')
    await queue.goto('/app/operator/lab-orders')
    await queue.getByText('No order needs a person').waitFor()
    await queue.goto('/app/operator/lab-orders?attention=noAnswer')
    await queue.getByRole('button', { name: /Why it needs a person/ }).waitFor()
    await queue.goto('/app/operator/lab-orders')
    await queue.getByText('All', { exact: true }).click()
    await queue.getByRole('row').filter({ hasText: kitID }).getByText('The laboratory has it').waitFor()
    await queue.goto(`/app/operator/lab-orders/${kitID}`)
    await queue.getByText(`F${kitID}-2`).first().waitFor()
    expect(await queue.getByRole('button', { name: 'Send it' }).count()).toBe(0)
    const download = queue.waitForEvent('download')
    await queue.getByRole('button', { name: 'Requisition (PDF)' }).click()
    expect((await download).suggestedFilename()).toBe(`requisition-${kitID}.pdf`)
    await expectAccessible(queue)
  })

  it('what a laboratory answers by telephone is noted with its number, and an order that was settled is closed', async () => {
    laboratory.treats(() => ({ is: 'received' }))
    const kitID = await registered()
    await becomes(kitID, 'sent')
    const pat = await signIn(stage.world, await person(stage.world, 'lab'))
    const page = await stage.open(`/app/operator/lab-orders/${kitID}`, { cookie: pat.cookie })
    await page.getByRole('button', { name: 'The laboratory answered' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Laboratory’s number').fill('F-77')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'The laboratory answered' }).click()
    await page.getByText('The laboratory has it').waitFor()
    await page.getByText('F-77').waitFor()
    await page.getByRole('button', { name: 'Close the order' }).click()
    await dialog.getByLabel('How it was settled').fill('Agreed by telephone')
    await dialog.getByRole('button', { name: 'Close the order' }).click()
    await page.getByText('Settled otherwise').waitFor()
    expect(await page.getByRole('button', { name: 'Close the order' }).count()).toBe(0)
  })

  it('a kit that was registered before there were orders is ordered from its page, and the menu counts those that need a person', async () => {
    laboratory.treats(() => ({ is: 'refused', reason: 'Unknown test code' }))
    const waiting = await registered()
    await becomes(waiting, 'refused')
    laboratory.treats(() => ({ is: 'accepted' }))
    const kitID = await registered()
    await becomes(kitID, 'accepted')
    await stage.world.service.database.asSystem({ name: 'test' }, (tx) =>
      tx.run(sql`delete from lab_orders where kit_id = ${kitID}`),
    )
    const page = await stage.open(`/app/operator/kits/${kitID}`, { cookie: admin.cookie })
    const { waitingLabOrders } = (await operator('GET', '/overview')).body
    expect(waitingLabOrders).toBeGreaterThan(0)
    await page.getByRole('button', { name: /^Clinical/ }).click()
    await page.getByRole('link', { name: `Orders to laboratories ${waitingLabOrders}` }).waitFor()
    await page.getByRole('button', { name: 'Order it at a laboratory' }).click()
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Order it at a laboratory' }).click()
    await becomes(kitID, 'accepted')
    await page.getByRole('link', { name: 'Order to the laboratory' }).click()
    await page.getByText('The laboratory has it').waitFor()
  })

  it('a business sees on the page of its kit how its order stands, without the words of the laboratory', async () => {
    laboratory.treats(() => ({ is: 'refused', reason: 'Unknown test code' }))
    const kitID = await registered()
    await becomes(kitID, 'refused')
    const owner = await signIn(stage.world, await person(stage.world, 'business-admin', clinic))
    const page = await stage.open(`/app/b/${clinic.id}/live/kits/${kitID}`, { cookie: owner.cookie })
    await page.getByText('Order to the laboratory').waitFor()
    await page.getByText('Refused by the laboratory').waitFor()
    await page.getByText('Somebody at the operator looks into it.').waitFor()
    expect(await page.getByText('Unknown test code').count()).toBe(0)
    await expectAccessible(page)
  })
})

describe('how a laboratory gets orders', () => {
  it('is set up in a form that says beside the field what is wrong, and never shows the header that was given', async () => {
    const { body } = await operator('POST', '/laboratories', { name: 'East Laboratory', address: '1 Road' })
    const page = await stage.open('/app/operator/laboratories', { cookie: admin.cookie })
    await page.getByRole('link', { name: 'Say how it gets orders: East Laboratory' }).click()
    await page.getByRole('combobox', { name: 'How orders reach it' }).click()
    await page.getByRole('option', { name: 'HTTPS: posted to an address' }).click()
    const address = page.getByRole('textbox', { name: 'Address' })
    await address.fill('https://elsewhere.example.com/')
    await page.getByLabel('Header Authorization').fill('Bearer of-the-laboratory')
    await page.getByRole('combobox', { name: 'Kit type' }).click()
    await page.getByRole('option', { name: new RegExp(CORE) }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Lipid panel')
    await page.getByRole('textbox', { name: 'Code', exact: true }).fill('24331-1')
    await page.getByRole('button', { name: 'Add a question' }).click()
    await page.getByLabel('What it asks').fill('Fasting')
    await page
      .getByRole('group', { name: 'Question 1' })
      .getByRole('textbox', { name: 'Code', exact: true })
      .fill('FAST')
    await expectAccessible(page)
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await save.click()
    await page.getByText('LAB_ORDERS_HOSTS does not name this host').waitFor()
    await expect.poll(() => address.getAttribute('aria-invalid')).toBe('true')
    await address.fill(laboratory.http)
    await save.click()
    await page.getByText(`over HTTPS at ${laboratory.http} · 1 test · 0 orders today`).waitFor()
    const { body: list } = await operator('GET', '/lab-connections')
    const saved = list.find((one: { laboratoryID: string }) => one.laboratoryID === body.id)
    const questions = [{ code: 'FAST', text: 'Fasting', answer: { fact: 'collectionDate' } }]
    expect(saved).toMatchObject({ hasAuthorization: true, tests: [{ kitType: CORE, code: '24331-1', questions }] })
    await page.getByRole('link', { name: 'Change how it gets orders: East Laboratory' }).click()
    await page.getByRole('radio', { name: 'Keep it' }).waitFor()
    expect(await page.content()).not.toContain('of-the-laboratory')
    await page.getByLabel('It gets new orders').uncheck({ force: true })
    await save.click()
    await page.getByText('Gets no new orders').waitFor()
    const { body: after } = await operator('GET', '/lab-connections')
    const kept = after.find((one: { laboratoryID: string }) => one.laboratoryID === body.id)
    expect(kept).toMatchObject({ isActive: false, hasAuthorization: true })
  })
})
