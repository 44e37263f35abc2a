import { sql } from 'kysely'
import type { Mode, SystemTx, Tx } from '../../platform/database/tx.ts'

interface BusinessRow {
  id: string
  name: string
  createdAt: Date
  panels: number
  kitsInFlight: number
  credits: number
  users: number
}

// The key of a tally of kits: kit status, sample status, report status and a mark, joined by /. A new kit is in flight and
// has no tally.
const notInFlight = sql`
  name = 'kit' and (split_part(key, '/', 1) = 'canceled' or split_part(key, '/', 2) = 'rejected'
  or split_part(key, '/', 3) not in ('notStarted', 'inReview') or split_part(key, '/', 4) = 'replaced')`

/** Businesses by name; `q` is an ID, or part of a name. */
export async function selectBusinesses(
  tx: SystemTx,
  { q, page, size }: { q?: string; page: number; size: number },
): Promise<{ rows: BusinessRow[]; total: number }> {
  const like = `%${(q ?? '').replaceAll(/[\\%_]/g, '\\$&')}%`
  const where = q === undefined ? sql`true` : sql`(b.id = ${q} or b.name ilike ${like})`
  const { total } = await tx.row(sql<{ total: number }>`select count(*) as total from businesses b where ${where}`)
  const rows = await tx.rows(sql<BusinessRow>`
    with shown as (
      select b.id, b.name, b.created_at, r.id as realm_id from businesses b join realms r on r.business_id = b.id and r.mode = 'live'
      where ${where} order by lower(b.name), b.id limit ${size} offset ${page * size})
    select b.id, b.name, b.created_at as "createdAt",
           (select count(*) from realm_panels p where p.realm_id = b.realm_id) as panels,
           (select kits - (select coalesce(sum(amount), 0)::bigint from tallies t where t.realm_id = c.realm_id and ${notInFlight})
            from realm_counters c where c.realm_id = b.realm_id) as "kitsInFlight",
           (select coalesce(sum(available), 0)::bigint from credit_balances c where c.realm_id = b.realm_id) as credits,
           (select count(*) from memberships m where m.business_id = b.id) as users
    from shown b order by lower(b.name), b.id`)
  return { rows, total }
}

interface PanelRow {
  kitType: string
  name: string
  priceMinor: number | null
  currency: string | null
}

/** Every panel, with what it costs a business that may order it. */
export function selectPanelsFor(tx: SystemTx, businessId: string): Promise<PanelRow[]> {
  return tx.rows(sql<PanelRow>`
    select p.kit_type as "kitType", p.name, r.price_minor as "priceMinor", r.currency
    from panels p left join realm_panels r on r.kit_type = p.kit_type
      and r.realm_id = (select id from realms where business_id = ${businessId} and mode = 'live')
    order by r.created_at nulls last, p.created_at, p.kit_type`)
}

export function selectCredits(
  tx: SystemTx,
  businessId: string,
): Promise<{ mode: Mode; kitType: string; available: number }[]> {
  return tx.rows(sql<{ mode: Mode; kitType: string; available: number }>`
    select r.mode, p.kit_type as "kitType", coalesce(c.available, 0) as available
    from realms r join realm_panels p on p.realm_id = r.id
    left join credit_balances c on c.realm_id = p.realm_id and c.kit_type = p.kit_type
    where r.business_id = ${businessId} order by r.mode, p.created_at, p.kit_type`)
}

interface BusinessFacts {
  createdAt: Date
  rateLimitPerMinute: number
}

export function selectFacts(tx: SystemTx, businessId: string): Promise<BusinessFacts> {
  return tx.row(sql<BusinessFacts>`
    select b.created_at as "createdAt", r.rate_limit_per_minute as "rateLimitPerMinute"
    from businesses b join realms r on r.business_id = b.id and r.mode = 'live' where b.id = ${businessId}`)
}

/** The order with this external ID, and its first kit. */
export function selectTaken(
  tx: Tx,
  externalId: string,
): Promise<{ orderId: string; kitId: string | undefined } | undefined> {
  return tx.maybeRow(sql<{ orderId: string; kitId: string | undefined }>`
    select o.id as "orderId", (
      select min(k.id) from kits k where k.realm_id = o.realm_id and k.order_id = o.id) as "kitId"
    from orders o where o.realm_id = ${tx.realm.id} and o.external_id = ${externalId} order by o.seq limit 1`)
}
