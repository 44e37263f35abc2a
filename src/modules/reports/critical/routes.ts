import { defineRoute, defineRoutes } from '../../../platform/http/route.ts'
import { named } from '../../customers/named.ts'
import { criticalFigures, criticalFiguresOfAll } from './figures.ts'
import { changeOnCallList, onCallList } from './on-call.ts'
import {
  Acknowledged,
  Acknowledgement,
  CriticalFigures,
  CriticalPage,
  CriticalQuery,
  criticalParams,
  FiguresQuery,
  OnCallList,
  OperatorCriticalFigures,
  OperatorCriticalPage,
} from './schema.ts'
import { acknowledge, listCriticals, listCriticalsOfAll, realmOfCriticalResult } from './service.ts'

const audiences = {
  business: { tag: 'Critical results', scope: 'reports:review' },
  operator: { tag: 'Operator: review', scope: 'review' },
} as const

export const listCriticalResults = defineRoute({
  audience: 'business',
  ...audiences.business,
  method: 'GET',
  path: '/critical-results',
  summary: 'List critical results',
  description:
    'The laboratory marked them `LL`, `HH` or `AA`, or they reach a critical limit of the catalogue. Each raises `result.critical`, and the on-call list is notified, one contact after the other, until somebody acknowledges it. Until then its report is not published.',
  query: CriticalQuery,
  answers: { 200: CriticalPage },
  accesses: { lists: 'critical_result', ids: ({ data }) => data.map(({ id }) => id) },
  handler: async ({ tx, query, access }) => {
    const { data, pagination } = await listCriticals(tx, query)
    return { status: 200, body: { data: await named(tx, access.scopes, data), pagination } }
  },
})

export const listCriticalResultsOfAll = defineRoute({
  audience: 'operator',
  ...audiences.operator,
  method: 'GET',
  path: '/critical-results',
  summary: 'List live critical results of every business',
  description: 'What they are: see the same list of a business.',
  query: CriticalQuery,
  answers: { 200: OperatorCriticalPage },
  accesses: { lists: 'critical_result', ids: ({ data }) => data.map(({ id }) => id) },
  handler: async ({ tx, query }) => ({ status: 200, body: await listCriticalsOfAll(tx, query) }),
})

export const { business: acknowledgeCriticalResult, operator: acknowledgeCriticalResultOfAll } = defineRoutes({
  audiences: {
    ...audiences,
    operator: { ...audiences.operator, summary: 'Acknowledge a critical result of any business' },
  },
  realmOf: (tx, { params }) => realmOfCriticalResult(tx, params.criticalID),
  method: 'POST',
  path: '/critical-results/:criticalID/acknowledge',
  summary: 'Acknowledge a critical result',
  effects: ['publishes'],
  description:
    'Says who takes care of it, and what they read back. With the last one of a report, `publishAcknowledged` of the settings may publish it.',
  params: criticalParams,
  body: Acknowledgement,
  answers: { 200: Acknowledged },
  errors: ['RESULT_NOT_FOUND', 'ILLEGAL_TRANSITION', 'READ_BACK_MISMATCH'],
  handler: async ({ tx, params: { criticalID: id }, body }) => {
    const { open } = await acknowledge(tx, id, body)
    return { status: 200, body: { id, state: 'acknowledged' as const, open } }
  },
})

export const getCriticalFigures = defineRoute({
  audience: 'business',
  ...audiences.business,
  method: 'GET',
  path: '/critical-results/figures',
  summary: 'Get how long critical results waited',
  query: FiguresQuery,
  answers: { 200: CriticalFigures },
  handler: async ({ tx, query }) => ({ status: 200, body: await criticalFigures(tx, query) }),
})

export const getCriticalFiguresOfAll = defineRoute({
  audience: 'operator',
  ...audiences.operator,
  method: 'GET',
  path: '/critical-results/figures',
  summary: 'Get how long live critical results of each business waited',
  query: FiguresQuery,
  answers: { 200: OperatorCriticalFigures },
  handler: async ({ tx, query }) => ({ status: 200, body: await criticalFiguresOfAll(tx, query) }),
})

export const getOnCallList = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/on-call',
  tag: audiences.business.tag,
  summary: 'Get the on-call list',
  scope: 'settings:read',
  answers: { 200: OnCallList },
  handler: async ({ tx }) => ({ status: 200, body: await onCallList(tx) }),
})

export const replaceOnCallList = defineRoute({
  audience: 'business',
  method: 'POST',
  path: '/on-call',
  tag: audiences.business.tag,
  summary: 'Replace the on-call list',
  effects: ['changes-who-is-told'],
  grants: ['onCall'],
  description: 'In this mode only. E-mails of the sandbox are kept and not sent.',
  scope: 'settings:write',
  body: OnCallList,
  answers: { 200: OnCallList },
  handler: async ({ tx, body }) => {
    await changeOnCallList(tx, body.contacts)
    return { status: 200, body: await onCallList(tx) }
  },
})
