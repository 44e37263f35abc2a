import { byHarm } from '@kitlane/display/harm'
import { openingOf } from '@kitlane/display/story'
import { z } from 'zod'
import { businessName, reportId } from '../../domain/id-fields.ts'
import { within } from '../../platform/database/tx.ts'
import { paging, timestamp } from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { publicKitType } from '../catalogue/kit-type.ts'
import { isReportHeld } from '../kits/recall-queries.ts'
import { PreviousResult, ReportCheck } from './checks/schema.ts'
import { scoreVersion } from './judge/score-constants.ts'
import { realmOfReport } from './locate.ts'
import { biomarkersAnswer, unassessedAnswer } from './read/answer.ts'
import { BiomarkerAnswer, ReportAnswer, Unassessed } from './read/answer-schema.ts'
import { selectReportsInReview } from './read/list-queries.ts'
import { selectReportForReview } from './read/queries.ts'
import { findingsOf } from './review/findings.ts'
import { selectHolds } from './review/hold-queries.ts'
import { Comment, Hold } from './review/schema.ts'
import { commentsOf, holdAnswer, holdOf } from './review/service.ts'
import { VendorStatus } from './schema.ts'
import { selectUnassessed } from './unassessed/queries.ts'
import { reportNotFound } from './versions/publish.ts'

const tag = 'Operator: review'

const isRecalled = z.boolean().describe('A recall holds it back: it is not published until its kit is released.')

const Review = z
  .object({
    reportID: z.string(),
    kitID: z.string().optional(),
    business: businessName,
    customerID: z.number(),
    vendorStatus: VendorStatus,
    version: z.int(),
    receivedDate: timestamp,
    critical: z
      .int()
      .describe(
        'Results that are critically low, high or abnormal (`LL`, `HH`, `AA`), and what was flagged and could not be judged.',
      ),
    outOfRange: z.int().describe('Results outside their reference interval.'),
    unusable: z.int().describe('Results that were kept raw, for a person to look at.'),
    unassessed: z.int().describe('What was received with it and could not be judged, and waits.'),
    panel: z.string().optional().describe('The kit type; absent without a kit.'),
    panelName: z.string().optional(),
    hold: Hold.optional().describe('Present while a reviewer holds it back.'),
    isRecalled,
  })
  .meta({ id: 'ReportInReview' })

export const listReportsInReview = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/reports',
  tag,
  summary: 'List live reports in review, critical results first',
  description: 'Reports with a critically low or high result come first, then the oldest.',
  scope: 'review',
  query: z.object(paging(50, 250)),
  answers: { 200: z.array(Review) },
  accesses: { lists: 'report', ids: (reports) => reports.map(({ reportID }) => reportID) },
  handler: async ({ tx, query }) => {
    const rows = await selectReportsInReview(tx, query.page, query.size)
    const holds = await selectHolds(
      tx,
      rows.map(({ reportId }) => reportId),
    )
    const body = rows.map((one) => {
      const {
        realmId,
        kitId,
        kitType,
        panelName,
        reportId,
        receivedAt,
        businessId,
        businessName,
        customerId,
        ...rest
      } = one
      const hold = holds.get(`${realmId} ${reportId}`)
      return {
        reportID: reportId,
        ...(kitId && { kitID: kitId }),
        ...(kitType !== null && { panel: publicKitType(kitType) }),
        ...(panelName !== null && { panelName }),
        business: { id: businessId, name: businessName },
        customerID: customerId,
        ...rest,
        receivedDate: receivedAt.toISOString(),
        ...(hold && { hold: holdAnswer(hold, tx.actor.name) }),
      }
    })
    return { status: 200, body }
  },
})

const params = z.object({ reportID: reportId })

export const getReportInReview = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/reports/:reportID',
  tag,
  summary: 'Get the results of a report, published or not',
  scope: 'review',
  params,
  answers: {
    200: z.object({
      reportID: z.string(),
      status: z.string(),
      version: z.int(),
      opening: ReportAnswer.shape.opening,
      approval: ReportAnswer.shape.approval,
      biomarker: z.array(
        BiomarkerAnswer.extend({
          previous: PreviousResult.optional().describe(
            'The last one of an earlier published report, in the same unit.',
          ),
        }),
      ),
      unassessed: z.array(Unassessed).describe('What was received and not judged, each with the reason.'),
      checks: z
        .array(ReportCheck)
        .describe('What to look at before deciding. No check changes a verdict or a flag of the laboratory.'),
      hold: Hold.optional().describe('Present while a reviewer holds it back.'),
      isRecalled,
      comments: z.array(Comment).describe('Of reviewers for each other, oldest first.'),
    }),
  },
  errors: ['REPORT_NOT_FOUND'],
  accesses: { reads: 'report', ids: ({ reportID }) => [reportID] },
  handler: async ({ tx, params: { reportID } }) => {
    const realm = within(tx, await realmOfReport(tx, reportID))
    const report = await selectReportForReview(realm, reportID)
    if (!report) throw reportNotFound()
    const { status, shownVersion: version, entries } = report
    const { previous, checks } = await findingsOf(realm, report)
    const hold = await holdOf(realm, reportID)
    const received = await selectUnassessed(realm, reportID, version)
    const body = {
      reportID,
      status,
      version,
      checks,
      opening: openingOf({ biomarker: entries, unassessed: received }),
      ...(report.approval && { approval: { status: 'approved' as const, ...report.approval } }),
      biomarker: biomarkersAnswer(byHarm(entries), String(scoreVersion)).map((one) => ({
        ...one,
        ...(previous.has(one.id) && { previous: previous.get(one.id) }),
      })),
      unassessed: unassessedAnswer(entries, received),
      ...(hold && { hold }),
      isRecalled: await isReportHeld(realm, report.kitId),
      comments: await commentsOf(realm, reportID),
    }
    return { status: 200, body }
  },
})
