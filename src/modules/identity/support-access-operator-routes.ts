import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import { anyText, pagination } from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { type Granter, isPerson } from './grants.ts'
import * as support from './support-access.ts'
import { type SupportAccessRow, selectSupportAccesses } from './support-access-queries.ts'
import * as supportAccessSchema from './support-access-schema.ts'

/** A machine enters no business: it works by its scopes. @throws FORBIDDEN */
function refuseMachine(caller: Granter): void {
  if (!isPerson(caller)) throw new AppError('FORBIDDEN', 'Only a person who is signed in asks for support access')
}

const shownToOperator = (
  row: SupportAccessRow & { businessName?: string },
  now: Date,
): z.infer<typeof supportAccessSchema.OperatorSupportAccess> => ({
  ...supportAccessSchema.shownSupportAccess(row, now),
  business: { id: row.businessId, ...(row.businessName !== undefined && { name: row.businessName }) },
})

const shared = { audience: 'operator', tag: 'Operator: businesses', scope: 'access' } as const

export const listOperatorSupportAccesses = defineRoute({
  ...shared,
  method: 'GET',
  path: '/support-accesses',
  summary: 'List accesses to businesses, newest first',
  query: supportAccessSchema.OperatorListSupportAccesses,
  answers: { 200: supportAccessSchema.OperatorSupportAccessPage },
  handler: async ({ tx, query: { page, size, businessID: businessIds, mine }, access }) => {
    const filter = { businessIds, userId: mine === 'true' ? access.callerId : undefined }
    const { rows, total } = await selectSupportAccesses(tx, filter, { page, size })
    const data = rows.map((row) => shownToOperator(row, tx.now))
    return { status: 200, body: { data, pagination: pagination(page, size, total) } }
  },
})

export const requestSupportAccess = defineRoute({
  ...shared,
  method: 'POST',
  path: '/businesses/:businessID/support-accesses',
  summary: 'Ask for access to a business, with a reason',
  effects: ['lets-in'],
  description:
    'Begins at once, or `waiting` until an administrator of the business approves, if the business demands that. It lets the caller into both modes of the business and ends by itself. The business reads the reason, and every request made by it, in its audit.',
  params: z.object({ businessID: anyText(200) }),
  body: supportAccessSchema.RequestedSupportAccess,
  answers: { 201: supportAccessSchema.OperatorSupportAccess },
  errors: ['BUSINESS_NOT_FOUND', 'SUPPORT_ACCESS_OPEN'],
  needsProof: true,
  handler: async ({ tx, params: { businessID: businessId }, body, access }) => {
    refuseMachine(access)
    const made = await support.requestSupportAccess(tx, { ...body, businessId, userId: access.callerId })
    return { status: 201, body: shownToOperator(made, tx.now) }
  },
})

export const endOperatorSupportAccess = defineRoute({
  ...shared,
  method: 'DELETE',
  path: '/support-accesses/:supportAccessID',
  summary: 'End an access to a business, or withdraw a request',
  effects: [],
  description: 'Counts at once. Also those of other people.',
  params: supportAccessSchema.supportParams,
  answers: { 200: supportAccessSchema.OperatorSupportAccess },
  errors: ['SUPPORT_ACCESS_NOT_FOUND', 'SUPPORT_ACCESS_CLOSED'],
  handler: async ({ tx, params: { supportAccessID: id }, access }) => ({
    status: 200,
    body: shownToOperator(await support.endSupportAccess(tx, id, { id: access.callerId }), tx.now),
  }),
})
