import { z } from 'zod'
import { orderId } from '../../domain/id-fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { orderPage, placeOf } from './order-page.ts'
import { CorrectOperatorOrder, OperatorOrder } from './order-page-schema.ts'
import { readdress } from './readdress.ts'

const tag = 'Operator: fulfilment'
const params = z.object({ orderID: orderId })

export const getOrderOfAll = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/orders/:orderID',
  tag,
  summary: 'Get a live order of any business',
  description:
    'With its kits and what happened. The recipient needs `fulfilment`, the amount `businesses`, the e-mails `mail`. The business sees in its audit who read it.',
  scope: ['fulfilment', 'lab'],
  params,
  answers: { 200: OperatorOrder },
  errors: ['ORDER_NOT_FOUND'],
  accesses: { reads: 'order', ids: ({ orderID }) => [orderID] },
  handler: async ({ tx, params, access }) => ({
    status: 200,
    body: await orderPage(tx, params.orderID, access.scopes),
  }),
})

export const correctOrderOfAll = defineRoute({
  audience: 'operator',
  method: 'PATCH',
  path: '/orders/:orderID',
  tag,
  summary: "Correct a live order's shipping address",
  effects: ['changes-who-is-told'],
  description: 'By the rules of `PATCH /api/v1/orders/:id`, with a reason, which the audit of the business keeps.',
  scope: 'fulfilment',
  params,
  body: CorrectOperatorOrder,
  answers: { 200: z.object({ orderID: z.string() }) },
  errors: ['ORDER_NOT_FOUND', 'ORDER_PACKED', 'ORDER_NOT_ALLOWED', 'ILLEGAL_TRANSITION'],
  handler: async ({ tx: system, params: { orderID }, body }) => {
    const { tx } = await placeOf(system, orderID)
    await readdress(tx, orderID, body.recipientAddress, body.reason)
    return { status: 200, body: { orderID } }
  },
})
