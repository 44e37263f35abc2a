import { normalizeId } from '@kitlane/display/short-id'
import { z } from 'zod'
import type { Tx } from '../../platform/database/tx.ts'
import { anyOf, anyOfTexts, pagination, paging } from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { toShopOrder } from './answer.ts'
import { dismiss, findShopOrder, retry } from './person.ts'
import { termsOf } from './place.ts'
import * as schema from './schema.ts'
import { testConnection } from './send-tracking.ts'
import * as shops from './service.ts'

const tag = 'Shops'

export const connectShop = defineRoute({
  audience: 'business',
  method: 'POST',
  path: '/shops',
  tag,
  summary: 'Connect a shop',
  effects: ['spends', 'sends-out'],
  grants: ['shop'],
  description:
    'Orders of a Shopify or WooCommerce shop become orders here: the shop sends its webhooks to `hookUrl`. `items` says which products are which kits; an order with another product waits for a person. With an access token or key, tracking is written back. A sandbox connection places sandbox orders.',
  scope: 'settings:write',
  body: schema.NewShop,
  answers: { 201: schema.Shop },
  errors: ['KIT_TYPE_NOT_PROVISIONED'],
  handler: async ({ tx, body }) => {
    const { shop, secret } = await shops.connect(tx, body)
    return { status: 201, body: { ...shop, webhookSecret: secret } }
  },
})

export const listShops = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/shops',
  tag,
  summary: 'List shops',
  scope: 'settings:read',
  answers: { 200: z.array(schema.Shop) },
  handler: async ({ tx }) => ({ status: 200, body: await shops.list(tx) }),
})

const one = { audience: 'business', tag, params: schema.shopParams, errors: ['SHOP_NOT_FOUND'] } as const

export const getShop = defineRoute({
  ...one,
  method: 'GET',
  path: '/shops/:shopID',
  summary: 'Get a shop',
  scope: 'settings:read',
  answers: { 200: schema.Shop },
  handler: async ({ tx, params }) => ({ status: 200, body: await shops.find(tx, params.shopID) }),
})

export const changeShop = defineRoute({
  ...one,
  method: 'PATCH',
  path: '/shops/:shopID',
  summary: 'Change the connection of a shop',
  effects: ['spends', 'sends-out'],
  grants: ['shop'],
  description:
    'Only what is sent is changed; orders that waited for it are placed. `accessToken`, or `consumerKey`, null: tracking is written back no more.',
  scope: 'settings:write',
  body: schema.ChangeShop,
  answers: { 200: schema.Shop },
  errors: ['SHOP_NOT_FOUND', 'KIT_TYPE_NOT_PROVISIONED'],
  handler: async ({ tx, params, body }) => ({ status: 200, body: await shops.change(tx, params.shopID, body) }),
})

export const addShopItem = defineRoute({
  ...one,
  method: 'POST',
  path: '/shops/:shopID/items',
  summary: 'Say which kit a product is',
  effects: ['spends', 'sends-out'],
  grants: ['shop'],
  description: 'Or, without `kitType`, that it is none. Orders that waited for it are placed.',
  scope: 'settings:write',
  body: schema.ShopItemInput,
  answers: { 200: schema.Shop },
  errors: ['SHOP_NOT_FOUND', 'KIT_TYPE_NOT_PROVISIONED'],
  handler: async ({ tx, params, body }) => ({ status: 200, body: await shops.addItem(tx, params.shopID, body) }),
})

export const rotateShopSecret = defineRoute({
  ...one,
  method: 'POST',
  path: '/shops/:shopID/rotate-secret',
  summary: 'Change the webhook secret of a shop',
  effects: ['spends', 'sends-out'],
  grants: ['shop'],
  description: 'The secret of before stays valid for 24 h.',
  scope: 'settings:write',
  body: schema.NewSecret,
  answers: { 200: schema.RotatedSecret },
  handler: async ({ tx, params, body }) => {
    return { status: 200, body: { webhookSecret: await shops.rotateSecret(tx, params.shopID, body.webhookSecret) } }
  },
})

export const disconnectShop = defineRoute({
  ...one,
  method: 'DELETE',
  path: '/shops/:shopID',
  summary: 'Disconnect a shop',
  effects: ['deletes'],
  description:
    'Its secrets are forgotten. Its orders are kept, so that none is placed twice when it is connected again.',
  scope: 'settings:write',
  answers: { 200: z.object({ message: z.string() }) },
  handler: async ({ tx, params }) => {
    await shops.disconnect(tx, params.shopID)
    return { status: 200, body: { message: 'The shop was disconnected' } }
  },
})

export const testShop = defineRoute({
  ...one,
  method: 'POST',
  path: '/shops/:shopID/test',
  summary: 'Try whether tracking can be written back',
  effects: [],
  isTrial: true,
  description: 'Asks the shop something harmless with the token or key.',
  scope: 'settings:write',
  answers: { 200: schema.ShopTest },
  handler: async ({ tx, params }) => {
    await shops.lookUp(tx, params.shopID)
    return { after: async (ports) => ({ status: 200 as const, body: await testConnection(ports, params.shopID) }) }
  },
})

const idsOfPersonal = (orders: readonly z.input<typeof schema.ShopOrderRecord>[]) =>
  orders.filter(({ recipientEmail }) => recipientEmail).map(({ shopOrderID }) => shopOrderID)

export const listShopOrders = defineRoute({
  ...one,
  method: 'GET',
  path: '/shops/:shopID/orders',
  summary: 'List the orders of a shop',
  description: 'Newest first, with what became of each and why some wait.',
  scope: 'orders:read',
  query: z.object({
    ...paging(50, 250),
    status: anyOf(schema.shopOrderStatuses),
    number: anyOfTexts(50).describe('As the shop numbers them; several by comma.'),
    orderID: anyOfTexts(50).describe('The orders here that they became; several by comma.'),
  }),
  answers: { 200: schema.ShopOrderPage },
  accesses: { lists: 'shop_order', ids: ({ data }) => idsOfPersonal(data) },
  handler: async ({ tx, params, query: { page, size, status, number, orderID } }) => {
    const filter = { statuses: status, numbers: number, orderIds: orderID?.map(normalizeId) }
    const { total, orders } = await shops.listOrders(tx, params.shopID, { ...filter, page, size })
    return { status: 200, body: { data: orders, pagination: pagination(page, size, total) } }
  },
})

async function found(tx: Tx, { shopID, shopOrderID }: z.infer<typeof schema.shopOrderParams>) {
  const order = await findShopOrder(tx, shopID, shopOrderID)
  return { status: 200 as const, body: toShopOrder(order, termsOf(tx, await shops.lookUp(tx, shopID))) }
}

const oneOrder = {
  audience: 'business',
  tag,
  params: schema.shopOrderParams,
  answers: { 200: schema.ShopOrderRecord },
  accesses: { reads: 'shop_order', ids: (order: z.input<typeof schema.ShopOrderRecord>) => idsOfPersonal([order]) },
} as const

export const retryShopOrder = defineRoute({
  ...oneOrder,
  method: 'POST',
  path: '/shops/:shopID/orders/:shopOrderID/retry',
  summary: 'Place an order of a shop again',
  effects: ['spends'],
  description:
    'Tries again an order that waits or could not be placed, with another `recipient` if that of the shop is incomplete, or tracking that could not be written back.',
  scope: 'orders:write',
  body: schema.RetryShopOrder,
  errors: ['SHOP_ORDER_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  handler: async ({ tx, params, body }) => {
    await retry(tx, params.shopID, params.shopOrderID, body.recipient)
    return found(tx, params)
  },
})

export const dismissShopOrder = defineRoute({
  ...oneOrder,
  method: 'POST',
  path: '/shops/:shopID/orders/:shopOrderID/dismiss',
  summary: 'Dismiss an order of a shop',
  effects: [],
  description: 'A person has seen to it: nothing more is done with it by itself.',
  scope: 'orders:write',
  errors: ['SHOP_ORDER_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  handler: async ({ tx, params }) => {
    await dismiss(tx, params.shopID, params.shopOrderID)
    return found(tx, params)
  },
})
