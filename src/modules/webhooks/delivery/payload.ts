import { AppError } from '../../../domain/errors.ts'
import type { SessionScope } from '../../../domain/scopes.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import { readableTypes } from '../../events/accesses.ts'
import { maybeReadEvent } from '../../events/feed-queries.ts'
import { selectDelivery } from '../queries.ts'
import { thin } from '../rules.ts'
import type { Delivery } from '../schema.ts'
import { find } from '../service.ts'
import { toDelivery } from './log.ts'

/** What is sent of an event. */
export interface SentPayload {
  type: string
  timestamp: string
  data: Record<string, unknown>
}

/** A delivery with the body that is sent, if the caller may read such events. @throws DELIVERY_NOT_FOUND */
export async function findWithPayload(
  tx: Tx,
  deliveryId: string,
  scopes: ReadonlySet<SessionScope>,
): Promise<Delivery & { payload?: SentPayload }> {
  const row = await selectDelivery(tx, deliveryId)
  if (!row) throw new AppError('DELIVERY_NOT_FOUND', 'There is no such delivery')
  const delivery = toDelivery(row)
  if (readableTypes(scopes, [row.eventType]).length === 0) return delivery
  const [event, endpoint] = await Promise.all([maybeReadEvent(tx, row.eventId), find(tx, row.endpointId)])
  if (!event) return delivery
  const data = (endpoint.payload === 'thin' ? thin(event.data) : event.data) as Record<string, unknown>
  return { ...delivery, payload: { type: event.type, timestamp: event.timestamp.toISOString(), data } }
}
