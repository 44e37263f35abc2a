import { defineModule, defineTables, happened, made, operators } from '../define-module.ts'
import * as lotRoutes from './lot-routes.ts'
import * as routes from './routes.ts'

export const stock = defineModule({
  name: 'stock',
  tags: { 'Operator: stock': 'Sealed boxes with serial numbers, from their receipt to the kit that they are.' },
  routes: [routes, lotRoutes],
  tables: defineTables({
    stock_products: {
      written: 'products are saved by service.ts',
      times: { changed_at: operators },
    },
    stock_boxes: {
      written: 'boxes are received and moved by service.ts, and put on kits by pack.ts',
      staysInReset: 'only kits of live are in boxes',
      times: { received_at: made },
    },
    component_lots: {
      written: 'lots of components are received and set apart by lots.ts',
      times: { received_at: operators },
    },
    kit_lots: {
      written: 'lots of kits are written by lots.ts',
      times: { created_at: operators },
    },
    kit_lot_components: { written: 'what lots of kits are built from is written by lots.ts' },
    packed_lots: { written: 'the lots of kits that are packed by hand are written by pack.ts' },
    stock_movements: {
      written: 'movements are appended by service.ts and pack.ts',
      times: { at: happened },
    },
  }),
  readsBelow: [
    {
      file: 'lot-queries.ts',
      tables: ['kits', 'recall_kits', 'recalls'],
      why: 'a lot that is recalled is not let out of its quarantine, and then free kits may still be under way',
    },
  ],
})
