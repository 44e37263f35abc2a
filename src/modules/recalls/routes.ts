import type { z } from 'zod'
import { type SystemTx, within } from '../../platform/database/tx.ts'
import { preferred } from '../../platform/http/accept.ts'
import { CSV } from '../../platform/http/csv.ts'
import { pagination } from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { realmOfKit } from '../kits/locate.ts'
import { selectKitLotsOf, selectLotsOfKit } from '../stock/lot-queries.ts'
import { lotNotFound } from '../stock/lots.ts'
import { type RecallKind, stageOf } from './decision.ts'
import { selectKits, selectLotsOfNumber, selectMeasured, selectTraced } from './kit-queries.ts'
import { recallCsv, recallPdf } from './report.ts'
import {
  KitLots,
  kitParam,
  LotTrace,
  lotParam,
  Preview,
  PreviewQuery,
  Recall,
  RecalledKitOfAllPage,
  RecalledKitOfAllQuery,
  RecalledKitPage,
  RecalledKitQuery,
  RecallInput,
  RecallPage,
  RecallQuery,
  ReleaseInput,
  recallParam,
  TraceQuery,
} from './schema.ts'
import * as recalls from './service.ts'
import { toRecalledKit } from './service.ts'

/** From a kit to all that it is made of and was measured with. @throws KIT_NOT_FOUND */
async function lotsOfKit(tx: SystemTx, kitId: string): Promise<z.input<typeof KitLots>> {
  const realm = within(tx, await realmOfKit(tx, kitId))
  const lots = await selectLotsOfKit(realm, kitId)
  const built = (await selectKitLotsOf(realm, lots)).flatMap(({ components }) => components)
  const parts = new Map(built.map((one) => [`${one.component} ${one.lot}`, one]))
  const measured = await selectMeasured(realm, kitId)
  const { rows } = await selectKits(realm, { kitIds: [kitId], page: 0, size: 100 })
  const found: z.input<typeof KitLots>['lots'] = [
    ...lots.map(({ product, lot }) => ({ kind: 'kitLot' as RecallKind, subject: product, lot })),
    ...[...parts.values()].map(({ component, lot }) => ({ kind: 'componentLot' as const, subject: component, lot })),
    ...measured.map(({ results, ...one }) => ({ ...one, results: [...results] })),
  ]
  return { kitID: kitId, lots: found, recalls: rows.map(toRecalledKit) }
}

/** From the number of a lot to the kits that hold it and their people. @throws LOT_NOT_FOUND */
async function traceLot(tx: SystemTx, number: string, { page, size }: { page: number; size: number }) {
  const lots = await selectLotsOfNumber(tx, number)
  if (lots.length === 0) throw lotNotFound()
  const { rows, total } = await selectTraced(tx, number, { page, size })
  return {
    lots,
    data: rows.map(({ kitId, businessId, businessName, customerId, kind, ...statuses }) => ({
      kitID: kitId,
      business: { id: businessId, name: businessName },
      stage: stageOf(statuses),
      ...(customerId !== null && { customerID: customerId }),
      kind,
    })),
    pagination: pagination(page, size, total),
  }
}

const PDF = 'application/pdf'
const documents = ['application/json', CSV, PDF] as const
const tag = 'Operator: recalls'
const ofOperator = { audience: 'operator', tag, scope: 'fulfilment' } as const

export const listRecalledKits = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/recalled-kits',
  tag: 'Kits',
  summary: 'List kits that were recalled',
  description: 'Newest first.',
  scope: 'kits:read',
  query: RecalledKitQuery,
  answers: { 200: RecalledKitPage },
  handler: async ({ tx, query }) => ({ status: 200, body: await recalls.listKits(tx, query) }),
})

export const previewRecall = defineRoute({
  ...ofOperator,
  method: 'GET',
  path: '/recalls/preview',
  summary: 'Count what a recall would find',
  description: 'Live kits of all businesses, by where they are. Changes nothing.',
  query: PreviewQuery,
  answers: { 200: Preview },
  errors: ['LOT_NOT_FOUND'],
  handler: async ({ tx, query }) => ({ status: 200, body: await recalls.preview(tx, query) }),
})

export const beginRecall = defineRoute({
  ...ofOperator,
  method: 'POST',
  path: '/recalls',
  summary: 'Recall a lot',
  effects: [],
  needsProof: true,
  description:
    'Once it is answered, none of the lot is packed, and its kits are stopped: they are not registered, and nothing of them is published. A job tells people and businesses (`kit.recalled`), rejects samples and sends free kits, and goes on after a crash. The same lot again replaces the reason and the grade; where the grade is worse, those who were told are told again.',
  body: RecallInput,
  answers: { 200: Recall },
  errors: ['LOT_NOT_FOUND'],
  handler: async ({ tx, body }) => ({ status: 200, body: await recalls.begin(tx, body) }),
})

export const listRecalls = defineRoute({
  ...ofOperator,
  method: 'GET',
  path: '/recalls',
  summary: 'List recalls, newest first',
  query: RecallQuery,
  answers: { 200: RecallPage },
  handler: async ({ tx, query }) => ({ status: 200, body: await recalls.list(tx, query) }),
})

export const getRecall = defineRoute({
  ...ofOperator,
  method: 'GET',
  path: '/recalls/:recallID',
  summary: 'Get a recall and how far it is',
  description: '`Accept: text/csv` gives all of its kits, `application/pdf` its report.',
  params: recallParam,
  answers: { 200: Recall },
  documents: [CSV, PDF],
  errors: ['RECALL_NOT_FOUND'],
  effects: ['sends-out'],
  needsProof: (_, accept) => preferred(accept, documents) !== 'application/json',
  handler: async ({ tx, params: { recallID }, accept }) => {
    const wanted = preferred(accept, documents)
    if (wanted === CSV) return recallCsv(tx, recallID)
    if (wanted === PDF) return recallPdf(tx, recallID)
    return { status: 200, body: await recalls.find(tx, recallID), headers: { vary: 'Accept' } }
  },
})

export const listKitsOfRecall = defineRoute({
  ...ofOperator,
  method: 'GET',
  path: '/recalls/:recallID/kits',
  summary: 'List the kits of a recall',
  params: recallParam,
  query: RecalledKitOfAllQuery,
  answers: { 200: RecalledKitOfAllPage },
  errors: ['RECALL_NOT_FOUND'],
  accesses: { lists: 'kit', ids: ({ data }) => data.map(({ kitID }) => kitID) },
  handler: async ({ tx, params, query }) => ({
    status: 200,
    body: await recalls.listKitsOfAll(tx, params.recallID, query),
  }),
})

export const releaseKitsOfRecall = defineRoute({
  ...ofOperator,
  method: 'POST',
  path: '/recalls/:recallID/release',
  summary: 'Release kits from a recall',
  effects: ['publishes'],
  description: 'That were found to be right: they may be used, their reports may be published, and are marked no more.',
  params: recallParam,
  body: ReleaseInput,
  answers: { 200: Recall },
  errors: ['RECALL_NOT_FOUND'],
  handler: async ({ tx, params, body }) => ({
    status: 200,
    body: await recalls.release(tx, params.recallID, body.kitIDs, body.reason),
  }),
})

export const closeRecall = defineRoute({
  ...ofOperator,
  method: 'POST',
  path: '/recalls/:recallID/close',
  summary: 'End a recall',
  effects: [],
  description: 'No further kit is added. What was done stays, and so does the quarantine of the lot.',
  params: recallParam,
  answers: { 200: Recall },
  errors: ['RECALL_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  handler: async ({ tx, params }) => ({ status: 200, body: await recalls.close(tx, params.recallID) }),
})

export const traceLotOfAll = defineRoute({
  ...ofOperator,
  method: 'GET',
  path: '/lots/:lot',
  summary: 'Trace a lot to its kits and people',
  description:
    'By its number: components, kits, runs and reagents that have it, and the live kits that hold one of them.',
  params: lotParam,
  query: TraceQuery,
  answers: { 200: LotTrace },
  errors: ['LOT_NOT_FOUND'],
  accesses: { lists: 'kit', ids: ({ data }) => data.map(({ kitID }) => kitID) },
  handler: async ({ tx, params, query }) => ({ status: 200, body: await traceLot(tx, params.lot, query) }),
})

export const getKitLots = defineRoute({
  ...ofOperator,
  scope: ['fulfilment', 'lab'],
  method: 'GET',
  path: '/kits/:kitID/lots',
  summary: 'Trace a kit to its lots',
  description: 'What it is made of, and the runs and reagents that its laboratory named.',
  params: kitParam,
  answers: { 200: KitLots },
  errors: ['KIT_NOT_FOUND'],
  accesses: { reads: 'kit', ids: ({ kitID }) => [kitID] },
  handler: async ({ tx, params }) => ({ status: 200, body: await lotsOfKit(tx, params.kitID) }),
})
