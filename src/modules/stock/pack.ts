import { isOfProduct } from '@kitlane/display/box-label'
import { type Sentence, sentence } from '@kitlane/display/sentence'
import { AppError } from '../../domain/errors.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import { daysBefore, lotProblem, packingProblem } from './decision.ts'
import { dayOfTx, findBoxes } from './find.ts'
import {
  deletePacked,
  insertPacked,
  type KitLotRow,
  selectKitLotsOf,
  selectLoaded,
  selectLotsOfKits,
} from './lot-queries.ts'
import {
  type BoxRow,
  bindBoxes,
  insertMovements,
  lockOfKits,
  lockStock,
  selectFirstExpiring,
  selectProductsOf,
  selectTwins,
  unbindBox,
} from './queries.ts'

/** The kits that are packed, by their IDs. */
type PackedKits = ReadonlyMap<string, { kitType: string; realmId: number; isSentAgain?: boolean }>

/** A kit that is packed, with the code that was scanned of its box. */
export interface InBox {
  kitId: string
  box?: string | undefined
}

interface Taken {
  box: BoxRow
  kitId: string
  realmId: number
}

/** Boxes that were scanned for kits which are being packed. What they take is written by `bindTaken`. */
export interface ScannedBoxes {
  /** Takes the box of a row for its kit, or notes of which lot it is packed; says why not. A box that the kit has already is right. */
  take(row: InBox): AppError | undefined
  /** Whether a kit is in this box, before this shipment or by it. */
  has(row: InBox): boolean
  /** Whether this is a code of a box, and no label's number. */
  isOfProduct(number: string): boolean
  taken: readonly Taken[]
  /** Kits that are packed by hand, with the lot that is loaded. */
  byHand: readonly { kitId: string; realmId: number; product: string; lot: string }[]
}

const refused = (words: Sentence): AppError => new AppError('BOX_REFUSED', words)

type First = Awaited<ReturnType<typeof selectFirstExpiring>>

/** Why a box cannot be packed for a kit of this type today. `hasTwin`: a kit is in a box with its serial number. */
function problemOf(
  box: BoxRow & { of?: KitLotRow | undefined },
  kitType: string,
  today: string,
  hasTwin: boolean,
  first: First,
) {
  const problem = packingProblem(box, kitType, today) ?? (box.of && lotProblem(box.of, today))
  if (problem) return withHint(problem, first)
  if (!hasTwin) return undefined
  return sentence(
    'A kit is in a box of another product with the serial number {serial}: people could not tell them apart. Take another box.',
    { serial: box.serial },
  )
}

/** What packing a box for a kit of this type would be refused with now. */
export async function problemOfBox(tx: SystemTx, box: BoxRow, kitType: string): Promise<Sentence | undefined> {
  const today = dayOfTx(tx)
  const hasTwin = (await selectTwins(tx, [box.id])).has(box.id)
  const [of] = await selectKitLotsOf(tx, [{ product: box.gtin, lot: box.lot }])
  return problemOf({ ...box, of }, kitType, today, hasTwin, await selectFirstExpiring(tx, { kitType, today }))
}

/** Locks the boxes that were scanned for locked kits. */
export async function boxesForPacking(tx: SystemTx, rows: readonly InBox[], kits: PackedKits): Promise<ScannedBoxes> {
  const gtins = (await selectProductsOf(tx)).map(({ gtin }) => gtin)
  const isOfAny = (number: string) => isOfProduct(number, gtins)
  await lockStock(tx)
  const today = dayOfTx(tx)
  const loose = rows.flatMap(({ kitId, box }) => (box === undefined ? (kits.get(kitId)?.kitType ?? []) : []))
  const loaded = new Map((await selectLoaded(tx, loose)).map((lot) => [lot.product, lot]))
  const byHand = new Map<string, ScannedBoxes['byHand'][number]>()
  const again = rows.flatMap(({ kitId }) => (kits.get(kitId)?.isSentAgain ? kitId : []))
  const lotsAgain = new Map((await selectLotsOfKits(tx, again)).map((lot) => [lot.kitId, lot]))
  const takeByHand = (kitId: string): AppError | undefined => {
    const kit = kits.get(kitId)
    // One that goes out again is packed already.
    const lot = kit && (kit.isSentAgain ? lotsAgain.get(kitId) : loaded.get(kit.kitType))
    if (!lot) return undefined
    const problem = lotProblem(lot, today)
    if (problem) return new AppError('LOT_REFUSED', problem)
    if (kit.isSentAgain) return undefined
    byHand.set(kitId, { kitId, realmId: kit.realmId, product: lot.product, lot: lot.lot })
    return undefined
  }
  const scanned = rows.flatMap(({ kitId, box }) => (box !== undefined && kits.has(kitId) ? { kitId, box } : []))
  const handed = () => [...byHand.values()]
  if (scanned.length === 0)
    return {
      take: ({ kitId }) => takeByHand(kitId),
      has: () => false,
      isOfProduct: isOfAny,
      taken: [],
      get byHand() {
        return handed()
      },
    }
  const codes = scanned.map(({ box }) => box)
  const found = await findBoxes(tx, codes)
  const meant = new Map(found.map((one) => [one.text, one]))
  const kitIds = scanned.map(({ kitId }) => kitId)
  const boundTo = await lockOfKits(tx, kitIds)
  const onKits = new Map(boundTo.map((box) => [box.kitId, box]))
  const better = new Map<string, First>()
  for (const kitType of new Set(scanned.flatMap(({ kitId }) => kits.get(kitId)?.kitType ?? []))) {
    better.set(kitType, await selectFirstExpiring(tx, { kitType, today }))
  }
  const inBoxes = found.flatMap((one) => ('box' in one ? { product: one.box.gtin, lot: one.box.lot } : []))
  const lots = await selectKitLotsOf(tx, [...new Map(inBoxes.map((one) => [keyOf(one), one])).values()])
  const lotsByKey = new Map(lots.map((one) => [keyOf(one), one]))
  const boxIds = found.flatMap((one) => ('box' in one ? one.box.id : []))
  const twins = await selectTwins(tx, boxIds)
  const taken = new Map<number, Taken>()
  const serials = new Set<string>()
  return {
    isOfProduct: isOfAny,
    get taken() {
      return [...taken.values()]
    },
    get byHand() {
      return handed()
    },
    has({ kitId, box: code = '' }) {
      const one = meant.get(code)
      if (!one || 'problem' in one) return false
      return onKits.get(kitId)?.id === one.box.id || taken.get(one.box.id)?.kitId === kitId
    },
    take({ kitId, box: code }) {
      const kit = kits.get(kitId)
      if (code === undefined) return takeByHand(kitId)
      const one = meant.get(code)
      if (!kit || !one) return undefined
      if ('problem' in one) return new AppError('BOX_NOT_FOUND', one.problem)
      const { box } = one
      const has = onKits.get(kitId)
      if (has?.id === box.id) return kit.isSentAgain ? takeByHand(kitId) : undefined
      if (has) return refused(sentence('This kit is in box {serial} already.', { serial: has.serial }))
      const { kitType, realmId } = kit
      const serial = box.serial.toUpperCase()
      const hasTwin = twins.has(box.id) || serials.has(serial)
      const of = lotsByKey.get(keyOf({ product: box.gtin, lot: box.lot }))
      const asIs = { ...box, of, ...(taken.has(box.id) && { state: 'bound' as const }) }
      const problem = problemOf(asIs, kitType, today, hasTwin, better.get(kitType))
      if (problem) return refused(problem)
      serials.add(serial)
      taken.set(box.id, { box, kitId, realmId })
      return undefined
    },
  }
}

const keyOf = ({ product, lot }: { product: string; lot: string }): string => `${product} ${lot}`

function withHint(problem: Sentence, first: First): Sentence {
  if (!first) return problem
  const { serial, place, expiresOn: date } = first
  return sentence('{problem} The one that expires first is {serial}, at {place}, on {date}.', {
    problem,
    serial,
    place,
    date,
  })
}

/** Puts the boxes that were taken on their kits, and notes the lots of the others. */
export async function bindTaken(tx: SystemTx, { taken, byHand }: ScannedBoxes): Promise<void> {
  await insertPacked(tx, byHand)
  if (taken.length === 0) return
  await bindBoxes(
    tx,
    taken.map(({ box: { id: boxId, expiresOn, registerDaysBeforeExpiry }, kitId, realmId }) => {
      return { boxId, kitId, realmId, registerBy: daysBefore(expiresOn, registerDaysBeforeExpiry) }
    }),
  )
  await insertMovements(
    tx,
    taken.map(({ box: { id: boxId, place }, kitId }) => ({ boxId, kind: 'bound', place, state: 'bound', kitId })),
  )
}

/** Takes the box, or the lot, off a kit whose shipment is taken back. */
export async function unbind(tx: SystemTx, kitId: string): Promise<void> {
  await lockStock(tx)
  await deletePacked(tx, kitId)
  const [box] = await lockOfKits(tx, [kitId])
  if (!box) return
  await unbindBox(tx, box.id)
  const { id: boxId, place } = box
  await insertMovements(tx, [{ boxId, kind: 'unbound', place, state: 'inStock', kitId }])
}
