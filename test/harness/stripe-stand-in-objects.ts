import { randomBytes } from 'node:crypto'
import { SetupIntents } from './stripe-stand-in-setups.ts'

export type Params = Record<string, unknown>
export interface Answer {
  status: number
  body: Record<string, unknown>
}

export interface Intent {
  id: string
  object: 'payment_intent'
  amount: number
  amount_received: number
  amount_capturable: number
  currency: string
  customer: string
  payment_method: string
  capture_method: string
  status: string
  created: number
  livemode: boolean
  metadata: Record<string, string>
  last_payment_error: { code: string } | null
  latest_charge: string | null
}

export interface Refund {
  id: string
  object: 'refund'
  amount: number
  payment_intent: string
  status: 'succeeded' | 'failed'
  metadata: Record<string, string>
  created: number
}

interface Method {
  id: string
  /** The test method that it was created from, which determines its behaviour. */
  kind: string
  customer: string | null
}

/** The decline code of each test method. Some of Stripe's own names differ. */
const declines: Record<string, string> = {
  pm_card_declined: 'card_declined',
  pm_card_authentication_required: 'authentication_required',
  pm_card_expired: 'expired_card',
}
const kinds = ['pm_card_visa', 'pm_card_action', 'pm_card_bad', ...Object.keys(declines)]
/** The parameters that this version of Stripe's API accepts for a new PaymentIntent. Others are a 400 there too. */
const intentParams = new Set(
  (
    'amount currency customer payment_method allowed_payment_method_types capture_method confirm off_session metadata ' +
    'description'
  ).split(' '),
)
/** Stripe's least amount in US cents. */
const LEAST = 50

const newId = (prefix: string): string => `${prefix}_${randomBytes(9).toString('hex')}`
const ok = (body: object): Answer => ({ status: 200, body: body as Record<string, unknown> })

export function refuse(status: number, type: string, code: string, more: object = {}): Answer {
  return { status, body: { error: { type, code, message: `stand-in: ${code}`, ...more } } }
}
const invalid = (code: string, param?: string): Answer => refuse(400, 'invalid_request_error', code, { param })

/** The parts of Stripe's objects that a gateway uses. */
export class StripeObjects {
  readonly intents = new Map<string, Intent>()
  readonly refunds: Refund[] = []
  readonly disputes: Dispute[] = []
  readonly customers = new Map<string, Record<string, unknown>>()
  readonly methods = new Map<string, Method>()
  readonly setups = new SetupIntents({
    hasCustomer: (id) => this.customers.has(id),
    addMethod: (kind, customer) => {
      const method = { id: newId('pm'), kind, customer }
      this.methods.set(method.id, method)
      return method.id
    },
    showMethod: (id) => this.#showMethod(id),
  })
  readonly #emit: (type: string, object: object) => void

  constructor(emit: (type: string, object: object) => void) {
    this.#emit = emit
  }

  /** Returns undefined for an unknown route. `forced` makes a charge decline with that code, or stay in processing. */
  handle(method: string, path: string, params: Params, forced?: string): Answer | undefined {
    const [, , kind = '', id = '', verb = ''] = path.split('/')
    switch (`${method} ${kind}${id ? '/:id' : ''}${verb ? `/${verb}` : ''}`) {
      case 'POST customers':
        return this.#addCustomer(params)
      case 'POST payment_methods/:id/attach':
        return this.#attach(id, params)
      case 'GET payment_methods/:id':
        return this.methods.has(id) ? ok(this.#showMethod(id)) : missing('payment_method')
      case 'POST setup_intents':
        return this.setups.create(params)
      case 'GET setup_intents/:id':
        return this.setups.show(id, params)
      case 'POST payment_intents':
        return this.#createIntent(params, forced)
      case 'GET payment_intents':
        return this.#page(
          [...this.intents.values()].filter((one) => one.customer === params.customer).reverse(),
          params,
        )
      case 'GET refunds':
        return this.#page(ofIntent(this.refunds, params), params)
      case 'GET disputes':
        return this.#page(ofIntent(this.disputes, params), params)
      case 'POST refunds':
        return this.#refund(params)
    }
    const intent = this.intents.get(id)
    if (kind !== 'payment_intents' || !id) return undefined
    if (!intent) return missing('payment_intent')
    if (method === 'GET' && !verb) return ok(this.#show(intent, params))
    if (method === 'POST' && verb === 'confirm') return this.#confirm(intent, forced)
    if (method === 'POST' && verb === 'capture') return this.#capture(intent, params)
    if (method === 'POST' && verb === 'cancel') return this.#cancel(intent)
    return undefined
  }

  refundedOf(ref: string): number {
    const done = this.refunds.filter((one) => one.payment_intent === ref && one.status === 'succeeded')
    return done.reduce((sum, { amount }) => sum + amount, 0)
  }

  /** What somebody does in Stripe's dashboard. */
  refundByHand(ref: string, amount: number): Refund {
    const intent = this.#intent(ref)
    const refund: Refund = {
      id: newId('re'),
      object: 'refund',
      amount,
      payment_intent: ref,
      status: 'succeeded',
      metadata: {},
      created: Math.floor(Date.now() / 1000),
    }
    this.refunds.push(refund)
    const refunded = this.refundedOf(ref)
    this.#emit('charge.refunded', {
      id: intent.latest_charge,
      object: 'charge',
      payment_intent: ref,
      metadata: intent.metadata,
      refunds: null,
      amount: intent.amount,
      amount_refunded: refunded,
      refunded: refunded === intent.amount_received,
    })
    return refund
  }

  failRefund(id: string): void {
    const refund = this.refunds.find((one) => one.id === id)
    if (!refund) throw new Error('no such refund')
    refund.status = 'failed'
    this.#emit('refund.failed', { ...refund, failure_reason: 'expired_or_canceled_card' })
  }

  /** What the holder of a card begins at their bank, and what it decides: by the same ID. */
  dispute(ref: string, status: string, of?: { id: string; amount?: number }): string {
    const intent = this.#intent(ref)
    const known = this.disputes.find(({ id }) => id === of?.id)
    const dispute = known ?? {
      id: of?.id ?? newId('dp'),
      object: 'dispute',
      payment_intent: ref,
      reason: 'fraudulent',
      status,
      amount: of?.amount ?? intent.amount_received,
      charge: intent.latest_charge,
      metadata: {},
      created: Math.floor(Date.now() / 1000),
    }
    dispute.status = status
    if (!known) this.disputes.push(dispute)
    const isClosed = ['won', 'lost', 'warning_closed'].includes(status)
    this.#emit(known ? `charge.dispute.${isClosed ? 'closed' : 'updated'}` : 'charge.dispute.created', dispute)
    return dispute.id
  }

  #intent(ref: string): Intent {
    const intent = this.intents.get(ref)
    if (!intent) throw new Error('no such payment intent')
    return intent
  }

  completeCharges(): void {
    for (const intent of this.intents.values()) if (intent.status === 'processing') this.#take(intent, intent.amount)
  }

  #addCustomer(params: Params): Answer {
    const customer = { id: newId('cus'), object: 'customer', ...params }
    this.customers.set(customer.id, customer)
    return ok(customer)
  }

  #attach(id: string, { customer }: Params): Answer {
    if (typeof customer !== 'string' || !this.customers.has(customer)) return missing('customer')
    if (id === 'pm_card_bad') return refuse(402, 'card_error', 'card_declined')
    const known = this.methods.get(id)
    if (known?.customer && known.customer !== customer) return invalid('payment_method_unexpected_state')
    if (!known && !kinds.includes(id)) return missing('payment_method')
    // A test method is a template: attaching it creates a new method.
    const method: Method = known ?? { id: newId('pm'), kind: id, customer }
    this.methods.set(method.id, method)
    return ok(this.#showMethod(method.id))
  }

  #createIntent(params: Params, forced?: string): Answer {
    const unknown = Object.keys(params).find((name) => !intentParams.has(name))
    if (unknown) return invalid('parameter_unknown', unknown)
    const amount = Number(params.amount)
    if (!/^\d+$/.test(String(params.amount))) return invalid('parameter_invalid_integer', 'amount')
    if (amount < LEAST) return invalid('amount_too_small', 'amount')
    if (!/^[a-z]{3}$/.test(String(params.currency))) return invalid('parameter_invalid', 'currency')
    const method = this.methods.get(String(params.payment_method))
    if (!method) return missing('payment_method')
    if (method.customer !== params.customer) return invalid('payment_method_customer_mismatch', 'payment_method')
    if (params.confirm === 'true' && params.off_session !== 'true') return invalid('off_session_expected')
    const intent: Intent = {
      id: newId('pi'),
      object: 'payment_intent',
      amount,
      amount_received: 0,
      amount_capturable: 0,
      currency: String(params.currency),
      customer: String(params.customer),
      payment_method: method.id,
      capture_method: String(params.capture_method ?? 'automatic_async'),
      status: 'requires_confirmation',
      created: Math.floor(Date.now() / 1000),
      livemode: false,
      metadata: { ...(params.metadata as Record<string, string>) },
      last_payment_error: null,
      latest_charge: null,
    }
    this.intents.set(intent.id, intent)
    this.#emit('payment_intent.created', intent)
    return params.confirm === 'true' ? this.#confirm(intent, forced) : ok({ ...intent })
  }

  #confirm(intent: Intent, forced?: string): Answer {
    if (!['requires_confirmation', 'requires_payment_method'].includes(intent.status)) return unexpected(intent)
    const kind = this.methods.get(intent.payment_method)?.kind ?? ''
    if (forced === 'processing') intent.status = 'processing'
    else if (kind === 'pm_card_action') intent.status = 'requires_action'
    else {
      const code = forced ?? declines[kind]
      if (code) {
        intent.status = 'requires_payment_method'
        intent.last_payment_error = { code }
        this.#emit('payment_intent.payment_failed', intent)
        return refuse(402, 'card_error', code, { decline_code: 'generic_decline', payment_intent: { ...intent } })
      }
      if (intent.capture_method === 'manual') {
        intent.status = 'requires_capture'
        intent.amount_capturable = intent.amount
        this.#emit('payment_intent.amount_capturable_updated', intent)
      } else this.#take(intent, intent.amount)
    }
    return ok({ ...intent })
  }

  #take(intent: Intent, amount: number): void {
    Object.assign(intent, {
      status: 'succeeded',
      amount_received: amount,
      amount_capturable: 0,
      latest_charge: newId('ch'),
    })
    this.#emit('payment_intent.succeeded', intent)
  }

  #capture(intent: Intent, { amount_to_capture: wanted }: Params): Answer {
    if (intent.status !== 'requires_capture') return unexpected(intent)
    const amount = wanted === undefined ? intent.amount : Number(wanted)
    if (!(amount >= 1 && amount <= intent.amount)) return invalid('amount_too_large', 'amount_to_capture')
    this.#take(intent, amount)
    return ok({ ...intent })
  }

  #cancel(intent: Intent): Answer {
    if (['succeeded', 'canceled', 'processing'].includes(intent.status)) return unexpected(intent)
    Object.assign(intent, { status: 'canceled', amount_capturable: 0 })
    this.#emit('payment_intent.canceled', intent)
    return ok({ ...intent })
  }

  #refund(params: Params): Answer {
    const intent = this.intents.get(String(params.payment_intent))
    if (!intent) return missing('payment_intent')
    const left = intent.amount_received - this.refundedOf(intent.id)
    if (left === 0) return invalid('charge_already_refunded')
    const amount = params.amount === undefined ? left : Number(params.amount)
    if (!(amount >= 1 && amount <= left)) return invalid('amount_too_large', 'amount')
    const metadata = { ...(params.metadata as Record<string, string>) }
    const refund: Refund = {
      id: newId('re'),
      object: 'refund',
      amount,
      payment_intent: intent.id,
      status: 'succeeded',
      metadata,
      created: Math.floor(Date.now() / 1000),
    }
    this.refunds.push(refund)
    this.#emit('charge.refunded', { id: intent.latest_charge, object: 'charge', payment_intent: intent.id })
    return ok(refund)
  }

  #show(intent: Intent, params: Params): object {
    const expanded = Array.isArray(params.expand) && params.expand.includes('latest_charge') && intent.latest_charge
    const refunded = this.refundedOf(intent.id)
    const charge = {
      id: intent.latest_charge,
      amount_refunded: refunded,
      refunded: refunded === intent.amount_received,
    }
    return { ...intent, ...(expanded ? { latest_charge: charge } : {}) }
  }

  #showMethod(id: string): object {
    const card = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2040 }
    return { id, object: 'payment_method', type: 'card', customer: this.methods.get(id)?.customer, card }
  }

  #page(all: { id: string }[], { limit = '10', starting_after: after }: Params): Answer {
    const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1
    const data = all.slice(start, start + Number(limit))
    return ok({ object: 'list', url: '/v1', data, has_more: start + data.length < all.length })
  }
}

interface Dispute {
  id: string
  object: string
  payment_intent: string
  charge: string | null
  amount: number
  reason: string
  status: string
  metadata: object
  created: number
}

/** Those of one payment intent or since a time, the newest first. */
function ofIntent<T extends { payment_intent: string; created: number }>(all: readonly T[], params: Params): T[] {
  const since = Number((params.created as Record<string, string> | undefined)?.gte ?? 0)
  const { payment_intent: intent } = params
  return all.filter((one) => (intent === undefined || one.payment_intent === intent) && one.created >= since).reverse()
}

const missing = (param: string): Answer => refuse(404, 'invalid_request_error', 'resource_missing', { param })
const unexpected = (intent: Intent): Answer =>
  refuse(400, 'invalid_request_error', 'payment_intent_unexpected_state', { payment_intent: { ...intent } })
