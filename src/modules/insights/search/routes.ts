import { z } from 'zod'
import { searchText } from '../../../platform/http/fields.ts'
import { defineRoute } from '../../../platform/http/route.ts'
import { Found } from './schema.ts'
import { search as searchRealm } from './service.ts'

const idsOf = (kind: Found['kind']) => (found: Found[]) => found.filter((one) => one.kind === kind).map(({ id }) => id)

export const search = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/search',
  tag: 'Overview',
  summary: 'Search',
  description:
    'Up to 10 orders, kits, customers and reports. IDs count from five characters on. What the caller may not read is left out: customers need `customers:read`, kits `kits:read`, reports `reports:read`.',
  scope: 'orders:read',
  query: z.object({ q: searchText.optional() }),
  answers: { 200: z.array(Found) },
  accesses: (['customer', 'kit', 'order', 'report'] as const).map((kind) => ({ lists: kind, ids: idsOf(kind) })),
  handler: async ({ tx, query, access }) => ({
    status: 200,
    body: await searchRealm(tx, query.q ?? '', access.scopes),
  }),
})
