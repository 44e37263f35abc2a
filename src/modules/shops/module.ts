import { defineModule, defineTables, happened, made, moves } from '../define-module.ts'
import { sealedShopDeliveries } from './delivery-queries.ts'
import { purgeShopDeliveries, receiveFromShop, workForShops } from './jobs.ts'
import { deleteShopOrders, sealedShopOrders } from './order-queries.ts'
import { passTime } from './pass-time-queries.ts'
import { SHOPS_JOB } from './place.ts'
import * as routes from './routes.ts'

export const shops = defineModule({
  name: 'shops',
  routes: [routes],
  jobs: [receiveFromShop, workForShops, purgeShopDeliveries],
  tables: defineTables({
    shops: {
      written: 'shops are connected by service.ts',
      times: {
        connected_at: happened,
        created_at: made,
        heard_at: happened,
        old_secret_until: moves('the secret of before ends then'),
      },
    },
    shop_deliveries: {
      written: 'what shops send is kept by hooks.ts',
      sealed: [sealedShopDeliveries],
      times: { received_at: happened },
    },
    shop_orders: {
      written: 'orders of shops are taken in by receive.ts and placed by place.ts',
      sealed: [sealedShopOrders],
      times: {
        changed_at: happened,
        created_at: made,
        due_at: moves('an order of a shop is tried again then'),
        tell_due_at: moves('the shop is told again then'),
      },
    },
  }),
  sandbox: {
    reset: deleteShopOrders,
    async passTime(tx, ms) {
      const due = await passTime(tx, ms)
      await tx.enqueue(SHOPS_JOB, {})
      return due
    },
  },
})
