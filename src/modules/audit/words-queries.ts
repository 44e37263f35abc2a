import { sql } from 'kysely'
import type { Queries } from '../../platform/database/tx.ts'
import { keyringIn, keyringsOf, sealedColumns } from '../../platform/sealing/sealed-columns.ts'

/** What somebody typed, by what it says: `{ reason: '…' }`. */
export type Words = Record<string, string>

export const sealedWords = sealedColumns<Words>({ table: 'audit_words', key: { id: 'text' }, clear: {} })

/** Writes the words of entries, sealed, each under the ID that its entry holds as `details.words`. */
export async function insertWords(
  tx: Queries,
  typedWords: readonly { realmId: number; id: string; words: Words }[],
): Promise<void> {
  if (typedWords.length === 0) return
  const keys = await keyringsOf(tx, typedWords)
  const rows = typedWords.map(({ realmId, id, words }) => ({
    realm_id: realmId,
    id,
    sealed: sealedWords.seal(keyringIn(keys, realmId), [id], words),
  }))
  await tx.run(sql`
    insert into audit_words (realm_id, id, sealed)
    select realm_id, id, sealed from json_to_recordset(${JSON.stringify(rows)}::json)
      as w(realm_id int, id text, sealed bytea)`)
}

/** An entry, or what is read of several. */
interface Referring {
  realmId: number | null
  details: Record<string, unknown> | null
}

/** Puts the words that entries refer to in the place of the reference. */
export async function withWords<Row extends Referring>(tx: Queries, rows: readonly Row[]): Promise<Row[]> {
  const named = rows.flatMap(({ realmId, details }) =>
    realmId !== null && typeof details?.words === 'string' ? [{ realm_id: realmId, id: details.words }] : [],
  )
  if (named.length === 0) return [...rows]
  const found = await tx.rows(sql<{ realmId: number; id: string; sealed: string }>`
    select w.realm_id as "realmId", w.id, w.sealed::text as sealed
    from audit_words w join json_to_recordset(${JSON.stringify(named)}::json) as n(realm_id int, id text)
      on w.realm_id = n.realm_id and w.id = n.id`)
  const keys = await keyringsOf(tx, found)
  const words = new Map(
    found.map(({ realmId, id, sealed }) => [id, sealedWords.open(keyringIn(keys, realmId), [id], sealed)]),
  )
  return rows.map((row) => {
    const { words: id, ...details } = row.details ?? {}
    const typed = typeof id === 'string' && words.get(id)
    return typed ? { ...row, details: { ...details, ...typed } } : row
  })
}
