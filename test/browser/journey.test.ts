import type { Page } from 'playwright-core'
import { beforeAll, describe, expect } from 'vitest'
import { useStage } from '../harness/browser.ts'
import { type Person, person, type SignedIn, signIn } from '../harness/people.ts'
import { recipients } from '../harness/recipients.ts'
import { nextCode, withSecondFactor } from '../harness/second-factor.ts'
import { story } from '../harness/steps.ts'
import { ownWorld, type TestBusiness } from '../harness/world.ts'

const OUTBOUND = '1Z999AA10123456784'
const RETURN = '9400100000000000000123'

describe('from an order made by hand to a report that is read', () => {
  // The pack station shows the oldest kit of all businesses.
  const stage = useStage(() => ownWorld('packs the oldest kit of all businesses'))
  const it = story()
  let clinic: TestBusiness
  let buyer: Person
  let packer: SignedIn
  let lab: SignedIn
  let kitID = ''
  let reportID = ''

  beforeAll(async () => {
    const { world } = stage
    clinic = await world.business({ name: 'Harbor Clinic', credits: 5 })
    buyer = await person(world, 'business-admin', clinic)
    packer = await signIn(world, await person(world, 'fulfilment'))
    lab = await signIn(world, await person(world, 'lab'))
  })

  it('a wrong password is refused in words, and a second factor is asked for', async () => {
    const secret = await withSecondFactor(stage.world, buyer)
    const page = await stage.open('/app/')
    await page.locator('input[name=email]').fill(buyer.email)
    await page.locator('input[name=password]').fill('not this one')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    await page.locator('input[name=password]').fill(buyer.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('input[name=code]').fill(nextCode(secret))
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(page.url()).toContain(`/app/b/${clinic.id}/live`)
  })

  it('an order is placed by hand and paid with a credit', async () => {
    const { cookie } = await signIn(stage.world, await person(stage.world, 'business-admin', clinic))
    const page = await stage.open(`/app/b/${clinic.id}/live/orders/new`, { cookie })
    await page.getByLabel('How many of Core Health').fill('1')
    for (const [name, value] of typed) await page.locator(`input[name=${name}]`).fill(value)
    await page.getByRole('button', { name: 'Order 1 kit' }).click()
    await page.waitForURL(/\/orders\/O\w{9}$/)
    const { body } = await clinic.live.get(`/orders/${page.url().split('/').at(-1)}`)
    kitID = body.kits[0].kitID
    await page.getByText(kitID).first().waitFor()
  })

  it('a form that was filled in wrongly can be left by Back, and is never sent again by it', async () => {
    const page = await stage.open(`/k/${kitID}/consent`, { size: 'phone', scripts: false })
    await page.locator('button').first().click()
    await page.getByText('Without your consent there can be no test').first().waitFor()
    await page.locator('input[name=consentToTesting]').check()
    await page.locator('button').first().click()
    await page.locator('input[name=firstName]').fill('Maya')
    await page.locator('button').first().click()
    await page.getByText('Write the last name').first().waitFor()
    expect(await page.locator('input[name=firstName]').inputValue()).toBe('Maya')
    for (const path of ['/details', '/consent?problem', '/consent']) {
      await page.goBack()
      expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(`/k/${kitID}${path}`)
      await page.locator('h1').waitFor()
    }
  })

  it('the kit is packed with the keyboard alone; a wrong code is shown, and the last one undone', async () => {
    const page = await stage.open('/app/operator/pack', { cookie: packer.cookie, size: 'phone' })
    await page.getByText(kitID).first().waitFor()
    await type(page, 'KAAAAAAAAA')
    await page.getByText('There is no such kit').waitFor()
    expect(await page.getByRole('alert').innerText()).toBe(
      `KAAAAAAAAA: There is no such kit. Scan ${kitID}, or skip it.`,
    )
    await type(page, kitID)
    await expectStatus(page, 'Scan the label that goes to the recipient.')
    await type(page, OUTBOUND)
    await expectStatus(page, 'Scan the return label.')
    await type(page, RETURN)
    await expectStatus(page, `${kitID} is packed.`)
    await page.keyboard.press('F9')
    await expectStatus(page, `${kitID} is back in the queue`)
    for (const [code, sentence] of [
      [kitID, 'Scan the label that goes to the recipient.'],
      [OUTBOUND, 'Scan the return label.'],
      [RETURN, `${kitID} is packed.`],
    ] as const) {
      await type(page, code)
      await expectStatus(page, sentence)
    }
    const { body } = await clinic.live.get(`/kits/${kitID}`)
    expect(body.kit).toMatchObject({ kitStatus: 'inTransit', shipment: { toUser: { carrier: 'UPS' } } })
  })

  it('what the carrier says moves the kit, and is on its page', async () => {
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
    const event = { trackingNumber: OUTBOUND, status: 'delivered', at: at(0) }
    const { status } = await packer.operator.post('/carrier-events', [event])
    expect(status).toBe(200)
    const { cookie } = await signIn(stage.world, await person(stage.world, 'business-viewer', clinic))
    const page = await stage.open(`/app/b/${clinic.id}/live/kits/${kitID}`, { cookie })
    await page
      .getByText(/Delivered/i)
      .first()
      .waitFor()
  })

  it('the recipient registers the kit on a phone without scripts', async () => {
    const page = await stage.open('/k', { size: 'phone', scripts: false })
    await page.getByLabel('ID on the box').fill(kitID.toLowerCase())
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('link', { name: 'Begin' }).click()
    await page.locator('input[name=consentToTesting]').check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('First name').fill('Ada')
    await page.getByLabel('Last name').fill('Example')
    await page.getByLabel('Day').fill('17')
    await page.getByLabel('Month').selectOption({ label: 'May' })
    await page.getByLabel('Year').fill('1956')
    await page.locator('input[name=sex][value=F]').check()
    await page.getByLabel('E-mail address').fill('ada@example.test')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Register this kit' }).click()
    const { body } = await clinic.live.get(`/kits/${kitID}`)
    expect(body.registration).toMatchObject({ email: 'ada@example.test' })
  })

  it('the sample is received by one scan of its return label', async () => {
    const page = await stage.open('/app/operator/intake', { cookie: lab.cookie })
    await type(page, RETURN)
    await expectStatus(page, `${kitID} is received.`)
  })

  it('results are sent in by hand, and the answer leads to the report', async () => {
    const page = await stage.open('/app/operator/results', { cookie: lab.cookie })
    await page.getByText('As a message', { exact: true }).click()
    await page.getByLabel('The message').fill(resultsOf(kitID))
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText(`On kit ${kitID}`).waitFor()
    reportID = /R\w{9}/.exec(await page.getByRole('link', { name: /Review report/ }).innerText())?.[0] ?? ''
    expect(reportID).not.toBe('')
  })

  it('the reviewer sees the worst first and publishes with the keyboard', async () => {
    const reviewer = await signIn(stage.world, await person(stage.world, 'reviewer'))
    const page = await stage.open(`/app/operator/review/${reportID}`, { cookie: reviewer.cookie })
    const first = page.getByRole('region', { name: 'Values' }).getByRole('listitem').first()
    expect(await first.innerText()).toContain('LDL')
    await page.keyboard.press('Control+Enter')
    // Nobody undoes it: it need not wait for its ten seconds.
    await page.getByRole('button', { name: 'Publish now' }).press('Enter')
    await page.getByText(`Report ${reportID} is published`).waitFor()
  })

  it('the business sees the report, and the recipient reads it by the link in the e-mail', async () => {
    const { cookie } = await signIn(stage.world, await person(stage.world, 'business-viewer', clinic))
    const page = await stage.open(`/app/b/${clinic.id}/live/kits/${kitID}`, { cookie })
    await page
      .getByText(/Report/)
      .first()
      .waitFor()
    const [link] = await recipients(stage.world).linksTo('ada@example.test')
    const phone = await stage.open(new URL(link ?? '/no-link', stage.world.service.url).pathname, {
      size: 'phone',
      scripts: false,
    })
    await phone.getByLabel('Day').fill('17')
    await phone.getByLabel('Month').selectOption({ label: 'May' })
    await phone.getByLabel('Year').fill('1956')
    await phone.getByRole('button').first().click()
    await phone.getByRole('link', { name: 'Read your report' }).click()
    await phone
      .getByText(/LDL|cholesterol/i)
      .first()
      .waitFor()
  })
})

const typed: [string, string][] = [
  ['first_name', 'Ada'],
  ['last_name', 'Example'],
  ['email', 'ada@example.test'],
  ['street1', '1 Main Street'],
  ['city', 'Springfield'],
  ['state', 'IL'],
  ['zip', '62701'],
]

/** Types like a scanner: into the focused element, followed by Enter. */
async function type(page: Page, code: string): Promise<void> {
  await page.getByRole('textbox').first().waitFor()
  await page.keyboard.type(code)
  await page.keyboard.press('Enter')
}

const expectStatus = (page: Page, sentence: string) => page.getByRole('status').filter({ hasText: sentence }).waitFor()

const resultsOf = (kitID: string) =>
  JSON.stringify({
    kitID,
    collectedDate: new Date().toISOString().slice(0, 10),
    results: [
      { name: 'Glucose', value: 88, unit: 'mg/dL' },
      { name: 'LDL', value: 172, unit: 'mg/dL' },
      { name: 'HDL', value: 58, unit: 'mg/dL' },
    ],
  })
