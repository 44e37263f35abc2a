import { z } from 'zod'
import { defineRoute } from '../../platform/http/route.ts'
import { connect, listWarehouses as listAll, requestTest } from './account.ts'
import * as shapes from './schema.ts'
import { choose, listOrders } from './service.ts'

const ofWarehouses = { audience: 'operator', tag: 'Operator: fulfilment', scope: 'fulfilment' } as const

export const listWarehouses = defineRoute({
  ...ofWarehouses,
  method: 'GET',
  path: '/warehouses',
  summary: 'List the warehouses that pack kits',
  answers: { 200: z.array(shapes.Warehouse) },
  handler: async ({ tx }) => ({ status: 200, body: await listAll(tx) }),
})

export const saveWarehouse = defineRoute({
  ...ofWarehouses,
  method: 'POST',
  path: '/warehouses/:warehouseID',
  summary: 'Say which kits a warehouse packs',
  description:
    'Replaces all but the key, which stays where it is left out. Kits that wait to be packed are handed over within a minute. If several warehouses pack a kit type for a country, the first by name gets the kit. `channelID` and `shipFromID` stay while it has kits.',
  scope: 'access',
  effects: ['sends-out'],
  needsProof: true,
  params: shapes.warehouseParam,
  body: shapes.WarehouseInput,
  answers: { 200: shapes.Warehouse },
  errors: ['ILLEGAL_TRANSITION'],
  handler: async ({ tx, params, body }) => ({ status: 200, body: await connect(tx, params.warehouseID, body) }),
})

export const testWarehouse = defineRoute({
  ...ofWarehouses,
  method: 'POST',
  path: '/warehouses/:warehouseID/test',
  summary: 'Test the account of a warehouse',
  description: 'Has the warehouse asked what the key may do. `tested` says what it answered, within some seconds.',
  effects: [],
  params: shapes.warehouseParam,
  answers: { 200: shapes.Warehouse },
  errors: ['WAREHOUSE_NOT_FOUND'],
  handler: async ({ tx, params }) => ({ status: 200, body: await requestTest(tx, params.warehouseID) }),
})

export const listWarehouseOrders = defineRoute({
  ...ofWarehouses,
  method: 'GET',
  path: '/warehouse-orders',
  summary: 'List live kits that warehouses pack',
  description:
    'Of all businesses, those that changed last first. `needsAttention=true`: those where a person must look.',
  query: shapes.OrderQuery,
  answers: { 200: shapes.OrderPage },
  accesses: { lists: 'kit', ids: ({ data }) => data.map(({ kitID }) => kitID) },
  handler: async ({ tx, query: { state, kitID, ...query } }) => ({
    status: 200,
    body: await listOrders(tx, { ...query, states: state, kitIds: kitID }),
  }),
})

export const chooseForWarehouseOrder = defineRoute({
  ...ofWarehouses,
  method: 'POST',
  path: '/warehouse-orders/:kitID',
  summary: 'Decide on a kit at a warehouse',
  effects: ['sends-out'],
  params: shapes.kitParam,
  body: shapes.ChoiceInput,
  answers: { 200: shapes.WarehouseOrder },
  errors: [
    'WAREHOUSE_ORDER_NOT_FOUND',
    'ILLEGAL_TRANSITION',
    'TRACKING_NUMBER_TAKEN',
    'BOX_NOT_FOUND',
    'BOX_REFUSED',
    'LOT_REFUSED',
  ],
  accesses: { changes: 'kit', ids: ({ kitID }) => [kitID] },
  handler: async ({ tx, params, body }) => ({ status: 200, body: await choose(tx, params.kitID, body) }),
})
