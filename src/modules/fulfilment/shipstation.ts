import { z } from 'zod'
import type { CarrierStatus } from './rules.ts'
import { CarrierEvent } from './schema.ts'

/** What says nothing of the parcel is left out: UN. After an attempt (AT) the carrier comes again. */
const statuses: Readonly<Record<string, CarrierStatus>> = {
  NY: 'label_created',
  AC: 'in_transit',
  IT: 'in_transit',
  AT: 'in_transit',
  SP: 'available_for_pickup',
  DE: 'delivered',
  EX: 'exception',
}

// What became of the parcel, which many carriers report below IT or EX.
const details: Readonly<Record<string, CarrierStatus>> = {
  OUT_FOR_DELIVERY: 'out_for_delivery',
  AWAITING_COLLECTION_FROM_PICKUP_POINT: 'available_for_pickup',
  COLLECT_AT_LOCAL_PO: 'available_for_pickup',
  CUSTOMER_TO_COLLECT_FROM_CARRIER: 'available_for_pickup',
  DELIVERED_TO_LOCKER_COLLECTION_POINT: 'available_for_pickup',
  REFUSED_BY_CUSTOMER: 'refused',
  RETURN_TO_SENDER: 'return_to_sender',
  PARCEL_DAMAGED: 'damaged',
  PARCEL_LOST: 'lost',
  // Nothing is left of it.
  PARCEL_DISPOSED: 'lost',
  NOT_DELIVERED: 'exception',
  NOT_DELIVERED_ADDRESSEE_DECEASED: 'exception',
  PARCEL_OUTSIDE_OF_SERVICE_CAPABILITY: 'exception',
}

// What only adds to the status must not make it unread.
const addition = z.string().nullish().catch(undefined)

const Event = z.looseObject({
  resource_type: z.enum(['TRACK_EVENT_V2', 'API_TRACK']),
  data: z.looseObject({
    tracking_number: z.string(),
    status_code: z.string(),
    status_detail_code: addition,
    status_description: addition,
    carrier_status_description: addition,
    exception_description: addition,
    actual_delivery_date: addition,
    events: z
      .array(z.looseObject({ occurred_at: addition }))
      .nullish()
      .catch(undefined),
  }),
})

/**
 * The carrier event that a webhook of ShipStation tells of; undefined where it is of something else: SHIP_NOTIFY and its like
 * hold an address, and nothing of a parcel. It happened at the latest scan, wherever that is listed; without one, when it was sent.
 */
export function fromShipStation(body: unknown, sentAt: string): CarrierEvent | undefined {
  const event = Event.safeParse(body)
  if (!event.success) return undefined
  const said = event.data.data
  const detail = details[said.status_detail_code ?? '']
  const isFetched = said.status_code === 'DE' && detail === 'available_for_pickup'
  const scans = (said.events ?? []).map(({ occurred_at: at }) => timeOf(at)).filter((time) => time !== undefined)
  const at = scans.length > 0 ? Math.max(...scans) : (timeOf(said.actual_delivery_date) ?? timeOf(sentAt))
  const read = CarrierEvent.safeParse({
    trackingNumber: said.tracking_number,
    status: isFetched ? 'delivered' : (detail ?? statuses[said.status_code]),
    at: at && new Date(at).toISOString(),
    message: (said.exception_description || said.carrier_status_description || said.status_description)?.slice(0, 300),
  })
  return read.success ? read.data : undefined
}

function timeOf(text: string | null | undefined): number | undefined {
  const time = Date.parse(text ?? '')
  return Number.isNaN(time) ? undefined : time
}
