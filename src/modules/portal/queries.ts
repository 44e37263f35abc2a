import { sql } from 'kysely'
import type { Mode, Realm, SystemTx, Tx } from '../../platform/database/tx.ts'
import { keyringIn, keyringOf, type Sealed } from '../../platform/sealing/sealed-columns.ts'
import { emailHash, type Personal, sealedCustomers } from '../customers/sealed-queries.ts'
import { isSentTo, mayBeSentTo, type Recipient, sealedRecipients } from '../kits/recipient-queries.ts'
import { isReadable, joinVersion, readableVendorStatus, readableVersion } from '../reports/queries.ts'

/** The realm of a kit: anyone who holds a box does not know its business. */
export function selectRealmOfKit(tx: SystemTx, kitId: string): Promise<Realm | undefined> {
  return tx.maybeRow(sql<Realm>`
    select r.id, r.business_id as "businessId", r.mode from kits k join realms r on r.id = k.realm_id where k.id = ${kitId}`)
}

export function selectKitOfLabel(tx: SystemTx, kitId: string): Promise<{ name: string; mode: Mode } | undefined> {
  return tx.maybeRow(sql<{ name: string; mode: Mode }>`
    select b.name, r.mode
    from kits k join realms r on r.id = k.realm_id join businesses b on b.id = r.business_id where k.id = ${kitId}`)
}

/** How long reports of a panel took, from the sample in the laboratory to the published report; in live of all businesses. */
export function selectTurnaround(
  tx: SystemTx,
  kitType: string,
  since: Date,
): Promise<{ count: number; medianDays: number | null; mostDays: number | null }> {
  return tx.row(sql<{ count: number; medianDays: number | null; mostDays: number | null }>`
    select count(*)::int as count, percentile_cont(0.5) within group (order by days) as "medianDays",
           percentile_cont(0.9) within group (order by days) as "mostDays"
    from (
      select extract(epoch from r.published_at - (k.progress->>'sampleReceived')::timestamptz)::float8 / 86400 as days
      from realms m
      join reports r on r.realm_id = m.id and r.status = 'published' and r.created_at > ${since}
      join kits k on k.realm_id = r.realm_id and k.id = r.kit_id
      where m.mode = 'live' and k.kit_type = ${kitType} and k.progress->>'sampleReceived' is not null
        and r.published_at > ${since}
    ) taken where days >= 0`)
}

export async function selectOrderStatus(tx: Tx, orderId: string): Promise<string> {
  const { status } = await tx.row(
    sql<{ status: string }>`select status from orders where realm_id = ${tx.realm.id} and id = ${orderId}`,
  )
  return status
}

export async function selectKitIdsOfCustomer(tx: Tx, customerId: number): Promise<string[]> {
  const rows = await tx.rows(sql<{ id: string }>`
    select id from kits where realm_id = ${tx.realm.id} and customer_id = ${customerId} order by seq desc limit 50`)
  return rows.map(({ id }) => id)
}

export interface ReportSummary {
  id: string
  kitId: string | null
  collectedDate: string | null
  publishedAt: Date
  /** The laboratory changed it after its person could read it. */
  isCorrected: boolean
  /** A later version of it waits. */
  hasLater: boolean
}

/** The reports that a person can read, newest first. */
export function selectPublishedReportsOfCustomer(tx: Tx, customerId: number): Promise<ReportSummary[]> {
  return tx.rows(sql<ReportSummary>`
    select r.id, r.kit_id as "kitId", v.collected_date as "collectedDate", r.published_at as "publishedAt",
      ${readableVendorStatus} = 'corrected' and r.published_versions is distinct from array[${readableVersion}] as "isCorrected",
      r.status = 'inReview' as "hasLater"
    from reports r ${joinVersion} and v.version = ${readableVersion}
    where r.realm_id = ${tx.realm.id} and r.customer_id = ${customerId} and ${isReadable}
    order by r.published_at desc, r.id limit 100`)
}

export interface HiddenReport {
  id: string
  kitId: string | null
}

/** The reports that a person could read, and cannot until their later version is published. */
export const selectHiddenReportsOfCustomer = (tx: Tx, customerId: number): Promise<HiddenReport[]> =>
  tx.rows(sql<HiddenReport>`
    select r.id, r.kit_id as "kitId" from reports r
    where r.realm_id = ${tx.realm.id} and r.customer_id = ${customerId} and r.status = 'inReview'
      and r.published_at is not null and r.kept_version is null`)

export interface KnownPerson {
  realm: Realm
  customerId: number
  email: string
  firstName: string | null
}

type StoredPerson = Realm & { customerId: number; personal: Sealed<Personal> }

/** Everybody with this e-mail who has a kit or a report to look at, at any business. */
export async function selectPeople(tx: SystemTx, email: string): Promise<KnownPerson[]> {
  const realms = await tx.rows(sql<{ id: number }>`select id from realms`)
  const hashIn = await tx.vault.hashIn()
  const ids = realms.map(({ id }) => id)
  const hashes = ids.map((id) => emailHash(hashIn, id, email))
  const rows = await tx.rows(sql<StoredPerson>`
    with named as (
      select c.realm_id, c.id from unnest(${ids}::int[], ${hashes}::bytea[]) as h(realm_id, hash)
      join customers c on c.realm_id = h.realm_id and c.email_hash = h.hash
      union select c.realm_id, c.id from customers c where lower(c.email) = lower(${email})
    )
    select r.id, r.business_id as "businessId", r.mode, c.id as "customerId", ${sealedCustomers.of('c')} as personal
    from named n join customers c on c.realm_id = n.realm_id and c.id = n.id join realms r on r.id = c.realm_id
    where c.erased_at is null
      and (exists (select from kits k where k.realm_id = c.realm_id and k.customer_id = c.id)
        or exists (select from reports p where p.realm_id = c.realm_id and p.customer_id = c.id
          and (p.status = 'published' or p.kept_version is not null)))
    order by c.realm_id limit 20`)
  const keyrings = await tx.vault.ofAll(rows.map(({ id }) => id))
  return rows.map(({ id, businessId, mode, customerId, personal }) => {
    const { email, firstName } = sealedCustomers.open(keyringIn(keyrings, id), [customerId], personal)
    return { realm: { id, businessId, mode }, customerId, email, firstName }
  })
}

export async function selectSealedDraft(tx: Tx, kitId: string, visitor: Buffer): Promise<Buffer | undefined> {
  const found = await tx.maybeRow(sql<{ sealed: Buffer }>`
    select sealed from registration_drafts
    where realm_id = ${tx.realm.id} and kit_id = ${kitId} and visitor = ${visitor} and expires_at > ${tx.now}`)
  return found?.sealed
}

interface SealedDraft {
  kitId: string
  visitor: Buffer
  sealed: Buffer
  expiresAt: Date
}

export async function upsertSealedDraft(tx: Tx, { kitId, visitor, sealed, expiresAt }: SealedDraft): Promise<void> {
  await tx.run(sql`
    insert into registration_drafts (realm_id, kit_id, visitor, sealed, expires_at)
    values (${tx.realm.id}, ${kitId}, ${visitor}, ${sealed}, ${expiresAt})
    on conflict (realm_id, kit_id, visitor) do update set sealed = excluded.sealed, expires_at = excluded.expires_at`)
}

export async function deleteOldDrafts(tx: SystemTx): Promise<void> {
  await tx.run(sql`delete from registration_drafts where expires_at <= ${tx.now}`)
}

/** Moves back the ends of this sandbox's half-filled registrations, by `ms` milliseconds. Returns how many ended. */
export async function advanceClock(tx: Tx, ms: number): Promise<{ registrationDrafts: number }> {
  const back = sql`${ms} * interval '1 millisecond'`
  return tx.row(sql<{ registrationDrafts: number }>`
    with moved as (
      update registration_drafts set expires_at = expires_at - ${back} where realm_id = ${tx.realm.id}
      returning expires_at)
    select count(*)::int as "registrationDrafts" from moved
    where expires_at <= ${tx.now} and expires_at + ${back} > ${tx.now}`)
}

/** What was typed to register these kits and not sent yet. */
export async function deleteDraftsOfKits(tx: Tx, kitIds: readonly string[]): Promise<void> {
  await tx.run(sql`delete from registration_drafts where realm_id = ${tx.realm.id} and kit_id = any(${kitIds})`)
}

/** What a person ordered again of which panel. */
export async function deleteRetests(tx: Tx, customerId: number): Promise<void> {
  await tx.run(sql`delete from retests where realm_id = ${tx.realm.id} and customer_id = ${customerId}`)
}

interface RetestKey {
  customerId: number
  kitType: string
}

export interface RetestRow {
  refusedAt: Date | null
  /** Of the latest order; null without one. */
  orderId: string | null
  orderedAt: Date | null
  status: 'created' | 'pending' | 'canceled' | null
  /** Whether one of its kits may still lead to a report. */
  isUnderWay: boolean
  /** A provider refused it. */
  isDeclined: boolean
}

const key = (tx: Tx, { customerId, kitType }: RetestKey) =>
  sql`t.realm_id = ${tx.realm.id} and t.customer_id = ${customerId} and t.kit_type = ${kitType}`

/** What a person ordered of a panel, the last time. */
export function selectRetest(tx: Tx, of: RetestKey): Promise<RetestRow | undefined> {
  return tx.maybeRow(sql<RetestRow>`
    select t.refused_at as "refusedAt", o.id as "orderId", o.created_at as "orderedAt", o.status,
           coalesce(o.status = 'pending' or exists (
             select from kits k where k.realm_id = o.realm_id and k.order_id = o.id and k.replaced_by is null
               and k.kit_status <> 'canceled' and k.report_status not in ('published', 'rejected')), false) as "isUnderWay",
           coalesce(o.approval_state = 'refused', false) as "isDeclined"
    from retests t left join orders o on o.realm_id = t.realm_id and o.id = t.order_id where ${key(tx, of)}`)
}

/** Anyone who orders the same waits here until this transaction ends. */
export async function lockRetest(tx: Tx, { customerId, kitType }: RetestKey): Promise<void> {
  await tx.run(sql`
    insert into retests (realm_id, customer_id, kit_type) values (${tx.realm.id}, ${customerId}, ${kitType})
    on conflict (realm_id, customer_id, kit_type) do update set kit_type = excluded.kit_type`)
}

/** Of one that is locked. */
export async function updateRetest(tx: Tx, of: RetestKey, change: { orderId: string } | { refusedAt: Date }) {
  const set = 'orderId' in change ? sql`order_id = ${change.orderId}` : sql`refused_at = ${change.refusedAt}`
  await tx.run(sql`update retests t set ${set} where ${key(tx, of)}`)
}

/** To whom the newest order for this e-mail address was sent. */
export async function selectLastRecipient(tx: Tx, email: string): Promise<Recipient | undefined> {
  const keys = await keyringOf(tx)
  const row = await tx.maybeRow(sql<{ id: string; recipient: Sealed<Recipient> }>`
    select o.id, ${sealedRecipients.of('o')} as recipient from orders o
    where o.realm_id = ${tx.realm.id} and o.id = any(array(${await mayBeSentTo(tx, email)})) and ${isSentTo(keys, email)}
    order by o.seq desc limit 1`)
  return row && sealedRecipients.open(keys, [row.id], row.recipient)
}
