import { z } from 'zod'
import { AppError } from '../../../domain/errors.ts'
import { reportId } from '../../../domain/id-fields.ts'
import { type SystemTx, within } from '../../../platform/database/tx.ts'
import { defineRoute } from '../../../platform/http/route.ts'
import * as audit from '../../audit/service.ts'
import { replaceKit } from '../../kits/replace.ts'
import { realmOfReport } from '../../reports/locate.ts'
import { selectReport } from '../../reports/queries.ts'
import { rejectSample } from '../messages/samples.ts'
import { RejectSample, rejectionReasons } from '../messages/schema.ts'

interface RedrawRequest {
  reason: keyof typeof rejectionReasons
  note?: string | undefined
  /** Whether a free kit is sent in its place. */
  replace: boolean
}

interface Redraw {
  kitID: string
  replacementKitID?: string
}

/**
 * Asks for another sample instead of publishing a report: its sample is rejected and, where wanted, a free kit sent in its
 * place. Both tell the person as they always do. The report is rejected, and its critical results are taken back.
 * @throws REPORT_NOT_FOUND; KIT_NOT_FOUND of a sandbox; ILLEGAL_TRANSITION without a kit, or once it is published
 */
async function askForRedraw(tx: SystemTx, reportId: string, asked: RedrawRequest): Promise<Redraw> {
  const realm = within(tx, await realmOfReport(tx, reportId))
  const report = await selectReport(realm, reportId)
  if (report?.status !== 'inReview' || report.kitId === null) throw notRejectable(report?.status)
  const { reason, note } = asked
  const kitID = report.kitId
  await rejectSample(tx, { kitID, reason, ...(note && { note }) })
  const words = note ? `${rejectionReasons[reason]}: ${note}` : rejectionReasons[reason]
  const replaced = asked.replace ? await replaceKit(realm, kitID, words) : undefined
  const details = { kitID, ...(replaced && { replacementKitID: replaced.replacementKitId }) }
  await audit.record(realm, [{ action: 'report.redraw_asked', objectType: 'report', objectId: reportId, details }])
  return details
}

const notRejectable = (current = 'published') =>
  new AppError('ILLEGAL_TRANSITION', 'Another sample is asked for only while the report of a kit is in review', {
    extra: { current, allowed: [] },
  })

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
