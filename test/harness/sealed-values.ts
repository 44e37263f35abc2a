import { sql } from 'kysely'
import { sealedTablesIn } from '../../src/modules/keys/service.ts'
import type { Database } from '../../src/platform/database/tx.ts'
import { keyringIn, keyringsOf, type Sealed, type SealedColumns } from '../../src/platform/sealing/sealed-columns.ts'

// A file or a text that is sealed as it is. JSON.stringify has made an object of its bytes already.
const asText = (_: string, part: unknown) => {
  const { type, data } = (part ?? {}) as { type?: string; data?: number[] }
  return type === 'Buffer' && Array.isArray(data) ? Buffer.from(data).toString() : part
}

/** Every sealed value of a database, opened with its keys: `table.column`, and the value as JSON. */
export const sealedValues = (database: Database): Promise<{ name: string; text: string }[]> =>
  database.asSystem({ name: 'test' }, async (tx) => {
    const values: { name: string; text: string }[] = []
    for (const table of sealedTablesIn(database)) {
      const { table: name, column = 'sealed', key, realm = 'realm_id' } = table.declaration
      const columns = sql.join(Object.keys(key).map((column) => sql`${sql.ref(`t.${column}`)}::text`))
      const rows = await tx.rows(sql<{ realmId: number; key: string[]; value: string | object }>`
        select coalesce(${realm ? sql.ref(`t.${realm}`) : sql`null`}, 0) as "realmId", array[${columns}] as key, ${table.of('t')} as value
        from ${sql.raw(name)} t where ${sql.ref(`t.${column}`)} is not null`)
      const keyrings = await keyringsOf(tx, rows)
      for (const row of rows) {
        const value = table.open(keyringIn(keyrings, row.realmId), row.key, row.value)
        values.push({ name: `public.${name}.${column}`, text: JSON.stringify(value, asText) })
      }
    }
    return values
  })

/** Writes the sealed value of a row as another release would have. `id`: the first part of its key. */
export const rewriteSealed = <V extends object>(
  database: Database,
  { declaration, seal, open, of }: SealedColumns<V>,
  id: string,
  change: (value: V) => V,
): Promise<void> =>
  database.asSystem({ name: 'test' }, async (tx) => {
    const { table, column = 'sealed', key } = declaration
    const [first = '', ...others] = Object.keys(key)
    const columns = sql.join([first, ...others].map((one) => sql.ref(`t.${one}`)))
    const rows = await tx.rows(sql<{ realmId: number; key: (string | number)[]; value: Sealed<V> }>`
      select t.realm_id as "realmId", json_build_array(${columns}) as key, ${of('t')} as value
      from ${sql.raw(table)} t where ${sql.ref(`t.${first}`)} = ${id}`)
    if (rows.length === 0) throw new Error(`no row of ${table} is ${id}`)
    const keyrings = await keyringsOf(tx, rows)
    for (const row of rows) {
      const keys = keyringIn(keyrings, row.realmId)
      const sealed = seal(keys, row.key, change(open(keys, row.key, row.value)))
      const isRow = [first, ...others].map((one, i) => sql`${sql.ref(one)} = ${row.key[i]}`)
      await tx.run(sql`
        update ${sql.raw(table)} set ${sql.ref(column)} = ${sealed}::bytea
        where realm_id = ${row.realmId} and ${sql.join(isRow, sql` and `)}`)
    }
  })
