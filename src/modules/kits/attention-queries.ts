import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import type { KitAttention } from './lifecycle.ts'
import { isRecalled } from './recall-queries.ts'
import { latePlaces, type Waiting } from './usual-days.ts'

/** A kit `k` that nothing was done about since it came to a place. The index kits_waiting holds just these. */
export const waitsSince = (place: RawBuilder<unknown>, before: RawBuilder<unknown>) => sql`
  ${place} and k.report_status = 'notStarted' and k.replaced_by is null and k.updated_at < ${before}`

// The condition of the index kits_troubled, word for word.
const troubled = sql`k.replaced_by is null and (k.kit_status in ('deliveryException', 'registrationException')
  or k.sample_status in ('rejected', 'collectionException', 'deliveryException'))`

/** For a kit `k` that needs nobody: the test stopped because its person wanted that. */
export const isStopped = sql`exists (select from consent_withdrawals w
  where w.realm_id = k.realm_id and w.kit_id = k.id and w.what = 'testing' and w.outcome <> 'received'
    and not exists (select from consents c
                    where c.realm_id = w.realm_id and c.kit_id = w.kit_id and c.id > w.last_consent))`

/** For a kit `k` whose box reached nobody, and whose business wants nothing more done with it. */
const isGivenUp = sql`(k.kit_status in ('deliveryException', 'inTransit') and exists (select from undelivered_kits u
  where u.realm_id = k.realm_id and u.kit_id = k.id and u.state = 'closed'))`

/** For a kit `k` that may wait as long as it likes. */
export const isLeftAlone = sql`(${isRecalled} or ${isGivenUp})`

const isLateAt = ({ kitStatus, sampleStatus, before }: Waiting) =>
  waitsSince(sql`k.kit_status = ${kitStatus} and k.sample_status = ${sampleStatus}`, sql`${before}::timestamptz`)

/** Of these kits that wait to be sent, those whose parcel has left a warehouse and is not recorded yet. */
export async function selectLeft(tx: Tx, kitIds: readonly string[]): Promise<string[]> {
  const rows = await tx.rows(sql<{ id: string }>`
    select kit_id as id from warehouse_orders
    where realm_id = ${tx.realm.id} and kit_id = any(${kitIds}) and is_there and (number is not null or reason = 'noNumber')`)
  return rows.map(({ id }) => id)
}

/** Kits `k` that somebody should look at: what the overview counts and the list shows are the same. */
export function needs(kind: KitAttention, now: Date): RawBuilder<unknown> {
  if (kind === 'exception')
    return sql`${troubled} and k.sample_status <> 'rejected' and not ${isStopped} and not ${isGivenUp}`
  if (kind === 'rejected') return sql`${troubled} and k.sample_status = 'rejected' and not ${isStopped}`
  const places = latePlaces(now).map((place) => sql`(${isLateAt(place)})`)
  return sql`(${sql.join(places, sql` or `)}) and not ${isLeftAlone}`
}
