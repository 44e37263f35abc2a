import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '../../src/domain/errors.ts'
import { newOpaqueId } from '../../src/domain/ids.ts'
import { type ChargeInput, type Gateway, GatewayUnknown } from '../../src/domain/payment-gateway.ts'
import { simulatedGateway } from '../../src/modules/payments/gateways/simulated.ts'
import { createStripe, type StripeGateway } from '../../src/modules/payments/gateways/stripe.ts'
import { createEgress } from '../../src/platform/egress/client.ts'
import { createLogger } from '../../src/platform/log.ts'
import { httpReceiver } from '../harness/receivers.ts'
import { type Fault, type StripeStandIn, startStripeStandIn } from '../harness/stripe-stand-in.ts'
import { signStripeEvent } from '../harness/stripe-stand-in-webhooks.ts'
import { sharedWorld, type World } from '../harness/world.ts'

const webhookSecret = 'whsec_test'
const egress = createEgress({ allowLoopback: false, log: createLogger({ level: 'silent' }) })
let world: World
let standIn: StripeStandIn
let stripe: StripeGateway
let simulated: Gateway

beforeAll(async () => {
  world = await sharedWorld()
  standIn = await startStripeStandIn()
  simulated = simulatedGateway({ database: world.service.database })
  stripe = gatewayTo(standIn.url)
})
afterAll(async () => {
  await egress.close()
  await standIn.stop()
  await world.stop()
})

const gatewayTo = (apiUrl: string, secretKey = 'sk_test_standin'): StripeGateway =>
  createStripe({ secretKey, webhookSecret, apiUrl, egress, timeoutMs: 1_000 })

const business = () => ({ businessId: newOpaqueId('biz'), businessName: 'Clinic', idempotencyKey: newOpaqueId('key') })
const attach = (gateway: Gateway, methodId: string) => gateway.attach({ ...business(), methodId })
async function chargeWith(gateway: Gateway, methodId = 'pm_card_visa', more: Partial<ChargeInput> = {}) {
  const method = await attach(gateway, methodId)
  const { methodId: saved, customerRef } = method
  const idempotencyKey = newOpaqueId('live:O1')
  const base = { currency: 'USD', capture: true, metadata: { order: 'O123456789' }, amountMinor: 12_345 }
  return { ...base, idempotencyKey, methodId: saved, customerRef, ...more }
}
const outcomeOf = (promise: Promise<unknown>): Promise<unknown> => promise.catch((err: unknown) => err)
const chargesOf = ({ idempotencyKey }: ChargeInput, at = standIn) =>
  at.state().charges.filter(({ metadata }) => metadata.kitlane_key === idempotencyKey)

describe.each([
  ['stripe', () => stripe],
  ['simulated', () => simulated],
])('With the gateway %s', (name, gatewayOf) => {
  let gateway: Gateway
  beforeEach(() => {
    gateway = gatewayOf()
  })

  it('a saved card is charged, and once only however often the key is sent', async () => {
    const input = await chargeWith(gateway)
    const first = await gateway.charge(input)
    expect(first).toMatchObject({ outcome: 'charged', ref: expect.stringMatching(/^pi_/) })
    expect(await gateway.charge(input)).toEqual(first)
    expect(await gateway.charge({ ...input, again: true })).toEqual(first)
    expect(await gateway.find('ref' in first && first.ref ? first.ref : '')).toEqual({
      state: 'charged',
      amountMinor: 12_345,
    })
    await expect(gateway.charge({ ...input, amountMinor: 99_999 })).rejects.toThrow()
  })

  it('simultaneous charges of one key take the money once', async () => {
    const input = await chargeWith(gateway)
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => outcomeOf(gateway.charge(input))))
    const refs = outcomes.flatMap((one) => (one instanceof GatewayUnknown ? [] : [(one as { ref: string }).ref]))
    expect(refs.length).toBeGreaterThan(0)
    expect(new Set(refs).size).toBe(1)
    expect(await gateway.charge(input)).toEqual({ outcome: 'charged', ref: refs[0] })
  })

  it('a card has its brand and last digits, and a method that does not exist is refused', async () => {
    const who = { ...business(), methodId: 'pm_card_visa' }
    const { card, customerRef } = await gateway.attach(who)
    expect([card.brand, card.last4]).toEqual(['visa', '4242'])
    const more = { ...who, customerRef, idempotencyKey: newOpaqueId('key') }
    expect((await gateway.attach(more)).customerRef).toBe(customerRef)
    await expect(attach(gateway, 'pm_nonexistent')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })

  it.each([
    ['pm_card_declined', 'card_declined'],
    ['pm_card_authentication_required', 'authentication_required'],
  ])('%s is declined as %s, the same when asked again, and holds nothing', async (method, code) => {
    const input = await chargeWith(gateway, method)
    const result = await gateway.charge(input)
    expect(result).toMatchObject({ outcome: 'declined', code })
    expect(await gateway.charge(input)).toEqual(result)
    expect(['declined', 'canceled']).toContain((await gateway.find(result.ref ?? '')).state)
  })

  it('a method that nobody attached is declined', async () => {
    const input = await chargeWith(gateway, 'pm_card_visa', { methodId: 'pm_unknown' })
    expect(await gateway.charge(input)).toMatchObject({ outcome: 'declined', code: 'resource_missing' })
  })

  it('an authorisation is captured in part, once', async () => {
    const input = await chargeWith(gateway, 'pm_card_visa', { capture: false })
    const { outcome, ref = '' } = await gateway.charge(input)
    expect(outcome).toBe('authorised')
    expect(await gateway.find(ref)).toEqual({ state: 'authorised', amountMinor: 12_345 })
    await gateway.capture({ ref, amountMinor: 2_345, idempotencyKey: `${ref}:c1` })
    await gateway.capture({ ref, amountMinor: 2_345, idempotencyKey: `${ref}:c1` })
    await gateway.capture({ ref, amountMinor: 2_345, idempotencyKey: `${ref}:c2` })
    expect(await gateway.find(ref)).toEqual({ state: 'charged', amountMinor: 2_345 })
    await expect(gateway.capture({ ref, amountMinor: 1, idempotencyKey: `${ref}:c3` })).rejects.toThrow()
    await expect(gateway.release({ ref, idempotencyKey: `${ref}:r` })).rejects.toThrow()
  })

  it('an authorisation is released, and stays so when asked again', async () => {
    const input = await chargeWith(gateway, 'pm_card_visa', { capture: false })
    const { ref = '' } = await gateway.charge(input)
    await gateway.release({ ref, idempotencyKey: `${ref}:r1` })
    await gateway.release({ ref, idempotencyKey: `${ref}:r1` })
    await gateway.release({ ref, idempotencyKey: `${ref}:r2` })
    expect(await gateway.find(ref)).toMatchObject({ state: 'canceled' })
    await expect(gateway.capture({ ref, amountMinor: 1_000, idempotencyKey: `${ref}:c` })).rejects.toThrow()
  })

  it('a refund is paid once per key and never more than was taken', async () => {
    const { ref = '' } = await gateway.charge(await chargeWith(gateway))
    const refund = (amountMinor: number, key: string) =>
      gateway.refund({ ref, amountMinor, idempotencyKey: `${ref}:${key}` })
    await refund(345, 'a')
    await refund(345, 'a')
    expect(await gateway.find(ref)).toMatchObject({ state: 'charged' })
    await expect(refund(12_001, 'b')).rejects.toThrow()
    await refund(12_000, 'c')
    expect(await gateway.find(ref)).toEqual({ state: 'refunded', amountMinor: 12_345 })
    await refund(12_000, 'c')
    await expect(refund(1, 'd')).rejects.toThrow()
  })

  it('it says which one it is', () => {
    expect(gateway.name).toBe(name)
  })
})

describe('The simulated gateway', () => {
  it('charges pm_card_lost_reply without saying so the first time', async () => {
    const input = await chargeWith(simulated, 'pm_card_lost_reply')
    expect(await outcomeOf(simulated.charge(input))).toBeInstanceOf(GatewayUnknown)
    expect(await simulated.charge(input)).toMatchObject({ outcome: 'charged' })
  })

  it('takes three seconds for pm_card_slow', async () => {
    const input = await chargeWith(simulated, 'pm_card_slow')
    const started = performance.now()
    expect(await simulated.charge(input)).toMatchObject({ outcome: 'charged' })
    expect(performance.now() - started).toBeGreaterThanOrEqual(2_950)
  })

  it('keeps its charges when the transaction that asked for them is rolled back', async () => {
    const input = await chargeWith(simulated)
    const asking = world.service.database.asSystem({ name: 'test' }, async () => {
      await simulated.charge(input)
      throw new Error('rolled back')
    })
    await expect(asking).rejects.toThrow('rolled back')
    const owner = await world.owner()
    const { rows } = await owner.query('select state, captured from simulated_charges where idempotency_key = $1', [
      input.idempotencyKey,
    ])
    expect(rows).toEqual([{ state: 'charged', captured: '12345' }])
  })
})

describe('Stripe', () => {
  it('gets amount, currency, customer, mode of capture and the order, in a form with our key', async () => {
    const input = await chargeWith(stripe, 'pm_card_visa', { capture: false })
    await stripe.charge(input)
    const call = standIn.state().calls.find(({ key }) => key === input.idempotencyKey)
    expect(call?.params).toEqual({
      amount: '12345',
      currency: 'usd',
      customer: input.customerRef,
      payment_method: input.methodId,
      allowed_payment_method_types: ['card'],
      capture_method: 'manual',
      confirm: 'true',
      off_session: 'true',
      metadata: { order: 'O123456789', kitlane_key: input.idempotencyKey },
    })
    expect(input.methodId).not.toBe('pm_card_visa')
  })

  it.each<[string, Fault]>([
    ['whose reply is lost', { on: 'POST /v1/payment_intents', fault: 'lose_reply' }],
    ['that answers later than the time limit', { on: 'POST /v1/payment_intents', fault: 'slow', ms: 1_500 }],
    ['that is locked', { on: 'POST /v1/payment_intents', fault: 'lock_timeout' }],
  ])('a charge %s is unknown, and known when asked again with the key', async (_words, fault) => {
    const input = await chargeWith(stripe)
    standIn.plan(fault)
    expect(await outcomeOf(stripe.charge(input))).toBeInstanceOf(GatewayUnknown)
    const outcome = async () => (await outcomeOf(stripe.charge(input))) as { outcome?: string }
    await expect.poll(async () => (await outcome()).outcome).toBe('charged')
    expect(chargesOf(input)).toHaveLength(1)
  })

  it('that fails after charging is looked through, since it repeats its 500', async () => {
    const input = await chargeWith(stripe)
    standIn.plan({ on: 'POST /v1/payment_intents', fault: 'fail_after' })
    const result = await stripe.charge(input)
    expect(result).toMatchObject({ outcome: 'charged', ref: chargesOf(input)[0]?.ref })
    expect(await stripe.charge(input)).toEqual(result)
    expect(chargesOf(input)).toHaveLength(1)
  })

  it('that fails before charging is unknown, and says that it knows no charge', async () => {
    const input = await chargeWith(stripe)
    standIn.plan({ on: 'POST /v1/payment_intents', fault: 'fail_before' })
    expect(await outcomeOf(stripe.charge(input))).toMatchObject({ name: 'GatewayUnknown', nothingFound: true })
    expect(await outcomeOf(stripe.charge(input))).toMatchObject({ nothingFound: true })
    expect(chargesOf(input)).toHaveLength(0)
  })

  it('that is still processing is unknown until it is done', async () => {
    const input = await chargeWith(stripe)
    standIn.plan({ on: 'POST /v1/payment_intents', fault: 'processing' })
    expect(await outcomeOf(stripe.charge(input))).toMatchObject({ name: 'GatewayUnknown', reason: 'processing' })
    standIn.completeCharges()
    expect(await stripe.charge(input)).toMatchObject({ outcome: 'charged' })
    expect(chargesOf(input)).toHaveLength(1)
  })

  it('that has forgotten its keys charges and refunds nothing twice', async () => {
    const input = await chargeWith(stripe)
    standIn.plan({ on: 'POST /v1/payment_intents', fault: 'lose_reply' })
    await outcomeOf(stripe.charge(input))
    standIn.forgetKeys()
    const result = await stripe.charge({ ...input, again: true })
    expect(chargesOf(input)).toMatchObject([{ ref: result.ref, amount: 12_345 }])
    const refund = { ref: result.ref ?? '', amountMinor: 1_000, idempotencyKey: `${result.ref}:refund` }
    standIn.plan({ on: 'POST /v1/refunds', fault: 'fail_after' })
    expect(await outcomeOf(stripe.refund(refund))).toBeInstanceOf(GatewayUnknown)
    standIn.forgetKeys()
    await stripe.refund(refund)
    expect(chargesOf(input)).toMatchObject([{ refunded: 1_000 }])
  })

  it('that asks for a person, or declines, has the intent canceled', async () => {
    for (const method of ['pm_card_action', 'pm_card_authentication_required', 'pm_card_declined', 'pm_card_expired']) {
      const input = await chargeWith(stripe, method)
      const result = await stripe.charge(input)
      expect(result.outcome).toBe('declined')
      const intent = standIn.state().intents.find(({ metadata }) => metadata.kitlane_key === input.idempotencyKey)
      expect(intent?.status).toBe('canceled')
      expect(await stripe.charge({ ...input, again: true })).toMatchObject({ outcome: 'declined' })
    }
  })

  it('that loses the reply of a cancellation is asked again before a charge counts as declined', async () => {
    const input = await chargeWith(stripe, 'pm_card_action')
    standIn.plan({ on: 'POST /v1/payment_intents/pi_', fault: 'lose_reply' })
    expect(await outcomeOf(stripe.charge(input))).toBeInstanceOf(GatewayUnknown)
    expect(await stripe.charge(input)).toMatchObject({ outcome: 'declined', code: 'authentication_required' })
  })

  it('that refuses a card when it is saved gives PAYMENT_FAILED, and a lost reply there is unknown', async () => {
    expect(await outcomeOf(attach(stripe, 'pm_card_bad'))).toMatchObject({ code: 'PAYMENT_FAILED', status: 402 })
    standIn.plan({ on: 'POST /v1/payment_methods', fault: 'lose_reply' })
    const input = { ...business(), methodId: 'pm_card_visa' }
    expect(await outcomeOf(stripe.attach(input))).toBeInstanceOf(GatewayUnknown)
    expect(await stripe.attach(input)).toMatchObject({ card: { last4: '4242' } })
  })

  it('that does not know the API key is unknown: an attempt before may have worked. No error holds the key', async () => {
    const error = await outcomeOf(gatewayTo(standIn.url, 'sk_test_wrong').charge(await chargeWith(stripe)))
    expect(error).toBeInstanceOf(GatewayUnknown)
    expect(`${(error as Error).stack}${JSON.stringify(error)}`).not.toContain('sk_test')
  })

  it('that cannot be reached is unknown, and no other address than its own is called', async () => {
    const input = await chargeWith(stripe)
    expect(await outcomeOf(gatewayTo('http://127.0.0.1:1').charge(input))).toBeInstanceOf(GatewayUnknown)
    expect(await outcomeOf(gatewayTo('http://10.0.0.1').charge(input))).toBeInstanceOf(GatewayUnknown)
  })

  it('is called at api.stripe.com and nowhere else', async () => {
    const asked: string[] = []
    const resolver = async (hostname: string) => {
      asked.push(hostname)
      return [{ address: '127.0.0.1', family: 4 as const }]
    }
    const elsewhere = createEgress({ allowLoopback: true, resolver, log: createLogger({ level: 'silent' }) })
    const gateway = createStripe({ secretKey: 'sk_test_standin', egress: elsewhere })
    expect(await outcomeOf(gateway.charge(await chargeWith(stripe)))).toBeInstanceOf(GatewayUnknown)
    expect(asked).toEqual(['api.stripe.com'])
    await elsewhere.close()
  })

  it('however it fails, takes the money once for each key that is asked until it answers', async () => {
    const seed = Number(process.env.SEED ?? 20_261_120)
    let random = seed
    const next = (n: number) => {
      random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((random / 2 ** 32) * n)
    }
    const kinds = ['lose_reply', 'fail_after', 'lock_timeout', 'decline'] as const
    const on = 'POST /v1/payment_intents'
    const template = await chargeWith(stripe)
    const wrong: string[] = []
    for (let i = 0; i < 60; i++) {
      const input = { ...template, idempotencyKey: `live:O${i}:${next(1e9)}`, amountMinor: 50 + next(9_999) }
      for (let n = next(3); n > 0; n--) standIn.plan({ on, fault: kinds[next(kinds.length)] ?? 'lose_reply' })
      let result: unknown
      do result = await outcomeOf(stripe.charge({ ...input, again: next(2) === 1 }))
      while (result instanceof GatewayUnknown)
      const taken = chargesOf(input).reduce((sum, { amount }) => sum + amount, 0)
      const expected = (result as { outcome: string }).outcome === 'charged' ? input.amountMinor : 0
      if (taken !== expected) wrong.push(`${input.idempotencyKey}: took ${taken}, said ${JSON.stringify(result)}`)
    }
    expect(wrong, `seed ${seed}`).toEqual([])
  })
})

describe("Stripe's webhooks", () => {
  const now = new Date('2026-11-20T12:00:00Z')
  const body = (more: object = {}) =>
    JSON.stringify({
      id: 'evt_1',
      object: 'event',
      type: 'payment_intent.succeeded',
      created: Math.floor(now.getTime() / 1000),
      livemode: false,
      data: { object: { id: 'pi_1', object: 'payment_intent' } },
      ...more,
    })
  const read = (text: string, signature: string, at = now) => stripe.readWebhook(Buffer.from(text), signature, at)

  it('are read when they are signed', () => {
    const expected = {
      id: 'evt_1',
      type: 'payment_intent.succeeded',
      livemode: false,
      createdAt: now,
      ref: 'pi_1',
      reversals: [],
    }
    expect(read(body(), signStripeEvent(body(), webhookSecret, now))).toEqual(expected)
    const charge = body({ data: { object: { id: 'ch_1', object: 'charge', payment_intent: 'pi_2' } } })
    expect(read(charge, signStripeEvent(charge, webhookSecret, now)).ref).toBe('pi_2')
  })

  it('are refused when forged, changed, old, of the other mode, or no JSON', () => {
    const good = signStripeEvent(body(), webhookSecret, now)
    const live = body({ livemode: true })
    const attempts: [string, string, Date?][] = [
      [body(), ''],
      [body(), 't=1,v1=00'],
      [body(), signStripeEvent(body(), 'whsec_other', now)],
      [body({ type: 'x' }), good],
      [body(), good, new Date(now.getTime() + 301_000)],
      [live, signStripeEvent(live, webhookSecret, now)],
      ['{', signStripeEvent('{', webhookSecret, now)],
    ]
    for (const [text, signature, at] of attempts) {
      expect(() => read(text, signature, at)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
    }
    expect(() => read(body(), good, new Date(now.getTime() + 299_000))).not.toThrow()
    const deaf = createStripe({ secretKey: 'sk_test_standin', egress })
    expect(() => deaf.readWebhook(Buffer.from(body()), good, now)).toThrow(AppError)
  })

  it('arrive twice and out of order from the stand-in, each verifiable', async () => {
    const received: string[] = []
    const receiver = await httpReceiver(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const event = stripe.readWebhook(Buffer.concat(chunks), String(request.headers['stripe-signature']), new Date())
      received.push(`${event.type} ${event.ref}`)
      response.end()
    })
    await standIn.flush()
    standIn.webhooks({ url: `http://127.0.0.1:${receiver.port}`, secret: webhookSecret, copies: 2, when: 'held' })
    const { ref } = await stripe.charge(await chargeWith(stripe))
    expect(received).toEqual([])
    expect(await standIn.flush({ reversed: true })).toEqual([200, 200, 200, 200])
    const [last, first] = [`payment_intent.succeeded ${ref}`, `payment_intent.created ${ref}`]
    expect(received).toEqual([last, last, first, first])

    standIn.webhooks({ url: `http://127.0.0.1:${receiver.port}`, secret: webhookSecret, when: 'before_reply' })
    await stripe.charge(await chargeWith(stripe))
    expect(received).toHaveLength(6)
    await receiver.stop()
  })
})
