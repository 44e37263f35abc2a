import { sql } from 'kysely'
import { sealedTablesIn } from '../../src/modules/keys/service.ts'
import type { Database } from '../../src/platform/database/tx.ts'
import { keyringIn, keyringsOf } from '../../src/platform/sealing/sealed-columns.ts'

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
