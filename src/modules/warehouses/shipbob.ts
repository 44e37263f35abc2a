import { z } from 'zod'
import type { ShippingPort } from '../../domain/ports.ts'
import { client } from '../labels/call.ts'
import {
  assertSame,
  carrierOf,
  type LeftParcel,
  numberOf,
  type PackingOrder,
  type Said,
  severalOf,
  WarehouseRefusal,
  type WarehouseService,
} from './rules.ts'
import type { Reason, WarehouseInput } from './schema.ts'

// The version whose OpenAPI document this was written from. https://developer.shipbob.com
const VERSION = '/2026-01'

const texts = z.array(z.string()).nullish()
const Shipment = z.looseObject({
  status: z.string(),
  status_details: z.array(z.looseObject({ name: z.string().nullish() })).nullish(),
  tracking: z.looseObject({ carrier: z.string().nullish(), tracking_number: z.string().nullish() }).nullish(),
  products: z
    .array(
      z.looseObject({
        reference_id: z.string().nullish(),
        sku: z.string().nullish(),
        inventory_items: z.array(z.looseObject({ lot: z.string().nullish(), serial_numbers: texts })).nullish(),
      }),
    )
    .nullish(),
})
const Order = z.looseObject({
  id: z.int(),
  reference_id: z.string().nullish(),
  status: z.string().nullish(),
  shipments: z.array(Shipment).nullish(),
})
// The document says an array; other lists of this version have items.
const Orders = z.union([z.array(Order), z.looseObject({ items: z.array(Order) }).transform(({ items }) => items)])
const Canceled = z.looseObject({ status: z.string().nullish() })
const Channels = z.looseObject({
  items: z.array(z.looseObject({ id: z.int(), scopes: texts })).nullish(),
})

function refusalOf(status: number): WarehouseRefusal {
  const reason: Reason = status === 401 || status === 403 ? 'account' : status === 404 ? 'gone' : 'refusedThere'
  return new WarehouseRefusal(reason, `HTTP_${status}`)
}

const troubles: Readonly<Record<string, Reason>> = { Exception: 'exception', OnHold: 'onHold', ImportReview: 'onHold' }

function parcelOf({ tracking, products }: z.infer<typeof Shipment>): LeftParcel {
  const items = (products ?? []).flatMap(({ inventory_items: found }) => found ?? [])
  return {
    carrier: carrierOf(tracking?.carrier ?? ''),
    number: numberOf(tracking?.tracking_number),
    products: (products ?? []).map(({ reference_id: id, sku }) => [id, sku].filter((name) => name != null)),
    serials: [...new Set(items.flatMap(({ serial_numbers: serials }) => serials ?? []))],
    lots: [...new Set(items.flatMap(({ lot }) => lot || []))],
  }
}

/** https://developer.shipbob.com/status-reference: an order is what its shipments are. */
function saidOf({ shipments, status }: z.infer<typeof Order>): Said {
  const standing = (shipments ?? []).filter((one) => one.status !== 'Cancelled')
  const [first, ...more] = standing
  if (!first) return { is: status === 'Cancelled' || (shipments ?? []).length > 0 ? 'canceled' : 'open' }
  if (more.length > 0) return severalOf(standing.filter((one) => one.status === 'Completed').map(parcelOf))
  const code = first.status_details?.map(({ name }) => name).find((name) => name !== null) ?? undefined
  if (first.status === 'Completed') return { is: 'shipped', left: [parcelOf(first)] }
  const reason = code === 'OutOfStock' ? 'outOfStock' : troubles[first.status]
  return reason ? { is: 'trouble', reason, code } : { is: 'open' }
}

/** ShipBob. `reference_id` is unique within an account: the same order again is 422. */
export function shipbob(
  port: ShippingPort,
  key: string,
  account: Pick<WarehouseInput, 'channelID' | 'shippingMethod'>,
): WarehouseService {
  const headers = { authorization: `Bearer ${key}`, shipbob_channel_id: String(account.channelID) }
  const call = client(port, { provider: 'shipbob', headers }, refusalOf)
  const read = (order: z.infer<typeof Order>) => ({ externalId: String(order.id), said: saidOf(order) })
  const ofReference = ({ id, reference_id: given }: z.infer<typeof Order>, reference: string) => {
    assertSame(given, reference)
    return String(id)
  }
  return {
    async create({ reference, kitId, sku, name, phone, address }: PackingOrder, mayBegin) {
      const { street1, street2, city, state, zip, country } = address
      const body = {
        reference_id: reference,
        order_number: kitId,
        type: 'DTC',
        shipping_method: account.shippingMethod,
        recipient: {
          name,
          ...(phone && { phone_number: phone }),
          address: { address1: street1, ...(street2 && { address2: street2 }), city, state, zip_code: zip, country },
        },
        products: [{ reference_id: sku, name: sku, quantity: 1 }],
      }
      return ofReference(await call(Order, 'POST', `${VERSION}/order`, { body, mayBegin }), reference)
    },
    async find(reference, externalId) {
      if (externalId !== null) {
        const order = await call(Order, 'GET', `${VERSION}/order/${externalId}`)
        assertSame(ofReference(order, reference), externalId)
        return read(order)
      }
      const query = `ReferenceIds=${encodeURIComponent(reference)}`
      const found = await call(Orders, 'GET', `${VERSION}/order?${query}`)
      const order = found.find((one) => one.reference_id === reference)
      return order && read(order)
    },
    async cancel(externalId) {
      const { status } = await call(Canceled, 'POST', `${VERSION}/order/${externalId}:cancel`)
      if (status !== 'Success') throw new WarehouseRefusal('notCanceled', status ?? undefined)
    },
    async test() {
      const { items } = await call(Channels, 'GET', `${VERSION}/channel`)
      const channel = items?.find(({ id }) => id === account.channelID)
      if (!channel?.scopes?.includes('orders_write')) throw new WarehouseRefusal('account', 'CHANNEL')
    },
  }
}
