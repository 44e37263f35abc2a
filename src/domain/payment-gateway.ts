/** Who takes the money. Every call may be repeated with its key: the second time it only answers. */
export interface Gateway {
  readonly name: 'stripe' | 'simulated'
  /**
   * Saves a payment method for a business. `methodId` of the answer is what to charge: Stripe's test methods get an
   * identifier of their own here.
   * @throws AppError VALIDATION_FAILED when there is no such card, PAYMENT_FAILED when the bank refuses it
   */
  attach(input: AttachInput): Promise<AttachedMethod>
  charge(input: ChargeInput): Promise<ChargeResult>
  /** Takes an authorised amount; of less than authorised the rest is released. For nothing at all there is `release`. */
  capture(input: { ref: string; amountMinor: number; idempotencyKey: string }): Promise<void>
  /** Gives an authorisation back. */
  release(input: { ref: string; idempotencyKey: string }): Promise<void>
  refund(input: { ref: string; amountMinor: number; idempotencyKey: string }): Promise<void>
  /** `amountMinor`: what was taken (charged, refunded), is held (authorised), or was asked for. */
  find(ref: string): Promise<{ state: ChargeState; amountMinor: number }>
}

export interface AttachInput {
  methodId: string
  businessId: string
  businessName: string
  /** The business at the gateway, where it is known there. */
  customerRef?: string
  idempotencyKey: string
}

export interface AttachedMethod {
  customerRef: string
  methodId: string
  card: { brand: string; last4: string; expMonth: number; expYear: number }
}

export interface ChargeInput {
  idempotencyKey: string
  amountMinor: number
  /** ISO 4217, any case. */
  currency: string
  methodId: string
  customerRef: string
  /** False: authorise only. */
  capture: boolean
  metadata: Record<string, string>
  /** The key was sent before, perhaps days ago: look for its charge first, since gateways forget keys after a day. */
  again?: boolean
}

export type ChargeResult =
  | { outcome: 'charged' | 'authorised'; ref: string }
  /** `code`: card_declined, authentication_required, expired_card, … Nothing is held, and nothing will be. */
  | { outcome: 'declined'; code: string; ref?: string }

export type ChargeState = 'charged' | 'authorised' | 'declined' | 'canceled' | 'refunded' | 'processing'

/** It is not known what happened (lost reply, 5xx, timeout, still processing): ask again with the same key. */
export class GatewayUnknown extends Error {
  /** A short code without anybody's data. */
  readonly reason: string
  /** The gateway answered that it knows no charge of this key: after some minutes a new key is safe. */
  readonly nothingFound: boolean

  constructor(reason: string, options: { nothingFound?: boolean } = {}) {
    super('the payment gateway did not say what happened')
    this.name = 'GatewayUnknown'
    this.reason = reason
    this.nothingFound = options.nothingFound ?? false
  }
}
