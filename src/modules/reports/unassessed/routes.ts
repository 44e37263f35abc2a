import type { SystemTx } from '../../../platform/database/tx.ts'
import { defineRoute, defineRoutes } from '../../../platform/http/route.ts'
import { addAlias } from '../../catalogue/edit.ts'
import { named } from '../../customers/named.ts'
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
  WaitingPage,
  WaitingQuery,
  waitingParams,
} from './schema.ts'
import { dismissWaiting, listWaiting, listWaitingOfAll, nameOfWaiting, realmOfWaiting } from './service.ts'

const audiences = {
  business: { tag: 'Results that wait', scope: 'reports:review' },
  operator: { tag: 'Operator: review', scope: 'review' },
} as const
const description =
  'Results that were received and not judged, such as unknown names, words instead of numbers, and other specimens. Each has a reason; critical ones come first, then the oldest. A person publishes the report of a critical one.'

const ofOneResult = {
  audiences,
  realmOf: (tx: SystemTx, { params }: { params: { resultID: string } }) => realmOfWaiting(tx, params.resultID),
}

export const listUnassessedResults = defineRoute({
  audience: 'business',
  ...audiences.business,
  method: 'GET',
  path: '/unassessed-results',
  summary: 'List results that wait for a person',
  description,
  query: WaitingQuery,
  answers: { 200: WaitingPage },
  accesses: { lists: 'unassessed_result', ids: ({ data }) => data.map(({ id }) => id) },
  handler: async ({ tx, query, access }) => {
    const { data, pagination } = await listWaiting(tx, query)
    return { status: 200, body: { data: await named(tx, access.scopes, data), pagination } }
  },
})

export const listUnassessedResultsOfAll = defineRoute({
  audience: 'operator',
  ...audiences.operator,
  method: 'GET',
  path: '/unassessed-results',
  summary: 'List results that wait for a person, of every business',
  description: 'Critical ones first, then the oldest. What they are: see the same list of a business.',
  query: OperatorWaitingQuery,
  answers: { 200: OperatorWaitingPage },
  accesses: { lists: 'unassessed_result', ids: ({ data }) => data.map(({ id }) => id) },
  handler: async ({ tx, query }) => ({ status: 200, body: await listWaitingOfAll(tx, query) }),
})

export const { business: assignUnassessedResult, operator: assignUnassessedResultOfAll } = defineRoutes({
  ...ofOneResult,
  method: 'POST',
  path: '/unassessed-results/:resultID/assign',
  summary: 'Assign a result that waits to a biomarker',
  effects: ['publishes'],
  description:
    'It is judged in a new version of its report, with its value, range and flag as they were sent. Refused if the unit cannot be converted, the value is no number, or the report has a result of this biomarker.',
  params: waitingParams,
  body: AssignWaiting,
  answers: { 200: WaitingAssigned },
  errors: ['RESULT_NOT_FOUND', 'CUSTOMER_NOT_FOUND', 'KIT_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  handler: async ({ tx, params: { resultID: id }, body }) => ({
    status: 200,
    body: assignedAnswer(id, await assignWaiting(tx, id, body)),
  }),
})

export const { business: dismissUnassessedResult, operator: dismissUnassessedResultOfAll } = defineRoutes({
  ...ofOneResult,
  method: 'POST',
  path: '/unassessed-results/:resultID/dismiss',
  summary: 'Dismiss a result that waits, with a reason',
  effects: [],
  description:
    'Says that a person has dealt with it. It stays in the report that it came with, and with what authorities have to be told.',
  params: waitingParams,
  body: DismissWaiting,
  answers: { 200: WaitingClosed },
  errors: ['RESULT_NOT_FOUND'],
  handler: async ({ tx, params: { resultID: id }, body }) => {
    await dismissWaiting(tx, id, body.reason, body.authority)
    return { status: 200, body: { id, state: 'closed' as const } }
  },
})

export const { business: closeUnassessedResult, operator: closeUnassessedResultOfAll } = defineRoutes({
  ...ofOneResult,
  method: 'POST',
  path: '/unassessed-results/:resultID/close',
  summary: 'Close a result that waits',
  effects: [],
  description: 'The older name of dismissing one.',
  params: waitingParams,
  body: CloseWaiting,
  answers: { 200: WaitingClosed },
  errors: ['RESULT_NOT_FOUND'],
  handler: async ({ tx, params: { resultID: id }, body }) => {
    await dismissWaiting(tx, id, body.note, body.authority)
    return { status: 200, body: { id, state: 'closed' as const } }
  },
})

export const addUnassessedName = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/unassessed-results/:resultID/alias',
  tag: audiences.operator.tag,
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
