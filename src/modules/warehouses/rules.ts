import { type Sentence, sentence } from '@kitlane/display/sentence'
import { trackingNumber } from '../fulfilment/schema.ts'
import { Delay, Refusal } from '../labels/call.ts'
import type { Recipient } from '../labels/schema.ts'
import type { CancelReason, Choice, Reason, State, WarehouseInput } from './schema.ts'

/** A warehouse says no. */
export class WarehouseRefusal extends Refusal<Reason> {}

/** An answer is about the order that was asked about, where it names one. @throws Delay */
export function assertSame(said: string | null | undefined, asked: string): void {
  if (said && said !== asked) throw new Delay('OTHER_ORDER')
}

/** What a warehouse is asked to pack. Neither the panel nor anything else of health is in it. */
export interface PackingOrder {
  reference: string
  kitId: string
  sku: string
  name: string
  phone: string | undefined
  address: Recipient['address']
}

/** What a warehouse says of an order. */
export type Said =
  | { is: 'open' | 'canceled' }
  | { is: 'trouble'; reason: Reason; code?: string | undefined; left?: readonly LeftParcel[] }
  | { is: 'shipped'; left: readonly [LeftParcel] }

/** A parcel that left. `products`: of each, the names by which it is known there. */
export interface LeftParcel {
  carrier: string
  number: string
  products: readonly (readonly string[])[]
  serials: readonly string[]
  lots: readonly string[]
}

/** A tracking number as the API takes it; empty where a warehouse says none, or `N/A`. */
export const numberOf = (said: string | null | undefined): string => trackingNumber.safeParse(said ?? '').data ?? ''

/** What several parcels of a kit are. `left`: those that have left. */
export const severalOf = (left: readonly LeftParcel[]): Said =>
  left.length > 0 ? { is: 'trouble', reason: 'severalLeft', left } : { is: 'trouble', reason: 'severalParcels' }

/** The parcels of an order that have left. */
export const leftOf = (said: Said): readonly LeftParcel[] => ('left' in said && said.left) || []

/** Whether a parcel of an order has left, with what is known of it: it is never packed again. */
export function whatLeft(said: Said) {
  const parcels = leftOf(said)
  if (parcels.length === 0) return undefined
  return { reason: said.is === 'shipped' ? ('hasLeft' as const) : ('severalLeft' as const), ...heardOf(parcels) }
}

const BETWEEN = ', '
/** The serial numbers, or tracking numbers, that a warehouse names, as a row keeps them. */
export const namesOf = (kept: string | null): string[] => kept?.split(BETWEEN) ?? []

const joined = (names: readonly (string | null)[]): string => [...new Set(names)].filter(Boolean).join(BETWEEN)

/** What a row keeps of parcels that left. */
export const heardOf = (parcels: readonly LeftParcel[]) => ({
  carrier: joined(parcels.map(({ carrier }) => carrier)),
  number: joined(parcels.map(({ number }) => number)),
  serial: joined(parcels.flatMap(({ serials }) => serials)).slice(0, 200) || null,
  lot: joined(parcels.flatMap(({ lots }) => lots)) || null,
  parcels,
})

const contentsOf = (parcels: readonly LeftParcel[]) => parcels.flatMap(({ serials, lots }) => [...serials, ...lots])

/** What left of a kit that is watched, if that is not known yet. `isSecond`: a parcel is new, and not only what is in one. Numbers that are known follow the new ones. */
export function newlyLeft(
  { number, parcels }: { number: string | null; parcels: readonly LeftParcel[] | null },
  said: Said,
) {
  const left = whatLeft(said)
  if (!left) return undefined
  const known = parcels ?? []
  const numbers = [...namesOf(number), ...known.map((one) => one.number)]
  const fresh = left.parcels.filter((one) => !numbers.includes(one.number))
  const isSecond = fresh.length > 0
  const isNamed = contentsOf(left.parcels).every((name) => contentsOf(known).includes(name))
  if (!isSecond && isNamed) return undefined
  const { number: shown, parcels: _, ...heard } = heardOf(isSecond ? fresh : left.parcels)
  const all = [...known.filter((one) => !left.parcels.some((other) => other.number === one.number)), ...left.parcels]
  const changes = { ...heard, number: joined([...namesOf(shown), ...namesOf(number)]), parcels: all }
  return { isSecond, reason: left.reason, changes }
}

/** A warehouse. Each of these throws WarehouseRefusal or Delay; one that does not know an order refuses with `gone`, or finds nothing. */
export interface WarehouseService {
  /** Returns the warehouse's ID of the order. It takes a reference once. `mayBegin`: asked right before it is sent. */
  create(order: PackingOrder, mayBegin: () => boolean): Promise<string>
  find(reference: string, externalId: string | null): Promise<{ externalId: string; said: Said } | undefined>
  cancel(externalId: string): Promise<void>
  /** Asks for something harmless that shows whether the account works. */
  test(): Promise<void>
}

/** Why a person must look, and what to do, where the kit still waits to be sent. */
export const wordsOf: Record<Reason, Sentence> = {
  account: sentence('The warehouse does not accept the key of the account: save a new key, then try again.'),
  noAccount: sentence('The account of this warehouse has no key: save one, then try again.'),
  refusedThere: sentence(
    'The warehouse refused this order. Correct what it objects to, then try again, or release the kit.',
  ),
  gone: sentence(
    'The warehouse does not know this order any more. Ask it whether a parcel left, before you try again.',
  ),
  canceledThere: sentence('The warehouse canceled this order. Try again, or release the kit.'),
  noAnswer: sentence('The warehouse does not answer. It is asked again.'),
  notUnderstood: sentence('The answer of the warehouse is not understood. It is asked again.'),
  outOfStock: sentence('The warehouse has no stock of this kit. Send it some, or release the kit.'),
  onHold: sentence('The warehouse holds this order. Look there for the reason, and clear it.'),
  exception: sentence('The warehouse cannot pack this order as it is. Look there for the reason, and clear it.'),
  severalParcels: sentence(
    'The warehouse sends this kit in several parcels. Look there which one the kit is in, and record that parcel.',
  ),
  severalLeft: sentence(
    'The warehouse sends this kit in several parcels, and at least one has left. Look there which one the kit is in, and record that parcel with its number.',
  ),
  late: sentence('The warehouse has had this order for a week. Ask it why.'),
  noNumber: sentence(
    'The parcel left without a tracking number. Enter it at the warehouse, or record the parcel with it.',
  ),
  noSerial: sentence(
    'The parcel left, and the warehouse named no serial number. Ask it which box left, and record the parcel with it, or say why nobody knows.',
  ),
  severalSerials: sentence(
    'The parcel left, and the warehouse names several boxes. Ask it which one the kit is in, and record the parcel with it.',
  ),
  boxUnknown: sentence('The parcel left in a box that was never received. Receive the box into stock, then try again.'),
  boxRefused: sentence(
    'The parcel left in a box that may not be used for this kit. Record it, with the right box if the warehouse named a wrong one; then tell the recipient, and replace the kit.',
  ),
  lotRefused: sentence(
    'The parcel left with a lot that is in quarantine or expires too soon. Record it; then tell the recipient, and replace the kit.',
  ),
  otherProduct: sentence(
    'The parcel left with another product than was ordered. Record it; then tell the recipient, and replace the kit.',
  ),
  numberTaken: sentence(
    'The parcel left under a tracking number that another kit has. Ask the warehouse, and record the parcel with the right one.',
  ),
  notWaiting: sentence(
    'The parcel left, and the kit was no longer to be sent. Ask the carrier to stop it, then say that this is dealt with.',
  ),
  hasLeft: sentence(
    'This kit was to be canceled, and its parcel has left. Accept that it is sent, and ask the carrier to stop it if it should not arrive.',
  ),
  leftLater: sentence(
    'A parcel left after the kit was released, or after another parcel of it was recorded: two may be on their way. Ask the carrier to stop one, tell the recipient, then say that this is dealt with.',
  ),
  notCanceled: sentence(
    'The warehouse did not cancel this kit. Ask it to, then try again; or accept that it is sent. If you release the kit, two may go.',
  ),
}

const unwanted: Partial<Record<Reason, Sentence>> = {
  hasLeft: sentence('The parcel has left. Ask the carrier to stop it, then say that this is dealt with.'),
  severalLeft: sentence('A parcel has left. Ask the carrier to stop it, then say that this is dealt with.'),
  notCanceled: sentence('The warehouse did not cancel this kit. Ask it to, then try again; or release the kit.'),
}
const cancelWords: Record<CancelReason, Sentence> = {
  canceled: sentence('The kit was canceled.'),
  addressCorrected: sentence('The address was corrected: what the warehouse sends goes to the address before.'),
  recalled: sentence('The kit was recalled.'),
  erased: sentence('The recipient was erased.'),
}

interface Known {
  state: State
  reason: Reason | null
  number: string | null
  isReleased: boolean
  /** No parcel of the kit is known, and it is not canceled. */
  isToSend: boolean
}

/** The words for a person; `problem`: what stock says of the box that left. */
export function sentenceOf(
  { reason, number, isToSend }: Known,
  cancelReason: CancelReason | undefined,
  problem?: Sentence,
): Sentence | undefined {
  if (reason === null) return undefined
  const words = (!isToSend && unwanted[reason]) || wordsOf[reason]
  const isSeveral = reason === 'severalLeft' || (reason === 'leftLater' && number?.includes(BETWEEN))
  const what = isSeveral && number ? sentence('{words} Those that left: {number}.', { words, number }) : words
  const first = cancelReason ? cancelWords[cancelReason] : problem
  return first ? sentence('{first} {what}', { first, what }) : what
}

const asked: readonly (Reason | null)[] = ['account', 'noAccount', 'noAnswer', 'notUnderstood']

/** What a person may choose. A parcel that left is recorded, and its kit not packed again. */
export function choicesOf({ state, reason, number, isReleased, isToSend }: Known): Choice[] {
  if (state === 'refused') return ['again', 'release']
  if (state === 'notRecorded') return isToSend ? ['again', 'record'] : ['release']
  if (state === 'notCanceled' && number !== null && !isToSend) return ['release']
  if (state === 'notCanceled' && number !== null) return reason === 'severalLeft' ? ['record', 'accept'] : ['accept']
  if (state === 'notCanceled') return isToSend ? ['again', 'accept', 'release'] : ['again', 'release']
  if (reason === 'noNumber' || reason === 'severalLeft') return ['record']
  if (reason === 'severalParcels') return ['record', 'release']
  const canBeReleased = state === 'queued' || state === 'sent' || (state === 'canceling' && !isReleased)
  return [...(asked.includes(reason) ? ['again' as const] : []), ...(canBeReleased ? ['release' as const] : [])]
}

/** Whether a second kit may go after this choice: a person says that they know. */
export const mayBeTwo = ({ state, reason, isToSend }: Known, choice: Choice): boolean =>
  isToSend && (reason === 'gone' || (state === 'notCanceled' && choice === 'release'))

/** Whether a serial number must be named, as it was when the kit was handed over. */
export const needsSerial = (
  { ordered }: { ordered: { needsSerial: boolean } | null },
  product: { needsSerial: boolean } | undefined,
): boolean => (ordered ?? product)?.needsSerial ?? false

/** Under which a warehouse knows an order: it never takes the same one twice. */
export const referenceOf = ({ kitId, round }: { kitId: string; round: number }): string =>
  round === 1 ? kitId : `${kitId}-${round}`

/** The order of a kit, with a phone number only for another country than the warehouse's. */
export function packingOrderOf(
  row: { kitId: string; round: number },
  { sku, recipient, country }: { sku: string; recipient: Recipient; country: string },
): PackingOrder {
  const { name, phone, address } = recipient
  const isAbroad = address.country !== country
  return { reference: referenceOf(row), kitId: row.kitId, sku, name, phone: isAbroad ? phone : undefined, address }
}

type Packs = Pick<WarehouseInput, 'products' | 'shipsTo' | 'notToStates' | 'country'>

export const productOf = ({ products }: Pick<Packs, 'products'>, kitType: string) =>
  products.find((one) => one.kitType === kitType)

const goesTo = ({ shipsTo, notToStates }: Packs, { country, state }: Recipient['address']): boolean =>
  shipsTo.includes(country) && !(country === 'US' && notToStates?.includes(state.toUpperCase()))

/** The first warehouse that packs a kit type for an address. */
export const warehouseFor = <W extends { definition: Packs }>(
  warehouses: readonly W[],
  kitType: string,
  address: Recipient['address'],
): W | undefined => warehouses.find(({ definition }) => goesTo(definition, address) && productOf(definition, kitType))

const refusals: Readonly<Record<string, Reason>> = {
  BOX_NOT_FOUND: 'boxUnknown',
  BOX_REFUSED: 'boxRefused',
  LOT_REFUSED: 'lotRefused',
  TRACKING_NUMBER_TAKEN: 'numberTaken',
}
/** Why a parcel that left could not be recorded. */
export const reasonOfRefusal = (code: string): Reason => refusals[code] ?? 'notWaiting'

/** Whether a parcel names what is in it, and not what was ordered: services let leaflets be added to that. */
export const isOtherProduct = ({ products }: Pick<LeftParcel, 'products'>, sku: string): boolean =>
  products.some((names) => names.length > 0) &&
  !products.flat().some((name) => name.trim().toUpperCase() === sku.toUpperCase())

/** Of a parcel that left: why it says too little to be recorded. */
export function problemOfParcel(serials: readonly string[], needsSerial: boolean): Reason | undefined {
  if (serials.length > 1) return 'severalSerials'
  return needsSerial && serials.length === 0 ? 'noSerial' : undefined
}

const carriers: readonly [RegExp, string][] = [
  [/^(stamps|usps|endicia|express_1)/i, 'USPS'],
  [/^ups/i, 'UPS'],
  [/^fedex/i, 'FedEx'],
  [/^dhl/i, 'DHL'],
]
/** A carrier by the name that people know. */
export const carrierOf = (name: string): string =>
  carriers.find(([pattern]) => pattern.test(name))?.[1] ?? (name.trim().slice(0, 60) || 'Other')

const MINUTE_MS = 60_000
/** How often a warehouse is asked for an order that it has. */
export const ASKED_EVERY_MS = 30 * MINUTE_MS
/** After it an order that is still there is late. */
export const LATE_MS = 7 * 24 * 60 * MINUTE_MS
/** How long a kit is watched that was released while the warehouse might still send it. */
export const WATCHED_MS = 30 * 24 * 60 * MINUTE_MS
/** Why a person is told that a warehouse gives no answer. */
export const reasonOfDelay = (code: string | undefined): Reason =>
  code === 'UNKNOWN_ANSWER' ? 'notUnderstood' : 'noAnswer'
/** After so many tries without an answer a person is told. */
export const TOLD_AFTER_TRIES = 6
