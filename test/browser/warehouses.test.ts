import { expect, it } from 'vitest'
import { allOperatorScopes } from '../../src/domain/scopes.ts'
import { expectAccessible, expectEachWidthFits, rightOf, useStage } from '../harness/browser.ts'
import { operatorWith } from '../harness/operator.ts'
import { anOrder, CARDIO, CORE } from '../harness/orders.ts'
import { person, signIn } from '../harness/people.ts'

const stage = useStage()

it('a packer records a parcel with its carrier, sees which box the warehouse named, is asked before a release, and gets no form for a warehouse', async () => {
  const { world } = stage
  const operator = await operatorWith(world, allOperatorScopes)
  const account = { provider: 'shipbob', secretKey: 'a-token-of-shipbob', channelID: 1, country: 'US', shipsTo: ['US'] }
  const products = [{ kitType: CORE, sku: 'KIT-CORE' }]
  expect((await operator('POST', '/warehouses/zeta', { ...account, products, isActive: false })).status).toBe(200)
  const clinic = await world.business()
  const { orderId } = (await clinic.live.post('/create-order', anOrder())).body
  const [{ kitID }] = (await clinic.live.get(`/orders/${orderId}`)).body.kits
  const owner = await world.owner()
  await owner.query(
    `insert into warehouse_orders (realm_id, kit_id, order_id, warehouse_id, state, reason, serial, lot, carrier, number, is_there, created_at, changed_at)
     select realm_id, id, order_id, 'zeta', 'notRecorded', 'boxRefused', 'SN-7', 'L7', 'USPS', '9400100000000000000017', true, now(), now()
     from kits where id = $1 on conflict (realm_id, kit_id) do update set (warehouse_id, state, reason, serial, lot, carrier, number, is_there) =
       (excluded.warehouse_id, excluded.state, excluded.reason, excluded.serial, excluded.lot, excluded.carrier, excluded.number, true)`,
    [kitID],
  )
  const packer = await signIn(world, await person(world, 'fulfilment'))
  const page = await stage.open(`/app/operator/warehouses?kitID=${kitID}`, { cookie: packer.cookie })
  await page.getByRole('heading', { name: 'zeta', exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Save the warehouse' }).count()).toBe(0)
  const left = (reason: string, state: string) =>
    owner.query('update warehouse_orders set reason = $2, state = $3 where kit_id = $1', [kitID, reason, state])
  await owner.query(
    `update kits set shipment = '{"toUser":{"trackingNumber":"1ZOTHER","carrier":"UPS","date":"2026-01-01"}}' where id = $1`,
    [kitID],
  )
  await left('leftLater', 'notCanceled')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  const dealt = page.getByRole('button', { name: 'Dealt with' })
  await dealt.waitFor()
  await page.getByText('USPS · 9400100000000000000017').first().waitFor()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/left-later-390.png`, fullPage: true })
  await expect.poll(() => rightOf(dealt)).toBeLessThanOrEqual(390)
  await page.getByText('A second parcel left').waitFor()
  await page.setViewportSize({ width: 1440, height: 900 })
  const heading = page.getByRole('columnheader', { name: 'Parcel' })
  const parcel = page.getByText('USPS · 9400100000000000000017').filter({ visible: true })
  const apart = async () => ((await parcel.boundingBox())?.x ?? 0) - ((await heading.boundingBox())?.x ?? -99)
  await expect.poll(async () => Math.abs(await apart())).toBeLessThan(20)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/left-later-1440.png`, fullPage: true })
  await owner.query(`update kits set shipment = '{}' where id = $1`, [kitID])
  await left('outOfStock', 'sent')
  await page.reload()
  await page.getByRole('button', { name: 'Release' }).click()
  await page.getByRole('dialog').getByText('you pack it at your own bench').waitFor()
  const parcels = ['1ZFIRST', '1ZSECOND'].map((number) => ({
    carrier: 'UPS',
    number,
    products: [],
    serials: [`SN-${number}`],
    lots: ['L7'],
  }))
  const named = (kept: string | null) =>
    owner.query('update warehouse_orders set parcels = $2 where kit_id = $1', [kitID, kept])
  await named(JSON.stringify(parcels))
  await left('severalLeft', 'notRecorded')
  await page.setViewportSize({ width: 1024, height: 800 })
  await page.reload()
  const record = page.getByRole('button', { name: 'Record the parcel' })
  await expect.poll(() => rightOf(record)).toBeLessThanOrEqual(1024)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/several-left-1024.png`, fullPage: true })
  await record.click()
  await page.getByRole('combobox', { name: 'The parcel that the kit is in' }).click()
  await page.getByRole('option', { name: '1ZSECOND · SN-1ZSECOND · L7' }).click()
  await expect.poll(() => page.getByLabel('Serial number of the box that left').inputValue()).toBe('SN-1ZSECOND')
  await expect.poll(() => page.getByLabel('Tracking number').inputValue()).toBe('1ZSECOND')
  await page.keyboard.press('Escape')
  await named(null)
  await left('boxRefused', 'notRecorded')
  await page.reload()
  await page.getByRole('button', { name: 'Record the parcel' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('The warehouse named SN-7').waitFor()
  await dialog.getByLabel('Carrier').fill('UPS')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Record the parcel' }).click()
  const shipped = async () => (await clinic.live.get(`/kits/${kitID}`)).body.kit.shipment.toUser
  await expect.poll(shipped).toMatchObject({ carrier: 'UPS', trackingNumber: '9400100000000000000017' })
})

it('a warehouse is set up in fields, and gets only what its service has', async () => {
  const kim = await signIn(stage.world, await person(stage.world, 'operator-admin'))
  const page = await stage.open('/app/operator/warehouses', { cookie: kim.cookie })
  const added = page.getByRole('region', { name: 'A new warehouse', exact: true })
  await added.getByLabel('Name, such as east').fill('east')
  await added.getByLabel('API key or token').fill('a-token-of-shipbob')
  await added.getByLabel('Channel that the token may write to').fill('100102')
  await added.getByRole('combobox', { name: 'Kit type' }).first().click()
  await page.getByRole('option', { name: new RegExp(CORE) }).click()
  await added.getByLabel('SKU, as the warehouse names it').fill('KIT-CORE')
  await added.getByLabel('A kit whose parcel left without a serial number waits for a person').check()
  // The kits of other tests are packed at the bench.
  await added.getByLabel('It gets kits. If not, it only ends what it has').uncheck()
  await added.getByRole('combobox', { name: 'States to which it sends none' }).fill('pr')
  await page.keyboard.press('Enter')
  await expectAccessible(page)
  await expectEachWidthFits(page, 'warehouses')
  await added.getByRole('button', { name: 'Save the warehouse' }).click()
  await page.getByRole('heading', { name: 'east', exact: true }).waitFor()
  const operator = await operatorWith(stage.world, allOperatorScopes)
  const saved = async (id = 'east') =>
    (await operator('GET', '/warehouses')).body.find(({ warehouseID }: { warehouseID: string }) => warehouseID === id)
  const product = { kitType: CORE, sku: 'KIT-CORE', needsSerial: true }
  expect(await saved()).toMatchObject({
    provider: 'shipbob',
    channelID: 100102,
    notToStates: ['PR'],
    products: [product],
  })

  const own = page.getByRole('region', { name: 'east', exact: true })
  await own.getByRole('button', { name: 'Add a kit type' }).click()
  await own.getByRole('combobox', { name: 'Kit type' }).nth(1).click()
  await page.getByRole('option', { name: new RegExp(CARDIO) }).click()
  await own.getByLabel('SKU, as the warehouse names it').nth(1).fill('KIT-CARDIO')
  await own.getByRole('button', { name: 'Save the warehouse' }).click()
  await page.getByText('The warehouse is saved').nth(1).waitFor()
  expect((await saved()).products).toMatchObject([product, { kitType: CARDIO, sku: 'KIT-CARDIO', needsSerial: false }])

  await added.getByLabel('Name, such as east').fill('west')
  await added.getByLabel('It gets kits. If not, it only ends what it has').uncheck()
  await added.getByRole('combobox', { name: 'Kit type' }).click()
  await page.getByRole('option', { name: new RegExp(CORE) }).click()
  await added.getByLabel('SKU, as the warehouse names it').fill('KIT-CORE')
  await added.getByLabel('A kit whose parcel left without a serial number waits for a person').check()
  await added.getByRole('combobox', { name: 'Service' }).click()
  await page.getByRole('option', { name: 'ShipStation' }).click()
  await added.getByLabel('API key or token').fill('a-key-of-shipstation')
  await added.getByLabel('Warehouse at ShipStation').fill('se-28529731')
  await added.getByRole('button', { name: 'Save the warehouse' }).click()
  await page.getByRole('heading', { name: 'west', exact: true }).waitFor()
  const west = await saved('west')
  expect(west).toMatchObject({ shipFromID: 'se-28529731', products: [{ ...product, needsSerial: false }] })
  expect(west).not.toHaveProperty('channelID')
})
