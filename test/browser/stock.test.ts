import { expect, it } from 'vitest'
import { expectAccessible, expectEachWidthFits, useStage } from '../harness/browser.ts'
import { CORE } from '../harness/orders.ts'
import { person, signIn } from '../harness/people.ts'
import { aGtin, inDays } from '../harness/stock.ts'
import { ownWorld } from '../harness/world.ts'

const stage = useStage(() => ownWorld('an empty stock is one of the whole installation'))

it('stock begins with a product, and boxes are received by scanning them', async () => {
  const kim = await signIn(stage.world, await person(stage.world, 'fulfilment'))
  const page = await stage.open('/app/operator/stock', { cookie: kim.cookie })
  await page.getByText('Add the product with its GTIN first.').waitFor()
  await expectAccessible(page)
  const gtin = aGtin()
  await page.getByRole('button', { name: 'Add a product' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('GTIN').fill(gtin)
  await dialog.getByLabel('Kit type').fill(CORE)
  await dialog.getByRole('button', { name: 'Add a product' }).click()
  await page.getByText('The product is saved').waitFor()
  await page.getByLabel('Place').fill('Main')
  const expiry = inDays(300).slice(2).replaceAll('-', '')
  const codes = ['SN1', 'SN2'].map((serial) => `(01)${gtin}(17)${expiry}(10)L7(21)${serial}`)
  await page.getByRole('textbox', { name: 'Boxes, one in each line' }).fill(codes.join('\n'))
  await page.getByRole('button', { name: 'Receive', exact: true }).click()
  await page.getByText('2 boxes are done, 0 were so already.').waitFor()
  await page.getByText('L7 (2)').waitFor()
  await expectAccessible(page)
  await expectEachWidthFits(page, 'stock')
  const box = await stage.open('/app/operator/stock/SN1', { cookie: kim.cookie })
  await box.getByText('Received').first().waitFor()
  expect(await box.getByText(/user:usr_/).count(), 'an ID in place of a name').toBe(0)
  if (process.env.SHOTS) await box.screenshot({ path: `${process.env.SHOTS}/box.png`, fullPage: true })
  await expectAccessible(box)
})
