import { allowed, exceptionOf, isFinal, type KitState } from '../../kits/rules.ts'

/** What a person who holds a kit may do with it. */
export type RegistrationStatus = 'open' | 'registered' | 'canceled' | 'unpaid' | 'closed'

export interface HeldKit {
  state: KitState
  isRegistered: boolean
  orderStatus: string
}

/** Which page a kit gets. Closed: it went too far without a person, such as a sample that was rejected. */
export function registrationStatusOf({ state, isRegistered, orderStatus }: HeldKit): RegistrationStatus {
  if (exceptionOf(state) === 'canceled' || orderStatus === 'canceled') return 'canceled'
  if (isRegistered) return 'registered'
  if (orderStatus === 'pending') return 'unpaid'
  const isFilledIn = state.progress.kitRegistered !== undefined
  return allowed(state).includes('kitRegistered') || (isFilledIn && !isFinal(state)) ? 'open' : 'closed'
}

/** What somebody typed from a box: spaces and dashes are how people group characters. */
export const typedId = (text: string): string => text.replace(/[\s\u2010-\u2015-]+/g, '')
