import type { Kit, KitEvent, LifetimeStatus } from '../../api/shapes.ts'
import { labelOf, optionsOf, type StatusLabel } from '../../components/status-label.ts'

/** The nine stages in order, with their labels. */
export const stages: readonly { type: LifetimeStatus; label: string }[] = [
  { type: 'orderPlaced', label: 'Ordered' },
  { type: 'kitPreparing', label: 'Being packed' },
  { type: 'kitInTransit', label: 'On its way to the person' },
  { type: 'kitDelivered', label: 'Delivered' },
  { type: 'kitRegistered', label: 'Registered' },
  { type: 'sampleInTransit', label: 'Sample on its way back' },
  { type: 'sampleReceived', label: 'Sample at the laboratory' },
  { type: 'reportReady', label: 'Report ready' },
  { type: 'sampleRejected', label: 'Sample rejected' },
]

const exceptions: Partial<Record<KitEvent, string>> = {
  deliveryException: 'Delivery problem',
  collectionException: 'Problem with the sample',
  registrationException: 'Problem with the registration',
  canceled: 'Canceled',
}

export function eventLabel(event: KitEvent): string {
  return stages.find(({ type }) => type === event)?.label ?? exceptions[event] ?? event
}

const kitStatuses: Record<Kit['kitStatus'], StatusLabel> = {
  preparing: { label: 'Preparing', tone: 'idle' },
  inTransit: { label: 'On its way', tone: 'info' },
  delivered: { label: 'Delivered', tone: 'info' },
  registered: { label: 'Registered', tone: 'good' },
  collected: { label: 'Collected', tone: 'good' },
  deliveryException: { label: 'Delivery problem', tone: 'bad' },
  registrationException: { label: 'Problem with the registration', tone: 'bad' },
  canceled: { label: 'Canceled', tone: 'idle' },
}

const sampleStatuses: Record<Kit['sampleStatus'], StatusLabel> = {
  awaitingCollection: { label: 'Not collected yet', tone: 'idle' },
  collected: { label: 'Collected', tone: 'info' },
  inTransit: { label: 'On its way', tone: 'info' },
  received: { label: 'Received', tone: 'info' },
  delivered: { label: 'Delivered', tone: 'info' },
  rejected: { label: 'Rejected', tone: 'bad' },
  resulted: { label: 'Resulted', tone: 'good' },
  partiallyResulted: { label: 'Partly resulted', tone: 'fair' },
  collectionException: { label: 'Problem with the sample', tone: 'bad' },
  deliveryException: { label: 'Delivery problem', tone: 'bad' },
  canceled: { label: 'Canceled', tone: 'idle' },
}

export const sampleLabel = (status: string): StatusLabel => labelOf(sampleStatuses, status)

export const kitStatusOptions = optionsOf(kitStatuses)
export const sampleStatusOptions = optionsOf(sampleStatuses)

/** In the words of the overview. */
export const attentionOptions = [
  { value: 'late', label: 'Takes longer than usual' },
  { value: 'exception', label: 'Has a problem' },
  { value: 'rejected', label: 'Sample rejected' },
]
