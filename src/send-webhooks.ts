import { TRACES } from './modules/events/queries.ts'
import { type Sender, type SenderOptions, startSender } from './modules/webhooks/delivery/sender.ts'
import { EventTraces } from './modules/webhooks/delivery/traces.ts'
import type { Listener } from './platform/database/listen.ts'

/** Sends webhooks as soon as the database tells that some are due. `telemetry`: each continues the trace of its event. */
export async function sendWebhooks(
  options: Omit<SenderOptions, 'traceOf'> & { listener: Listener; telemetry?: unknown },
): Promise<Sender> {
  const { listener, telemetry, ...given } = options
  const traces = new EventTraces()
  if (telemetry !== undefined) await listener.on(TRACES, (message) => message && traces.note(message))
  const sender = startSender({ ...given, traceOf: (eventId) => traces.of(eventId) })
  await listener.on('kitlane_deliveries', (realmId) => sender.wake(realmId === undefined ? undefined : Number(realmId)))
  return sender
}
