import { AppError } from '../../domain/errors.ts'
import { type SystemTx, within } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import { applyChanges, lockKit } from '../kits/move.ts'
import { kitNotFound, stateOf } from '../kits/records.ts'
import { advance, current } from '../kits/rules.ts'
import type { KitRecord } from '../kits/schema.ts'
import { unbind } from '../stock/pack.ts'
import { maybeFindRow } from '../undelivered/service.ts'
import { deleteParcelsOf, hasCarrierEvents, lockLiveKits, lockPacking } from './queries.ts'

// As long as a box may lie on the table: later it is in the carrier's hands.
const UNDONE_WITHIN_MS = 15 * 60_000

const SENT_AGAIN =
  'This kit had come back and was sent again: if it is still here, report it as returned, and put a new label on it'

const refusal = (why: string) => new AppError('ILLEGAL_TRANSITION', why)

/**
 * Takes a shipment back that was noted by mistake: the kit waits to be packed again, and its numbers are free.
 * @throws KIT_NOT_FOUND; ILLEGAL_TRANSITION after 15 minutes, or after an event of the carrier or a further step of the kit
 */
export async function unship(tx: SystemTx, kitId: string): Promise<KitRecord> {
  await lockPacking(tx)
  const [found] = await lockLiveKits(tx, [kitId])
  if (!found) throw kitNotFound()
  const inRealm = within(tx, found.realm)
  const kit = await lockKit(inRealm, kitId)
  const { toUser, toLab } = kit.shipment
  if (!toUser || current(stateOf(kit)) !== 'kitInTransit')
    throw refusal('Only a kit that was just shipped can be taken back')
  if (tx.now.getTime() - Date.parse(toUser.date) > UNDONE_WITHIN_MS) {
    throw refusal('This kit was shipped more than 15 minutes ago: it is with the carrier')
  }
  const numbers = [toUser.trackingNumber, ...(toLab ? [toLab.trackingNumber] : [])]
  if (await hasCarrierEvents(tx, numbers)) throw refusal('The carrier has this parcel already')
  if ((await maybeFindRow(inRealm, kitId))?.state === 'sentAgain') throw refusal(SENT_AGAIN)
  const steps = advance(stateOf(kit), 'kitPreparing', { at: tx.now, force: true })
  const [record] = await applyChanges(inRealm, [{ kit, steps, besides: { shipment: {} } }])
  await unbind(tx, kitId)
  await deleteParcelsOf(tx, found.realmId, kit.orderId)
  await audit.record(inRealm, [{ action: 'kit.unshipped', objectType: 'kit', objectId: kitId }])
  if (!record) throw kitNotFound()
  return record
}
