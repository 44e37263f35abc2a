import { z } from 'zod'
import { reportId } from '../../../domain/id-fields.ts'
import { defineRoute } from '../../../platform/http/route.ts'
import { RejectSample } from '../messages/schema.ts'
import { askForRedraw } from './redraw.ts'

const Asked = z.object({
  reason: RejectSample.shape.reason.describe('Why the sample cannot be used.'),
  note: RejectSample.shape.note.describe('Beside the reason; the business reads both.'),
  replace: z.boolean().default(true).describe('Whether a free kit is sent in its place.'),
})

export const askForAnotherSample = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/reports/:reportID/redraw',
  tag: 'Operator: review',
  summary: 'Ask for another sample instead of publishing a report',
  effects: ['spends'],
  description:
    'Rejects the sample, as the laboratory does, and sends a free kit in its place. The person is told of both. Only of live reports in review.',
  scope: 'review',
  params: z.object({ reportID: reportId }),
  body: Asked,
  answers: {
    200: z.object({
      kitID: z.string(),
      replacementKitID: z.string().optional().describe('The free kit.'),
    }),
  },
  errors: ['REPORT_NOT_FOUND', 'KIT_NOT_FOUND', 'ILLEGAL_TRANSITION', 'ORDER_NOT_ALLOWED'],
  accesses: { changes: 'kit', ids: ({ kitID }) => [kitID] },
  handler: async ({ tx, params: { reportID }, body }) => ({
    status: 200,
    body: await askForRedraw(tx, reportID, body),
  }),
})
