import { randomBytes } from 'node:crypto'
import { type Answer, type Params, refuse } from './stripe-stand-in-objects.ts'

export interface SetupIntent {
  id: string
  object: 'setup_intent'
  client_secret: string
  customer: string
  usage: string
  status: string
  payment_method: string | null
  last_setup_error: { code: string } | null
  metadata: Record<string, string>
}

/** The parameters that this version of Stripe's API accepts, of those that matter here. Others are a 400 there too. */
const allowed = new Set(['customer', 'usage', 'allowed_payment_method_types', 'metadata'])

const ok = (body: object): Answer => ({ status: 200, body: body as Record<string, unknown> })

interface Around {
  hasCustomer(id: string): boolean
  /** Makes a card of this kind, of this customer. */
  addMethod(kind: string, customer: string): string
  showMethod(id: string): object
}

/** SetupIntents, and what Stripe's element does with them in a browser. */
export class SetupIntents {
  readonly all = new Map<string, SetupIntent>()
  readonly #around: Around

  constructor(around: Around) {
    this.#around = around
  }

  create(params: Params): Answer {
    const unknown = Object.keys(params).find((name) => !allowed.has(name))
    if (unknown) return refuse(400, 'invalid_request_error', 'parameter_unknown', { param: unknown })
    const customer = String(params.customer)
    if (!this.#around.hasCustomer(customer)) return missing('customer')
    const id = `seti_${randomBytes(9).toString('hex')}`
    const setup: SetupIntent = {
      id,
      object: 'setup_intent',
      client_secret: `${id}_secret_${randomBytes(9).toString('hex')}`,
      customer,
      usage: String(params.usage ?? 'off_session'),
      status: 'requires_payment_method',
      payment_method: null,
      last_setup_error: null,
      metadata: { ...(params.metadata as Record<string, string>) },
    }
    this.all.set(id, setup)
    return ok(setup)
  }

  show(id: string, params: Params): Answer {
    const setup = this.all.get(id)
    if (!setup) return missing('setup_intent')
    const isExpanded = Array.isArray(params.expand) && params.expand.includes('payment_method')
    const method = setup.payment_method
    return ok({ ...setup, ...(isExpanded && method && { payment_method: this.#around.showMethod(method) }) })
  }

  /** As the element in a browser confirms: with the client secret, a card of a kind, and what its holder answers the bank. */
  confirm({ secret, kind, isHolder = true }: { secret: string; kind: string; isHolder?: boolean }): SetupIntent {
    const setup = [...this.all.values()].find((one) => one.client_secret === secret)
    if (!setup) throw new Error('no SetupIntent has this secret')
    if (setup.status === 'succeeded') return setup
    const isRefused = kind === 'pm_card_bad' || (kind === 'pm_card_action' && !isHolder)
    if (isRefused) {
      setup.status = 'requires_payment_method'
      setup.last_setup_error = {
        code: kind === 'pm_card_bad' ? 'card_declined' : 'setup_intent_authentication_failure',
      }
      return setup
    }
    // A card that asks its holder now can be charged off session later.
    const method = this.#around.addMethod(kind === 'pm_card_action' ? 'pm_card_visa' : kind, setup.customer)
    Object.assign(setup, { status: 'succeeded', payment_method: method, last_setup_error: null })
    return setup
  }
}

const missing = (param: string): Answer => refuse(404, 'invalid_request_error', 'resource_missing', { param })
