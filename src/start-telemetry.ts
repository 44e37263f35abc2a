import type { TelemetrySettings } from './monitoring-settings.ts'
import type { Egress } from './platform/egress/client.ts'
import type { Metrics } from './platform/http/metrics.ts'
import type { Telemetry } from './platform/http/telemetry.ts'
import type { Logger } from './platform/log.ts'
import { VERSION } from './platform/package-root.ts'

/** Sends traces and metrics to a collector, if the settings name one; else nothing of OpenTelemetry is loaded. */
export async function telemetryOf(
  settings: TelemetrySettings | undefined,
  given: { role: string; egress: Egress; metrics: Metrics; log: Logger },
): Promise<Telemetry | undefined> {
  if (!settings) return undefined
  const { startTelemetry } = await import('./platform/http/telemetry.ts')
  const { role, egress, metrics, log } = given
  const attributes = {
    'service.name': 'kitlane',
    'service.version': VERSION,
    'service.instance.id': `${role}-${process.pid}`,
  }
  return startTelemetry({ ...settings, attributes, egress, metrics, log })
}
