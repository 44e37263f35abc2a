import { z } from 'zod'
import { anyText } from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { CorrectCustomerOfAll, customerKey, customerNumber } from '../customers/schema.ts'
import { approvedPerson } from '../kits/schema.ts'
import { correctCustomer } from './correct.ts'
import { liveRealmOf, personPage } from './person-page.ts'
import { OperatorPerson } from './schema.ts'

const shared = {
  audience: 'operator',
  path: '/businesses/:businessID/customers/:id',
  tag: 'Operator: laboratory',
  params: z.object({ businessID: anyText(200), id: customerKey }),
} as const

export const getCustomerOfAll = defineRoute({
  ...shared,
  method: 'GET',
  summary: 'Get a live customer of any business',
  description:
    'With kits, consents and where their reports are; never results. How to reach them needs `lab`, the e-mails that they got `mail`. The business sees in its audit who read it.',
  scope: ['lab', 'review'],
  answers: { 200: OperatorPerson },
  errors: ['BUSINESS_NOT_FOUND', 'CUSTOMER_NOT_FOUND'],
  accesses: { reads: 'customer', ids: ({ id }) => [String(id)] },
  handler: async ({ tx, params, access }) => ({ status: 200, body: await personPage(tx, params, access.scopes) }),
})

export const correctCustomerOfAll = defineRoute({
  ...shared,
  method: 'PATCH',
  summary: 'Correct a live customer of any business',
  effects: ['changes-who-is-told'],
  description: 'As `PATCH /api/v1/customers/:id`, with a reason, which the audit of the business keeps.',
  scope: 'lab',
  query: approvedPerson,
  body: CorrectCustomerOfAll,
  answers: { 200: z.object({ id: customerNumber }) },
  errors: ['BUSINESS_NOT_FOUND', 'CUSTOMER_NOT_FOUND', 'CUSTOMER_EXISTS', 'ILLEGAL_TRANSITION'],
  handler: async ({ tx: system, params, query, body }) => {
    const { tx } = await liveRealmOf(system, params.businessID)
    const { id } = await correctCustomer(tx, params.id, { ...body, ...query })
    return { status: 200, body: { id } }
  },
})
