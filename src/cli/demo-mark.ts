import { hasEntryOf } from '../modules/audit/queries.ts'
import * as audit from '../modules/audit/service.ts'
import type { Tx } from '../platform/database/tx.ts'

const action = 'demo.toured'

/** Whether the demo order was placed in this realm; still true after a reset of the sandbox. */
export const wasToured = (tx: Tx): Promise<boolean> => hasEntryOf(tx, action)

/** Records that the demo order was placed, so that a later start does not place it again. */
export function recordTour(tx: Tx, orderId: string): Promise<void> {
  return audit.record(tx, [{ action, objectType: 'order', objectId: orderId }])
}
