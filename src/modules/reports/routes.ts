import { normalizeId } from '@kitlane/display/short-id'
import { z } from 'zod'
import { reportId } from '../../domain/id-fields.ts'
import { languages as allLanguages, maybeFindLanguage } from '../../domain/translations/translator.ts'
import {
  anyOf,
  anyOfTexts,
  byCreation,
  nextUpdatedSince,
  Pagination,
  pagination,
  paging,
  rangeStart,
  text,
  updatedSince,
} from '../../platform/http/fields.ts'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { customerIdFilter, customerKey } from '../customers/schema.ts'
import { realmOfReport } from './locate.ts'
import { ReportAnswer, ReviewedReport } from './read/answer-schema.ts'
import { listPageOfReports } from './read/list.ts'
import { serveReport, serveReportForReview } from './read/serve.ts'
import { FHIR, PDF, preferred } from './render/negotiate.ts'
import { ListedReport, Publishing, ReportStatus } from './schema.ts'
import { unitSystems } from './units/systems.ts'
import { publishReviewedReport } from './versions/publish.ts'
import { rejectReviewedReport } from './versions/remove.ts'

const tag = 'Reports'

export const getReport = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/customers/:customerID/reports/:reportID',
  tag,
  summary: 'Get a report',
  description: `Only a published report: any other answers as if there were none. A correction makes a new version; those that were published stay readable with \`version\`, and \`details.changes\` says what differs from the one before. While a later version waits for a person, the one that was published last is the newest, with \`Later Version In Review\` in \`labParamsError\`; if the later one takes a result of it back, the answer is 404 with the reason. \`historic\` holds the values of all of the customer's published reports, but of other recalled ones.

\`Accept: ${FHIR}\` gives a FHIR R4 Bundle, \`Accept: ${PDF}\` a report to print, with the person's name.`,
  scope: 'reports:read',
  params: z.object({ customerID: customerKey, reportID: reportId }),
  query: z.object({
    version: z.coerce
      .number()
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe('From 1; default: what was published last.'),
    units: z
      .enum(unitSystems)
      .optional()
      .describe('Of the PDF: as the laboratory reported, those of the US, or SI. Default: those of the JSON.'),
    language: z
      .enum(allLanguages)
      .optional()
      .describe('Of the PDF. Default: what `Accept-Language` asks for, else English.'),
  }),
  answers: { 200: ReportAnswer },
  documents: [FHIR, PDF],
  errors: ['REPORT_NOT_FOUND'],
  handler: async ({ tx, params, query, accept, languages, access }) => {
    const served = await serveReport(tx, {
      customer: params.customerID,
      reportId: params.reportID,
      version: query.version,
      units: query.units,
      language: maybeFindLanguage([query.language, ...languages]),
      format: preferred(accept),
      businessName: access.businessName,
    })
    const headers = { vary: 'Accept, Accept-Language' }
    if ('report' in served) return { status: 200, body: served.report, headers }
    const name = `attachment; filename="report-${params.reportID}.pdf"`
    const disposition = served.contentType === PDF ? { 'content-disposition': name } : undefined
    return { status: 200, document: served, headers: { ...headers, ...disposition } }
  },
})

export const listReports = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/reports',
  tag,
  summary: 'List reports',
  description: 'Of every status, newest first unless `sort` says otherwise.',
  scope: 'reports:read',
  query: z.object({
    ...paging(50, 250),
    status: anyOf(ReportStatus.options),
    customerID: customerIdFilter.optional(),
    kitID: anyOfTexts(50).describe('Of these kits, by comma.'),
    updatedSince: updatedSince.optional(),
    sort: byCreation,
  }),
  answers: { 200: z.object({ data: z.array(ListedReport), pagination: Pagination }) },
  accesses: { lists: 'report', ids: ({ data }) => data.map(({ reportID }) => reportID) },
  handler: async ({ tx, query, access: { scopes } }) => {
    const sight = { customers: scopes.has('customers:read'), reviews: scopes.has('reports:review') }
    const { page, size, sort, status: statuses, customerID: customerIds, kitID } = query
    const requested = { page, size, statuses, customerIds, kitIds: kitID?.map(normalizeId) }
    const filter = { ...requested, updatedSince: rangeStart(query.updatedSince), isOldestFirst: sort === 'createdDate' }
    const { reports, total } = await listPageOfReports(tx, filter, sight)
    const body = { data: reports, pagination: pagination(query.page, query.size, total) }
    return { status: 200, body, headers: nextUpdatedSince(tx) }
  },
})

const reviewParams = z.object({ reportID: reportId })

export const reviewReport = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/reports/:reportID',
  tag,
  summary: 'Get a report before it is published',
  description: 'The newest version, whatever its status, for the person who decides whether it is published.',
  scope: 'reports:review',
  params: reviewParams,
  answers: { 200: ReviewedReport },
  errors: ['REPORT_NOT_FOUND'],
  handler: async ({ tx, params }) => ({ status: 200, body: await serveReportForReview(tx, params.reportID) }),
})

export const { business: publishOwnReport, operator: publishReport } = defineRoutes({
  audiences: { business: { tag, scope: 'reports:review' }, operator: { tag: 'Operator: review', scope: 'review' } },
  realmOf: (tx, { params }) => realmOfReport(tx, params.reportID, { isLive: true }),
  method: 'POST',
  path: '/reports/:reportID/publish',
  summary: 'Publish a report that is in review',
  effects: ['publishes'],
  description: 'The customer and every token with `reports:read` can read it from then on.',
  params: reviewParams,
  body: Publishing.optional(),
  answers: { 200: z.object({ reportID: z.string(), status: z.literal('published') }) },
  errors: [
    'REPORT_NOT_FOUND',
    'ILLEGAL_TRANSITION',
    'REPORT_CHANGED',
    'CRITICAL_NOT_NOTIFIED',
    'CRITICAL_NOT_ACKNOWLEDGED',
    'REPORT_HELD',
    'KIT_RECALLED',
  ],
  handler: async ({ tx, params: { reportID }, body }) => {
    await publishReviewedReport(tx, reportID, body)
    return { status: 200, body: { reportID, status: 'published' as const } }
  },
})

export const { business: rejectOwnReport, operator: rejectReport } = defineRoutes({
  audiences: { business: { tag, scope: 'reports:review' }, operator: { tag: 'Operator: review', scope: 'review' } },
  realmOf: (tx, { params }) => realmOfReport(tx, params.reportID, { isLive: true }),
  method: 'POST',
  path: '/reports/:reportID/reject',
  summary: 'Reject a report in review that is of no kit',
  description:
    'Such as that of a file. Nobody reads it, and its critical results are closed. Of a kit, reject the sample instead.',
  effects: [],
  params: reviewParams,
  body: z.object({ reason: text(300).describe('For the audit.') }),
  answers: { 200: z.object({ reportID: z.string(), status: z.literal('rejected') }) },
  errors: ['REPORT_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  handler: async ({ tx, params: { reportID }, body: { reason } }) => {
    await rejectReviewedReport(tx, reportID, reason)
    return { status: 200, body: { reportID, status: 'rejected' as const } }
  },
})
