import type { Kit, KitEvent, LifetimeStatus, Order, ReportSummary } from '../../api/shapes.ts'
import type { Tone } from '../../components/tone.ts'

export interface Word {
  label: string
  tone: Tone
}

/** The nine stages in order, as people say them. */
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

const kitStatuses: Record<Kit['kitStatus'], Word> = {
  preparing: { label: 'Preparing', tone: 'idle' },
  inTransit: { label: 'On its way', tone: 'info' },
  delivered: { label: 'Delivered', tone: 'info' },
  registered: { label: 'Registered', tone: 'good' },
  collected: { label: 'Collected', tone: 'good' },
  deliveryException: { label: 'Delivery problem', tone: 'bad' },
  registrationException: { label: 'Problem with the registration', tone: 'bad' },
  canceled: { label: 'Canceled', tone: 'idle' },
}

const sampleStatuses: Record<Kit['sampleStatus'], Word> = {
  awaitingCollection: { label: 'Not taken yet', tone: 'idle' },
  collected: { label: 'Taken', tone: 'info' },
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

const reportStatuses: Record<Kit['status'], Word> = {
  notStarted: { label: 'No report yet', tone: 'idle' },
  inReview: { label: 'In review', tone: 'fair' },
  published: { label: 'Published', tone: 'good' },
  rejected: { label: 'Rejected', tone: 'bad' },
}

const orderStatuses: Record<Order['orderStatus'], Word> = {
  pending: { label: 'Not paid', tone: 'fair' },
  preparing: { label: 'Preparing', tone: 'idle' },
  in_progress: { label: 'Under way', tone: 'info' },
  needs_review: { label: 'Needs a look', tone: 'bad' },
  completed: { label: 'Completed', tone: 'good' },
  canceled: { label: 'Canceled', tone: 'idle' },
}

const unknown = (status: string): Word => ({ label: status, tone: 'idle' })

export const kitWord = (status: string): Word => kitStatuses[status as Kit['kitStatus']] ?? unknown(status)
export const sampleWord = (status: string): Word => sampleStatuses[status as Kit['sampleStatus']] ?? unknown(status)
export const reportWord = (status: string): Word => reportStatuses[status as ReportSummary['status']] ?? unknown(status)
/** What an order is at; one whose card was asked waits for the bank, and is paid by nobody else meanwhile. */
export const orderWord = ({ orderStatus, payment }: Order): Word =>
  payment.settling ? { label: 'Payment under way', tone: 'info' } : orderStatuses[orderStatus]

const optionsOf = (words: Record<string, Word>) => Object.entries(words).map(([value, { label }]) => ({ value, label }))

export const kitStatusOptions = optionsOf(kitStatuses)
export const sampleStatusOptions = optionsOf(sampleStatuses)

/** As the overview says it. */
export const attentionOptions = [
  { value: 'late', label: 'Takes longer than usual' },
  { value: 'exception', label: 'Has a problem' },
  { value: 'rejected', label: 'Sample rejected' },
]

/** Where a carrier shows a parcel; undefined for carriers whose address is not known here. */
export function trackingUrl(carrier: string, number: string): string | undefined {
  const n = encodeURIComponent(number)
  const name = carrier.toLowerCase().replace(/[^a-z]/g, '')
  if (name.startsWith('usps')) return `https://tools.usps.com/go/TrackConfirmAction?tLabels=${n}`
  if (name.startsWith('ups')) return `https://www.ups.com/track?tracknum=${n}`
  if (name.startsWith('fedex')) return `https://www.fedex.com/fedextrack/?trknbr=${n}`
  if (name.startsWith('dhl')) return `https://www.dhl.com/en/express/tracking.html?AWB=${n}`
  return undefined
}
