import { type SystemTx, type Tx, within } from '../../platform/database/tx.ts'
import { pagination } from '../../platform/http/fields.ts'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { choose, replaceBox } from './choose.ts'
import type { ParcelOutcome, UndeliveredState } from './decision.ts'
import { selectPage, selectPageOfAll, type UndeliveredOfAllRow } from './queries.ts'
import { toUndelivered } from './record.ts'
import {
  AddressLink,
  AddressLinkInput,
  ChooseAsOperator,
  ChooseUndelivered,
  kitParam,
  ReportUndelivered,
  UndeliveredKit,
  UndeliveredOfAllQuery,
  UndeliveredPage,
  UndeliveredQuery,
} from './schema.ts'
import { addressLink, find, liveRealmOf, report } from './service.ts'

interface Listing {
  page: number
  size: number
  state?: readonly UndeliveredState[] | undefined
  outcome?: readonly ParcelOutcome[] | undefined
  businessID?: readonly string[] | undefined
  kitID?: readonly string[] | undefined
}

const filterOf = ({ page, size, state, outcome, kitID }: Listing) => ({
  page,
  size,
  states: state,
  outcomes: outcome,
  kitIds: kitID,
})

/** Boxes of this realm, those that wait longest first. */
async function listBoxes(tx: Tx, listing: Listing) {
  const { rows, total } = await selectPage(tx, filterOf(listing))
  return { data: rows.map(toUndelivered), pagination: pagination(listing.page, listing.size, total) }
}

/** Live boxes of every business, or of some. */
async function listBoxesOfAll(tx: SystemTx, listing: Listing) {
  const { rows, total } = await selectPageOfAll(tx, { ...filterOf(listing), businessIds: listing.businessID })
  return { data: rows.map(toBoxOfAll), pagination: pagination(listing.page, listing.size, total) }
}

/** Live boxes by their kits. */
async function reportedBoxes(tx: SystemTx, kitIds: readonly string[]): Promise<UndeliveredKit[]> {
  const { rows } = await selectPageOfAll(tx, { kitIds, page: 0, size: kitIds.length })
  return rows.map(toBoxOfAll)
}

function toBoxOfAll(row: UndeliveredOfAllRow): UndeliveredKit {
  const { firstName, lastName, address } = row.recipient
  return {
    ...toUndelivered(row),
    business: { id: row.businessId, name: row.businessName },
    panelName: row.panelName,
    ...(firstName !== null &&
      address !== null && { recipient: { name: [firstName, lastName].filter(Boolean).join(' '), address } }),
  }
}

const operatorTag = 'Operator: fulfilment'
const choiceErrors = [
  'UNDELIVERED_NOT_FOUND',
  'ORDER_NOT_FOUND',
  'ORDER_PACKED',
  'ORDER_NOT_ALLOWED',
  'ILLEGAL_TRANSITION',
] as const
const ofOneBox = {
  params: kitParam,
  realmOf: (tx: SystemTx, { params }: { params: { kitID: string } }) => liveRealmOf(tx, params.kitID),
}

export const listUndeliveredKits = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/undelivered',
  tag: 'Kits',
  summary: 'List boxes that did not reach their recipient',
  description:
    'Those where somebody has to act, the oldest first; `state` lists others. See `GET /kits/:kitID/undelivered`.',
  scope: 'kits:read',
  query: UndeliveredQuery,
  answers: { 200: UndeliveredPage },
  handler: async ({ tx, query }) => ({ status: 200, body: await listBoxes(tx, query) }),
})

// The staff sees the recipient, a business does not.
const readsRecipient = {
  reads: 'kit' as const,
  ids: ({ recipient, kitID }: UndeliveredKit) => (recipient ? [kitID] : []),
}

export const listUndeliveredKitsOfAll = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/undelivered',
  tag: operatorTag,
  summary: 'List live boxes that did not reach their recipient',
  description:
    'Of all businesses: those where somebody has to act, the oldest first, with what to do; `state` lists others.',
  scope: 'fulfilment',
  query: UndeliveredOfAllQuery,
  answers: { 200: UndeliveredPage },
  accesses: { lists: 'kit', ids: ({ data }) => data.filter(({ recipient }) => recipient).map(({ kitID }) => kitID) },
  handler: async ({ tx, query }) => ({ status: 200, body: await listBoxesOfAll(tx, query) }),
})

export const reportUndeliveredKits = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/undelivered',
  tag: operatorTag,
  summary: 'Report a box that came back',
  effects: [],
  description:
    'Or one that a carrier says is lost. All kits of the parcel, or none. `returnedToSender`, `refused` and `damaged` mean that the box is here. The same again changes nothing.',
  scope: 'fulfilment',
  body: ReportUndelivered,
  answers: { 200: UndeliveredPage.pick({ data: true }) },
  errors: ['KIT_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  accesses: { lists: 'kit', ids: ({ data }) => data.filter(({ recipient }) => recipient).map(({ kitID }) => kitID) },
  handler: async ({ tx, body }) => {
    const found = await report(tx, body)
    return {
      status: 200,
      body: {
        data: await reportedBoxes(
          tx,
          found.map(({ kitID }) => kitID),
        ),
      },
    }
  },
})

export const { business: getUndeliveredKit, operator: getUndeliveredKitOfAll } = defineRoutes({
  ...ofOneBox,
  audiences: {
    business: { tag: 'Kits', scope: 'kits:read' },
    operator: { tag: operatorTag, scope: ['fulfilment', 'lab'] },
  },
  method: 'GET',
  path: '/kits/:kitID/undelivered',
  summary: 'Get what became of a box that did not reach its recipient',
  description: 'It stands beside the status of the kit, which goes its own way.',
  answers: { 200: UndeliveredKit },
  errors: ['KIT_NOT_FOUND', 'UNDELIVERED_NOT_FOUND'],
  accesses: readsRecipient,
  handler: async ({ tx, params }) => ({ status: 200, body: await find(tx, params.kitID) }),
})

export const chooseForUndeliveredKit = defineRoute({
  audience: 'business',
  method: 'POST',
  path: '/kits/:kitID/undelivered',
  tag: 'Kits',
  summary: 'Choose what is done with a box that did not reach its recipient',
  effects: ['changes-who-is-told', 'spends'],
  description:
    '`sendAgain`: the same kit goes out again, with the other boxes of its order that came back, to `recipientAddress` or the old address. `replace`: a new kit is sent. `close`: nothing more. Repeated, only the address changes.',
  scope: 'orders:write',
  params: kitParam,
  body: ChooseUndelivered,
  answers: { 200: UndeliveredKit },
  errors: choiceErrors,
  accesses: readsRecipient,
  handler: async ({ tx, params: { kitID }, body: { choice, ...wanted } }) => ({
    status: 200,
    body: await (choice === 'replace' ? replaceBox(tx, kitID, wanted) : choose(tx, kitID, { ...wanted, choice })),
  }),
})

export const chooseForUndeliveredKitOfAll = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/kits/:kitID/undelivered',
  tag: operatorTag,
  summary: 'Choose what is done with a live box, for its business',
  effects: ['changes-who-is-told'],
  description:
    'By the rules of `POST /api/v1/kits/:kitID/undelivered`. The audit of the business has who chose, and the `reason`.',
  scope: 'fulfilment',
  params: kitParam,
  body: ChooseAsOperator,
  answers: { 200: UndeliveredKit },
  errors: ['KIT_NOT_FOUND', ...choiceErrors],
  accesses: readsRecipient,
  handler: async ({ tx, params, body }) => {
    const realm = within(tx, await liveRealmOf(tx, params.kitID))
    return { status: 200, body: await choose(realm, params.kitID, body) }
  },
})

export const { business: linkForUndeliveredKit, operator: linkForUndeliveredKitOfAll } = defineRoutes({
  ...ofOneBox,
  audiences: {
    business: { tag: 'Kits', scope: 'orders:write' },
    operator: { tag: operatorTag, scope: 'fulfilment' },
  },
  method: 'POST',
  path: '/kits/:kitID/undelivered/link',
  summary: 'Ask the recipient where to send a box',
  effects: ['changes-who-is-told'],
  description:
    'Makes a link, valid for 30 days, to a page that shows nothing of the old address and takes a new one; an earlier link of the box ends. It is sent by itself where the order wants e-mails (`isNotifyReceiver`).',
  body: AddressLinkInput.optional(),
  answers: { 200: AddressLink },
  errors: ['KIT_NOT_FOUND', 'UNDELIVERED_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  handler: async ({ tx, params, body }) => ({
    status: 200,
    body: await addressLink(tx, params.kitID, body ?? { email: true }),
  }),
})
