import { sql } from 'kysely'
import { db } from '../../platform/database/sql.ts'
import type { Queries, SystemTx, Tx } from '../../platform/database/tx.ts'
import type { Biomarker, Panels, Sex } from './schema.ts'

/** Inserts definitions of biomarkers as their first versions; those that are there stay. */
export async function insertMissingBiomarkers(tx: SystemTx, biomarkers: readonly Biomarker[]): Promise<void> {
  await tx.run(sql`
    insert into biomarkers (id, version, definition, reason, created_at)
    select d->>'id', 1, d, 'reference data', ${tx.now} from jsonb_array_elements(${JSON.stringify(biomarkers)}::jsonb) d
    on conflict do nothing`)
}

/** Inserts panels; those that are there stay. */
export async function insertMissingPanels(tx: SystemTx, panels: Panels): Promise<void> {
  const rows = Object.entries(panels).map(([kitType, panel]) => ({ kitType, sex: null, ...panel }))
  await tx.run(sql`
    insert into panels (kit_type, name, sex, biomarkers, created_at)
    select p."kitType", p.name, p.sex, p.biomarkers, ${tx.now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as p("kitType" text, name text, sex text, biomarkers text[])
    on conflict do nothing`)
}

/** The current definition of every biomarker, by category and label. */
export async function selectBiomarkers(tx: Queries): Promise<Biomarker[]> {
  const rows = await tx.rows(sql<{ definition: Biomarker }>`
    select definition from (select distinct on (id) definition from biomarkers order by id, version desc) newest
    order by definition->>'category', definition->>'label'`)
  return rows.map((row) => row.definition)
}

export interface BiomarkerVersion {
  version: number
  reason: string
  createdDate: Date
  definition: Biomarker
}

/** Every version of a biomarker's definition, newest first. */
export function selectVersions(tx: SystemTx, id: string): Promise<BiomarkerVersion[]> {
  return tx.rows(sql<BiomarkerVersion>`
    select version, reason, created_at as "createdDate", definition from biomarkers where id = ${id} order by version desc`)
}

/** False where the version exists already. */
export async function insertVersion(
  tx: SystemTx,
  id: string,
  { version, definition, reason, createdDate }: BiomarkerVersion,
): Promise<boolean> {
  const made = await tx.run(sql`
    insert into biomarkers (id, version, definition, reason, created_at)
    values (${id}, ${version}, ${JSON.stringify(definition)}::jsonb, ${reason}, ${createdDate}) on conflict do nothing`)
  return made === 1
}

/** Those of these IDs that no biomarker has. */
export async function selectUnknownBiomarkers(tx: SystemTx, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.rows(sql<{ id: string }>`
    select id from unnest(${ids}::text[]) id where not exists (select from biomarkers b where b.id = id.id)`)
  return rows.map(({ id }) => id)
}

export interface ListedPanel {
  kitType: string
  name: string
  sex: Sex | null
  biomarkers: string[]
  /** How many may order it. */
  businesses: number
}

/** Every panel of the catalogue. */
export function selectPanels(tx: SystemTx): Promise<ListedPanel[]> {
  return tx.rows(sql<ListedPanel>`
    select p.kit_type as "kitType", p.name, p.sex, p.biomarkers,
           (select count(*) from realm_panels r join realms m on m.id = r.realm_id and m.mode = 'live'
            where r.kit_type = p.kit_type) as businesses
    from panels p order by p.created_at, p.kit_type`)
}

/** The panels that this realm may order, with what one costs by card. */
export function selectProvisionedPanels(tx: Tx): Promise<ProvisionedPanel[]> {
  return tx.rows(sql<ProvisionedPanel>`
    select p.kit_type as "kitType", p.name, p.sex, p.biomarkers, r.price_minor as "priceMinor", r.currency
    from realm_panels r join panels p using (kit_type)
    where r.realm_id = ${tx.realm.id} order by r.created_at, p.created_at, p.kit_type`)
}

/** What one kit costs by card. */
export interface UnitPrice {
  kitType: string
  priceMinor: number
  currency: string
}

export interface ProvisionedPanel extends UnitPrice {
  name: string
  sex: Sex | null
  biomarkers: string[]
}

export interface PanelRow {
  kitType: string
  name: string
  sex: Sex | null
  biomarkers: string[]
}

export function selectPanel(tx: Tx, kitType: string): Promise<PanelRow | undefined> {
  return tx.maybeRow(sql<PanelRow>`
    select kit_type as "kitType", name, sex, biomarkers from panels where kit_type = ${kitType}`)
}

/** The kit types of all panels, oldest first. */
export async function selectKitTypes(tx: SystemTx): Promise<string[]> {
  const rows = await tx.rows(db.selectFrom('panels').select('kit_type').orderBy('created_at').orderBy('kit_type'))
  return rows.map((row) => row.kit_type)
}

export interface NewPanel {
  kitType: string
  name: string
  sex?: Sex
  biomarkers: string[]
}

/** False where the kit type is taken. */
export async function insertPanel(tx: SystemTx, { kitType, name, sex, biomarkers }: NewPanel): Promise<boolean> {
  const made = await tx.run(
    db
      .insertInto('panels')
      .values({ kit_type: kitType, name, sex: sex ?? null, biomarkers, created_at: tx.now })
      .onConflict((conflict) => conflict.doNothing()),
  )
  return made === 1
}

export interface PanelPrice {
  minor: number
  currency: string
}

/** Lets both realms of a business order panels at `price`; `change` is for panels that they may order already. */
export async function upsertProvisionedPanels(
  tx: SystemTx,
  businessId: string,
  kitTypes: readonly string[],
  { price, change }: { price: PanelPrice; change: Partial<PanelPrice> },
): Promise<void> {
  await tx.run(sql`
    insert into realm_panels (realm_id, kit_type, price_minor, currency, created_at)
    select r.id, k.kit_type, ${price.minor}, ${price.currency}, ${tx.now}
    from realms r cross join unnest(${kitTypes}::text[]) as k(kit_type)
    where r.business_id = ${businessId}
    on conflict (realm_id, kit_type) do update set
      price_minor = coalesce(${change.minor ?? null}, realm_panels.price_minor),
      currency = coalesce(${change.currency ?? null}, realm_panels.currency)`)
}
