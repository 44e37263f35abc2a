import { type RawBuilder, sql } from 'kysely'
import { statement } from '../../platform/database/statement.ts'
import type { Mode, Queries, Tx } from '../../platform/database/tx.ts'
import { withWords } from './words-queries.ts'

/** Rows as JSON, and their time. */
export const insertEntries = statement<never, [string, Date]>(
  'audit_insert',
  `insert into audit_entries (realm_id, at, actor, action, object_type, object_id, request_id, caller_request_id, ip, details)
   select e."realmId", $2, e.actor, e.action, e."objectType", e."objectId", e."requestId", e."callerRequestId", e.ip, e.details
   from json_to_recordset($1::json)
     as e("realmId" int, actor text, action text, "objectType" text, "objectId" text, "requestId" text,
       "callerRequestId" text, ip text, details jsonb)`,
)

export interface AuditFilter {
  objectIds?: readonly string[] | undefined
  actions?: readonly string[] | undefined
  actors?: readonly string[] | undefined
  from?: Date | undefined
  to?: Date | undefined
}

export interface AuditRow {
  id: number
  realmId: number | null
  at: Date
  actor: string
  action: string
  objectType: string
  objectId: string
  requestId: string | null
  callerRequestId: string | null
  ip: string | null
  details: Record<string, unknown> | null
  businessId: string | null
  businessName: string | null
  mode: Mode | null
}

/** Whose entries: of one realm, of some businesses in both modes or of no business, or of all. */
export type Whose = { realmId: number } | { businessIds: readonly string[]; orNobody: boolean } | 'everybody'

function conditions(whose: Whose, { objectIds, actions, actors, from, to }: AuditFilter): RawBuilder<unknown> {
  const all = [sql`true`]
  if (whose !== 'everybody' && 'realmId' in whose) all.push(sql`e.realm_id = ${whose.realmId}`)
  else if (whose !== 'everybody') {
    const { businessIds, orNobody } = whose
    const ofNone = orNobody ? sql`e.realm_id is null` : sql`false`
    const ofThem = sql`e.realm_id in (select id from realms where business_id = any(${businessIds}))`
    all.push(businessIds.length === 0 ? ofNone : orNobody ? sql`(${ofThem} or ${ofNone})` : ofThem)
  }
  if (objectIds) all.push(sql`e.object_id = any(${objectIds})`)
  if (actions) all.push(sql`e.action = any(${actions})`)
  if (actors) all.push(sql`e.actor = any(${actors})`)
  if (from) all.push(sql`e.at >= ${from}`)
  if (to) all.push(sql`e.at <= ${to}`)
  return sql.join(all, sql` and `)
}

// The total stops here: older pages are reached by a filter.
const COUNTED = 10_000

const columns = sql`
  e.id, e.realm_id as "realmId", e.at, e.actor, e.action, e.object_type as "objectType", e.object_id as "objectId",
  e.request_id as "requestId", e.caller_request_id as "callerRequestId", e.ip, e.details, r.business_id as "businessId", b.name as "businessName", r.mode`

/** What the requests that carry a mark did in a business, and what some actors did there, the oldest first. */
export async function selectEntriesOfMarked(
  tx: Queries,
  { businessId, mark, actors }: { businessId: string; mark: { action: string; objectId: string }; actors: string[] },
  { from, to, limit }: { from: Date; to: Date; limit: number },
): Promise<AuditRow[]> {
  const rows = await tx.rows(sql<AuditRow>`
    with own as (select id from realms where business_id = ${businessId}),
    marked as (
      select distinct m.request_id from audit_entries m
      where m.realm_id in (select id from own) and m.action = ${mark.action} and m.object_id = ${mark.objectId}
        and m.at >= ${from} and m.at <= ${to} and m.request_id is not null)
    select ${columns} from audit_entries e join realms r on r.id = e.realm_id join businesses b on b.id = r.business_id
    where e.realm_id in (select id from own) and e.at >= ${from} and e.at <= ${to}
      and (e.request_id in (select request_id from marked) or e.actor = any(${actors}::text[]))
      and e.action !~ '\\.(read|listed|used|entered|refused)$'
    order by e.id limit ${limit}`)
  return withWords(tx, rows)
}

/** Newest first, with how many there are in all, up to 10,000. */
export async function selectEntries(
  tx: Queries,
  whose: Whose,
  { page, size, ...filter }: AuditFilter & { page: number; size: number },
): Promise<{ entries: AuditRow[]; total: number }> {
  const where = conditions(whose, filter)
  const { total } = await tx.row(
    sql<{ total: number }>`
      select count(*)::int as total from (select 1 from audit_entries e where ${where} limit ${COUNTED}) counted`,
  )
  const entries = await tx.rows(sql<AuditRow>`
    select ${columns}
    from audit_entries e left join realms r on r.id = e.realm_id left join businesses b on b.id = r.business_id
    where ${where} order by e.id desc limit ${size} offset ${page * size}`)
  return { entries: await withWords(tx, entries), total }
}

/** Whether this was ever done in the realm. */
export async function hasEntryOf(tx: Tx, action: string): Promise<boolean> {
  const entry = await tx.maybeRow(sql`
    select id from audit_entries where realm_id = ${tx.realm.id} and action = ${action} limit 1`)
  return entry !== undefined
}
