import { beforeAll, expect, it } from 'vitest'
import { allOperatorScopes } from '../../src/domain/scopes.ts'
import { expectAccessibleInBoth, expectEachWidthFits, useStage } from '../harness/browser.ts'
import { operatorWith } from '../harness/operator.ts'
import { anOrder, CORE } from '../harness/orders.ts'
import { person, signIn } from '../harness/people.ts'
import { aGtin, codeOf, inDays } from '../harness/stock.ts'
import type { TestBusiness } from '../harness/world.ts'

const stage = useStage()
const gtin = aGtin()
const lot = `L${gtin.slice(5, 13)}`
let clinic: TestBusiness
let kitID: string

beforeAll(async () => {
  clinic = await stage.world.business({ name: 'Bay Clinic', credits: 8 })
  const operator = await operatorWith(stage.world, allOperatorScopes)
  await operator('POST', `/stock/products/${gtin}`, { kitType: CORE })
  const box = codeOf({ gtin, serial: `S${gtin.slice(5, 13)}`, lot, expiresOn: inDays(365) })
  await operator('POST', '/stock/receipts', { place: 'Main', boxes: [{ code: box }] })
  const { body } = await clinic.live.post('/create-order', anOrder())
  kitID = (await clinic.live.get(`/orders/${body.orderId}`)).body.kits[0].kitID
  const outboundTrackingNumber = `1ZRECALL${Date.now()}`
  const sent = await operator('POST', '/fulfilment/shipments', { kitID, carrier: 'UPS', outboundTrackingNumber, box })
  expect(sent.status, sent.text).toBe(200)
})

it('an operator receives a lot, builds kits from it, loads them, and follows the number to its kits', async () => {
  const { cookie } = await signIn(stage.world, await person(stage.world, 'operator-admin'))
  const page = await stage.open('/app/operator/lots', { cookie })
  const part = `C/${gtin.slice(5, 13)}`
  await page.getByRole('button', { name: 'Receive a lot' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Component').fill('Lancet 28G')
  await dialog.getByLabel('Number of the lot').fill(part)
  await dialog.getByLabel('Expires on').fill(inDays(400))
  await dialog.getByLabel('How many').fill('5000')
  await dialog.getByRole('button', { name: 'Receive a lot' }).click()
  await page.getByRole('link', { name: part }).waitFor()
  await page.getByRole('button', { name: 'Add to a lot of kits' }).click()
  await dialog.getByLabel('GTIN or kit type').fill(gtin)
  await dialog.getByLabel('Number of the lot').fill(lot)
  await dialog.getByRole('combobox', { name: 'Component' }).click()
  await page.getByRole('option', { name: `Lancet 28G · ${part}` }).click()
  await dialog.getByRole('button', { name: 'Add to a lot of kits' }).click()
  const row = page.getByRole('row').filter({ hasText: `Lancet 28G ${part}` })
  await row.waitFor()
  await expectAccessibleInBoth(page)
  await expectEachWidthFits(page, 'lots')
  const received = page.getByRole('row').filter({ has: page.getByRole('link', { name: part }) })
  await received.getByRole('button', { name: 'Set apart' }).click()
  await dialog.getByLabel('Reason').fill('Wet')
  await dialog.getByRole('button', { name: 'Set apart' }).click()
  await received.getByText('In quarantine').waitFor()
  await received.getByRole('button', { name: 'Use again' }).click()
  await dialog.getByRole('button', { name: 'Use again' }).click()
  await received.getByText('Yes').waitFor()
  await page.getByLabel('Number of a lot or run').fill(part)
  await page.getByRole('button', { name: 'Find its kits' }).click()
  await page.getByRole('link', { name: kitID }).waitFor()
  await expectAccessibleInBoth(page)
  await expectEachWidthFits(page, 'lot')
})

it('an operator recalls a lot after seeing how many kits it finds, and the business sees whom to tell', async () => {
  const { cookie } = await signIn(stage.world, await person(stage.world, 'operator-admin'))
  const page = await stage.open('/app/operator/recalls', { cookie })
  await page.getByRole('button', { name: 'Recall a lot' }).click()
  const dialog = page.getByRole('dialog')
  const kind = dialog.getByRole('combobox', { name: 'What is recalled' })
  await kind.click()
  await page.getByRole('option', { name: 'Lot of a reagent' }).click()
  await dialog.getByLabel('Number of the lot').fill('MISSPELLED')
  await dialog.getByText('No result names it yet').waitFor()
  await expectEachWidthFits(page, 'recall-unnamed')
  await kind.click()
  await page.getByRole('option', { name: 'Lot of kits' }).click()
  await dialog.getByLabel('GTIN or kit type').fill(gtin)
  await dialog.getByLabel('Number of the lot').fill(lot)
  await dialog.getByText('1 kit of 1 business').waitFor()
  await dialog.getByText('With the recipient, not registered: 1').waitFor()
  await dialog.getByLabel('Reason').fill('The lancets may not be sterile')
  await expectEachWidthFits(page, 'recall-new')
  await dialog.getByRole('button', { name: 'Recall a lot' }).click()
  await page.getByRole('heading', { name: `${gtin} · ${lot}` }).waitFor()
  const row = page.getByRole('row').filter({ hasText: kitID })
  await row.getByText('Stopped, replaced').waitFor()
  await page.getByText('All kits done').waitFor()
  await expectAccessibleInBoth(page)
  await expectEachWidthFits(page, 'recall')
  await page.getByText('Free kits under way', { exact: true }).waitFor()
  await row.getByRole('button', { name: 'Release' }).click()
  await dialog.getByText(/The free kit K\w+ in its place is not canceled\./).waitFor()
  await expectEachWidthFits(page, 'recall-release')
  await page.keyboard.press('Escape')

  const owner = await signIn(stage.world, await person(stage.world, 'business-admin', clinic))
  const list = await stage.open(`/app/b/${clinic.id}/live/recalled-kits`, { cookie: owner.cookie })
  const mine = list.getByRole('row').filter({ hasText: kitID })
  await mine.getByText('Nobody wrote to the person').waitFor()
  await expectAccessibleInBoth(list)
  await expectEachWidthFits(list, 'recalled-kits')
  await mine.getByRole('link', { name: kitID }).click()
  await list.getByText('The lancets may not be sterile').waitFor()
})
