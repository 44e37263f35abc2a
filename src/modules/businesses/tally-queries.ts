import { type RawBuilder, sql } from 'kysely'
import { isOneOf } from '../../platform/database/one-of.ts'
import type { SystemTx, Tx } from '../../platform/database/tx.ts'

/**
 * A count of a realm. Triggers add a line for each change; the count is the sum of its lines. Orders and kits have lines
 * only once they leave the state in which they are placed: those that did not are all, less the rest.
 */
export interface Tally {
  name: 'order' | 'kit' | 'report' | 'report.day'
  key: string
  amount: number
}

/** Every tally of the realm; of days only those from `since` (`YYYY-MM-DD`) on. */
export function selectTallies(tx: Tx, since: string): Promise<Tally[]> {
  return tx.rows(sql<Tally>`
    with first (name, key, total) as (
      select x.* from realm_counters c cross join lateral (values
        ('order', 'created', c.orders), ('kit', 'preparing/awaitingCollection/notStarted', c.kits)) x
      where c.realm_id = ${tx.realm.id}),
    moved as (
      select name, key, sum(amount)::bigint as amount from tallies
      where realm_id = ${tx.realm.id} and (name in ('order', 'kit', 'report') or (name = 'report.day' and key >= ${since}))
        and (name, key) not in (select name, key from first)
      group by name, key)
    select name, key, amount from moved
    union all
    select f.name, f.key, f.total - coalesce((select sum(m.amount) from moved m where m.name = f.name), 0)::bigint from first f`)
}

/**
 * How many live kits wait to be packed: all of them, less those that moved on. `businessIds`: only of these. Exact, and it
 * reads a line for each status of a business, not the kits.
 */
export const preparing = (businessIds?: readonly string[]): RawBuilder<number> => sql<number>`(
  select coalesce(sum(c.kits - coalesce((
      select sum(t.amount) from tallies t
      where t.realm_id = c.realm_id and t.name = 'kit' and not starts_with(t.key, 'preparing/')), 0)), 0)::bigint
  from realms r join realm_counters c on c.realm_id = r.id
  where r.mode = 'live' and ${isOneOf(sql`r.business_id`, businessIds)})`

/** How many reports the realm has, of some statuses or of all. */
export async function sumReportTallies(tx: Tx, statuses?: readonly string[]): Promise<number> {
  const ofStatus = sql`and ${isOneOf(sql`key`, statuses)}`
  const { total } = await tx.row(sql<{ total: number }>`
    select coalesce(sum(amount), 0)::bigint as total from tallies
    where realm_id = ${tx.realm.id} and name = 'report' ${ofStatus}`)
  return total
}

// The overview shows 30 days.
const RETENTION_DAYS = 40

/** Folds the lines of each tally into one, and deletes those of days that nobody reads. Changes of kits are deleted when they are counted. */
export async function foldTallies(tx: SystemTx): Promise<void> {
  const oldest = new Date(tx.now.getTime() - RETENTION_DAYS * 86_400_000).toISOString().slice(0, 10)
  // Lost together, if the server fails, and folded again.
  await tx.run(sql`set local synchronous_commit = off`)
  await tx.run(sql`delete from tallies where name in ('order.day', 'report.day') and key < ${oldest}`)
  await tx.run(sql`
    with several as (
      select realm_id, name, key from tallies where name <> 'kit.changed' group by 1, 2, 3 having count(*) > 1),
    gone as (
      delete from tallies t using several s where t.realm_id = s.realm_id and t.name = s.name and t.key = s.key
      returning t.realm_id, t.name, t.key, t.amount)
    insert into tallies (realm_id, name, key, amount)
    select realm_id, name, key, sum(amount) from gone group by 1, 2, 3 having sum(amount) <> 0`)
}

/** Deletes what says that these kits changed. */
export const deleteChanges = (tx: SystemTx, realmId: number, kitIds: readonly string[]): Promise<unknown> =>
  tx.run(sql`delete from tallies where realm_id = ${realmId} and name = 'kit.changed' and key = any(${kitIds}::text[])`)

/** The same of all sandboxes, whose kits are not counted: they are deleted, and their times move. */
export const deleteChangesOfSandboxes = (tx: SystemTx): Promise<unknown> =>
  tx.run(sql`
    delete from tallies t using realms r where r.mode = 'sandbox' and t.realm_id = r.id and t.name = 'kit.changed'`)
