import { z } from 'zod'
import { anyOfTexts, anyText, Pagination, paging, text, timestamp } from '../../platform/http/fields.ts'
import { SUPPORT_MINUTES, stateOf, supportStates } from './rules.ts'
import type { SupportAccessRow } from './support-access-queries.ts'

export const supportParams = z.object({ supportAccessID: anyText(64) })

const fields = {
  id: z.string(),
  user: z
    .object({ id: z.string(), name: z.string().optional(), email: z.string().optional() })
    .describe('Who of the operator.'),
  reason: z.string(),
  minutes: z.int(),
  state: z
    .enum(supportStates)
    .describe(
      'waiting: for an administrator of the business. refused: by the business. withdrawn: by the operator. unanswered: for 24 hours.',
    ),
  requestedDate: timestamp,
  answerByDate: timestamp.optional().describe('Until when the business can approve; absent if it need not.'),
  approvedBy: z.string().optional().describe('The administrator of the business.'),
  startedDate: timestamp.optional(),
  endsDate: timestamp.optional().describe('When it ends by itself.'),
  endedDate: timestamp.optional().describe('When it ended, if it has.'),
  endedBy: z.enum(['time', 'operator', 'business']).optional(),
}
export const SupportAccess = z.object(fields).meta({ id: 'SupportAccess' })
export const OperatorSupportAccess = z
  .object({ ...fields, business: z.object({ id: z.string(), name: z.string().optional() }) })
  .meta({ id: 'OperatorSupportAccess' })

export const SupportAccessPage = z.object({ data: z.array(SupportAccess), pagination: Pagination })
export const OperatorSupportAccessPage = z.object({ data: z.array(OperatorSupportAccess), pagination: Pagination })
export const ListSupportAccesses = z.object(paging(50, 250))
export const OperatorListSupportAccesses = ListSupportAccesses.extend({
  businessID: anyOfTexts(50).describe('Of these businesses, by comma.'),
  mine: z.enum(['true', 'false']).optional().describe("true: the caller's own only."),
})

export const RequestedSupportAccess = z.object({
  reason: text(500)
    .min(10)
    .describe('Why, in 10 to 500 characters: the business reads it. No names and no health data.'),
  minutes: z
    .int()
    .min(1)
    .max(SUPPORT_MINUTES.max)
    .default(SUPPORT_MINUTES.default)
    .describe('After which it ends by itself; 8 hours at most.'),
})

export const SupportPolicy = z
  .object({
    approvalRequired: z.boolean().describe('An administrator of the business approves before the operator enters.'),
  })
  .meta({ id: 'SupportPolicy' })

export function shownSupportAccess(row: SupportAccessRow, now: Date): z.infer<typeof SupportAccess> {
  const { id, userId, userName, userEmail, reason, minutes, approvedBy, endedBy } = row
  const state = stateOf(row, now)
  // The job that notes an end by time runs every ten minutes.
  const overAt = row.endedAt ?? (state === 'ended' ? row.endsAt : state === 'unanswered' ? row.answerBy : null)
  return {
    id,
    user: { id: userId, ...(userName !== null && { name: userName }), ...(userEmail !== null && { email: userEmail }) },
    reason,
    minutes,
    state,
    requestedDate: row.requestedAt.toISOString(),
    ...(row.answerBy && { answerByDate: row.answerBy.toISOString() }),
    ...(approvedBy !== null && { approvedBy }),
    ...(row.startedAt && { startedDate: row.startedAt.toISOString() }),
    ...(row.endsAt && { endsDate: row.endsAt.toISOString() }),
    ...(overAt && { endedDate: overAt.toISOString(), endedBy: endedBy ?? 'time' }),
  }
}
