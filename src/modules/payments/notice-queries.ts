import { sql } from 'kysely'
import type { Realm, SystemTx, Tx } from '../../platform/database/tx.ts'
import { realmColumn } from '../businesses/queries.ts'

/** What an e-mail says, as the reader of its kind expects it. Nothing about a person. */
export type NoticeFacts = Record<string, string | number>

/** Returns 1, or 0 where the administrators were told before. */
export function insertNotice(tx: Tx, kind: string, subject: string, facts: NoticeFacts): Promise<number> {
  return tx.run(sql`
    insert into payment_notices (realm_id, kind, subject, facts, created_at)
    values (${tx.realm.id}, ${kind}, ${subject}, ${JSON.stringify(facts)}::jsonb, ${tx.now}) on conflict do nothing`)
}

/** The facts of a notice that is told now; undefined where it was told before. */
export async function updateNoticeTold(
  tx: SystemTx,
  realm: Realm,
  kind: string,
  subject: string,
): Promise<NoticeFacts | undefined> {
  const told = await tx.maybeRow(sql<{ facts: NoticeFacts }>`
    update payment_notices set told_at = ${tx.now}
    where realm_id = ${realm.id} and kind = ${kind} and subject = ${subject} and told_at is null returning facts`)
  return told?.facts
}

export interface ExpiringCard {
  realm: Realm
  id: string
  brand: string
  last4: string
  expMonth: number
  expYear: number
}

/** Cards for orders that are good for at most `days` more days, or no longer, and about which nobody was told. */
export function selectExpiringCards(tx: SystemTx, kind: string, days: number): Promise<ExpiringCard[]> {
  return tx.rows(sql<ExpiringCard>`
    select ${realmColumn}, m.id, m.brand, m.last4, m.exp_month as "expMonth", m.exp_year as "expYear"
    from payment_methods m join realms r on r.id = m.realm_id
    where m.is_default
      and make_timestamptz(m.exp_year, m.exp_month, 1, 0, 0, 0, 'UTC') + interval '1 month'
        <= ${tx.now}::timestamptz + ${days} * interval '1 day'
      and not exists (select from payment_notices n
        where n.realm_id = m.realm_id and n.kind = ${kind} and n.subject = m.id)
    order by m.realm_id`)
}

/** In a sandbox that is emptied. */
export async function deleteNotices(tx: Tx): Promise<void> {
  await tx.run(sql`delete from payment_notices where realm_id = ${tx.realm.id}`)
}
