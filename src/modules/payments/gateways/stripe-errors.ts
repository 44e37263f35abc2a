import Stripe from 'stripe'
import { AppError } from '../../../domain/errors.ts'
import { GatewayUnknown } from '../../../domain/payment-gateway.ts'

const { StripeError, StripeCardError, StripeInvalidRequestError } = Stripe.errors
type StripeError = InstanceType<typeof StripeError>

/** Busy, not refused: https://docs.stripe.com/error-codes */
const BUSY = new Set(['lock_timeout', 'rate_limit', 'idempotency_key_in_use'])

/**
 * Stripe did certainly nothing: it refused the card, or it cannot carry out the request. This holds for retries too, because
 * Stripe repeats the answer kept under a key before it checks either.
 */
export function isRefusal(err: unknown): err is StripeError {
  if (!(err instanceof StripeCardError || err instanceof StripeInvalidRequestError)) return false
  return !BUSY.has(err.code ?? '')
}

/** A 5xx: the money may have moved before it. Stripe repeats it under its key, so the charge has to be looked up. */
export const isServerFault = (err: unknown): boolean => err instanceof StripeError && (err.statusCode ?? 0) >= 500

/**
 * Every error but a refusal is unknown: connections, timeouts, 409, 429, 5xx; also a rejected API key, because an earlier
 * attempt may have succeeded. A key that is reused for other parameters is our mistake and stays the error it is.
 */
export function unknownOutcome(err: unknown, options: { nothingFound?: boolean } = {}): unknown {
  if (!(err instanceof StripeError)) return err
  const { code, type, statusCode } = err
  return isRefusal(err) || statusCode === 400 ? err : new GatewayUnknown(code ?? type, options)
}

/** The answer, or an error that says whether its outcome is unknown. */
export async function orUnknown<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (err) {
    throw unknownOutcome(err)
  }
}

/** What to tell the person who attaches a card. */
export function attachRefusal(err: unknown): unknown {
  if (!isRefusal(err)) return unknownOutcome(err)
  return err instanceof StripeCardError
    ? new AppError('PAYMENT_FAILED', 'The card was declined', { extra: { reason: err.code ?? 'card_declined' } })
    : new AppError('VALIDATION_FAILED', 'There is no such payment method, or it cannot be saved')
}
