import { ProviderUnknown } from './errors.ts'

/** The payment provider. Every call is idempotent by its key: a repeat only returns the answer. */
export interface Gateway {
  readonly name: 'stripe' | 'simulated'
  /**
   * Saves a payment method for a business. `methodId` of the answer is what to charge: Stripe's test methods get an
   * identifier of their own here.
   * @throws AppError VALIDATION_FAILED when there is no such card, PAYMENT_FAILED when the bank refuses it
   */
  attach(input: AttachInput): Promise<AttachedMethod>
  /**
   * Begins to add a card that a person enters into the gateway's own element.
   * @throws AppError FEATURE_NOT_ENABLED where the element is not set up
   */
  startSetup(input: Omit<AttachInput, 'methodId'>): Promise<{ ref: string; customerRef: string }>
  /** How far that is. */
  findSetup(ref: string): Promise<Setup>
  /** The simulated gateway only: what its element does, with a test card or with what the bank asks. */
  enterCard?(ref: string, entered: string): Promise<void>
  charge(input: ChargeInput): Promise<ChargeResult>
  /** Captures up to the authorised amount and releases the rest. To capture nothing, use `release`. */
  capture(input: { ref: string; amountMinor: number; idempotencyKey: string }): Promise<void>
  /** Releases an authorisation. */
  release(input: { ref: string; idempotencyKey: string }): Promise<void>
  refund(input: { ref: string; amountMinor: number; idempotencyKey: string }): Promise<void>
  /**
   * Refunds and disputes that were not made by this program, and refunds of it that failed: of one charge, or all recent ones. The
   * simulated gateway has none.
   */
  reversals?(of: { ref: string } | { since: Date; disputesSince: Date }): Promise<Reversal[]>
  /** `amountMinor`: the amount charged or refunded, authorised, or requested. */
  find(ref: string): Promise<{ state: ChargeState; amountMinor: number }>
}

/** Money that went back to the holder of a card at the gateway. */
export interface Reversal {
  /** The gateway's, such as `re_…` or `dp_…`. */
  id: string
  /** Of the charge. */
  ref: string
  kind: 'refund' | 'dispute'
  /** A refund is done or failed. Of a dispute, an inquiry moves no money yet. */
  state: 'done' | 'failed' | 'inquiry' | 'open' | 'won' | 'lost'
  amountMinor: number
  /** The gateway's code, such as `fraudulent`. */
  reason?: string | undefined
  /** The key of a refund that this program made, and that failed. */
  ownKey?: string
}

export interface AttachInput {
  methodId: string
  businessId: string
  businessName: string
  /** The gateway's ID of the business, if it has one. */
  customerRef?: string
  idempotencyKey: string
}

export interface AttachedMethod {
  customerRef: string
  methodId: string
  card: { brand: string; last4: string; expMonth: number; expYear: number }
}

/** A card that is being added. */
export type Setup =
  | { state: 'saved'; method: AttachedMethod }
  | { state: 'processing' }
  | {
      /** confirming: the bank asks its holder. */
      state: 'open' | 'confirming' | 'ended'
      /** Why the last try did not succeed. */
      declineCode?: string | undefined
      element: CardElement
    }

/** What a page needs to show the gateway's element. */
export type CardElement =
  | { kind: 'simulated' }
  | { kind: 'stripe'; script: string; publishableKey: string; clientSecret: string }

export interface ChargeInput {
  idempotencyKey: string
  amountMinor: number
  /** ISO 4217, in any case. */
  currency: string
  methodId: string
  customerRef: string
  /** False: only authorise. */
  capture: boolean
  metadata: Record<string, string>
  /** The key was sent before, possibly days ago: look for its charge first, since gateways forget keys after a day. */
  again?: boolean
}

export type ChargeResult =
  | { outcome: 'charged' | 'authorised'; ref: string }
  /** `code`: card_declined, authentication_required, expired_card, … No money is held, and none will be. */
  | { outcome: 'declined'; code: string; ref?: string }

export type ChargeState = 'charged' | 'authorised' | 'declined' | 'canceled' | 'refunded' | 'processing'

/** The outcome is unknown (lost reply, 5xx, timeout, still processing): ask again with the same key. */
export class GatewayUnknown extends ProviderUnknown {
  /** A short code without personal data. */
  readonly reason: string
  /** The gateway knows no charge of this key: after a few minutes a new key is safe. */
  readonly nothingFound: boolean

  constructor(reason: string, options: { nothingFound?: boolean } = {}) {
    super('payment provider', 'the payment gateway did not say what happened')
    this.name = 'GatewayUnknown'
    this.reason = reason
    this.nothingFound = options.nothingFound ?? false
  }
}
