import { z } from 'zod'
import { orderId } from '../../domain/id-fields.ts'
import { pagination } from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { Approval } from '../orders/schema.ts'
import { decideApproval, decideInSandbox } from './decide.ts'
import * as providers from './providers.ts'
import {
  ApprovalInput,
  ApprovalPage,
  ApprovalQuery,
  orderParam,
  Provider,
  ProviderChange,
  ProviderInput,
  providerParam,
  WaitingOrder,
} from './schema.ts'
import { findWaiting, listProvidersFor, listWaiting } from './service.ts'

const tag = 'Operator: approvals'
const ofStaff = { audience: 'operator', tag, scope: 'staff' } as const
const ofProviders = { audience: 'operator', tag, scope: 'approvals' } as const

export const listProviders = defineRoute({
  ...ofStaff,
  scope: ['staff', 'approvals'],
  method: 'GET',
  path: '/providers',
  summary: 'List providers',
  description: 'People with the role `provider` see themselves.',
  answers: { 200: z.array(Provider) },
  handler: async ({ tx, access }) => ({ status: 200, body: await listProvidersFor(tx, access) }),
})

export const addProvider = defineRoute({
  ...ofStaff,
  method: 'POST',
  path: '/providers',
  summary: 'Add a provider, who approves orders',
  description: 'The digits of the NPI are checked; whether it and the licences are theirs, you check.',
  effects: [],
  needsProof: true,
  body: ProviderInput,
  answers: { 201: Provider },
  handler: async ({ tx, body }) => ({ status: 201, body: await providers.add(tx, body) }),
})

export const changeProvider = defineRoute({
  ...ofStaff,
  method: 'PATCH',
  path: '/providers/:providerID',
  summary: 'Change a provider',
  description: 'Counts for orders that are not decided yet. What they approved stays as it was on that day.',
  effects: [],
  needsProof: true,
  params: providerParam,
  body: ProviderChange,
  answers: { 200: Provider },
  errors: ['PROVIDER_NOT_FOUND'],
  handler: async ({ tx, params, body }) => ({ status: 200, body: await providers.change(tx, params.providerID, body) }),
})

export const removeProvider = defineRoute({
  ...ofStaff,
  method: 'DELETE',
  path: '/providers/:providerID',
  summary: 'Remove a provider',
  description: 'What they approved stays.',
  effects: ['deletes'],
  params: providerParam,
  answers: { 204: z.undefined() },
  errors: ['PROVIDER_NOT_FOUND'],
  handler: async ({ tx, params }) => {
    await providers.remove(tx, params.providerID)
    return { status: 204, body: undefined }
  },
})

export const listApprovals = defineRoute({
  ...ofProviders,
  method: 'GET',
  path: '/approvals',
  summary: 'List live orders that wait for a provider, oldest first',
  description: 'People with the role `provider` see those of the states in which they are licensed.',
  query: ApprovalQuery,
  answers: { 200: ApprovalPage },
  accesses: { lists: 'order', ids: ({ data }) => data.map(({ orderID }) => orderID) },
  handler: async ({ tx, query, access }) => {
    const { total, orders } = await listWaiting(tx, query, access)
    return { status: 200, body: { data: orders, pagination: pagination(query.page, query.size, total) } }
  },
})

export const getApproval = defineRoute({
  ...ofProviders,
  method: 'GET',
  path: '/approvals/:orderID',
  summary: 'Get a live order that waits for a provider, with what the person answered',
  params: orderParam,
  answers: { 200: WaitingOrder },
  errors: ['ORDER_NOT_FOUND'],
  accesses: { reads: 'order', ids: ({ orderID }) => [orderID] },
  handler: async ({ tx, params, access }) => ({ status: 200, body: await findWaiting(tx, params.orderID, access) }),
})

export const decideOnOrder = defineRoute({
  ...ofProviders,
  method: 'POST',
  path: '/approvals/:orderID',
  summary: 'Approve or refuse an order',
  description:
    'As the provider with your own e-mail, who is licensed where the recipient lives; a token names the `provider`. Where the order is not as it was read (`version`), nothing is decided. An approved order is paid as was asked for with it, and its kits are made. A refused one is canceled (`order.canceled` with the `reason`); nothing was paid for it.',
  effects: ['spends'],
  params: orderParam,
  body: ApprovalInput,
  answers: { 200: Approval },
  errors: [
    'ORDER_NOT_FOUND',
    'PROVIDER_NOT_FOUND',
    'PROVIDER_NOT_ALLOWED',
    'ORDER_NOT_ALLOWED',
    'ORDER_CHANGED',
    'ILLEGAL_TRANSITION',
  ],
  handler: async ({ tx, params, body, access }) => ({
    status: 200,
    body: await decideApproval(tx, params.orderID, body, access),
  }),
})

export const decideOnSandboxOrder = defineRoute({
  audience: 'business',
  method: 'POST',
  path: '/sandbox/orders/:orderID/approval',
  tag: 'Sandbox',
  summary: 'Approve or refuse a sandbox order in place of a provider',
  effects: ['spends'],
  scope: 'orders:write',
  mode: 'sandbox',
  params: z.object({ orderID: orderId }),
  body: z.object({ decision: z.enum(['approve', 'refuse']).describe('What the provider decides.') }),
  answers: { 200: Approval },
  errors: ['ORDER_NOT_FOUND', 'ORDER_NOT_ALLOWED', 'ILLEGAL_TRANSITION'],
  handler: async ({ tx, params, body }) => ({
    status: 200,
    body: await decideInSandbox(tx, params.orderID, body.decision),
  }),
})
