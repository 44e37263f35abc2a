import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import { needs } from './attention-queries.ts'

/**
 * Moves back the dates of this sandbox's kits that wait for their report, by `ms` milliseconds. Returns how many became late.
 * A kit with a report stays: its dates are those of the report.
 */
export async function advanceClock(tx: Tx, ms: number): Promise<{ lateKits: number }> {
  const realm = tx.realm.id
  const back = sql`${ms} * interval '1 millisecond'`
  const then = new Date(tx.now.getTime() + ms)
  const late = await tx.row(sql<{ lateKits: number }>`
    select count(*)::int as "lateKits" from kits k
    where k.realm_id = ${realm} and ${needs('late', then)} and not ${needs('late', tx.now)}`)
  await tx.run(sql`
    update kits k set created_at = k.created_at - ${back}, updated_at = k.updated_at - ${back},
      registered_at = k.registered_at - ${back}, posted_at = k.posted_at - ${back},
      progress = (
        select coalesce(jsonb_object_agg(p.key, to_char(p.value::timestamptz at time zone 'UTC' - ${back},
          'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), '{}')
        from jsonb_each_text(k.progress) p)
    from (select id from kits where realm_id = ${realm} and report_status = 'notStarted' and replaced_by is null
          order by id for no key update) l
    where k.realm_id = ${realm} and k.id = l.id`)
  return late
}
