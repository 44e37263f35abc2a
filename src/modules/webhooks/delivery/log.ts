import { AppError } from '../../../domain/errors.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import { giveUp, releaseWaiting } from '../order-queries.ts'
import * as queries from '../queries.ts'
import type { Delivery } from '../schema.ts'
import { find } from '../service.ts'

interface DeliveryPage {
  page: number
  size: number
  statuses?: queries.DeliveryFilter['statuses']
}

/** One page of an endpoint's deliveries with every attempt, newest first. @throws WEBHOOK_NOT_FOUND */
export async function deliveries(
  tx: Tx,
  endpointId: string,
  query: DeliveryPage,
): Promise<{ total: number; deliveries: Delivery[] }> {
  await find(tx, endpointId)
  return list(tx, { ...query, endpointIds: [endpointId] })
}

/** One page of the deliveries of all endpoints, or of some, or about some kits; newest first. */
export async function list(
  tx: Tx,
  { page, size, ...filter }: DeliveryPage & queries.DeliveryFilter,
): Promise<{ total: number; deliveries: Delivery[] }> {
  const { total, rows } = await queries.selectDeliveries(tx, filter, page, size)
  return { total, deliveries: rows.map(toDelivery) }
}

/** Sends an event again, under the same `webhook-id`, at once and outside of any order. @throws DELIVERY_NOT_FOUND */
export async function replay(tx: Tx, deliveryId: string): Promise<Delivery> {
  const { endpointId, eventId } = await findDelivery(tx, deliveryId)
  await audit.record(tx, [{ action: 'webhook.replayed', objectType: 'webhook', objectId: endpointId }])
  return toDelivery(await findDelivery(tx, await queries.insertDelivery(tx, endpointId, eventId)))
}

/**
 * Gives up on a delivery that waits or is on its way, so that what waits for it is sent. One that has ended stays as it is.
 * @throws DELIVERY_NOT_FOUND
 */
export async function skip(tx: Tx, deliveryId: string): Promise<Delivery> {
  const before = await findDelivery(tx, deliveryId)
  const given = await giveUp(tx, deliveryId)
  if (given) {
    if (given.subject !== null) await releaseWaiting(tx, given.endpointId, given.subject)
    await queries.notifyDeliveries(tx)
    await audit.record(tx, [{ action: 'webhook.delivery_skipped', objectType: 'webhook', objectId: before.endpointId }])
  }
  return toDelivery(await findDelivery(tx, deliveryId))
}

async function findDelivery(tx: Tx, deliveryId: string): Promise<queries.DeliveryRow> {
  const row = await queries.selectDelivery(tx, deliveryId)
  if (!row) throw new AppError('DELIVERY_NOT_FOUND', 'There is no such delivery')
  return row
}

/** Sends an endpoint all events of a stretch of time again. Returns how many. @throws WEBHOOK_NOT_FOUND */
export async function replayRange(tx: Tx, endpointId: string, since: Date, until: Date = tx.now): Promise<number> {
  await find(tx, endpointId)
  const events = await queries.insertRange(tx, endpointId, since, until)
  const details = { events, since: since.toISOString(), until: until.toISOString() }
  await audit.record(tx, [{ action: 'webhook.replayed', objectType: 'webhook', objectId: endpointId, details }])
  return events
}

export function toDelivery(row: queries.DeliveryRow): Delivery {
  return {
    id: row.id,
    endpointID: row.endpointId,
    eventID: row.eventId,
    eventType: row.eventType,
    status: row.status,
    createdDate: row.createdAt.toISOString(),
    ...(row.dueAt && { nextAttemptDate: row.dueAt.toISOString() }),
    ...(row.finishedAt && { finishedDate: row.finishedAt.toISOString() }),
    attempts: row.attempts.map(({ number, at, durationMs, status, error, answer }) => ({
      number,
      date: new Date(at).toISOString(),
      ...(status !== null && { status }),
      ...(error !== null && { error }),
      ms: durationMs,
      ...(answer !== null && { answer }),
    })),
  }
}

// A few seconds of the fastest intake; about 2 MB.
const MAX_TRACES = 10_000

/** The traces of the newest events, while tracing is on, received by NOTIFY. An older event is delivered in a separate trace. */
export class EventTraces {
  readonly #byEvent = new Map<string, string>()

  /** A message of `tracesOf` (events/rules.ts). */
  note(message: string): void {
    const [trace = '', ...eventIds] = message.split(' ')
    for (const id of eventIds) this.#byEvent.set(id, trace)
    for (const id of this.#byEvent.keys()) {
      if (this.#byEvent.size <= MAX_TRACES) break
      this.#byEvent.delete(id)
    }
  }

  of(eventId: string): string | undefined {
    return this.#byEvent.get(eventId)
  }
}
