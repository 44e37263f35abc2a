import type { AttachedMethod } from '../../../domain/payment-gateway.ts'

export interface SimulatedCard {
  brand: string
  last4: string
  declines?: string
  slowMs?: number
  losesReply?: boolean
  /** What adding it on the page comes to; without it, it is added at once. */
  adding?: 'declines' | 'confirms'
}

/** What each test card does; the names and numbers are Stripe's where Stripe has such a card. */
const simulatedCards: Record<string, SimulatedCard> = {
  pm_card_visa: { brand: 'visa', last4: '4242' },
  pm_card_confirms: { brand: 'visa', last4: '3220', adding: 'confirms' },
  pm_card_refused: { brand: 'visa', last4: '0069', adding: 'declines' },
  pm_card_declined: { brand: 'visa', last4: '0002', declines: 'card_declined' },
  pm_card_authentication_required: { brand: 'visa', last4: '3184', declines: 'authentication_required' },
  pm_card_slow: { brand: 'mastercard', last4: '3000', slowMs: 3_000 },
  pm_card_lost_reply: { brand: 'mastercard', last4: '4040', losesReply: true },
}

export const cardOf = (methodId: string): SimulatedCard | undefined =>
  Object.hasOwn(simulatedCards, methodId) ? simulatedCards[methodId] : undefined

/** A test card as it is attached; undefined where there is no such card. */
export function simulatedMethod(businessId: string, methodId: string): AttachedMethod | undefined {
  const card = cardOf(methodId)
  if (!card) return undefined
  const { brand, last4 } = card
  return { customerRef: `cus_sim_${businessId}`, methodId, card: { brand, last4, expMonth: 12, expYear: 2099 } }
}
