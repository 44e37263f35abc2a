import { defineModule, defineTables, happened, made, operators } from '../define-module.ts'
import * as routes from './routes.ts'

export const stock = defineModule({
  name: 'stock',
  tags: { 'Operator: stock': 'Sealed boxes with serial numbers, from their receipt to the kit that they are.' },
  routes: [routes],
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
    stock_movements: {
      written: 'movements are appended by service.ts and pack.ts',
      times: { at: happened },
    },
  }),
})
