import * as audit from '../modules/audit/service.ts'
import { db } from '../platform/database/sql.ts'
import type { Tx } from '../platform/database/tx.ts'

const action = 'demo.toured'

/** Whether the demo order was placed in this realm; still true after a reset of the sandbox. */
export async function wasToured(tx: Tx): Promise<boolean> {
  const entry = db
    .selectFrom('audit_entries')
    .select('id')
    .where('realm_id', '=', tx.realm.id)
    .where('action', '=', action)
  return (await tx.maybeRow(entry.limit(1))) !== undefined
}

/** Records that the demo order was placed, so that a later start does not place it again. */
export function recordTour(tx: Tx, orderId: string): Promise<void> {
  return audit.record(tx, [{ action, objectType: 'order', objectId: orderId }])
}
