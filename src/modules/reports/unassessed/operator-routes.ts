import { defineRoute } from '../../../platform/http/route.ts'
import { CloseWaiting, OperatorWaitingPage, OperatorWaitingQuery, WaitingClosed, waitingParams } from './schema.ts'
import { closeWaitingOfAll, listWaitingOfAll } from './service.ts'

const tag = 'Operator: review'

export const listUnassessedResultsOfAll = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/unassessed-results',
  tag: tag,
  summary: 'List results that wait for a person, of every business',
  description: 'Critical ones first, then the oldest. What they are: see the same list of a business.',
  scope: 'review',
  query: OperatorWaitingQuery,
  answers: { 200: OperatorWaitingPage },
  accesses: { lists: 'unassessed_result', ids: ({ data }) => data.map(({ id }) => id) },
  handler: async ({ tx, query }) => ({ status: 200, body: await listWaitingOfAll(tx, query) }),
})

export const closeUnassessedResultOfAll = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/unassessed-results/:resultID/close',
  tag: tag,
  summary: 'Close a result that waits',
  scope: 'review',
  params: waitingParams,
  body: CloseWaiting,
  answers: { 200: WaitingClosed },
  errors: ['RESULT_NOT_FOUND'],
  handler: async ({ tx, params: { resultID: id }, body }) => {
    await closeWaitingOfAll(tx, id, body.note)
    return { status: 200, body: { id, state: 'closed' as const } }
  },
})
