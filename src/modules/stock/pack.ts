import { type Sentence, sentence } from '@kitlane/display/sentence'
import { AppError } from '../../domain/errors.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import { readCode } from './code.ts'
import { daysBefore, packingProblem } from './decision.ts'
import { boxOf, dayOfTx } from './find.ts'
import {
  type BoxRow,
  bindBoxes,
  insertMovements,
  lockByCodes,
  lockOfKits,
  lockStock,
  selectFirstExpiring,
  unbindBox,
} from './queries.ts'

export interface KitWithBox {
  kitId: string
  kitType: string
  realmId: number
  /** As it was scanned. */
  box: string
}

/** Boxes that were scanned for kits which are being packed. What they take is written by `bindTaken`. */
export interface PackingBoxes {
  /** Takes a box for a kit; says why not. A box that the kit has already is right. */
  take(kit: KitWithBox): AppError | undefined
  /** Whether a kit is in this box, before this shipment or by it. */
  has(kit: KitWithBox): boolean
  taken: Map<number, { box: BoxRow; kit: KitWithBox }>
}

const refused = (words: Sentence): AppError => new AppError('BOX_REFUSED', words)

/** Locks the boxes that were scanned for kits, in one order. */
export async function boxesForPacking(tx: SystemTx, kits: readonly KitWithBox[]): Promise<PackingBoxes> {
  const taken: PackingBoxes['taken'] = new Map()
  if (kits.length === 0) return { take: () => undefined, has: () => false, taken }
  await lockStock(tx)
  const today = dayOfTx(tx)
  const readings = new Map(kits.map(({ box }) => [box, readCode(box, today)]))
  const codes = [...readings.values()].flatMap((read) => ('code' in read ? [read.code] : []))
  const boxes = await lockByCodes(tx, codes)
  const onKits = new Map(
    (
      await lockOfKits(
        tx,
        kits.map(({ kitId }) => kitId),
      )
    ).map((box) => [box.kitId, box]),
  )
  const better = new Map<string, Awaited<ReturnType<typeof selectFirstExpiring>>>()
  for (const kitType of new Set(kits.map(({ kitType }) => kitType))) {
    better.set(kitType, await selectFirstExpiring(tx, { kitType, today }))
  }
  const hinted = (problem: Sentence, kitType: string): AppError => {
    const first = better.get(kitType)
    if (!first) return refused(problem)
    const { serial, place, expiresOn: date } = first
    return refused(
      sentence('{problem} The one that expires first is {serial}, at {place}, on {date}.', {
        problem,
        serial,
        place,
        date,
      }),
    )
  }
  const meant = ({ box }: KitWithBox) => {
    const read = readings.get(box)
    return read && boxOf(read, boxes)
  }
  return {
    taken,
    has(kit) {
      const found = meant(kit)
      if (!found || 'problem' in found) return false
      return onKits.get(kit.kitId)?.id === found.box.id || taken.get(found.box.id)?.kit.kitId === kit.kitId
    },
    take(kit) {
      const found = meant(kit)
      if (!found || 'problem' in found) {
        const words = found?.problem ?? sentence('This is no code of a box.')
        return new AppError('BOX_NOT_FOUND', words)
      }
      const { box } = found
      const has = onKits.get(kit.kitId)
      if (has?.id === box.id) return undefined
      if (has) return refused(sentence('This kit is in box {serial} already.', { serial: has.serial }))
      const other = taken.get(box.id)
      const problem =
        other && other.kit.kitId !== kit.kitId
          ? packingProblem({ ...box, state: 'bound' }, kit.kitType, today)
          : packingProblem(box, kit.kitType, today)
      if (problem) return hinted(problem, kit.kitType)
      taken.set(box.id, { box, kit })
      return undefined
    },
  }
}

/** Puts the boxes that were taken on their kits. */
export async function bindTaken(tx: SystemTx, { taken }: PackingBoxes): Promise<void> {
  if (taken.size === 0) return
  const all = [...taken.values()]
  await bindBoxes(
    tx,
    all.map(({ box, kit: { kitId, realmId } }) => ({
      boxId: box.id,
      kitId,
      realmId,
      registerBy: daysBefore(box.expiresOn, box.registerDaysBeforeExpiry),
    })),
  )
  await insertMovements(
    tx,
    all.map(({ box: { id: boxId, place }, kit: { kitId } }) => ({
      boxId,
      kind: 'bound',
      place,
      state: 'bound',
      kitId,
    })),
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
