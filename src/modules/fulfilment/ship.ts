import type { AppError } from '../../domain/errors.ts'
import { type Realm, type SystemTx, type Tx, within } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import { applyChanges, moveKits } from '../kits/move.ts'
import { lockKits } from '../kits/queries.ts'
import { selectRecalled } from '../kits/recall-queries.ts'
import { stateOf } from '../kits/records.ts'
import { advance, allowed } from '../kits/rules.ts'
import type { Shipment } from '../kits/schema.ts'
import { bindTaken, boxesForPacking } from '../stock/pack.ts'
import { recordHappened } from '../undelivered/record.ts'
import { kitsToSendAgain } from '../undelivered/service.ts'
import { applyWaitingEvents } from './carrier.ts'
import { deleteClaimsOf } from './claim-queries.ts'
import {
  deleteOldParcels,
  insertParcels,
  type LockedKit,
  lockBoughtLabels,
  lockLiveKits,
  lockPacking,
  selectAtWarehouse,
  selectParcels,
  selectReturnLabels,
} from './queries.ts'
import { judgeShipments, type Packed } from './rules.ts'

export type Shipped = { status: 'shipped' | 'already' } | { status: 'failed'; why: AppError }

/**
 * Records that kits were packed and handed to a carrier: keeps their tracking numbers, moves them to kitInTransit, and
 * applies events that carriers sent about the numbers before. A kit that has these labels already stays as it is. Answers
 * in the order of the rows; a refused row does not stop the others. `dryRun` changes nothing.
 */
export async function ship(
  tx: SystemTx,
  given: readonly Packed[],
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<Shipped[]> {
  if (given.length === 0) return []
  await lockPacking(tx)
  const kitIds = given.map(({ kitId }) => kitId)
  const kits = new Map((await lockLiveKits(tx, kitIds)).map((kit) => [kit.kitId, kit]))
  const inBoxes = await selectReturnLabels(tx, [...kits.values()])
  // One that was bought and is not named may be in the box. What a warehouse packs has no label that was bought here.
  const named = given.map((row) => {
    const returnNumber = row.returnNumber ?? (row.lot === undefined ? inBoxes.get(row.kitId) : undefined)
    return { ...row, ...(returnNumber !== undefined && { returnNumber }) }
  })
  const numbers = [...new Set(named.flatMap(({ outbound, returnNumber = [] }) => [outbound, ...[returnNumber].flat()]))]
  const labels = await lockBoughtLabels(tx, numbers)
  const rows = named.map((row) => ({ ...row, ...carriersOf(row, labels) }))
  if (!dryRun) await deleteOldParcels(tx, numbers)
  const realms = new Map([...kits.values()].map(({ realm }) => [realm.id, realm]))
  const again = await sentAgain(tx, [...realms.values()], [...kits.values()])
  const elsewhere = await selectAtWarehouse(tx, kitIds)
  for (const kit of kits.values()) {
    kit.isSentAgain = again.has(kit.kitId)
    kit.isAtWarehouse = elsewhere.has(kit.kitId)
  }
  const boxes = await boxesForPacking(tx, rows, kits)
  // Only a kit that was packed before has anything in it that can be recalled. The stock is locked: no recall begins meanwhile.
  for (const realm of realms.values()) {
    const mine = [...again].filter((id) => kits.get(id)?.realmId === realm.id)
    for (const [id, { stopsUse }] of await selectRecalled(within(tx, realm), mine)) {
      const kit = kits.get(id)
      if (kit) kit.isRecalled = stopsUse
    }
  }
  const verdicts = judgeShipments(rows, kits, await selectParcels(tx, numbers), boxes, labels)
  if (dryRun) return verdicts.map(answerOf)
  await insertParcels(
    tx,
    verdicts.flatMap((verdict) => (verdict.status === 'shipped' ? verdict.parcels : [])),
  )
  const isPacked = ({ kitId }: Packed) => again.has(kitId) || kits.get(kitId)?.kitStatus !== 'preparing'
  const accepted = rows.filter((_, index) => verdicts[index]?.status === 'shipped')
  for (const realm of [...realms.values()].sort((a, b) => a.id - b.id)) {
    const mine = accepted.filter(({ kitId }) => kits.get(kitId)?.realmId === realm.id)
    await shipInRealm(
      tx,
      realm,
      mine.filter((row) => !isPacked(row)),
    )
    await relabel(tx, realm, mine.filter(isPacked))
  }
  await bindTaken(tx, boxes)
  await deleteClaimsOf(
    tx,
    accepted.map(({ kitId }) => kitId),
  )
  await applyWaitingEvents(tx, numbers)
  return verdicts.map(answerOf)
}

/** A label that was bought is its carrier's, whatever the row says. */
function carriersOf(
  { carrier, outbound, returnNumber = '', returnCarrier }: Packed,
  labels: Awaited<ReturnType<typeof lockBoughtLabels>>,
): Pick<Packed, 'carrier' | 'returnCarrier'> {
  const back = labels.get(returnNumber)?.carrier ?? returnCarrier
  return { carrier: labels.get(outbound)?.carrier ?? carrier, ...(back && { returnCarrier: back }) }
}

const answerOf = (verdict: ReturnType<typeof judgeShipments>[number]): Shipped =>
  verdict.status === 'failed' ? verdict : { status: verdict.status }

/** Of these kits, those that came back and go out again. */
async function sentAgain(
  tx: SystemTx,
  realms: readonly Realm[],
  kits: readonly LockedKit[],
): Promise<ReadonlySet<string>> {
  // Not by its label: one that another vendor sent may have none that is known.
  const shipped = kits.filter(({ kitStatus }) => kitStatus !== 'preparing')
  const found = await Promise.all(
    realms.map((realm) =>
      kitsToSendAgain(
        within(tx, realm),
        shipped.filter(({ realmId }) => realmId === realm.id).map(({ kitId }) => kitId),
      ),
    ),
  )
  return new Set(found.flatMap((ids) => [...ids]))
}

const shipmentOf = (
  { carrier, outbound, returnCarrier = carrier, returnNumber, isToAddressBefore }: Packed,
  date: string,
): Shipment => ({
  toUser: { trackingNumber: outbound, carrier, date, ...(isToAddressBefore && { isToAddressBefore }) },
  ...(returnNumber && { toLab: { trackingNumber: returnNumber, carrier: returnCarrier, date } }),
})

/** New labels of kits that came back, or that left a warehouse after they were registered. What is registered keeps its status. */
async function relabel(tx: SystemTx, realm: Realm, rows: readonly Packed[]): Promise<void> {
  if (rows.length === 0) return
  const inRealm = within(tx, realm)
  const kits = await lockKits(
    inRealm,
    rows.map(({ kitId }) => kitId),
  )
  const packed = new Map(rows.map((row) => [row.kitId, row]))
  await applyChanges(
    inRealm,
    kits.flatMap((kit) => {
      const row = packed.get(kit.id)
      if (!row) return []
      const state = stateOf(kit)
      const steps = allowed(state).includes('kitInTransit') ? advance(state, 'kitInTransit', { at: tx.now }) : []
      return [{ kit, steps, besides: { shipment: { ...kit.shipment, ...shipmentOf(row, tx.now.toISOString()) } } }]
    }),
  )
  await recordHappened(
    inRealm,
    kits,
    rows.map(({ kitId, postage }) => ({ kitId, happening: { is: 'sent' as const }, postage })),
  )
  await recordShipped(inRealm, rows)
}

const recordShipped = (tx: Tx, rows: readonly Packed[]) =>
  audit.record(
    tx,
    rows.map(({ kitId, carrier }) => ({
      action: 'kit.shipped',
      objectType: 'kit',
      objectId: kitId,
      details: { carrier },
    })),
  )

async function shipInRealm(tx: SystemTx, realm: Realm, rows: readonly Packed[]): Promise<void> {
  if (rows.length === 0) return
  const date = tx.now.toISOString()
  const inRealm = within(tx, realm)
  await moveKits(
    inRealm,
    rows.map((row) => ({ kitId: row.kitId, to: 'kitInTransit' as const, shipment: shipmentOf(row, date) })),
  )
  await recordShipped(inRealm, rows)
}
