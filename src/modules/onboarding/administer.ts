import { type Mode, type SystemTx, within } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import type { Business } from '../businesses/queries.ts'
import type { OperatorSettingsChange } from '../businesses/schema.ts'
import * as businesses from '../businesses/service.ts'
import { internalKitType, publicKitType } from '../catalogue/kit-type.ts'
import type { PanelPrice } from '../catalogue/queries.ts'
import { provision } from '../catalogue/service.ts'
import { grant } from '../credits/service.ts'

/** Records in the audit of both modes what was done to the business. */
async function recordInBothModes(
  tx: SystemTx,
  businessId: string,
  entries: readonly audit.AuditEntry[],
): Promise<void> {
  for (const realm of Object.values(await businesses.realmsOf(tx, businessId))) {
    await audit.record(within(tx, realm), entries)
  }
}

/** Changes settings of a business in both modes, and its name. @throws BUSINESS_NOT_FOUND */
export async function configureBusiness(
  tx: SystemTx,
  idOrName: string,
  { name, ...change }: OperatorSettingsChange & { name?: string | undefined },
): Promise<Business> {
  const { id } = await businesses.find(tx, idOrName)
  if (name !== undefined) await businesses.rename(within(tx, (await businesses.realmsOf(tx, id)).live), name)
  await businesses.configure(tx, id, change)
  const details = { ...businesses.auditable(change), ...(name !== undefined && { name }) }
  if (Object.keys(details).length > 0) {
    await recordInBothModes(tx, id, [{ action: 'settings.changed', objectType: 'business', objectId: id, details }])
  }
  return businesses.find(tx, id)
}

/**
 * Lets a business order panels in both modes, or changes what they cost it by card. Returns their public kit types.
 * @throws BUSINESS_NOT_FOUND, PANEL_NOT_FOUND
 */
export async function provisionPanels(
  tx: SystemTx,
  idOrName: string,
  kitTypes: readonly string[] | 'all',
  price: Partial<PanelPrice> = {},
): Promise<{ business: Business; kitTypes: string[] }> {
  const business = await businesses.find(tx, idOrName)
  const wanted = kitTypes === 'all' ? 'all' : kitTypes.map(internalKitType)
  const provisioned = (await provision(tx, business.id, wanted, price)).map(publicKitType)
  const details = { price: price.minor, currency: price.currency }
  const entry = { action: 'panel.provisioned' as const, objectType: 'panel', details }
  await recordInBothModes(
    tx,
    business.id,
    provisioned.map((kitType) => ({ ...entry, objectId: kitType })),
  )
  return { business, kitTypes: provisioned }
}

/** Gives a business credits; the reason is kept in the ledger. @throws BUSINESS_NOT_FOUND, PANEL_NOT_FOUND */
export async function grantCredits(
  tx: SystemTx,
  idOrName: string,
  { mode, type, amount, reason }: { mode: Mode; type: string; amount: number; reason: string },
): Promise<void> {
  const { id } = await businesses.find(tx, idOrName)
  const realms = await businesses.realmsOf(tx, id)
  await grant(within(tx, realms[mode]), [{ kitType: type, amount }], reason)
}
