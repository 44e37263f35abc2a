import type { ClientBase } from 'pg'
import type { Roles } from '../database/roles.ts'
import type { Head, Protection } from './manifest.ts'

// Text of the same value has to be the same on every server.
const FORMS = `set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local timezone = 'UTC';
  set local extra_float_digits = 1; set local bytea_output = 'hex'; set local synchronize_seqscans = off;
  set local client_encoding = 'UTF8'`
const NO_LIMITS = `set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`

/** Prepares a transaction that copies tables: one form of every value, and no limit of time. */
export const prepareCopying = (client: ClientBase) => client.query(`${NO_LIMITS}; ${FORMS}`)

const ours = `c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`

export interface TableRow {
  name: string
  columns: string[]
  bytes: number
}

/** Every table with its stored columns and about how many bytes it holds. A partitioned table is one. */
export async function tablesOf(client: ClientBase): Promise<TableRow[]> {
  const { rows } = await client.query<TableRow>(`
    select c.relname as name,
      array(select a.attname::text from pg_attribute a
            where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
      (select coalesce(sum(pg_table_size(t.relid)), 0)::float8 from pg_partition_tree(c.oid) t
       right join (select) one on true)
        + case when c.relkind = 'r' then pg_table_size(c.oid)::float8 else 0 end as bytes
    from pg_class c where ${ours} order by c.relname`)
  return rows
}

/** Partitions, parents first. */
export async function partitionsOf(client: ClientBase): Promise<Head['partitions']> {
  const { rows } = await client.query<Head['partitions'][number]>(`
    select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
    where c.relnamespace = 'public'::regnamespace and c.relispartition and c.relkind in ('r', 'p')
    order by (select count(*) from pg_partition_ancestors(c.oid)), c.relname`)
  return rows
}

/** How each table is protected. The roles of the installation are called by their kind, its owner `owner`. */
export async function protectionsOf(client: ClientBase, roles: Roles): Promise<Protection[]> {
  const { rows } = await client.query<Protection>(
    `
    select c.relname as table, c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
      coalesce((select json_agg(json_build_object('name', p.polname, 'command', p.polcmd,
          'roles', array(select case when r.oid = c.relowner then 'owner' else coalesce($1::json ->> r.rolname, r.rolname) end
                         from pg_roles r where r.oid = any(p.polroles) order by 1),
          'using', pg_get_expr(p.polqual, p.polrelid), 'check', pg_get_expr(p.polwithcheck, p.polrelid)) order by p.polname)
        from pg_policy p where p.polrelid = c.oid), '[]') as policies
    from pg_class c where ${ours} order by c.relname`,
    [JSON.stringify(Object.fromEntries(Object.entries(roles).map(([kind, name]) => [name, kind])))],
  )
  return rows
}

/** Sequences with their last value. They are no part of a snapshot: read after the rows, they are never behind them. */
export async function sequencesOf(client: ClientBase): Promise<{ name: string; value: string; called: boolean }[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'S' order by 1`,
  )
  const found = []
  for (const { name } of rows) {
    const state = await client.query<{ value: string; called: boolean }>(
      `select last_value::text as value, is_called as called from ${client.escapeIdentifier(name)}`,
    )
    found.push({ name, ...(state.rows[0] as { value: string; called: boolean }) })
  }
  return found
}

/** What loading does without and makes again: statements to take it away, and to bring it back, in this order. */
export async function brakesOf(client: ClientBase): Promise<{ off: string[]; on: string[] }> {
  const { rows } = await client.query<{ off: string; on: string }>(`
    select format('drop index %I', i.relname) as off, pg_get_indexdef(i.oid) as on, 1 as place
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
    where ${ours} and c.relkind = 'r' and not exists (select from pg_constraint k where k.conindid = i.oid)
    union all
    select format('alter table %I drop constraint %I', c.relname, k.conname),
      format('alter table %I add constraint %I %s', c.relname, k.conname, pg_get_constraintdef(k.oid)), 2
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where ${ours} and k.contype = 'f' and k.conparentid = 0
    union all
    select format('alter table %I disable trigger %I', c.relname, t.tgname),
      format('alter table %I enable trigger %I', c.relname, t.tgname), 3
    from pg_trigger t join pg_class c on c.oid = t.tgrelid where ${ours} and not t.tgisinternal and t.tgenabled = 'O'
    union all
    select format('alter table %I no force row level security', c.relname),
      format('alter table %I force row level security', c.relname), 4
    from pg_class c where ${ours} and c.relforcerowsecurity
    order by 3, 1`)
  return { off: rows.map(({ off }) => off).reverse(), on: rows.map(({ on }) => on) }
}

/** Anything that somebody made in this database: it is not empty. */
export async function maybeFirstTable(client: ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(`
    select format('%s.%s', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') and n.nspname not in ('pg_catalog', 'information_schema')
      and n.nspname !~ '^pg_(toast|temp)' and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by 1 limit 1`)
  return rows[0]?.name
}
