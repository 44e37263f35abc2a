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
    await row.getByRole('link').click()
    await queue.getByRole('button', { name: 'Send it' }).click()
    await queue.getByRole('dialog').getByRole('button', { name: 'Send it' }).click()
    await becomes(kitID, 'accepted')
    await queue.goto('/app/operator/lab-orders')
    await queue.getByText('No order needs a person').waitFor()
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
})
