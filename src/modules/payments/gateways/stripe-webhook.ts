import Stripe from 'stripe'
import { AppError } from '../../../domain/errors.ts'

export interface StripeEvent {
  /** The same for an event that is sent twice. */
  id: string
  /** `payment_intent.succeeded`, … Events come late and in any order: `Gateway.find(ref)` says what is true now. */
  type: string
  livemode: boolean
  createdAt: Date
  /** The PaymentIntent, where the event is about one. */
  ref?: string
  /** Our own payment, where it is about one. */
  paymentId?: string
}

const TOLERANCE_SECONDS = 300

const refused = () => new AppError('VALIDATION_FAILED', 'The webhook is not signed by Stripe, or it is too old')

/**
 * Reads an event that Stripe sent. `livemode` says which events are ours.
 * @throws AppError VALIDATION_FAILED when the signature is wrong, older than 300 s, or the mode is the other one
 */
export function readStripeWebhook(
  input: { rawBody: Buffer; signature: string; secret: string; livemode: boolean },
  now: Date,
): StripeEvent {
  const event = verify(input, now)
  if (event.livemode !== input.livemode) {
    throw new AppError('VALIDATION_FAILED', 'The webhook comes from the other mode of Stripe')
  }
  const { id, type, livemode, created } = event
  return {
    id,
    type,
    livemode,
    createdAt: new Date(created * 1000),
    ref: intentOf(event.data.object),
    paymentId: paymentOf(event.data.object),
  }
}

function verify(input: { rawBody: Buffer; signature: string; secret: string }, now: Date): Stripe.Event {
  try {
    const { rawBody, signature, secret } = input
    return Stripe.webhooks.constructEvent(rawBody, signature, secret, TOLERANCE_SECONDS, undefined, now.getTime())
  } catch {
    // The SDK's error contains the whole body, which must not reach the log.
    throw refused()
  }
}

function intentOf(object: object): string | undefined {
  const { object: kind, id, payment_intent: intent } = object as Record<string, unknown>
  const ref = kind === 'payment_intent' ? id : intent
  return typeof ref === 'string' ? ref : undefined
}

function paymentOf(object: object): string | undefined {
  const { metadata } = object as { metadata?: Record<string, unknown> | null }
  return typeof metadata?.payment === 'string' ? metadata.payment : undefined
}
