import { z } from 'zod'
import type { CarrierStatus } from './rules.ts'
import { CarrierEvent } from './schema.ts'

/** What says nothing of the parcel is left out: what the warehouse does before the label. */
const statuses: Readonly<Record<string, CarrierStatus>> = {
  LabelCreated: 'label_created',
  Labeled: 'label_created',
  AwaitingCarrierScan: 'label_created',
  InTransit: 'in_transit',
  OutForDelivery: 'out_for_delivery',
  DeliveryAttemptFailed: 'in_transit',
  Delivered: 'delivered',
  DeliveryException: 'exception',
}

// By topic. An exception of ShipBob's is of its stock, and a shipment on hold has no parcel.
const topics: Readonly<Record<string, CarrierStatus>> = {
  'order.shipment.delivered': 'delivered',
  'order.shipment.cancelled': 'canceled',
}
const TRACKING = ['order.shipment.tracking.updated', 'order.shipment.tracking_received']

// What only adds to the status must not make it unread.
const addition = z.string().nullish().catch(undefined)

const Shipment = z.looseObject({
  event_time: addition,
  delivery_date: addition,
  status: addition,
  status_details: z
    .array(z.looseObject({ name: addition, description: addition }))
    .nullish()
    .catch(undefined),
  tracking: z.looseObject({ tracking_number: addition, tracking_id: addition, status: addition }),
})

const Return = z.looseObject({
  return_type: z.literal('ReturnToSender'),
  status: z.string(),
  tracking_number: addition,
  shipment_tracking_number: addition,
})

/** What a message of ShipBob says in its headers. `id` is the same however often it is sent. */
interface Sent {
  id: string
  topic: string
  at: Date
}

/** The carrier event that a webhook of ShipBob tells of; undefined where it is of something else. */
export function fromShipBob(body: unknown, sent: Sent): CarrierEvent | undefined {
  const said = sent.topic.startsWith('return.') ? ofReturn(body) : ofShipment(body, sent.topic)
  if (!said) return undefined
  const time = said.times.map((time) => Date.parse(time ?? '')).find(Number.isFinite)
  const read = CarrierEvent.safeParse({
    id: sent.id,
    trackingNumber: said.trackingNumber ?? '',
    status: said.status,
    at: new Date(time ?? sent.at).toISOString(),
    message: said.message?.slice(0, 300),
  })
  return read.success ? read.data : undefined
}

function ofShipment(body: unknown, topic: string) {
  const shipment = Shipment.safeParse(body)
  if (!shipment.success) return undefined
  const { tracking, status, status_details: details, delivery_date: deliveredAt, event_time: at } = shipment.data
  const detail = details?.findLast(({ name }) => statuses[name ?? ''])
  const names = TRACKING.includes(topic) ? [tracking.status, detail?.name, status] : []
  return {
    trackingNumber: tracking.tracking_number ?? tracking.tracking_id,
    status: topics[topic] ?? names.map((name) => statuses[name ?? '']).find(Boolean),
    times: [at, topic === 'order.shipment.delivered' ? deliveredAt : undefined],
    message: detail?.description,
  }
}

/** A parcel that comes back unopened, as ShipBob's warehouse expects it, then has it. */
function ofReturn(body: unknown) {
  const found = Return.safeParse(body)
  if (!found.success || found.data.status === 'Cancelled') return undefined
  const { status, tracking_number: own, shipment_tracking_number: outbound } = found.data
  const isBack = ['Arrived', 'Processing', 'Completed'].includes(status)
  const mapped: CarrierStatus = isBack ? 'return_delivered' : 'return_to_sender'
  return { trackingNumber: outbound ?? own, status: mapped, times: [], message: undefined }
}
