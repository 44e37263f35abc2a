import { defineModule, defineTables, happened, made, operators, stays } from '../define-module.ts'
import { afterKitChanges, afterKitFacts, eraseOrders } from './follow.ts'
import { packDueKits, packKit, testWarehouse } from './jobs.ts'
import * as routes from './routes.ts'

export const warehouses = defineModule({
  name: 'warehouses',
  routes: [routes],
  jobs: [packKit, packDueKits, testWarehouse],
  afterKitChanges,
  afterKitFacts,
  tables: defineTables({
    warehouses: {
      written: 'warehouses are saved by account.ts and tested by jobs.ts',
      times: { created_at: operators, changed_at: operators },
    },
    warehouse_orders: {
      written: 'kits are given to warehouses and followed by work.ts, follow.ts and service.ts',
      people: {
        in: 'passing',
        what: 'that a warehouse packs a kit; the warehouse itself gets name and address, and abroad the phone number',
        sealed: 'a keyed hash of the address',
        clear: 'kit, order, warehouse, carrier, tracking number, serial number, lot, state, times',
        kept: 'no term',
        readBy: '*op* `fulfilment`',
        erasure: 'the hash goes, a kit that was not sent is canceled at the warehouse; the rest stays, like the kit',
      },
      times: {
        asked_at: happened,
        changed_at: happened,
        created_at: made,
        due_at: stays('only live kits are sent'),
      },
    },
  }),
  person: { erase: eraseOrders },
})
