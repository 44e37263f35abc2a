import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'

/** Moves the calendars of this sandbox's plans ahead by `ms` milliseconds. Returns how many orders fall due by it. */
export async function advanceClock(tx: Tx, ms: number): Promise<{ planOrders: number }> {
  const back = sql`${ms} * interval '1 millisecond'`
  return tx.row(sql<{ planOrders: number }>`
    with moved as (
      update plans p set due_at = p.due_at - ${back}, passed_ms = p.passed_ms + ${ms}
      from (select id from plans where realm_id = ${tx.realm.id} and status <> 'ended' order by id for no key update) l
      where p.realm_id = ${tx.realm.id} and p.id = l.id
      returning p.due_at)
    select count(*)::int as "planOrders" from moved where due_at <= ${tx.now} and due_at + ${back} > ${tx.now}`)
}
