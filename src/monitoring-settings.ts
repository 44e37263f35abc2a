import { z } from 'zod'
import { MAX_REQUEST_LOG_DAYS } from './domain/request-log.ts'

const onOrOff = {
  schema: z.enum(['on', 'off']).transform((text) => text === 'on'),
  must: 'on or off',
}
const web = z
  .string()
  .refine((text) => URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol))
  .transform((text) => text.replace(/\/+$/, ''))

/** The settings for monitoring and API documentation; config.ts includes them. */
export const monitoringSettings = {
  METRICS_PORT: {
    schema: z.string().regex(/^\d+$/).transform(Number).pipe(z.number().max(65_535)),
    must: 'a whole number from 0 to 65535',
    example: '9464',
    help: 'a separate port for /metrics and /health (default: PORT)',
  },
  METRICS_HOST: {
    schema: z.string().regex(/^[\w.:-]+$/),
    must: 'a host name or an IP address',
    example: '10.0.0.5',
    help: 'the address for METRICS_PORT (default: 127.0.0.1)',
  },
  METRICS_TOKEN: {
    schema: z.string().regex(/^[\x21-\x7e]{16,200}$/),
    must: '16 to 200 visible characters',
    example: '<what openssl rand -hex 24 prints>',
    help: 'the Bearer token for /metrics (default: only this machine may read it)',
  },
  ACCESS_LOG: {
    ...onOrOff,
    example: 'on',
    help: 'on: log a line for each request, without paths and bodies (default: off)',
  },
  REQUEST_LOG_DAYS: {
    schema: z
      .string()
      .regex(/^\d{1,2}$/)
      .transform(Number)
      .pipe(z.number().max(MAX_REQUEST_LOG_DAYS)),
    must: `a whole number of days from 0 to ${MAX_REQUEST_LOG_DAYS}`,
    example: '3',
    help: 'days for which businesses can look up their API requests; 0: none (default: 7)',
  },
  SLOW_STATEMENT_MS: {
    schema: z
      .string()
      .regex(/^\d{1,6}$/)
      .transform(Number),
    must: 'a whole number of milliseconds, or 0',
    example: '500',
    help: 'log statements of the database that take longer, by name; 0: none (default: 1000)',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: web,
    must: 'the http or https URL of an OpenTelemetry collector',
    example: 'http://127.0.0.1:4318',
    help: 'sends traces and metrics to an OpenTelemetry collector by OTLP/HTTP (default: none)',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: z.string().regex(/^[\w-]+=[^,]*(,[\w-]+=[^,]*)*$/),
    must: 'headers as name=value, separated by commas',
    example: 'api-key=secret',
    help: 'headers for the collector, such as its key',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: z
      .string()
      .regex(/^(0(\.\d+)?|1(\.0+)?)$/)
      .transform(Number),
    must: 'a number from 0 to 1',
    example: '0.05',
    help: 'the share of requests that are traced (default: 1)',
  },
  DOCS: {
    ...onOrOff,
    example: 'off',
    help: 'off: serve neither /docs nor the OpenAPI documents (default: on)',
  },
}

export interface MonitoringConfig {
  /** `/metrics` and `/health`; without a port of their own, beside the API. */
  monitoring: { port: number | undefined; host: string; token: string | undefined }
  accessLog: boolean
  /** 0: none are kept. */
  requestLogDays: number | undefined
  /** 0: none. */
  slowStatementMs: number
  /** Where traces and metrics are sent to. */
  telemetry: TelemetrySettings | undefined
}

export interface TelemetrySettings {
  endpoint: string
  headers: Record<string, string>
  /** The share of requests that are traced, unless their caller decided. */
  ratio: number
}

type Settings = typeof monitoringSettings
type Read = <T>(
  name: keyof Settings,
  setting: { schema: z.ZodType<T>; must: string; example: string; help: string },
) => T | undefined

/** Reads the settings but DOCS. */
export function readMonitoring(read: Read): MonitoringConfig {
  const settings = monitoringSettings
  const endpoint = read('OTEL_EXPORTER_OTLP_ENDPOINT', settings.OTEL_EXPORTER_OTLP_ENDPOINT)
  const headers = read('OTEL_EXPORTER_OTLP_HEADERS', settings.OTEL_EXPORTER_OTLP_HEADERS)
  const ratio = read('OTEL_TRACES_SAMPLER_ARG', settings.OTEL_TRACES_SAMPLER_ARG) ?? 1
  return {
    monitoring: {
      port: read('METRICS_PORT', settings.METRICS_PORT),
      host: read('METRICS_HOST', settings.METRICS_HOST) ?? '127.0.0.1',
      token: read('METRICS_TOKEN', settings.METRICS_TOKEN),
    },
    accessLog: read('ACCESS_LOG', settings.ACCESS_LOG) ?? false,
    requestLogDays: read('REQUEST_LOG_DAYS', settings.REQUEST_LOG_DAYS),
    slowStatementMs: read('SLOW_STATEMENT_MS', settings.SLOW_STATEMENT_MS) ?? 1000,
    telemetry: endpoint === undefined ? undefined : { endpoint, headers: headersIn(headers), ratio },
  }
}

/** As the specification of OpenTelemetry has it: percent-encoded values. */
const headersIn = (text = ''): Record<string, string> =>
  Object.fromEntries(
    text.split(',').flatMap((pair) => {
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      return name ? [[name.trim().toLowerCase(), decodeURIComponent(value.trim())]] : []
    }),
  )
