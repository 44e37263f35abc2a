import { defineRoute } from '../../../platform/http/route.ts'
import { CloseWaiting, WaitingClosed, WaitingPage, WaitingQuery, waitingParams } from './schema.ts'
import { closeWaiting, listWaiting } from './service.ts'

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
  handler: async ({ tx, query }) => ({ status: 200, body: await listWaiting(tx, query) }),
})

export const closeUnassessedResult = defineRoute({
  audience: 'business',
  method: 'POST',
  path: '/unassessed-results/:resultID/close',
  tag,
  summary: 'Close a result that waits',
  description: 'Says that a person has dealt with it. It stays in the report that it came with.',
  scope: 'reports:review',
  params: waitingParams,
  body: CloseWaiting,
  answers: { 200: WaitingClosed },
  errors: ['RESULT_NOT_FOUND'],
  handler: async ({ tx, params: { resultID: id }, body }) => {
    await closeWaiting(tx, id, body.note)
    return { status: 200, body: { id, state: 'closed' as const } }
  },
})
