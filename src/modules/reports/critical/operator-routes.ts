import { defineRoute } from '../../../platform/http/route.ts'
import { criticalFiguresOfAll } from './figures.ts'
import {
  Acknowledged,
  Acknowledgement,
  CriticalQuery,
  criticalParams,
  FiguresQuery,
  OperatorCriticalFigures,
  OperatorCriticalPage,
} from './schema.ts'
import { acknowledgeOfAll, listCriticalsOfAll } from './service.ts'

const tag = 'Operator: review'

export const listCriticalResultsOfAll = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/critical-results',
  tag,
  summary: 'List live critical results of every business',
  description: 'What they are: see the same list of a business.',
  scope: 'review',
  query: CriticalQuery,
  answers: { 200: OperatorCriticalPage },
  accesses: { lists: 'critical_result', ids: ({ data }) => data.map(({ id }) => id) },
  handler: async ({ tx, query }) => ({ status: 200, body: await listCriticalsOfAll(tx, query) }),
})

export const acknowledgeCriticalResultOfAll = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/critical-results/:criticalID/acknowledge',
  tag,
  summary: 'Acknowledge a critical result of any business',
  effects: ['publishes'],
  scope: 'review',
  params: criticalParams,
  body: Acknowledgement,
  answers: { 200: Acknowledged },
  errors: ['RESULT_NOT_FOUND', 'ILLEGAL_TRANSITION', 'READ_BACK_MISMATCH'],
  handler: async ({ tx, params: { criticalID: id }, body }) => {
    const { open } = await acknowledgeOfAll(tx, id, body)
    return { status: 200, body: { id, state: 'acknowledged' as const, open } }
  },
})

export const getCriticalFiguresOfAll = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/critical-results/figures',
  tag,
  summary: 'Get how long live critical results of each business waited',
  scope: 'review',
  query: FiguresQuery,
  answers: { 200: OperatorCriticalFigures },
  handler: async ({ tx, query }) => ({ status: 200, body: await criticalFiguresOfAll(tx, query) }),
})
