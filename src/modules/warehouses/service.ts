import { type Sentence, sentence } from '@kitlane/display/sentence'
import { AppError } from '../../domain/errors.ts'
import { type SystemTx, type Tx, within } from '../../platform/database/tx.ts'
import { pagination } from '../../platform/http/fields.ts'
import { refuse } from '../../platform/http/validate.ts'
import * as audit from '../audit/service.ts'
import { publicKitType } from '../catalogue/kit-type.ts'
import { type LockedKit, lockLiveKits, lockPacking } from '../fulfilment/queries.ts'
import { selectRecallOf } from '../kits/recall-queries.ts'
import { type Destination, digestOf } from '../labels/queries.ts'
import { boxHistory } from '../stock/service.ts'
import { unwanted, WORK_JOB } from './follow.ts'
import { destinationsOf } from './match.ts'
import {
  isNamedElsewhere,
  isThere,
  type ListedOrder,
  lockOrders,
  type OrderFilter,
  type OrderRow,
  saveOrder,
  selectPage,
  selectWarehouses,
} from './queries.ts'
import { noteContents, recordParcel } from './record.ts'
import {
  ASKED_EVERY_MS,
  choicesOf,
  heardOf,
  type LeftParcel,
  mayBeTwo,
  namesOf,
  needsSerial,
  problemOfParcel,
  productOf,
  referenceOf,
  sentenceOf,
} from './rules.ts'
import type { CancelReason, Choice, ChoiceInput, WarehouseOrder } from './schema.ts'

/** Why a kit is not to be sent as the warehouse has it. */
async function cancelReasonOf(
  system: SystemTx,
  { realm, kitId, kitStatus, state, digest }: ListedOrder,
  to: Destination | undefined,
): Promise<CancelReason | undefined> {
  if (!isThere({ state }) || state === 'queued' || state === 'sent') return undefined
  if (!to?.recipient) return 'erased'
  if (kitStatus === 'canceled') return 'canceled'
  const tx = within(system, realm)
  if ((await selectRecallOf(tx, kitId))?.stopsUse) return 'recalled'
  return digest && !digest.equals(await digestOf(tx, to.recipient)) ? 'addressCorrected' : undefined
}

/** What stock says of a box that left and was refused. */
async function problemOfBox(tx: SystemTx, { reason, serial, kitType }: ListedOrder): Promise<Sentence | undefined> {
  if (reason !== 'boxRefused' || serial === null) return undefined
  try {
    const { box, problem } = await boxHistory(tx, serial, publicKitType(kitType))
    return box.kitID ? sentence('Box {serial} is on kit {kit} already.', { serial, kit: box.kitID }) : problem
  } catch (err) {
    if (err instanceof AppError) return undefined
    throw err
  }
}

const toParcel = ({ number, carrier, serials, lots }: LeftParcel) => ({
  ...(number && { trackingNumber: number }),
  carrier,
  serials: [...serials],
  lots: [...lots],
})

async function shown(tx: SystemTx, row: ListedOrder, to: Destination | undefined): Promise<WarehouseOrder> {
  const { kitId, orderId, business, warehouseId, state, reason, code, carrier, number, serial, lot, parcels } = row
  const cancelReason = await cancelReasonOf(tx, row, to)
  const words = sentenceOf(row, cancelReason, await problemOfBox(tx, row))
  return {
    kitID: kitId,
    orderID: orderId,
    business,
    warehouseID: warehouseId,
    reference: referenceOf(row),
    state,
    ...(reason && { reason }),
    ...(words && { sentence: words }),
    ...(cancelReason && { cancelReason }),
    ...(code && { code }),
    choices: choicesOf(row),
    ...(carrier && { carrier }),
    ...(number && reason !== 'severalLeft' && { trackingNumber: namesOf(number)[0] }),
    ...(serial && { serial }),
    ...(lot && { lot }),
    ...(parcels?.length && { parcels: parcels.map(toParcel) }),
    createdDate: row.createdAt.toISOString(),
    changedDate: row.changedAt.toISOString(),
  }
}

export async function listOrders(tx: SystemTx, filter: OrderFilter) {
  const { rows, total } = await selectPage(tx, filter)
  const destinations = await destinationsOf(tx, rows.filter(isThere))
  const data: WarehouseOrder[] = []
  for (const row of rows) data.push(await shown(tx, row, destinations.get(row.kitId)))
  return { data, pagination: pagination(filter.page, filter.size, total) }
}

const orderNotFound = () => new AppError('WAREHOUSE_ORDER_NOT_FOUND', 'No warehouse packs this kit')

/**
 * What a person decides of a kit at a warehouse.
 * @throws WAREHOUSE_ORDER_NOT_FOUND, ILLEGAL_TRANSITION, VALIDATION_FAILED, and what a parcel is refused with
 */
export async function choose(system: SystemTx, kitId: string, given: ChoiceInput): Promise<WarehouseOrder> {
  const { choice } = given
  if (choice === 'record') await lockPacking(system)
  const [kit] = await lockLiveKits(system, [kitId])
  if (!kit) throw orderNotFound()
  const tx = within(system, kit.realm)
  const [row] = await lockOrders(tx, [kitId])
  if (!row || row.warehouseId === null) throw orderNotFound()
  const known = { ...row, isToSend: kit.kitStatus !== 'canceled' && kit.shipment.toUser === undefined }
  const can = choicesOf(known)
  if (!can.includes(choice))
    throw new AppError('ILLEGAL_TRANSITION', 'There is nothing of that kind to choose for this kit now', {
      extra: { current: row.state, allowed: can },
    })
  if (mayBeTwo(known, choice) && !given.mayBeTwo)
    refuse([{ message: 'The warehouse may still send this kit: say true if two may go', path: 'mayBeTwo' }])
  const { reason, code, carrier, number, serial, lot, parcels } = row
  const beforeRecord = { reason, code, carrier, number, serial, lot, parcels }
  const clear = { ...row, failures: 0, reason: null, code: null, beforeRecord: null }
  const next =
    choice === 'record'
      ? await recorded(tx, system, kit, { ...clear, dueAt: null, beforeRecord }, given)
      : { ...clear, ...chosen(row, choice, tx.now, kit.shipment.toUser?.trackingNumber) }
  if (choice === 'release' && parcels && !known.isToSend) await noteContents(system, kit, parcels)
  await saveOrder(tx, next)
  await audit.record(tx, [
    {
      action: 'kit.warehouse_chosen',
      objectType: 'kit',
      objectId: kitId,
      details: { choice, state: next.state },
      ...(given.withoutBox && { words: { reason: given.withoutBox } }),
    },
  ])
  if (next.dueAt && next.dueAt <= tx.now) await tx.enqueue(WORK_JOB, { realm: kit.realm, kitId })
  const { data } = await listOrders(system, { kitIds: [kitId], page: 0, size: 1 })
  const [found] = data
  if (!found) throw orderNotFound()
  return found
}

/** A parcel that left is recorded as a person says. What the warehouse names of others, and besides, is noted. */
async function recorded(
  tx: Tx,
  system: SystemTx,
  kit: LockedKit,
  row: OrderRow,
  { box, withoutBox, trackingNumber, carrier }: ChoiceInput,
): Promise<OrderRow> {
  const reason = row.beforeRecord?.reason
  const isSeveral = reason === 'severalLeft' || reason === 'severalParcels'
  const parcels = row.parcels ?? []
  const typed = box && (await boxHistory(system, box)).box.serial
  const isIn = (names: readonly string[]) => names.some((name) => name.toUpperCase() === typed?.toUpperCase())
  const number = trackingNumber ?? (isSeveral ? parcels.find((one) => isIn(one.serials))?.number : row.number)
  if (!number) refuse([{ message: 'Give the number of the parcel', path: 'trackingNumber' }])
  if (number !== row.number && (await isNamedElsewhere(system, row, number)))
    throw new AppError('TRACKING_NUMBER_TAKEN', 'A warehouse named this tracking number for a kit of another order')
  const own = isSeveral ? parcels.find((one) => one.number === number) : parcels[0]
  const others = parcels.filter((one) => one !== own)
  const serials = own?.serials ?? []
  const [warehouse] = await selectWarehouses(system, [row.warehouseId ?? ''])
  const product = warehouse && productOf(warehouse.definition, kit.kitType)
  if (!box && !withoutBox && problemOfParcel(serials, needsSerial(row, product)))
    refuse([{ message: 'Give the number of the box that left', path: 'box' }])
  const isChosen = serials.length > 1 || (isSeveral && serials.length > 0)
  if (box && (isChosen ? !isIn(serials) : isIn(others.flatMap((one) => one.serials))))
    throw new AppError(
      'BOX_REFUSED',
      serials.length > 0
        ? sentence('The warehouse names another box for this parcel: {serials}.', { serials: serials.join(', ') })
        : sentence('The warehouse names this box for another parcel.'),
    )
  const heard = heardOf(own ? [own] : [])
  const left = { ...row, ...heard, number, carrier: carrier ?? (isSeveral ? own?.carrier : row.carrier) ?? null }
  const what = box ? { box, left: 'said' as const } : { box: serials[0], left: 'heard' as const }
  const refusal = await recordParcel(tx, system, left, { ...what, lot: own?.lots[0] })
  if (refusal) throw refusal
  await noteContents(system, kit, parcels)
  const shipped = { ...left, serial: typed || left.serial, state: 'shipped' as const }
  if (!isSeveral) return shipped
  // Whether another one leaves is asked for, and what has left is told at once.
  return { ...shipped, dueAt: others.length > 0 ? tx.now : askedLater(tx.now) }
}

const askedLater = (now: Date): Date => new Date(now.getTime() + ASKED_EVERY_MS)

/** What an order becomes. `shippedAs`: the number of the parcel that is recorded. */
function chosen(row: OrderRow, choice: Choice, now: Date, shippedAs: string | undefined): Partial<OrderRow> {
  const { state, reason, number, round } = row
  if (choice === 'accept') return { state: 'sent', dueAt: now }
  if (choice === 'again' && state === 'refused')
    // A reference that the warehouse has taken is not taken again.
    return { state: 'queued', isReleased: false, round: reason === 'refusedThere' ? round : round + 1, dueAt: now }
  if (choice === 'again') {
    const next = { notCanceled: 'canceling', notRecorded: 'sent' } as const
    return { state: state === 'notCanceled' || state === 'notRecorded' ? next[state] : state, dueAt: now }
  }
  if (state === 'refused') return { state: 'released', dueAt: null }
  if (state === 'notCanceled' || state === 'notRecorded') {
    // Whether one leaves after all, or another one, is asked for.
    const isRecorded = shippedAs !== undefined && namesOf(number).includes(shippedAs)
    return { state: isRecorded ? 'shipped' : 'released', dueAt: askedLater(now) }
  }
  const changes = unwanted(row, now)
  return changes?.state === 'canceled' ? { state: 'released', dueAt: null } : { ...changes, isReleased: true }
}
