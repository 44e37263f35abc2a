import { z } from 'zod'
import { defineRoute } from '../../platform/http/route.ts'
import {
  Component,
  ComponentInput,
  ComponentPage,
  ComponentQuery,
  KitLot,
  KitLotInput,
  KitLotPage,
  KitLotQuery,
  Quarantine,
} from './lot-schema.ts'
import * as lots from './lots.ts'

const ofOperator = { audience: 'operator', tag: 'Operator: stock', scope: 'fulfilment' } as const

export const listComponentLots = defineRoute({
  ...ofOperator,
  method: 'GET',
  path: '/stock/components',
  summary: 'List lots of components, those that expire first first',
  query: ComponentQuery,
  answers: { 200: ComponentPage },
  handler: async ({ tx, query }) => ({ status: 200, body: await lots.listComponents(tx, query) }),
})

export const receiveComponentLot = defineRoute({
  ...ofOperator,
  method: 'POST',
  path: '/stock/components',
  summary: 'Receive a lot of a component',
  effects: [],
  description: 'The same lot again replaces its quantity and what it must have left; its expiry date stays.',
  body: ComponentInput,
  answers: { 200: Component },
  handler: async ({ tx, body }) => ({ status: 200, body: await lots.receiveComponent(tx, body) }),
})

export const listKitLots = defineRoute({
  ...ofOperator,
  method: 'GET',
  path: '/stock/kit-lots',
  summary: 'List lots of kits, newest first',
  query: KitLotQuery,
  answers: { 200: KitLotPage },
  handler: async ({ tx, query }) => ({ status: 200, body: await lots.listKitLots(tx, query) }),
})

export const saveKitLot = defineRoute({
  ...ofOperator,
  method: 'POST',
  path: '/stock/kit-lots',
  summary: 'Say what a lot of kits is built from',
  effects: [],
  description:
    'A lot of sealed boxes, or one that the stations pack: `load` makes kits of its kit type be of this lot. A lot in quarantine, or with a component that expires too soon, is neither loaded nor packed.',
  body: KitLotInput,
  answers: { 200: KitLot },
  errors: ['LOT_REFUSED'],
  handler: async ({ tx, body }) => ({ status: 200, body: await lots.saveKitLot(tx, body) }),
})

export const quarantineLot = defineRoute({
  ...ofOperator,
  method: 'POST',
  path: '/stock/quarantine',
  summary: 'Set a lot apart, or let it be used again',
  effects: [],
  description:
    'No kit of it is packed meanwhile. What was packed before is not stopped: see `POST /recalls`. A lot that is recalled stays set apart.',
  body: Quarantine,
  answers: {
    200: z.object({
      quarantined: z.boolean().describe('It is set apart.'),
      underWay: z.int().optional().describe('Free kits of its recalls that are not there yet: none is canceled.'),
    }),
  },
  errors: ['LOT_NOT_FOUND', 'LOT_REFUSED'],
  handler: async ({ tx, body }) => {
    const underWay = await lots.quarantine(tx, body)
    return { status: 200, body: { quarantined: body.reason !== undefined, ...(underWay > 0 && { underWay }) } }
  },
})
