import { z } from 'zod'
import { orderId } from '../../domain/id-fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { orderPage, placeOf } from './order-page.ts'
import { CorrectOperatorOrder, OperatorOrder } from './order-page-schema.ts'
import { readdress } from './readdress.ts'

const shared = {
  audience: 'operator',
  path: '/orders/:orderID',
  tag: 'Operator: fulfilment',
  params: z.object({ orderID: orderId }),
  answers: { 200: OperatorOrder },
} as const
const reads = { reads: 'order', ids: ({ orderID }: { orderID: string }) => [orderID] } as const

export const getOrderOfAll = defineRoute({
  ...shared,
  method: 'GET',
  summary: 'Get a live order of any business',
  description:
    'With its kits, its parcels and what happened. The recipient needs `fulfilment`, the amount `businesses`, the e-mails `mail`. The business sees in its audit who read it.',
  scope: ['fulfilment', 'lab'],
  errors: ['ORDER_NOT_FOUND'],
  accesses: reads,
  handler: async ({ tx, params, access }) => ({
    status: 200,
    body: await orderPage(tx, params.orderID, access.scopes),
  }),
})

export const correctOrderOfAll = defineRoute({
  ...shared,
  method: 'PATCH',
  summary: "Correct a live order's shipping address",
  description:
    'For any business, with a reason, which its audit keeps. The rules are those of `PATCH /api/v1/orders/:id`: not once a kit is packed or in the hands of a packer.',
  scope: 'fulfilment',
  body: CorrectOperatorOrder,
  errors: ['ORDER_NOT_FOUND', 'ORDER_PACKED', 'ILLEGAL_TRANSITION'],
  accesses: reads,
  handler: async ({ tx: system, params: { orderID }, body, access }) => {
    const { tx } = await placeOf(system, orderID)
    await readdress(tx, orderID, body.recipientAddress, body.reason)
    return { status: 200, body: await orderPage(system, orderID, access.scopes) }
  },
})
