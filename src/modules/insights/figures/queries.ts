import { sql } from 'kysely'
import type { SystemTx } from '../../../platform/database/tx.ts'
import type { Tally } from '../../businesses/tally-queries.ts'
import { waits } from '../../fulfilment/queries.ts'

// Counts end here: beyond it, a figure says "many" and its age says how bad it is.
const MANY = 10_000

export interface Placed {
  mode: string
  orders: number
  kits: number
}

/** One row for each mode, from the counters of realms. */
export const selectPlaced = (tx: SystemTx): Promise<Placed[]> =>
  tx.rows(sql<Placed>`
    select r.mode, coalesce(sum(c.orders), 0)::bigint as orders, coalesce(sum(c.kits), 0)::bigint as kits
    from realms r left join realm_counters c on c.realm_id = r.id group by r.mode`)

/** Kits that have left the state in which they are placed. */
export const selectKitTallies = (tx: SystemTx): Promise<(Tally & { mode: string })[]> =>
  tx.rows(sql<Tally & { mode: string }>`
    select r.mode, t.name, t.key, sum(t.amount)::bigint as amount from tallies t join realms r on r.id = t.realm_id
    where t.name = 'kit' group by 1, 2, 3`)

export interface Waits {
  /** How many wait, up to 10,000. */
  waiting: number
  oldestAt: Date | null
}

export interface DueWebhooks extends Waits {
  failing: boolean
}

// As delivery/claim-queries.ts: from the third failure on, an endpoint is tried apart from the others.
const FAILING = 3

/** Due deliveries of enabled endpoints, up to 10,000 for each, by whether the endpoint is failing. */
export const selectDueWebhooks = (tx: SystemTx): Promise<DueWebhooks[]> =>
  tx.rows(sql<DueWebhooks>`
    select w.failures >= ${FAILING} as failing, sum(d.waiting)::bigint as waiting, min(d.oldest) as "oldestAt"
    from webhook_endpoints w cross join lateral (
      select count(*) as waiting, min(due_at) as oldest from (
        select due_at from webhook_deliveries where realm_id = w.realm_id and endpoint_id = w.id and status = 'pending'
          and due_at <= ${tx.now} order by due_at limit ${MANY}) x) d
    where w.enabled group by 1`)

export interface EndpointStates {
  healthy: number
  failing: number
  /** By the service: not those that their business switched off. */
  disabled: number
}

export const selectEndpointStates = (tx: SystemTx): Promise<EndpointStates> =>
  tx.row(sql<EndpointStates>`
    select count(*) filter (where enabled and failures < ${FAILING}) as healthy,
           count(*) filter (where enabled and failures >= ${FAILING}) as failing,
           count(*) filter (where not enabled and disabled_reason in ('gone', 'failing')) as disabled from webhook_endpoints`)

export interface EmailFigures extends Waits {
  failed: number
}

/** `failed`: of those queued since a time. */
export const selectEmails = (tx: SystemTx, failedSince: Date): Promise<EmailFigures> =>
  tx.row(sql<EmailFigures>`
    select count(*) as waiting, min(created_at) as "oldestAt",
           (select count(*) from emails where status = 'failed' and created_at >= ${failedSince}) as failed
    from (select created_at from emails where status = 'queued' order by created_at limit ${MANY}) x`)

/** Card payments whose outcome is not known. */
export const selectUnsettled = (tx: SystemTx): Promise<Waits> =>
  tx.row(sql<Waits>`
    select count(*) as waiting, min(created_at) as "oldestAt" from payments where state = 'requested'`)

export interface PeopleWait {
  what: string
  waiting: number
  oldestAt: Date | null
}

/** What waits for a person of the operator: live kits to pack, those that warehouses do not send, and to receive, results, reports. */
export const selectWaitingForPeople = (tx: SystemTx): Promise<PeopleWait[]> =>
  tx.rows(sql<PeopleWait>`
    select 'kits_to_pack' as what, count(*) as waiting, min(created_at) as "oldestAt"
    from (select k.created_at from kits k where ${waits} order by k.created_at limit ${MANY}) x
    union all
    select 'kits_at_warehouses', count(*), min(changed_at)
    from (select changed_at from warehouse_orders where is_there and reason is not null order by changed_at limit ${MANY}) x
    union all
    select 'samples_to_receive', count(*), min(updated_at)
    from (select updated_at from kits where live and sample_status = 'inTransit' order by updated_at limit ${MANY}) x
    union all
    select 'lab_messages', count(*), min(received_at)
    from (select received_at from lab_messages where status = 'waiting' order by received_at limit ${MANY}) x
    union all
    select 'uploads', count(*), min(u.received_at) from (
      select realm_id, received_at from upload_reviews where closed_at is null and state = 'waiting' limit ${MANY}) u
      join realms r on r.id = u.realm_id where r.mode = 'live'
    union all
    select 'unassessed_results', count(*), min(u.received_at) from (
      select realm_id, received_at from unassessed_results where closed_at is null limit ${MANY}) u
      join realms r on r.id = u.realm_id where r.mode = 'live'
    union all
    select 'reports_in_review', coalesce(sum(x.waiting), 0)::bigint, min(x.oldest) from realms r cross join lateral (
      select count(*) as waiting, min(created_at) as oldest from (
        select created_at from reports where realm_id = r.id and status = 'inReview' order by created_at limit ${MANY}) y) x
    where r.mode = 'live'`)
