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
export function orderLabel({
  orderStatus,
  payment,
  approval,
}: Pick<Order, 'orderStatus' | 'payment' | 'approval'>): StatusLabel {
  if (payment.settling) return { label: t('Payment under way'), tone: 'info' }
  if (orderStatus === 'pending' && approval?.status === 'waiting')
    return { label: t('Waits for a provider'), tone: 'fair' }
  return orderStatuses[orderStatus]
}

const methods: Record<Order['payment']['method'], string> = {
  credits: t('Credits'),
  card: t('Card'),
  none: t('Nothing yet'),
}

/** What an order is paid by. One that was taken over from another vendor is paid, and by nothing here. */
export const paidBy = ({ method, status }: Order['payment']): string =>
  method === 'none' && status === 'paid' ? t('Another vendor, before') : methods[method]

export const paymentState = ({ status, settling }: Order['payment']): string =>
  ({
    paid: t('Paid'),
    pending: settling ? t('Under way') : t('Open'),
    refunded: t('Refunded'),
    canceled: t('Canceled'),
  })[status]

/** Before it is posted. While the bank has not answered, nothing else is allowed. */
export const mayCancel = ({ status, payment, kits }: Order): boolean =>
  !payment.settling &&
  (status === 'pending' || (status === 'created' && kits.every(({ kitStatus }) => kitStatus === 'preparing')))
