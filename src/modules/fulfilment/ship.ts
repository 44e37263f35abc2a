import type { AppError } from '../../domain/errors.ts'
import { type Realm, type SystemTx, within } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import { moveKits } from '../kits/move.ts'
import { applyWaitingEvents } from './carrier.ts'
import { deleteClaimsOf } from './claim-queries.ts'
import { deleteOldParcels, insertParcels, lockLiveKits, lockPacking, selectParcels } from './queries.ts'
import { judgeShipments, type Packed } from './rules.ts'

// Carriers reuse numbers, USPS after some months: after a year a number means another parcel.
const NUMBER_REUSED_AFTER_MS = 365 * 24 * 3600 * 1000

export type Shipped = { status: 'shipped' | 'already' } | { status: 'failed'; why: AppError }

/**
 * Records that kits were packed and handed to a carrier: keeps their tracking numbers, moves them to kitInTransit, and
 * applies events that carriers sent about the numbers before. A kit that has these labels already stays as it is. Answers
 * in the order of the rows; a refused row does not stop the others. `dryRun` changes nothing.
 */
export async function ship(
  tx: SystemTx,
  rows: readonly Packed[],
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<Shipped[]> {
  if (rows.length === 0) return []
  await lockPacking(tx)
  const kits = new Map(
    (
      await lockLiveKits(
        tx,
        rows.map(({ kitId }) => kitId),
      )
    ).map((kit) => [kit.kitId, kit]),
  )
  const numbers = [...new Set(rows.flatMap(({ outbound, returnNumber = [] }) => [outbound, ...[returnNumber].flat()]))]
  if (!dryRun) await deleteOldParcels(tx, numbers, new Date(tx.now.getTime() - NUMBER_REUSED_AFTER_MS))
  const verdicts = judgeShipments(rows, kits, await selectParcels(tx, numbers))
  if (dryRun) return verdicts.map(answerOf)
  await insertParcels(
    tx,
    verdicts.flatMap((verdict) => (verdict.status === 'shipped' ? verdict.parcels : [])),
  )
  const accepted = rows.filter((_, index) => verdicts[index]?.status === 'shipped')
  const realms = new Map([...kits.values()].map(({ realm }) => [realm.id, realm]))
  for (const realm of [...realms.values()].sort((a, b) => a.id - b.id)) {
    await shipInRealm(
      tx,
      realm,
      accepted.filter(({ kitId }) => kits.get(kitId)?.realmId === realm.id),
    )
  }
  await deleteClaimsOf(
    tx,
    accepted.map(({ kitId }) => kitId),
  )
  await applyWaitingEvents(tx, numbers)
  return verdicts.map(answerOf)
}

const answerOf = (verdict: ReturnType<typeof judgeShipments>[number]): Shipped =>
  verdict.status === 'failed' ? verdict : { status: verdict.status }

async function shipInRealm(tx: SystemTx, realm: Realm, rows: readonly Packed[]): Promise<void> {
  if (rows.length === 0) return
  const date = tx.now.toISOString()
  const inRealm = within(tx, realm)
  await moveKits(
    inRealm,
    rows.map(({ kitId, carrier, outbound, returnCarrier = carrier, returnNumber }) => ({
      kitId,
      to: 'kitInTransit' as const,
      shipment: {
        toUser: { trackingNumber: outbound, carrier, date },
        ...(returnNumber && { toLab: { trackingNumber: returnNumber, carrier: returnCarrier, date } }),
      },
    })),
  )
  await audit.record(
    inRealm,
    rows.map(({ kitId, carrier }) => ({
      action: 'kit.shipped',
      objectType: 'kit',
      objectId: kitId,
      details: { carrier },
    })),
  )
}
