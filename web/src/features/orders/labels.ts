import type { Order } from '../../api/shapes.ts'
import type { StatusLabel } from '../../components/status-label.ts'
import { t } from '../../language/t.ts'

const orderStatuses: Record<Order['orderStatus'], StatusLabel> = {
  pending: { label: t('Not paid'), tone: 'fair' },
  preparing: { label: t('Preparing'), tone: 'idle' },
  in_progress: { label: t('Under way'), tone: 'info' },
  needs_review: { label: t('Needs attention'), tone: 'bad' },
  completed: { label: t('Completed'), tone: 'good' },
  canceled: { label: t('Canceled'), tone: 'idle' },
}

/** The status of an order. While the bank has not answered a card payment, nobody else can pay it. */
export const orderLabel = ({ orderStatus, payment }: Order): StatusLabel =>
  payment.settling ? { label: t('Payment under way'), tone: 'info' } : orderStatuses[orderStatus]
