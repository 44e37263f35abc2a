import { z } from 'zod'
import { defineRoute } from '../../platform/http/route.ts'
import { CorrectCustomer, Customer, customerKey } from '../customers/schema.ts'
import { approvedPerson } from '../kits/schema.ts'
import * as correction from './correct.ts'

export const correctCustomer = defineRoute({
  audience: 'business',
  method: 'PATCH',
  path: '/customers/:id',
  tag: 'Customers',
  summary: 'Correct a customer',
  effects: ['changes-who-is-told'],
  description:
    'Fields that are left out, null or empty stay. With another date of birth or gender, reports are judged again, as a new version. With another e-mail, earlier personal links end. `customer.updated` names the fields that changed. 409 where a provider approved a kit of theirs for somebody of another name or state.',
  scope: 'customers:write',
  params: z.object({ id: customerKey }),
  query: approvedPerson,
  body: CorrectCustomer,
  answers: { 200: Customer },
  errors: ['CUSTOMER_NOT_FOUND', 'CUSTOMER_EXISTS', 'EXTERNAL_ID_EXISTS', 'ILLEGAL_TRANSITION'],
  accesses: { reads: 'customer', ids: ({ id }) => [String(id)] },
  handler: async ({ tx, params, query, body }) => ({
    status: 200,
    body: await correction.correctCustomer(tx, params.id, { ...body, ...query }),
  }),
})
