import { z } from 'zod'
import { newOpaqueId } from '../../../src/domain/ids.ts'
import { customerNumber } from '../../../src/modules/customers/schema.ts'
import { text } from '../../../src/platform/http/fields.ts'
import { defineRoute } from '../../../src/platform/http/route.ts'
import { insertWish, selectWishes } from './queries.ts'
import { toWish, Wish } from './schema.ts'

const shared = { audience: 'business', path: '/customers/:customerID/wishes', tag: 'Wishes' } as const
const params = z.object({ customerID: customerNumber })

export const makeWish = defineRoute({
  ...shared,
  method: 'POST',
  summary: 'Make a wish',
  effects: [],
  scope: 'customers:write',
  params,
  body: z.object({ text: text(200) }),
  answers: { 201: z.object({ id: z.string() }) },
  async handler({ tx, params: { customerID }, body }) {
    const id = newOpaqueId('wish')
    await insertWish(tx, id, customerID, body)
    return { status: 201, body: { id } }
  },
})

export const listWishes = defineRoute({
  ...shared,
  method: 'GET',
  summary: 'List wishes',
  scope: 'customers:read',
  params,
  answers: { 200: z.array(Wish) },
  accesses: { reads: 'customer', ids: (_, { params: { customerID } }) => [String(customerID)] },
  handler: async ({ tx, params }) => ({ status: 200, body: (await selectWishes(tx, params.customerID)).map(toWish) }),
})
