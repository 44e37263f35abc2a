import Stripe from 'stripe'
import { AppError } from '../../../domain/errors.ts'
import { GatewayUnknown } from '../../../domain/payment-gateway.ts'

const { StripeError, StripeCardError, StripeInvalidRequestError } = Stripe.errors
type StripeError = InstanceType<typeof StripeError>

/** Busy, not refused: https://docs.stripe.com/error-codes */
const BUSY = new Set(['lock_timeout', 'rate_limit', 'idempotency_key_in_use'])

/**
 * Stripe says for certain that nothing was done: a refused card, a request it cannot carry out. An old answer is
 * repeated under its key before either is looked at, so this holds for retries too.
 */
export function isRefusal(err: unknown): err is StripeError {
  if (!(err instanceof StripeCardError || err instanceof StripeInvalidRequestError)) return false
  return !BUSY.has(err.code ?? '')
}

export const isUnexpectedState = (err: unknown): boolean =>
  isRefusal(err) && err.code === 'payment_intent_unexpected_state'

/** A 5xx, whose cause may have come after the money moved. Stripe repeats it under its key, so only a look helps. */
export const isServerFault = (err: unknown): boolean => err instanceof StripeError && (err.statusCode ?? 0) >= 500

/**
 * Everything but a refusal: connections, timeouts, 409, 429, 5xx; and a rejected API key, behind which an earlier
 * attempt may have succeeded. Reusing a key for other parameters is a mistake of ours and stays as it is.
 */
export function unknownOutcome(err: unknown, options: { nothingFound?: boolean } = {}): unknown {
  if (!(err instanceof StripeError)) return err
  const { code, type, statusCode } = err
  return isRefusal(err) || statusCode === 400 ? err : new GatewayUnknown(code ?? type, options)
}

/** What to tell the person who attaches a card. */
export function attachRefusal(err: unknown): unknown {
  if (!isRefusal(err)) return unknownOutcome(err)
  return err instanceof StripeCardError
    ? new AppError('PAYMENT_FAILED', 'The card was declined', { extra: { reason: err.code ?? 'card_declined' } })
    : new AppError('VALIDATION_FAILED', 'There is no such payment method, or it cannot be saved')
}
