import { sql } from 'kysely'
import type { World } from './world.ts'

// Jobs derive these at any time from rows that are in the snapshot.
const DERIVED = [
  'tallies',
  'counted_kits',
  'counted_credits',
  'counted_upto',
  'order_finds',
  'order_finds_done',
  'customer_words',
]
// What its own tokens asked for, written a second later.
const LOGGED = ['request_log']

// A refused caller is audited in the caller's own realm.
const NOT_REFUSED = sql`where action <> 'access.refused'`

/** Hashes every table of every realm: `table@realm` → md5 of its rows. */
export function snapshot(world: World): Promise<Record<string, string>> {
  return world.service.database.asSystem({ name: 'system' }, async (tx) => {
    const tables = await tx.rows(sql<{ name: string }>`
      select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'realm_id'
      where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and c.relname <> all(${[...DERIVED, ...LOGGED]})
        and not c.relispartition order by 1`)
    const each = tables.map(
      ({ name }) => sql`
        select ${name}::text as "table", realm_id as realm, md5(string_agg(t::text, '' order by t::text)) as hash
        from ${sql.table(name)} t ${name === 'audit_entries' ? NOT_REFUSED : sql``} group by realm_id`,
    )
    const realms = sql`select 'realms' as "table", id as realm, md5(t::text) as hash from realms t`
    const rows = await tx.rows(
      sql<{ table: string; realm: number; hash: string }>`${sql.join([...each, realms], sql` union all `)}`,
    )
    return Object.fromEntries(rows.map(({ table, realm, hash }) => [`${table}@${realm}`, hash]))
  })
}

/** The part of a snapshot that belongs to these realms. */
export const of = (all: Record<string, string>, realms: readonly number[]): Record<string, string> =>
  Object.fromEntries(Object.entries(all).filter(([key]) => realms.some((realm) => key.endsWith(`@${realm}`))))
