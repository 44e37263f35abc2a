import { z } from 'zod'
import type { ShippingPort } from '../../domain/ports.ts'
import { client } from '../labels/call.ts'
import {
  assertSame,
  carrierOf,
  numberOf,
  type PackingOrder,
  type Said,
  severalOf,
  WarehouseRefusal,
  type WarehouseService,
} from './rules.ts'
import type { Reason, WarehouseInput } from './schema.ts'

const failures = z.array(z.looseObject({ error_code: z.string().nullish() })).nullish()
const Failure = z.looseObject({ errors: failures })
const Shipment = z.looseObject({
  shipment_id: z.string(),
  external_shipment_id: z.string().nullish(),
  shipment_status: z.string(),
  items: z.array(z.looseObject({ sku: z.string().nullish() })).nullish(),
  errors: failures,
})
const named = { shipment_id: z.string().nullish(), external_shipment_id: z.string().nullish() }
const Created = z.looseObject({
  shipments: z.array(z.looseObject({ ...named, errors: failures })),
})
const parcel = {
  ...named,
  tracking_number: z.string().nullish(),
  carrier_code: z.string().nullish(),
  voided: z.boolean().nullish(),
}
const Labels = z.looseObject({
  labels: z.array(z.looseObject({ ...parcel, status: z.string().nullish(), is_return_label: z.boolean().nullish() })),
})
const Fulfillments = z.looseObject({ fulfillments: z.array(z.looseObject(parcel)) })
const Warehouses = z.looseObject({ warehouses: z.array(z.looseObject({ warehouse_id: z.string() })) })

function refusalOf(status: number, body: unknown): WarehouseRefusal {
  const code = Failure.safeParse(body).data?.errors?.[0]?.error_code ?? `HTTP_${status}`
  const reason: Reason = status === 401 || status === 403 ? 'account' : status === 404 ? 'gone' : 'refusedThere'
  return new WarehouseRefusal(reason, code)
}

/**
 * ShipStation, v2. What its pages call an order is a shipment here; its `external_shipment_id` is unique within an account, and the same
 * again is an error. https://docs.shipstation.com/orders/external-identifiers
 */
export function shipstation(
  port: ShippingPort,
  key: string,
  { shipFromID }: Pick<WarehouseInput, 'shipFromID'>,
): WarehouseService {
  const call = client(port, { provider: 'shipstation', headers: { 'api-key': key } }, refusalOf)

  async function saidOf(
    { shipment_id: id, shipment_status: status, items }: z.infer<typeof Shipment>,
    reference: string,
  ): Promise<Said> {
    if (status === 'cancelled') return { is: 'canceled' }
    if (status === 'on_hold') return { is: 'trouble', reason: 'onHold' }
    if (status !== 'label_purchased') return { is: 'open' }
    const query = `shipment_id=${encodeURIComponent(id)}`
    const { labels } = await call(Labels, 'GET', `/v2/labels?${query}`)
    const printed = labels.filter((one) => !one.voided && one.status !== 'voided' && !one.is_return_label)
    // An order that is marked as shipped by hand has no label.
    const sent =
      printed.length > 0
        ? printed
        : (await call(Fulfillments, 'GET', `/v2/fulfillments?${query}`)).fulfillments.filter((one) => !one.voided)
    for (const one of sent) {
      assertSame(one.shipment_id, id)
      assertSame(one.external_shipment_id, reference)
    }
    const parcels = sent.map(({ tracking_number: number, carrier_code: carrier }) => ({
      carrier: carrierOf(carrier ?? ''),
      number: numberOf(number),
      products: (items ?? []).map(({ sku }) => (sku ? [sku] : [])),
      serials: [],
      lots: [],
    }))
    const [first, ...more] = parcels
    if (!first) return { is: 'open' }
    return more.length > 0 ? severalOf(parcels) : { is: 'shipped', left: [first] }
  }

  return {
    async create({ reference, kitId, sku, name, phone, address }: PackingOrder, mayBegin) {
      const shipment = {
        external_shipment_id: reference,
        shipment_number: kitId,
        create_sales_order: true,
        validate_address: 'no_validation',
        warehouse_id: shipFromID,
        ship_to: {
          name,
          ...(phone && { phone }),
          address_line1: address.street1,
          ...(address.street2 && { address_line2: address.street2 }),
          city_locality: address.city,
          state_province: address.state,
          postal_code: address.zip,
          country_code: address.country,
        },
        items: [{ sku, name: sku, quantity: 1 }],
      }
      const { shipments } = await call(Created, 'POST', '/v2/shipments', { body: { shipments: [shipment] }, mayBegin })
      const [made] = shipments
      assertSame(made?.external_shipment_id, reference)
      const code = made?.errors?.[0]?.error_code ?? undefined
      if (!made?.shipment_id || code !== undefined) throw new WarehouseRefusal('refusedThere', code)
      return made.shipment_id
    },
    async find(reference, externalId) {
      const at =
        externalId === null ? `external_shipment_id/${encodeURIComponent(reference)}` : encodeURIComponent(externalId)
      const found = await call(Shipment, 'GET', `/v2/shipments/${at}`)
      assertSame(found.external_shipment_id, reference)
      assertSame(found.shipment_id, externalId ?? found.shipment_id)
      return { externalId: found.shipment_id, said: await saidOf(found, reference) }
    },
    async cancel(externalId) {
      await call(z.unknown(), 'PUT', `/v2/shipments/${encodeURIComponent(externalId)}/cancel`)
    },
    async test() {
      const { warehouses } = await call(Warehouses, 'GET', '/v2/warehouses')
      if (!warehouses.some(({ warehouse_id: id }) => id === shipFromID))
        throw new WarehouseRefusal('account', 'WAREHOUSE')
    },
  }
}
