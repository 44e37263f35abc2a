import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, useStage } from '../harness/browser.ts'
import { anOrder, CORE } from '../harness/orders.ts'
import { person, type SignedIn, signIn } from '../harness/people.ts'
import { aGtin, inDays } from '../harness/stock.ts'
import { ownWorld, type TestBusiness } from '../harness/world.ts'

describe('two packers at two benches', () => {
  // The pack station shows the oldest kits of all businesses.
  const stage = useStage(() => ownWorld('packs the oldest kits of all businesses'))
  let clinic: TestBusiness
  let pat: SignedIn
  let kim: SignedIn
  let kits: string[]
  const open = (who: SignedIn) => stage.open('/app/operator/pack', { cookie: who.cookie })

  beforeAll(async () => {
    const { world } = stage
    clinic = await world.business({ name: 'Harbor Clinic', credits: 8 })
    pat = await signIn(world, await person(world, 'fulfilment'))
    kim = await signIn(world, await person(world, 'fulfilment'))
    const { body } = await clinic.live.post('/create-order', anOrder({ kit_types: [{ kitType: CORE, quantity: 3 }] }))
    const order = await clinic.live.get(`/orders/${body.orderId}`)
    kits = order.body.kits.map(({ kitID }: { kitID: string }) => kitID)
  })

  it('see two kits; a third one in the hand is packed by its code, and what a colleague packs is refused with their name', async () => {
    const [ofPat, ofKim] = [await open(pat), await open(kim)]
    const [first, second] = [await shown(ofPat), await shown(ofKim)]
    expect(second).not.toBe(first)
    const third = kits.find((kit) => kit !== first && kit !== second) ?? ''
    await type(ofKim, first)
    await ofKim.getByText(`${pat.person.email} is packing this kit now`).waitFor()
    await expectAccessible(ofKim)
    expect(await shown(ofKim)).toBe(second)
    await type(ofKim, third)
    await expectText(ofKim, 'Scan the label that goes to the recipient.')
    expect(await shown(ofKim)).toBe(third)
    await type(ofKim, '1Z999AA10122222222')
    await expectText(ofKim, 'Scan the return label.')
    await ofKim.keyboard.press('F4')
    await expectText(ofKim, `${third} is packed.`)
    expect((await clinic.live.get(`/kits/${third}`)).body.kit.kitStatus).toBe('inTransit')
    await ofKim.getByText('2 kits wait').waitFor()
    expect(await shown(ofKim)).toBe(second)
  })

  it('a kit that is scanned faster than the service answers is packed, and nothing says that it went wrong', async () => {
    await clinic.live.post('/create-order', anOrder({ kit_types: [{ kitType: CORE, quantity: 2 }] }))
    const page = await open(pat)
    const kitID = await shown(page)
    const held: (() => Promise<void>)[] = []
    await type(page, kitID)
    await expectText(page, 'Scan the label that goes to the recipient.')
    // Until the end: a request that goes out while a route ends may stay without an answer.
    await page.route('**/fulfilment/claims', (route) =>
      held.length === 0 ? void held.push(() => route.continue()) : route.continue(),
    )
    await type(page, '1Z999AA10133333333')
    await expectText(page, 'Scan the return label.')
    await expect.poll(() => held.length).toBe(1)
    await type(page, '9400100000000000000333')
    await expectText(page, `${kitID} is packed.`)
    const late = page.waitForResponse((response) => response.url().includes('/claims') && response.status() === 409)
    await held[0]?.()
    await late
    await page.getByRole('button', { name: `Undo ${kitID}` }).waitFor()
    await expectText(page, `${kitID} is packed.`)
    expect(await page.getByRole('alert').count()).toBe(0)
    await expect.poll(() => shown(page)).not.toBe(kitID)
  })

  it('a box is named or refused when it is scanned, also by its serial number, before any label', async () => {
    const gtin = aGtin()
    await kim.operator.post(`/stock/products/${gtin}`, { kitType: CORE })
    const day = (days: number) => inDays(days).slice(2).replaceAll('-', '')
    const box = (serial: string, days: number) => `(01)${gtin}(17)${day(days)}(10)L7(21)${serial}`
    const number = '1Z999AA10166666666'
    const codes = [box('OLD1', -1), box('NEW1', 300), box(number, 300)]
    await kim.operator.post('/stock/receipts', { place: 'Main', boxes: codes.map((code) => ({ code })) })
    await clinic.live.post('/create-order', anOrder())
    const page = await open(kim)
    const kitID = await shown(page)
    await type(page, kitID)
    await expectText(page, 'Scan the label that goes to the recipient.')
    await type(page, codes[0] ?? '')
    await page.getByText('Box OLD1 has expired').waitFor()
    await type(page, '1Z999AA10177777777')
    await page.getByText('The box was refused. Scan another box').waitFor()
    await type(page, `01${gtin}172801`)
    await page.getByText('does not say which one. Scan its square code').waitFor()
    await type(page, 'new1')
    await expectText(page, 'Box NEW1 is scanned. Scan the label that goes to the recipient.')
    await type(page, number)
    await page.getByText(`${number} is the serial number of a box, and may be a tracking number.`).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('F6')
    await expectText(page, 'Scan the return label.')
    await page.keyboard.press('F4')
    await expectText(page, `${kitID} is packed.`)
    expect((await kim.operator.get('/stock/boxes/NEW1')).body.box).toMatchObject({ state: 'bound', kitID })
  })

  it('a box that came back is scanned, gets a new label at its corrected address, and the intake asks about one with nobody', async () => {
    const { body } = await clinic.live.post('/create-order', anOrder())
    const [{ kitID }] = (await clinic.live.get(`/orders/${body.orderId}`)).body.kits
    const old = '1Z999AA10144444444'
    const shipment = { kitID, carrier: 'UPS', outboundTrackingNumber: old }
    expect((await kim.operator.post('/fulfilment/shipments', shipment)).status).toBe(200)
    const page = await stage.open('/app/operator/came-back', { cookie: kim.cookie })
    await page.getByRole('textbox', { name: 'Scan' }).waitFor()
    await type(page, old)
    await expectText(page, `${kitID}: Keep it on the shelf: nobody has said yet where it goes.`)
    await expectAccessible(page)
    const { width = 1280, height = 800 } = page.viewportSize() ?? {}
    await page.setViewportSize({ width: 390, height: 844 })
    const button = page.getByRole('button', { name: 'Send it again' }).first()
    const end = async () => {
      const box = await button.boundingBox()
      return box ? box.x + box.width : Number.POSITIVE_INFINITY
    }
    await expect.poll(end, { message: 'no button is cut off on a phone' }).toBeLessThanOrEqual(390)
    await expectAccessible(page)
    await page.setViewportSize({ width, height })
    const lab = await signIn(stage.world, await person(stage.world, 'lab'))
    const intake = await stage.open('/app/operator/intake', { cookie: lab.cookie })
    await intake.getByRole('textbox', { name: 'Scan' }).waitFor()
    await type(intake, kitID)
    await intake.getByText('Is there really a sample in it?').waitFor()
    await type(intake, '1')
    await intake.getByText(`${kitID} is not received yet.`).waitFor()
    const { body: other } = await clinic.live.post('/create-order', anOrder())
    const [next] = (await clinic.live.get(`/orders/${other.orderId}`)).body.kits
    const right = { kitID: next.kitID, carrier: 'UPS', outboundTrackingNumber: '1Z999AA10188888888' }
    expect((await kim.operator.post('/fulfilment/shipments', right)).status).toBe(200)
    await type(intake, next.kitID)
    await intake.getByText(`${kitID} was not received. ${next.kitID} is received.`).waitFor()
    await type(intake, '1')
    await type(intake, kitID)
    await intake.getByText(`${next.kitID} was not rejected. ${kitID}: As far as we know`).waitFor()
    await intake.keyboard.press('Escape')
    const recipientAddress = { street1: '9 New Road', city: 'Burlington', state: 'VT', zip: '05401', country: 'US' }
    await clinic.live.post(`/kits/${kitID}/undelivered`, { choice: 'sendAgain', recipientAddress })
    await type(page, kitID)
    await expectText(page, `${kitID}: put a new label on it, and scan it.`)
    await page.getByText('9 New Road').waitFor()
    await type(page, '1Z999AA10155555555')
    await expectText(page, `${kitID} is sent again.`)
    expect((await clinic.live.get(`/kits/${kitID}`)).body.kit.kitStatus).toBe('inTransit')
    const who = { firstName: 'Bo', lastName: 'Tester', email: 'bo@people.test', dateOfBirth: '1980-02-29', sex: 'F' }
    expect((await clinic.live.post(`/kits/${kitID}/register`, who)).status).toBe(200)
    await type(page, kitID)
    await page.getByText(`${kitID}: somebody has registered this kit, so it reached a person.`).waitFor()
    await page.keyboard.press('Escape')
    await type(page, kitID)
    await page.getByText(`${kitID}: somebody has registered this kit`).waitFor()
    expect((await clinic.live.get(`/kits/${kitID}/undelivered`)).body.state).toBe('arrived')
    await page.keyboard.press('Enter')
    await page.getByText(`${kitID}: Keep it on the shelf`).waitFor()
  })

  it('a kit is free as soon as its packer leaves the page, or closes it', async () => {
    await clinic.live.post('/create-order', anOrder({ kit_types: [{ kitType: CORE, quantity: 2 }] }))
    const leave = async (go: (page: Page) => Promise<unknown>) => {
      const page = await open(pat)
      const kitID = await shown(page)
      const take = async () => (await kim.operator.post('/fulfilment/claims', { station: kitID, kitID })).status
      expect(await take()).toBe(409)
      await go(page)
      await expect.poll(take).toBe(200)
    }
    await leave((page) => page.getByRole('link', { name: 'Ship by CSV' }).click())
    await leave((page) => page.goto('/k'))
  })
})

const shown = (page: Page) => page.getByRole('region', { name: 'Next kit' }).locator('div div').first().innerText()

async function type(page: Page, code: string): Promise<void> {
  await page.keyboard.type(code)
  await page.keyboard.press('Enter')
}

const expectText = (page: Page, sentence: string) => page.getByText(sentence, { exact: true }).waitFor()
