import { z } from 'zod'
import type { CarrierStatus } from './rules.ts'
import { CarrierEvent } from './schema.ts'

/** What moves nothing is left out: UNKNOWN. https://docs.goshippo.com/tracking/tracking */
const statuses: Readonly<Record<string, CarrierStatus>> = {
  PRE_TRANSIT: 'label_created',
  TRANSIT: 'in_transit',
  DELIVERED: 'delivered',
  RETURNED: 'return_to_sender',
  FAILURE: 'exception',
}

// By status: what a substatus says beyond it. Nothing is left of a parcel that was disposed of.
const substatuses: Readonly<Record<string, Readonly<Record<string, CarrierStatus>>>> = {
  TRANSIT: {
    out_for_delivery: 'out_for_delivery',
    pickup_available: 'available_for_pickup',
    address_issue: 'exception',
    location_inaccessible: 'exception',
    package_damaged: 'damaged',
  },
  FAILURE: { package_lost: 'lost', package_disposed: 'lost', package_damaged: 'damaged' },
}

const Event = z.looseObject({
  event: z.literal('track_updated'),
  /** Made with a test key of Shippo. */
  test: z.boolean().optional(),
  data: z.looseObject({
    tracking_number: z.string(),
    tracking_status: z.looseObject({
      status: z.string(),
      status_date: z.string(),
      // What only adds to the status must not make it unread.
      status_details: z.string().nullish().catch(undefined),
      substatus: z.looseObject({ code: z.string().nullish() }).nullish().catch(undefined),
    }),
  }),
})

/** The carrier event that a webhook of Shippo tells of; undefined where it is of something else. It has no ID. */
export function fromShippo(body: unknown): CarrierEvent | undefined {
  const event = Event.safeParse(body)
  if (!event.success || event.data.test) return undefined
  const { tracking_number: trackingNumber, tracking_status: said } = event.data.data
  const detail = substatuses[said.status]?.[said.substatus?.code ?? '']
  const status = detail ?? statuses[said.status]
  const time = new Date(said.status_date)
  const read = CarrierEvent.safeParse({
    trackingNumber,
    status,
    at: Number.isNaN(time.getTime()) ? undefined : time.toISOString(),
    message: said.status_details?.slice(0, 300),
  })
  return read.success ? read.data : undefined
}
