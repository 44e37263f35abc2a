import { type RawBuilder, sql, type Updateable } from 'kysely'
import { newOpaqueId } from '../../domain/ids.ts'
import { isOneOf } from '../../platform/database/one-of.ts'
import type { DB } from '../../platform/database/schema.gen.ts'
import { db } from '../../platform/database/sql.ts'
import type { SystemTx, Tx } from '../../platform/database/tx.ts'
import { sealedText } from '../../platform/sealing/sealed-bytes.ts'
import { bytesOf, keyringOf } from '../../platform/sealing/sealed-columns.ts'
import { orderOf } from './order-queries.ts'

/** `kit`: the events of a kit are sent in their order. */
export type Ordering = 'none' | 'kit'

export interface EndpointRow {
  id: string
  url: string
  events: string[] | null
  payload: 'full' | 'thin'
  ordering: Ordering
  /** Deliveries a second. */
  rateLimit: number | null
  description: string | null
  enabled: boolean
  disabledReason: 'business' | 'gone' | 'failing' | null
  createdAt: Date
}

/** What may change of an endpoint. */
export type EndpointChanges = Updateable<DB['webhook_endpoints']>

const endpointColumns = sql`
  id, url, events, payload, ordering, rate_limit as "rateLimit", description, enabled, disabled_reason as "disabledReason", created_at as "createdAt"`

export function selectEndpoints(tx: Tx): Promise<EndpointRow[]> {
  return tx.rows(sql<EndpointRow>`
    select ${endpointColumns} from webhook_endpoints where realm_id = ${tx.realm.id} order by created_at, id`)
}

export function selectEndpoint(tx: Tx, id: string): Promise<EndpointRow | undefined> {
  return tx.maybeRow(sql<EndpointRow>`
    select ${endpointColumns} from webhook_endpoints where realm_id = ${tx.realm.id} and id = ${id}`)
}

export interface NewEndpointRow {
  id: string
  url: string
  events?: string[] | null | undefined
  payload: 'full' | 'thin'
  ordering: Ordering
  rateLimit?: number | null | undefined
  description?: string | undefined
  enabled: boolean
  /** Sealed. */
  secret: Buffer
}

export async function insertEndpoint(tx: Tx, endpoint: NewEndpointRow): Promise<void> {
  const { id, url, events = null, payload, ordering, rateLimit = null, description = null, enabled, secret } = endpoint
  await tx.run(
    db.insertInto('webhook_endpoints').values({
      realm_id: tx.realm.id,
      id,
      url,
      events,
      payload,
      ordering,
      description,
      enabled,
      secret,
      rate_limit: rateLimit,
      disabled_reason: enabled ? null : 'business',
      created_at: tx.now,
    }),
  )
}

export async function updateEndpoint(tx: Tx, id: string, values: EndpointChanges): Promise<void> {
  await tx.run(db.updateTable('webhook_endpoints').set(values).where('realm_id', '=', tx.realm.id).where('id', '=', id))
}

export async function deleteEndpoint(tx: Tx, id: string): Promise<void> {
  await tx.run(db.deleteFrom('webhook_endpoints').where('realm_id', '=', tx.realm.id).where('id', '=', id))
}

/** Gives an endpoint another secret; the one before stays beside it until `oldUntil`. */
export async function rotateEndpointSecret(
  tx: Tx,
  id: string,
  { secret, oldUntil }: { secret: Buffer; oldUntil: Date },
): Promise<void> {
  await tx.run(sql`
    update webhook_endpoints set old_secret = secret, old_secret_until = ${oldUntil}, secret = ${secret}
    where realm_id = ${tx.realm.id} and id = ${id}`)
}

/** Wakes the senders for what the realm is owed. */
export async function notifyDeliveries(tx: Tx): Promise<void> {
  await tx.run(sql`select pg_notify('kitlane_deliveries', ${String(tx.realm.id)})`)
}

/** Owes an event to an endpoint, now. */
export async function insertDelivery(tx: Tx, endpointId: string, eventId: string): Promise<string> {
  const id = newOpaqueId('del')
  await tx.run(sql`
    insert into webhook_deliveries (realm_id, id, endpoint_id, event_id, status, due_at, created_at)
    values (${tx.realm.id}, ${id}, ${endpointId}, ${eventId}, 'pending', ${tx.now}, ${tx.now})`)
  return id
}

/**
 * Re-enqueues the events of a time range for an endpoint, of its types and in its ordering.
 * Returns how many events.
 */
export function insertRange(tx: Tx, endpointId: string, since: Date, until: Date): Promise<number> {
  return tx.run(sql`
    insert into webhook_deliveries (realm_id, id, endpoint_id, event_id, status, due_at, created_at, subject, order_id, position)
    select e.realm_id, 'del_' || replace(gen_random_uuid()::text, '-', ''), w.id, e.id, 'pending', ${tx.now}, ${tx.now}, ${orderOf}
    from events e join webhook_endpoints w on w.realm_id = e.realm_id and w.id = ${endpointId}
    where e.realm_id = ${tx.realm.id} and e.occurred_at >= ${since} and e.occurred_at <= ${until}
      and e.type <> 'webhook.test' and (w.events is null or e.type = any(w.events))`)
}

/** What receivers answered: it may repeat what it was sent. */
export const sealedAttempts = sealedText({
  table: 'webhook_attempts',
  key: { delivery_id: 'text', number: 'integer' },
  clear: `nullif($.answer, '')`,
  emptied: ['answer'],
})

export interface AttemptRow {
  number: number
  at: string
  durationMs: number
  status: number | null
  error: string | null
  answer: string | null
}

export interface DeliveryRow {
  id: string
  endpointId: string
  eventId: string
  eventType: string
  status: 'pending' | 'delivered' | 'failed'
  createdAt: Date
  dueAt: Date | null
  finishedAt: Date | null
  attempts: AttemptRow[]
}

const deliveryColumns = sql`
  d.id, d.endpoint_id as "endpointId", d.event_id as "eventId", e.type as "eventType", d.status, d.created_at as "createdAt",
  d.due_at as "dueAt", d.finished_at as "finishedAt",
  (select coalesce(jsonb_agg(jsonb_build_object('number', a.number, 'at', a.at, 'durationMs', a.duration_ms,
     'status', a.status, 'error', a.error, 'answer', coalesce(a.sealed::text, a.answer), 'isSealed', a.sealed is not null) order by a.number), '[]')
   from webhook_attempts a where a.realm_id = d.realm_id and a.delivery_id = d.id) as attempts`

const from = sql`webhook_deliveries d join events e on e.realm_id = d.realm_id and e.id = d.event_id`

type StoredDelivery = Omit<DeliveryRow, 'attempts'> & { attempts: (AttemptRow & { isSealed: boolean })[] }

async function opened(tx: Tx, rows: readonly StoredDelivery[]): Promise<DeliveryRow[]> {
  const keys = await keyringOf(tx)
  return rows.map(({ attempts, ...row }) => ({
    ...row,
    attempts: attempts.map(({ isSealed, answer, ...attempt }) => {
      const place = [row.id, attempt.number]
      if (!isSealed || answer === null) return { ...attempt, answer }
      return { ...attempt, answer: sealedAttempts.openBytes(keys, place, bytesOf(answer)).toString() }
    }),
  }))
}

export async function selectDelivery(tx: Tx, id: string): Promise<DeliveryRow | undefined> {
  const rows = await tx.rows(
    sql<StoredDelivery>`select ${deliveryColumns} from ${from} where d.realm_id = ${tx.realm.id} and d.id = ${id}`,
  )
  return (await opened(tx, rows))[0]
}

export interface DeliveryFilter {
  endpointIds?: readonly string[] | undefined
  /** Of events about these kits. */
  kitIds?: readonly string[] | undefined
  statuses?: readonly DeliveryRow['status'][] | undefined
}

/** How many deliveries the log has: by tallies, and by indexes those that are not delivered and those from before there were tallies. */
function totalOf(tx: Tx, { endpointIds, statuses }: DeliveryFilter) {
  const of = (column: RawBuilder<unknown>) => sql`and ${isOneOf(column, endpointIds)}`
  const unfinished = (one: 'pending' | 'failed') => sql`(
    select count(*) from webhook_deliveries d where d.realm_id = ${tx.realm.id} and d.status = ${sql.lit(one)} ${of(sql`d.endpoint_id`)})`
  const all = sql`(
    select coalesce(sum(amount), 0)::bigint from tallies where realm_id = ${tx.realm.id} and name = 'delivery' ${of(sql`key`)})
    + (select coalesce(sum(n.before), 0)::bigint from webhook_endpoints w cross join lateral (
        select count(*) as before from webhook_deliveries d
        where d.realm_id = ${tx.realm.id} and d.endpoint_id = w.id and d.created_at < (select since from deliveries_tallied)) n
      where w.realm_id = ${tx.realm.id} ${of(sql`w.id`)})`
  if (!statuses) return all
  const delivered = sql`(${all} - ${unfinished('pending')} - ${unfinished('failed')})`
  const counts = statuses.map((status) => (status === 'delivered' ? delivered : unfinished(status)))
  return sql.join(counts, sql` + `)
}

/** One page of the log, newest first. */
export async function selectDeliveries(
  tx: Tx,
  filter: DeliveryFilter,
  page: number,
  size: number,
): Promise<{ total: number; rows: DeliveryRow[] }> {
  const { endpointIds, kitIds, statuses } = filter
  const ofKit = sql`select id from events where realm_id = ${tx.realm.id} and kit_id = any(${kitIds})`
  const parts = [
    sql`d.realm_id = ${tx.realm.id}`,
    isOneOf(sql`d.endpoint_id`, endpointIds),
    // As words of the statement, which tell the planner of the index of one status.
    ...(statuses ? [sql`d.status in (${sql.join(statuses.map((status) => sql.lit(status)))})`] : []),
    ...(kitIds ? [sql`d.event_id = any(array(${ofKit}))`] : []),
  ]
  const where = sql.join(parts, sql` and `)
  const { total } = await tx.row(
    kitIds === undefined
      ? sql<{ total: number }>`select ${totalOf(tx, filter)} as total`
      : sql<{ total: number }>`select count(*) as total from webhook_deliveries d where ${where}`,
  )
  // The log is sorted by endpoint: the newest of each, and of those the newest.
  const newest = sql`
    select l.* from webhook_endpoints w cross join lateral (
      select d.* from webhook_deliveries d where ${where} and d.endpoint_id = w.id
      order by d.created_at desc, d.id limit ${(page + 1) * size}) l
    where w.realm_id = ${tx.realm.id} order by l.created_at desc, l.id limit ${size} offset ${page * size}`
  const rows = await tx.rows(sql<StoredDelivery>`
    select ${deliveryColumns} from (${newest}) d join events e on e.realm_id = d.realm_id and e.id = d.event_id
    order by d.created_at desc, d.id`)
  return { total, rows: await opened(tx, rows) }
}

/**
 * Moves back what is due later in this sandbox, by `ms` milliseconds: retries, the end of old secrets, and since when endpoints
 * fail. Returns how many deliveries became due. Those that are locked are due, or being written by a sender: they are
 * skipped, so that no sender waits for this while this waits for the sender.
 */
export async function advanceClock(tx: Tx, ms: number): Promise<{ webhookDeliveries: number }> {
  const realm = tx.realm.id
  const back = sql`${ms} * interval '1 millisecond'`
  const due = await tx.row(sql<{ webhookDeliveries: number }>`
    select count(*)::int as "webhookDeliveries"
    from webhook_deliveries d join webhook_endpoints w on w.realm_id = d.realm_id and w.id = d.endpoint_id
    where d.realm_id = ${realm} and d.status = 'pending' and w.enabled and d.due_at > ${tx.now}
      and d.due_at - ${back} <= ${tx.now}`)
  await tx.run(sql`
    update webhook_endpoints w
    set failing_since = w.failing_since - ${back}, old_secret_until = w.old_secret_until - ${back}
    from (select id from webhook_endpoints where realm_id = ${realm} order by id for no key update) l
    where w.realm_id = ${realm} and w.id = l.id`)
  await tx.run(sql`
    update webhook_deliveries d set due_at = d.due_at - ${back}
    from (select id from webhook_deliveries where realm_id = ${realm} and status = 'pending' for update skip locked) l
    where d.realm_id = ${realm} and d.id = l.id`)
  return due
}

interface SealedSecrets {
  realmId: number
  id: string
  secret: Buffer
  oldSecret: Buffer | null
}

/** The secrets of all endpoints, locked. */
export function lockSecrets(tx: SystemTx): Promise<SealedSecrets[]> {
  return tx.rows(sql<SealedSecrets>`
    select realm_id as "realmId", id, secret, old_secret as "oldSecret" from webhook_endpoints order by realm_id, id for update`)
}

/** The same secrets under another key. */
export async function updateSealed(tx: SystemTx, { realmId, id, secret, oldSecret }: SealedSecrets): Promise<void> {
  await tx.run(sql`
    update webhook_endpoints set secret = ${secret}, old_secret = ${oldSecret} where realm_id = ${realmId} and id = ${id}`)
}
