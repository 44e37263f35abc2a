import { operatorRoute } from '../../../platform/http/operator-route.ts'
import { CloseWaiting, OperatorWaitingPage, OperatorWaitingQuery, WaitingClosed, waitingParams } from './schema.ts'
import { closeWaitingOfAll, listWaitingOfAll } from './service.ts'

const tag = 'Operator: review'

export const listWaitingOfEveryBusiness = operatorRoute({
  method: 'GET',
  path: '/unassessed-results',
  id: 'listUnassessedResultsOfAll',
  reads: 'unassessed_result',
  tag: tag,
  summary: 'List results that wait for a person, of every business',
  description: 'Critical ones first, then the oldest. What they are: see the same list of a business.',
  scope: 'review',
  query: OperatorWaitingQuery,
  responses: { 200: OperatorWaitingPage },
  handler: async ({ tx, query }) => ({ status: 200, body: await listWaitingOfAll(tx, query) }),
})

export const closeWaitingOfEveryBusiness = operatorRoute({
  method: 'POST',
  path: '/unassessed-results/:resultID/close',
  id: 'closeUnassessedResultOfAll',
  tag: tag,
  summary: 'Close a result that waits',
  scope: 'review',
  params: waitingParams,
  body: CloseWaiting,
  responses: { 200: WaitingClosed },
  errors: ['RESULT_NOT_FOUND'],
  handler: async ({ tx, params: { resultID: id }, body }) => {
    await closeWaitingOfAll(tx, id, body.note)
    return { status: 200, body: { id, state: 'closed' as const } }
  },
})
