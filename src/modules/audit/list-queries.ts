import { type RawBuilder, sql } from 'kysely'
import type { SystemTx } from '../../platform/database/tx.ts'

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
export async function selectLists(
  tx: SystemTx,
  objects: Readonly<Record<string, readonly string[]>>,
): Promise<number[]> {
  const named = Object.entries(objects).flatMap(([type, ids]) => ids.map((id) => ({ type, id })))
  const rows = await tx.rows(sql<{ id: number }>`
    select entry_id as id from audit_lists where objects && array(
      select ${nameHash(sql`n.type`, sql`n.id`)} from json_to_recordset(${JSON.stringify(named)}::json) as n(type text, id text))`)
  return rows.map(({ id }) => id)
}
