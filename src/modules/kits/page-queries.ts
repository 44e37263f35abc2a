import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import type { KitChange } from './timeline.ts'

/** The changes of a kit, in their order. */
export function selectKitChanges(tx: Tx, kitId: string): Promise<KitChange[]> {
  return tx.rows(sql<KitChange>`
    select data->>'event' as event, coalesce(data->>'status', 'notStarted') as "reportStatus",
           data->>'exceptionReason' as reason, occurred_at as at, actor
    from events where realm_id = ${tx.realm.id} and kit_id = ${kitId} and type = 'kit.updated' and data ? 'event'
    order by sequence`)
}

/** Why a kit was replaced. */
export async function selectReplacementReason(tx: Tx, kitId: string): Promise<string | undefined> {
  const row = await tx.maybeRow(sql<{ reason: string | null }>`
    select details->>'reason' as reason from audit_entries
    where realm_id = ${tx.realm.id} and object_type = 'kit' and object_id = ${kitId} and action = 'kit.replaced'
    order by id desc limit 1`)
  return row?.reason ?? undefined
}

/** The report made of a kit's sample. */
export async function selectReportId(tx: Tx, kitId: string): Promise<string | undefined> {
  const row = await tx.maybeRow(sql<{ id: string }>`
    select id from reports where realm_id = ${tx.realm.id} and kit_id = ${kitId}`)
  return row?.id
}
