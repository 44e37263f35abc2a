import pLimit from 'p-limit'
import type { AppError } from '../../domain/errors.ts'
import type { SystemTx, Tx } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import { type LockedKit, lockLiveKits, lockPacking } from '../fulfilment/queries.ts'
import { trackingNumberOf } from '../fulfilment/rules.ts'
import { ship } from '../fulfilment/ship.ts'
import { digestOf, selectDestination } from '../labels/queries.ts'
import { afterLotBuilt } from '../recalls/follow.ts'
import { selectLotsOfKits } from '../stock/lot-queries.ts'
import { type InBox, noteLeft } from '../stock/pack.ts'
import { lockOrders, type OrderRow, saveOrder } from './queries.ts'
import { heardOf, isOtherProduct, type LeftParcel, problemOfParcel, reasonOfRefusal } from './rules.ts'

/** Notes what became of a kit at a warehouse. */
export const recordState = (tx: Tx, { kitId, state, reason, warehouseId: warehouse }: OrderRow) =>
  audit.record(tx, [
    { action: 'kit.at_warehouse', objectType: 'kit', objectId: kitId, details: { warehouse, state, reason } },
  ])

/**
 * Records a parcel that left by the same verb as at the station; packing, the kit and its row are locked in this order. `row`: what is
 * known of it by now. Returns why it cannot be recorded.
 */
export async function recordParcel(
  tx: Tx,
  system: SystemTx,
  row: OrderRow,
  { box, left, lot }: Pick<InBox, 'box' | 'left' | 'lot'>,
): Promise<AppError | undefined> {
  const { kitId, carrier, number, digest } = row
  const recipient = (await selectDestination(tx, kitId))?.recipient
  const isCorrected = recipient && digest && !digest.equals(await digestOf(tx, recipient))
  await saveOrder(tx, row)
  const parcel = { kitId, carrier: carrier ?? 'Other', outbound: trackingNumberOf(number ?? ''), lot: lot ?? null }
  const more = { box, left, ...(isCorrected && { isToAddressBefore: true as const }) }
  const [shipped] = await ship(system, [{ ...parcel, ...more }])
  if (shipped?.status === 'failed') return shipped.why
  if (shipped?.status === 'already') await saveOrder(tx, { ...row, state: 'shipped' })
  await addToRecalls(system, kitId)
  return undefined
}

/** A recall may have begun before it was known that a kit left. */
async function addToRecalls(system: SystemTx, kitId: string): Promise<void> {
  for (const one of await selectLotsOfKits(system, [kitId])) await afterLotBuilt(system, one)
}

/** Notes all boxes and lots of parcels that left, besides what the kit is in already: so a recall of each reaches who gets it. */
export async function noteContents(system: SystemTx, kit: LockedKit, parcels: readonly LeftParcel[]): Promise<void> {
  for (const { serials, lots } of parcels) {
    const lot = lots.length === 1 ? lots[0] : null
    for (const box of serials) await noteLeft(system, kit, { box, lot })
    // Which lot a box is of that was never received is not known.
    if (serials.length === 0 || lot === null) for (const one of lots) await noteLeft(system, kit, { lot: one })
  }
  await addToRecalls(system, kit.kitId)
}

// Recordings wait for one another in the database, for two seconds at most: here they wait as long as it takes.
const recording = pLimit(1)

/** Records what left the warehouse. What is not right waits for a person. */
export function recordShipped(
  { kitId, open }: { kitId: string; open<T>(work: (tx: Tx, system: SystemTx) => Promise<T>): Promise<T> },
  row: OrderRow,
  said: LeftParcel,
  needsSerial: boolean,
): Promise<void> {
  const work = async (tx: Tx, system: SystemTx) => {
    await lockPacking(system)
    const [kit] = await lockLiveKits(system, [kitId])
    const [now] = await lockOrders(tx, [kitId])
    if (!kit || !now || now.tries !== row.tries || now.state !== row.state) return
    const { serials, lots } = said
    const heard = { ...now, ...heardOf([said]), dueAt: null, reason: null, code: null, failures: 0 }
    const isOther = now.ordered !== null && isOtherProduct(said, now.ordered.sku)
    const problem = isOther ? 'otherProduct' : problemOfParcel(serials, needsSerial)
    const refusal = problem ? undefined : await recordParcel(tx, system, heard, { box: serials[0], lot: lots[0] })
    const reason = problem ?? (refusal && reasonOfRefusal(refusal.code))
    if (reason === 'notWaiting' || (!reason && lots.length > 1)) await noteContents(system, kit, [said])
    if (!reason) return
    const code = isOther ? said.products.flat().join(', ').slice(0, 60) : (refusal?.code ?? null)
    const next = { ...heard, state: 'notRecorded' as const, reason, code }
    await saveOrder(tx, next)
    await recordState(tx, next)
  }
  return recording(() => open(work))
}
