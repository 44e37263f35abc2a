import type { Shop, ShopOrder } from '../../api/shapes.ts'
import type { StatusLabel } from '../../components/status-label.ts'
import { t } from '../../language/t.ts'

export const kindNames: Record<Shop['kind'], string> = { shopify: t('Shopify'), woocommerce: t('WooCommerce') }

export function shopLabel({ connected, enabled, heardDate }: Shop): StatusLabel {
  if (!connected) return { label: t('Disconnected'), tone: 'idle' }
  if (!enabled) return { label: t('Off'), tone: 'idle' }
  return heardDate ? { label: t('Connected'), tone: 'good' } : { label: t('Nothing received yet'), tone: 'fair' }
}

/** The name of a shop: its host. */
export const shopName = ({ url }: Pick<Shop, 'url'>): string => new URL(url).host

const statuses: Record<ShopOrder['status'], StatusLabel> = {
  unpaid: { label: t('Not paid in the shop yet'), tone: 'idle' },
  waiting: { label: t('Waits for you'), tone: 'bad' },
  retrying: { label: t('Tried again daily'), tone: 'fair' },
  placing: { label: t('Payment under way'), tone: 'info' },
  placed: { label: t('Ordered'), tone: 'good' },
  canceled: { label: t('Canceled'), tone: 'idle' },
  skipped: { label: t('Skipped'), tone: 'idle' },
  failed: { label: t('Could not be placed'), tone: 'bad' },
}

export const shopOrderLabel = ({ status }: ShopOrder): StatusLabel => statuses[status]

export const shopOrderOptions = Object.entries(statuses).map(([value, { label }]) => ({ value, label }))

const reasons: Record<string, string> = {
  unknown_item: t('It is not said which panel a product is'),
  recipient_incomplete: t('Name, e-mail or address is incomplete'),
  country_not_served: t('You do not send to this country'),
  test_order: t('A test order: nothing is sent for it'),
  partly_refunded: t('Part of it was refunded, and the shop does not say which part'),
  quantity_unclear: t('The shop says no quantity, or one that is no whole number of kits'),
  state_unclear: t('The shop does not say clearly that it is paid and open, or since when'),
  not_placeable: t('The database refuses it: ask the operator, with the number of this order'),
  too_many_kits: t('More kits than one order may have'),
  shop_off: t('The connection is switched off'),
  payment_pending: t('Ordered, but not paid here yet: nothing is sent until it is'),
  unpaid_after_order: t('No longer paid in the shop, after the kits were ordered'),
  fulfilled_elsewhere: t('Fulfilled in the shop before the kits left here: they may be sent twice'),
  canceled_too_late: t('Canceled in the shop after the kits were packed'),
  changed_after_order: t('Changed in the shop after the kits were ordered'),
  erasure_requested: t('The shop asks to erase its buyer: erase the person here, or dismiss this'),
  copy_requested: t('The shop asks what is known of its buyer: send it an export, or dismiss this'),
  reopened: t('Opened again in the shop after its order was canceled here'),
  no_kits: t('Nothing in it is a kit'),
  fulfilled: t('Fulfilled or archived in the shop'),
  before_connection: t('From before the shop was connected'),
  dismissed: t('Dismissed by your team'),
  erased: t('The person was erased'),
  NOT_ENOUGH_CREDITS: t('Not enough credits'),
  PAYMENT_FAILED: t('The card was declined'),
  PAYMENT_METHOD_MISSING: t('No card is saved'),
  PURCHASING_DISABLED: t('Buying is switched off in the settings'),
  KIT_TYPE_NOT_PROVISIONED: t('The panel is no longer enabled for this business'),
  ORDER_NOT_ALLOWED: t(
    'The panel is not offered at this address, or not so many kits in one order, or a provider has to approve it',
  ),
}

/** Why an order of a shop stands as it does. */
export const reasonText = ({ reason }: ShopOrder): string | undefined => reason && (reasons[reason] ?? reason)

/** Whether the shop knows that the parcel has left, where that is not so. */
export function trackingProblem({ tracking }: ShopOrder): string | undefined {
  if (!tracking || tracking.status === 'told') return undefined
  const { code = '' } = tracking
  return tracking.status === 'due'
    ? t('The shop does not know the tracking yet ({code}): it is tried again', { code })
    : t('The tracking could not be sent to the shop ({code})', { code })
}
