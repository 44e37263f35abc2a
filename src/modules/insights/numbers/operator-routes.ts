import { CSV, csvOf, wantsCsv } from '../../../platform/http/csv.ts'
import { defineRoute } from '../../../platform/http/route.ts'
import { creditColumns, funnelColumns, promiseColumns, rejectionColumns, turnaroundColumns } from './csv.ts'
import {
  CreditsUsed,
  Funnel,
  OperatorFunnelQuery,
  OperatorRangeQuery,
  Promises,
  Rejections,
  Turnaround,
} from './schema.ts'
import { creditsUsed, funnel, promised, realmsAsked, rejections, turnaround } from './service.ts'

const shared = {
  audience: 'operator',
  method: 'GET',
  tag: 'Operator: numbers',
  scope: ['system', 'businesses'],
} as const
const headers = { vary: 'Accept' }

export const getFunnelOfAll = defineRoute({
  ...shared,
  path: '/numbers/funnel',
  summary: 'Get how far live kits of all businesses came',
  description: 'What it says: see the same of a business. `Accept: text/csv` gives the rows as a file.',
  query: OperatorFunnelQuery,
  answers: { 200: Funnel },
  documents: [CSV],
  handler: async ({ tx, query, accept }) => {
    const body = await funnel(tx, await realmsAsked(tx, query), query)
    return wantsCsv(accept) ? csvOf('funnel', funnelColumns, body.rows) : { status: 200, body, headers }
  },
})

export const getTurnaroundOfAll = defineRoute({
  ...shared,
  path: '/numbers/turnaround',
  summary: 'Get how long each step takes for live kits of all businesses',
  description: 'What it says: see the same of a business. `Accept: text/csv` gives the legs as a file.',
  query: OperatorRangeQuery,
  answers: { 200: Turnaround },
  documents: [CSV],
  handler: async ({ tx, query, accept }) => {
    const body = await turnaround(tx, await realmsAsked(tx, query), query)
    return wantsCsv(accept) ? csvOf('turnaround', turnaroundColumns, body.legs) : { status: 200, body, headers }
  },
})

export const getPromisesOfAll = defineRoute({
  ...shared,
  path: '/numbers/promises',
  summary: 'Get how often reports of all businesses came when they were promised',
  description: 'What it says: see the same of a business. `Accept: text/csv` gives the rows as a file.',
  query: OperatorRangeQuery,
  answers: { 200: Promises },
  documents: [CSV],
  handler: async ({ tx, query, accept }) => {
    const body = await promised(tx, await realmsAsked(tx, query), query)
    return wantsCsv(accept) ? csvOf('promises', promiseColumns, body.rows) : { status: 200, body, headers }
  },
})

export const getRejectionsOfAll = defineRoute({
  ...shared,
  path: '/numbers/rejections',
  summary: 'Get how many live samples of all businesses were rejected, and why',
  description: 'What it says: see the same of a business. `Accept: text/csv` gives the reasons as a file.',
  query: OperatorRangeQuery,
  answers: { 200: Rejections },
  documents: [CSV],
  handler: async ({ tx, query, accept }) => {
    const body = await rejections(tx, await realmsAsked(tx, query), query)
    return wantsCsv(accept) ? csvOf('rejections', rejectionColumns, body.reasons) : { status: 200, body, headers }
  },
})

export const getCreditsUsedOfAll = defineRoute({
  ...shared,
  path: '/numbers/credits',
  summary: 'Get how many credits all businesses use, and for how long the rest will do',
  description:
    'Weeks add up all businesses that are asked for; a forecast is of one business and kit type. `Accept: text/csv` gives the weeks as a file.',
  query: OperatorRangeQuery,
  answers: { 200: CreditsUsed },
  documents: [CSV],
  handler: async ({ tx, query, accept }) => {
    const body = await creditsUsed(tx, await realmsAsked(tx, query), query, { isNamed: true })
    return wantsCsv(accept) ? csvOf('credits-used', creditColumns, body.weeks) : { status: 200, body, headers }
  },
})
