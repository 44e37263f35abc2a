import { z } from 'zod'
import { anyText } from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { CorrectCustomerOfAll, customerKey } from '../customers/schema.ts'
import { correctCustomer } from './correct.ts'
import { personPage, realmIn } from './person-page.ts'
import { OperatorPerson } from './person-schema.ts'

const shared = {
  audience: 'operator',
  path: '/businesses/:businessID/customers/:id',
  tag: 'Operator: laboratory',
  params: z.object({ businessID: anyText(200), id: customerKey }),
  query: z.object({ mode: z.enum(['live', 'sandbox']).default('live') }),
  answers: { 200: OperatorPerson },
} as const
const reads = { reads: 'customer', ids: ({ id }: { id: number }) => [String(id)] } as const

export const getCustomerOfAll = defineRoute({
  ...shared,
  method: 'GET',
  summary: 'Get a customer of any business',
  description:
    'With kits, consents and where their reports are; never results. How to reach them needs `lab`, the e-mails that they got `mail`. The business sees in its audit who read it.',
  scope: ['lab', 'review'],
  errors: ['BUSINESS_NOT_FOUND', 'CUSTOMER_NOT_FOUND'],
  accesses: reads,
  handler: async ({ tx, params, query, access }) => ({
    status: 200,
    body: await personPage(tx, { ...params, ...query }, access.scopes),
  }),
})

export const correctCustomerOfAll = defineRoute({
  ...shared,
  method: 'PATCH',
  summary: 'Correct a customer of any business',
  description:
    'With a reason, which the audit of the business keeps. What it does is what `PATCH /api/v1/customers/:id` does.',
  scope: 'lab',
  body: CorrectCustomerOfAll,
  errors: ['BUSINESS_NOT_FOUND', 'CUSTOMER_NOT_FOUND', 'CUSTOMER_EXISTS', 'EXTERNAL_ID_EXISTS'],
  accesses: reads,
  handler: async ({ tx: system, params, query, body, access }) => {
    const where = { ...params, ...query }
    const { tx } = await realmIn(system, where)
    await correctCustomer(tx, params.id, body)
    return { status: 200, body: await personPage(system, where, access.scopes) }
  },
})
