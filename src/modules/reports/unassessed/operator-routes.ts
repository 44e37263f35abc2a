import { defineRoute } from '../../../platform/http/route.ts'
import { addAlias } from '../../catalogue/edit.ts'
import { assignWaiting } from '../versions/assign.ts'
import {
  AddAlias,
  AliasAdded,
  AssignWaiting,
  assignedAnswer,
  CloseWaiting,
  DismissWaiting,
  OperatorWaitingPage,
  OperatorWaitingQuery,
  WaitingAssigned,
  WaitingClosed,
  waitingParams,
} from './schema.ts'
import { dismissWaiting, listWaitingOfAll, nameOfWaiting, realmOfWaiting } from './service.ts'

const tag = 'Operator: review'

export const listUnassessedResultsOfAll = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/unassessed-results',
  tag,
  summary: 'List results that wait for a person, of every business',
  description: 'Critical ones first, then the oldest. What they are: see the same list of a business.',
  scope: 'review',
  query: OperatorWaitingQuery,
  answers: { 200: OperatorWaitingPage },
  accesses: { lists: 'unassessed_result', ids: ({ data }) => data.map(({ id }) => id) },
  handler: async ({ tx, query }) => ({ status: 200, body: await listWaitingOfAll(tx, query) }),
})

export const assignUnassessedResultOfAll = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/unassessed-results/:resultID/assign',
  tag,
  summary: 'Assign a result that waits to a biomarker',
  effects: ['publishes'],
  description: 'What it does: see the same of a business.',
  scope: 'review',
  params: waitingParams,
  body: AssignWaiting,
  answers: { 200: WaitingAssigned },
  errors: ['RESULT_NOT_FOUND', 'CUSTOMER_NOT_FOUND', 'KIT_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  handler: async ({ tx, params: { resultID: id }, body }) => ({
    status: 200,
    body: assignedAnswer(id, await assignWaiting(await realmOfWaiting(tx, id), id, body)),
  }),
})

export const dismissUnassessedResultOfAll = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/unassessed-results/:resultID/dismiss',
  tag,
  summary: 'Dismiss a result that waits, with a reason',
  effects: [],
  scope: 'review',
  params: waitingParams,
  body: DismissWaiting,
  answers: { 200: WaitingClosed },
  errors: ['RESULT_NOT_FOUND'],
  handler: async ({ tx, params: { resultID: id }, body }) => {
    await dismissWaiting(await realmOfWaiting(tx, id), id, body.reason)
    return { status: 200, body: { id, state: 'closed' as const } }
  },
})

export const addUnassessedName = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/unassessed-results/:resultID/alias',
  tag,
  summary: "Add a result's name to the catalogue",
  effects: [],
  description:
    'Makes a version of the biomarker with the name as it was sent as one more alias, for results that come from now on, of every business. The result itself waits on until it is assigned. Refused where the name means another biomarker, an earlier result or another specimen.',
  scope: 'catalogue',
  params: waitingParams,
  body: AddAlias,
  answers: { 200: AliasAdded },
  errors: ['RESULT_NOT_FOUND', 'BIOMARKER_NOT_FOUND'],
  handler: async ({ tx, params: { resultID: id }, body }) => ({
    status: 200,
    body: await addAlias(tx, await nameOfWaiting(tx, id), body),
  }),
})

export const closeUnassessedResultOfAll = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/unassessed-results/:resultID/close',
  tag,
  summary: 'Close a result that waits',
  effects: [],
  description: 'The older name of dismissing one.',
  scope: 'review',
  params: waitingParams,
  body: CloseWaiting,
  answers: { 200: WaitingClosed },
  errors: ['RESULT_NOT_FOUND'],
  handler: async ({ tx, params: { resultID: id }, body }) => {
    await dismissWaiting(await realmOfWaiting(tx, id), id, body.note)
    return { status: 200, body: { id, state: 'closed' as const } }
  },
})
