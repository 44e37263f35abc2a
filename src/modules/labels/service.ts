import { AppError } from '../../domain/errors.ts'
import { newOpaqueId } from '../../domain/ids.ts'
import { type SystemTx, type Tx, within } from '../../platform/database/tx.ts'
import type { StoredDocument } from '../../platform/http/answer.ts'
import { pagination } from '../../platform/http/fields.ts'
import { refuse } from '../../platform/http/validate.ts'
import type { RealmPorts } from '../../platform/ports/realm-ports.ts'
import * as audit from '../audit/service.ts'
import { placeOf } from '../fulfilment/order-page.ts'
import { lockLiveKits, selectAtWarehouse } from '../fulfilment/queries.ts'
import { AT_WAREHOUSE, type Leg } from '../fulfilment/rules.ts'
import { selectRecalled } from '../kits/recall-queries.ts'
import { kitNotFound } from '../kits/records.ts'
import { boxesForPacking } from '../stock/pack.ts'
import { kitsToSendAgain } from '../undelivered/service.ts'
import { selectActive } from './account-queries.ts'
import { BUY_JOB, unwanted } from './follow.ts'
import * as rows from './queries.ts'
import { packagingOf, totalsOf, wordsOf } from './rules.ts'
import type { ShippingLabel } from './schema.ts'

/** One that is voided must not be printed any more. */
const isPrinted = ({ state }: rows.LabelRow): boolean => state === 'bought' || state === 'used'

function shown(row: rows.LabelRow): ShippingLabel {
  const { reason, code, carrier, service, number, amount, currency, mediaType, file } = row
  return {
    labelID: row.id,
    kitID: row.kitId,
    orderID: row.orderId,
    leg: row.leg,
    state: row.state,
    provider: row.provider,
    ...(carrier && { carrier }),
    ...(service && { service }),
    ...(number && { trackingNumber: number }),
    ...(amount !== null && { amount }),
    ...(currency && { currency }),
    ...(reason && { reason, sentence: wordsOf[reason] }),
    ...(code && { code }),
    hasDocument: file !== null && isPrinted(row),
    ...(mediaType && { mediaType }),
    createdDate: row.createdAt.toISOString(),
    ...(row.boughtAt && { boughtDate: row.boughtAt.toISOString() }),
    changedDate: row.changedAt.toISOString(),
  }
}

const labelNotFound = () => new AppError('LABEL_NOT_FOUND', 'There is no such label')

/** The labels of a live kit, and what its packer has to see to. @throws KIT_NOT_FOUND */
export async function labelsOfKit(tx: SystemTx, kitId: string) {
  const [kit] = await lockLiveKits(tx, [kitId])
  if (!kit) throw kitNotFound()
  return ofKit(tx, within(tx, kit.realm), kitId)
}

async function ofKit(system: SystemTx, tx: Tx, kitId: string) {
  const account = await selectActive(system)
  const found = await rows.selectLabelsOfKit(tx, kitId)
  const country = account && (await rows.selectDestination(tx, kitId))?.recipient?.address.country
  const packaging = account && country !== undefined ? packagingOf(account.definition, country) : undefined
  return { isOn: account !== undefined, labels: found.map(shown), ...(packaging && { packaging }) }
}

/**
 * Has the labels of a kit bought that it lacks: the one out and, where the account says so, the one back. The same again buys nothing.
 * @throws what shipping it in this box would be refused with; LABEL_ACCOUNT_NOT_FOUND
 */
export async function requestLabels(tx: SystemTx, kitId: string, box?: string) {
  const [kit] = await lockLiveKits(tx, [kitId])
  if (!kit) throw kitNotFound()
  const inRealm = within(tx, kit.realm)
  const goesAgain = kit.kitStatus !== 'preparing' && (await kitsToSendAgain(inRealm, [kitId])).has(kitId)
  if (kit.kitStatus !== 'preparing' && !goesAgain)
    throw new AppError('ILLEGAL_TRANSITION', 'This kit does not wait to be packed')
  if ((await selectAtWarehouse(tx, [kitId])).has(kitId)) throw new AppError('ILLEGAL_TRANSITION', AT_WAREHOUSE)
  if ((await selectRecalled(inRealm, [kitId])).get(kitId)?.stopsUse)
    throw new AppError('KIT_RECALLED', 'This kit was recalled: set it apart, and buy no label for it')
  const packed = { kitId, ...(box !== undefined && { box }) }
  const wrongBox = (await boxesForPacking(tx, [packed], new Map([[kitId, { ...kit, isSentAgain: goesAgain }]]))).take(
    packed,
  )
  if (wrongBox) throw wrongBox
  const account = await selectActive(tx)
  if (!account)
    throw new AppError('LABEL_ACCOUNT_NOT_FOUND', 'There is no account for labels: enter the numbers by hand')
  const before = await rows.lockLabels(inRealm, [kitId])
  const isReturnWanted = account.definition.buysReturnLabels && kit.shipment.toLab === undefined
  const legs: readonly Leg[] = isReturnWanted ? ['toUser', 'toLab'] : ['toUser']
  const isThere = (leg: Leg) =>
    before.some((row) => row.leg === leg && (row.state === 'bought' || row.state === 'queued') && !row.isWithdrawn)
  const missing = legs.filter((leg) => !isThere(leg))
  for (const row of before.filter(({ leg, state }) => state === 'refused' && missing.includes(leg)))
    await rows.saveLabel(inRealm, { ...row, state: 'closed' })
  for (const leg of missing) {
    const { orderId } = kit
    const nothing = {
      ...{ shipmentRef: null, rateRef: null, labelRef: null, carrier: null, service: null, number: null, amount: null },
      ...{
        currency: null,
        reason: null,
        code: null,
        digest: null,
        askedAt: null,
        boughtAt: null,
        mediaType: null,
        file: null,
      },
    }
    const made = {
      createdAt: tx.now,
      changedAt: tx.now,
      dueAt: tx.now,
      tries: 0,
      isWithdrawn: false,
      isOnParcel: false,
    }
    const id = newOpaqueId('label')
    await rows.saveLabel(inRealm, {
      ...nothing,
      ...made,
      id,
      kitId,
      orderId,
      leg,
      state: 'queued',
      provider: account.provider,
    })
  }
  if (missing.length > 0) {
    await audit.record(inRealm, [
      { action: 'label.requested', objectType: 'kit', objectId: kitId, details: { legs: missing } },
    ])
    await tx.enqueue(BUY_JOB, { realm: kit.realm, kitId })
  }
  return ofKit(tx, inRealm, kitId)
}

/** The labels of a live order, and what they cost. @throws ORDER_NOT_FOUND */
export async function labelsOfOrder(system: SystemTx, orderId: string) {
  const { tx } = await placeOf(system, orderId)
  const found = await rows.selectLabelsOfOrder(tx, orderId)
  return { labels: found.map(shown), totals: totalsOf(found) }
}

export async function listLabels(tx: SystemTx, filter: rows.LabelFilter) {
  const { rows: found, total } = await rows.selectPageOfAll(tx, filter)
  const data = found.map((row) => ({ ...shown(row), business: row.business }))
  return { data, pagination: pagination(filter.page, filter.size, total) }
}

/** @throws LABEL_NOT_FOUND */
async function locked(system: SystemTx, id: string): Promise<{ tx: Tx; row: rows.LabelRow }> {
  const place = await rows.selectPlaceOfLabel(system, id)
  if (!place) throw labelNotFound()
  const tx = within(system, place.realm)
  const row = (await rows.lockLabels(tx, [place.kitId])).find((one) => one.id === id)
  if (!row) throw labelNotFound()
  return { tx, row }
}

/** A label as it was printed. @throws LABEL_NOT_FOUND, also for one that is not printed */
export async function documentOf(system: SystemTx, id: string): Promise<{ document: StoredDocument }> {
  const { tx, row } = await locked(system, id)
  const { file } = row
  if (!file || !isPrinted(row)) throw labelNotFound()
  const load = async ({ files }: RealmPorts) => ({ body: await files.contentOf(rows.sealedLabels, [id], file) })
  const contentType = row.mediaType ?? 'application/pdf'
  return { document: { contentType, realm: tx.realm, load, shows: [row.kitId] } }
}

/** Voids a label that was not used, or asks again for its refund. @throws LABEL_NOT_FOUND, ILLEGAL_TRANSITION */
export async function voidByHand(system: SystemTx, id: string): Promise<ShippingLabel> {
  const { tx, row } = await locked(system, id)
  if (row.state === 'used' || row.isOnParcel)
    throw new AppError('ILLEGAL_TRANSITION', 'A kit was shipped with this label')
  const again = { state: 'voiding', reason: null, code: null, dueAt: tx.now } as const
  const changes = row.state === 'voidRefused' ? again : unwanted(row, tx.now)
  if (!changes) throw new AppError('ILLEGAL_TRANSITION', 'There is nothing left to void')
  const next = { ...row, ...changes }
  await rows.saveLabel(tx, next)
  await audit.record(tx, [{ action: 'label.voided', objectType: 'kit', objectId: row.kitId, details: { label: id } }])
  await tx.enqueue(BUY_JOB, { realm: tx.realm, kitId: row.kitId })
  return shown(next)
}

/** A person has seen to a label that was refused or is not refunded, or to the price or the file of one that was bought. @throws LABEL_NOT_FOUND, ILLEGAL_TRANSITION */
export async function closeLabel(system: SystemTx, id: string): Promise<ShippingLabel> {
  const { tx, row } = await locked(system, id)
  const isOver = row.state === 'refused' || row.state === 'voidRefused'
  if (!isOver && !(isPrinted(row) && (row.reason === 'price' || row.reason === 'badDocument')))
    throw new AppError('ILLEGAL_TRANSITION', 'This label needs nobody')
  // One that was bought may still be used.
  const next = isOver ? { ...row, state: 'closed' as const, dueAt: null } : { ...row, reason: null, code: null }
  await rows.saveLabel(tx, next)
  await audit.record(tx, [{ action: 'label.closed', objectType: 'kit', objectId: row.kitId, details: { label: id } }])
  return shown(next)
}

/** What labels cost by month, business and currency. @throws VALIDATION_FAILED */
export async function costs(tx: SystemTx, { from, to }: { from: string; to: string }) {
  if (from > to) refuse([{ message: 'The last month is before the first one', path: 'to' }])
  const before = new Date(`${to}-01T00:00:00Z`)
  before.setUTCMonth(before.getUTCMonth() + 1)
  return rows.selectCosts(tx, new Date(`${from}-01T00:00:00Z`), before)
}
