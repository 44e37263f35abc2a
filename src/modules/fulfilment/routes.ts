import { z } from 'zod'
import { orderId } from '../../domain/id-fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { idsOfPersonalOrders } from '../orders/health-access.ts'
import { find } from '../orders/read.ts'
import { Order } from '../orders/schema.ts'
import { CorrectOrder } from './order-page-schema.ts'
import { readdress } from './readdress.ts'

export const correctOrder = defineRoute({
  audience: 'business',
  method: 'PATCH',
  path: '/orders/:id',
  tag: 'Orders',
  summary: "Correct an order's shipping address",
  effects: ['changes-who-is-told'],
  description:
    'Replaces all of the address, until a kit of the order is packed or being packed (409 `ORDER_PACKED`). Kits that were replaced, or whose box came back, do not count. `order.updated` reports it. The same changes nothing.',
  scope: 'orders:write',
  params: z.object({ id: orderId }),
  body: CorrectOrder,
  answers: { 200: Order },
  errors: ['ORDER_NOT_FOUND', 'ORDER_PACKED', 'ORDER_NOT_ALLOWED', 'ILLEGAL_TRANSITION'],
  accesses: { reads: 'order', ids: (order) => idsOfPersonalOrders([order]) },
  handler: async ({ tx, params, body }) => {
    await readdress(tx, params.id, body.recipientAddress, body.reason)
    return { status: 200, body: await find(tx, params.id) }
  },
})
