import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import { accountScope } from '../../domain/scopes.ts'
import type { Access } from '../../platform/http/caller.ts'
import { pagination, timestamp } from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import * as businesses from '../businesses/service.ts'
import * as support from './support-access.ts'
import { selectSupportAccesses } from './support-access-queries.ts'
import { outcomes, type Receipt, receiptOf } from './support-access-receipt.ts'
import * as supportAccessSchema from './support-access-schema.ts'

/** The operator decides nothing about its own access. @throws FORBIDDEN */
function refuseOperator({ support }: Access): void {
  if (support) throw new AppError('FORBIDDEN', 'Only an administrator of the business decides this')
}

const shared = { audience: 'business', tag: 'Users', scope: accountScope, acrossRealms: true } as const

export const listSupportAccesses = defineRoute({
  ...shared,
  method: 'GET',
  path: '/support-accesses',
  summary: "List the operator's accesses to this business, newest first",
  description:
    'In both modes. Each request that was made by an access is in the audit, as `support_access.used` with the ID of the access.',
  query: supportAccessSchema.ListSupportAccesses,
  answers: { 200: supportAccessSchema.SupportAccessPage },
  handler: async ({ tx, query: { page, size } }) => {
    const { rows, total } = await selectSupportAccesses(tx, { businessIds: [tx.realm.businessId] }, { page, size })
    const data = rows.map((row) => supportAccessSchema.shownSupportAccess(row, tx.now))
    return { status: 200, body: { data, pagination: pagination(page, size, total) } }
  },
})

const SupportReceipt = z
  .object({
    access: supportAccessSchema.SupportAccess.describe('The access that it is the receipt of.'),
    complete: z.boolean().describe('false: more was done than is listed here; the audit has all of it.'),
    entries: z.array(
      z.object({
        date: timestamp,
        mode: z.enum(['live', 'sandbox']),
        action: z.string().describe('As in the audit: `order.placed`, `token.created`, …'),
        objectType: z.string(),
        objectID: z.string(),
        outcome: z
          .enum(outcomes)
          .describe(
            'ends: with the access, which still goes on. ended: it is not valid any more. stays: it goes on, or was done for good.',
          ),
        before: z
          .record(z.string(), z.unknown())
          .optional()
          .describe('What a change replaced, or what was removed. Never secrets, and nothing of a person.'),
        changed: z
          .array(z.string())
          .optional()
          .describe('Of a person or an address: the names of the fields that changed.'),
        undo: z
          .object({
            operationID: z.string().describe('Its name in the OpenAPI documents.'),
            method: z.string(),
            path: z.string().describe('In the same mode.'),
          })
          .optional()
          .describe('The request that takes it back, or changes it again; absent where nothing does.'),
      }),
    ),
  })
  .meta({ id: 'SupportReceipt' })

function shownReceipt({ access, entries, isComplete }: Receipt, now: Date): z.infer<typeof SupportReceipt> {
  return {
    access: supportAccessSchema.shownSupportAccess(access, now),
    complete: isComplete,
    entries: entries.map(({ entry: { at, mode, action, objectType, objectId }, outcome, undo, before, changed }) => ({
      date: at.toISOString(),
      mode: mode ?? 'live',
      action,
      objectType,
      objectID: objectId,
      outcome,
      ...(before && { before }),
      ...(changed && { changed }),
      ...(undo && { undo }),
    })),
  }
}

export const getSupportReceipt = defineRoute({
  ...shared,
  method: 'GET',
  path: '/support-accesses/:supportAccessID/receipt',
  summary: 'Get the receipt of an access of the operator',
  description:
    'What was made and changed in it, in both modes, the oldest first: what ended with it, what stays, and the request that takes each back. What was read is in the audit.',
  params: supportAccessSchema.supportParams,
  answers: { 200: SupportReceipt },
  errors: ['SUPPORT_ACCESS_NOT_FOUND'],
  handler: async ({ tx, params: { supportAccessID: id } }) => ({
    status: 200,
    body: shownReceipt(await receiptOf(tx, tx.realm.businessId, id), tx.now),
  }),
})

export const approveSupportAccess = defineRoute({
  ...shared,
  method: 'POST',
  path: '/support-accesses/:supportAccessID/approve',
  summary: 'Approve a request of the operator',
  effects: ['lets-in'],
  description: 'The time that was asked for counts from now on.',
  params: supportAccessSchema.supportParams,
  answers: { 200: supportAccessSchema.SupportAccess },
  errors: ['SUPPORT_ACCESS_NOT_FOUND', 'SUPPORT_ACCESS_CLOSED'],
  needsProof: true,
  handler: async ({ tx, params: { supportAccessID: id }, access }) => {
    refuseOperator(access)
    const which = { businessId: tx.realm.businessId, id, adminId: access.callerId }
    return {
      status: 200,
      body: supportAccessSchema.shownSupportAccess(await support.approveSupportAccess(tx, which), tx.now),
    }
  },
})

export const endSupportAccess = defineRoute({
  ...shared,
  method: 'DELETE',
  path: '/support-accesses/:supportAccessID',
  summary: 'End an access of the operator, or refuse a request',
  effects: [],
  description: 'Counts at once.',
  params: supportAccessSchema.supportParams,
  answers: { 200: supportAccessSchema.SupportAccess },
  errors: ['SUPPORT_ACCESS_NOT_FOUND', 'SUPPORT_ACCESS_CLOSED'],
  handler: async ({ tx, params: { supportAccessID: id }, access }) => {
    const ended = await support.endSupportAccess(tx, id, { id: access.callerId, businessId: tx.realm.businessId })
    return { status: 200, body: supportAccessSchema.shownSupportAccess(ended, tx.now) }
  },
})

export const getSupportPolicy = defineRoute({
  ...shared,
  method: 'GET',
  path: '/support-policy',
  summary: 'See whether the operator needs an approval to enter',
  answers: { 200: supportAccessSchema.SupportPolicy },
  handler: async ({ tx }) => ({
    status: 200,
    body: { approvalRequired: await businesses.approvesSupport(tx, tx.realm.businessId) },
  }),
})

export const changeSupportPolicy = defineRoute({
  ...shared,
  method: 'PATCH',
  path: '/support-policy',
  summary: 'Say whether the operator needs an approval to enter',
  effects: ['lets-in'],
  grants: ['signIn'],
  description: 'For both modes. Counts for requests from now on.',
  body: supportAccessSchema.SupportPolicy,
  answers: { 200: supportAccessSchema.SupportPolicy },
  needsProof: true,
  handler: async ({ tx, body, access }) => {
    refuseOperator(access)
    await support.changeApproval(tx, tx.realm.businessId, body.approvalRequired)
    return { status: 200, body }
  },
})
