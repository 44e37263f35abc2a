import { sql } from 'kysely'
import { db } from '../../platform/database/sql.ts'
import type { Mode, Realm, SystemTx, Tx } from '../../platform/database/tx.ts'
import type { AnySettingsChange, OperatorSettingsChange, Settings } from './schema.ts'

export interface Business {
  id: string
  name: string
}

/** The businesses of `--demo` whose half year is made up. Their names say so wherever they are shown. The first is small, and done in seconds. */
export const DEMO_COMPANIES = ['Harbor Health (demo)', 'Juniper Wellness (demo)'] as const

/** Whether a realm `r` is of one of them. */
export const isMadeUp = sql<boolean>`r.business_id in (select id from businesses where name = any(${[...DEMO_COMPANIES]}))`

/** The same of the realm of a transaction: nothing of its people leaves the installation. */
export const isOfDemo = async (tx: Tx): Promise<boolean> =>
  (
    await tx.row(
      sql<{ is: boolean }>`select exists (select from realms r where r.id = ${tx.realm.id} and ${isMadeUp}) as is`,
    )
  ).is

/** The realm of `realms r`, as one column. */
export const realmColumn = sql`jsonb_build_object('id', r.id, 'businessId', r.business_id, 'mode', r.mode) as realm`

export async function insertBusiness(tx: SystemTx, business: Business): Promise<void> {
  await tx.run(db.insertInto('businesses').values({ ...business, created_at: tx.now }))
}

export async function insertRealm(tx: SystemTx, businessId: string, mode: Mode): Promise<Realm> {
  const { id } = await tx.row(db.insertInto('realms').values({ business_id: businessId, mode }).returning('id'))
  await tx.run(db.insertInto('realm_counters').values({ realm_id: id }))
  return { id, businessId, mode }
}

/** All businesses, oldest first. */
export function selectBusinesses(tx: SystemTx): Promise<Business[]> {
  return tx.rows(db.selectFrom('businesses').select(['id', 'name']).orderBy('created_at').orderBy('id'))
}

export function selectBusinessesCalled(tx: SystemTx, idOrName: string): Promise<Business[]> {
  return tx.rows(
    db
      .selectFrom('businesses')
      .select(['id', 'name'])
      .where((where) => where.or([where('id', '=', idOrName), where('name', '=', idOrName)])),
  )
}

export function selectRealms(tx: SystemTx, businessId: string): Promise<{ id: number; mode: string }[]> {
  return tx.rows(db.selectFrom('realms').select(['id', 'mode']).where('business_id', '=', businessId))
}

export function selectSettings(tx: Tx): Promise<Settings> {
  return tx.row(sql<Settings>`
    select publishing, publish_acknowledged as "publishAcknowledged", insufficient_credits as "insufficientCredits", purchasing_enabled as "purchasingEnabled",
           uploads_enabled as "uploadsEnabled", require_consent as "requireConsent",
           replace_discarded as "replaceDiscarded", low_credit_threshold as "lowCreditThreshold",
           brand_color as "brandColor", logo_url as "logoUrl", contact_email as "contactEmail",
           billing_name as "billingName", billing_address as "billingAddress", billing_tax_number as "billingTaxNumber",
           retest_panels as "retestPanels"
    from realms where id = ${tx.realm.id}`)
}

export async function selectName(tx: Tx): Promise<string> {
  const { name } = await tx.row(sql<{ name: string }>`select name from businesses where id = ${tx.realm.businessId}`)
  return name
}

const columns = {
  publishing: 'publishing',
  publishAcknowledged: 'publish_acknowledged',
  insufficientCredits: 'insufficient_credits',
  purchasingEnabled: 'purchasing_enabled',
  uploadsEnabled: 'uploads_enabled',
  requireConsent: 'require_consent',
  replaceDiscarded: 'replace_discarded',
  lowCreditThreshold: 'low_credit_threshold',
  brandColor: 'brand_color',
  logoUrl: 'logo_url',
  contactEmail: 'contact_email',
  billingName: 'billing_name',
  billingAddress: 'billing_address',
  billingTaxNumber: 'billing_tax_number',
  retestPanels: 'retest_panels',
  rateLimitPerMinute: 'rate_limit_per_minute',
} as const

const toColumns = (change: AnySettingsChange) =>
  Object.fromEntries(Object.entries(change).map(([name, value]) => [columns[name as keyof typeof columns], value]))

export async function updateSettings(tx: Tx, change: AnySettingsChange): Promise<void> {
  await tx.run(db.updateTable('realms').set(toColumns(change)).where('id', '=', tx.realm.id))
}

/** Changes settings of both realms of a business. */
export async function updateSettingsOfBoth(
  tx: SystemTx,
  businessId: string,
  change: OperatorSettingsChange,
): Promise<void> {
  await tx.run(db.updateTable('realms').set(toColumns(change)).where('business_id', '=', businessId))
}

export async function updateName(tx: Tx, name: string): Promise<void> {
  await tx.run(db.updateTable('businesses').set({ name }).where('id', '=', tx.realm.businessId))
}

export async function selectApprovesSupport(tx: SystemTx, businessId: string): Promise<boolean> {
  const { approves } = await tx.row(
    sql<{ approves: boolean }>`select approves_support as approves from businesses where id = ${businessId}`,
  )
  return approves
}

export async function updateApprovesSupport(tx: SystemTx, businessId: string, approves: boolean): Promise<void> {
  await tx.run(db.updateTable('businesses').set({ approves_support: approves }).where('id', '=', businessId))
}

/** How far the clock of this sandbox was advanced in all, in milliseconds. */
export async function selectClockAdvance(tx: Tx): Promise<number> {
  const { ms } = await tx.row(sql<{ ms: number }>`
    select clock_advanced_ms as ms from realms where id = ${tx.realm.id}`)
  return ms
}

/** Adds to that; returns the sum. The database refuses it for live. One advance waits for another: the row is locked. */
export async function addClockAdvance(tx: Tx, ms: number): Promise<number> {
  const { total } = await tx.row(sql<{ total: number }>`
    update realms set clock_advanced_ms = clock_advanced_ms + ${ms} where id = ${tx.realm.id}
    returning clock_advanced_ms as total`)
  return total
}

/** Forgets it. */
export async function resetClockAdvance(tx: Tx): Promise<void> {
  await tx.run(sql`update realms set clock_advanced_ms = 0 where id = ${tx.realm.id}`)
}
