import type { Client } from 'pg'
import { sealedTablesOf } from '../../src/modules/define-module.ts'
import { modules } from '../../src/modules/index.ts'
import { termsOf } from '../../src/modules/kits/recipient-queries.ts'
import { hashingOnce } from '../../src/platform/sealing/beginnings.ts'
import type { Keyring } from '../../src/platform/sealing/keyring.ts'
import type { AnySealed } from '../../src/platform/sealing/seal-rows.ts'

/** A sealed value of a template's row, open. */
interface Value {
  columns: AnySealed
  rank: number
  key: string[]
  text: string
  isBytes: boolean
}

/** What stands in the place of the template's identifiers and marks, in one copy. */
export type Replace = (text: string) => string

interface Finds {
  table: string
  column: string
  type: string
  // biome-ignore lint/suspicious/noExplicitAny: each table seals values of its own shape
  of(value: any, keys: Keyring): string[]
}

function findsOf({ declaration }: AnySealed): Finds | undefined {
  const { table, column, finds, key } = declaration
  // The index of orders is written by a job, not by the person who writes the order.
  if (table === 'orders' && !column)
    return { table: 'order_finds', column: 'order_id', type: 'text', of: (value, keys) => termsOf(keys, value) }
  return finds && { ...finds, type: Object.values(key)[0] ?? 'text' }
}

/** A table may have several sealed columns, each of which is made by itself. */
const madeName = ({ declaration: { table, column = 'sealed' } }: AnySealed) => `made_${table}_${column}`

const columnsOf = ({ declaration: { column = 'sealed', hashes, derived } }: AnySealed) => [
  column,
  ...Object.keys({ ...hashes, ...derived }),
]

/** Seals for each copy what a template's rows hold sealed: a value opens only in the row that it was sealed for. */
export class Reseal {
  readonly #values: Value[]

  private constructor(values: Value[]) {
    this.#values = values
  }

  /** `asideOf`: where the template's rows of a table are. */
  static async read(
    admin: Client,
    keys: Keyring,
    tables: readonly string[],
    asideOf: (table: string) => string,
  ): Promise<Reseal> {
    const values: Value[] = []
    for (const columns of sealedTablesOf(modules).filter(({ declaration }) => tables.includes(declaration.table))) {
      const { table, column = 'sealed', key } = columns.declaration
      const names = Object.keys(key).map((name) => `"${name}"::text`)
      const { rows } = await admin.query<{ rank: number; key: string[]; sealed: string }>(
        `select bench_rank::int as rank, array[${names.join(', ')}] as key, ${column}::text as sealed
         from ${asideOf(table)} where ${column} is not null`,
      )
      for (const { rank, key, sealed } of rows) {
        const value = columns.open(keys, key, sealed)
        const isBytes = Buffer.isBuffer(value.bytes)
        values.push({ columns, rank, key, isBytes, text: isBytes ? value.bytes.toString() : JSON.stringify(value) })
      }
    }
    return new Reseal(values)
  }

  /** The temporary tables with what is made of a table for each copy, and their columns. */
  madeOf(table: string): { name: string; columns: string[] }[] {
    return this.#columnsOf(table).map((columns) => ({ name: madeName(columns), columns: columnsOf(columns) }))
  }

  /** The tables whose rows are made of values: they are not copied. */
  get finds(): string[] {
    return this.#tables.flatMap(({ columns }) => findsOf(columns)?.table ?? [])
  }

  /** Writes the temporary tables (n, rank, columns) of these copies, and what they are found by. */
  async write(admin: Client, keys: Keyring, copies: readonly { n: number; replace: Replace }[]): Promise<void> {
    const hashing = { ...keys, ...hashingOnce(keys) }
    for (const { columns, values } of this.#tables) {
      const finds = findsOf(columns)
      const found: { term: string; id: string }[] = []
      const made = copies.flatMap(({ n, replace }) =>
        values.map(({ rank, key, text, isBytes }) => {
          const place = key.map(replace)
          const replaced = replace(text)
          const value = isBytes ? { bytes: Buffer.from(replaced) } : JSON.parse(replaced)
          for (const term of finds?.of(value, hashing) ?? []) found.push({ term, id: place[0] ?? '' })
          const { column = 'sealed' } = columns.declaration
          return {
            n,
            rank,
            [column]: columns.seal(keys, place, value),
            ...columns.hashes(keys, value),
            ...columns.derived(keys, place, value),
          }
        }),
      )
      const { column = 'sealed', hashes = {}, derived = {} } = columns.declaration
      const shape = [
        `${column} bytea`,
        ...Object.entries({ ...hashes, ...derived }).map(([name, { type }]) => `${name} ${type}`),
      ]
      await admin.query(
        `insert into pg_temp."${madeName(columns)}" (n, rank, ${shape.map((one) => one.split(' ')[0]).join(', ')})
         select * from json_to_recordset($1::json) as m(n bigint, rank int, ${shape.join(', ')})`,
        [JSON.stringify(made)],
      )
      if (finds && found.length > 0) {
        await admin.query(
          `insert into ${finds.table} (realm_id, term, ${finds.column})
           select ${keys.realmId}, term, id from json_to_recordset($1::json) as f(term bigint, id ${finds.type})`,
          [JSON.stringify(found)],
        )
      }
    }
  }

  /** Empties the temporary tables, or makes them. */
  async begin(admin: Client): Promise<void> {
    for (const { columns } of this.#tables) {
      const name = madeName(columns)
      await admin.query(`drop table if exists pg_temp."${name}"`)
      await admin.query(
        `create temp table "${name}" as select 0::bigint as n, 0 as rank, ${columnsOf(columns).join(', ')}
         from ${columns.declaration.table} where false`,
      )
    }
  }

  /** The temporary tables. */
  get made(): string[] {
    return this.#tables.map(({ columns }) => madeName(columns))
  }

  get #tables(): { columns: AnySealed; values: Value[] }[] {
    return [...Map.groupBy(this.#values, ({ columns }) => columns)].map(([columns, values]) => ({ columns, values }))
  }

  #columnsOf(table: string): AnySealed[] {
    return this.#tables.map(({ columns }) => columns).filter(({ declaration }) => declaration.table === table)
  }
}
