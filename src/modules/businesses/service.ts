import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../../domain/errors.ts'
import { newOpaqueId } from '../../domain/ids.ts'
import type { Mode, Realm, SystemTx, Tx } from '../../platform/database/tx.ts'
import { refuse } from '../../platform/http/validate.ts'
import * as audit from '../audit/service.ts'
import * as queries from './queries.ts'
import type { AnySettingsChange, OperatorSettingsChange, Settings, SettingsChange } from './schema.ts'

const discreet = ['contactEmail', 'billingName', 'billingAddress', 'billingTaxNumber'] as const

/** A change of settings as the audit keeps it: that an address or a tax number was set, not which one. */
export const auditable = (change: AnySettingsChange): Record<string, unknown> => ({
  ...change,
  ...Object.fromEntries(discreet.filter((name) => change[name]).map((name) => [name, 'set'])),
})

/** Makes a business with its two realms. */
export async function create(
  tx: SystemTx,
  name: string,
): Promise<{ business: queries.Business; live: Realm; sandbox: Realm }> {
  const business = { id: newOpaqueId('biz'), name }
  await queries.insertBusiness(tx, business)
  return {
    business,
    live: await queries.insertRealm(tx, business.id, 'live'),
    sandbox: await queries.insertRealm(tx, business.id, 'sandbox'),
  }
}

export const list = (tx: SystemTx): Promise<queries.Business[]> => queries.selectBusinesses(tx)

/** A business by its ID, or by its name where only one has it. @throws BUSINESS_NOT_FOUND */
export async function find(tx: SystemTx, idOrName: string): Promise<queries.Business> {
  const found = await queries.selectBusinessesCalled(tx, idOrName)
  const [business] = found
  if (!business)
    throw new AppError('BUSINESS_NOT_FOUND', 'There is no such business; `kitlane business list` shows all')
  if (found.length > 1) throw new AppError('BUSINESS_NOT_FOUND', 'Several businesses have this name; give the ID')
  return business
}

/** The two realms of a business. */
export async function realmsOf(tx: SystemTx, businessId: string): Promise<Record<Mode, Realm>> {
  const rows = await queries.selectRealms(tx, businessId)
  const pick = (mode: Mode): Realm => {
    const row = rows.find((candidate) => candidate.mode === mode)
    if (!row) throw new Error(`business ${businessId} has no ${mode} realm`)
    return { id: row.id, businessId, mode }
  }
  return { live: pick('live'), sandbox: pick('sandbox') }
}

/** The settings of this realm. */
export const settings = (tx: Tx): Promise<Settings> => queries.selectSettings(tx)

/** The name of this realm's business. */
export const nameOf = (tx: Tx): Promise<string> => queries.selectName(tx)

/**
 * Changes the settings that a business may change itself, in this realm only, and its name.
 * @throws VALIDATION_FAILED for a name from the sandbox: live would change with it
 */
export async function changeSettings(tx: Tx, change: SettingsChange): Promise<Settings> {
  const { name, ...ofRealm } = change
  const before = await earlier(tx, change)
  if (name !== undefined) await rename(tx, name)
  if (Object.keys(ofRealm).length > 0) await queries.updateSettings(tx, ofRealm)
  if (Object.keys(change).length > 0) {
    const details = { ...auditable(ofRealm), ...(name !== undefined && { name }), before }
    await audit.record(tx, [
      { action: 'settings.changed', objectType: 'business', objectId: tx.realm.businessId, details },
    ])
  }
  return settings(tx)
}

/** What a change replaces, as the audit keeps it. */
async function earlier(tx: Tx, change: SettingsChange): Promise<Record<string, unknown>> {
  const known: Record<string, unknown> = { ...auditable(await settings(tx)), name: await nameOf(tx) }
  const replaced = Object.entries(change).filter(([field, value]) => !isDeepStrictEqual(known[field], value))
  return Object.fromEntries(replaced.map(([field]) => [field, known[field] ?? null]))
}

/** Both modes share the name. @throws VALIDATION_FAILED in the sandbox */
export async function rename(tx: Tx, name: string): Promise<void> {
  if (tx.realm.mode === 'sandbox') {
    refuse([{ message: 'Both modes share the name: change it in live', path: 'name' }])
  }
  await queries.updateName(tx, name)
}

/** Changes any setting of a business, in both modes: only the operator may. */
export async function configure(tx: SystemTx, businessId: string, change: OperatorSettingsChange): Promise<void> {
  if (Object.keys(change).length === 0) return
  await queries.updateSettingsOfBoth(tx, businessId, change)
}

/** Whether an administrator of the business approves before somebody of the operator enters. */
export const approvesSupport = (tx: SystemTx, businessId: string): Promise<boolean> =>
  queries.selectApprovesSupport(tx, businessId)

/** Only the business itself may change it: the operator would switch its own limit off. */
export const setApprovesSupport = (tx: SystemTx, businessId: string, approves: boolean): Promise<void> =>
  queries.updateApprovesSupport(tx, businessId, approves)
