import { sql } from 'kysely'
import type { SystemTx } from '../../platform/database/tx.ts'
import { isAccountEmailTo } from '../emails/sealed-queries.ts'
import type { Side } from './member-queries.ts'
import type { LinkKind } from './rules.ts'

export interface LinkRow {
  kind: LinkKind
  userId: string
  side: Side
  businessName: string | null
  /** Nobody but the address saw it. */
  mailedOnly: boolean
}

/** Keeps a link in place of those of the same kind that were made before. */
export async function putLink(
  tx: SystemTx,
  link: {
    hash: Buffer
    kind: LinkKind
    userId: string
    side: Side
    mailedOnly: boolean
    expiresAt: Date
  },
): Promise<void> {
  const { hash, kind, userId, side, mailedOnly, expiresAt } = link
  await tx.run(sql`
    delete from account_links where user_id = ${userId} and kind = ${kind} and business_id is not distinct from ${side}::text`)
  await tx.run(sql`
    insert into account_links (hash, kind, user_id, business_id, mailed_only, created_at, expires_at)
    values (${hash}, ${kind}, ${userId}, ${side}, ${mailedOnly}, ${tx.now}, ${expiresAt})`)
}

const link = sql`
  l.kind, l.user_id as "userId", l.business_id as side, l.mailed_only as "mailedOnly", (select b.name from businesses b where b.id = l.business_id) as "businessName"`

export const selectLink = (tx: SystemTx, hash: Buffer): Promise<LinkRow | undefined> =>
  tx.maybeRow(sql<LinkRow>`select ${link} from account_links l where l.hash = ${hash} and l.expires_at > ${tx.now}`)

/** Deletes a link and returns it: only one of two concurrent callers gets the row. */
export const takeLink = (tx: SystemTx, hash: Buffer): Promise<LinkRow | undefined> =>
  tx.maybeRow(
    sql<LinkRow>`delete from account_links l where l.hash = ${hash} and l.expires_at > ${tx.now} returning ${link}`,
  )

export async function deleteLinksOf(tx: SystemTx, userId: string): Promise<void> {
  await tx.run(sql`delete from account_links where user_id = ${userId}`)
}

/** How many e-mails of a kind about accounts went to an address since then. */
export async function countAccountEmails(tx: SystemTx, email: string, kind: string, since: Date): Promise<number> {
  const { count } = await tx.row(sql<{ count: number }>`
    select count(*)::int as count from emails
    where ${await isAccountEmailTo(tx, email)} and kind = ${kind} and created_at > ${since}`)
  return count
}
