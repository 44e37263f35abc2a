import * as audit from '../modules/audit/service.ts'
import { db } from '../platform/database/sql.ts'
import type { Tx } from '../platform/database/tx.ts'

const action = 'demo.toured'

/** Whether the order of the demo was played in this realm; true also after a reset of the sandbox. */
export async function wasToured(tx: Tx): Promise<boolean> {
  const entry = db
    .selectFrom('audit_entries')
    .select('id')
    .where('realm_id', '=', tx.realm.id)
    .where('action', '=', action)
  return (await tx.maybeRow(entry.limit(1))) !== undefined
}

/** Notes that it was played, so that no later start plays it again. */
export function recordTour(tx: Tx, orderId: string): Promise<void> {
  return audit.record(tx, [{ action, objectType: 'order', objectId: orderId }])
}
