import { z } from 'zod'
import { searchText } from '../../../platform/http/fields.ts'
import { defineRoute } from '../../../platform/http/route.ts'
import { OperatorFound } from './schema.ts'
import { searchAll } from './service.ts'

const idsOf = (kind: OperatorFound['kind']) => (found: OperatorFound[]) =>
  found.filter((one) => one.kind === kind).map(({ id }) => id)

export const searchOfAll = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/search',
  tag: 'Operator: system',
  summary: 'Search live kits, orders and people of all businesses',
  description:
    'Up to 10. Orders need `fulfilment` or `lab`, people `lab`; both are found by how an ID, an e-mail or a name begins.',
  scope: ['fulfilment', 'lab'],
  query: z.object({ q: searchText.optional() }),
  answers: { 200: z.array(OperatorFound) },
  accesses: (['customer', 'kit', 'order'] as const).map((kind) => ({ lists: kind, ids: idsOf(kind) })),
  handler: async ({ tx, query, access }) => ({ status: 200, body: await searchAll(tx, query.q ?? '', access.scopes) }),
})
