import { z } from 'zod'
import { pagination } from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { internalKitType, publicKitType } from '../catalogue/kit-type.ts'
import { dayOfTx } from './find.ts'
import { selectLevels } from './level-queries.ts'
import {
  AdjustmentInput,
  BoxHistory,
  BoxPage,
  BoxQuery,
  Counted,
  CountInput,
  codeParam,
  ForKitType,
  gtinParam,
  LevelPage,
  LevelQuery,
  Moved,
  Product,
  ProductInput,
  ProductPage,
  ProductQuery,
  ReceiptInput,
  TransferInput,
} from './schema.ts'
import * as stock from './service.ts'

const ofOperator = { audience: 'operator', tag: 'Operator: stock', scope: 'fulfilment' } as const

export const listStockProducts = defineRoute({
  ...ofOperator,
  method: 'GET',
  path: '/stock/products',
  summary: 'List products in boxes',
  query: ProductQuery,
  answers: { 200: ProductPage },
  handler: async ({ tx, query }) => ({ status: 200, body: await stock.listProducts(tx, query) }),
})

export const saveStockProduct = defineRoute({
  ...ofOperator,
  method: 'POST',
  path: '/stock/products/:gtin',
  summary: 'Say what the boxes of a GTIN are',
  effects: [],
  description: 'Replaces all of it. The kit type stays once the product has boxes.',
  params: gtinParam,
  body: ProductInput,
  answers: { 200: Product },
  handler: async ({ tx, params: { gtin }, body }) => ({ status: 200, body: await stock.saveProduct(tx, gtin, body) }),
})

export const receiveStock = defineRoute({
  ...ofOperator,
  method: 'POST',
  path: '/stock/receipts',
  summary: 'Receive boxes',
  effects: [],
  description:
    'At most 1,000 at once. The same box again is `already` and changes nothing; a wrong row does not hold up the others. `dryRun` only says what would happen.',
  body: ReceiptInput,
  bodyLimitBytes: 1024 * 1024,
  answers: { 200: Moved.extend({ dryRun: z.boolean() }).meta({ id: 'StockReceived' }) },
  handler: async ({ tx, body }) => ({ status: 200, body: await stock.receive(tx, body) }),
})

export const transferStock = defineRoute({
  ...ofOperator,
  method: 'POST',
  path: '/stock/transfers',
  summary: 'Move boxes to another place',
  effects: [],
  body: TransferInput,
  bodyLimitBytes: 1024 * 1024,
  answers: { 200: Moved },
  handler: async ({ tx, body }) => ({ status: 200, body: await stock.transfer(tx, body) }),
})

export const countStock = defineRoute({
  ...ofOperator,
  method: 'POST',
  path: '/stock/counts',
  summary: 'Count the boxes of a place',
  effects: [],
  description: 'Says what is missing and what is unexpected, and changes nothing unless `apply`.',
  body: CountInput,
  bodyLimitBytes: 4 * 1024 * 1024,
  answers: { 200: Counted },
  handler: async ({ tx, body }) => ({ status: 200, body: await stock.count(tx, body) }),
})

export const adjustStock = defineRoute({
  ...ofOperator,
  method: 'POST',
  path: '/stock/adjustments',
  summary: 'Write boxes off, or take back what was found',
  effects: [],
  body: AdjustmentInput,
  bodyLimitBytes: 1024 * 1024,
  answers: { 200: Moved },
  handler: async ({ tx, body }) => ({ status: 200, body: await stock.adjust(tx, body) }),
})

export const listStockLevels = defineRoute({
  ...ofOperator,
  method: 'GET',
  path: '/stock/levels',
  summary: 'List what is in stock, by place and product',
  description: 'With its lots, the soonest expiry, and whether it is below its reorder point.',
  query: LevelQuery,
  answers: { 200: LevelPage },
  handler: async ({ tx, query: { page, size, place, kitType, isLow = false } }) => {
    const filter = { today: dayOfTx(tx), places: place, kitTypes: kitType?.map(internalKitType), isLow, page, size }
    const { rows, total } = await selectLevels(tx, filter)
    const data = rows.map(({ kitType, soonestExpiry, reorderPoint, ...row }) => ({
      ...row,
      kitType: publicKitType(kitType),
      ...(soonestExpiry !== null && { soonestExpiry }),
      ...(reorderPoint !== null && { reorderPoint }),
      isLow: reorderPoint !== null && row.usable < reorderPoint,
    }))
    return { status: 200, body: { data, pagination: pagination(page, size, total) } }
  },
})

export const listStockBoxes = defineRoute({
  ...ofOperator,
  method: 'GET',
  path: '/stock/boxes',
  summary: 'List boxes, those that expire first first',
  query: BoxQuery,
  answers: { 200: BoxPage },
  handler: async ({ tx, query }) => ({ status: 200, body: await stock.listBoxes(tx, query) }),
})

export const getStockBox = defineRoute({
  ...ofOperator,
  method: 'GET',
  path: '/stock/boxes/:code',
  summary: 'Get a box and what happened to it',
  params: codeParam,
  query: ForKitType,
  answers: { 200: BoxHistory },
  errors: ['BOX_NOT_FOUND'],
  handler: async ({ tx, params: { code }, query: { kitType } }) => ({
    status: 200,
    body: await stock.boxHistory(tx, code, kitType),
  }),
})
