import { z } from 'zod'
import { defineModule, definePart, defineTables, happened, made, moves } from '../../modules/define-module.ts'
import { timestamp } from '../../platform/http/fields.ts'
import { sealedShopDeliveries } from './delivery-queries.ts'
import { shopHook } from './hooks.ts'
import { purgeShopDeliveries, receiveFromShop, workForShops } from './jobs.ts'
import { countAllWaiting, deleteShopOrders, sealedShopOrders, selectIdsFor } from './order-queries.ts'
import { SHOPS_JOB } from './place.ts'
import { playShops } from './play.ts'
import { eraseShopOrders } from './privacy.ts'
import { advanceClock } from './queries.ts'
import * as routes from './routes.ts'
import { ShopOrderRecord, shopOrderStatuses } from './schema.ts'
import { shopOrdersFor } from './service.ts'

export const shops = defineModule({
  name: 'shops',
  tags: {
    Shops: 'Orders of your own Shopify or WooCommerce shop, and tracking that is written back.',
  },
  routes: [routes],
  jobs: [receiveFromShop, workForShops, purgeShopDeliveries],
  hooks: (database) => [shopHook(database)],
  plays: playShops,
  attention: { kind: 'shopOrders', count: countAllWaiting },
  events: {
    'shop.order_failed': {
      summary: 'An order of a shop could not be placed',
      description:
        'It waits for a person, or is tried again daily for seven days; or tracking could not be written back.',
      data: z.object({
        shopID: z.string().describe("The shop's ID."),
        shopOrderID: z.string().describe("The shop order's ID."),
        status: z.enum(shopOrderStatuses).describe('What becomes of it now.'),
        code: z.string().describe('Why: the reason why it waits, or as `POST /create-order` would refuse it.'),
        attempts: z.int().describe('How often placing it was tried.'),
        orderID: z.string().optional().describe('The order that was placed for it.'),
        retryDate: timestamp.optional().describe('When it is tried again; absent where a person decides.'),
      }),
    },
  },
  tables: defineTables({
    shops: {
      written: 'shops are connected by service.ts',
      staysInReset: 'a setting',
      people: {
        in: 'passing',
        what: "nothing of people: the address of a business's shop",
        sealed: "webhook secret and access: secrets' key",
        clear: 'kind, address, products, countries',
        kept: 'no term',
        readBy: '`settings:read`, without secrets',
        erasure: 'stays',
      },
      times: {
        connected_at: happened,
        created_at: made,
        heard_at: happened,
        old_secret_until: moves('the secret of before ends then'),
      },
    },
    shop_deliveries: {
      written: 'what shops send is kept by hooks.ts',
      people: {
        in: 'passing',
        what: 'what a shop sent: name, e-mail, phone, address, products of a buyer',
        sealed: 'yes',
        clear: 'topic, number of the delivery, time',
        kept: 'content until it is worked on, the rest 30 days',
        readBy: 'nobody',
        erasure: 'as the order',
      },
      sealed: [sealedShopDeliveries],
      times: { received_at: happened },
    },
    shop_orders: {
      written: 'orders of shops are taken in by receive.ts and placed by place.ts',
      people: {
        in: 'passing',
        what: 'what a shop says of an order: name, e-mail, phone, address, products',
        sealed: 'yes; e-mail hash',
        clear: "the shop's number, state, reason, order, tracking numbers",
        kept: 'no term',
        readBy: '`orders:read`',
        erasure: 'emptied; nothing is kept of later messages',
      },
      sealed: [sealedShopOrders],
      times: {
        changed_at: happened,
        created_at: made,
        due_at: moves('an order of a shop is tried again then'),
        tell_due_at: moves('the shop gets the update again then'),
      },
    },
  }),
  person: {
    exports: {
      shopOrders: definePart({
        scope: 'orders:read',
        shape: z.array(ShopOrderRecord).describe('What shops said of orders for the person.'),
        of: (tx, { email }) => shopOrdersFor(tx, email),
      }),
    },
    audited: async (tx, { email, orderIds }) => ({ shop_order: await selectIdsFor(tx, email, orderIds) }),
    erase: eraseShopOrders,
  },
  sandbox: {
    reset: deleteShopOrders,
    async advanceClock(tx, ms) {
      const due = await advanceClock(tx, ms)
      await tx.enqueue(SHOPS_JOB, {})
      return due
    },
  },
})
