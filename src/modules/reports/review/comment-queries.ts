import { sql } from 'kysely'
import { newOpaqueId } from '../../../domain/ids.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import { keyringOf, NEVER, type Sealed, sealedColumns } from '../../../platform/sealing/sealed-columns.ts'
import { whoSql } from './hold-queries.ts'

/** What is sealed of a comment. */
export interface SealedComment {
  text: string
}

export const sealedComments = sealedColumns<SealedComment>({
  table: 'report_comments',
  key: { id: 'text' },
  clear: { text: NEVER },
  emptied: [],
})

export interface CommentRow extends SealedComment {
  id: string
  by: string
  at: Date
}

export async function insertComment(tx: Tx, reportId: string, text: string): Promise<string> {
  const id = newOpaqueId('cmt')
  const sealed = sealedComments.seal(await keyringOf(tx), [id], { text })
  await tx.run(sql`
    insert into report_comments (realm_id, id, report_id, at, by, sealed)
    values (${tx.realm.id}, ${id}, ${reportId}, ${tx.now}, ${tx.actor.name}, ${sealed}::bytea)`)
  return id
}

/** Oldest first. */
export async function selectComments(tx: Tx, reportId: string): Promise<CommentRow[]> {
  const rows = await tx.rows(sql<Omit<CommentRow, 'text'> & { sealed: Sealed<SealedComment> }>`
    select c.id, c.at, ${whoSql(sql`c.by`)} as by, ${sealedComments.of('c')} as sealed
    from report_comments c where c.realm_id = ${tx.realm.id} and c.report_id = ${reportId} order by c.at, c.id`)
  const keys = await keyringOf(tx)
  return rows.map(({ sealed, ...row }) => ({ ...row, ...sealedComments.open(keys, [row.id], sealed) }))
}
