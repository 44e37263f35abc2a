import type { Tx } from '../../../platform/database/tx.ts'
import { releaseWaiting } from '../order-queries.ts'
import { notifyDeliveries } from '../queries.ts'
import { hurryFailed, insertFailed } from '../resend-queries.ts'
import { find } from '../service.ts'

/**
 * Sends an endpoint what it has not taken of a stretch of time, after one attempt or more, in its order. Returns how many events.
 * @throws WEBHOOK_NOT_FOUND
 */
export async function resendFailed(tx: Tx, endpointId: string, since: Date, until: Date = tx.now): Promise<number> {
  await find(tx, endpointId)
  await releaseWaiting(tx, endpointId)
  const hurried = await hurryFailed(tx, endpointId, since, until)
  if (hurried > 0) await notifyDeliveries(tx)
  return hurried + (await insertFailed(tx, endpointId, since, until))
}
