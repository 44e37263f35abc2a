import { z } from 'zod'
import { anyText, pagination } from '../../../platform/http/fields.ts'
import { defineRoute } from '../../../platform/http/route.ts'
import { liftHold, setHold } from './keep-records.ts'
import { selectHolds } from './queries.ts'
import {
  ChangeRetention,
  LegalHold,
  LegalHoldPage,
  LegalHoldsQuery,
  NewLegalHold,
  Retention,
  RetentionTerms,
  reason,
  shownHold,
  shownRetention,
} from './schema.ts'
import { changeTerms, retentionState } from './terms.ts'

const shared = { audience: 'operator', tag: 'Operator: retention', scope: 'businesses' } as const

export const getRetention = defineRoute({
  ...shared,
  method: 'GET',
  path: '/retention',
  summary: 'Read how long records are kept, and what the last purges found',
  answers: { 200: Retention },
  handler: async ({ tx }) => ({ status: 200, body: shownRetention(await retentionState(tx)) }),
})

export const changeRetention = defineRoute({
  ...shared,
  method: 'PATCH',
  path: '/retention',
  summary: 'Change how long records are kept',
  effects: ['deletes'],
  description:
    'For all businesses, or for one. null goes back to the default. Counts for what was recorded before, too: a shorter term ends records at the next run (daily at 04:23 UTC). Audited.',
  body: ChangeRetention,
  answers: { 200: RetentionTerms },
  errors: ['BUSINESS_NOT_FOUND'],
  needsProof: true,
  handler: async ({ tx, body: { businessID: business, ...change } }) => ({
    status: 200,
    body: await changeTerms(tx, { business, ...change }),
  }),
})

export const listLegalHolds = defineRoute({
  ...shared,
  method: 'GET',
  path: '/legal-holds',
  summary: 'List legal holds, newest first',
  query: LegalHoldsQuery,
  answers: { 200: LegalHoldPage },
  handler: async ({ tx, query }) => {
    const { holds, total } = await selectHolds(tx, query)
    return { status: 200, body: { data: holds.map(shownHold), pagination: pagination(query.page, query.size, total) } }
  },
})

export const setLegalHold = defineRoute({
  ...shared,
  method: 'POST',
  path: '/legal-holds',
  summary: 'Set a legal hold on a customer or a business',
  effects: [],
  description:
    'Until it is lifted, nothing of theirs is purged, and an erasure restricts without deleting. Of the live mode. The business sees it in its audit.',
  body: NewLegalHold,
  answers: { 201: LegalHold },
  errors: ['BUSINESS_NOT_FOUND', 'CUSTOMER_NOT_FOUND', 'LEGAL_HOLD_EXISTS'],
  handler: async ({ tx, body: { businessID: business, customerID: customer, reason } }) => ({
    status: 201,
    body: shownHold(await setHold(tx, { business, customer, reason })),
  }),
})

export const liftLegalHold = defineRoute({
  ...shared,
  method: 'POST',
  path: '/legal-holds/:holdID/lift',
  summary: 'Lift a legal hold',
  effects: ['deletes'],
  description:
    'What has reached its term meanwhile, and what needs no keeping of people who were erased, ends at the next run.',
  params: z.object({ holdID: anyText(64) }),
  body: z.object({ reason }),
  answers: { 200: LegalHold },
  errors: ['LEGAL_HOLD_NOT_FOUND', 'LEGAL_HOLD_LIFTED'],
  needsProof: true,
  handler: async ({ tx, params, body }) => ({
    status: 200,
    body: shownHold(await liftHold(tx, params.holdID, body.reason)),
  }),
})
