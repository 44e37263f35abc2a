import { sql } from 'kysely'
import type { SystemTx } from '../../../platform/database/tx.ts'
import { type Claimed, type ClaimOptions, claimed, isDue, mayClaim } from './claim-queries.ts'

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
