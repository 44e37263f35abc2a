import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export const ACCESS_TOKEN = 'shpat_standin'
export const CONSUMER = { consumerKey: 'ck_standin', consumerSecret: 'cs_standin' }

export interface StandIn {
  url: string
  host: string
  /** What was asked, in order. */
  asked: { method: string; path: string; body: Record<string, unknown> }[]
  /** Answered to the next requests in place of anything else; `lose`: performed, and no answer. */
  faults: ({ status: number; retryAfter?: string; body?: unknown } | 'lose')[]
  stop(): Promise<void>
}

interface Answer {
  status: number
  body: unknown
}

type Serve = (request: IncomingMessage, path: string, body: Record<string, unknown>) => Answer

async function start(serve: Serve): Promise<StandIn> {
  const asked: StandIn['asked'] = []
  const faults: StandIn['faults'] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const body = text ? JSON.parse(text) : {}
    const path = request.url ?? ''
    asked.push({ method: request.method ?? '', path, body })
    const fault = faults.shift()
    const answer = fault && fault !== 'lose' ? { body: {}, ...fault } : serve(request, path, body)
    if (fault === 'lose') return void request.socket.destroy()
    const retryAfter = fault?.retryAfter
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      ...(retryAfter && { 'retry-after': retryAfter }),
    })
    response.end(JSON.stringify(answer.body))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${host}`,
    host,
    asked,
    faults,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface ShopifyLine {
  id: number
  quantity: number
}

export interface ShopifyStandIn extends StandIn {
  /** Orders by their ID: how much of each line is still to be fulfilled. */
  orders: Map<string, { lines: { id: number; remaining: number }[] }>
  fulfillments: {
    order: string
    lines: { id: number; quantity: number }[]
    company?: string
    numbers: string[]
    notified: boolean
  }[]
  add(order: { id: number; line_items: ShopifyLine[] }): void
}

const FULFILLMENT_ORDER = 'gid://shopify/FulfillmentOrder/'
const LINE = 'gid://shopify/FulfillmentOrderLineItem/'

/**
 * Shopify's Admin GraphQL API, as far as tracking is written back: the fulfilment orders of an order, and fulfillmentCreate, with the
 * checks that its documentation names. https://shopify.dev/docs/api/admin-graphql/2026-10/mutations/fulfillmentCreate
 */
export async function startShopify(): Promise<ShopifyStandIn> {
  const orders: ShopifyStandIn['orders'] = new Map()
  const fulfillments: ShopifyStandIn['fulfillments'] = []
  const stand = await start((request, path, body) => {
    if (request.headers['x-shopify-access-token'] !== ACCESS_TOKEN)
      return {
        status: 401,
        body: { errors: '[API] Invalid API key or access token (unrecognized login or wrong password)' },
      }
    if (path !== '/admin/api/2026-10/graphql.json') return { status: 404, body: { errors: 'Not Found' } }
    const { query = '', variables = {} } = body as { query?: string; variables?: Record<string, unknown> }
    const answer = (data: unknown) => ({
      status: 200,
      body: { data, extensions: { cost: { requestedQueryCost: 10 } } },
    })
    if (query.includes('shop {')) return answer({ shop: { name: 'Ada’s Kits' } })
    if (query.startsWith('mutation')) return answer({ fulfillmentCreate: create(variables.fulfillment as Fulfillment) })
    return answer({ order: show(String(variables.id).replace('gid://shopify/Order/', '')) })
  })

  interface Fulfillment {
    lineItemsByFulfillmentOrder: {
      fulfillmentOrderId: string
      fulfillmentOrderLineItems: { id: string; quantity: number }[]
    }[]
    notifyCustomer: boolean
    trackingInfo: { company?: string; numbers: string[] }
  }

  function create({ lineItemsByFulfillmentOrder: [first], notifyCustomer, trackingInfo }: Fulfillment) {
    const id = first?.fulfillmentOrderId.replace(FULFILLMENT_ORDER, '') ?? ''
    const order = orders.get(id)
    const lines = (first?.fulfillmentOrderLineItems ?? []).map((item) => ({
      id: Number(item.id.replace(LINE, '')),
      quantity: item.quantity,
    }))
    const wrong = (message: string) => ({ fulfillment: null, userErrors: [{ field: ['fulfillment'], message }] })
    if (!order || lines.length === 0) return wrong('Fulfillment order does not exist.')
    for (const { id, quantity } of lines) {
      const line = order.lines.find((one) => one.id === id)
      if (!line || quantity < 1 || quantity > line.remaining)
        return wrong('Invalid fulfillment order line item quantity requested.')
    }
    for (const { id, quantity } of lines) {
      const line = order.lines.find((one) => one.id === id)
      if (line) line.remaining -= quantity
    }
    fulfillments.push({ order: id, lines, ...trackingInfo, notified: notifyCustomer })
    return { fulfillment: { id: `gid://shopify/Fulfillment/${fulfillments.length}` }, userErrors: [] }
  }

  function show(id: string) {
    const order = orders.get(id)
    if (!order) return null
    const isOpen = order.lines.some(({ remaining }) => remaining > 0)
    return {
      fulfillments: fulfillments
        .filter((one) => one.order === id)
        .map(({ numbers }) => ({ trackingInfo: numbers.map((number) => ({ number })) })),
      fulfillmentOrders: {
        nodes: [
          {
            id: `${FULFILLMENT_ORDER}${id}`,
            status: isOpen ? 'OPEN' : 'CLOSED',
            lineItems: {
              nodes: order.lines.map((line) => ({
                id: `${LINE}${line.id}`,
                remainingQuantity: line.remaining,
                lineItem: { id: `gid://shopify/LineItem/${line.id}` },
              })),
            },
          },
        ],
      },
    }
  }

  return {
    ...stand,
    orders,
    fulfillments,
    add: ({ id, line_items }) =>
      void orders.set(String(id), { lines: line_items.map((line) => ({ id: line.id, remaining: line.quantity })) }),
  }
}

export interface WooStandIn extends StandIn {
  orders: Map<
    string,
    { status: string; meta: { key: string; value: string }[]; notes: { note: string; customer_note: boolean }[] }
  >
}

/** WooCommerce's REST API, as far as tracking is written back. https://woocommerce.github.io/woocommerce-rest-api-docs/#order-notes */
export async function startWoo(): Promise<WooStandIn> {
  const orders: WooStandIn['orders'] = new Map()
  const basic = `Basic ${Buffer.from(`${CONSUMER.consumerKey}:${CONSUMER.consumerSecret}`).toString('base64')}`
  const stand = await start((request, path, body) => {
    if (request.headers.authorization !== basic)
      return {
        status: 401,
        body: { code: 'woocommerce_rest_cannot_view', message: 'Sorry, you cannot list resources.' },
      }
    if (path.startsWith('/wp-json/wc/v3/orders?')) return { status: 200, body: [] }
    const [, id = '', notes] = /^\/wp-json\/wc\/v3\/orders\/(\d+)(\/notes)?(?:\?.*)?$/.exec(path) ?? []
    const order = orders.get(id)
    if (!order) return { status: 404, body: { code: 'woocommerce_rest_shop_order_invalid_id', message: 'Invalid ID.' } }
    if (notes && request.method === 'GET')
      return { status: 200, body: order.notes.map((note, id) => ({ id, ...note })) }
    if (notes) {
      order.notes.push({ note: String(body.note), customer_note: body.customer_note === true })
      return { status: 201, body: { id: order.notes.length, ...body } }
    }
    if (request.method === 'PUT') {
      if (typeof body.status === 'string') order.status = body.status
      order.meta.push(...((body.meta_data as { key: string; value: string }[] | undefined) ?? []))
    }
    return { status: 200, body: { id: Number(id), status: order.status, meta_data: order.meta } }
  })
  return { ...stand, orders }
}
