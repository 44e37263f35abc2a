import { sql } from 'kysely'
import { AppError } from '../../domain/errors.ts'
import { newOpaqueId } from '../../domain/ids.ts'
import { db } from '../../platform/database/sql.ts'
import type { Mode, Realm, SystemTx, Tx } from '../../platform/database/tx.ts'
import { refuse } from '../../platform/http/validate.ts'
import * as audit from '../audit/service.ts'
import type { OperatorSettingsChange, Settings, SettingsChange } from './schema.ts'

export interface Business {
  id: string
  name: string
}

const columns = {
  publishing: 'publishing',
  insufficientCredits: 'insufficient_credits',
  purchasingEnabled: 'purchasing_enabled',
  uploadsEnabled: 'uploads_enabled',
  requireConsent: 'require_consent',
  lowCreditThreshold: 'low_credit_threshold',
  brandColor: 'brand_color',
  logoUrl: 'logo_url',
  contactEmail: 'contact_email',
  rateLimitPerMinute: 'rate_limit_per_minute',
} as const

const toColumns = (change: OperatorSettingsChange) =>
  Object.fromEntries(Object.entries(change).map(([name, value]) => [columns[name as keyof typeof columns], value]))

/** A change of settings as the audit keeps it: an address is said to be set, not which. */
export const auditable = (change: OperatorSettingsChange): Record<string, unknown> => ({
  ...change,
  ...(change.contactEmail && { contactEmail: 'set' }),
})

/** Makes a business with its two realms. */
export async function create(tx: SystemTx, name: string): Promise<{ business: Business; live: Realm; sandbox: Realm }> {
  const business = { id: newOpaqueId('biz'), name }
  await tx.run(db.insertInto('businesses').values({ ...business, created_at: tx.now }))
  const open = async (mode: Mode): Promise<Realm> => {
    const { id } = await tx.row(db.insertInto('realms').values({ business_id: business.id, mode }).returning('id'))
    await tx.run(db.insertInto('realm_counters').values({ realm_id: id }))
    return { id, businessId: business.id, mode }
  }
  return { business, live: await open('live'), sandbox: await open('sandbox') }
}

export function list(tx: SystemTx): Promise<Business[]> {
  return tx.rows(db.selectFrom('businesses').select(['id', 'name']).orderBy('created_at').orderBy('id'))
}

/** A business by its ID, or by its name where only one has it. @throws BUSINESS_NOT_FOUND */
export async function find(tx: SystemTx, idOrName: string): Promise<Business> {
  const found = await tx.rows(
    db
      .selectFrom('businesses')
      .select(['id', 'name'])
      .where((where) => where.or([where('id', '=', idOrName), where('name', '=', idOrName)])),
  )
  const [business] = found
  if (!business)
    throw new AppError('BUSINESS_NOT_FOUND', 'There is no such business; `kitlane business list` shows all')
  if (found.length > 1) throw new AppError('BUSINESS_NOT_FOUND', 'Several businesses have this name; give the ID')
  return business
}

/** The two realms of a business. */
export async function realmsOf(tx: SystemTx, businessId: string): Promise<Record<Mode, Realm>> {
  const rows = await tx.rows(db.selectFrom('realms').select(['id', 'mode']).where('business_id', '=', businessId))
  const pick = (mode: Mode): Realm => {
    const row = rows.find((candidate) => candidate.mode === mode)
    if (!row) throw new Error(`business ${businessId} has no ${mode} realm`)
    return { id: row.id, businessId, mode }
  }
  return { live: pick('live'), sandbox: pick('sandbox') }
}

/** The settings of this realm. */
export async function settings(tx: Tx): Promise<Settings> {
  return tx.row(sql<Settings>`
    select publishing, insufficient_credits as "insufficientCredits", purchasing_enabled as "purchasingEnabled",
           uploads_enabled as "uploadsEnabled", require_consent as "requireConsent", low_credit_threshold as "lowCreditThreshold",
           brand_color as "brandColor", logo_url as "logoUrl", contact_email as "contactEmail"
    from realms where id = ${tx.realm.id}`)
}

/** The name of this realm's business. */
export async function nameOf(tx: Tx): Promise<string> {
  const { name } = await tx.row(sql<{ name: string }>`select name from businesses where id = ${tx.realm.businessId}`)
  return name
}

/**
 * Changes the settings that a business may change itself, in this realm only, and its name.
 * @throws VALIDATION_FAILED for a name from the sandbox: live would change with it
 */
export async function changeSettings(tx: Tx, change: SettingsChange): Promise<Settings> {
  const { name, ...ofRealm } = change
  if (name !== undefined) await rename(tx, name)
  if (Object.keys(ofRealm).length > 0) {
    await tx.run(db.updateTable('realms').set(toColumns(ofRealm)).where('id', '=', tx.realm.id))
  }
  if (Object.keys(change).length > 0) {
    const details = { ...auditable(ofRealm), ...(name !== undefined && { name }) }
    await audit.record(tx, [
      { action: 'settings.changed', objectType: 'business', objectId: tx.realm.businessId, details },
    ])
  }
  return settings(tx)
}

/** Both modes share the name. @throws VALIDATION_FAILED in the sandbox */
export async function rename(tx: Tx, name: string): Promise<void> {
  if (tx.realm.mode === 'sandbox') {
    refuse([{ message: 'Both modes share the name: change it in live', path: 'name' }])
  }
  await tx.run(db.updateTable('businesses').set({ name }).where('id', '=', tx.realm.businessId))
}

/** Changes any setting of a business, in both modes: the operator's way. */
export async function configure(tx: SystemTx, businessId: string, change: OperatorSettingsChange): Promise<void> {
  if (Object.keys(change).length === 0) return
  await tx.run(db.updateTable('realms').set(toColumns(change)).where('business_id', '=', businessId))
}
