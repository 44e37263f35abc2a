import type { z } from 'zod'
import { type SystemTx, type Tx, within } from '../../platform/database/tx.ts'
import { pagination } from '../../platform/http/fields.ts'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { discardSample } from './discard.ts'
import { selectPage, selectPageOfAll } from './queries.ts'
import { toHeld } from './record.ts'
import {
  DiscardSample,
  ExtendHold,
  HeldSample,
  HoldOfAllQuery,
  HoldPage,
  HoldQuery,
  HoldSample,
  kitParam,
  MendAsBusiness,
  MendAsOperator,
} from './schema.ts'
import { acknowledge, extend, find, holdSample, liveRealmOf, mend } from './service.ts'

/** Held samples of this realm: released ones first, then those nearest to their end. */
async function listHolds(tx: Tx, { page, size, state, kitID }: z.output<typeof HoldQuery>) {
  const { rows, total } = await selectPage(tx, { page, size, states: state, kitIds: kitID })
  return { data: rows.map((row) => toHeld(row)), pagination: pagination(page, size, total) }
}

/** Live ones of every business, or of some. */
async function listHoldsOfAll(tx: SystemTx, { page, size, state, businessID }: z.output<typeof HoldOfAllQuery>) {
  const { rows, total } = await selectPageOfAll(tx, { page, size, states: state, businessIds: businessID })
  const data = rows.map(({ businessId: id, businessName: name, panelName, ...row }) => ({
    ...toHeld(row),
    business: { id, name },
    panelName,
  }))
  return { data, pagination: pagination(page, size, total) }
}

const operatorTag = 'Operator: laboratory'
const errors = ['KIT_NOT_FOUND', 'HOLD_NOT_FOUND', 'ILLEGAL_TRANSITION'] as const
const readsName = {
  reads: 'kit' as const,
  ids: ({ proposedName, kitID }: HeldSample) => (proposedName ? [kitID] : []),
}
const ofLaboratory = {
  audience: 'operator',
  method: 'POST',
  tag: operatorTag,
  effects: [],
  scope: 'lab',
  params: kitParam,
  answers: { 200: HeldSample },
  errors,
  accesses: { changes: 'kit', ids: ({ kitID }: HeldSample) => [kitID] },
} as const

export const listHeldSamples = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/held-samples',
  tag: 'Kits',
  summary: 'List samples on hold',
  description: 'Released ones first, until the laboratory has seen them; then those nearest to `discardAt`.',
  scope: 'kits:read',
  query: HoldQuery,
  answers: { 200: HoldPage },
  handler: async ({ tx, query }) => ({ status: 200, body: await listHolds(tx, query) }),
})

export const listHeldSamplesOfAll = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/held-samples',
  tag: operatorTag,
  summary: 'List live samples on hold',
  description: 'Of all businesses: released ones first, until `acknowledge`; then those nearest to `discardAt`.',
  scope: 'lab',
  query: HoldOfAllQuery,
  answers: { 200: HoldPage },
  handler: async ({ tx, query }) => ({ status: 200, body: await listHoldsOfAll(tx, query) }),
})

export const { business: getHeldSample, operator: getHeldSampleOfAll } = defineRoutes({
  realmOf: (tx: SystemTx, { params }: { params: { kitID: string } }) => liveRealmOf(tx, params.kitID),
  audiences: {
    business: { tag: 'Kits', scope: 'kits:read' },
    operator: { tag: operatorTag, scope: ['fulfilment', 'lab'] },
  },
  method: 'GET',
  path: '/kits/:kitID/hold',
  summary: 'Get what a sample on hold waits for',
  description: 'It stands beside the status of the kit, which goes its own way.',
  params: kitParam,
  answers: { 200: HeldSample },
  errors: ['KIT_NOT_FOUND', 'HOLD_NOT_FOUND'],
  accesses: readsName,
  handler: async ({ tx, params, access }) => {
    const scopes: ReadonlySet<string> = access.scopes
    return {
      status: 200,
      body: await find(tx, params.kitID, { withName: scopes.has('customers:read') || scopes.has('lab') }),
    }
  },
})

export const mendHeldSample = defineRoute({
  audience: 'business',
  method: 'POST',
  path: '/kits/:kitID/hold/mend',
  tag: 'Kits',
  summary: 'Give what a sample on hold waits for',
  effects: [],
  description:
    'What `requiredActions` has with `business`; all that is sent, or nothing. A registration, a consent and a correction of the customer mend it by their own calls.',
  scope: 'kits:write',
  params: kitParam,
  body: MendAsBusiness,
  answers: { 200: HeldSample },
  errors,
  accesses: readsName,
  handler: async ({ tx, params, body }) => ({ status: 200, body: await mend(tx, params.kitID, body, 'business') }),
})

export const holdSampleOfKit = defineRoute({
  ...ofLaboratory,
  path: '/kits/:kitID/hold',
  summary: 'Put a sample on hold',
  description:
    'Instead of rejecting it, for what somebody can mend. An open hold gets the further `causes`. A cause that is mended already is answered at once: see `state`.',
  body: HoldSample,
  handler: async ({ tx, params, body }) => ({ status: 200, body: await holdSample(tx, params.kitID, body) }),
})

export const mendHeldSampleOfAll = defineRoute({
  ...ofLaboratory,
  path: '/kits/:kitID/hold/mend',
  summary: 'Give what a live sample on hold waits for',
  description: 'What `requiredActions` has with `operator`.',
  body: MendAsOperator,
  handler: async ({ tx, params, body }) => {
    const realm = within(tx, await liveRealmOf(tx, params.kitID))
    return { status: 200, body: await mend(realm, params.kitID, body, 'operator') }
  },
})

export const acknowledgeHeldSample = defineRoute({
  ...ofLaboratory,
  path: '/kits/:kitID/hold/acknowledge',
  summary: 'Acknowledge how a hold ended',
  description: 'It leaves the list. The same again changes nothing.',
  handler: async ({ tx, params }) => ({ status: 200, body: await acknowledge(tx, params.kitID) }),
})

export const extendHold = defineRoute({
  ...ofLaboratory,
  path: '/kits/:kitID/hold/extend',
  summary: 'Keep a sample on hold longer, or shorter',
  description: 'The business hears it, and the audit has the `reason`.',
  body: ExtendHold,
  handler: async ({ tx, params, body }) => ({ status: 200, body: await extend(tx, params.kitID, body) }),
})

export const discardHeldSample = defineRoute({
  ...ofLaboratory,
  path: '/kits/:kitID/hold/discard',
  summary: 'Discard a sample on hold',
  description:
    'The sample is rejected with its causes and the `reason`, as at `discardAt`. A free kit is sent where the setting `replaceDiscarded` of the business says so.',
  body: DiscardSample,
  handler: async ({ tx, params, body }) => ({
    status: 200,
    body: await discardSample(tx, params.kitID, body.reason),
  }),
})
