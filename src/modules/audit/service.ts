import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'

export interface AuditEntry {
  /** Past tense, `object.verb`: `order.placed`, `customer.erased`. */
  action: string
  objectType: string
  objectId: string
  /** Never health data, names or e-mails: identifiers and reasons only. */
  details?: Record<string, unknown>
}

/** Writes who did what, in the transaction that did it. */
export async function record(tx: Tx, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return
  await tx.run(sql`
    insert into audit_entries (realm_id, at, actor, action, object_type, object_id, request_id, details)
    select ${tx.realm.id}, ${tx.now}, ${tx.actor.name}, e.action, e."objectType", e."objectId", ${tx.actor.requestId ?? null}, e.details
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb)
      as e(action text, "objectType" text, "objectId" text, details jsonb)`)
}
