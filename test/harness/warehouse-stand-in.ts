import type { IncomingMessage } from 'node:http'
import { type Act, type Answer, type Fault, faultyServer, type Json } from './faulty-server.ts'

/** What happened to an order at the warehouse. */
export type Standing = 'open' | 'packed' | 'onHold' | 'outOfStock' | 'shipped' | 'several' | 'severalLeft' | 'canceled'

export interface Packed {
  id: string
  provider: 'shipbob' | 'shipstation'
  reference: string
  /** As it was asked for. */
  given: Json
  standing: Standing
  carrier: string
  number: string
  serials: string[]
  lot: string | null
  sku: string
  /** What it says otherwise: ShipBob of the order, ShipStation of the label. */
  says: Json
}

export interface WarehouseStandIn {
  url: string
  token: string
  apiKey: string
  channelID: number
  /** The orders that it took: a parcel leaves for each that is not canceled. */
  orders: Packed[]
  mistakes: string[]
  faults: Record<'create' | 'find' | 'cancel' | 'test', Fault[]>
  /** It takes the same reference twice, and does not find what it took. */
  forgets: boolean
  /** How ShipBob answers with a list of orders. */
  lists(orders: Json[]): Json
  ofKit(kitID: string): Packed[]
  settled(): Promise<unknown>
  stop(): Promise<void>
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const unknownField = (given: Json, known: readonly string[]) => Object.keys(given).find((key) => !known.includes(key))

function problemOfShipBob(given: Json): string | undefined {
  const known = ['reference_id', 'order_number', 'type', 'shipping_method', 'recipient', 'products']
  const other = unknownField(given, known)
  if (other) return `${other} is not expected`
  for (const field of ['reference_id', 'type', 'shipping_method'])
    if (!isText(given[field])) return `${field} is missing`
  if (given.type !== 'DTC') return 'type'
  const { recipient, products } = given
  if (!isText(recipient?.name)) return 'recipient.name is missing'
  const address = recipient.address ?? {}
  for (const field of ['address1', 'city', 'country']) if (!isText(address[field])) return `address.${field} is missing`
  if (!/^[A-Z]{2}$/.test(address.country)) return 'address.country is no ISO code'
  const [product] = products ?? []
  if (!product || products.length !== 1) return 'products'
  return isText(product.reference_id) && isText(product.name) && product.quantity === 1 ? undefined : 'products.0'
}

function problemOfShipStation(given: Json): string | undefined {
  const known = ['external_shipment_id', 'shipment_number', 'create_sales_order', 'validate_address']
  const other = unknownField(given, [...known, 'warehouse_id', 'ship_to', 'items'])
  if (other) return `${other} is not expected`
  if (!isText(given.external_shipment_id) || given.external_shipment_id.length > 50) return 'external_shipment_id'
  if (given.warehouse_id !== 'se-28529731') return 'warehouse_id'
  const to = given.ship_to ?? {}
  for (const field of ['name', 'address_line1', 'city_locality', 'country_code'])
    if (!isText(to[field])) return `ship_to.${field} is missing`
  if (!/^[A-Z]{2}$/.test(to.country_code)) return 'ship_to.country_code is no ISO code'
  const [item] = given.items ?? []
  return isText(item?.sku) && isText(item.name) && item.quantity === 1 ? undefined : 'items'
}

/** Serves what Kitlane calls of ShipBob (2026-01) and ShipStation (v2), as their documentation describes it, on loopback. */
export async function warehouseStandIn(): Promise<WarehouseStandIn> {
  const state: Omit<WarehouseStandIn, 'url' | 'settled' | 'stop'> = {
    token: 'shipbob-personal-access-token',
    apiKey: 'shipstation-api-key',
    channelID: 100102,
    orders: [],
    mistakes: [],
    faults: { create: [], find: [], cancel: [], test: [] },
    forgets: false,
    lists: (orders) => orders as Json,
    ofKit: (kitID) => state.orders.filter(({ reference }) => reference.split('-')[0] === kitID),
  }
  let serial = 0
  const wrong = (what: string) => {
    state.mistakes.push(what)
    return what
  }
  const byReference = (provider: Packed['provider'], reference: string) =>
    state.forgets ? undefined : state.orders.find((one) => one.provider === provider && one.reference === reference)

  function take(provider: Packed['provider'], reference: string, given: Json): Packed {
    const id = provider === 'shipbob' ? String(++serial + 500) : `se-${++serial + 500}`
    const number = `9400${String(Date.now())}${String(serial).padStart(5, '0')}`.slice(0, 22)
    const rest = {
      standing: 'open',
      carrier: provider === 'shipbob' ? 'USPS' : 'stamps_com',
      serials: [],
      lot: null,
      says: {},
    } as const
    const { reference_id: atShipBob, sku = atShipBob } = (given.products ?? given.items)[0]
    const packed: Packed = { ...rest, sku, id, provider, reference, given, number, serials: [] }
    state.orders.push(packed)
    return packed
  }

  function shipBobShows({ id, reference, standing, carrier, number, serials, lot, sku, says }: Packed): Json {
    const [status, detail] = {
      open: ['Processing', 'Picked'],
      packed: ['Processing', 'Labeled'],
      onHold: ['OnHold', 'InvalidAddress'],
      outOfStock: ['Exception', 'OutOfStock'],
      shipped: ['Completed', 'InTransit'],
      several: ['Processing', null],
      severalLeft: ['Completed', 'InTransit'],
      canceled: ['Cancelled', null],
    }[standing]
    const shipment = {
      id: Number(id) * 10,
      status,
      status_details: detail ? [{ id: 1, name: detail }] : [],
      tracking: status === 'Completed' ? { carrier, tracking_number: number } : null,
      products: [{ id: 1, reference_id: sku, inventory_items: [{ id: 1, lot, quantity: 1, serial_numbers: serials }] }],
    }
    const second = { ...shipment, status: 'Processing', tracking: null }
    const shipments = standing.startsWith('several') ? [second, shipment] : [shipment]
    return { id: Number(id), reference_id: reference, status: 'Processing', shipments, ...says }
  }

  const shipStationShows = ({ id, reference, standing, sku }: Packed): Json => ({
    items: [{ sku, quantity: 1 }],
    shipment_id: id,
    external_shipment_id: reference,
    shipment_status: {
      open: 'pending',
      packed: 'processing',
      onHold: 'on_hold',
      outOfStock: 'on_hold',
      shipped: 'label_purchased',
      several: 'processing',
      severalLeft: 'label_purchased',
      canceled: 'cancelled',
    }[standing],
  })

  type Served = Act<keyof WarehouseStandIn['faults']>
  const failed = (status: number, code: string): Answer => ({
    status,
    body: { errors: [{ error_code: code, message: code }] },
  })
  const none = failed(404, 'not_found')

  function cancel(
    packed: Packed | undefined,
    done: (packed: Packed) => Answer,
    refused: (packed: Packed) => Answer,
  ): Answer {
    if (!packed) return none
    if (packed.standing === 'shipped' || packed.standing === 'packed' || packed.standing.startsWith('several'))
      return refused(packed)
    packed.standing = 'canceled'
    return done(packed)
  }

  function serveShipBob(method: string, path: string, query: URLSearchParams, body: Json): Served | undefined {
    const orders = state.orders.filter(({ provider }) => provider === 'shipbob')
    if (method === 'GET' && path === '/channel') {
      const items = [{ id: state.channelID, name: 'Kits', scopes: ['orders_read', 'orders_write'] }]
      return { kind: 'test', act: () => ({ status: 200, body: { items } }) }
    }
    if (method === 'POST' && path === '/order')
      return {
        kind: 'create',
        act() {
          const problem = problemOfShipBob(body)
          if (problem) return { status: 400, body: { errors: [wrong(problem)] } }
          if (byReference('shipbob', body.reference_id)) return { status: 422, body: { ReferenceId: ['exists'] } }
          return { status: 201, body: shipBobShows(take('shipbob', body.reference_id, body)) }
        },
      }
    if (method === 'GET' && path === '/order') {
      const found = byReference('shipbob', query.get('ReferenceIds') ?? '')
      return { kind: 'find', act: () => ({ status: 200, body: state.lists(found ? [shipBobShows(found)] : []) }) }
    }
    const [, id, verb] = /^\/order\/(\d+)(:cancel)?$/.exec(path) ?? []
    const packed = orders.find((one) => one.id === id)
    if (method === 'GET' && id && !verb)
      return { kind: 'find', act: () => (packed ? { status: 200, body: shipBobShows(packed) } : none) }
    if (method !== 'POST' || !verb) return undefined
    const said = (status: string) => (one: Packed) => ({ status: 200, body: { order_id: Number(one.id), status } })
    return { kind: 'cancel', act: () => cancel(packed, said('Success'), said('Failure')) }
  }

  function serveShipStation(method: string, path: string, query: URLSearchParams, body: Json): Served | undefined {
    const orders = state.orders.filter(({ provider }) => provider === 'shipstation')
    if (method === 'GET' && path === '/warehouses')
      return { kind: 'test', act: () => ({ status: 200, body: { warehouses: [{ warehouse_id: 'se-28529731' }] } }) }
    if (method === 'POST' && path === '/shipments')
      return {
        kind: 'create',
        act() {
          const [given] = body.shipments ?? []
          const problem = given ? problemOfShipStation(given) : 'shipments'
          if (problem) return failed(400, wrong(problem))
          if (byReference('shipstation', given.external_shipment_id))
            return failed(400, 'duplicate_external_shipment_id')
          const made = shipStationShows(take('shipstation', given.external_shipment_id, given))
          return { status: 200, body: { has_errors: false, shipments: [{ ...made, errors: [] }] } }
        },
      }
    const reference = /^\/shipments\/external_shipment_id\/([^/]+)$/.exec(path)?.[1]
    if (method === 'GET' && reference) {
      const found = byReference('shipstation', decodeURIComponent(reference))
      return { kind: 'find', act: () => (found ? { status: 200, body: shipStationShows(found) } : none) }
    }
    const of = orders.find((one) => one.id === query.get('shipment_id'))
    const parcel = of && { tracking_number: of.number, carrier_code: of.carrier, voided: false }
    if (method === 'GET' && path === '/labels') {
      const old = { tracking_number: 'VOIDED1', carrier_code: 'ups', voided: true, status: 'voided' }
      const of1 = of && { shipment_id: of.id, external_shipment_id: of.reference, ...of.says }
      const label = parcel && { ...parcel, ...of1, status: 'completed', is_return_label: false }
      const second = of?.standing === 'severalLeft' ? [{ ...label, tracking_number: `${of.number}2` }] : []
      const labels = label ? [old, label, ...second] : []
      return { kind: 'find', act: () => ({ status: 200, body: { labels } }) }
    }
    const [, id, verb] = /^\/shipments\/(se-\d+)(\/cancel)?$/.exec(path) ?? []
    const packed = orders.find((one) => one.id === id)
    if (method === 'GET' && id && !verb)
      return { kind: 'find', act: () => (packed ? { status: 200, body: shipStationShows(packed) } : none) }
    if (method !== 'PUT' || !verb) return undefined
    const done = () => ({ status: 204, body: {} })
    return { kind: 'cancel', act: () => cancel(packed, done, () => failed(400, 'label_not_voided')) }
  }

  function served(request: IncomingMessage, body: Json): Served | Answer {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand.in')
    const { method = '', headers } = request
    const isShipBob = pathname.startsWith('/2026-01/')
    const isKnown = isShipBob ? headers.authorization === `Bearer ${state.token}` : headers['api-key'] === state.apiKey
    if (!isKnown) return failed(401, 'unauthorized')
    if (isShipBob && headers.shipbob_channel_id !== String(state.channelID)) return failed(400, wrong('channel'))
    if (Object.keys(body).length > 0 && headers['content-type'] !== 'application/json')
      return failed(400, wrong('content-type'))
    const path = pathname.replace(/^\/(2026-01|v2)/, '')
    const found = isShipBob
      ? serveShipBob(method, path, searchParams, body)
      : serveShipStation(method, path, searchParams, body)
    return found ?? failed(404, wrong(`${method} ${pathname}`))
  }

  const server = await faultyServer(served, state.faults, wrong)
  return Object.assign(state, server)
}
