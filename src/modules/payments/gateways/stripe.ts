import Stripe from 'stripe'
import { AppError } from '../../../domain/errors.ts'
import * as paymentGateway from '../../../domain/payment-gateway.ts'
import type { Egress } from '../../../platform/egress/client.ts'
import { attachRefusal, isRefusal, isServerFault, orUnknown, unknownOutcome } from './stripe-errors.ts'
import { readStripeWebhook, type StripeEvent, stripeReversals } from './stripe-webhook.ts'

interface SetupsOptions {
  setups: Stripe['setupIntents']
  customerOf(input: Omit<paymentGateway.AttachInput, 'methodId'>): Promise<string>
  publishableKey: string | undefined
  /** Such as 2026-10-28.endive: Stripe.js has a release of that name. */
  apiVersion: string
}

/** Cards that people enter into Stripe's Payment Element: https://docs.stripe.com/payments/save-and-reuse */
function stripeSetups(options: SetupsOptions): Pick<paymentGateway.Gateway, 'startSetup' | 'findSetup'> {
  const { setups, customerOf, publishableKey, apiVersion } = options
  const script = `https://js.stripe.com/${apiVersion.split('.')[1]}/stripe.js`

  const elementOf = ({ client_secret: clientSecret }: Stripe.SetupIntent): paymentGateway.CardElement => {
    if (!publishableKey || !clientSecret) throw notSetUp()
    return { kind: 'stripe', script, publishableKey, clientSecret }
  }

  return {
    async startSetup({ idempotencyKey, ...business }) {
      if (!publishableKey) throw notSetUp()
      const customer = await orUnknown(customerOf({ ...business, idempotencyKey }))
      const made = setups.create(
        {
          customer,
          usage: 'off_session',
          allowed_payment_method_types: ['card'],
          metadata: { business_id: business.businessId },
        },
        { idempotencyKey },
      )
      return { ref: (await orUnknown(made)).id, customerRef: customer }
    },

    async findSetup(ref): Promise<paymentGateway.Setup> {
      const setup = await orUnknown(setups.retrieve(ref, { expand: ['payment_method'] }))
      if (setup.status === 'succeeded') return { state: 'saved', method: methodOf(setup) }
      if (setup.status === 'processing') return { state: 'processing' }
      const declineCode = setup.last_setup_error?.code
      return { state: setup.status === 'canceled' ? 'ended' : 'open', declineCode, element: elementOf(setup) }
    },
  }
}

const notSetUp = () =>
  new AppError('FEATURE_NOT_ENABLED', 'Entering cards is not set up: the operator sets STRIPE_PUBLISHABLE_KEY')

function methodOf({ customer, payment_method: method }: Stripe.SetupIntent): paymentGateway.AttachedMethod {
  const customerRef = typeof customer === 'string' ? customer : customer?.id
  if (!customerRef || !method || typeof method === 'string' || !method.card) {
    throw new Error('the gateway saved something else than a card')
  }
  const { brand, last4, exp_month: expMonth, exp_year: expYear } = method.card
  return { customerRef, methodId: method.id, card: { brand, last4, expMonth, expYear } }
}

export interface StripeOptions {
  /** sk_… or rk_…, live or test. */
  secretKey: string
  /** pk_…, of the same mode: for cards that people enter. */
  publishableKey?: string
  webhookSecret?: string
  /** An address to use instead of Stripe's, without a path; it may be on this machine. */
  apiUrl?: string
  /** 20 s by default. */
  timeoutMs?: number
  egress: Egress
}

export interface StripeGateway extends paymentGateway.Gateway {
  /** @throws AppError VALIDATION_FAILED, FEATURE_NOT_ENABLED without a webhook secret */
  readWebhook(rawBody: Buffer, signature: string, now: Date): StripeEvent
}

// The SDK has the types of this version: upgrade both together.
const API_VERSION = '2026-10-28.endive'
const TIMEOUT_MS = 20_000
// A hundred PaymentIntents are about 400 kB.
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024
/** The metadata that keeps our key after Stripe has forgotten it. */
const KEY = 'kitlane_key'
const LOOKED_THROUGH = 1_000

const isUnexpectedState = (err: unknown): boolean => isRefusal(err) && err.code === 'payment_intent_unexpected_state'

export function createStripe(options: StripeOptions): StripeGateway {
  const { secretKey, webhookSecret } = options
  const { intents, refunds, disputes, customers, methods, setups } = connect(options)

  async function charge(input: paymentGateway.ChargeInput): Promise<paymentGateway.ChargeResult> {
    const before = input.again ? await findIntent(input) : undefined
    const intent = before ?? (await createIntent(input))
    return 'outcome' in intent ? intent : finalResult(intent, input.idempotencyKey)
  }

  async function createIntent(
    input: paymentGateway.ChargeInput,
  ): Promise<Stripe.PaymentIntent | paymentGateway.ChargeResult> {
    const { idempotencyKey, amountMinor, currency, methodId, customerRef, capture, metadata } = input
    const parameters: Stripe.PaymentIntentCreateParams = {
      amount: amountMinor,
      currency: currency.toLowerCase(),
      customer: customerRef,
      payment_method: methodId,
      allowed_payment_method_types: ['card'],
      capture_method: capture ? 'automatic' : 'manual',
      confirm: true,
      off_session: true,
      metadata: { ...metadata, [KEY]: idempotencyKey },
    }
    try {
      return await intents.create(parameters, { idempotencyKey })
    } catch (err) {
      if (isRefusal(err)) return decline(err.code ?? 'card_declined', err.payment_intent?.id, idempotencyKey)
      if (!isServerFault(err)) throw unknownOutcome(err)
      const made = await findIntent(input)
      if (made) return made
      throw unknownOutcome(err, { nothingFound: true })
    }
  }

  /** The charge that was made with this key; Stripe itself forgets keys after a day. */
  async function findIntent({
    customerRef,
    idempotencyKey,
  }: paymentGateway.ChargeInput): Promise<Stripe.PaymentIntent | undefined> {
    let looked = 0
    for await (const intent of listed(intents.list({ customer: customerRef, limit: 100 }))) {
      if (intent.metadata[KEY] === idempotencyKey) return intent
      if (++looked >= LOOKED_THROUGH) throw new paymentGateway.GatewayUnknown('too_many_charges_since')
    }
    return undefined
  }

  /** Stripe repeats its first answer under a key, so an intent that was not final then is read again. */
  async function finalResult(intent: Stripe.PaymentIntent, key: string): Promise<paymentGateway.ChargeResult> {
    const isFinal = intent.status === 'succeeded' || intent.status === 'requires_capture'
    const now = isFinal ? intent : await orUnknown(intents.retrieve(intent.id))
    if (now.status === 'succeeded') return { outcome: 'charged', ref: now.id }
    if (now.status === 'requires_capture') return { outcome: 'authorised', ref: now.id }
    if (now.status === 'processing') throw new paymentGateway.GatewayUnknown('processing')
    const unattended = intent.status === 'requires_action' ? 'authentication_required' : 'card_declined'
    const code = now.last_payment_error?.code ?? unattended
    return now.status === 'canceled' ? { outcome: 'declined', code, ref: now.id } : decline(code, now.id, key)
  }

  /** Cancels the intent: nobody is there to authenticate, and a later confirmation could still charge the card. */
  async function decline(code: string, ref: string | undefined, key: string): Promise<paymentGateway.ChargeResult> {
    if (ref) await cancel(ref, `${key}:cancel`)
    return { outcome: 'declined', code, ref }
  }

  async function cancel(ref: string, idempotencyKey: string): Promise<void> {
    try {
      await intents.cancel(ref, {}, { idempotencyKey })
    } catch (err) {
      if (!isUnexpectedState(err)) throw unknownOutcome(err)
      const { status } = await orUnknown(intents.retrieve(ref))
      if (status !== 'canceled') throw err
    }
  }

  /** The gateway's own customer of a business: made once. */
  async function customerOf(input: Omit<paymentGateway.AttachInput, 'methodId'>): Promise<string> {
    const { businessId, businessName: name, customerRef, idempotencyKey } = input
    if (customerRef) return customerRef
    const made = { name, metadata: { business_id: businessId } }
    return (await customers.create(made, { idempotencyKey: `${idempotencyKey}:customer` })).id
  }

  return {
    name: 'stripe',
    charge,
    release: ({ ref, idempotencyKey }) => cancel(ref, idempotencyKey),
    ...stripeReversals({ refunds, disputes, ownKey: KEY }),

    ...stripeSetups({ setups, customerOf, publishableKey: options.publishableKey, apiVersion: API_VERSION }),

    async attach({ methodId, idempotencyKey, ...business }) {
      try {
        const customer = await customerOf({ ...business, idempotencyKey })
        const { id, card } = await methods.attach(methodId, { customer }, { idempotencyKey })
        if (!card) throw new AppError('VALIDATION_FAILED', 'The payment method is not a card')
        const { brand, last4, exp_month: expMonth, exp_year: expYear } = card
        return { customerRef: customer, methodId: id, card: { brand, last4, expMonth, expYear } }
      } catch (err) {
        throw attachRefusal(err)
      }
    },

    async capture({ ref, amountMinor, idempotencyKey }) {
      try {
        await intents.capture(ref, { amount_to_capture: amountMinor }, { idempotencyKey })
      } catch (err) {
        if (!isUnexpectedState(err)) throw unknownOutcome(err)
        const { status, amount_received: received } = await orUnknown(intents.retrieve(ref))
        if (status !== 'succeeded' || received !== amountMinor) throw err
      }
    },

    async refund({ ref, amountMinor, idempotencyKey }) {
      // Looks first: Stripe forgets the key after a day and would then refund a second time.
      for await (const refund of listed(refunds.list({ payment_intent: ref, limit: 100 }))) {
        const isOurs = refund.metadata?.[KEY] === idempotencyKey
        if (isOurs && refund.status !== 'failed' && refund.status !== 'canceled') return
      }
      const metadata = { [KEY]: idempotencyKey }
      await orUnknown(refunds.create({ payment_intent: ref, amount: amountMinor, metadata }, { idempotencyKey }))
    },

    async find(ref) {
      return stateOf(await orUnknown(intents.retrieve(ref, { expand: ['latest_charge'] })))
    },

    readWebhook(rawBody, signature, now) {
      if (!webhookSecret) throw new AppError('FEATURE_NOT_ENABLED', 'Webhooks of Stripe are not set up')
      const livemode = /^[sr]k_live_/.test(secretKey)
      return readStripeWebhook({ rawBody, signature, secret: webhookSecret, livemode, ownKey: KEY }, now)
    },
  }
}

function connect({ secretKey, apiUrl, timeoutMs = TIMEOUT_MS, egress }: StripeOptions) {
  const url = new URL(apiUrl ?? 'https://api.stripe.com')
  const policy = { hosts: [url.host], loopback: apiUrl !== undefined }
  const limits = { policy, timeoutMs, maxResponseBytes: MAX_RESPONSE_BYTES }
  const stripe = new Stripe(secretKey, {
    apiVersion: API_VERSION,
    httpClient: Stripe.createFetchHttpClient(egress.fetchWith(limits)),
    host: url.hostname,
    port: url.port || (url.protocol === 'http:' ? 80 : 443),
    protocol: url.protocol === 'http:' ? 'http' : 'https',
    // Callers retry, not the SDK: only they know whether the order still needs it.
    maxNetworkRetries: 0,
    timeout: timeoutMs,
    telemetry: false,
  })
  const {
    paymentIntents: intents,
    refunds,
    disputes,
    customers,
    paymentMethods: methods,
    setupIntents: setups,
  } = stripe
  return { intents, refunds, disputes, customers, methods, setups }
}

async function* listed<T>(list: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* list
  } catch (err) {
    throw unknownOutcome(err)
  }
}

function stateOf(intent: Stripe.PaymentIntent): { state: paymentGateway.ChargeState; amountMinor: number } {
  const { status, amount, amount_received: received, amount_capturable: capturable, latest_charge: charge } = intent
  const refunded = typeof charge === 'object' && charge !== null && charge.refunded
  if (status === 'succeeded') return { state: refunded ? 'refunded' : 'charged', amountMinor: received }
  if (status === 'requires_capture') return { state: 'authorised', amountMinor: capturable }
  if (status === 'processing') return { state: 'processing', amountMinor: amount }
  return { state: status === 'canceled' ? 'canceled' : 'declined', amountMinor: amount }
}
