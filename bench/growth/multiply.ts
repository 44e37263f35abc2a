import type { Client } from 'pg'
import type { Vault } from '../../src/platform/sealing/vault.ts'
import { Reseal } from './reseal.ts'
import { MARKS, type Template } from './templates.ts'

// Derived from other rows, changed for all copies at once below, or changed by an order instead of written.
const LEFT_OUT = new Set(
  'tallies counted_kits counted_credits counted_upto list_changes list_counts order_finds_done customer_words request_log realm_counters credit_balances tokens realm_panels data_keys'.split(
    ' ',
  ),
)
// Identifiers that a shop issued.
const FOREIGN = new Set(['shop_orders.external_id', 'shop_deliveries.id'])
const AT_ONCE = 20_000
// Copies whose sealed values are held in memory at once.
const SEALED_AT_ONCE = 500
const YEARS = 2
// Shorter texts are no identifiers of ours, and stand in others.
const SHORTEST = 10

interface Column {
  table: string
  name: string
  type: string
  /** Filled by the database: an identity, a generated column, a sequence, a transaction. */
  isFilled: boolean
  /** The only column of a unique index, except the realm. */
  isId: boolean
  isUnique: boolean
}

const digit = (unit: number) => `substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', (value / ${unit} % 36)::int + 1, 1)`

interface Plan {
  template: Template
  /** Texts of the template with the expression of what a copy has instead. */
  texts: Map<string, string>
  numbers: Map<string, string>
  /** What stands in each column that has one of these texts. */
  inside: Map<string, string>
  /** The columns whose values are identifiers and nothing else. */
  exact: Set<string>
  tables: { name: string; rows: number; columns: Column[] }[]
  reseal: Reseal
}

interface Options {
  /** Tables that do not grow with the orders: what copies name of them is the template's. */
  preserved?: readonly string[]
}

/** Copies the rows of templates by set. Which columns there are, and which are identifiers, is read from the database. */
export class Multiplier {
  readonly #admin: Client
  readonly #vault: Vault
  readonly #plans: Plan[] = []
  readonly #kept: ReadonlySet<string>
  /** How many copies were made, over all realms: their identifiers derive from it. */
  #made = 0

  private constructor(admin: Client, vault: Vault, { preserved: kept = [] }: Options) {
    this.#admin = admin
    this.#vault = vault
    this.#kept = new Set(kept)
  }

  static async open(
    admin: Client,
    vault: Vault,
    templates: readonly Template[],
    options: Options = {},
  ): Promise<Multiplier> {
    const multiplier = new Multiplier(admin, vault, options)
    await admin.query(`
      set session_replication_role = replica; set synchronous_commit = off; set jit = off; set work_mem = '64MB';
      create schema if not exists bench;
      create or replace function bench.base36(value bigint) returns text language sql immutable as $$
        select ${Array.from({ length: 9 }, (_, power) => digit(36 ** power)).join(' || ')} $$`)
    const columns = (await readColumns(admin)).filter(({ table }) => !multiplier.#kept.has(table))
    for (const [index, template] of templates.entries()) {
      multiplier.#plans.push(await planOf(admin, vault, template, columns, `${index}`))
    }
    return multiplier
  }

  /** The tables that have rows of an order. */
  get tables(): string[] {
    return [...new Set(this.#plans.flatMap(({ tables }) => tables.map(({ name }) => name)))]
  }

  /** Adds copies of a template to a realm, after those that it has, dated over the last two years. */
  async copy(kind: string, realmId: number, count: number): Promise<void> {
    const index = this.#plans.findIndex(({ template }) => template.kind === kind)
    const plan = this.#plans[index]
    if (!plan) throw new Error(`there is no template ${kind}`)
    for (let done = 0; done < count; done += AT_ONCE) {
      const part = Math.min(AT_ONCE, count - done)
      await this.#copyPart(plan, `${index}`, { realmId, from: done + 1, to: done + part, of: count })
      this.#made += part
    }
    await addCounts(this.#admin, plan.template, realmId, count)
  }

  async #copyPart(plan: Plan, index: string, part: { realmId: number; from: number; to: number; of: number }) {
    const { realmId, from, to, of } = part
    const ids = [...plan.texts.values(), ...plan.numbers.values()].map((value, i) => `, ${value} as i${i}`).join('')
    const found = new Set(plan.reseal.finds)
    const bases: string[] = []
    for (const { name, columns } of plan.tables.filter(({ columns }) => columns.some((one) => one.name === 'seq'))) {
      if (columns.length > 0)
        bases.push(`, (select greatest(max(seq), 0) from ${name} where realm_id = ${realmId}) as "seq_${name}"`)
    }
    await this.#admin.query(`
      drop table if exists pg_temp.part;
      create temp table part as select c.*${bases.join('')} from (
        select n, n - ${from} as back, ${this.#made - from} + n as g, ago${ids}
        from (select n, ${this.#made - from} + n as g, (${of} - n) * interval '${YEARS} years' / ${of} as ago
          from generate_series(${from}::bigint, ${to}) n) numbered) c;
      analyze pg_temp.part`)
    await this.#seal(plan, realmId)
    for (const { name, rows, columns } of plan.tables) {
      if (found.has(name)) continue
      const made = plan.reseal.madeOf(name)
      const given = columns.filter(({ isFilled }) => !isFilled)
      const expressions = given.map((column) => {
        const copied = copyOf(column, plan, rows, realmId)
        const at = made.findIndex(({ columns }) => columns.includes(column.name))
        return at < 0 ? copied : `case when m${at}.n is null then ${copied} else m${at}."${column.name}" end`
      })
      const joins = made.map(
        (one, at) => `left join pg_temp."${one.name}" m${at} on m${at}.n = c.n and m${at}.rank = t.bench_rank`,
      )
      await this.#admin.query(
        `insert into ${name} (${given.map((column) => `"${column.name}"`).join(', ')})
         select ${expressions.join(', ')} from pg_temp.part c cross join bench."t${index}_${name}" t ${joins.join(' ')}
         order by c.n, t.bench_rank`,
      )
    }
  }

  /** Seals what the copies of a part hold, with the keys of their realm. */
  async #seal({ texts, numbers, reseal }: Plan, realmId: number): Promise<void> {
    const keys = await this.#vault.of(realmId)
    const ids = [...texts.keys(), ...numbers.keys()]
    const list = ids.map((_, i) => `i${i}::text`).join(', ')
    const { rows } = await this.#admin.query<{ n: number; to: string[] }>(
      `select n::int as n, array[${list}] as to from pg_temp.part order by n`,
    )
    // A template has few texts, and each copy has them all.
    const found = new Map<string, number[]>()
    const insideOf = (text: string): number[] => {
      const known = found.get(text) ?? [...ids.keys()].filter((i) => text.includes(ids[i] ?? ''))
      found.set(text, known)
      return known
    }
    await reseal.begin(this.#admin)
    for (let at = 0; at < rows.length; at += SEALED_AT_ONCE) {
      const copies = rows.slice(at, at + SEALED_AT_ONCE).map(({ n, to }) => ({
        n,
        replace: (text: string) => insideOf(text).reduce((now, i) => now.replaceAll(ids[i] ?? '', to[i] ?? ''), text),
      }))
      await reseal.write(this.#admin, keys, copies)
    }
    for (const made of reseal.made) await this.#admin.query(`analyze pg_temp."${made}"`)
  }
}

/** The value of a column in a copy: the template's, with identifiers, marks, numbers and times of its own. */
function copyOf({ table, name, type, isUnique }: Column, plan: Plan, rows: number, realmId: number): string {
  const column = `t."${name}"`
  if (name === 'realm_id') return String(realmId)
  // A sandbox's kit has false.
  if (name === 'live') return 'true'
  if (name === 'seq') return `c."seq_${table}" + c.back * ${rows} + t.bench_rank`
  if (type === 'timestamp with time zone') return `${column} - c.ago`
  if (name === 'number' && type === 'integer') return `${column} + 1 + c.g::integer`
  if (FOREIGN.has(`${table}.${name}`)) return `${column} || '-' || c.g`
  const texts = [...plan.texts.keys()]
  if (type === 'bigint') {
    const cases = [...plan.numbers.keys()].map((id, index) => `when ${id} then c.i${texts.length + index}`)
    return cases.length > 0 ? `case ${column} ${cases.join(' ')} else ${column} end` : column
  }
  if (type === 'bytea' && isUnique) return `sha256(${column} || int8send(c.g))`
  const inside = plan.inside.get(`${table}.${name}`)
  if (!inside) return column
  const within = texts.flatMap((id, index) => (inside.includes(id) ? [{ id, index }] : []))
  if (plan.exact.has(`${table}.${name}`) && within.length > 0)
    return `case ${column} ${within.map(({ id, index }) => `when '${id}' then c.i${index}`).join(' ')} end`
  const replaced = texts.reduce(
    (text, id, index) => (inside.includes(id) ? `replace(${text}, '${id}', c.i${index})` : text),
    `${column}::text`,
  )
  return `${replaced}::${type}`
}

/** All columns of tables with a realm. */
async function readColumns(admin: Client): Promise<Column[]> {
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

/** Sets the rows of a template aside, and finds the identifiers in them. */
async function planOf(
  admin: Client,
  vault: Vault,
  template: Template,
  columns: readonly Column[],
  index: string,
): Promise<Plan> {
  const asideOf = (table: string) => `bench."t${index}_${table}"`
  const plan: Omit<Plan, 'reseal'> = {
    ...{ template, texts: new Map(), numbers: new Map(), inside: new Map(), exact: new Set(), tables: [] },
  }
  const found = { texts: new Set<string>(), numbers: new Set<string>() }
  const values = new Map<string, (string | null)[]>()
  for (const [name, ofTable] of Map.groupBy(columns, ({ table }) => table)) {
    const aside = asideOf(name)
    const order = ofTable.some((column) => column.name === 'seq') ? 'seq' : 'ctid'
    await admin.query(`create table ${aside} as select row_number() over (order by ${order}) as bench_rank, t.* from ${name} t
      where realm_id = ${template.realmId} and xmin::text::bigint >= ${template.since}::bigint % 4294967296`)
    const rows = Number((await admin.query(`select count(*) from ${aside}`)).rows[0].count)
    if (rows === 0) continue
    plan.tables.push({ name, rows, columns: ofTable })
    for (const { name: column } of ofTable.filter(({ type }) => /^(text|jsonb|json|text\[\])$/.test(type))) {
      const { rows } = await admin.query(
        `select string_agg(distinct "${column}"::text, ' ') as all, array_agg(distinct "${column}"::text) as each from ${aside}`,
      )
      if (rows[0].all) plan.inside.set(`${name}.${column}`, rows[0].all)
      values.set(`${name}.${column}`, rows[0].each)
    }
    for (const column of ofTable.filter(({ isId, isFilled }) => isId && !isFilled)) {
      const ids = await admin.query(
        `select distinct "${column.name}"::text as id from ${aside} where "${column.name}" is not null`,
      )
      const into = column.type === 'bigint' ? found.numbers : column.type === 'text' ? found.texts : undefined
      for (const { id } of ids.rows) into?.add(id)
    }
  }
  // Longer ones first: an identifier may contain a mark.
  const texts = [...found.texts].filter(({ length }) => length >= SHORTEST).sort((a, b) => b.length - a.length)
  const most = Math.max(4, ...[...Map.groupBy(texts, ([first]) => first).values()].map(({ length }) => length))
  for (const id of texts) {
    // Alike are those of one kind: three events, two kits.
    const alike = [...plan.texts.keys()].filter((other) => other[0] === id[0]).length
    plan.texts.set(id, newId(id, alike, most))
  }
  for (const [column, each] of values)
    if (each.every((value) => value === null || plan.texts.has(value))) plan.exact.add(column)
  for (const mark of template.marks ?? []) plan.texts.set(mark, `left(md5('${mark}' || g), 16)`)
  plan.texts.set(MARKS.name, `'Name' || (g * 7919 % 50000)`)
  plan.texts.set(MARKS.name.toLowerCase(), `'name' || (g * 7919 % 50000)`)
  plan.texts.set(MARKS.mail, `'person' || g`)
  for (const [position, id] of [...found.numbers].entries())
    plan.numbers.set(id, `100000000000000 + g * ${Math.max(16, found.numbers.size)} + ${position}`)
  const keys = await vault.of(template.realmId)
  const names = plan.tables.map(({ name }) => name)
  return { ...plan, reseal: await Reseal.read(admin, keys, names, asideOf) }
}

/** An identifier of the same form. Multiplying by 2^35 + 53 modulo 2^46 spreads up to 2^27 of them, and repeats none. `most`: of a copy. */
function newId(id: string, position: number, most: number): string {
  if (/^[A-Z][0-9A-Z]{9}$/.test(id))
    return `'${id[0]}' || bench.base36((g * ${most} + ${position}) * 34359738421 % 70368744177664)`
  const prefix = /^([a-z]+_|[\d-]{10}\/)/.exec(id)?.[0] ?? ''
  const isDated = Math.abs(Number.parseInt(id.slice(prefix.length, prefix.length + 9), 36) - Date.now()) < 86_400_000
  if (isDated) {
    const date = `lower(bench.base36((extract(epoch from now() - ago) * 1000)::bigint))`
    return `'${prefix}' || ${date} || left(md5('${position}/' || g), ${id.length - prefix.length - 9})`
  }
  return `'${prefix}' || left(md5('${position}/' || g) || md5(g || '/${position}'), ${id.length - prefix.length})`
}

/** Adds what copies add to the counters and tallies of a realm. */
async function addCounts(
  admin: Client,
  { realmId: from, counters }: Template,
  realmId: number,
  count: number,
): Promise<void> {
  const { rows } = await admin.query(`select a.attname as name from pg_attribute a
    where a.attrelid = 'realm_counters'::regclass and a.attnum > 0 and not a.attisdropped and a.atttypid = 'bigint'::regtype`)
  const sums = rows.map(({ name }) => `"${name}" = r."${name}" + ${count} * (t."${name}" - ${counters[name] ?? 0})`)
  await admin.query(`
    update realm_counters r set ${sums.join(', ')}, ordered_at = now()
    from realm_counters t
    where r.realm_id = ${realmId} and t.realm_id = ${from};
    insert into tallies (realm_id, name, key, amount)
    select ${realmId}, name, key, sum(amount) * ${count} from tallies where realm_id = ${from} group by 2, 3;
    insert into order_finds_done (realm_id, seq) select realm_id, orders from realm_counters where realm_id = ${realmId}
    on conflict (realm_id) do update set seq = excluded.seq`)
}
