import type { z } from 'zod'
import { type SystemTx, within } from '../../platform/database/tx.ts'
import { pagination } from '../../platform/http/fields.ts'
import { realmOfKit } from '../kits/locate.ts'
import { selectKitLotsOf, selectLotOfKit } from '../stock/lot-queries.ts'
import { lotNotFound } from '../stock/lots.ts'
import { type RecallKind, stageOf } from './decision.ts'
import { selectKits, selectLotsOfNumber, selectMeasured, selectTraced } from './kit-queries.ts'
import type { KitLots } from './schema.ts'
import { toRecalledKit } from './service.ts'

/** From a kit to all that it is made of and was measured with. @throws KIT_NOT_FOUND */
export async function lotsOfKit(tx: SystemTx, kitId: string): Promise<z.input<typeof KitLots>> {
  const realm = within(tx, await realmOfKit(tx, kitId))
  const lot = await selectLotOfKit(realm, kitId)
  const [built] = lot ? await selectKitLotsOf(realm, [lot]) : []
  const measured = await selectMeasured(realm, kitId)
  const { rows } = await selectKits(realm, { kitIds: [kitId], page: 0, size: 100 })
  const found: z.input<typeof KitLots>['lots'] = [
    ...(lot ? [{ kind: 'kitLot' as RecallKind, subject: lot.product, lot: lot.lot }] : []),
    ...(built?.components ?? []).map(({ component, lot }) => ({
      kind: 'componentLot' as const,
      subject: component,
      lot,
    })),
    ...measured.map(({ results, ...one }) => ({ ...one, results: [...results] })),
  ]
  return { kitID: kitId, lots: found, recalls: rows.map(toRecalledKit) }
}

/** From the number of a lot to the kits that hold it and their people. @throws LOT_NOT_FOUND */
export async function traceLot(tx: SystemTx, number: string, { page, size }: { page: number; size: number }) {
  const lots = await selectLotsOfNumber(tx, number)
  if (lots.length === 0) throw lotNotFound()
  const { rows, total } = await selectTraced(tx, number, { page, size })
  return {
    lots,
    data: rows.map(({ kitId, businessId, businessName, customerId, kind, ...statuses }) => ({
      kitID: kitId,
      business: { id: businessId, name: businessName },
      stage: stageOf(statuses),
      ...(customerId !== null && { customerID: customerId }),
      kind,
    })),
    pagination: pagination(page, size, total),
  }
}
