import { z } from 'zod'
import { defineRoute } from '../../platform/http/route.ts'
import { customerKey } from '../customers/schema.ts'
import { erase, toErased } from './erase.ts'
import { exportOf } from './export.ts'
import { CustomerErased, OwnExport } from './schema.ts'

const tag = 'Customers'
const params = z.object({ id: customerKey })

export const eraseCustomer = defineRoute({
  audience: 'business',
  method: 'DELETE',
  path: '/customers/:id',
  tag,
  summary: 'Erase a customer',
  effects: ['deletes'],
  description:
    'Final. Reports are deleted. Kits, consents, orders and events stay without name, e-mail, telephone number, address, registration and customer. The same e-mail is then a new person. Stored answers of Idempotency-Keys that mention the customer are deleted. The operator keeps laboratory records and requisitions sealed as long as the law asks, and everything during a legal hold.',
  scope: 'customers:write',
  params,
  answers: { 200: CustomerErased },
  errors: ['CUSTOMER_NOT_FOUND'],
  handler: async ({ tx, params }) => ({ status: 200, body: toErased(await erase(tx, params.id)) }),
})

export const exportCustomer = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/customers/:id/export',
  tag,
  summary: 'Export everything about a customer',
  effects: ['sends-out'],
  description:
    'The record, the kits with registration and consents, the orders of the kits and those sent to the customer, every version of every report, added data, and what was done with it. `leftOut` says which parts need other scopes.',
  scope: 'customers:read',
  params,
  answers: { 200: OwnExport },
  errors: ['CUSTOMER_NOT_FOUND'],
  needsProof: true,
  handler: async ({ tx, params, access }) => {
    const body = await exportOf(tx, params.id, access.scopes)
    const disposition = `attachment; filename="customer-${body.customer.id}.json"`
    return { status: 200, body, headers: { 'content-disposition': disposition } }
  },
})
