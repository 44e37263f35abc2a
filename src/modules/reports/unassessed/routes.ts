import { defineRoute } from '../../../platform/http/route.ts'
import { named } from '../../customers/named.ts'
import { assignWaiting } from '../versions/assign.ts'
import {
  AssignWaiting,
  assignedAnswer,
  CloseWaiting,
  DismissWaiting,
  WaitingAssigned,
  WaitingClosed,
  WaitingPage,
  WaitingQuery,
  waitingParams,
} from './schema.ts'
import { dismissWaiting, listWaiting } from './service.ts'

const tag = 'Results that wait'
const description =
  'Results that were received and not judged: unknown names, words instead of numbers, other specimens, numbers that could mean two things, rows that could not be read. Each with the reason; critical ones first, then the oldest. A critical one keeps its report from being published without a person; publishing the report closes what came with it.'

export const listUnassessedResults = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/unassessed-results',
  tag,
  summary: 'List results that wait for a person',
  description,
  scope: 'reports:review',
  query: WaitingQuery,
  answers: { 200: WaitingPage },
  accesses: { lists: 'unassessed_result', ids: ({ data }) => data.map(({ id }) => id) },
  handler: async ({ tx, query, access }) => {
    const { data, pagination } = await listWaiting(tx, query)
    return { status: 200, body: { data: await named(tx, access.scopes, data), pagination } }
  },
})

export const assignUnassessedResult = defineRoute({
  audience: 'business',
  method: 'POST',
  path: '/unassessed-results/:resultID/assign',
  tag,
  summary: 'Assign a result that waits to a biomarker',
  effects: ['publishes'],
  description:
    'It is judged, and stands in a new version of its report, as if it had been understood. Its value, range and flag stay as they were sent. Refused where the unit cannot be converted, where the value is no number, and where the report has a result of this biomarker.',
  scope: 'reports:review',
  params: waitingParams,
  body: AssignWaiting,
  answers: { 200: WaitingAssigned },
  errors: ['RESULT_NOT_FOUND', 'CUSTOMER_NOT_FOUND', 'KIT_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  handler: async ({ tx, params: { resultID: id }, body }) => ({
    status: 200,
    body: assignedAnswer(id, await assignWaiting(tx, id, body)),
  }),
})

export const dismissUnassessedResult = defineRoute({
  audience: 'business',
  method: 'POST',
  path: '/unassessed-results/:resultID/dismiss',
  tag,
  summary: 'Dismiss a result that waits, with a reason',
  effects: [],
  description: 'Says that a person has dealt with it. It stays in the report that it came with.',
  scope: 'reports:review',
  params: waitingParams,
  body: DismissWaiting,
  answers: { 200: WaitingClosed },
  errors: ['RESULT_NOT_FOUND'],
  handler: async ({ tx, params: { resultID: id }, body }) => {
    await dismissWaiting(tx, id, body.reason)
    return { status: 200, body: { id, state: 'closed' as const } }
  },
})

export const closeUnassessedResult = defineRoute({
  audience: 'business',
  method: 'POST',
  path: '/unassessed-results/:resultID/close',
  tag,
  summary: 'Close a result that waits',
  effects: [],
  description: 'The older name of dismissing one.',
  scope: 'reports:review',
  params: waitingParams,
  body: CloseWaiting,
  answers: { 200: WaitingClosed },
  errors: ['RESULT_NOT_FOUND'],
  handler: async ({ tx, params: { resultID: id }, body }) => {
    await dismissWaiting(tx, id, body.note)
    return { status: 200, body: { id, state: 'closed' as const } }
  },
})
