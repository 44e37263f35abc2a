import { isOfProduct } from '@kitlane/display/box-label'
import { type Sentence, sentence } from '@kitlane/display/sentence'
import { AppError } from '../../domain/errors.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import { daysBefore, lotProblem, packingProblem } from './decision.ts'
import { dayOfTx, findBoxes } from './find.ts'
import {
  deletePacked,
  insertPacked,
  insertReceivedLots,
  type KitLotRow,
  selectKitLotsOf,
  selectLoaded,
  selectLotsOfKits,
  selectNamedLots,
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
  selectWrittenOffWith,
  unbindBox,
  updateStanding,
} from './queries.ts'

/** The kits that are packed, by their IDs. */
type PackedKits = ReadonlyMap<string, { kitType: string; realmId: number; isSentAgain?: boolean }>

/** A kit that is packed, with the code that was scanned of its box. */
export interface InBox {
  kitId: string
  box?: string | undefined
  /** Of a kit that a warehouse packed: the lot that it names, or null. Nothing that is loaded here is in it. */
  lot?: string | null | undefined
  /**
   * A parcel that left a warehouse: a box or lot that must not be packed any more is noted all the same. `said`: a person names the box, and
   * is told if it cannot be this one. `heard`: the warehouse named it, and what cannot be is left out. Both take the place of the box that
   * was recorded before. `besides`: what else left for the kit; its box is written off where the kit has one.
   */
  left?: 'said' | 'heard' | 'besides' | undefined
}

interface Taken {
  box: BoxRow
  kitId: string
  realmId: number
}

/** What becomes of another box of a kit: it is taken off the kit, written off since it left besides, or taken back from that. */
interface Moved {
  box: BoxRow
  kitId: string
  how: 'off' | 'gone' | 'found'
}

const leftBesides = (kitId: string): string => `Left a warehouse for kit ${kitId}, which is in another box`

/** Boxes that were scanned for kits which are being packed. What they take is written by `bindTaken`. */
export interface ScannedBoxes {
  /** Takes the box of a row for its kit, or notes of which lot it is packed; says why not. A box that the kit has already is right. */
  take(row: InBox): AppError | undefined
  /** Whether a kit is in this box, before this shipment or by it. */
  has(row: InBox): boolean
  /** Whether this is a code of a box, and no label's number. */
  isOfProduct(number: string): boolean
  taken: readonly Taken[]
  moved: readonly Moved[]
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
  const products = await selectProductsOf(tx)
  const gtins = products.map(({ gtin }) => gtin)
  const isOfAny = (number: string) => isOfProduct(number, gtins)
  await lockStock(tx)
  const today = dayOfTx(tx)
  const loose = rows.flatMap(({ kitId, box }) => (box === undefined ? (kits.get(kitId)?.kitType ?? []) : []))
  const loaded = new Map((await selectLoaded(tx, loose)).map((lot) => [lot.product, lot]))
  const productsOf = (kitType: string) => [
    kitType,
    ...products.filter((one) => one.kitType === kitType).map(({ gtin }) => gtin),
  ]
  const named = rows.flatMap(({ kitId, lot }) => {
    const { kitType } = kits.get(kitId) ?? {}
    return lot && kitType !== undefined ? productsOf(kitType).map((product) => ({ product, lot })) : []
  })
  if (named.length > 0) await insertReceivedLots(tx, named)
  const lotsNamed = named.length > 0 ? await selectNamedLots(tx, named) : []
  const byHand: ScannedBoxes['byHand'][number][] = []
  const again = rows.flatMap(({ kitId }) => (kits.get(kitId)?.isSentAgain ? kitId : []))
  const lotsAgain = new Map((await selectLotsOfKits(tx, again)).map((lot) => [lot.kitId, lot]))
  const lotOf = (
    { kitId, lot }: InBox,
    { kitType: product, isSentAgain }: { kitType: string; isSentAgain?: boolean },
  ) => {
    // One that goes out again is packed already.
    if (isSentAgain) return lotsAgain.get(kitId)
    if (lot === undefined) return loaded.get(product)
    const found = lotsNamed.filter((one) => one.named === lot && productsOf(product).includes(one.product))
    // Of two products with a lot of that name, the one that must not be used is meant until a person has looked.
    return found.find((one) => lotProblem(one, today)) ?? found[0]
  }
  const takeByHand = (row: InBox): AppError | undefined => {
    const { kitId } = row
    const kit = kits.get(kitId)
    const lot = kit && lotOf(row, kit)
    if (!lot) return undefined
    const problem = lotProblem(lot, today)
    if (problem && !row.left) return new AppError('LOT_REFUSED', problem)
    if (kit.isSentAgain) return undefined
    byHand.push({ kitId, realmId: kit.realmId, product: lot.product, lot: lot.lot })
    return undefined
  }
  const scanned = rows.flatMap(({ kitId, box }) => (box !== undefined && kits.has(kitId) ? { kitId, box } : []))
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
  const left = rows.flatMap((row) => (row.left ? leftBesides(row.kitId) : []))
  if (left.length > 0) await insertReceivedLots(tx, inBoxes)
  const lots = await selectKitLotsOf(tx, [...new Map(inBoxes.map((one) => [keyOf(one), one])).values()])
  const lotsByKey = new Map(lots.map((one) => [keyOf(one), one]))
  const boxIds = found.flatMap((one) => ('box' in one ? one.box.id : []))
  const twins = await selectTwins(tx, boxIds)
  const noted = left.length > 0 ? await selectWrittenOffWith(tx, boxIds, left) : new Map<number, string>()
  const taken = new Map<number, Taken>()
  const serials = new Set<string>()
  const moved: Moved[] = []
  return {
    isOfProduct: isOfAny,
    moved,
    byHand,
    get taken() {
      return [...taken.values()]
    },
    has({ kitId, box: code = '' }) {
      const one = meant.get(code)
      if (!one || 'problem' in one) return false
      return onKits.get(kitId)?.id === one.box.id || taken.get(one.box.id)?.kitId === kitId
    },
    take(row) {
      const { kitId, box: code, left } = row
      const kit = kits.get(kitId)
      if (code === undefined) return takeByHand(row)
      const one = meant.get(code)
      if (!kit || !one) return undefined
      const isHeard = left === 'heard' || left === 'besides'
      if ('problem' in one) return isHeard ? takeByHand(row) : new AppError('BOX_NOT_FOUND', one.problem)
      const { box } = one
      const has = onKits.get(kitId)
      if (has?.id === box.id) return kit.isSentAgain ? takeByHand(row) : undefined
      const { kitType, realmId } = kit
      const isOfType = box.kitType === kitType
      const note = (other: BoxRow) => byHand.push({ kitId, realmId, product: other.gtin, lot: other.lot })
      if (has && left === 'besides') {
        if (box.state === 'inStock' && isOfType) moved.push({ box, kitId, how: 'gone' })
        note(box)
        return undefined
      }
      if (has && left === undefined)
        return refused(sentence('This kit is in box {serial} already.', { serial: has.serial }))
      const serial = box.serial.toUpperCase()
      const hasTwin = twins.has(box.id) || serials.has(serial)
      const of = lotsByKey.get(keyOf({ product: box.gtin, lot: box.lot }))
      const isTakenBack = noted.get(box.id) === leftBesides(kitId)
      const state = taken.has(box.id) ? 'bound' : isTakenBack ? 'inStock' : box.state
      const asIs = { ...box, of, state }
      const problem = problemOf(asIs, kitType, today, hasTwin, better.get(kitType))
      const isIn = left !== undefined && state === 'inStock' && isOfType
      if (problem && !isIn) {
        if (!isHeard) return refused(problem)
        if (row.lot !== box.lot) takeByHand(row)
        note(box)
        return undefined
      }
      // Which of the two left is not certain: the lots of both are the kit's.
      if (has) {
        moved.push({ box: has, kitId, how: 'off' })
        note(has)
      }
      if (isTakenBack) moved.push({ box, kitId, how: 'found' })
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
export async function bindTaken(tx: SystemTx, { taken, byHand, moved }: ScannedBoxes): Promise<void> {
  await insertPacked(tx, byHand)
  for (const one of moved) await (one.how === 'off' ? putBack(tx, one.box, one.kitId) : adjust(tx, one))
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

async function putBack(tx: SystemTx, { id: boxId, place }: BoxRow, kitId: string): Promise<void> {
  await unbindBox(tx, boxId)
  await insertMovements(tx, [{ boxId, kind: 'unbound', place, state: 'inStock', kitId }])
}

async function adjust(tx: SystemTx, { box: { id: boxId, place }, kitId, how }: Moved): Promise<void> {
  const to =
    how === 'gone'
      ? ({ state: 'writtenOff', reason: 'other', note: leftBesides(kitId) } as const)
      : ({ state: 'inStock', reason: 'found', note: `Left a warehouse for kit ${kitId}` } as const)
  const movement = { boxId, kind: 'adjusted' as const, place, ...to }
  await updateStanding(tx, [movement])
  await insertMovements(tx, [movement])
}

/** Notes the box or lot of a parcel of a kit that left a warehouse, besides what it is in already. */
export async function noteLeft(
  tx: SystemTx,
  kit: { kitId: string; kitType: string; realmId: number },
  what: Pick<InBox, 'box' | 'lot'>,
): Promise<void> {
  const row: InBox = { ...what, kitId: kit.kitId, left: 'besides' }
  const boxes = await boxesForPacking(tx, [row], new Map([[kit.kitId, kit]]))
  boxes.take(row)
  await bindTaken(tx, boxes)
}

/** Takes the box, or the lot, off a kit whose shipment is taken back. `left`: the boxes that left a warehouse for it, which stay its, as do all lots. */
export async function unbind(tx: SystemTx, kitId: string, left?: readonly string[]): Promise<void> {
  await lockStock(tx)
  if (!left) await deletePacked(tx, kitId)
  const [box] = await lockOfKits(tx, [kitId])
  if (box && !left?.some((serial) => serial.toUpperCase() === box.serial.toUpperCase())) await putBack(tx, box, kitId)
}
