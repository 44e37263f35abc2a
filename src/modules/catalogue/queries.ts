import type { Sex } from '@kitlane/lab-reader/facts/schema'
import { type RawBuilder, sql } from 'kysely'
import { db } from '../../platform/database/sql.ts'
import type { Queries, SystemTx, Tx } from '../../platform/database/tx.ts'
import type { PanelRules } from './eligibility.ts'
import type { PanelQuestion } from './question-schema.ts'
import type { Biomarker, Panels } from './schema.ts'
import type { CurrentBiomarkerText } from './text-schema.ts'

/** Inserts definitions that are missing or that differ from the last one, if that was reference data, too. */
export async function insertReferenceData(tx: SystemTx, biomarkers: readonly Biomarker[]): Promise<void> {
  await tx.run(sql`
    insert into biomarkers (id, version, definition, reason, created_at)
    select d->>'id', coalesce(newest.version, 0) + 1, d, 'reference data', ${tx.now}
    from jsonb_array_elements(${JSON.stringify(biomarkers)}::jsonb) d
    left join lateral (
      select version, definition, reason from biomarkers b where b.id = d->>'id' order by version desc limit 1
    ) newest on true
    where newest.version is null or (newest.reason = 'reference data' and newest.definition <> d)
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

/** The newest text of the biomarker of a row, with its version; null without. */
const newestText = (id: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  (select t.text || jsonb_build_object('version', t.version) from catalogue_texts t
   where t.subject = 'biomarker' and t.id = ${id} order by t.version desc limit 1)`

/** The current definition of every biomarker, by category and label. */
export async function selectBiomarkers(tx: Queries): Promise<Biomarker[]> {
  const rows = await tx.rows(sql<{ definition: Biomarker; rangesSigned: boolean; text: CurrentBiomarkerText | null }>`
    select newest.definition, s.version is not null as "rangesSigned", ${newestText(sql`newest.id`)} as text
    from (select distinct on (id) id, version, definition from biomarkers order by id, version desc) newest
    left join range_signatures s on s.biomarker_id = newest.id and s.version = newest.version
    order by definition->>'category', definition->>'label'`)
  return rows.map(({ definition, rangesSigned, text }) => ({ ...definition, rangesSigned, ...(text && { text }) }))
}

/** Another stamp for another catalogue: versions, signatures and texts are only ever added. */
export async function selectStamp(tx: Queries): Promise<string> {
  const { stamp } = await tx.row(sql<{ stamp: string }>`
    select concat_ws(' ', current_database(),
      (select concat(count(*), ' ', max(created_at)) from biomarkers),
      (select concat(count(*), ' ', max(signed_at)) from range_signatures),
      (select concat(count(*), ' ', max(created_at)) from catalogue_texts)) as stamp`)
  return stamp
}

/** The last signed definition of each biomarker that has one. */
export async function selectSignedBiomarkers(tx: Queries): Promise<Biomarker[]> {
  const rows = await tx.rows(sql<{ definition: Biomarker }>`
    select distinct on (b.id) b.definition
    from biomarkers b join range_signatures s on s.biomarker_id = b.id and s.version = b.version
    order by b.id, b.version desc`)
  return rows.map(({ definition }) => definition)
}

export interface Signature {
  laboratory: string
  director: string
}

/** Signs the newest versions of these biomarkers, or of all, that are not signed; their IDs and versions. */
export function insertSignatures(
  tx: SystemTx,
  { laboratory, director }: Signature,
  ids: readonly string[] | 'all',
): Promise<{ id: string; version: number }[]> {
  const wanted = ids === 'all' ? null : [...ids]
  return tx.rows(sql<{ id: string; version: number }>`
    insert into range_signatures (biomarker_id, version, laboratory, director, signed_at, signed_by)
    select distinct on (id) id, version, ${laboratory}, ${director}, ${tx.now}::timestamptz, ${tx.actor.name}
    from biomarkers where ${wanted}::text[] is null or id = any(${wanted}::text[]) order by id, version desc
    on conflict do nothing returning biomarker_id as id, version`)
}

export interface BiomarkerVersion {
  version: number
  reason: string
  createdDate: Date
  definition: Biomarker
  signature?: (Signature & { signedDate: string }) | null
}

/** Every version of a biomarker's definition, newest first. */
export function selectVersions(tx: SystemTx, id: string): Promise<BiomarkerVersion[]> {
  return tx.rows(sql<BiomarkerVersion>`
    select b.version, b.reason, b.created_at as "createdDate", b.definition,
           case when s.version is not null then jsonb_build_object('laboratory', s.laboratory, 'director', s.director,
             'signedDate', to_char(s.signed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end as signature
    from biomarkers b left join range_signatures s on s.biomarker_id = b.id and s.version = b.version
    where b.id = ${id} order by b.version desc`)
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

/** What the operator says of a panel: for whom it is, where it is offered, and what its samples need. */
export interface PanelTerms extends PanelRules {
  /** Null: nobody has said it. */
  stabilityDays: number | null
  collectionDateNeeded: boolean
  /** What their person is asked. */
  questions: PanelQuestion[]
}

const people = sql`p.min_age as "minAge", p.max_age as "maxAge", p.sex`
const orderLimits = sql`
  p.offered_in as "offeredIn", p.not_offered_in as "notOfferedIn", p.max_per_order as "maxPerOrder", p.provider_needed as "providerNeeded"`
const terms = sql`${people}, ${orderLimits}, p.stability_days as "stabilityDays", p.collection_date_needed as "collectionDateNeeded", p.questions`

export interface ListedPanel extends PanelTerms {
  kitType: string
  name: string
  biomarkers: string[]
  /** How many may order it. */
  businesses: number
}

/** Every panel of the catalogue. */
export function selectPanels(tx: SystemTx): Promise<ListedPanel[]> {
  return tx.rows(sql<ListedPanel>`
    select p.kit_type as "kitType", p.name, ${terms}, p.biomarkers,
           (select count(*) from realm_panels r join realms m on m.id = r.realm_id and m.mode = 'live'
            where r.kit_type = p.kit_type) as businesses
    from panels p order by p.created_at, p.kit_type`)
}

/** What kit types are called, whether or not the realm may order them. */
export async function selectPanelNames(tx: Queries, kitTypes: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx.rows(sql<{ kitType: string; name: string }>`
    select kit_type as "kitType", name from panels where kit_type = any(${kitTypes})`)
  return new Map(rows.map(({ kitType, name }) => [kitType, name]))
}

/** The panels that this realm may order, with what one costs by card. */
export function selectProvisionedPanels(tx: Tx): Promise<ProvisionedPanel[]> {
  return tx.rows(sql<ProvisionedPanel>`
    select p.kit_type as "kitType", p.name, ${people}, ${orderLimits}, p.biomarkers, r.price_minor as "priceMinor", r.currency
    from realm_panels r join panels p using (kit_type)
    where r.realm_id = ${tx.realm.id} order by r.created_at, p.created_at, p.kit_type`)
}

/** What one kit costs by card. */
export interface UnitPrice {
  kitType: string
  priceMinor: number
  currency: string
}

export interface ProvisionedPanel extends UnitPrice, PanelRules {
  name: string
  biomarkers: string[]
}

export interface PanelRow extends PanelTerms {
  kitType: string
  name: string
  biomarkers: string[]
}

export function selectPanel(tx: Queries, kitType: string): Promise<PanelRow | undefined> {
  return tx.maybeRow(sql<PanelRow>`
    select kit_type as "kitType", p.name, ${terms}, p.biomarkers from panels p where p.kit_type = ${kitType}`)
}

/** Who may order these kit types, whether or not a business may. */
export function selectPanelRules(
  tx: Queries,
  kitTypes: readonly string[],
): Promise<(PanelRules & { kitType: string })[]> {
  return tx.rows(sql<PanelRules & { kitType: string }>`
    select p.kit_type as "kitType", ${people}, ${orderLimits} from panels p where p.kit_type = any(${kitTypes})`)
}

export async function updateTerms(tx: SystemTx, kitType: string, terms: PanelTerms): Promise<void> {
  await tx.run(sql`
    update panels set min_age = ${terms.minAge}, max_age = ${terms.maxAge}, sex = ${terms.sex}, stability_days = ${terms.stabilityDays},
      collection_date_needed = ${terms.collectionDateNeeded}, questions = ${JSON.stringify(terms.questions)}::jsonb, offered_in = ${terms.offeredIn},
      not_offered_in = ${terms.notOfferedIn}, max_per_order = ${terms.maxPerOrder},
      provider_needed = ${terms.providerNeeded}
    where kit_type = ${kitType}`)
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

/** The promised days of each panel that has a promise now. */
export function selectPromises(tx: Queries): Promise<{ kitType: string; days: number }[]> {
  return tx.rows(sql<{ kitType: string; days: number }>`
    select kit_type as "kitType", days from (
      select distinct on (kit_type) kit_type, days from panel_promises order by kit_type, since desc) newest
    where days is not null`)
}

/** How many days were promised of a kit type at a time; null: nothing was. */
export const promisedDaysAt = (kitType: RawBuilder<unknown>, at: RawBuilder<unknown>): RawBuilder<number | null> =>
  sql`(select p.days from panel_promises p where p.kit_type = ${kitType} and p.since <= ${at} order by p.since desc limit 1)`

/** When a promise is broken: once its last day is over, UTC. The day after the sample came is the first. */
export const promiseEnd = (received: RawBuilder<unknown>, days: RawBuilder<unknown>): RawBuilder<Date> =>
  sql`((date_trunc('day', ${received} at time zone 'UTC') + make_interval(days => ${days} + 1)) at time zone 'UTC')`

/** What was promised of kits whose samples came at these times, and when it is broken. Others are left out. */
export async function selectPromised(
  tx: Queries,
  kits: readonly { id: string; kitType: string; received: Date }[],
): Promise<{ id: string; days: number; ends: Date }[]> {
  const [ids, types, times] = [kits.map((k) => k.id), kits.map((k) => k.kitType), kits.map((k) => k.received)]
  return tx.rows(sql<{ id: string; days: number; ends: Date }>`
    select k.id, d.days, ${promiseEnd(sql`k.received`, sql`d.days`)} as ends
    from unnest(${ids}::text[], ${types}::text[], ${times}::timestamptz[]) k(id, kit_type, received)
    cross join lateral (select ${promisedDaysAt(sql`k.kit_type`, sql`k.received`)} as days) d where d.days is not null`)
}

export async function insertPromise(tx: SystemTx, kitType: string, days: number | null): Promise<void> {
  await tx.run(sql`
    insert into panel_promises (kit_type, since, days)
    values (${kitType}, ${tx.now}, ${days})`)
}
