import { hash } from 'node:crypto'
import type { Client } from 'pg'
import { copyIn } from '../../src/platform/backup/copy.ts'
import type { Vault } from '../../src/platform/sealing/vault.ts'
import { type Column, type Plan, planOf, readColumns } from './plan.ts'
import { type Copy, type Fill, filling, Reseal, textOf } from './reseal.ts'
import type { Template } from './templates.ts'

// Identifiers that a shop issued.
const FOREIGN = new Set(['shop_orders.external_id', 'shop_deliveries.id'])
const ROWS_AT_ONCE = 20_000
const TWO_YEARS_MS = 730 * 86_400_000

interface Options {
  /** Tables that do not grow with the orders: what copies name of them is the template's. */
  preserved?: readonly string[]
  /** Times that are the template's in all copies: `table.column`. */
  fixed?: readonly string[]
}

/** Copies the rows of templates by COPY. Which columns there are, and which are identifiers, is read from the database. */
export class Multiplier {
  readonly #admin: Client
  readonly #vault: Vault
  readonly #plans: Plan[] = []
  /** How many copies were made, over all realms: their identifiers derive from it. */
  #made = 0

  private constructor(admin: Client, vault: Vault) {
    this.#admin = admin
    this.#vault = vault
  }

  static async open(
    admin: Client,
    vault: Vault,
    templates: readonly Template[],
    { preserved = [], fixed = [] }: Options = {},
  ): Promise<Multiplier> {
    const multiplier = new Multiplier(admin, vault)
    await admin.query(
      `set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '1GB'`,
    )
    const columns = (await readColumns(admin)).filter(({ table }) => !preserved.includes(table))
    for (const template of templates) multiplier.#plans.push(await planOf(admin, template, columns))
    for (const column of columns) column.isFixed = fixed.includes(`${column.table}.${column.name}`)
    return multiplier
  }

  /** The tables that have rows of an order. */
  get tables(): string[] {
    return [...new Set(this.#plans.flatMap(({ tables }) => tables.map(({ name }) => name)))]
  }

  /** Makes copies without the indexes that no constraint needs, which are smaller, and made sooner, at the end. */
  async withoutIndexes(work: () => Promise<void>): Promise<void> {
    const { rows } = await this.#admin.query<{ name: string; definition: string }>(
      `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
       join pg_class c on c.oid = i.indrelid where c.relname = any($1) and c.relnamespace = 'public'::regnamespace
         and not i.indisunique and not exists (select from pg_constraint k where k.conindid = i.indexrelid)`,
      [this.tables],
    )
    for (const { name } of rows) await this.#admin.query(`drop index ${name}`)
    await work()
    for (const { definition } of rows) await this.#admin.query(definition)
  }

  /**
   * Adds copies of a template to a realm, after those that it has, dated over the last two years: those from `after` on
   * of `of` which are spread over them.
   */
  async copy(
    kind: string,
    realmId: number,
    count: number,
    { after = 0, of = count }: { after?: number; of?: number } = {},
  ): Promise<void> {
    const plan = this.#plans.find(({ template }) => template.kind === kind)
    if (!plan) throw new Error(`there is no template ${kind}`)
    const templateKeys = await this.#vault.of(plan.template.realmId)
    const keys = await this.#vault.of(realmId)
    const ids = [...plan.texts.values(), ...plan.numbers.values()]
    const fillingOf = filling([...plan.texts.keys(), ...plan.numbers.keys()])
    const reseal = new Reseal(plan.tables, fillingOf, templateKeys)
    const writers = []
    for (const table of plan.tables.filter(({ name }) => !reseal.finds.has(name)))
      writers.push({
        ...table,
        write: linesOf(table, plan, { reseal, fillingOf, realmId, base: await this.#lastOf(table, realmId) }),
      })
    const atOnce = Math.max(1, Math.floor(ROWS_AT_ONCE / plan.rows))
    for (let from = 0; from < count; from += atOnce) {
      const copies: Copy[] = Array.from({ length: Math.min(atOnce, count - from) }, (_, at) => {
        const copy = {
          nth: from + at,
          g: this.#made + at,
          agoMs: ((of - after - from - at - 1) * TWO_YEARS_MS) / of,
          ids: [],
        }
        return { ...copy, ids: ids.map((fill) => fill(copy)) }
      })
      this.#made += copies.length
      reseal.begin(keys)
      for (const { name, columns, write } of writers)
        await this.#copyIn(
          name,
          columns.filter(({ isFilled }) => !isFilled).map((one) => one.name),
          copies.flatMap(write),
        )
      for (const { table, column, lines } of reseal.found())
        await this.#copyIn(table, ['realm_id', 'term', column], lines)
    }
    await addCounts(this.#admin, plan, realmId, count)
  }

  async #copyIn(table: string, columns: readonly string[], lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return
    const copying = copyIn(this.#admin, `copy ${table} (${columns.map((name) => `"${name}"`).join(', ')}) from stdin`)
    await copying.write(Buffer.from(`${lines.join('\n')}\n`))
    await copying.end()
  }

  async #lastOf({ name, columns }: Plan['tables'][number], realmId: number): Promise<number> {
    if (!columns.some((column) => column.name === 'seq' && !column.isFilled)) return 0
    const { rows } = await this.#admin.query(
      `select greatest(max(seq), 0)::float8 as last from ${name} where realm_id = ${realmId}`,
    )
    return rows[0].last
  }
}

/** Writes the rows of one table in a copy, as COPY reads them. */
function linesOf(
  { name: table, rows, columns }: Plan['tables'][number],
  plan: Plan,
  at: Pick<Place, 'fillingOf' | 'realmId' | 'base'> & { reseal: Reseal },
): (copy: Copy) => string[] {
  const written = columns.filter(({ isFilled }) => !isFilled)
  const each = rows.map((row, rank) => {
    const sealed = at.reseal.of(table, rank)
    const fills = written.map((column) =>
      fillOf(column, row[column.name] ?? null, { plan, rows: rows.length, rank, ...at }),
    )
    return (copy: Copy) => {
      const made = sealed(copy)
      return written.map(({ name, type }, i) => (name in made ? textOf(made[name], type) : fills[i]?.(copy))).join('\t')
    }
  })
  return (copy) => each.map((line) => line(copy))
}

interface Place {
  plan: Plan
  fillingOf: (text: string) => Fill
  realmId: number
  base: number
  rows: number
  rank: number
}

/** The value of a column in a copy: the template's, with identifiers, marks, numbers and times of its own. */
function fillOf({ table, name, type, isUnique, isFixed = false }: Column, value: string | null, place: Place): Fill {
  const { plan, fillingOf, realmId, base, rows, rank } = place
  const same = textOf(value, type)
  if (name === 'realm_id') return () => String(realmId)
  // A sandbox's kit has false.
  if (name === 'live') return () => 't'
  if (name === 'seq') return ({ nth }) => String(base + nth * rows + rank + 1)
  if (value === null) return () => same
  if (type === 'timestamp with time zone') {
    const ms = Number(value)
    return Number.isFinite(ms)
      ? ({ agoMs }) => new Date(isFixed ? ms : ms - agoMs).toISOString()
      : () => same.toLowerCase()
  }
  if (name === 'number' && type === 'integer') return ({ g }) => String(Number(value) + 1 + g)
  if (FOREIGN.has(`${table}.${name}`)) return ({ g }) => `${same}-${g}`
  if (type === 'bigint') return plan.numbers.get(value) ?? (() => same)
  if (type === 'bytea') return isUnique ? ({ g }) => `\\\\x${hash('sha256', `${value}${g}`)}` : () => same
  return fillingOf(same)
}

/** Adds what copies add to the counters and tallies of a realm. */
async function addCounts(
  admin: Client,
  { template, counters, tallies }: Plan,
  realmId: number,
  count: number,
): Promise<void> {
  const { rows } = await admin.query(`select a.attname as name from pg_attribute a
    where a.attrelid = 'realm_counters'::regclass and a.attnum > 0 and not a.attisdropped and a.atttypid = 'bigint'::regtype`)
  const sums = rows.map(
    ({ name }) => `"${name}" = "${name}" + ${count * ((counters[name] ?? 0) - (template.counters[name] ?? 0))}`,
  )
  await admin.query(`update realm_counters set ${sums.join(', ')}, ordered_at = now() where realm_id = ${realmId}`)
  await admin.query(
    `insert into tallies (realm_id, name, key, amount)
     select ${realmId}, name, key, amount * ${count} from json_to_recordset($1) as t(name text, key text, amount bigint)`,
    [JSON.stringify(tallies)],
  )
  await admin.query(
    `insert into order_finds_done (realm_id, seq) select realm_id, orders from realm_counters where realm_id = ${realmId}
     on conflict (realm_id) do update set seq = excluded.seq`,
  )
}
