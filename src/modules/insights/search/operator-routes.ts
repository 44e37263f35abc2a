import { z } from 'zod'
import { searchText } from '../../../platform/http/fields.ts'
import { operatorRoute } from '../../../platform/http/operator-route.ts'
import { OperatorFound } from './schema.ts'
import { searchAll } from './service.ts'

export const getOperatorSearch = operatorRoute({
  method: 'GET',
  path: '/search',
  id: 'searchOfAll',
  reads: 'customer',
  tag: 'Operator: system',
  summary: 'Search live kits, orders and people of all businesses',
  description:
    'Up to 10. Orders need `fulfilment` or `lab`, people `lab`; both are found by how an ID, an e-mail or a name begins.',
  scope: ['fulfilment', 'lab'],
  query: z.object({ q: searchText.optional() }),
  responses: { 200: z.array(OperatorFound) },
  handler: async ({ tx, query, access }) => ({ status: 200, body: await searchAll(tx, query.q ?? '', access.scopes) }),
})
