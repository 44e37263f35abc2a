import { sql } from 'kysely'
import type { FileStore } from '../../src/domain/file-store.ts'
import { fileTablesOf } from '../../src/modules/define-module.ts'
import { modules } from '../../src/modules/index.ts'
import type { Database } from '../../src/platform/database/tx.ts'
import { type FileRef, fileOf } from '../../src/platform/files/queries.ts'
import { realmFiles } from '../../src/platform/files/sealed-files.ts'

/** Puts files into their rows, as the version before kept them: sealed, or in clear as even older ones. Returns how many. */
export async function filesIntoRows(database: Database, store: FileStore, how: 'sealed' | 'clear' = 'sealed') {
  let count = 0
  for (const table of fileTablesOf(modules)) {
    const { table: name, key, column = 'sealed', clear } = table.declaration
    const columns = sql`array[${sql.join(Object.keys(key).map((one) => sql`${sql.ref(`t.${one}`)}::text`))}]`
    const rows = await database.asSystem({ name: 'test' }, (tx) =>
      tx.rows(sql<{ realmId: number; key: string[]; file: FileRef }>`
        select t.realm_id as "realmId", ${columns} as key, ${fileOf('t')} as file from ${sql.raw(name)} t where t.file is not null`),
    )
    for (const row of rows) {
      const { vault } = database
      const files = realmFiles(store, { vault, realmId: row.realmId, now: () => database.now() })
      const bytes = await files.contentOf(table, row.key, row.file)
      const sealed = table.sealBytes(await vault.of(row.realmId), row.key, bytes)
      await database.asSystem({ name: 'test' }, (tx) =>
        tx.run(sql`
          update ${sql.raw(name)} t set file = null, ${sql.ref(column)} = ${how === 'sealed' ? sealed : null},
            ${sql.ref(clear.bytes)} = ${how === 'clear' ? bytes : null}
          where t.realm_id = ${row.realmId} and ${columns} = ${row.key}::text[]`),
      )
      count += 1
    }
  }
  return count
}
