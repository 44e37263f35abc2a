import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'

/**
 * Moves back the ends of this sandbox's personal links, shared reports and visits, and when they were made, by `ms`
 * milliseconds. Returns how many links ended. Wrong dates of birth stay: that limit stands against guessing.
 */
export async function advanceClock(tx: Tx, ms: number): Promise<{ personalLinks: number; sharedReports: number }> {
  const realm = tx.realm.id
  const back = sql`${ms} * interval '1 millisecond'`
  const ended = await tx.row(sql<{ personalLinks: number; sharedReports: number }>`
    select (count(*) filter (where x.id is null))::int as "personalLinks", count(x.id)::int as "sharedReports"
    from personal_links l left join report_shares x on x.realm_id = l.realm_id and x.link_hash = l.hash
    where l.realm_id = ${realm} and least(l.expires_at, x.expires_at) > ${tx.now}
      and least(l.expires_at, x.expires_at) - ${back} <= ${tx.now}`)
  await tx.run(sql`
    update personal_links p set created_at = p.created_at - ${back}, expires_at = p.expires_at - ${back}
    from (select hash from personal_links where realm_id = ${realm} order by hash for no key update) l
    where p.realm_id = ${realm} and p.hash = l.hash`)
  await tx.run(sql`
    update report_shares set created_at = created_at - ${back}, expires_at = expires_at - ${back},
      opened_at = opened_at - ${back}
    where realm_id = ${realm}`)
  await tx.run(sql`update personal_sessions set expires_at = expires_at - ${back} where realm_id = ${realm}`)
  return ended
}
