import type { Plan, PlanDetail } from '../../api/shapes.ts'
import { pluralize } from '../../components/pluralize.ts'
import type { StatusLabel } from '../../components/status-label.ts'

type Occurrence = PlanDetail['occurrences'][number]

const endings = { completed: 'Completed', stopped: 'Ended', erased: 'Ended: recipient erased' } as const

/** The status of a plan in words. One whose next order could not be placed needs somebody. */
export function planLabel({ status, endedBy, retryDate }: Plan): StatusLabel {
  if (status === 'ended') return { label: endings[endedBy ?? 'stopped'], tone: 'idle' }
  if (status === 'paused') return { label: 'Paused', tone: 'fair' }
  return retryDate ? { label: 'Next order not placed', tone: 'bad' } : { label: 'Active', tone: 'good' }
}

export const planStatusOptions = [
  { value: 'active', label: 'Active' },
  { value: 'paused', label: 'Paused' },
  { value: 'ended', label: 'Ended' },
]

const skipped = {
  requested: 'Skipped',
  missed: 'Skipped: a later date was due as well',
  paused: 'Skipped: the plan was paused',
  failed: 'Skipped: it could not be placed',
} as const

export function occurrenceLabel({ status, reason }: Occurrence): StatusLabel {
  if (status === 'placed') return { label: 'Ordered', tone: 'good' }
  if (status === 'placing') return { label: 'Payment under way', tone: 'info' }
  if (status === 'failed') return { label: 'Could not be placed', tone: 'bad' }
  return { label: skipped[reason ?? 'requested'], tone: reason === 'failed' ? 'bad' : 'idle' }
}

const reasons: Record<string, string> = {
  NOT_ENOUGH_CREDITS: 'Not enough credits',
  PAYMENT_FAILED: 'The card was declined',
  PAYMENT_METHOD_MISSING: 'No card is saved',
  PAYMENT_METHOD_NOT_FOUND: 'The card is no longer saved',
  PURCHASING_DISABLED: 'Buying is switched off in the settings',
  KIT_TYPE_NOT_PROVISIONED: 'The panel is no longer enabled for this business',
}

/** Why an order could not be placed. */
export const reasonOf = (code: string): string => reasons[code] ?? code

/** "Every 2 weeks". */
export function everyText(every: Plan['every']): string {
  const [count, unit] = 'weeks' in every ? [every.weeks, 'week'] : [every.months, 'month']
  return count === 1 ? `Every ${unit}` : `Every ${pluralize(count, unit)}`
}

/** "Lipids × 2, Metabolism". */
export const kitsText = ({ items }: Plan, nameOf: (kitType: string) => string): string =>
  items.map(({ kitType, quantity }) => (quantity > 1 ? `${nameOf(kitType)} × ${quantity}` : nameOf(kitType))).join(', ')
