import { WITHDRAWN_REASON } from '@kitlane/display/consent'
import { advance, allowed, exceptionOf, type KitState, type Step } from '../rules.ts'
import type { WithdrawalOutcome } from './schema.ts'

export const STOPPED = 'The person took back the consent to this test: do not test the sample, and reject it'

/** Whether a kept reason is that one. Older releases named another next step behind the colon. */
export const isStopReason = (reason: string): boolean => reason.split(':')[0] === STOPPED.split(':')[0]

export interface HeldKit {
  state: KitState
  isRegistered: boolean
}

/** What taking back the whole consent does to a test. A sample that has arrived stays: laboratories must keep what they did. */
export function outcomeOf({ state, isRegistered }: HeldKit): Exclude<WithdrawalOutcome, 'researchEnded'> {
  const { progress } = state
  if (progress.sampleReceived !== undefined) return 'received'
  if (!isRegistered) return 'notRegistered'
  return progress.sampleInTransit === undefined ? 'stopped' : 'underWay'
}

/** Where the kit goes: the exception of its sample, from which a new consent lets it go on. None if it is in one. */
export function stopSteps({ state, isRegistered }: HeldKit, at: Date): Step[] {
  const outcome = outcomeOf({ state, isRegistered })
  const event = outcome === 'stopped' ? 'collectionException' : outcome === 'underWay' ? 'deliveryException' : undefined
  if (!event || exceptionOf(state) !== undefined || !allowed(state).includes(event)) return []
  return advance(state, event, { at, reason: WITHDRAWN_REASON })
}
