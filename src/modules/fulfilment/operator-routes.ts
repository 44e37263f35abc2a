import { XLSX } from '@kitlane/display/workbook-kind'
import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import { type SystemTx, within } from '../../platform/database/tx.ts'
import { CSV, wantedTable } from '../../platform/http/csv.ts'
import { anyText, isTrueOrBare, Pagination, pagination } from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import * as audit from '../audit/service.ts'
import { idsOfPersonalKits } from '../kits/health-access.ts'
import { applyChanges, lockKit } from '../kits/move.ts'
import { selectRecallSent } from '../kits/recall-queries.ts'
import { kitNotFound, stateOf } from '../kits/records.ts'
import { advance, current } from '../kits/rules.ts'
import { KitRecord, kitParams } from '../kits/schema.ts'
import { unbind } from '../stock/pack.ts'
import { maybeFindRow } from '../undelivered/service.ts'
import { receiveCarrierEvents } from './carrier.ts'
import { selectEvents } from './carrier-queries.ts'
import * as claims from './claims.ts'
import { packedOf, readShipments } from './csv.ts'
import { deleteParcelsOf, hasCarrierEvents, lockLiveKits, lockPacking, selectLeftWarehouse } from './queries.ts'
import { MOST_IN_FILE, queueFile } from './queue-file.ts'
import { listQueue, scan } from './scan.ts'
import {
  CarrierEvents,
  Claimed,
  ClaimInput,
  CsvAnswer,
  HeardEvent,
  ListCarrierEvents,
  Queue,
  QueueQuery,
  ReleaseQuery,
  Scanned,
  ShipInput,
  type ShippedRow,
  StoredCarrierEvent,
} from './schema.ts'
import { ship } from './ship.ts'

// As long as a box may lie on the table: later it is in the carrier's hands.
const UNDONE_WITHIN_MS = 15 * 60_000

const SENT_AGAIN =
  'This kit had come back and was sent again: if it is still here, report it as returned, and put a new label on it'
const RECALLED =
  'This kit was recalled, and its person was told of that, or another one was sent: report this one as returned, and destroy it'

const LEFT_WAREHOUSE =
  'A parcel of this kit left a warehouse, so it is not packed again: if its box is here, report it as returned; otherwise tell the recipient, and replace it'

const refusal = (why: string) => new AppError('ILLEGAL_TRANSITION', why)

/**
 * Takes a shipment back that was noted by mistake: the kit waits to be packed again, and its numbers are free.
 * @throws KIT_NOT_FOUND; ILLEGAL_TRANSITION after 15 minutes, an event of the carrier, a further step of the kit, a parcel that left a warehouse, or a recall of which its person was told
 */
async function unship(tx: SystemTx, kitId: string): Promise<KitRecord> {
  await lockPacking(tx)
  const [found] = await lockLiveKits(tx, [kitId])
  if (!found) throw kitNotFound()
  const inRealm = within(tx, found.realm)
  const kit = await lockKit(inRealm, kitId)
  const { toUser, toLab } = kit.shipment
  if (!toUser || current(stateOf(kit)) !== 'kitInTransit')
    throw refusal('Only a kit that was just shipped can be taken back')
  if (tx.now.getTime() - Date.parse(toUser.date) > UNDONE_WITHIN_MS)
    throw refusal('This kit was shipped more than 15 minutes ago: it is with the carrier')
  const numbers = [toUser.trackingNumber, ...(toLab ? [toLab.trackingNumber] : [])]
  if (await hasCarrierEvents(tx, numbers)) throw refusal('The carrier has this parcel already')
  if ((await maybeFindRow(inRealm, kitId))?.state === 'sentAgain') throw refusal(SENT_AGAIN)
  if ((await selectRecallSent(inRealm, kitId)).isGivenUp) throw refusal(RECALLED)
  const parcel = await selectLeftWarehouse(inRealm, kitId)
  if (parcel && !parcel.isByHand) throw refusal(LEFT_WAREHOUSE)
  const steps = advance(stateOf(kit), 'kitPreparing', { at: tx.now, force: true })
  const [record] = await applyChanges(inRealm, [{ kit, steps, besides: { shipment: {} } }])
  await unbind(tx, kitId, parcel?.serials)
  await deleteParcelsOf(tx, found.realmId, kit.orderId)
  await audit.record(inRealm, [{ action: 'kit.unshipped', objectType: 'kit', objectId: kitId }])
  if (!record) throw kitNotFound()
  return record
}

const tag = 'Operator: fulfilment'

export const listKitsToPack = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/fulfilment/queue',
  tag,
  summary: 'List live kits to pack, oldest first',
  description: `Of all businesses. Kits exist once their order is paid. \`Accept: text/csv\`, or the type of .xlsx, gives the first ${MOST_IN_FILE} with their addresses as a file, whose last columns make it one of shipments.`,
  scope: 'fulfilment',
  query: QueueQuery,
  answers: { 200: Queue },
  documents: [CSV, XLSX],
  effects: ['sends-out'],
  needsProof: (_, accept) => wantedTable(accept) !== undefined,
  accesses: { lists: 'kit', ids: ({ data }) => data.filter(({ recipient }) => recipient).map(({ kitID }) => kitID) },
  handler: async ({ tx, accept, query: { page, size, businessID } }) => {
    const format = wantedTable(accept)
    if (format)
      return queueFile((await listQueue(tx, { businessIds: businessID, page: 0, size: MOST_IN_FILE })).kits, format)
    const { kits, total } = await listQueue(tx, { businessIds: businessID, page, size })
    return { status: 200, body: { data: kits, pagination: pagination(page, size, total) }, headers: { vary: 'Accept' } }
  },
})

export const claimKit = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/fulfilment/claims',
  tag,
  summary: 'Take a kit to pack',
  effects: [],
  description:
    'Gives a kit to one packer for ten minutes; the same call renews it. It is free again when it is shipped or released, when the packer takes another, and after ten minutes without a call.',
  scope: 'fulfilment',
  body: ClaimInput,
  answers: { 200: Claimed },
  errors: ['KIT_NOT_FOUND', 'KIT_CLAIMED', 'ILLEGAL_TRANSITION'],
  handler: async ({ tx, body, access: { callerId } }) => {
    const { station, kitID, businessID, skip } = body
    return {
      status: 200,
      body: await claims.claimKit(tx, { callerId, station }, { kitId: kitID, businessId: businessID, skip }),
    }
  },
})

export const releaseKit = defineRoute({
  audience: 'operator',
  method: 'DELETE',
  path: '/fulfilment/claims/:kitID',
  tag,
  summary: 'Put a kit back that was not packed',
  effects: [],
  description: 'Nothing happens to a kit that another packer has.',
  scope: 'fulfilment',
  params: kitParams,
  query: ReleaseQuery,
  answers: { 200: z.object({ kitID: z.string(), released: z.boolean() }) },
  handler: async ({ tx, params: { kitID }, query: { station }, access: { callerId } }) => ({
    status: 200,
    body: { kitID, released: await claims.releaseKit(tx, { callerId, station }, kitID) },
  }),
})

export const shipKit = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/fulfilment/shipments',
  tag,
  summary: 'Ship a kit',
  effects: [],
  description:
    'Keeps the tracking numbers and moves the kit to `kitInTransit`. A parcel out may hold several kits of one order; a return label is one kit’s. `box` puts the kit into a sealed box of the stock, which has to be of its kit type and not too close to its expiry. The same again changes nothing.',
  scope: 'fulfilment',
  body: ShipInput,
  answers: { 200: z.object({ kit: KitRecord }) },
  accesses: { reads: 'kit', ids: ({ kit }) => idsOfPersonalKits([kit]) },
  errors: [
    'KIT_NOT_FOUND',
    'ILLEGAL_TRANSITION',
    'TRACKING_NUMBER_TAKEN',
    'BOX_NOT_FOUND',
    'BOX_REFUSED',
    'LOT_REFUSED',
    'KIT_RECALLED',
  ],
  handler: async ({ tx, body }) => {
    const [shipped] = await ship(tx, [packedOf(body)])
    if (shipped?.status === 'failed') throw shipped.why
    const { kit } = await scan(tx, body.kitID, { recipient: false })
    return { status: 200, body: { kit } }
  },
})

export const takeShipmentBack = defineRoute({
  audience: 'operator',
  method: 'DELETE',
  path: '/fulfilment/shipments/:kitID',
  tag,
  summary: 'Take a shipment back',
  effects: [],
  description:
    'For 15 minutes, while the carrier has said nothing: the kit waits to be packed again and its tracking numbers are free, and its box is in stock again. A kit whose parcel left a warehouse is not packed again: only what a person recorded of it is taken back, and recorded again. An e-mail that told of the shipment is not unsent.',
  scope: 'fulfilment',
  params: kitParams,
  answers: { 200: z.object({ kit: KitRecord }) },
  accesses: { reads: 'kit', ids: ({ kit }) => idsOfPersonalKits([kit]) },
  errors: ['KIT_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  handler: async ({ tx, params }) => ({ status: 200, body: { kit: await unship(tx, params.kitID) } }),
})

export const shipKitsFromCsv = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/fulfilment/shipments/csv',
  tag,
  summary: 'Ship kits from a spreadsheet',
  effects: [],
  description:
    'As `text/csv` or a workbook (.xlsx): columns `kitID,carrier,outbound,return`, `returnCarrier` where it is another, and `box` for kits in sealed boxes; at most 2,000 rows. A row that is wrong does not hold up the others, and the same file again changes nothing. `dryRun=true` only says what would happen.',
  scope: 'fulfilment',
  query: z.object({ dryRun: isTrueOrBare.prefault('false') }),
  body: z.string().meta({ description: 'text/csv, or .xlsx.' }),
  bodyLimitBytes: 1024 * 1024,
  answers: { 200: CsvAnswer },
  prepare: async ({ body }) => readShipments(body),
  handler: async ({ tx, query: { dryRun }, prepared: read }) => {
    const right = read.flatMap(({ packed }) => packed ?? [])
    const answers = await ship(tx, right, { dryRun })
    const outcomes = new Map(right.map((packed, index) => [packed, answers[index]]))
    const rows = read.map(({ line, kitId, packed, problem }): ShippedRow => {
      const outcome = packed && outcomes.get(packed)
      if (outcome && outcome.status !== 'failed') return { row: line, kitID: kitId, status: outcome.status }
      return { row: line, kitID: kitId, status: 'failed', error: outcome?.why.message ?? problem }
    })
    const count = (status: ShippedRow['status']) => rows.filter((row) => row.status === status).length
    const counts = { shipped: count('shipped'), already: count('already'), failed: count('failed') }
    return { status: 200, body: { dryRun, ...counts, rows } }
  },
})

export const scanKit = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/fulfilment/kits/:code',
  tag,
  summary: 'Look up what was scanned',
  description:
    'A kit ID, the code of its sealed box, a tracking number, or a laboratory’s accession: the live kit, and what to do with it.',
  scope: ['fulfilment', 'lab'],
  params: z.object({ code: anyText(400) }),
  answers: { 200: Scanned },
  errors: ['KIT_NOT_FOUND'],
  accesses: { reads: 'kit', ids: ({ kit, recipient }) => (recipient ? [kit.kitID] : idsOfPersonalKits([kit])) },
  handler: async ({ tx, params, access }) => ({
    status: 200,
    body: await scan(tx, params.code, { recipient: access.scopes.has('fulfilment') }),
  }),
})

export const recordCarrierEvents = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/carrier-events',
  tag,
  summary: 'Record what carriers say',
  effects: [],
  description:
    'Moves the kits in the parcels. Each event counts once; what is older than what is known changes nothing. A delivery at the laboratory leaves the sample in transit until it is received there.',
  scope: 'fulfilment',
  body: CarrierEvents,
  answers: { 200: z.object({ events: z.array(HeardEvent) }) },
  handler: async ({ tx, body }) => ({
    status: 200,
    body: { events: await receiveCarrierEvents(tx, 'operator', body) },
  }),
})

export const listCarrierEvents = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/carrier-events',
  tag,
  summary: 'List what carriers said, newest first',
  description: '`status=unmatched`: about numbers that no kit was shipped under. They count once one is.',
  scope: 'fulfilment',
  query: ListCarrierEvents,
  answers: { 200: z.object({ data: z.array(StoredCarrierEvent), pagination: Pagination }) },
  handler: async ({ tx, query: { page, size, status, trackingNumber } }) => {
    const { rows, total } = await selectEvents(tx, { outcomes: status, trackingNumbers: trackingNumber, page, size })
    const data = rows.map(({ eventId, source, trackingNumber, status, message, at, receivedAt, outcome }) => ({
      id: eventId,
      source,
      trackingNumber,
      status,
      outcome,
      ...(message && { message }),
      at: at.toISOString(),
      receivedDate: receivedAt.toISOString(),
    }))
    return { status: 200, body: { data, pagination: pagination(page, size, total) } }
  },
})
