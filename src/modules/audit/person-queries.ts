import { type RawBuilder, sql } from 'kysely'
import type { Realm, SystemTx } from '../../platform/database/tx.ts'
import { isUnread, selectPosition } from './reader-queries.ts'
import { withWords } from './words-queries.ts'

// PostgreSQL's own hashes may differ between versions, and a restored database would not find what it holds.
const nameHash = (type: RawBuilder<unknown>, id: RawBuilder<unknown>) =>
  sql`('x' || left(encode(sha256(convert_to(${type} || ' ' || ${id}, 'UTF8')), 'hex'), 8))::bit(32)::integer`

/** The condition that an entry `e` is of a list and names what it showed. */
export const isList = sql`e.object_id = '*' and e.details ? 'ids'`

/** Writes what the lists among these entries named, so that it is found. */
export async function insertLists(tx: SystemTx, entryIds: readonly number[]): Promise<void> {
  await tx.run(sql`
    insert into audit_lists (entry_id, objects)
    select e.id, array_agg(distinct ${nameHash(sql`e.object_type`, sql`u.id`)})
    from audit_entries e cross join lateral jsonb_array_elements_text(e.details -> 'ids') as u(id)
    where e.id = any(${[...entryIds]}::bigint[]) group by e.id
    on conflict (entry_id) do nothing`)
}

/** The entries of lists that named one of these objects; others whose hash is the same are among them. */
async function selectLists(tx: SystemTx, objects: Readonly<Record<string, readonly string[]>>): Promise<number[]> {
  const named = Object.entries(objects).flatMap(([type, ids]) => ids.map((id) => ({ type, id })))
  const rows = await tx.rows(sql<{ id: number }>`
    select entry_id as id from audit_lists where objects && array(
      select ${nameHash(sql`n.type`, sql`n.id`)} from json_to_recordset(${JSON.stringify(named)}::json) as n(type text, id text))`)
  return rows.map(({ id }) => id)
}

/** The objects of a person, by kind: `kit` → the IDs of their kits. */
type PersonObjects = Readonly<Record<string, readonly string[]>>

/** What one caller did in the same way on one day. */
export interface AccessRow {
  actor: string
  objectType: string
  action: string
  operation: string | null
  reason: string | null
  /** A file, or a list too long to name what it showed: it held everything of its kind. */
  isEverything: boolean
  first: Date
  last: Date
  times: number
}

interface AccessRange {
  from?: Date | undefined
  to?: Date | undefined
  /** Since when there is something about the person: files from before did not hold it. */
  since: Date
  limit: number
}

/** Why: in the entry itself, or in the words that it refers to. */
interface Why {
  realmId: number
  details: { reason?: string | null; words?: string | null }
}
const why = sql`jsonb_build_object('reason', details ->> 'reason', 'words', details ->> 'words')`

/**
 * Who accessed the objects of a person, newest first. It takes a transaction over all realms: lists are found in a table
 * of no realm, and messages of laboratories belong to none.
 */
export async function selectAccesses(
  tx: SystemTx,
  realm: Realm,
  objects: PersonObjects,
  { from, to, since, limit }: AccessRange,
): Promise<AccessRow[]> {
  // Before the lists: what the job writes in between is found twice, and counted once.
  const isNew = isUnread(await selectPosition(tx, 'lists'))
  const lists = await selectLists(tx, objects)
  const wantedObjects = JSON.stringify(
    Object.entries(objects).flatMap(([type, ids]) => (ids.length > 0 ? [{ type, ids }] : [])),
  )
  const inTime = sql`${from ? sql`e.at >= ${from}` : sql`true`} and ${to ? sql`e.at <= ${to}` : sql`true`}`
  const inList = sql`e.details -> 'ids' ?| a.ids and (e.realm_id = ${realm.id} or e.realm_id is null) and ${inTime}`
  const ofType = sql`e.object_type = a.type and ${inTime}`
  const rows = await tx.rows(sql<Omit<AccessRow, 'reason'> & Why>`
    with asked as materialized (select a.type, a.ids from json_to_recordset(${wantedObjects}::json) as a(type text, ids text[])),
    accessed as (select distinct on (id) * from (
      select e.*, false as everything from asked a cross join lateral (
        select * from audit_entries e where e.realm_id = ${realm.id} and e.object_id = any(a.ids) and ${ofType}) e
      union all
      -- Laboratories' messages belong to no business, until they are somebody's.
      select e.*, false from asked a cross join lateral (
        select * from audit_entries e where e.realm_id is null and e.object_id = any(a.ids) and ${ofType}) e
      union all
      select e.*, false from audit_entries e join asked a on a.type = e.object_type
      where e.id = any(${lists}::bigint[]) and ${inList}
      union all
      -- The newest entries, which the job has not reached yet.
      select e.*, false from audit_entries e join asked a on a.type = e.object_type
      where ${isNew} and e.object_id = '*' and ${inList}
      union all
      select e.*, true from asked a cross join lateral (
        select * from audit_entries e
        where e.object_id = '*' and e.details -> 'ids' is null and e.realm_id = ${realm.id} and e.at >= ${since} and ${ofType}) e
    ) found order by id)
    select actor, object_type as "objectType", action, details ->> 'operation' as operation,
      ${realm.id}::int as "realmId", ${why} as details,
      everything as "isEverything", min(at) as first, max(at) as last, count(*)::int as times
    from accessed
    group by actor, object_type, action, details ->> 'operation', ${why}, everything, (at at time zone 'UTC')::date
    order by max(at) desc, min(id) desc limit ${limit}`)
  const withTypedWords = await withWords(tx, rows)
  return withTypedWords.map(({ realmId: _, details, ...row }) => ({ ...row, reason: details.reason ?? null }))
}
