import type { Plan, PlanDetail } from '../../api/shapes.ts'
import type { StatusLabel } from '../../components/status-label.ts'
import { t } from '../../language/t.ts'

type Occurrence = PlanDetail['occurrences'][number]

const endings = { completed: t('Completed'), stopped: t('Ended'), erased: t('Ended: recipient erased') } as const

/** The status of a plan in words. One whose next order could not be placed needs somebody. */
export function planLabel({ status, endedBy, retryDate }: Plan): StatusLabel {
  if (status === 'ended') return { label: endings[endedBy ?? 'stopped'], tone: 'idle' }
  if (status === 'paused') return { label: t('Paused'), tone: 'fair' }
  return retryDate ? { label: t('Next order not placed'), tone: 'bad' } : { label: t('Active'), tone: 'good' }
}

export const planStatusOptions = [
  { value: 'active', label: t('Active') },
  { value: 'paused', label: t('Paused') },
  { value: 'ended', label: t('Ended') },
]

const skipped = {
  requested: t('Skipped'),
  missed: t('Skipped: a later date was due as well'),
  paused: t('Skipped: the plan was paused'),
  failed: t('Skipped: it could not be placed'),
} as const

export function occurrenceLabel({ status, reason }: Occurrence): StatusLabel {
  if (status === 'placed') return { label: t('Ordered'), tone: 'good' }
  if (status === 'placing') return { label: t('Payment under way'), tone: 'info' }
  if (status === 'failed') return { label: t('Could not be placed'), tone: 'bad' }
  return { label: skipped[reason ?? 'requested'], tone: reason === 'failed' ? 'bad' : 'idle' }
}

const reasons: Record<string, string> = {
  NOT_ENOUGH_CREDITS: t('Not enough credits'),
  PAYMENT_FAILED: t('The card was declined'),
  PAYMENT_METHOD_MISSING: t('No card is saved'),
  PAYMENT_METHOD_NOT_FOUND: t('The card is no longer saved'),
  PURCHASING_DISABLED: t('Buying is switched off in the settings'),
  KIT_TYPE_NOT_PROVISIONED: t('The panel is no longer enabled for this business'),
  ORDER_NOT_ALLOWED: t('The panel is not offered at this address, or not so many kits in one order'),
}

/** Why an order could not be placed. */
export const reasonOf = (code: string): string => reasons[code] ?? code

/** "Every 2 weeks". */
export function everyText(every: Plan['every']): string {
  return 'weeks' in every
    ? t('{weeks, plural, one {Every week} other {Every # weeks}}', { weeks: every.weeks })
    : t('{months, plural, one {Every month} other {Every # months}}', { months: every.months })
}

/** "Lipids × 2, Metabolism". */
export const kitsText = ({ items }: Plan, nameOf: (kitType: string) => string): string =>
  items.map(({ kitType, quantity }) => (quantity > 1 ? `${nameOf(kitType)} × ${quantity}` : nameOf(kitType))).join(', ')
