import { hash } from 'node:crypto'
import type { Client } from 'pg'
import type { Fill } from './reseal.ts'
import { MARKS, type Template } from './templates.ts'

// Derived from other rows, changed for all copies at once below, or changed by an order instead of written.
const LEFT_OUT = new Set(
  'tallies counted_kits counted_credits counted_upto list_changes list_counts order_finds_done customer_words request_log realm_counters credit_balances tokens realm_panels data_keys'.split(
    ' ',
  ),
)
// Shorter texts are no identifiers of ours, and stand in others.
const SHORTEST = 10
// IDs of one kind in a copy.
const MOST_ALIKE = 64

export interface Column {
  table: string
  name: string
  type: string
  /** Filled by the database: an identity, a generated column, a sequence, a transaction. */
  isFilled: boolean
  /** The only column of a unique index, except the realm. */
  isId: boolean
  isUnique: boolean
  isFixed?: boolean
}

type TemplateRow = Record<string, string | null>

export interface Plan {
  template: Template
  /** Texts of the template, longer ones first, with what a copy has instead. */
  texts: Map<string, Fill>
  numbers: Map<string, Fill>
  tables: { name: string; rows: TemplateRow[]; columns: Column[] }[]
  /** How many rows a copy has. */
  rows: number
  counters: Record<string, number>
  tallies: { name: string; key: string; amount: number }[]
}

/** All columns of tables with a realm. */
export async function readColumns(admin: Client): Promise<Column[]> {
  const { rows } = await admin.query<Column>(`
    with uniques as (
      select i.indrelid, a.attname, a.atttypid,
        (select count(*) from pg_attribute o where o.attrelid = i.indrelid and o.attnum = any(i.indkey) and o.attname <> 'realm_id') as others
      from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
      where i.indisunique and a.attname <> 'realm_id')
    select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      a.attidentity <> '' or a.attgenerated <> '' or coalesce(pg_get_expr(d.adbin, d.adrelid) ~ 'nextval|xact', false) as "isFilled",
      exists (select from uniques u where u.indrelid = c.oid and u.attname = a.attname and u.others = 1 and a.attname <> 'seq') as "isId",
      exists (select from uniques u where u.indrelid = c.oid and u.attname = a.attname) as "isUnique"
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
      and exists (select from pg_attribute r where r.attrelid = c.oid and r.attname = 'realm_id')
    order by c.relname, a.attnum`)
  return rows.filter(({ table }) => !LEFT_OUT.has(table))
}

/** Reads the rows of a template, and finds the identifiers in them. */
export async function planOf(admin: Client, template: Template, columns: readonly Column[]): Promise<Plan> {
  const { realmId, since } = template
  const tables: Plan['tables'] = []
  const found = { texts: new Set<string>(), numbers: new Set<string>() }
  await admin.query('begin')
  for (const statement of template.before ?? []) await admin.query(statement.text, statement.values)
  for (const [name, ofTable] of Map.groupBy(columns, ({ table }) => table)) {
    const order = ofTable.some((column) => column.name === 'seq') ? 'seq' : 'ctid'
    const values = ofTable.map(({ name, type }) =>
      type === 'timestamp with time zone'
        ? `(extract(epoch from "${name}") * 1000)::float8::text as "${name}"`
        : `"${name}"::text as "${name}"`,
    )
    const { rows } = await admin.query<TemplateRow>(`select ${values.join(', ')} from ${name} t
      where realm_id = ${realmId} and xmin::text::bigint >= ${since}::bigint % 4294967296 order by t.${order}`)
    if (rows.length === 0) continue
    tables.push({ name, rows, columns: ofTable })
    for (const { name: column, type } of ofTable.filter(({ isId, isFilled }) => isId && !isFilled)) {
      const into = type === 'bigint' ? found.numbers : type === 'text' ? found.texts : undefined
      for (const { [column]: id } of rows) if (id) into?.add(id)
    }
  }
  const counters = await admin.query('select to_jsonb(c) as counters from realm_counters c where realm_id = $1', [
    realmId,
  ])
  const tallies = await admin.query<Plan['tallies'][number]>(
    'select name, key, sum(amount)::float8 as amount from tallies where realm_id = $1 group by 1, 2',
    [realmId],
  )
  await admin.query('rollback')
  // Longer ones first: an identifier may contain a mark.
  const ids = [...found.texts].filter(({ length }) => length >= SHORTEST).sort((a, b) => b.length - a.length)
  const texts = new Map<string, Fill>()
  for (const id of ids) {
    // Alike are those of one kind: three events, two kits.
    const alike = [...texts.keys()].filter((other) => other[0] === id[0]).length
    texts.set(id, newId(id, alike))
  }
  for (const mark of template.marks ?? []) texts.set(mark, ({ g }) => hash('md5', `${mark}${g}`).slice(0, 16))
  texts.set(MARKS.name, ({ g }) => `Name${(g * 7919) % 50_000}`)
  texts.set(MARKS.name.toLowerCase(), ({ g }) => `name${(g * 7919) % 50_000}`)
  texts.set(MARKS.mail, ({ g }) => `person${g}`)
  const numbers = [...found.numbers].map((id, position): [string, Fill] => [
    id,
    ({ g }) => String(1e14 + g * MOST_ALIKE + position),
  ])
  const rows = tables.reduce((sum, table) => sum + table.rows.length, 0)
  return {
    template,
    texts,
    numbers: new Map(numbers),
    tables,
    rows,
    counters: counters.rows[0].counters,
    tallies: tallies.rows,
  }
}

/** An identifier of the same form. Multiplying by 2^35 + 53 modulo 2^46 spreads up to 2^27 of them, and repeats none. */
function newId(id: string, position: number): Fill {
  if (position >= MOST_ALIKE) throw new Error(`a template has too many IDs like ${id}`)
  const base36 = (value: bigint | number) => value.toString(36).padStart(9, '0')
  if (/^[A-Z][0-9A-Z]{9}$/.test(id))
    return ({ g }) =>
      id[0] + base36((BigInt(g * MOST_ALIKE + position) * 34_359_738_421n) % 70_368_744_177_664n).toUpperCase()
  const prefix = /^([a-z]+_|[\d-]{10}\/)/.exec(id)?.[0] ?? ''
  const length = id.length - prefix.length
  const now = Date.now()
  const isDated = Math.abs(Number.parseInt(id.slice(prefix.length, prefix.length + 9), 36) - now) < 86_400_000
  if (isDated)
    return ({ g, agoMs }) =>
      `${prefix}${base36(Math.round(now - agoMs))}${hash('md5', `${position}/${g}`).slice(0, length - 9)}`
  return ({ g }) => `${prefix}${hash('sha256', `${position}/${g}`).slice(0, length)}`
}
