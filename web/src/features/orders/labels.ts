import type { Order } from '../../api/shapes.ts'
import type { StatusLabel } from '../../components/status-label.ts'

const orderStatuses: Record<Order['orderStatus'], StatusLabel> = {
  pending: { label: 'Not paid', tone: 'fair' },
  preparing: { label: 'Preparing', tone: 'idle' },
  in_progress: { label: 'Under way', tone: 'info' },
  needs_review: { label: 'Needs attention', tone: 'bad' },
  completed: { label: 'Completed', tone: 'good' },
  canceled: { label: 'Canceled', tone: 'idle' },
}

/** The status of an order. While the bank has not answered a card payment, nobody else can pay it. */
export const orderLabel = ({ orderStatus, payment }: Order): StatusLabel =>
  payment.settling ? { label: 'Payment under way', tone: 'info' } : orderStatuses[orderStatus]
