import type { Sentence } from '@kitlane/display/sentence'
import { isId } from '@kitlane/display/short-id'
import { AppError } from '../../domain/errors.ts'
import { advance, allowed, type KitEvent, type KitState, type Step } from '../kits/rules.ts'
import type { Shipment } from '../kits/schema.ts'
import type { InBox, ScannedBoxes } from '../stock/pack.ts'
import type { Happening, ParcelOutcome } from '../undelivered/decision.ts'
import type { Postage } from '../undelivered/schema.ts'
import { reasons } from '../undelivered/words.ts'
import { type BoughtLabel, CAME_BACK, misuse } from './bought-label.ts'

export type Leg = 'toUser' | 'toLab'

export const carrierStatuses = [
  'label_created',
  'in_transit',
  'out_for_delivery',
  'available_for_pickup',
  'delivered',
  'exception',
  'refused',
  'damaged',
  'lost',
  'canceled',
  'return_to_sender',
  'return_in_transit',
  'return_delivered',
] as const
export type CarrierStatus = (typeof carrierStatuses)[number]

/** With which the carrier sends a parcel back to its sender. Of a return label carriers call the way to the laboratory a return. */
export const returnStatuses: Readonly<Record<Leg, readonly CarrierStatus[]>> = {
  // What nobody took in goes back, also where no scan says so.
  toUser: ['refused', 'return_to_sender', 'return_in_transit', 'return_delivered'],
  toLab: ['refused', 'return_to_sender'],
}

const moves: readonly CarrierStatus[] = ['in_transit', 'out_for_delivery', 'delivered']

/** What a status means of a parcel that goes back to its sender: what is delivered then is not where it was sent. */
export function statusOnReturn(leg: Leg, status: CarrierStatus): CarrierStatus {
  if (!moves.includes(status)) return status
  if (leg === 'toLab') return 'exception'
  return status === 'delivered' ? 'return_delivered' : 'return_in_transit'
}

const onTheWayBack = ['sampleInTransit'] as const
const lostOnTheWayBack = ['sampleInTransit', 'deliveryException'] as const

/**
 * What a carrier's status means for a kit, step by step. A delivery at the laboratory is not a received sample: a parcel at
 * the dock may be the wrong one, or lie there for a night; the laboratory's own scan says `sampleReceived`.
 */
const meanings: Record<Leg, Record<CarrierStatus, readonly KitEvent[]>> = {
  toUser: {
    label_created: [],
    in_transit: ['kitInTransit'],
    out_for_delivery: ['kitInTransit'],
    // It goes back in a few days, unless somebody tells the recipient to fetch it.
    available_for_pickup: ['deliveryException'],
    delivered: ['kitDelivered'],
    exception: ['deliveryException'],
    refused: ['deliveryException'],
    damaged: ['deliveryException'],
    lost: ['deliveryException'],
    // A label that was not used, as far as the carrier knows: the kit stays where it is, and a person looks for the box.
    canceled: [],
    return_to_sender: ['deliveryException'],
    return_in_transit: ['deliveryException'],
    return_delivered: ['deliveryException'],
  },
  toLab: {
    label_created: [],
    in_transit: onTheWayBack,
    out_for_delivery: onTheWayBack,
    available_for_pickup: onTheWayBack,
    delivered: onTheWayBack,
    exception: lostOnTheWayBack,
    refused: lostOnTheWayBack,
    damaged: lostOnTheWayBack,
    lost: lostOnTheWayBack,
    canceled: [],
    return_to_sender: lostOnTheWayBack,
    return_in_transit: onTheWayBack,
    return_delivered: onTheWayBack,
  },
}

/** Whether a carrier's status means that a return parcel is at the laboratory's door. */
export const isDeliveredToLab = (leg: Leg, status: CarrierStatus): boolean =>
  leg === 'toLab' && (status === 'delivered' || status === 'return_delivered')

export interface CarrierUpdate {
  status: CarrierStatus
  at: Date
  message?: string
}

/** The steps of a kit after a carrier's update about one of its parcels; none where the kit is further already. */
export function stepsAfter(state: KitState, leg: Leg, update: CarrierUpdate): Step[] {
  const steps: Step[] = []
  let now = state
  for (const to of meanings[leg][update.status]) {
    // Past the return label, an exception would be one of the sample: the way out has nothing to say of that.
    if (leg === 'toUser' && now.progress.sampleInTransit !== undefined) break
    if (!allowed(now).includes(to)) continue
    const next = advance(now, to, { at: update.at, reason: to === 'deliveryException' ? reasonFor(update) : undefined })
    steps.push(...next)
    now = next.at(-1)?.state ?? now
  }
  return steps
}

// Of other messages some name who took the parcel in.
const troubles: readonly CarrierStatus[] = [
  'exception',
  'refused',
  'damaged',
  'lost',
  'canceled',
  'available_for_pickup',
  'return_to_sender',
  'return_in_transit',
]

/** What is kept of a carrier's message: only why something went wrong. */
export const storedMessage = ({ status, message }: { status: CarrierStatus; message?: string }): string | undefined =>
  troubles.includes(status) ? message : undefined

const parcelOutcomes: Partial<Record<CarrierStatus, ParcelOutcome>> = {
  available_for_pickup: 'waitingForPickup',
  exception: 'notDelivered',
  refused: 'refused',
  damaged: 'damaged',
  lost: 'lost',
  canceled: 'labelCanceled',
  return_to_sender: 'returnedToSender',
  return_in_transit: 'returnedToSender',
  return_delivered: 'returnedToSender',
}

/** What a carrier's status says of a box on its way to the recipient; undefined where nobody has to act, nor stops having to. */
export function happeningOf(leg: Leg, status: CarrierStatus): Happening | undefined {
  if (leg === 'toLab') return undefined
  if (status === 'in_transit' || status === 'out_for_delivery') return { is: 'moving' }
  if (status === 'delivered') return { is: 'delivered' }
  const outcome = parcelOutcomes[status]
  return outcome && { is: 'carrier', outcome }
}

const reasonFor = ({ status, message }: CarrierUpdate): string => {
  const outcome = parcelOutcomes[status]
  if (message) return message
  return outcome === undefined || outcome === 'returnedToSender' ? 'The carrier returned the parcel' : reasons[outcome]
}

// USPS prints 420, the ZIP code and the number into one barcode (Publication 199): scanners give all of it.
const uspsRouting = /^420(?:\d{5}|\d{9})(?=9\d{21}$)/

/** A tracking number as carriers name it: upper case, nothing but letters and digits, without USPS's routing code. */
export const trackingNumberOf = (text: string): string =>
  text
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replace(uspsRouting, '')

export interface Packed extends InBox {
  carrier: string
  outbound: string
  returnCarrier?: string
  returnNumber?: string
  /** A warehouse had packed it before the address was corrected. */
  isToAddressBefore?: true | undefined
  /** What the carrier charges, where the kit goes out again. */
  postage?: Postage | undefined
}

export interface PackKit {
  realmId: number
  orderId: string
  kitType: string
  kitStatus: string
  shipment: Shipment
  /** It came back, and goes out again under another label. */
  isSentAgain?: boolean
  isRecalled?: boolean
  /** A warehouse packs it. */
  isAtWarehouse?: boolean
}

export interface Parcel {
  number: string
  realmId: number
  leg: Leg
  carrier: string
  orderId: string
  kitId: string | null
}

export type ShipmentVerdict =
  | { status: 'shipped'; parcels: Parcel[] }
  | { status: 'already' }
  | { status: 'failed'; why: AppError }

/**
 * Decides for each kit, in order, whether it can be shipped, by its state and by the known tracking numbers. An outbound
 * parcel may hold several kits of one order; a return label belongs to one kit. Of a row that is right otherwise, the box is taken.
 */
export function judgeShipments(
  rows: readonly Packed[],
  kits: ReadonlyMap<string, PackKit>,
  known: readonly Parcel[],
  boxes: ScannedBoxes,
  boughtLabels: ReadonlyMap<string, BoughtLabel> = new Map(),
): ShipmentVerdict[] {
  const parcels = new Map(known.map((parcel) => [parcel.number, parcel]))
  const shipped = new Map<string, Packed>()
  return rows.map((row) => {
    const kit = kits.get(row.kitId)
    if (!kit) return failed('KIT_NOT_FOUND', isId('O', row.kitId) ? ORDER_NAMED : 'There is no such kit')
    const labels = shipped.get(row.kitId) ?? labelsOf(kit.shipment)
    const goesAgain = kit.isSentAgain === true && !shipped.has(row.kitId)
    if (labels && !goesAgain) {
      if (!isSame(row, labels)) return shippedOtherwise()
      return row.box === undefined || boxes.has(row) ? { status: 'already' } : failed('ILLEGAL_TRANSITION', OTHER_BOX)
    }
    if (goesAgain && row.outbound === labels?.outbound) return failed('TRACKING_NUMBER_TAKEN', CAME_BACK)
    // Somebody may have registered it before it left the warehouse.
    const isLate = kit.isAtWarehouse === true && row.lot !== undefined && kit.kitStatus !== 'canceled'
    if (kit.kitStatus !== 'preparing' && !goesAgain && !isLate)
      return failed('ILLEGAL_TRANSITION', `This kit cannot be shipped: it is ${kit.kitStatus}`)
    if (kit.isAtWarehouse && row.lot === undefined) return failed('ILLEGAL_TRANSITION', AT_WAREHOUSE)
    if (kit.isRecalled) return failed('KIT_RECALLED', 'This kit was recalled: set it apart, and do not send it')
    const needed = parcelsOf(row, kit)
    const why = needed
      .map((parcel) =>
        boxes.isOfProduct(parcel.number)
          ? CODE_OF_BOX
          : (misuse(parcel, row.kitId, goesAgain, boughtLabels.get(parcel.number)) ??
            collision(parcel, parcels.get(parcel.number))),
      )
      .find(Boolean)
    if (why) return failed('TRACKING_NUMBER_TAKEN', why)
    if (row.outbound === row.returnNumber)
      return failed('TRACKING_NUMBER_TAKEN', 'Both labels have the same tracking number')
    const wrongBox = boxes.take(row)
    if (wrongBox) return { status: 'failed', why: wrongBox }
    for (const parcel of needed) parcels.set(parcel.number, parcel)
    shipped.set(row.kitId, row)
    return { status: 'shipped', parcels: needed }
  })
}

export const AT_WAREHOUSE =
  'A warehouse packs this kit: release it from the warehouse first, so that it is not sent twice'
const OTHER_BOX = 'This kit was shipped already, without this box'
const CODE_OF_BOX = 'This is a code of the box, and no tracking number: scan the label'

// Which of its kits is in the parcel, only the packer knows.
const ORDER_NAMED = 'This is the ID of an order: name the kit that is in the parcel'

const failed = (
  code: 'KIT_NOT_FOUND' | 'ILLEGAL_TRANSITION' | 'TRACKING_NUMBER_TAKEN' | 'KIT_RECALLED',
  words: string | Sentence,
): ShipmentVerdict => ({
  status: 'failed',
  why: new AppError(code, words),
})

const shippedOtherwise = () => failed('ILLEGAL_TRANSITION', 'This kit was shipped already, with another label')

function labelsOf({ toUser, toLab }: Shipment): Pick<Packed, 'outbound' | 'returnNumber'> | undefined {
  return toUser && { outbound: toUser.trackingNumber, returnNumber: toLab?.trackingNumber }
}

const isSame = (row: Packed, { outbound, returnNumber }: Pick<Packed, 'outbound' | 'returnNumber'>): boolean =>
  row.outbound === outbound && (row.returnNumber === undefined || row.returnNumber === returnNumber)

function parcelsOf(row: Packed, { realmId, orderId }: PackKit): Parcel[] {
  const { kitId, carrier, outbound, returnNumber, returnCarrier = carrier } = row
  const out: Parcel = { number: outbound, realmId, leg: 'toUser', carrier, orderId, kitId: null }
  if (returnNumber === undefined) return [out]
  return [out, { number: returnNumber, realmId, leg: 'toLab', carrier: returnCarrier, orderId, kitId }]
}

function collision(wanted: Parcel, known: Parcel | undefined): string | undefined {
  if (!known) return undefined
  const isOut = wanted.leg === 'toUser' && known.leg === 'toUser'
  // A kit that goes out again keeps the return label that lies in its box.
  const isItsOwn = wanted.leg === 'toLab' && known.leg === 'toLab' && known.kitId === wanted.kitId
  const isSameParcel = (isOut || isItsOwn) && known.orderId === wanted.orderId
  if (isSameParcel && known.realmId === wanted.realmId) return undefined
  return wanted.leg === 'toUser'
    ? 'The outbound tracking number is on another parcel'
    : 'The return tracking number is on another parcel'
}
