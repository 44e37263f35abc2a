import { isOfProduct } from '@kitlane/display/box-label'
import { type Sentence, sentence } from '@kitlane/display/sentence'
import { AppError } from '../../domain/errors.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import { daysBefore, packingProblem } from './decision.ts'
import { dayOfTx, findBoxes } from './find.ts'
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
  /** Takes the box of a row for its kit; says why not. A box that the kit has already is right, and none too. */
  take(row: InBox): AppError | undefined
  /** Whether a kit is in this box, before this shipment or by it. */
  has(row: InBox): boolean
  /** Whether this is a code of a box, and no label's number. */
  isOfProduct(number: string): boolean
  taken: readonly Taken[]
}

const refused = (words: Sentence): AppError => new AppError('BOX_REFUSED', words)

type First = Awaited<ReturnType<typeof selectFirstExpiring>>

/** Why a box cannot be packed for a kit of this type today. `hasTwin`: a kit is in a box with its serial number. */
function problemOf(box: BoxRow, kitType: string, today: string, hasTwin: boolean, first: First) {
  const problem = packingProblem(box, kitType, today)
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
  return problemOf(box, kitType, today, hasTwin, await selectFirstExpiring(tx, { kitType, today }))
}

/** Locks the boxes that were scanned for locked kits. */
export async function boxesForPacking(
  tx: SystemTx,
  rows: readonly InBox[],
  kits: ReadonlyMap<string, { kitType: string; realmId: number }>,
): Promise<ScannedBoxes> {
  const scanned = rows.flatMap(({ kitId, box }) => (box !== undefined && kits.has(kitId) ? { kitId, box } : []))
  const gtins = (await selectProductsOf(tx)).map(({ gtin }) => gtin)
  const isOfAny = (number: string) => isOfProduct(number, gtins)
  if (scanned.length === 0) return { take: () => undefined, has: () => false, isOfProduct: isOfAny, taken: [] }
  await lockStock(tx)
  const today = dayOfTx(tx)
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
  const boxIds = found.flatMap((one) => ('box' in one ? one.box.id : []))
  const twins = await selectTwins(tx, boxIds)
  const taken = new Map<number, Taken>()
  const serials = new Set<string>()
  return {
    isOfProduct: isOfAny,
    get taken() {
      return [...taken.values()]
    },
    has({ kitId, box: code = '' }) {
      const one = meant.get(code)
      if (!one || 'problem' in one) return false
      return onKits.get(kitId)?.id === one.box.id || taken.get(one.box.id)?.kitId === kitId
    },
    take({ kitId, box: code }) {
      const kit = kits.get(kitId)
      const one = code === undefined ? undefined : meant.get(code)
      if (!kit || !one) return undefined
      if ('problem' in one) return new AppError('BOX_NOT_FOUND', one.problem)
      const { box } = one
      const has = onKits.get(kitId)
      if (has?.id === box.id) return undefined
      if (has) return refused(sentence('This kit is in box {serial} already.', { serial: has.serial }))
      const { kitType, realmId } = kit
      const serial = box.serial.toUpperCase()
      const hasTwin = twins.has(box.id) || serials.has(serial)
      const asIs: BoxRow = taken.has(box.id) ? { ...box, state: 'bound' } : box
      const problem = problemOf(asIs, kitType, today, hasTwin, better.get(kitType))
      if (problem) return refused(problem)
      serials.add(serial)
      taken.set(box.id, { box, kitId, realmId })
      return undefined
    },
  }
}

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

/** Puts the boxes that were taken on their kits. */
export async function bindTaken(tx: SystemTx, { taken }: ScannedBoxes): Promise<void> {
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

/** Takes the box off a kit whose shipment is taken back. */
export async function unbind(tx: SystemTx, kitId: string): Promise<void> {
  await lockStock(tx)
  const [box] = await lockOfKits(tx, [kitId])
  if (!box) return
  await unbindBox(tx, box.id)
  const { id: boxId, place } = box
  await insertMovements(tx, [{ boxId, kind: 'unbound', place, state: 'inStock', kitId }])
}
