import { z } from 'zod'
import { preferred } from '../../platform/http/accept.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { listConnections, saveConnection } from './connections.ts'
import {
  CloseLabOrder,
  ConnectionInput,
  kitParam,
  LabConnection,
  LabOrder,
  LabOrderAnswer,
  LabOrderOfAll,
  LabOrderPage,
  LabOrderQuery,
  laboratoryParam,
  RefusedAnswer,
  RouteLabOrder,
} from './schema.ts'
import * as orders from './service.ts'

const tag = 'Operator: laboratories'
const ofLaboratory = { audience: 'operator', tag, scope: 'lab' } as const
const changesKit = { changes: 'kit' as const, ids: ({ kitID }: LabOrderOfAll) => [kitID] }
const errors = ['KIT_NOT_FOUND', 'LAB_ORDER_NOT_FOUND', 'ILLEGAL_TRANSITION'] as const

export const getLabOrder = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/kits/:kitID/lab-order',
  tag: 'Kits',
  summary: 'Get the order of a kit to a laboratory',
  description: 'It stands beside the status of the kit.',
  scope: 'kits:read',
  params: kitParam,
  answers: { 200: LabOrder },
  errors: ['LAB_ORDER_NOT_FOUND'],
  handler: async ({ tx, params }) => ({ status: 200, body: await orders.find(tx, params.kitID) }),
})

export const listLabConnections = defineRoute({
  ...ofLaboratory,
  method: 'GET',
  path: '/lab-connections',
  summary: 'List how laboratories get orders',
  answers: { 200: z.array(LabConnection) },
  handler: async ({ tx }) => ({ status: 200, body: await listConnections(tx) }),
})

export const saveLabConnection = defineRoute({
  ...ofLaboratory,
  method: 'POST',
  path: '/laboratories/:laboratoryID/connection',
  summary: 'Say how a laboratory gets orders',
  description:
    'Replaces all of it. Its host must be in `LAB_ORDERS_HOSTS`. With another `transport` the authorization is given again. Orders that no laboratory took are tried again.',
  scope: 'access',
  effects: ['sends-out'],
  needsProof: true,
  params: laboratoryParam,
  body: ConnectionInput,
  answers: { 200: LabConnection },
  errors: ['LABORATORY_NOT_FOUND'],
  handler: async ({ tx, params, body }) => ({
    status: 200,
    body: await saveConnection(tx, params.laboratoryID, body),
  }),
})

export const listLabOrders = defineRoute({
  ...ofLaboratory,
  method: 'GET',
  path: '/lab-orders',
  summary: 'List live orders to laboratories',
  description:
    'Of all businesses, those that changed last first. `needsAttention=true` is the queue of those where a person must look.',
  query: LabOrderQuery,
  answers: { 200: LabOrderPage },
  accesses: { lists: 'kit', ids: ({ data }) => data.map(({ kitID }) => kitID) },
  handler: async ({ tx, query: { laboratoryID, businessID, state, attention, ...query } }) => ({
    status: 200,
    body: await orders.listOfAll(tx, {
      ...query,
      ...{ states: state, attentions: attention, laboratoryIds: laboratoryID, businessIds: businessID },
    }),
  }),
})

export const answerLabOrder = defineRoute({
  ...ofLaboratory,
  method: 'POST',
  path: '/lab-orders/answers',
  summary: 'Say what a laboratory answers',
  description:
    'For a laboratory that acknowledges later than on the line on which it got the order: as HL7 (ORL^O22, ACK), which the MLLP port and the folder of results take too, or as JSON. The same again changes nothing. Each of several in one body is taken, or refused, by itself; if none is taken, the first refusal answers all.',
  effects: [],
  scope: ['lab', 'results'],
  acknowledgesHl7: true,
  body: LabOrderAnswer,
  answers: { 200: z.array(z.union([LabOrderOfAll, RefusedAnswer])) },
  errors: ['MESSAGE_NOT_FOUND', 'FILE_NOT_READABLE'],
  accesses: { changes: 'kit', ids: (taken) => taken.flatMap((one) => ('kitID' in one ? one.kitID : [])) },
  handler: async ({ tx, body }) => ({ status: 200, body: await orders.takeAnswers(tx, body) }),
})

export const getLabOrderOfAll = defineRoute({
  ...ofLaboratory,
  method: 'GET',
  path: '/lab-orders/:kitID',
  summary: 'Get a live order, with all that was said',
  params: kitParam,
  answers: { 200: LabOrderOfAll },
  errors: ['KIT_NOT_FOUND', 'LAB_ORDER_NOT_FOUND'],
  accesses: { reads: 'kit', ids: ({ kitID }) => [kitID] },
  handler: async ({ tx, params }) => ({ status: 200, body: await orders.findOfAll(tx, params.kitID) }),
})

export const routeLabOrder = defineRoute({
  ...ofLaboratory,
  method: 'POST',
  path: '/lab-orders/:kitID/route',
  summary: 'Send an order to a laboratory',
  description:
    'One that no laboratory took, that was refused, or of a registered kit that has none. Never where a laboratory has it, or may have it.',
  effects: ['sends-out'],
  params: kitParam,
  body: RouteLabOrder,
  answers: { 200: LabOrderOfAll },
  errors: ['KIT_NOT_FOUND', 'LABORATORY_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  accesses: changesKit,
  handler: async ({ tx, params, body }) => ({
    status: 200,
    body: await orders.routeOrder(tx, params.kitID, body.laboratoryID),
  }),
})

export const closeLabOrder = defineRoute({
  ...ofLaboratory,
  method: 'POST',
  path: '/lab-orders/:kitID/close',
  summary: 'Close an order that was settled otherwise',
  description: 'Such as by telephone. The laboratory is told nothing.',
  effects: [],
  params: kitParam,
  body: CloseLabOrder,
  answers: { 200: LabOrderOfAll },
  errors,
  accesses: changesKit,
  handler: async ({ tx, params, body }) => ({
    status: 200,
    body: await orders.closeOrder(tx, params.kitID, body.reason),
  }),
})

const PDF = 'application/pdf'

export const getRequisition = defineRoute({
  ...ofLaboratory,
  method: 'GET',
  path: '/lab-orders/:kitID/requisition',
  summary: 'Get the requisition of a kit',
  description:
    'With `Accept: application/pdf` on paper, with its number as a barcode (Code 128), for a laboratory that takes no messages.',
  params: kitParam,
  answers: { 200: LabOrderOfAll },
  documents: [PDF],
  errors,
  accesses: { reads: 'kit', ids: ({ kitID }) => [kitID] },
  handler: async ({ tx, params, accept }) => {
    const headers = { vary: 'Accept' }
    if (preferred(accept, ['application/json', PDF]) !== PDF) {
      return { status: 200, body: await orders.findOfAll(tx, params.kitID), headers }
    }
    const body = await orders.requisitionOf(tx, params.kitID)
    const disposition = `attachment; filename="requisition-${params.kitID}.pdf"`
    return {
      status: 200,
      document: { contentType: PDF, body },
      headers: { ...headers, 'content-disposition': disposition },
    }
  },
})
