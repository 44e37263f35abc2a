import { z } from 'zod'
import { orderId } from '../../domain/id-fields.ts'
import { type Columns, CSV, csvOf, wantsCsv } from '../../platform/http/csv.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { listAccounts, saveAccount, testAccount } from './account.ts'
import * as shapes from './schema.ts'
import * as labels from './service.ts'

const ofLabels = { audience: 'operator', tag: 'Operator: fulfilment', scope: 'fulfilment' } as const
const ofKits = { reads: 'kit' as const, ids: ({ labels: all }: { labels: { kitID: string }[] }) => kitsOf(all) }
const kitsOf = (all: readonly { kitID: string }[]) => [...new Set(all.map(({ kitID }) => kitID))]
const changesKit = { changes: 'kit' as const, ids: ({ kitID }: { kitID: string }) => [kitID] }

export const listLabelAccounts = defineRoute({
  ...ofLabels,
  method: 'GET',
  path: '/label-accounts',
  summary: 'List the accounts at which shipping labels are bought',
  answers: { 200: z.array(shapes.LabelAccount) },
  handler: async ({ tx }) => ({ status: 200, body: await listAccounts(tx) }),
})

export const saveLabelAccount = defineRoute({
  ...ofLabels,
  method: 'POST',
  path: '/label-accounts/:provider',
  summary: 'Say how shipping labels are bought',
  description:
    'Replaces all but the key, which stays where it is left out. One account is in use at a time; the other one keeps its key to void what it sold.',
  scope: 'access',
  effects: ['sends-out'],
  needsProof: true,
  params: shapes.providerParam,
  body: shapes.LabelAccountInput,
  answers: { 200: shapes.LabelAccount },
  handler: async ({ tx, params, body }) => ({ status: 200, body: await saveAccount(tx, params.provider, body) }),
})

export const testLabelAccount = defineRoute({
  ...ofLabels,
  method: 'POST',
  path: '/label-accounts/:provider/test',
  summary: 'Test an account for shipping labels',
  description:
    'Has the service asked for the rates of a parcel from the sender to where samples go. `tested` of the account says what it answered, within some seconds. Nothing is bought.',
  effects: [],
  params: shapes.providerParam,
  answers: { 200: shapes.LabelAccount },
  errors: ['LABEL_ACCOUNT_NOT_FOUND'],
  handler: async ({ tx, params }) => ({ status: 200, body: await testAccount(tx, params.provider) }),
})

export const getKitLabels = defineRoute({
  ...ofLabels,
  method: 'GET',
  path: '/fulfilment/labels/:kitID',
  summary: 'List the shipping labels of a live kit',
  params: shapes.kitParam,
  answers: { 200: shapes.LabelsOfKit },
  errors: ['KIT_NOT_FOUND'],
  accesses: ofKits,
  handler: async ({ tx, params }) => ({ status: 200, body: await labels.labelsOfKit(tx, params.kitID) }),
})

export const buyKitLabels = defineRoute({
  ...ofLabels,
  method: 'POST',
  path: '/fulfilment/labels/:kitID',
  summary: 'Buy the shipping labels of a kit',
  description:
    'A job buys the labels that the kit lacks, within some seconds: `state` says when they are there. The same again buys nothing. The kit is shipped with their numbers by `POST /fulfilment/shipments`; those that are not used are voided.',
  effects: ['sends-out'],
  params: shapes.kitParam,
  query: shapes.LabelRequest,
  answers: { 200: shapes.LabelsOfKit },
  errors: [
    'KIT_NOT_FOUND',
    'ILLEGAL_TRANSITION',
    'KIT_RECALLED',
    'BOX_NOT_FOUND',
    'BOX_REFUSED',
    'LOT_REFUSED',
    'LABEL_ACCOUNT_NOT_FOUND',
  ],
  accesses: { changes: 'kit', ids: ({ labels: all }) => kitsOf(all) },
  handler: async ({ tx, params, query }) => ({
    status: 200,
    body: await labels.requestLabels(tx, params.kitID, query.box),
  }),
})

export const listLabels = defineRoute({
  ...ofLabels,
  method: 'GET',
  path: '/labels',
  summary: 'List shipping labels',
  description:
    'Of live kits of all businesses, those that changed last first. `needsAttention=true`: those where a person must look.',
  query: shapes.LabelQuery,
  answers: { 200: shapes.LabelPage },
  accesses: { lists: 'kit', ids: ({ data }) => kitsOf(data) },
  handler: async ({ tx, query: { state, businessID, ...query } }) => ({
    status: 200,
    body: await labels.listLabels(tx, { ...query, states: state, businessIds: businessID }),
  }),
})

const binary = z.string().meta({ format: 'binary' })

export const getLabelDocument = defineRoute({
  ...ofLabels,
  method: 'GET',
  path: '/labels/:labelID/document',
  summary: 'Get a shipping label to print',
  description: 'PDF or PNG, as the account says, until 60 days after it was bought.',
  params: shapes.labelParam,
  answers: { 200: binary },
  documents: ['application/pdf', 'image/png'],
  errors: ['LABEL_NOT_FOUND'],
  accesses: { reads: 'kit', ids: () => [] },
  handler: async ({ tx, params }) => {
    const { document } = await labels.documentOf(tx, params.labelID)
    return { status: 200, document, headers: { 'cache-control': 'private, no-store' } }
  },
})

export const voidLabel = defineRoute({
  ...ofLabels,
  method: 'POST',
  path: '/labels/:labelID/void',
  summary: 'Void a shipping label',
  description:
    'One that was not used; or asks again for the refund of one whose refund was refused. Carriers take up to 30 days.',
  effects: ['sends-out'],
  params: shapes.labelParam,
  answers: { 200: shapes.ShippingLabel },
  errors: ['LABEL_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  accesses: changesKit,
  handler: async ({ tx, params }) => ({ status: 200, body: await labels.voidByHand(tx, params.labelID) }),
})

export const closeLabel = defineRoute({
  ...ofLabels,
  method: 'POST',
  path: '/labels/:labelID/close',
  summary: 'Close a shipping label that a person has seen to',
  description:
    'One that was refused or is not refunded, or whose price or file was not as it should be: that one may still be used. The label service is told nothing.',
  effects: [],
  params: shapes.labelParam,
  answers: { 200: shapes.ShippingLabel },
  errors: ['LABEL_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  accesses: changesKit,
  handler: async ({ tx, params }) => ({ status: 200, body: await labels.closeLabel(tx, params.labelID) }),
})

export const getOrderLabels = defineRoute({
  ...ofLabels,
  method: 'GET',
  path: '/orders/:orderID/labels',
  summary: 'List the shipping labels of a live order',
  description: 'With what they cost.',
  params: z.object({ orderID: orderId }),
  answers: { 200: shapes.LabelsOfOrder },
  errors: ['ORDER_NOT_FOUND'],
  accesses: ofKits,
  handler: async ({ tx, params }) => ({ status: 200, body: await labels.labelsOfOrder(tx, params.orderID) }),
})

const costColumns: Columns<z.infer<typeof shapes.LabelCosts>[number]> = {
  month: ({ month }) => month,
  businessID: ({ business }) => business.id,
  business: ({ business }) => business.name,
  currency: ({ currency }) => currency,
  labels: (row) => row.labels,
  outbound: ({ outbound }) => outbound,
  onUse: ({ onUse }) => onUse,
  voided: ({ voided }) => voided,
}

export const getLabelCosts = defineRoute({
  ...ofLabels,
  method: 'GET',
  path: '/label-costs',
  summary: 'Sum up what shipping labels cost',
  description:
    'By the month (UTC) in which they were bought, business and currency, in minor units. `Accept: text/csv` gives the rows.',
  query: shapes.CostQuery,
  answers: { 200: shapes.LabelCosts },
  documents: [CSV],
  handler: async ({ tx, query, accept }) => {
    const body = await labels.costs(tx, query)
    return wantsCsv(accept)
      ? csvOf('label-costs', costColumns, body)
      : { status: 200, body, headers: { vary: 'Accept' } }
  },
})
