import { defineRoute } from '../../../platform/http/route.ts'
import { Overview } from './schema.ts'
import { overview } from './service.ts'

export const getOverview = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/overview',
  tag: 'Overview',
  summary: 'Get the overview',
  description:
    'What there is, what waits for a person, and the last 30 days. What the caller may not read is left out: kits need `kits:read`, reports `reports:read`, credits `credits:read`.',
  scope: 'orders:read',
  answers: { 200: Overview },
  handler: async ({ tx, access }) => ({ status: 200, body: await overview(tx, access.scopes) }),
})
