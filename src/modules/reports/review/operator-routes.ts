import { z } from 'zod'
import { reportId } from '../../../domain/id-fields.ts'
import { defineRoute } from '../../../platform/http/route.ts'
import { personOfReport } from './person.ts'
import { Comment, Hold, NewComment, NewHold, PersonOfReport } from './schema.ts'
import { commentReport, holdReport, releaseReport } from './service.ts'

const tag = 'Operator: review'
const params = z.object({ reportID: reportId })

export const getPersonOfReport = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/reports/:reportID/person',
  tag,
  summary: 'Get whose report it is: the person, the kit and the sample',
  description: 'What a reviewer must know of the person. Names are there for callers with `lab`.',
  scope: 'review',
  params,
  answers: { 200: PersonOfReport },
  errors: ['REPORT_NOT_FOUND'],
  accesses: { reads: 'customer', ids: ({ customerID }) => [String(customerID)] },
  handler: async ({ tx, params: { reportID }, access }) => ({
    status: 200,
    body: await personOfReport(tx, reportID, access.scopes.has('lab')),
  }),
})

export const holdReportInReview = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/reports/:reportID/hold',
  tag,
  summary: 'Hold a report that is in review',
  effects: [],
  description:
    'Nothing publishes it until the hold is released or ends by itself. A second hold takes the place of the first. Only of live reports.',
  scope: 'review',
  params,
  body: NewHold,
  answers: { 200: Hold },
  errors: ['REPORT_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  handler: async ({ tx, params: { reportID }, body }) => ({ status: 200, body: await holdReport(tx, reportID, body) }),
})

export const releaseHeldReport = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/reports/:reportID/release',
  tag,
  summary: 'Release a report that is held',
  effects: ['publishes'],
  scope: 'review',
  params,
  answers: { 200: z.object({ reportID: z.string() }) },
  errors: ['REPORT_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  handler: async ({ tx, params: { reportID } }) => {
    await releaseReport(tx, reportID)
    return { status: 200, body: { reportID } }
  },
})

export const commentOnReport = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/reports/:reportID/comments',
  tag,
  summary: 'Add a comment for other reviewers',
  effects: [],
  description: 'Comments are only added to. Neither the person nor the business ever sees them. Only of live reports.',
  scope: 'review',
  params,
  body: NewComment,
  answers: { 201: z.array(Comment).describe('All comments, oldest first.') },
  errors: ['REPORT_NOT_FOUND'],
  handler: async ({ tx, params: { reportID }, body: { text } }) => ({
    status: 201,
    body: await commentReport(tx, reportID, text),
  }),
})
