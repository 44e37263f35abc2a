import { route } from '../../platform/http/route.ts'
import { Overview } from './schema.ts'
import { overview } from './service.ts'

export const getOverview = route({
  method: 'GET',
  path: '/overview',
  id: 'getOverview',
  tag: 'Overview',
  summary: 'Get the overview',
  description: 'What there is, what waits for a person, and the last 30 days.',
  scope: 'orders:read',
  responses: { 200: Overview },
  handler: async ({ tx }) => ({ status: 200, body: await overview(tx) }),
})
