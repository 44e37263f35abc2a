import { type AuditStream, fileSink, startStream, webhookSink } from '../modules/audit/stream/stream.ts'
import type { Database } from '../platform/database/tx.ts'
import type { Metrics } from '../platform/http/metrics.ts'
import type { Logger } from '../platform/log.ts'
import type { Settings } from '../settings.ts'
import type { OpenedPorts } from './ports.ts'

const helps = {
  audit_stream_lag_seconds: 'How long the oldest audit entry has waited to be streamed.',
  audit_stream_waiting_entries: 'Audit entries that were not streamed yet, up to 10,000.',
}

/** Sends the audit to where the settings say, if they do, and shows how far behind that is. */
export function streamAudit(options: {
  database: Database
  operatorHook: OpenedPorts['operatorHook']
  settings: Settings
  metrics: Metrics
  log: Logger
}): AuditStream | undefined {
  const { database, operatorHook, settings, metrics, log } = options
  const { auditStream: target, operatorWebhook } = settings
  if (!target) return undefined
  const { secret = '' } = operatorWebhook
  const sink = 'file' in target ? fileSink(target.file) : webhookSink(operatorHook({ url: target.url, secret }))
  const stream = startStream({ database, sink, log })
  metrics.show('audit-stream', helps, async () => {
    const { entries, seconds } = await stream.lag()
    return { audit_stream_lag_seconds: seconds, audit_stream_waiting_entries: entries }
  })
  return stream
}
