import { allowed, exceptionOf, isFinal, type KitState } from '../../kits/rules.ts'

/** Whether a person who holds a kit can register it, or why not. */
export type RegistrationStatus = 'open' | 'registered' | 'canceled' | 'unpaid' | 'closed'

export interface HeldKit {
  state: KitState
  isRegistered: boolean
  orderStatus: string
}

/** `closed`: the kit was never registered and can no longer be, such as after its sample was rejected. */
export function registrationStatusOf({ state, isRegistered, orderStatus }: HeldKit): RegistrationStatus {
  if (exceptionOf(state) === 'canceled' || orderStatus === 'canceled') return 'canceled'
  if (isRegistered) return 'registered'
  if (orderStatus === 'pending') return 'unpaid'
  const isFilledIn = state.progress.kitRegistered !== undefined
  return allowed(state).includes('kitRegistered') || (isFilledIn && !isFinal(state)) ? 'open' : 'closed'
}

/** An ID as a person typed it, without the spaces and dashes that group its characters. */
export const typedId = (text: string): string => text.replace(/[\s\u2010-\u2015-]+/g, '')
