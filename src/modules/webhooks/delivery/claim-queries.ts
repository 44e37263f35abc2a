import { type RawBuilder, sql } from 'kysely'
import type { Mode, SystemTx } from '../../../platform/database/tx.ts'
import type { Keyring } from '../../../platform/sealing/keyring.ts'
import { keyringIn, keyringsOf } from '../../../platform/sealing/sealed-columns.ts'
import { openData, storedText } from '../../events/sealed-queries.ts'
import { sealedAttempts } from '../queries.ts'

/** A delivery that this process has claimed, with all that sending it needs. */
export interface Claimed {
  realmId: number
  id: string
  endpointId: string
  eventId: string
  eventType: string
  occurredAt: Date
  /** JSON. */
  data: string
  /** Of this one, from 1. */
  attempt: number
  url: string
  payload: 'full' | 'thin'
  secret: Buffer
  oldSecret: Buffer | null
  /** Whether others of its kit may wait for it. */
  ordered: boolean
  /** Deliveries a second. */
  rateLimit: number | null
}

export interface ClaimOptions {
  lease: string
  leaseMs: number
  /** Of failing endpoints, or of the others. */
  failing: boolean
  /** At most this many in all, and for one endpoint. */
  limit: number
  perEndpoint: number
  /** Only these realms; all when absent. */
  realmIds?: readonly number[]
  /** `realm/endpoint` of those for which enough is claimed. */
  saturated: readonly string[]
}

const FAILING = 3

/** Endpoints that may be claimed for, of all or of those that are failing. */
export const mayClaim = ({ failing, realmIds, saturated }: ClaimOptions) => sql`
  w.enabled and (w.failures >= ${FAILING}) = ${failing} ${realmIds ? sql`and w.realm_id = any(${realmIds}::int[])` : sql``}
  and not (w.realm_id || '/' || w.id) = any(${saturated}::text[])`

export const isDue = (tx: SystemTx) =>
  sql`d.status = 'pending' and d.due_at <= ${tx.now} and (d.leased_until is null or d.leased_until < now())`

/**
 * Claims what is due for endpoints without order and limit: the oldest of each endpoint, an equal share of the limit. Leases
 * use the database's clock, which all processes share.
 */
export function claimOrdinary(tx: SystemTx, options: ClaimOptions): Promise<Claimed[]> {
  const { limit, perEndpoint } = options
  return claimed(
    tx,
    options,
    sql`
    waiting as (
      select w.realm_id, w.id, count(*) over () as endpoints from webhook_endpoints w
      where ${mayClaim(options)} and w.ordering = 'none' and w.rate_limit is null
        and exists (select from webhook_deliveries d where d.realm_id = w.realm_id and d.endpoint_id = w.id and ${isDue(tx)})
      order by random() limit ${limit}),
    due as (
      select d.realm_id, d.id from waiting w cross join lateral (
        select d.realm_id, d.id from webhook_deliveries d
        where d.realm_id = w.realm_id and d.endpoint_id = w.id and ${isDue(tx)}
        order by d.due_at limit least(${perEndpoint}::int, greatest(1, ${limit}::int / w.endpoints))
        for update skip locked) d)`,
  )
}

/** Leases the deliveries that `due`, one of these common table expressions, names; returns them with what sending needs. */
export async function claimed(
  tx: SystemTx,
  { lease, leaseMs }: ClaimOptions,
  expressions: RawBuilder<unknown>,
): Promise<Claimed[]> {
  const rows = await tx.rows(sql<Claimed>`
    with ${expressions},
    taken as (
      update webhook_deliveries d set lease = ${lease}, leased_until = ${leasedFor(leaseMs)}
      from due where d.realm_id = due.realm_id and d.id = due.id
      returning d.realm_id, d.id, d.endpoint_id, d.event_id, d.attempts, d.due_at)
    select t.realm_id as "realmId", t.id, t.endpoint_id as "endpointId", t.event_id as "eventId", e.type as "eventType",
           e.occurred_at as "occurredAt", ${storedText('e')} as data, t.attempts + 1 as attempt, w.url, w.payload, w.secret,
           case when w.old_secret_until > ${tx.now} then w.old_secret end as "oldSecret",
           w.ordering <> 'none' as ordered, w.rate_limit as "rateLimit"
    from taken t join events e on e.realm_id = t.realm_id and e.id = t.event_id
    join webhook_endpoints w on w.realm_id = t.realm_id and w.id = t.endpoint_id
    order by t.due_at`)
  const stored = rows.map((delivery) => ({ realmId: delivery.realmId, id: delivery.eventId, data: delivery.data }))
  const opened = await openData(tx, stored)
  return rows.map((delivery, index) => ({ ...delivery, data: opened[index]?.data ?? delivery.data }))
}

/** Whether anything waits for an endpoint that is enabled, now or later. Enabling one wakes the sender. */
export async function hasPending(tx: SystemTx): Promise<boolean> {
  const { pending } = await tx.row(sql<{ pending: boolean }>`
    select exists (
      select from webhook_endpoints w where w.enabled and exists (
        select from webhook_deliveries d where d.realm_id = w.realm_id and d.endpoint_id = w.id and d.status = 'pending')) as pending`)
  return pending
}

const leasedFor = (ms: number) => sql`now() + ${ms} * interval '1 millisecond'`

type Lease = Pick<Claimed, 'realmId' | 'id'>

const leased = (lease: string, deliveries: readonly Lease[]) => sql`
  from unnest(${deliveries.map(({ realmId }) => realmId)}::int[], ${deliveries.map(({ id }) => id)}::text[]) as l(realm_id, id)
  where d.realm_id = l.realm_id and d.id = l.id and d.lease = ${lease}`

/** Extends the leases of deliveries that take longer. */
export async function extendLeases(
  tx: SystemTx,
  lease: string,
  held: readonly Lease[],
  leaseMs: number,
): Promise<void> {
  await tx.run(sql`update webhook_deliveries d set leased_until = ${leasedFor(leaseMs)} ${leased(lease, held)}`)
}

/** Ends leases, so that any process can claim these deliveries. */
export async function releaseDeliveries(tx: SystemTx, lease: string, held: readonly Lease[]): Promise<void> {
  await tx.run(sql`update webhook_deliveries d set lease = null, leased_until = null ${leased(lease, held)}`)
}

/** One attempt with its outcome. */
export interface Attempt {
  realmId: number
  id: string
  endpointId: string
  attempt: number
  at: Date
  durationMs: number
  status: number | null
  error: string | null
  answer: string | null
  delivered: boolean
  /** When it is tried again; absent when it was delivered, or never will be. */
  dueAt?: Date
}

/**
 * Writes the outcomes of attempts, and logs them, where the lease is still held and the attempt is the next one of its
 * delivery: a process that stood still may have claimed it twice. Another attempt was made instead, and is logged.
 */
export async function writeAttempts(tx: SystemTx, lease: string, attempts: readonly Attempt[]): Promise<void> {
  const keys = await keyringsOf(tx, attempts)
  const sealed = attempts.map(({ answer, ...attempt }) => ({
    ...attempt,
    // Most receivers say nothing.
    ...(answer === ''
      ? { answer }
      : answer !== null && { sealed: sealedAnswer(keyringIn(keys, attempt.realmId), attempt, answer) }),
  }))
  const rows = JSON.stringify(sealed)
  await tx.run(sql`
    with made as (
      select * from jsonb_to_recordset(${rows}::jsonb) as m("realmId" int, id text, attempt int, at timestamptz,
        "durationMs" int, status int, error text, answer text, sealed bytea, delivered boolean, "dueAt" timestamptz)),
    written as (
      update webhook_deliveries d set lease = null, leased_until = null, attempts = m.attempt, due_at = m."dueAt",
        status = case when m.delivered then 'delivered' when m."dueAt" is null then 'failed' else 'pending' end,
        finished_at = case when m."dueAt" is null then m.at end
      from made m where d.realm_id = m."realmId" and d.id = m.id and d.lease = ${lease} and d.attempts = m.attempt - 1
      returning d.realm_id, d.id, d.attempts)
    insert into webhook_attempts (realm_id, delivery_id, number, at, duration_ms, status, error, answer, sealed)
    select m."realmId", m.id, m.attempt, m.at, m."durationMs", m.status, m.error, m.answer, m.sealed
    from made m join written d on d.realm_id = m."realmId" and d.id = m.id and d.attempts = m.attempt
    on conflict do nothing`)
}

const sealedAnswer = (keys: Keyring, { id, attempt }: Pick<Attempt, 'id' | 'attempt'>, answer: string) =>
  sealedAttempts.seal(keys, [id, attempt], { bytes: Buffer.from(answer) })

export interface Health {
  realmId: number
  endpointId: string
  failingSince: Date | null
  failures: number
}

/** Counts consecutive failures of endpoints, or resets them after a success. Returns the counts that changed. */
export function updateHealth(
  tx: SystemTx,
  endpoints: readonly { realmId: number; endpointId: string; succeeded: boolean; failed: number }[],
): Promise<Health[]> {
  return tx.rows(sql<Health>`
    update webhook_endpoints w set
      failures = case when n.succeeded then 0 else w.failures + n.failed end,
      failing_since = case when n.succeeded then null else coalesce(w.failing_since, ${tx.now}) end
    from jsonb_to_recordset(${JSON.stringify(endpoints)}::jsonb) as n("realmId" int, "endpointId" text, succeeded boolean, failed int)
    where w.realm_id = n."realmId" and w.id = n."endpointId" and (not n.succeeded or w.failures > 0)
    returning w.realm_id as "realmId", w.id as "endpointId", w.failing_since as "failingSince", w.failures`)
}

/** Disables an endpoint and returns whose it is; undefined when it was disabled already. */
export function disableEndpoint(
  tx: SystemTx,
  { realmId, endpointId }: { realmId: number; endpointId: string },
  reason: 'gone' | 'failing',
): Promise<{ url: string; businessId: string; mode: Mode } | undefined> {
  return tx.maybeRow(sql`
    update webhook_endpoints w set enabled = false, disabled_reason = ${reason} from realms r
    where w.realm_id = ${realmId} and w.id = ${endpointId} and w.enabled and r.id = w.realm_id
    returning w.url, r.business_id as "businessId", r.mode`)
}

/** Deletes up to `limit` deliveries that finished before a time, by where they are, as idempotency keys. Returns how many. */
export function deleteFinished(tx: SystemTx, before: Date, limit: number): Promise<number> {
  return tx.run(sql`
    delete from webhook_deliveries where status <> 'pending' and ctid = any(array(
      select ctid from webhook_deliveries where status <> 'pending' and finished_at < ${before}
      order by finished_at limit ${limit}))`)
}

/** An endpoint with an order or a limit. */
export interface Paced {
  realmId: number
  id: string
}

/**
 * Locks endpoints with an order or a limit that something is due for. Others skip them until the end of the transaction, so
 * that nobody claims by what has just changed.
 */
export function lockPaced(tx: SystemTx, options: ClaimOptions): Promise<Paced[]> {
  // With `exists` the planner may begin at all that is due: 30 ms for 20,000 deliveries, where no endpoint asks for this.
  return tx.rows(sql<Paced>`
    select w.realm_id as "realmId", w.id from webhook_endpoints w
    where (w.ordering <> 'none' or w.rate_limit is not null) and ${mayClaim(options)}
      and (select true from webhook_deliveries d where d.realm_id = w.realm_id and d.endpoint_id = w.id and ${isDue(tx)} limit 1)
    order by random() limit ${options.limit} for no key update of w skip locked`)
}

// Looked at for one endpoint in order, at 10 µs each: those that wait for another are due with it, and not looked at before.
const LOOKED_AT = 1000
// What an endpoint that got nothing for a while may get at once.
const BURST_SECONDS = 0.5

/**
 * Claims what is due for endpoints that are locked: of one in order nothing that an earlier delivery of the same subject, or
 * of the kit's order, precedes; of one with a limit no more than that leaves.
 */
export function claimPaced(tx: SystemTx, endpoints: readonly Paced[], options: ClaimOptions): Promise<Claimed[]> {
  const share = Math.max(1, Math.min(options.perEndpoint, Math.floor(options.limit / endpoints.length)))
  const burst = sql`greatest(${BURST_SECONDS}, 1.0 / w.rate_limit) * interval '1 second'`
  // A third of a second has no exact number.
  const left = sql`floor(extract(epoch from now() - p.since) * w.rate_limit + 0.001)::int`
  return claimed(
    tx,
    options,
    sql`
    endpoints as (
      select w.realm_id, w.id, w.ordering, w.rate_limit, p.since,
        case when w.rate_limit is null then ${share}::int else least(${share}::int, ${left}) end as room
      from unnest(${endpoints.map(({ realmId }) => realmId)}::int[], ${endpoints.map(({ id }) => id)}::text[]) as l(realm_id, id)
      join webhook_endpoints w on w.realm_id = l.realm_id and w.id = l.id
      cross join lateral (select greatest(w.paced_until, now() - ${burst}) as since) p),
    candidates as (
      select d.*, w.room, row_number() over (
        partition by d.realm_id, d.endpoint_id, d.behind is null order by d.due_at, d.position) as place
      from endpoints w cross join lateral (
        select d.realm_id, d.endpoint_id, d.id, d.due_at, d.position, case when w.ordering = 'kit' then (
          select max(p.due_at) from webhook_deliveries p
          where p.realm_id = d.realm_id and p.endpoint_id = d.endpoint_id and p.status = 'pending'
            and p.subject = any(array[d.subject, d.order_id]) and p.position < d.position) end as behind
        from webhook_deliveries d where d.realm_id = w.realm_id and d.endpoint_id = w.id and ${isDue(tx)}
        order by d.due_at, d.position limit case when w.ordering = 'kit' then ${LOOKED_AT}::int else w.room end
        for update of d skip locked) d
      where w.room > 0),
    due as (select * from candidates where behind is null and place <= room),
    postponed as (
      update webhook_deliveries d set due_at = c.behind from candidates c
      where c.behind > ${tx.now} and d.realm_id = c.realm_id and d.id = c.id),
    counted as (
      update webhook_endpoints w set paced_until = e.since + n.count * interval '1 second' / w.rate_limit
      from endpoints e join (select realm_id, endpoint_id, count(*) from due group by 1, 2) n
        on n.realm_id = e.realm_id and n.endpoint_id = e.id
      where w.rate_limit is not null and w.realm_id = e.realm_id and w.id = e.id)`,
  )
}
