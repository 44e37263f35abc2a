import { defineRoute } from '../../../platform/http/route.ts'
import { AUDIT_DAYS } from './rules.ts'
import { RetentionOfBusiness } from './schema.ts'
import { termsIn } from './terms.ts'

export const getRetentionTerms = defineRoute({
  audience: 'business',
  tag: 'Settings',
  scope: 'settings:read',
  method: 'GET',
  path: '/retention',
  summary: 'Read how long records are kept',
  description: 'The terms that hold for the business. The operator sets them; a legal hold suspends them.',
  answers: { 200: RetentionOfBusiness },
  handler: async ({ tx }) => ({
    status: 200,
    body: { ...(await termsIn(tx, tx.realm.businessId)), auditDays: AUDIT_DAYS },
  }),
})
