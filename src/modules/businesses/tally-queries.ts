import { sql } from 'kysely'
import type { SystemTx, Tx } from '../../platform/database/tx.ts'

/** A count of a realm. Triggers add a line for each change; the count is the sum of its lines. */
export interface Tally {
  name: 'order' | 'order.day' | 'kit' | 'report' | 'report.day'
  key: string
  amount: number
}

/** Every tally of the realm; of days only those from `since` (`YYYY-MM-DD`) on. */
export function selectTallies(tx: Tx, since: string): Promise<Tally[]> {
  return tx.rows(sql<Tally>`
    select name, key, sum(amount)::bigint as amount from tallies
    where realm_id = ${tx.realm.id} and (name in ('order', 'kit', 'report') or (name in ('order.day', 'report.day') and key >= ${since}))
    group by name, key`)
}

/** How many reports the realm has, of one status or of all. */
export async function sumReportTallies(tx: Tx, status?: string): Promise<number> {
  const ofStatus = status ? sql`and key = ${status}` : sql``
  const { total } = await tx.row(sql<{ total: number }>`
    select coalesce(sum(amount), 0)::bigint as total from tallies
    where realm_id = ${tx.realm.id} and name = 'report' ${ofStatus}`)
  return total
}

/** Folds the lines of each tally into one. */
export async function foldTallies(tx: SystemTx): Promise<void> {
  await tx.run(sql`
    with several as (select realm_id, name, key from tallies group by 1, 2, 3 having count(*) > 1),
    gone as (
      delete from tallies t using several s where t.realm_id = s.realm_id and t.name = s.name and t.key = s.key
      returning t.realm_id, t.name, t.key, t.amount)
    insert into tallies (realm_id, name, key, amount)
    select realm_id, name, key, sum(amount) from gone group by 1, 2, 3 having sum(amount) <> 0`)
}
