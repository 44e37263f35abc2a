import { z } from 'zod'
import { searchText } from '../../../platform/http/fields.ts'
import { route } from '../../../platform/http/route.ts'
import { Found } from './schema.ts'
import { search } from './service.ts'

export const getSearch = route({
  method: 'GET',
  path: '/search',
  id: 'search',
  reads: 'customer',
  tag: 'Overview',
  summary: 'Search',
  description:
    'Up to 10 orders, kits, customers and reports. IDs count from five characters on. What the caller may not read is left out: customers need `customers:read`, kits `kits:read`, reports `reports:read`.',
  scope: 'orders:read',
  query: z.object({ q: searchText.optional() }),
  responses: { 200: z.array(Found) },
  handler: async ({ tx, query, access }) => ({ status: 200, body: await search(tx, query.q ?? '', access.scopes) }),
})
