import { z } from 'zod'
import { defineRoute } from '../../platform/http/route.ts'

export const verifyToken = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/verify-token',
  tag: 'Access',
  summary: 'Verify an API token',
  description: 'Answers `OK` to a valid token, with what it may do. Also usable as a connectivity check.',
  answers: {
    200: z.object({
      message: z.literal('OK'),
      mode: z.enum(['live', 'sandbox']),
      business: z.object({ id: z.string(), name: z.string() }),
      scopes: z.array(z.string()),
    }),
  },
  handler: async ({ access }) => ({
    status: 200,
    body: {
      message: 'OK' as const,
      mode: access.realm.mode,
      business: { id: access.realm.businessId, name: access.businessName },
      scopes: [...access.scopes].toSorted(),
    },
  }),
})
