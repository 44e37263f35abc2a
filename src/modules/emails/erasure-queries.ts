import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import { keyringOf, type Sealed } from '../../platform/sealing/sealed-columns.ts'
import { type Content, type Head, isTo, sealedEmailHeads, sealedEmailTexts } from './sealed-queries.ts'

export interface DeletedEmail extends Head, Content {
  id: string
  kind: string
  createdAt: Date
}

/**
 * Deletes e-mails to the person, sent or not: they say what happened and when. Those about kits are deleted regardless of who got
 * them. Returns their content on request.
 */
export async function deleteEmails(
  tx: Tx,
  { to, aboutKits }: { to: readonly string[]; aboutKits: readonly string[] },
  isOpened: boolean,
): Promise<DeletedEmail[]> {
  return deleteThat(
    tx,
    sql`${await isTo(tx, to)} or (realm_id = ${tx.realm.id} and kit_id = any(${aboutKits}))`,
    isOpened,
  )
}

/** E-mails about orders and their kits that were placed so long ago that the orders lose their recipients. */
export async function deleteEmailsOf(tx: Tx, orderIds: readonly string[], kitIds: readonly string[]): Promise<void> {
  await deleteThat(
    tx,
    sql`realm_id = ${tx.realm.id} and (order_id = any(${orderIds}) or kit_id = any(${kitIds}))`,
    false,
  )
}

/** Deletes up to `limit` e-mails of the realm from before a time that wait no more. Returns how many. */
export const deleteEmailsBefore = (tx: Tx, before: Date, limit: number): Promise<number> =>
  tx.run(sql`
    delete from emails where realm_id = ${tx.realm.id} and id in (
      select id from emails where ${isOver(tx, before)} order by created_at limit ${limit})`)

export async function countEmailsBefore(tx: Tx, before: Date): Promise<number> {
  const { n } = await tx.row(sql<{ n: number }>`select count(*)::int as n from emails where ${isOver(tx, before)}`)
  return n
}

const isOver = (tx: Tx, before: Date) =>
  sql`realm_id = ${tx.realm.id} and status <> 'queued' and created_at <= ${before}`

type Unread = Pick<DeletedEmail, 'id' | 'kind' | 'createdAt'> & { head: Sealed<Head>; content: Sealed<Content> }

async function deleteThat(tx: Tx, condition: RawBuilder<unknown>, isOpened: boolean): Promise<DeletedEmail[]> {
  if (!isOpened) {
    await tx.run(sql`delete from emails where ${condition}`)
    return []
  }
  const rows = await tx.rows(sql<Unread>`
    delete from emails where ${condition} returning id, kind, created_at as "createdAt",
      ${sealedEmailHeads.of('emails')} as head, ${sealedEmailTexts.of('emails')} as content`)
  const keys = await keyringOf(tx)
  return rows.map(({ head, content, ...row }) => ({
    ...row,
    ...sealedEmailHeads.open(keys, [row.id], head),
    ...sealedEmailTexts.open(keys, [row.id], content),
  }))
}
