import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dueNow } from '../harness/due-now.ts'
import { type StripeStandIn, startStripeStandIn } from '../harness/stripe-stand-in.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

let simulated: World
let stripe: StripeStandIn
let live: World
beforeAll(async () => {
  stripe = await startStripeStandIn()
  const { url: apiUrl, secretKey } = stripe
  simulated = await ownWorld('has other payment settings')
  live = await ownWorld('charges through Stripe', { stripe: { secretKey, publishableKey: 'pk_test_standin', apiUrl } })
})
afterAll(async () => {
  await simulated.stop()
  await live.stop()
  await stripe.stop()
})

interface Shown {
  status: number
  to: string | null
  text: string
  policy: string
}

/** A browser without scripts: it keeps cookies, and follows nothing by itself. */
function visit(url: string) {
  const cookies = new Map<string, string>()
  async function send(address: string, form?: Record<string, string>): Promise<Shown> {
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return {
      status: response.status,
      to: response.headers.get('location'),
      text: await response.text(),
      policy: response.headers.get('content-security-policy') ?? '',
    }
  }
  return {
    look: (path = '') => send(url + path),
    async choose(card: string) {
      const { text } = await send(url)
      const token = /name="token" value="([^"]+)"/.exec(text)?.[1] ?? ''
      const chosen = await send(url, { token, card })
      expect([chosen.status, chosen.to]).toEqual([303, `${new URL(url).pathname}/done`])
      return send(`${url}/done`)
    },
    post: (form: Record<string, string>) => send(url, form),
  }
}

async function begin(clinic: TestBusiness, mode: 'live' | 'sandbox' = 'live') {
  const { status, body } = await clinic[mode].post('/payment-methods/sessions')
  expect(status).toBe(201)
  return { url: body.url as string, ...visit(body.url) }
}

const cardsOf = async (clinic: TestBusiness, mode: 'live' | 'sandbox' = 'live') =>
  (await clinic[mode].get('/payment-methods')).body

describe('a card that is simulated', () => {
  it('is chosen on a page, saved as the one for orders, and the page leads back to Billing', async () => {
    const clinic = await simulated.business()
    const page = await begin(clinic)
    const { policy, text } = await page.look()
    expect(text).toContain(clinic.name)
    expect(policy).not.toContain('script-src')
    expect((await page.choose('pm_card_visa')).to).toBe(`/app/b/${clinic.id}/live/billing?card=added`)
    expect(await cardsOf(clinic)).toMatchObject([{ brand: 'visa', last4: '4242', attached: true }])
  })

  it('that is declined is not saved, and another one can be chosen on the same page', async () => {
    const clinic = await simulated.business()
    const page = await begin(clinic)
    expect((await page.choose('pm_card_refused')).to).toBe(new URL(page.url).pathname)
    expect((await page.look()).text).toContain('The card was not accepted')
    expect(await cardsOf(clinic)).toEqual([])
    expect((await page.choose('pm_card_visa')).to).toContain('card=added')
    expect(await cardsOf(clinic)).toHaveLength(1)
  })

  it('whose bank asks is saved once its holder confirms, and not if the holder refuses', async () => {
    const clinic = await simulated.business()
    const page = await begin(clinic)
    await page.choose('pm_card_confirms')
    expect((await page.look()).text).toContain('The bank asks')
    await page.choose('refuse')
    expect((await page.look()).text).toContain('The card was not accepted')
    expect(await cardsOf(clinic)).toEqual([])
    await page.choose('pm_card_confirms')
    expect((await page.choose('confirm')).to).toContain('card=added')
    expect(await cardsOf(clinic)).toMatchObject([{ last4: '3220', attached: true }])
  })

  it('is added the same way in the sandbox, and to no other realm', async () => {
    const clinic = await simulated.business()
    const page = await begin(clinic, 'sandbox')
    expect((await page.choose('pm_card_declined')).to).toBe(`/app/b/${clinic.id}/sandbox/billing?card=added`)
    expect(await cardsOf(clinic, 'sandbox')).toMatchObject([{ last4: '0002', attached: true }, { last4: '4242' }])
    expect(await cardsOf(clinic)).toEqual([])
  })
})

describe('the page of a card', () => {
  it('works once: after that it only leads back', async () => {
    const clinic = await simulated.business()
    const page = await begin(clinic)
    await page.choose('pm_card_visa')
    expect((await page.look()).to).toContain('card=added')
    expect((await page.post({ card: 'pm_card_declined', token: 'x' })).status).toBe(403)
    expect(await cardsOf(clinic)).toHaveLength(1)
  })

  it('works for half an hour', async () => {
    const clinic = await simulated.business()
    const page = await begin(clinic)
    await (await simulated.owner()).query(`update card_sessions set expires_at = now() - interval '1 second'`)
    const { status, text } = await page.look()
    expect([status, text]).toEqual([410, expect.stringContaining('no longer valid')])
  })

  it('with any other address is the page of nobody', async () => {
    const { status } = await visit(`${simulated.service.url}/pay/card/${'x'.repeat(43)}`).look()
    expect(status).toBe(404)
  })

  it('refuses a form that it did not show', async () => {
    const clinic = await simulated.business()
    const page = await begin(clinic)
    expect((await page.post({ card: 'pm_card_visa', token: 'made up' })).status).toBe(403)
    expect(await cardsOf(clinic)).toEqual([])
  })

  it('speaks Spanish to who uses the dashboard in Spanish', async () => {
    const page = await begin(await simulated.business())
    expect((await page.look('?language=es')).text).toContain('<html lang="es">')
    expect((await page.look()).text).toContain('Guardar la tarjeta')
  })

  it('needs the scope that attaches cards', async () => {
    const clinic = await simulated.business()
    const owner = await simulated.owner()
    await owner.query(
      `update tokens set scopes = '{payments:read}' where realm_id in (select id from realms where business_id = $1)`,
      [clinic.id],
    )
    expect((await simulated.as(clinic.liveToken).post('/payment-methods/sessions')).status).toBe(403)
  })
})

describe('a card through Stripe', () => {
  /** What the page gives to the provider's script. */
  const dataOf = (text: string) => ({
    secret: /data-secret="([^"]+)"/.exec(text)?.[1] ?? '',
    key: /data-key="([^"]+)"/.exec(text)?.[1],
    script: /<script src="(https:[^"]+)"/.exec(text)?.[1],
  })

  it('is entered into fields of Stripe, by a SetupIntent for charges when nobody is there', async () => {
    const clinic = await live.business()
    const page = await begin(clinic)
    const { text, policy } = await page.look()
    const { secret, key, script } = dataOf(text)
    expect([key, script]).toEqual(['pk_test_standin', 'https://js.stripe.com/endive/stripe.js'])
    expect(policy).toContain("script-src 'self' https://js.stripe.com")
    expect(policy).toContain('frame-src https://js.stripe.com')
    expect(policy).not.toContain('unsafe')
    const call = stripe.state().calls.findLast(({ path, method }) => method === 'POST' && path === '/v1/setup_intents')
    expect(call?.params).toMatchObject({ usage: 'off_session', allowed_payment_method_types: ['card'] })
    stripe.confirmSetup({ secret, kind: 'pm_card_visa' })
    const done = await page.look('/done')
    expect([done.status, done.to]).toEqual([303, `/app/b/${clinic.id}/live/billing?card=added`])
    expect(await cardsOf(clinic)).toMatchObject([{ brand: 'visa', last4: '4242', attached: true }])
  })

  it('pays for orders afterwards, of the one customer that the business is at Stripe', async () => {
    const clinic = await live.business({ credits: 0 })
    for (const _ of [1, 2]) {
      const page = await begin(clinic)
      stripe.confirmSetup({ ...dataOf((await page.look()).text), kind: 'pm_card_visa' })
      await page.look('/done')
    }
    const customers = stripe
      .state()
      .calls.filter(({ path, params }) => path === '/v1/setup_intents' && params.metadata)
      .filter(({ params }) => (params.metadata as { business_id: string }).business_id === clinic.id)
      .map(({ params }) => params.customer)
    expect(new Set(customers).size).toBe(1)
    const { anOrder } = await import('../harness/orders.ts')
    expect((await clinic.live.post('/create-order', anOrder({ paymentMethod: 'card' }))).status).toBe(201)
  })

  it('that asks its holder and is refused is not saved; the page says so and takes another one', async () => {
    const clinic = await live.business()
    const page = await begin(clinic)
    const { secret } = dataOf((await page.look()).text)
    stripe.confirmSetup({ secret, kind: 'pm_card_action', isHolder: false })
    expect((await page.look('/done')).to).toBe(new URL(page.url).pathname)
    expect((await page.look()).text).toContain('The card was not accepted')
    expect(await cardsOf(clinic)).toEqual([])
    stripe.confirmSetup({ secret, kind: 'pm_card_action' })
    expect((await page.look('/done')).to).toContain('card=added')
  })

  it('is saved by itself where the page was closed before it came back', async () => {
    const clinic = await live.business()
    const page = await begin(clinic)
    stripe.confirmSetup({ ...dataOf((await page.look()).text), kind: 'pm_card_visa' })
    await dueNow(live, 'payments.finish-card')
    await expect.poll(() => cardsOf(clinic)).toHaveLength(1)
  })

  it('cannot be added while Stripe is away: 503, when to try again, and nothing is saved', async () => {
    const clinic = await live.business()
    const faults = ['lose_reply', 'fail_before', 'lock_timeout'] as const
    const away = { status: 503, body: { code: 'PROVIDER_UNAVAILABLE' } }
    for (const fault of faults) {
      for (const on of ['POST /v1/customers', 'POST /v1/setup_intents']) {
        stripe.plan({ on, fault })
        const refused = await clinic.live.post('/payment-methods/sessions')
        expect(refused).toMatchObject(away)
        expect(refused.headers.get('retry-after')).toBe('10')
      }
      stripe.plan({ on: 'POST /v1/payment_methods', fault })
      const refused = await clinic.live.post('/payment-methods', { id: 'pm_card_visa' })
      expect(refused).toMatchObject(away)
      expect(refused.headers.get('retry-after')).toBe('10')
    }
    expect(await cardsOf(clinic)).toEqual([])
    const page = await begin(clinic)
    stripe.plan({ on: 'GET /v1/setup_intents', fault: 'lose_reply' })
    expect((await page.look()).status).toBe(503)
    expect((await page.look()).status).toBe(200)
  })

  it('is refused where the operator has set no publishable key', async () => {
    const world = await ownWorld('charges through Stripe', {
      stripe: { secretKey: stripe.secretKey, apiUrl: stripe.url },
    })
    try {
      const clinic = await world.business()
      const { status, body } = await clinic.live.post('/payment-methods/sessions')
      expect([status, body.code]).toEqual([403, 'FEATURE_NOT_ENABLED'])
    } finally {
      await world.stop()
    }
  })
})
