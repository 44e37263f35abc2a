import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { AppError } from '../../domain/errors.ts'
import { db } from '../../platform/database/sql.ts'
import type { Queries, SystemTx, Tx } from '../../platform/database/tx.ts'
import { type Biomarker, Catalogue, Panels, type Sex } from './schema.ts'

export interface ProvisionedPanel {
  kitType: string
  name: string
  sex: Sex | null
  biomarkers: string[]
  priceMinor: number
  currency: string
}

// What a kit costs a card where the operator set no price: US cents.
const DEFAULT_PRICE_MINOR = 19_900
const DEFAULT_CURRENCY = 'USD'

const readData = async (name: string): Promise<unknown> =>
  JSON.parse(await readFile(new URL(`./data/${name}`, import.meta.url), 'utf8'))

/** Puts the reference data in place where it is missing; never changes what an operator edited. */
export async function seed(tx: SystemTx): Promise<void> {
  const { biomarkers } = Catalogue.parse(await readData('biomarkers.json'))
  const panels = Panels.parse(await readData('panels.json'))
  await tx.run(sql`
    insert into biomarkers (id, version, definition, reason, created_at)
    select d->>'id', 1, d, 'reference data', ${tx.now} from jsonb_array_elements(${JSON.stringify(biomarkers)}::jsonb) d
    on conflict do nothing`)
  const rows = Object.entries(panels).map(([kitType, panel]) => ({ kitType, sex: null, ...panel }))
  await tx.run(sql`
    insert into panels (kit_type, name, sex, biomarkers, created_at)
    select p."kitType", p.name, p.sex, p.biomarkers, ${tx.now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as p("kitType" text, name text, sex text, biomarkers text[])
    on conflict do nothing`)
}

/** The current definition of every biomarker, by category and label. */
export async function biomarkers(tx: Queries): Promise<Biomarker[]> {
  const rows = await tx.rows(sql<{ definition: Biomarker }>`
    select definition from (select distinct on (id) definition from biomarkers order by id, version desc) newest
    order by definition->>'category', definition->>'label'`)
  return rows.map((row) => row.definition)
}

export interface ListedPanel {
  kitType: string
  name: string
  sex: Sex | null
  biomarkers: string[]
  /** That may order it. */
  businesses: number
}

/** Every panel of the catalogue. */
export function panels(tx: SystemTx): Promise<ListedPanel[]> {
  return tx.rows(sql<ListedPanel>`
    select p.kit_type as "kitType", p.name, p.sex, p.biomarkers,
           (select count(*) from realm_panels r join realms m on m.id = r.realm_id and m.mode = 'live'
            where r.kit_type = p.kit_type) as businesses
    from panels p order by p.created_at, p.kit_type`)
}

/** The panels that this realm may order, with what one costs by card. */
export function provisioned(tx: Tx): Promise<ProvisionedPanel[]> {
  return tx.rows(sql<ProvisionedPanel>`
    select p.kit_type as "kitType", p.name, p.sex, p.biomarkers, r.price_minor as "priceMinor", r.currency
    from realm_panels r join panels p using (kit_type)
    where r.realm_id = ${tx.realm.id} order by r.created_at, p.created_at, p.kit_type`)
}

/** A panel, provisioned or not (a kit keeps its panel). @throws PANEL_NOT_FOUND */
export async function findPanel(
  tx: Tx,
  kitType: string,
): Promise<{ kitType: string; name: string; sex: Sex | null; biomarkers: string[] }> {
  const panel = await tx.maybeRow(sql<{ kitType: string; name: string; sex: Sex | null; biomarkers: string[] }>`
    select kit_type as "kitType", name, sex, biomarkers from panels where kit_type = ${kitType}`)
  if (!panel) throw new AppError('PANEL_NOT_FOUND', 'There is no such panel')
  return panel
}

export interface NewPanel {
  kitType: string
  name: string
  sex?: Sex
  biomarkers: string[]
}

/** Adds a custom panel. @throws PANEL_NOT_FOUND when a biomarker is unknown, or the kit type is taken */
export async function createPanel(tx: SystemTx, panel: NewPanel): Promise<void> {
  const unknown = await tx.rows(sql<{ id: string }>`
    select id from unnest(${panel.biomarkers}::text[]) id where not exists (select from biomarkers b where b.id = id.id)`)
  if (unknown.length > 0) {
    throw new AppError('VALIDATION_FAILED', `Unknown biomarkers: ${unknown.map((row) => row.id).join(', ')}`)
  }
  const made = await tx.run(
    db
      .insertInto('panels')
      .values({
        kit_type: panel.kitType,
        name: panel.name,
        sex: panel.sex ?? null,
        biomarkers: panel.biomarkers,
        created_at: tx.now,
      })
      .onConflict((conflict) => conflict.doNothing()),
  )
  if (made === 0) throw new AppError('VALIDATION_FAILED', `The kit type ${panel.kitType} exists already`)
}

/** Lets both realms of a business order panels, at a price in minor units; sets the price of those it has. */
export async function provision(
  tx: SystemTx,
  businessId: string,
  kitTypes: readonly string[] | 'all',
  price: { minor?: number; currency?: string } = {},
): Promise<string[]> {
  const known = await tx.rows(db.selectFrom('panels').select('kit_type').orderBy('created_at').orderBy('kit_type'))
  const all = known.map((row) => row.kit_type)
  const wanted = kitTypes === 'all' ? all : [...kitTypes]
  const unknown = wanted.filter((kitType) => !all.includes(kitType))
  if (unknown.length > 0) throw new AppError('PANEL_NOT_FOUND', `There is no panel ${unknown.join(', ')}`)
  await tx.run(sql`
    insert into realm_panels (realm_id, kit_type, price_minor, currency, created_at)
    select r.id, k.kit_type, ${price.minor ?? DEFAULT_PRICE_MINOR}, ${price.currency ?? DEFAULT_CURRENCY}, ${tx.now}
    from realms r cross join unnest(${wanted}::text[]) as k(kit_type)
    where r.business_id = ${businessId}
    on conflict (realm_id, kit_type) do update set
      price_minor = coalesce(${price.minor ?? null}, realm_panels.price_minor),
      currency = coalesce(${price.currency ?? null}, realm_panels.currency)`)
  return wanted
}
