import Stripe from 'stripe'
import { z } from 'zod'
import { AppError } from '../../../domain/errors.ts'
import type { Gateway, Reversal } from '../../../domain/payment-gateway.ts'
import { isRefusal, unknownOutcome } from './stripe-errors.ts'

/** How many of each kind are looked through at once. */
const MOST = 1000

type Fields = Record<string, unknown>

const idOf = (value: unknown): string | undefined => {
  const id = typeof value === 'object' && value !== null ? (value as Fields).id : value
  return typeof id === 'string' ? id : undefined
}

const disputeStates: Readonly<Record<string, Reversal['state']>> = {
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
  warning_closed: 'won',
  // Of older versions: the charge was refunded before, and the refund counts.
  charge_refunded: 'won',
  won: 'won',
  prevented: 'won',
  lost: 'lost',
}

/** A refund or a dispute as Stripe shows it; undefined for anything else, and for a refund with `ownKey` that is not failed: ours. */
function reversalOf(object: object, ownKey: string): Reversal | undefined {
  const { object: type, id, amount, status, reason, metadata, payment_intent: intent } = object as Fields
  const ref = idOf(intent)
  if (typeof id !== 'string' || typeof amount !== 'number' || amount < 1 || !ref) return undefined
  const shared = { id, ref, amountMinor: amount, reason: typeof reason === 'string' ? reason : undefined }
  if (type === 'dispute') return { ...shared, kind: 'dispute', state: disputeStates[String(status)] ?? 'open' }
  if (type !== 'refund') return undefined
  const key = (metadata as Fields | null)?.[ownKey]
  const isFailed = status === 'failed' || status === 'canceled'
  if (typeof key !== 'string') return { ...shared, kind: 'refund', state: isFailed ? 'failed' : 'done' }
  return isFailed ? { ...shared, kind: 'refund', state: 'failed', ownKey: key } : undefined
}

interface ReversalsOptions {
  refunds: Stripe['refunds']
  disputes: Stripe['disputes']
  ownKey: string
}

/** https://docs.stripe.com/api/refunds/list and https://docs.stripe.com/api/disputes/list */
export function stripeReversals({ refunds, disputes, ownKey }: ReversalsOptions): Required<Pick<Gateway, 'reversals'>> {
  return {
    async reversals(of) {
      const wanted = (since: Date) => ({ created: { gte: Math.floor(since.getTime() / 1000) } })
      const one = 'ref' in of ? { payment_intent: of.ref } : undefined
      const [refundQuery, disputeQuery] = 'ref' in of ? [one, one] : [wanted(of.since), wanted(of.disputesSince)]
      const found = [
        ...(await collected(refunds.list({ ...refundQuery, limit: 100 }))),
        ...(await collected(disputes.list({ ...disputeQuery, limit: 100 }))),
      ]
      return found.flatMap((object) => reversalOf(object, ownKey) ?? [])
    },
  }
}

/** A restricted key may lack the right to read one of the two lists: the other one counts all the same. */
async function collected(list: AsyncIterable<object>): Promise<object[]> {
  const found: object[] = []
  try {
    for await (const object of list) {
      found.push(object)
      if (found.length >= MOST) break
    }
  } catch (err) {
    if (!isRefusal(err)) throw unknownOutcome(err)
  }
  return found
}

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
  /** Refunds and disputes that the event shows. There may be others: `Gateway.reversals(ref)` has all. */
  reversals: Reversal[]
}

const TOLERANCE_SECONDS = 300

const refused = () =>
  new AppError('VALIDATION_FAILED', 'The webhook is not an event signed by Stripe, or it is too old')

// What the SDK does not look at: a signed body may be any JSON.
const Envelope = z.looseObject({
  id: z.string(),
  type: z.string(),
  created: z.number(),
  livemode: z.boolean(),
  data: z.looseObject({ object: z.looseObject({}) }),
})

/**
 * Reads an event that Stripe sent. `livemode` says which events are ours.
 * @throws AppError VALIDATION_FAILED when the signature is wrong, older than 300 s, or no event, or the mode is the other one
 */
export function readStripeWebhook(
  input: { rawBody: Buffer; signature: string; secret: string; livemode: boolean; ownKey: string },
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
    reversals: reversalsIn(event.data.object, input.ownKey),
  }
}

function verify(input: { rawBody: Buffer; signature: string; secret: string }, now: Date): Stripe.Event {
  try {
    const { rawBody, signature, secret } = input
    const event = Stripe.webhooks.constructEvent(
      rawBody,
      signature,
      secret,
      TOLERANCE_SECONDS,
      undefined,
      now.getTime(),
    )
    Envelope.parse(event)
    return event
  } catch {
    // The SDK's error contains the whole body, which must not reach the log.
    throw refused()
  }
}

function intentOf(object: object): string | undefined {
  const { object: kind, id, payment_intent: intent } = object as Record<string, unknown>
  const ref = kind === 'payment_intent' ? id : intent
  // Endpoints of some versions of the API expand it.
  const found = typeof ref === 'object' && ref !== null ? (ref as { id?: unknown }).id : ref
  return typeof found === 'string' ? found : undefined
}

/** Of a charge, those that older versions of the API list in it. */
function reversalsIn(object: object, ownKey: string): Reversal[] {
  const { refunds, payment_intent: intent } = object as {
    refunds?: { data?: unknown } | null
    payment_intent?: unknown
  }
  const listed = Array.isArray(refunds?.data) ? refunds.data : []
  return [object, ...listed.map((one: object) => ({ payment_intent: intent, ...one }))].flatMap(
    (one) => reversalOf(one, ownKey) ?? [],
  )
}

function paymentOf(object: object): string | undefined {
  const { metadata } = object as { metadata?: Record<string, unknown> | null }
  return typeof metadata?.payment === 'string' ? metadata.payment : undefined
}
