import { sql } from 'kysely'
import type { Queries, SystemTx, Tx } from '../../../platform/database/tx.ts'
import type { Published } from './text-rules.ts'

export interface TextRow extends Published {
  body: string
  wordsHash: Buffer
  publishedAt: Date
}

const columns = sql`id, kit_type as "kitType", language, body, words_hash as "wordsHash", published_at as "publishedAt"`

/** The texts of the business and of the operator, newest first. */
export function selectTexts(tx: Tx): Promise<TextRow[]> {
  return tx.rows(sql<TextRow>`
    select ${columns}, 'business' as source from consent_texts where realm_id = ${tx.realm.id}
    union all
    select ${columns}, 'operator' as source from default_consent_texts
    order by "publishedAt" desc, id desc`)
}

/** A text of the business or of the operator. */
export function selectText(tx: Tx, id: string): Promise<TextRow | undefined> {
  return tx.maybeRow(sql<TextRow>`
    select ${columns}, 'business' as source from consent_texts where realm_id = ${tx.realm.id} and id = ${id}
    union all
    select ${columns}, 'operator' as source from default_consent_texts where id = ${id}`)
}

/** The operator's texts, newest first. */
export function selectDefaultTexts(tx: Queries): Promise<TextRow[]> {
  return tx.rows(sql<TextRow>`
    select ${columns}, 'operator' as source from default_consent_texts order by published_at desc, id desc`)
}

export type NewText = Pick<TextRow, 'id' | 'kitType' | 'language' | 'body' | 'wordsHash'>

export async function insertText(tx: Tx, { id, kitType, language, body, wordsHash }: NewText): Promise<void> {
  await tx.run(sql`
    insert into consent_texts (realm_id, id, kit_type, language, body, words_hash, published_by, published_at)
    values (${tx.realm.id}, ${id}, ${kitType}, ${language}, ${body}, ${wordsHash}, ${tx.actor.name}, ${tx.now})`)
}

export async function insertDefaultText(tx: SystemTx, { id, kitType, language, body, wordsHash }: NewText) {
  await tx.run(sql`
    insert into default_consent_texts (id, kit_type, language, body, words_hash, published_by, published_at)
    values (${id}, ${kitType}, ${language}, ${body}, ${wordsHash}, ${tx.actor.name}, ${tx.now})`)
}
