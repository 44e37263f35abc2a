import { type RawBuilder, sql } from 'kysely'
import type { SystemTx } from '../../../platform/database/tx.ts'
import { waiting, waits } from '../../fulfilment/queries.ts'
import { isWaiting } from '../../holds/queries.ts'
import { isUntold } from '../../kits/recall-queries.ts'
import { needsAttention } from '../../labels/queries.ts'
import { openStates } from '../../undelivered/decision.ts'
import type { Waiting } from './schema.ts'

export interface PostgresRow {
  version: string
  clusterName: string
  sizeBytes: number
  connections: number
  maxConnections: number
  schemaVersion: number
  schemaAppliedAt: Date
}

export function selectPostgres(tx: SystemTx): Promise<PostgresRow> {
  return tx.row(sql<PostgresRow>`
    select current_setting('server_version') as version, current_setting('cluster_name') as "clusterName",
           pg_database_size(current_database()) as "sizeBytes",
           (select count(*) from pg_stat_activity where datname = current_database()) as connections,
           current_setting('max_connections')::int as "maxConnections", m.version as "schemaVersion", m.applied_at as "schemaAppliedAt"
    from schema_migrations m order by m.version desc limit 1`)
}

export interface Counts {
  webhooksDue: number
  failingEndpoints: number
  mailQueued: number
  mailFailed: number
  businesses: number
  liveKits: number
  sandboxKits: number
}

// As webhooks/claim-queries.ts: from the third failure on, an endpoint is tried apart from the others.
const FAILING = 3

export function selectCounts(tx: SystemTx, mailSince: Date): Promise<Counts> {
  return tx.row(sql<Counts>`
    select (select count(*) from webhook_deliveries where status = 'pending' and due_at <= ${tx.now}) as "webhooksDue",
           (select count(*) from webhook_endpoints where enabled and failures >= ${FAILING}) as "failingEndpoints",
           (select count(*) from emails where status = 'queued') as "mailQueued",
           (select count(*) from emails where status = 'failed' and created_at >= ${mailSince}) as "mailFailed",
           (select count(*) from businesses) as businesses,
           coalesce(sum(c.kits) filter (where r.mode = 'live'), 0)::bigint as "liveKits",
           coalesce(sum(c.kits) filter (where r.mode = 'sandbox'), 0)::bigint as "sandboxKits"
    from realm_counters c join realms r on r.id = c.realm_id`)
}

export interface ToPack {
  toPack: number
  lateKits: number
  cameBack: number
  toSendAgain: number
  unmatchedParcels: number
  recalledKits: number
  waitingLabels: number
  waitingAtWarehouses: number
}

export function selectToPack(tx: SystemTx, { lateBefore, since }: { lateBefore: Date; since: Date }): Promise<ToPack> {
  return tx.row(sql<ToPack>`
    select ${waiting()} as "toPack",
           -- Those that are not late are as many as a few days have, however long the queue is.
           ${waiting()} - (select count(*) from kits k where ${waits} and k.created_at >= ${lateBefore}) as "lateKits",
           (select count(*) from undelivered_kits where live and state = any(${openStates})) as "cameBack",
           (select count(*) from undelivered_kits where live and state = 'readyToSend') as "toSendAgain",
           (select count(distinct tracking_number) from carrier_events
            where outcome = 'unmatched' and received_at >= ${since}) as "unmatchedParcels",
           (select count(distinct u.kit_id) from recalls c join recall_kits u on u.recall_id = c.id where u.live and ${isUntold}) as "recalledKits",
           (select count(*) from shipping_labels l where l.live and ${needsAttention(tx)}) as "waitingLabels",
           (select count(*) from warehouse_orders where reason is not null and is_there) as "waitingAtWarehouses"`)
}

export interface ToReceive {
  toReceive: number
  atTheDoor: number
  heldSamples: number
  toDiscardSoon: number
  unmatched: number
  uploadsToReview: number
  waitingLabOrders: number
}

const SOON_MS = 2 * 86_400_000

export function selectToReceive(tx: SystemTx): Promise<ToReceive> {
  return tx.row(sql<ToReceive>`
    select count(*) as "toReceive",
           count(*) filter (where exists (
             select from parcels p where p.realm_id = k.realm_id and p.order_id = k.order_id and p.kit_id = k.id
               and p.delivered_at is not null)) as "atTheDoor",
           (select count(*) from held_samples h where h.live and ${isWaiting}) as "heldSamples",
           (select count(*) from held_samples h where h.live and h.state = 'open'
            and h.discard_at <= ${new Date(tx.now.getTime() + SOON_MS)}) as "toDiscardSoon",
           (select count(*) from lab_messages where status = 'waiting') as unmatched,
           (select count(*) from upload_reviews u join realms r on r.id = u.realm_id
            where u.closed_at is null and u.state = 'waiting' and r.mode = 'live') as "uploadsToReview",
           (select count(*) from lab_orders where live and reason is not null) as "waitingLabOrders"
    from kits k where k.live and k.sample_status = 'inTransit'`)
}

/** How many results authorities still have to be told, and those whose time is over. */
export const countNotices = (tx: SystemTx): Promise<{ noticesToTell: number; overdueNotices: number }> =>
  tx.row(sql<{ noticesToTell: number; overdueNotices: number }>`
    select count(*)::int as "noticesToTell", count(*) filter (where deadline_at < ${tx.now})::int as "overdueNotices"
    from notices where state in ('waiting', 'due', 'refused')`)

export async function countInReview(tx: SystemTx): Promise<number> {
  const { total } = await tx.row(sql<{ total: number }>`
    select count(*) as total from realms m join reports r on r.realm_id = m.id and r.status = 'inReview' where m.mode = 'live'`)
  return total
}

/** Since when the oldest waits, of each kind of work. Each is the first row of an index. */
const oldest: Record<Waiting, RawBuilder<unknown>> = {
  toPack: sql`select min(k.created_at) from kits k where ${waits}`,
  atTheDoor: sql`
    select min(p.delivered_at) from kits k join parcels p on p.realm_id = k.realm_id and p.order_id = k.order_id and p.kit_id = k.id
    where k.live and k.sample_status = 'inTransit'`,
  cameBack: sql`select min(since) from undelivered_kits where live and state = any(${openStates})`,
  heldSamples: sql`select min(since) from held_samples h where h.live and ${isWaiting}`,
  unmatched: sql`select min(received_at) from lab_messages where status = 'waiting'`,
  uploadsToReview: sql`
    select min(u.received_at) from upload_reviews u join realms r on r.id = u.realm_id
    where u.closed_at is null and u.state = 'waiting' and r.mode = 'live'`,
  inReview: sql`
    select min(r.created_at) from realms m join reports r on r.realm_id = m.id and r.status = 'inReview' where m.mode = 'live'`,
  critical: sql`
    select min(c.raised_at) from critical_results c join realms r on r.id = c.realm_id
    where c.acknowledged_at is null and c.withdrawn_at is null and r.mode = 'live'`,
  unassessed: sql`
    select min(u.received_at) from unassessed_results u join realms r on r.id = u.realm_id
    where u.closed_at is null and r.mode = 'live'`,
  alarms: sql`select min(raised_at) from alarms where acknowledged_at is null`,
}

/** Since when the oldest of each of these waits; null where nothing does. */
export async function selectOldest(
  tx: SystemTx,
  kinds: readonly Waiting[],
): Promise<Partial<Record<Waiting, Date | null>>> {
  if (kinds.length === 0) return {}
  const columns = sql.join(kinds.map((kind) => sql`(${oldest[kind]}) as ${sql.ref(kind)}`))
  return tx.row(sql<Partial<Record<Waiting, Date | null>>>`select ${columns}`)
}

/** Businesses whose pages say "ask us" without a contact. */
const withoutContact = sql`(select count(*)::int from realms r where r.mode = 'live' and r.contact_email is null)`

/** The same, of those that have sent live kits. */
export async function countWithoutContact(tx: SystemTx): Promise<number> {
  const { count } = await tx.row(sql<{ count: number }>`
    select count(*)::int as count from realms r
    where r.mode = 'live' and r.contact_email is null and exists (select from orders o where o.realm_id = r.id)`)
  return count
}

interface FirstStepsRow {
  unsignedBiomarkers: number
  laboratories: number
  staffWithoutSecondFactor: number
  withoutContact: number
}

export function selectFirstSteps(tx: SystemTx): Promise<FirstStepsRow> {
  return tx.row(sql<FirstStepsRow>`
    select (select count(*)::int from (select id, max(version) as version from biomarkers group by id) b
            where not exists (select from range_signatures s where s.biomarker_id = b.id and s.version = b.version)) as "unsignedBiomarkers",
           (select count(*)::int from laboratories) as laboratories,
           (select count(distinct u.id)::int from memberships m join users u on u.id = m.user_id
            where m.business_id is null and m.accepted_at is not null and m.disabled_at is null and u.totp_enabled_at is null
              and not exists (select from passkeys p where p.user_id = u.id)) as "staffWithoutSecondFactor",
           ${withoutContact} as "withoutContact"`)
}
