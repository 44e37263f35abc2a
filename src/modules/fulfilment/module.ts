import { defineModule, defineTables, happened, made, operators, stays } from '../define-module.ts'
import { sealedCarrierMessages } from './carrier-queries.ts'
import { carrierHooks } from './hooks.ts'
import * as fulfilmentOperator from './operator-routes.ts'
import * as orderOperator from './order-operator-routes.ts'
import * as routes from './routes.ts'

export const fulfilment = defineModule({
  name: 'fulfilment',
  tags: {
    'Operator: fulfilment': 'Packing and posting kits, and what carriers say.',
  },
  routes: [routes, fulfilmentOperator, orderOperator],
  hooks: (database) => carrierHooks(database, database.context.settings),
  readsBelow: [
    {
      file: 'queries.ts',
      tables: ['shipping_labels'],
      why: 'a kit is shipped with no label that was bought for another one, or is voided',
    },
    {
      file: 'queries.ts',
      tables: ['warehouse_orders'],
      why: 'a kit that a warehouse packs is not packed here as well',
    },
  ],
  tables: defineTables({
    carrier_events: {
      written: 'events of carriers are received by carrier.ts',
      people: {
        in: 'passing',
        what: "the carrier's own words",
        sealed: "operator's",
        clear: 'tracking number, status, time',
        kept: 'no term',
        readBy: '*op* `fulfilment`',
        erasure: "words of the person's parcels emptied",
      },
      sealed: [sealedCarrierMessages],
      times: { at: operators, received_at: operators },
    },
    pack_claims: {
      written: 'packers claim kits by claims.ts',
      times: { expires_at: stays('only kits of live are packed') },
    },
    parcels: {
      written: 'kits are shipped by ship.ts',
      people: {
        in: 'passing',
        what: 'tracking numbers',
        sealed: 'no',
        clear: 'carrier, order, kit',
        kept: 'until the number is used again after a year',
        readBy: '`kits:read`; *op* `fulfilment`',
        erasure: 'stays',
      },
      times: { created_at: made, delivered_at: happened, told_at: happened },
    },
  }),
})
