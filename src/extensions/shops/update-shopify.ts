import { z } from 'zod'
import type { ShopPort } from '../../domain/ports.ts'
import type { LeftLine } from './delivery-queries.ts'
import {
  ask,
  type FulfilmentUpdate,
  NOT_WHOLE,
  outcomeOf,
  ShopRefusal,
  type UpdateOutcome,
} from './fulfilment-update.ts'

// The version of the API that this was written for. https://shopify.dev/docs/api/admin-graphql/2026-10
const VERSION = '2026-10'

const QUERY = `query ($id: ID!) { order(id: $id) {
  fulfillments(first: 100) { trackingInfo(first: 50) { number } }
  fulfillmentOrders(first: 20) { nodes { id status
    lineItems(first: 100) { nodes { id remainingQuantity lineItem { id } } } } } } }`

const MUTATION = `mutation ($fulfillment: FulfillmentInput!) { fulfillmentCreate(fulfillment: $fulfillment) {
  fulfillment { id } userErrors { field message } } }`

const Known = z.object({
  order: z
    .object({
      fulfillments: z.array(z.object({ trackingInfo: z.array(z.object({ number: z.string().nullish() })) })),
      fulfillmentOrders: z.object({
        nodes: z.array(
          z.object({
            id: z.string(),
            status: z.string(),
            lineItems: z.object({
              nodes: z.array(
                z.object({ id: z.string(), remainingQuantity: z.number(), lineItem: z.object({ id: z.string() }) }),
              ),
            }),
          }),
        ),
      }),
    })
    .nullable(),
})
type KnownOrder = NonNullable<z.infer<typeof Known>['order']>

const Created = z.object({ fulfillmentCreate: z.object({ userErrors: z.array(z.unknown()) }) })

/** Fulfils the lines of an order whose kits have left, with the numbers of their parcels. */
export const updateShopify = (call: ShopPort, update: FulfilmentUpdate): Promise<UpdateOutcome> =>
  outcomeOf(async () => {
    const { order } = await graphql(call, update, Known, QUERY, { id: `gid://shopify/Order/${update.externalId}` })
    if (!order) throw new ShopRefusal('NO_SUCH_ORDER')
    const known = new Set(order.fulfillments.flatMap(({ trackingInfo }) => trackingInfo.map(({ number }) => number)))
    const parcels = update.parcels.filter(({ number }) => !known.has(number))
    if (parcels.length === 0) return
    const lines = linesToFulfil(order, update.gone)
    // A product of two kits waits for its second one; somebody else may have fulfilled the others.
    if (lines.length === 0) throw new ShopRefusal(update.isWhole ? 'NOTHING_TO_FULFIL' : NOT_WHOLE)
    const company = parcels[0]?.carrier
    const fulfillment = {
      lineItemsByFulfillmentOrder: lines,
      notifyCustomer: update.isNotifyBuyer,
      trackingInfo: { ...(company && { company }), numbers: parcels.map(({ number }) => number) },
    }
    const { fulfillmentCreate } = await graphql(call, update, Created, MUTATION, { fulfillment })
    if (fulfillmentCreate.userErrors.length > 0) throw new ShopRefusal('REFUSED_BY_SHOP')
  })

/** Whether the shop lets the token in: its name is asked for. */
export const tryShopify = (call: ShopPort, update: Pick<FulfilmentUpdate, 'url' | 'access'>): Promise<UpdateOutcome> =>
  outcomeOf(async () => {
    await graphql(call, update, z.object({ shop: z.object({ name: z.string() }) }), 'query { shop { name } }', {})
  })

const OPEN = new Set(['OPEN', 'IN_PROGRESS', 'SCHEDULED'])

/** How many of each line of the fulfilment orders are to be fulfilled: what has left, less what was fulfilled before. */
function linesToFulfil(order: KnownOrder, gone: readonly LeftLine[]) {
  const left = new Map(gone.map(({ line, gone }) => [`gid://shopify/LineItem/${line.id}`, { gone, of: line.quantity }]))
  return order.fulfillmentOrders.nodes
    .filter(({ status }) => OPEN.has(status))
    .flatMap(({ id, lineItems }) => {
      const items = lineItems.nodes.flatMap((item) => {
        const { gone = 0, of = 0 } = left.get(item.lineItem.id) ?? {}
        const fulfilled = Math.max(0, of - item.remainingQuantity)
        const quantity = Math.min(item.remainingQuantity, gone - fulfilled)
        return quantity > 0 ? [{ id: item.id, quantity }] : []
      })
      return items.length > 0 ? [{ fulfillmentOrderId: id, fulfillmentOrderLineItems: items }] : []
    })
}

const Answer = z.object({
  // Absent where it was refused as a whole, as when there were too many requests.
  data: z.unknown().optional(),
  errors: z.array(z.looseObject({ extensions: z.looseObject({ code: z.string().nullish() }).nullish() })).nullish(),
})

async function graphql<T>(
  call: ShopPort,
  { url, access }: Pick<FulfilmentUpdate, 'url' | 'access'>,
  shape: z.ZodType<T>,
  query: string,
  variables: object,
): Promise<T> {
  if (!('accessToken' in access)) throw new ShopRefusal('NO_ACCESS')
  const headers = { 'content-type': 'application/json', 'x-shopify-access-token': access.accessToken }
  const body = JSON.stringify({ query, variables })
  const answer = Answer.safeParse(
    await ask(call, { url: `${url}/admin/api/${VERSION}/graphql.json`, method: 'POST', headers, body }),
  )
  const [error] = answer.data?.errors ?? []
  if (error) throw new ShopRefusal(error.extensions?.code ?? 'REFUSED_BY_SHOP')
  const data = shape.safeParse(answer.data?.data)
  if (!data.success) throw new ShopRefusal('UNKNOWN_ANSWER')
  return data.data
}

const Notes = z.array(z.looseObject({ note: z.string() }))
const Order = z.looseObject({ status: z.string() })

/**
 * Writes a note with the tracking numbers, which WooCommerce mails to the buyer where the business wants it, and keeps them as
 * metadata. An order of nothing but kits is completed with its last parcel.
 */
export const updateWooCommerce = (call: ShopPort, update: FulfilmentUpdate): Promise<UpdateOutcome> =>
  outcomeOf(async () => {
    const path = `/orders/${encodeURIComponent(update.externalId)}`
    const { status } = await rest(call, update, Order, 'GET', `${path}?_fields=id,status`)
    const notes = await rest(call, update, Notes, 'GET', `${path}/notes`)
    for (const { number, carrier } of update.parcels) {
      if (notes.some(({ note }) => note.includes(number))) continue
      const note = `Shipped${carrier ? ` with ${carrier}` : ''}, tracking number ${number}`
      await rest(call, update, z.looseObject({}), 'POST', `${path}/notes`, {
        note,
        customer_note: update.isNotifyBuyer,
      })
    }
    const isDone = update.isWhole && update.isAllKits && status === 'processing'
    await rest(call, update, Order, 'PUT', path, {
      ...(isDone && { status: 'completed' }),
      meta_data: update.parcels.map(({ number, carrier }) => ({ key: `_kitlane_tracking_${number}`, value: carrier })),
    })
  })

/** Whether the shop lets the key in: the number of one order is asked for. */
export const tryWooCommerce = (
  call: ShopPort,
  update: Pick<FulfilmentUpdate, 'url' | 'access'>,
): Promise<UpdateOutcome> =>
  outcomeOf(async () => {
    await rest(call, update, z.array(z.unknown()), 'GET', '/orders?per_page=1&_fields=id')
  })

async function rest<T>(
  call: ShopPort,
  { url, access }: Pick<FulfilmentUpdate, 'url' | 'access'>,
  shape: z.ZodType<T>,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  if (!('consumerKey' in access)) throw new ShopRefusal('NO_ACCESS')
  const basic = Buffer.from(`${access.consumerKey}:${access.consumerSecret}`).toString('base64')
  const answer = await ask(call, {
    url: `${url}/wp-json/wc/v3${path}`,
    method,
    headers: { authorization: `Basic ${basic}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const parsed = shape.safeParse(answer)
  if (!parsed.success) throw new ShopRefusal('UNKNOWN_ANSWER')
  return parsed.data
}
