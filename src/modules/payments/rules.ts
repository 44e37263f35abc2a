import { AppError, type ErrorCode } from '../../domain/errors.ts'

export interface PaymentQuestion {
  /** `credits`, `card`, `later` or a saved method's ID; wins over the flag. */
  paymentMethod?: string
  /** purchase_with_attached_payment */
  flag?: boolean
  /** Whether credits cover the whole order. */
  covered: boolean
  settings: { insufficientCredits: 'charge' | 'pending' | 'reject'; purchasingEnabled: boolean }
  /** Whether a payment method is attached to the business. */
  hasMethod: boolean
}

export type PaymentDecision =
  | { kind: 'credits' }
  /** Charge `methodId`, or the attached method where absent. */
  | { kind: 'charge'; methodId?: string; onDecline: 'refuse' | 'pending' }
  | { kind: 'pending' }
  | { kind: 'refuse'; code: ErrorCode; status: 400 | 409 }

const refuse = (code: ErrorCode, status: 400 | 409): PaymentDecision => ({ kind: 'refuse', code, status })

/** Decides how an order is paid; nothing else does. An order is never split between credits and card. */
export function decidePayment(question: PaymentQuestion): PaymentDecision {
  const { paymentMethod, flag, covered } = question
  if (paymentMethod === 'credits') return creditsOnly(covered)
  if (paymentMethod === 'card') return cardOnly(question)
  // Nothing is bought yet: whether purchasing is enabled is checked when the order is paid.
  if (paymentMethod === 'later') return { kind: 'pending' }
  if (paymentMethod !== undefined) return cardOnly(question, paymentMethod)
  if (flag === true) return cardOnly(question)
  if (flag === false) return creditsOnly(covered)
  return covered ? { kind: 'credits' } : uncovered(question)
}

/** Buys nothing, so it does not matter whether purchasing is enabled: the answer stays the documented 400. */
function creditsOnly(covered: boolean): PaymentDecision {
  return covered ? { kind: 'credits' } : refuse('NOT_ENOUGH_CREDITS', 400)
}

function cardOnly({ settings, hasMethod }: PaymentQuestion, methodId?: string): PaymentDecision {
  if (!settings.purchasingEnabled) return refuse('PURCHASING_DISABLED', 409)
  if (methodId === undefined && !hasMethod) return refuse('PAYMENT_METHOD_MISSING', 409)
  return { kind: 'charge', methodId, onDecline: 'refuse' }
}

function uncovered({ settings, hasMethod }: PaymentQuestion): PaymentDecision {
  if (!settings.purchasingEnabled) return refuse('PURCHASING_DISABLED', 409)
  if (settings.insufficientCredits === 'reject') return refuse('NOT_ENOUGH_CREDITS', 409)
  if (settings.insufficientCredits === 'pending' || !hasMethod) return { kind: 'pending' }
  return { kind: 'charge', onDecline: 'pending' }
}

export const methodUnknown = () =>
  new AppError(
    'PAYMENT_METHOD_NOT_FOUND',
    'There is no saved payment method with this ID: list them at /payment-methods',
  )

export const methodMissing = () =>
  new AppError('PAYMENT_METHOD_MISSING', 'No payment method is attached to the business')

/** The refusal of a declined card. `code` is the gateway's and names no cardholder. */
export const paymentFailed = (code: string): AppError =>
  new AppError('PAYMENT_FAILED', 'The card was declined', { details: [{ message: 'The card was declined', code }] })
