import { beforeAll, expect, it } from 'vitest'
import { allOperatorScopes } from '../../src/domain/scopes.ts'
import * as links from '../../src/modules/links/service.ts'
import { expectAccessible, expectAccessibleInBoth, expectEachWidthFits, useStage } from '../harness/browser.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { anOrder, CORE } from '../harness/orders.ts'
import { person, signIn } from '../harness/people.ts'
import { recipients } from '../harness/recipients.ts'
import type { TestBusiness } from '../harness/world.ts'

const stage = useStage()
let clinic: TestBusiness
let kitID: string
let operator: Operator

beforeAll(async () => {
  clinic = await stage.world.business({ name: 'Harbor Clinic', credits: 8 })
  operator = await operatorWith(stage.world, allOperatorScopes)
  const { body } = await clinic.live.post('/create-order', anOrder())
  kitID = (await clinic.live.get(`/orders/${body.orderId}`)).body.kits[0].kitID
  const sent = { kitID, carrier: 'UPS', outboundTrackingNumber: `1ZPHONE${Date.now()}` }
  await operator('POST', '/fulfilment/shipments', sent)
  const who = { firstName: 'Jörg', lastName: 'Møller', email: 'joerg@people.test', dateOfBirth: '1980-02-03', sex: 'M' }
  await clinic.live.post(`/kits/${kitID}/register`, who)
  await operator('POST', '/samples/receive', { kitID })
  await operator('POST', `/kits/${kitID}/hold`, { causes: ['nameDiffers', 'consentMissing'] })
})

it('a person gives what their sample lacks on a phone, and the laboratory sees that it goes on', async () => {
  const at = recipients(stage.world)
  const { customerID } = (await clinic.live.get(`/kits?kitID=${kitID}`)).body[0]
  const [link] = await at.inRealm(clinic, (tx) => links.issueLinks(tx, '', [{ customerId: Number(customerID) }]))
  const page = await stage.open(`/h/${link?.secret}`, { size: 'phone' })
  await page.getByLabel('Day').fill('3')
  await page.getByLabel('Month').selectOption('2')
  await page.getByLabel('Year').fill('1980')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Do you agree to the test?').waitFor()
  await expectAccessible(page)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('What is your name?').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Nothing is needed from you').waitFor()
  const pat = await signIn(stage.world, await person(stage.world, 'lab'))
  const queue = await stage.open('/app/operator/held-samples', { cookie: pat.cookie })
  const row = queue.getByRole('row').filter({ hasText: kitID })
  await row.getByText('Goes on').waitFor()
  await expectAccessible(queue)
  await row.getByRole('button', { name: 'Seen' }).click()
  await row.waitFor({ state: 'detached' })
  expect((await clinic.live.get(`/kits/${kitID}/hold`)).body).toMatchObject({ state: 'released', acknowledged: true })
})

it('a business sees which of its samples wait, of whom, for what and until when, and gives what it can', async () => {
  const desk = await stage.world.business({ name: 'Bay Clinic', credits: 8 })
  const { cookie } = await signIn(stage.world, await person(stage.world, 'business-admin', desk))
  const page = await stage.open(`/app/b/${desk.id}/live/held-samples`, { cookie })
  await page.getByText('Nothing is missing of any sample.').waitFor()
  await expectAccessibleInBoth(page)
  const { body } = await desk.live.post('/create-order', anOrder({ kit_types: [{ kitType: CORE, quantity: 2 }] }))
  const [dated, unregistered]: string[] = (await desk.live.get(`/orders/${body.orderId}`)).body.kits.map(
    ({ kitID }: { kitID: string }) => kitID,
  )
  for (const kitID of [dated, unregistered]) {
    const outboundTrackingNumber = `1ZHELD${Date.now()}${kitID}`
    await operator('POST', '/fulfilment/shipments', { kitID, carrier: 'UPS', outboundTrackingNumber })
  }
  const bo = { firstName: 'Bo', lastName: 'Tester', email: 'bo@people.test', dateOfBirth: '1980-02-03', sex: 'F' }
  await desk.live.post(`/kits/${dated}/register`, bo)
  await operator('POST', '/samples/receive', { kitID: unregistered })
  await operator('POST', '/samples/receive', { kitID: dated })
  await operator('POST', `/kits/${dated}/hold`, { causes: ['collectionDateMissing', 'nameDiffers'] })
  await page.goto(`/app/b/${desk.id}/live`)
  await page.getByRole('main').getByRole('link', { name: '2 samples are on hold' }).click()
  const row = page.getByRole('row').filter({ hasText: dated })
  await row.getByText('Bo Tester').waitFor()
  await row.getByText('The day on which the sample was taken is missing').waitFor()
  await row.getByText('Can be tested until').waitFor()
  await row.getByText('Can be done by the person, you, the laboratory').waitFor()
  await expectAccessibleInBoth(page)
  await expectEachWidthFits(page, 'holds')
  await row.getByRole('button', { name: 'Give the day' }).click()
  await page.getByLabel('Day of collection').fill(new Date().toISOString().slice(0, 10))
  await page.getByRole('dialog').getByRole('button', { name: 'Give the day' }).click()
  await row.getByText('The day on which the sample was taken is missing').waitFor({ state: 'detached' })
  await row.getByRole('link', { name: dated }).click()
  await page.getByText('The name on the sample is not the one that is registered').waitFor()
})
