import { z } from 'zod'
import { anyText, line, Pagination, pagination, paging } from '../../../platform/http/fields.ts'
import { defineRoute } from '../../../platform/http/route.ts'
import { reversalFields } from '../receipts/schema.ts'
import { selectWaiting, type WaitingRow } from './queries.ts'
import { settleWaiting } from './record.ts'

const shared = { audience: 'operator', tag: 'Operator: businesses', scope: 'businesses' } as const

const { waitingReason: _, ...fields } = reversalFields

const WaitingReversal = z
  .object({
    business: z.object({ id: z.string(), name: z.string() }),
    paymentID: z.string(),
    currency: z.string(),
    ...fields,
  })
  .meta({ id: 'WaitingReversal' })

const shown = (row: WaitingRow): z.input<typeof WaitingReversal> => ({
  business: { id: row.realm.businessId, name: row.businessName },
  paymentID: row.paymentId,
  currency: row.currency,
  id: row.id,
  kind: row.kind,
  status: row.state,
  amount: row.amountMinor,
  date: row.createdAt.toISOString(),
  ...(row.reason && { reason: row.reason }),
  ...(row.creditsTaken > 0 && { creditsRevoked: row.creditsTaken }),
  ...(row.creditsWaiting > 0 && { creditsWaiting: row.creditsWaiting }),
  ...(row.settledAt && { settledDate: row.settledAt.toISOString() }),
  ...(row.settledReason !== null && { settledReason: row.settledReason }),
})

export const listWaitingReversals = defineRoute({
  ...shared,
  method: 'GET',
  path: '/waiting-reversals',
  summary: 'List refunds and disputes whose credits were spent',
  query: z.object(paging(50, 250)),
  answers: { 200: z.object({ data: z.array(WaitingReversal), pagination: Pagination }) },
  handler: async ({ tx, query: { page, size } }) => {
    const { rows, total } = await selectWaiting(tx, page, size)
    return { status: 200, body: { data: rows.map(shown), pagination: pagination(page, size, total) } }
  },
})

export const settleReversal = defineRoute({
  ...shared,
  method: 'POST',
  path: '/businesses/:businessID/reversals/:reversalID/settle',
  summary: 'Settle credits that were spent before a refund',
  effects: [],
  params: z.object({
    businessID: anyText(200),
    reversalID: anyText(100).describe("The payment provider's."),
  }),
  body: z.object({ reason: line(500).describe('Such as an invoice.') }),
  answers: { 200: WaitingReversal },
  errors: ['BUSINESS_NOT_FOUND', 'REVERSAL_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  handler: async ({ tx, params, body }) => {
    const asked = { businessId: params.businessID, id: params.reversalID, reason: body.reason }
    return { status: 200, body: shown(await settleWaiting(tx, asked)) }
  },
})
