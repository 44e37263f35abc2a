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

/** What an order is at; one whose card was asked waits for the bank, and is paid by nobody else meanwhile. */
export const orderLabel = ({ orderStatus, payment }: Order): StatusLabel =>
  payment.settling ? { label: 'Payment under way', tone: 'info' } : orderStatuses[orderStatus]
