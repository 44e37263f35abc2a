import type { OperatorOrder } from '../../api/operator-shapes.ts'
import { t } from '../../language/t.ts'
import { stepLabel } from '../kits/kit-standing.ts'
import { speakers } from '../kits/timeline.ts'

type Happened = OperatorOrder['happened'][number]

/** One line of what happened to an order: what, and what more is known of it. */
export function happenedWords({ type, kits, by, reason, report }: Happened): { words: string; more: string } {
  const more = [by && speakers[by], reason].filter(Boolean).join(' · ')
  if (type === 'addressCorrected') return { words: t('The address was corrected'), more }
  if (type === 'orderApproved') return { words: t('A provider approved the order'), more }
  if (type === 'orderCanceled') return { words: t('The order was canceled'), more }
  if (type === 'orderPlaced') return { words: t('The order was placed'), more }
  const step = stepLabel(type, { ...(report && { report }), person: 'known' }).label
  const words = kits !== undefined && kits > 1 ? t('{step}: {count, number} kits', { step, count: kits }) : step
  return { words, more }
}
