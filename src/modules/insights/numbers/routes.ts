import { CSV, csvOf, wantsCsv } from '../../../platform/http/csv.ts'
import { defineRoute } from '../../../platform/http/route.ts'
import { creditColumns, funnelColumns, promiseColumns, rejectionColumns, turnaroundColumns } from './csv.ts'
import { CreditsUsed, Funnel, FunnelQuery, Promises, RangeQuery, Rejections, Turnaround } from './schema.ts'
import { creditsUsed, funnel, promised, rejections, turnaround } from './service.ts'

const shared = { audience: 'business', method: 'GET', tag: 'Numbers', scope: 'kits:read' } as const
const headers = { vary: 'Accept' }

export const getFunnel = defineRoute({
  ...shared,
  path: '/numbers/funnel',
  summary: 'Get how far kits came',
  description:
    'Kits by the week or month in which they were ordered: how many were delivered, registered, returned, received and reported, and how many were rejected, failed or canceled. `Accept: text/csv` gives the rows as a file.',
  query: FunnelQuery,
  answers: { 200: Funnel },
  documents: [CSV],
  handler: async ({ tx, query, accept }) => {
    const body = await funnel(tx, [tx.realm.id], query)
    return wantsCsv(accept) ? csvOf('funnel', funnelColumns, body.rows) : { status: 200, body, headers }
  },
})

export const getTurnaround = defineRoute({
  ...shared,
  path: '/numbers/turnaround',
  summary: 'Get how long each step takes',
  description:
    'Of kits ordered in that time: half of them, and nineteen of twenty, took no longer. A step that nobody recorded is filled in with the date of the next one; legs with such a step are left out. `Accept: text/csv` gives the legs as a file.',
  query: RangeQuery,
  answers: { 200: Turnaround },
  documents: [CSV],
  handler: async ({ tx, query, accept }) => {
    const body = await turnaround(tx, [tx.realm.id], query)
    return wantsCsv(accept) ? csvOf('turnaround', turnaroundColumns, body.legs) : { status: 200, body, headers }
  },
})

export const getPromises = defineRoute({
  ...shared,
  path: '/numbers/promises',
  summary: 'Get how often reports came when they were promised',
  description:
    'Of kits ordered in that time whose sample came while something was promised of their panel (`promisedDays` of `GET /panels`). Each is measured by what was promised on that day. `Accept: text/csv` gives the rows as a file.',
  query: RangeQuery,
  answers: { 200: Promises },
  documents: [CSV],
  handler: async ({ tx, query, accept }) => {
    const body = await promised(tx, [tx.realm.id], query)
    return wantsCsv(accept) ? csvOf('promises', promiseColumns, body.rows) : { status: 200, body, headers }
  },
})

export const getRejections = defineRoute({
  ...shared,
  path: '/numbers/rejections',
  summary: 'Get how many samples were rejected, and why',
  description:
    'Of kits ordered in that time. A reason that was said of fewer than 5 kits is counted without its words, because it may name a person. `Accept: text/csv` gives the reasons as a file.',
  query: RangeQuery,
  answers: { 200: Rejections },
  documents: [CSV],
  handler: async ({ tx, query, accept }) => {
    const body = await rejections(tx, [tx.realm.id], query)
    return wantsCsv(accept) ? csvOf('rejections', rejectionColumns, body.reasons) : { status: 200, body, headers }
  },
})

export const getCreditsUsed = defineRoute({
  ...shared,
  scope: 'credits:read',
  path: '/numbers/credits',
  summary: 'Get how many credits are used, and for how long the rest will do',
  description:
    'By week, and a plain forecast: the days until zero at the mean of the last 28 days, whatever range is asked for. `Accept: text/csv` gives the weeks as a file.',
  query: RangeQuery,
  answers: { 200: CreditsUsed },
  documents: [CSV],
  handler: async ({ tx, query, accept }) => {
    const body = await creditsUsed(tx, [tx.realm.id], query)
    return wantsCsv(accept) ? csvOf('credits-used', creditColumns, body.weeks) : { status: 200, body, headers }
  },
})
