import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectAccessibleInBoth, quiet, useStage } from '../harness/browser.ts'
import { overflowByWidth } from '../harness/overflow.ts'
import { person, type SignedIn, signIn } from '../harness/people.ts'
import { fromShopify, shopifyLine, shopifyOrder } from '../harness/shops.ts'
import type { TestBusiness } from '../harness/world.ts'

const SHOP = 'adas-kits.myshopify.com'
const now = () => new Date().toISOString()

describe('shops in the dashboard', () => {
  const stage = useStage()
  let clinic: TestBusiness
  let admin: SignedIn
  const realm = () => `/app/b/${clinic.id}/live`

  beforeAll(async () => {
    clinic = await stage.world.business({ credits: 20 })
    admin = await signIn(stage.world, await person(stage.world, 'business-admin', clinic))
  })

  /** Light and dark, from a phone to a desk. */
  async function look(page: Page): Promise<void> {
    await quiet(page)
    await expectAccessibleInBoth(page)
    expect(await overflowByWidth(page)).toEqual({})
    await page.setViewportSize({ width: 1280, height: 900 })
  }

  it('are connected, and an order that waits is placed once its product has a name', async () => {
    const page = await stage.open(`${realm()}/developers/shops`, { cookie: admin.cookie })
    await page.getByText('No shops yet').waitFor()
    await look(page)
    await page.getByRole('button', { name: 'Connect a shop' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Address of the shop' }).fill(SHOP)
    await dialog.getByLabel('Client secret of the app').fill('hush-of-the-shop')
    await look(page)
    await dialog.getByRole('button', { name: 'Connect' }).click()
    await page.getByRole('heading', { name: SHOP }).waitFor()
    await page.getByText('Nothing received yet').waitFor()
    const [shop] = (await clinic.live.get('/shops')).body
    await page.getByText(shop.hookUrl).waitFor()
    await look(page)

    const order = shopifyOrder({ updated_at: now(), line_items: [shopifyLine('HEART-2', { title: 'Heart panel' })] })
    await fromShopify(stage.world, shop.shopID, order, { shop: SHOP })
    await expect.poll(async () => (await clinic.live.get(`/shops/${shop.shopID}`)).body.waiting).toBe(1)
    await page.reload()
    await page.getByText('It is not said which panel a product is. Heart panel (HEART-2)').waitFor()
    await look(page)
    await page.getByRole('button', { name: 'Name the panel' }).click()
    await page.getByText('Which panel is SKU HEART-2, “Heart panel”?').waitFor()
    await page.getByRole('combobox', { name: 'Panel' }).click()
    await page.getByRole('option').first().click()
    await look(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Name the panel' }).click()
    await expect.poll(async () => (await clinic.live.get('/orders')).body.data.length).toBe(1)
    await page.reload()
    await page.getByRole('link', { name: '1001', exact: true }).waitFor()
    await page.getByRole('table', { name: 'Products and panels' }).getByText('HEART-2').waitFor()
    await look(page)
  })

  it('show an order with an incomplete address, which a person completes', async () => {
    const page = await stage.open(`${realm()}/developers/shops`, { cookie: admin.cookie })
    const [shop] = (await clinic.live.get('/shops')).body
    const order = shopifyOrder({
      id: 77,
      name: '#1002',
      updated_at: now(),
      shipping_address: null,
      line_items: [shopifyLine('HEART-2')],
    })
    await fromShopify(stage.world, shop.shopID, order, { shop: SHOP })
    await expect.poll(async () => (await clinic.live.get(`/shops/${shop.shopID}`)).body.waiting).toBe(1)
    await page.getByRole('link', { name: SHOP }).click()
    await page.getByText('Name, e-mail or address is incomplete').waitFor()
    await page.getByRole('button', { name: 'Complete the address' }).click()
    const dialog = page.getByRole('dialog')
    for (const [label, value] of [
      ['First name', 'Ada'],
      ['Last name', 'Example'],
      ['Street and number', '1 Main Street'],
      ['City', 'Springfield'],
      ['State', 'IL'],
      ['ZIP', '62701'],
    ] as const)
      await dialog.getByRole('textbox', { name: label }).fill(value)
    await look(page)
    await dialog.getByRole('button', { name: 'Complete the address' }).click()
    await expect.poll(async () => (await clinic.live.get('/orders')).body.data.length).toBe(2)
  })
})
