import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, expectNothingBeside, quiet, useStage } from '../harness/browser.ts'
import { anOrder, CARDIO, CORE } from '../harness/orders.ts'
import { spentBefore } from '../harness/page-fixtures.ts'
import { person, type SignedIn, signIn } from '../harness/people.ts'
import { type StripeStandIn, startStripeStandIn } from '../harness/stripe-stand-in.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const PRICE = 19_900
// Receipts name who issues them, and are numbered for the whole installation.
const stage = useStage(() =>
  ownWorld('has another setting', {
    operator: { name: 'Nordlab Kits Ltd', address: ['1 Mill Lane', 'Bristol BS1 4ND'], taxId: undefined },
  }),
)
const looks = [
  { scheme: 'light', size: 'desktop' },
  { scheme: 'dark', size: 'phone' },
] as const

interface Shop {
  clinic: TestBusiness
  owner: SignedIn
}

async function shop(world: World = stage.world): Promise<Shop> {
  const clinic = await world.business({ name: 'Harbor Clinic', credits: 30, panels: [CORE, CARDIO] })
  return { clinic, owner: await signIn(world, await person(world, 'business-admin', clinic)) }
}

const billing = ({ clinic }: Shop, mode = 'live') => `/app/b/${clinic.id}/${mode}/billing`

describe('adding a card', () => {
  it('leads over a page of its own and back to Billing, where the card is listed', async () => {
    const one = await shop()
    const page = await stage.open(billing(one), { cookie: one.owner.cookie })
    await page.getByRole('button', { name: 'Add a card' }).click()
    await page.getByRole('heading', { name: 'Add a card' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('radio', { name: 'A card that is declined now' }).check()
    await page.getByRole('button', { name: 'Save the card' }).click()
    await page.getByText('The card was not accepted').waitFor()
    await page.getByRole('radio', { name: 'A card whose bank asks its holder now' }).check()
    await page.getByRole('button', { name: 'Save the card' }).click()
    await page.getByRole('heading', { name: 'The bank asks: is it you?' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Yes, it is me' }).click()
    await page.getByText('The card was added').waitFor()
    await page.getByText('Visa ending in 3220 · used for orders').waitFor()
  })

  it.each(looks)('looks right and is accessible in %o', async (look) => {
    const one = await shop()
    const { body } = await one.clinic.live.post('/payment-methods/sessions')
    const page = await stage.open(new URL(body.url).pathname, look)
    await page.getByRole('heading', { name: 'Add a card' }).waitFor()
    await expectAccessible(page)
  })
})

describe('adding a card through Stripe', () => {
  let stripe: StripeStandIn
  let world: World
  let elements: { url: string; close(): void }
  beforeAll(async () => {
    stripe = await startStripeStandIn()
    elements = await serveElements(stripe)
    const { url: apiUrl, secretKey } = stripe
    world = await ownWorld('charges through Stripe', {
      stripe: { secretKey, publishableKey: 'pk_test_standin', apiUrl },
    })
  })
  afterAll(async () => {
    await world.stop()
    elements.close()
    await stripe.stop()
  })

  it('shows fields of Stripe on a page that alone may load its script, and comes back with the card', async () => {
    const one = await shop(world)
    const page = await stage.open('/app/', {})
    await page.context().addCookies([{ ...parsed(one.owner.cookie), url: world.service.url }])
    // Stripe's own host cannot be reached here: the browser gets a stand-in of its script and its frame from this machine.
    await page.route('https://js.stripe.com/**', async (route) => {
      const response = await fetch(elements.url + new URL(route.request().url()).pathname)
      const contentType = response.headers.get('content-type') ?? ''
      await route.fulfill({ status: response.status, contentType, body: await response.text() })
    })
    await page.goto(world.service.url + billing(one))
    await page.getByRole('button', { name: 'Add a card' }).click()
    const fields = page.frameLocator('#element iframe')
    await fields.getByLabel('Card number').fill('4000 0000 0000 0002')
    await page.getByRole('button', { name: 'Save the card' }).click()
    await page.getByText('Your card was declined.').waitFor()
    await fields.getByLabel('Card number').fill('4242 4242 4242 4242')
    await page.getByRole('button', { name: 'Save the card' }).click()
    await page.getByText('The card was added').waitFor()
    await page.getByText('Visa ending in 4242 · used for orders').waitFor()
    const sent = stripe.state().calls.map(({ params }) => JSON.stringify(params))
    expect(sent.join()).not.toContain('4242 4242')
    expect(world.logged.join()).not.toMatch(/4242 ?4242|seti_\w+_secret/)
  })
})

describe('the billing page', () => {
  it('buys credits, sets a top-up, and lists payments with receipts to download', async () => {
    const one = await shop()
    await one.clinic.live.post('/payment-methods', { id: 'pm_card_visa' })
    const { body } = await one.clinic.live.post('/create-order', anOrder({ paymentMethod: 'card' }))
    await one.clinic.live.post('/create-order', anOrder({ paymentMethod: 'card', kit_types: [{ kitType: CARDIO }] }))
    await one.clinic.live.post(`/orders/${body.orderId}/cancel`)
    const page = await stage.open(billing(one), { cookie: one.owner.cookie })
    await page.getByRole('button', { name: 'Buy credits' }).click()
    const dialog = page.getByRole('dialog', { name: 'Buy credits' })
    await dialog.getByLabel('Credits').fill('20')
    await dialog.getByText('$3,980.00 by Visa ending in 4242').waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Buy', exact: true }).click()
    await page.getByText('20 credits were bought. There are 50 now.').waitFor()
    await page.getByRole('switch', { name: 'Core Health' }).check({ force: true })
    await page.getByLabel('Core Health: when fewer are left than').fill('10')
    await page.getByLabel('Core Health: buy').fill('25')
    await page.getByLabel('At most in a month, in USD').fill('10000')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    const { topUps, monthlyCeiling } = (await one.clinic.live.get('/credits/top-up')).body
    expect(monthlyCeiling).toBe(1_000_000)
    expect(topUps).toContainEqual({ type: CORE, on: true, below: 10, amount: 25, price: PRICE, currency: 'USD' })
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: /^Download C-\d{4}-0001$/ }).click()
    expect((await download).suggestedFilename()).toMatch(/^C-\d{4}-0001\.pdf$/)
    for (const look of looks) {
      const seen = await stage.open(billing(one), { cookie: one.owner.cookie, ...look })
      await seen.getByRole('button', { name: /^Download R-\d{4}-0002$/ }).waitFor()
      await quiet(seen)
      await expectAccessible(seen)
      await expectNothingBeside(seen, look.size)
    }
  })

  it('finds payments by status, purpose, day and order', async () => {
    const one = await shop()
    await one.clinic.live.post('/payment-methods', { id: 'pm_card_visa' })
    const { body } = await one.clinic.live.post('/create-order', anOrder({ paymentMethod: 'card' }))
    await one.clinic.live.post('/credits/buy', { type: CORE, amount: 10 })
    const page = await stage.open(billing(one), { cookie: one.owner.cookie })
    const list = page.getByRole('table', { name: 'Payments and receipts' })
    const rows = list.getByRole('row')
    const shown = () => rows.count()
    await expect.poll(shown).toBe(3)
    await page.getByRole('button', { name: 'What for' }).click()
    await page.getByRole('menuitem', { name: 'Credits', exact: true }).click()
    await expect.poll(shown).toBe(2)
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('button', { name: 'Order ID' }).click()
    await page.getByRole('textbox', { name: 'Order ID' }).fill(body.orderId.toLowerCase())
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: `Order ID: ${body.orderId.toLowerCase()}` }).waitFor()
    await expect.poll(shown).toBe(2)
    await page.goto(`${stage.world.service.url}${billing(one)}?startDate=2030-01-01&status=charged`)
    await page.getByText('No such payment').waitFor()
    // The pages of the ledger are others.
    await page.goto(`${stage.world.service.url}${billing(one)}?page=1`)
    await page.getByRole('table', { name: 'Ledger' }).getByText('Credits bought').waitFor()
    await quiet(page)
    await expectAccessible(page)
  })

  it('shows to who may only read what there is, and nothing to press', async () => {
    const one = await shop()
    await one.clinic.live.post('/payment-methods', { id: 'pm_card_visa' })
    const viewer = await signIn(stage.world, await person(stage.world, 'business-viewer', one.clinic))
    const page = await stage.open(billing(one), { cookie: viewer.cookie })
    await page.getByText('Visa ending in 4242 · used for orders').waitFor()
    await quiet(page)
    for (const name of ['Add a card', 'Buy credits', 'Save'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
  })
})

describe('credits that were spent before their money went back', () => {
  it('are settled by the operator with a reason that the business reads', async () => {
    const one = await shop()
    const id = await spentBefore(stage.world, one.clinic)
    const { cookie } = await signIn(stage.world, await person(stage.world, 'operator-admin'))
    for (const look of looks) {
      const seen = await stage.open('/app/operator/businesses', { cookie, ...look })
      await seen.getByText('4 credits spent, of a refund of $1,990.00').waitFor()
      await quiet(seen)
      await expectAccessible(seen)
      await expectNothingBeside(seen, look.size)
    }
    const page = await stage.open('/app/operator/businesses', { cookie })
    await page.getByText(id).waitFor()
    await page.getByRole('button', { name: 'Settle' }).click()
    const dialog = page.getByRole('dialog', { name: 'Settle' })
    expect(await dialog.getByRole('button', { name: 'Settle' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Reason').fill('Invoice 2026-7')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Settle' }).click()
    await page.getByText('The credits are settled').waitFor()
    await expect.poll(() => page.getByText('Credits to settle').count()).toBe(0)
    const seen = await stage.open(billing(one), { cookie: one.owner.cookie })
    await seen.getByText('Settled by the operator: Invoice 2026-7').waitFor()
  })
})

describe('the settings', () => {
  it('keep what stands on receipts about the business', async () => {
    const one = await shop()
    const page = await stage.open(`/app/b/${one.clinic.id}/live/settings`, { cookie: one.owner.cookie })
    await page.getByLabel('Name on receipts').fill('Harbor Group Ltd')
    await page.getByLabel('Address on receipts').fill('4 Park Row\nLeeds')
    await page.getByLabel('Tax number').fill('GB987654321')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await expectAccessible(page)
    expect((await one.clinic.live.get('/settings')).body).toMatchObject({
      billingName: 'Harbor Group Ltd',
      billingAddress: '4 Park Row\nLeeds',
      billingTaxNumber: 'GB987654321',
    })
  })
})

function parsed(cookie: string) {
  const at = cookie.indexOf('=')
  return { name: cookie.slice(0, at), value: cookie.slice(at + 1).split(';')[0] ?? '' }
}

/** What Kitlane uses of the interface of Stripe.js: fields in a frame of another host, and a confirmation that leaves. */
const SCRIPT = `
window.Stripe = (key) => {
  let frame
  const answers = new Map()
  addEventListener('message', ({ data }) => answers.get(data.id)?.(data))
  return {
    elements: ({ clientSecret }) => ({
      clientSecret,
      create: () => {
        const heard = {}
        return {
          on: (name, hear) => { heard[name] = hear },
          mount: (selector) => {
            frame = document.createElement('iframe')
            frame.title = 'Secure payment input frame'
            frame.src = 'https://js.stripe.com/fields.html'
            frame.addEventListener('load', () => heard.ready?.())
            document.querySelector(selector).append(frame)
          },
        }
      },
    }),
    confirmSetup: async ({ elements, confirmParams }) => {
      const id = String(Math.random())
      const { status } = await new Promise((resolve) => {
        answers.set(id, resolve)
        frame.contentWindow.postMessage({ id, secret: elements.clientSecret }, 'https://js.stripe.com')
      })
      if (status !== 'succeeded') return { error: { message: 'Your card was declined.' } }
      location.assign(confirmParams.return_url + '?redirect_status=succeeded')
      return new Promise(() => {})
    },
  }
}`
const FIELDS = `<!doctype html><html lang="en"><title>Card</title><label>Card number <input id="number"></label>
<script>
addEventListener('message', async ({ data, source, origin }) => {
  const number = document.querySelector('#number').value
  const response = await fetch('/confirm/' + encodeURIComponent(data.secret) + '/' + encodeURIComponent(number))
  source.postMessage({ id: data.id, status: await response.text() }, origin)
})
</script></html>`

async function serveElements(stripe: StripeStandIn): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const [, verb, secret = '', number = ''] = (request.url ?? '').split('/').map(decodeURIComponent)
    if (verb === 'confirm') {
      const kind = number.endsWith('0002') ? 'pm_card_bad' : 'pm_card_visa'
      return response.end(stripe.confirmSetup({ secret, kind }).status)
    }
    const isPage = verb === 'fields.html'
    response.setHeader('content-type', isPage ? 'text/html' : 'text/javascript')
    response.end(isPage ? FIELDS : SCRIPT)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() }
}
