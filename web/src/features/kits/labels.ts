import type { Kit, KitEvent, LifetimeStatus } from '../../api/shapes.ts'
import { labelOf, optionsOf, type StatusLabel } from '../../components/status-label.ts'
import { t } from '../../language/t.ts'

/** The nine stages in order, with their labels. */
export const stages: readonly { type: LifetimeStatus; label: string }[] = [
  { type: 'orderPlaced', label: t('Ordered') },
  { type: 'kitPreparing', label: t('Being packed') },
  { type: 'kitInTransit', label: t('On its way to the person') },
  { type: 'kitDelivered', label: t('Delivered') },
  { type: 'kitRegistered', label: t('Registered') },
  { type: 'sampleInTransit', label: t('Sample on its way back') },
  { type: 'sampleReceived', label: t('Sample at the laboratory') },
  { type: 'reportReady', label: t('Report ready') },
  { type: 'sampleRejected', label: t('Sample rejected') },
]

const exceptions: Partial<Record<KitEvent, string>> = {
  deliveryException: t('Delivery problem'),
  collectionException: t('Problem with the sample'),
  registrationException: t('Problem with the registration'),
  canceled: t('Canceled'),
}

export function eventLabel(event: KitEvent): string {
  return stages.find(({ type }) => type === event)?.label ?? exceptions[event] ?? event
}

const kitStatuses: Record<Kit['kitStatus'], StatusLabel> = {
  preparing: { label: t('Preparing'), tone: 'idle' },
  inTransit: { label: t('On its way'), tone: 'info' },
  delivered: { label: t('Delivered'), tone: 'info' },
  registered: { label: t('Registered'), tone: 'good' },
  collected: { label: t('Collected'), tone: 'good' },
  deliveryException: { label: t('Delivery problem'), tone: 'bad' },
  registrationException: { label: t('Problem with the registration'), tone: 'bad' },
  canceled: { label: t('Canceled'), tone: 'idle' },
}

const sampleStatuses: Record<Kit['sampleStatus'], StatusLabel> = {
  awaitingCollection: { label: t('Not collected yet'), tone: 'idle' },
  collected: { label: t('Collected'), tone: 'info' },
  inTransit: { label: t('On its way'), tone: 'info' },
  received: { label: t('Received'), tone: 'info' },
  delivered: { label: t('Delivered'), tone: 'info' },
  rejected: { label: t('Rejected'), tone: 'bad' },
  resulted: { label: t('Resulted'), tone: 'good' },
  partiallyResulted: { label: t('Partly resulted'), tone: 'fair' },
  collectionException: { label: t('Problem with the sample'), tone: 'bad' },
  deliveryException: { label: t('Delivery problem'), tone: 'bad' },
  canceled: { label: t('Canceled'), tone: 'idle' },
}

export const sampleLabel = (status: string): StatusLabel => labelOf(sampleStatuses, status)

export const kitStatusOptions = optionsOf(kitStatuses)
export const sampleStatusOptions = optionsOf(sampleStatuses)

/** In the words of the overview. */
export const attentionOptions = [
  { value: 'late', label: t('Takes longer than usual') },
  { value: 'exception', label: t('Has a problem') },
  { value: 'rejected', label: t('Sample rejected') },
]
