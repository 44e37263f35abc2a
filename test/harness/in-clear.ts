import { type RawBuilder, sql } from 'kysely'
import { progressOf, sealedTablesIn, sealOldRows } from '../../src/modules/keys/service.ts'
import type { Database, SystemTx } from '../../src/platform/database/tx.ts'
import { type AnySealed, countSealed } from '../../src/platform/sealing/seal-rows.ts'
import { emptiedOf, keyringIn, keyringsOf } from '../../src/platform/sealing/sealed-columns.ts'

const actor = { name: 'test' }

/** Keeps the job of a running service from sealing rows, until `sealAll`. */
export const holdSealing = (database: Database): Promise<void> =>
  database.asSystem(actor, async (tx) => {
    for (const name of sealedTablesIn(database).map(progressOf)) {
      await tx.run(sql`
        insert into sealing_progress (name, started_at, finished_at) values (${name}, ${tx.now}, ${tx.now})
        on conflict (name) do update set finished_at = excluded.finished_at`)
    }
  })

/** Seals all rows, as the job does. Returns how many are left of each table. */
export async function sealAll(database: Database): Promise<Record<string, number>> {
  await database.asSystem(actor, (tx) => tx.run(sql`delete from sealing_progress`))
  await sealOldRows(database, actor, new AbortController().signal)
  return database.asSystem(actor, async (tx) => {
    const left: Record<string, number> = {}
    for (const table of sealedTablesIn(database)) left[progressOf(table)] = (await countSealed(tx, table)).old
    return left
  })
}

interface Row {
  realmId: number | null
  key: string[]
  value: string
}

/** The column of a part, also where the SQL that reads it says more. */
const columnOf = (clear: string) => /\$\.(\w+)/.exec(clear)?.[1] ?? clear

interface OpenRow {
  realmId: number | null
  key: string[]
  // biome-ignore lint/suspicious/noExplicitAny: each table seals values of its own shape
  value: any
}

/** Writes the sealed rows of a table as versions before sealing did. Returns what they hold. */
export const writeInClear = (database: Database, table: AnySealed): Promise<OpenRow[]> =>
  database.asSystem(actor, async (tx) => {
    const { table: name, column = 'sealed', key, realm = 'realm_id', clear } = table.declaration
    const keys = Object.keys(key)
    const rows = await tx.rows(sql<Row>`
      select ${realm ? sql.ref(`t.${realm}`) : sql`null`} as "realmId",
        array[${sql.join(keys.map((one) => sql`${sql.ref(`t.${one}`)}::text`))}] as key, ${table.of('t')} as value
      from ${sql.raw(name)} t where ${sql.ref(`t.${column}`)} is not null`)
    const keyrings = await keyringsOf(tx, rows)
    const emptied = new Set(emptiedOf(table.declaration))
    const opened: OpenRow[] = []
    for (const row of rows) {
      const value = table.open(keyringIn(keyrings, row.realmId), row.key, row.value)
      opened.push({ ...row, value })
      const parts = Object.entries<string>(clear).flatMap(([part, text]) =>
        emptied.has(columnOf(text)) ? [[columnOf(text), inJson(value[part])] as const] : [],
      )
      const isRow = sql.join(
        [
          ...(realm ? [sql`${sql.ref(`t.${realm}`)} is not distinct from ${row.realmId}`] : []),
          ...keys.map((one, i) => sql`${sql.ref(`t.${one}`)}::text = ${row.key[i]}`),
        ],
        sql` and `,
      )
      await writeRow(tx, table, Object.fromEntries(parts), isRow)
    }
    return opened
  })

const inJson = (part: unknown) => (Buffer.isBuffer(part) ? `\\x${part.toString('hex')}` : part)

function writeRow(
  tx: SystemTx,
  { declaration }: AnySealed,
  parts: Record<string, unknown>,
  isRow: RawBuilder<unknown>,
) {
  const { table, column = 'sealed', hashes = {}, derived = {} } = declaration
  const columns = Object.keys(parts).map((one) => sql.ref(one))
  const nothing = [column, ...Object.keys(hashes), ...Object.keys(derived)].map((one) => sql`${sql.ref(one)} = null`)
  return tx.run(sql`
    update ${sql.raw(table)} t set ${sql.join(nothing)}, (${sql.join(columns)}) = (
      select ${sql.join(columns)} from json_populate_record(null::${sql.raw(table)}, ${JSON.stringify(parts)}::json))
    where ${isRow}`)
}

/** Every value of every table as text, bytes also as text. */
export async function dumpOf(database: Database): Promise<string> {
  const readable = (tx: SystemTx) =>
    tx.rows(sql<{ name: string; bytes: string[] }>`
      select format('%I.%I', c.table_schema, c.table_name) as name,
        array_remove(array_agg(case when c.data_type = 'bytea' then quote_ident(c.column_name) end), null) as bytes
      from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where t.table_type = 'BASE TABLE' and c.table_schema not in ('pg_catalog', 'information_schema')
        and has_table_privilege(format('%I.%I', c.table_schema, c.table_name), 'select') group by 1`)
  return database.asSystem(actor, async (tx) => {
    const texts: string[] = []
    for (const { name, bytes } of await readable(tx)) {
      const all = ['t::text', ...bytes.map((column) => `encode(t.${column}, 'escape')`)].join(', ')
      const rows = await tx.rows(
        sql<{ row: string }>`select concat_ws(' ', ${sql.raw(all)}) as row from ${sql.raw(name)} t`,
      )
      texts.push(...rows.map(({ row }) => `${name} ${row}`))
    }
    return texts.join('\n')
  })
}
