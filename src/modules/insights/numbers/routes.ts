import type { SystemTx, Tx } from '../../../platform/database/tx.ts'
import { type Columns, CSV, csvOf, wantsCsv } from '../../../platform/http/csv.ts'
import { defineRoutes } from '../../../platform/http/route.ts'
import * as schema from './schema.ts'
import { creditsUsed, funnel, liveRealmsOf, promised, rejections, turnaround } from './service.ts'

const business = { tag: 'Numbers', scope: 'kits:read' } as const
const operator = {
  tag: 'Operator: numbers',
  scope: ['system', 'businesses'],
  query: schema.OperatorRangeQuery,
} as const
const headers = { vary: 'Accept' }

const realmsOf = async (tx: Tx | SystemTx, query: schema.NumbersRange) =>
  'realm' in tx ? [tx.realm.id] : liveRealmsOf(tx, query)

const funnelColumns: Columns<schema.FunnelRow> = {
  cohort: (row) => row.cohort,
  key: (row) => row.key,
  name: (row) => row.name,
  ordered: (row) => row.ordered,
  delivered: (row) => row.delivered,
  registered: (row) => row.registered,
  returned: (row) => row.returned,
  received: (row) => row.received,
  reported: (row) => row.reported,
  rejected: (row) => row.rejected,
  failed: (row) => row.failed,
  canceled: (row) => row.canceled,
  deliveredShare: (row) => row.shares.delivered,
  registeredShare: (row) => row.shares.registered,
  returnedShare: (row) => row.shares.returned,
  receivedShare: (row) => row.shares.received,
  reportedShare: (row) => row.shares.reported,
  unregistered: (row) => row.unregistered,
  deliveredInferred: (row) => row.inferred.delivered,
  returnedInferred: (row) => row.inferred.returned,
  receivedInferred: (row) => row.inferred.received,
}

const turnaroundColumns: Columns<schema.TurnaroundLeg> = {
  leg: (row) => row.leg,
  kits: (row) => row.kits,
  p50Hours: (row) => row.p50Hours ?? undefined,
  p95Hours: (row) => row.p95Hours ?? undefined,
  why: (row) => row.why,
}

const promiseColumns: Columns<schema.PromiseRow> = {
  type: (row) => row.type,
  name: (row) => row.name,
  promised: (row) => row.promised,
  kept: (row) => row.kept,
  late: (row) => row.late,
  overdue: (row) => row.overdue,
  open: (row) => row.open,
  keptShare: (row) => row.keptShare ?? undefined,
}

const rejectionColumns: Columns<schema.RejectionReason> = {
  reason: (row) => row.reason ?? undefined,
  kits: (row) => row.kits,
  share: (row) => row.share,
}

const creditColumns: Columns<schema.CreditUse> = {
  week: (row) => row.week,
  type: (row) => row.type,
  used: (row) => row.used,
}

export const { business: getFunnel, operator: getFunnelOfAll } = defineRoutes({
  audiences: {
    business,
    operator: {
      ...operator,
      query: schema.OperatorFunnelQuery,
      summary: 'Get how far live kits of all businesses came',
    },
  },
  method: 'GET',
  path: '/numbers/funnel',
  summary: 'Get how far kits came',
  description:
    'Kits by the week or month of their order: how many were delivered, registered, returned, received, reported, rejected, failed or canceled. `Accept: text/csv` gives the rows.',
  query: schema.FunnelQuery,
  answers: { 200: schema.Funnel },
  documents: [CSV],
  handler: async ({ tx, query, accept }) => {
    const body = await funnel(tx, await realmsOf(tx, query), query)
    return wantsCsv(accept) ? csvOf('funnel', funnelColumns, body.rows) : { status: 200, body, headers }
  },
})

export const { business: getTurnaround, operator: getTurnaroundOfAll } = defineRoutes({
  audiences: {
    business,
    operator: { ...operator, summary: 'Get how long each step takes for live kits of all businesses' },
  },
  method: 'GET',
  path: '/numbers/turnaround',
  summary: 'Get how long each step takes',
  description:
    'Of kits ordered in that time: half of them, and nineteen of twenty, took no longer. Legs with a step that nobody recorded are left out. `Accept: text/csv` gives the legs.',
  query: schema.RangeQuery,
  answers: { 200: schema.Turnaround },
  documents: [CSV],
  handler: async ({ tx, query, accept }) => {
    const body = await turnaround(tx, await realmsOf(tx, query), query)
    return wantsCsv(accept) ? csvOf('turnaround', turnaroundColumns, body.legs) : { status: 200, body, headers }
  },
})

export const { business: getPromises, operator: getPromisesOfAll } = defineRoutes({
  audiences: {
    business,
    operator: { ...operator, summary: 'Get how often reports of all businesses came when they were promised' },
  },
  method: 'GET',
  path: '/numbers/promises',
  summary: 'Get how often reports came when they were promised',
  description:
    'Of kits ordered in that time whose sample came while their panel had `promisedDays`, by the promise of that day. `Accept: text/csv` gives the rows.',
  query: schema.RangeQuery,
  answers: { 200: schema.Promises },
  documents: [CSV],
  handler: async ({ tx, query, accept }) => {
    const body = await promised(tx, await realmsOf(tx, query), query)
    return wantsCsv(accept) ? csvOf('promises', promiseColumns, body.rows) : { status: 200, body, headers }
  },
})

export const { business: getRejections, operator: getRejectionsOfAll } = defineRoutes({
  audiences: {
    business,
    operator: { ...operator, summary: 'Get how many live samples of all businesses were rejected, and why' },
  },
  method: 'GET',
  path: '/numbers/rejections',
  summary: 'Get how many samples were rejected, and why',
  description:
    'Of kits ordered in that time. A reason that was said of fewer than 5 kits is counted without its words, because it may name a person. `Accept: text/csv` gives the reasons as a file.',
  query: schema.RangeQuery,
  answers: { 200: schema.Rejections },
  documents: [CSV],
  handler: async ({ tx, query, accept }) => {
    const body = await rejections(tx, await realmsOf(tx, query), query)
    return wantsCsv(accept) ? csvOf('rejections', rejectionColumns, body.reasons) : { status: 200, body, headers }
  },
})

export const { business: getCreditsUsed, operator: getCreditsUsedOfAll } = defineRoutes({
  audiences: {
    business: { ...business, scope: 'credits:read' },
    operator: {
      ...operator,
      summary: 'Get how many credits all businesses use, and for how long the rest will do',
      description:
        'Weeks add up all businesses that are asked for; a forecast is of one business and kit type. `Accept: text/csv` gives the weeks as a file.',
    },
  },
  method: 'GET',
  path: '/numbers/credits',
  summary: 'Get how many credits are used, and for how long the rest will do',
  description:
    'By week, and a plain forecast: the days until zero at the mean of the last 28 days, whatever range is asked for. `Accept: text/csv` gives the weeks as a file.',
  query: schema.RangeQuery,
  answers: { 200: schema.CreditsUsed },
  documents: [CSV],
  handler: async ({ tx, query, accept }) => {
    const body = await creditsUsed(tx, await realmsOf(tx, query), query, { isNamed: !('realm' in tx) })
    return wantsCsv(accept) ? csvOf('credits-used', creditColumns, body.weeks) : { status: 200, body, headers }
  },
})
