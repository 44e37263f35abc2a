import { AsyncLocalStorage } from 'node:async_hooks'
import { type HrTime, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace, ValueType } from '@opentelemetry/api'
import { JsonMetricsSerializer, JsonTraceSerializer } from '@opentelemetry/otlp-transformer'
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { FastifyInstance } from 'fastify'
import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import type { Egress } from '../egress/client.ts'
import { describeError, type Logger } from '../log.ts'
import { type SpanOptions, useTracing } from '../tracing.ts'
import type { Metrics } from './metrics.ts'

export interface TelemetryOptions {
  /** The collector's URL; `/v1/traces` and `/v1/metrics` are added. */
  endpoint: string
  headers: Record<string, string>
  /** The share of requests that are traced, unless their caller decided. */
  ratio: number
  attributes: Record<string, string>
  egress: Egress
  metrics: Metrics
  log: Logger
}

export interface Telemetry {
  /** Makes each request a span, which continues the caller's trace. */
  trace(app: FastifyInstance): void
  /** Sends what is left. */
  stop(): Promise<void>
}

const TIMEOUT_MS = 10_000
const READ_BYTES = 64 * 1024
const METRICS_EVERY_MS = 60_000
const SAMPLED = 1

const kinds = { internal: SpanKind.INTERNAL, consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT }

type Collected = MetricObjectWithValues<MetricValue<string>>
type Value = Collected['values'][number] & { metricName?: string }

/** The figures of `/metrics` in the form of OTLP: counters as sums, histograms with their buckets, the rest as gauges. */
function otlpMetrics(metrics: readonly Collected[], resource: Resource): ResourceMetrics {
  const startTime = hrTime(performance.timeOrigin)
  const endTime = hrTime(performance.timeOrigin + performance.now())
  return {
    resource,
    scopeMetrics: [{ scope: { name: 'kitlane' }, metrics: metrics.map((one) => convert(one, { startTime, endTime })) }],
  }
}

interface Times {
  startTime: HrTime
  endTime: HrTime
}

function convert({ name, help, type, values }: Collected, times: Times): MetricData {
  const shared = {
    descriptor: { name, description: help, unit: name.endsWith('_seconds') ? 's' : '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  // prom-client names its types by strings, and its declarations by a number.
  const kind = String(type)
  if (kind === 'histogram') {
    return { ...shared, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramPoints(values, times) }
  }
  const dataPoints = values.map(({ labels, value }) => ({ ...times, attributes: textsOf(labels), value }))
  if (kind === 'counter') return { ...shared, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
  return { ...shared, dataPointType: DataPointType.GAUGE, dataPoints }
}

function histogramPoints(values: readonly Value[], times: Times) {
  const byLabels = Map.groupBy(values, ({ labels }) => {
    const { le: _, ...rest } = labels
    return JSON.stringify(rest)
  })
  return [...byLabels].map(([key, own]) => {
    const ending = (end: string) => own.find(({ metricName }) => metricName?.endsWith(end))?.value ?? 0
    const buckets = own.filter(({ metricName }) => metricName?.endsWith('_bucket'))
    const boundaries = buckets.map(({ labels }) => Number(labels.le)).filter(Number.isFinite)
    // Prometheus adds up from bucket to bucket, OTLP does not.
    const counts = buckets.map(({ value }, index) => value - (buckets[index - 1]?.value ?? 0))
    const value = { buckets: { boundaries, counts }, sum: ending('_sum'), count: ending('_count') }
    return { ...times, attributes: textsOf(JSON.parse(key)), value }
  })
}

const textsOf = (labels: object) =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]))

const hrTime = (ms: number): HrTime => [Math.trunc(ms / 1000), Math.trunc((ms % 1000) * 1e6)]

/** Sends traces and metrics to an OpenTelemetry collector. Loaded only where it is used: the SDK takes 19 MB on disk. */
export function startTelemetry(options: TelemetryOptions): Telemetry {
  const { ratio, attributes, metrics, log } = options
  const resource = resourceFromAttributes(attributes)
  const post = poster(options)
  const exporter: SpanExporter = {
    export(spans, done) {
      const bytes = JsonTraceSerializer.serializeRequest(spans)
      post('/v1/traces', bytes).then((isTaken) => done({ code: isTaken ? 0 : 1 }))
    },
    shutdown: async () => {},
  }
  const provider = new TracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('kitlane')
  const around = new AsyncLocalStorage<Span>()

  function start({ name, kind, parent, links = [], attributes }: Omit<SpanOptions, 'kind'> & { kind: SpanKind }): Span {
    const cause = parent === undefined ? around.getStore()?.spanContext() : contextOf(parent)
    const linked = links.flatMap((link) => {
      const context = link === undefined ? undefined : contextOf(link)
      return context ? [{ context }] : []
    })
    const context = cause ? trace.setSpanContext(ROOT_CONTEXT, cause) : ROOT_CONTEXT
    return tracer.startSpan(name, { kind, links: linked, ...(attributes && { attributes }) }, context)
  }

  async function run<T>({ kind, ...options }: SpanOptions, work: () => Promise<T>): Promise<T> {
    const span = start({ ...options, kind: kinds[kind] })
    try {
      return await around.run(span, work)
    } catch (err) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      // The kind of error only: messages quote values.
      const { type } = describeError(err) as { type?: unknown }
      if (typeof type === 'string') span.setAttribute('error.type', type)
      throw err
    } finally {
      span.end()
    }
  }

  const pushMetrics = async () => {
    const found = await metrics.collect()
    await post('/v1/metrics', JsonMetricsSerializer.serializeRequest(otlpMetrics(found, resource)))
  }
  const push = () => pushMetrics().catch((err: unknown) => log.warn({ err }, 'metrics could not be sent'))
  const timer = setInterval(push, METRICS_EVERY_MS).unref()
  const tracing = {
    run,
    traceparent() {
      const context = around.getStore()?.spanContext()
      return context && context.traceFlags & SAMPLED ? `00-${context.traceId}-${context.spanId}-01` : undefined
    },
  }
  useTracing(tracing)

  return {
    trace(app) {
      app.addHook('onRequest', (request, _reply, done) => {
        const { traceparent } = request.headers
        const parent = typeof traceparent === 'string' ? traceparent : undefined
        request.span = start({ name: request.method, kind: SpanKind.SERVER, ...(parent && { parent }) })
        around.run(request.span as Span, done)
      })
      // The body is parsed where its last bytes arrive: outside of the request.
      app.addHook('preValidation', (request, _reply, done) => around.run(request.span as Span, done))
      app.addHook('onResponse', (request, reply, done) => {
        const span = request.span as Span
        const route = request.routeOptions.url ?? 'none'
        span.updateName(`${request.method} ${route}`)
        span.setAttributes({
          'http.request.method': request.method,
          'http.route': route,
          'http.response.status_code': reply.statusCode,
          'kitlane.request_id': request.id,
          ...(request.access && { 'kitlane.realm_id': request.access.realm.id }),
        })
        if (reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end()
        done()
      })
    },
    async stop() {
      clearInterval(timer)
      useTracing(undefined)
      await Promise.all([provider.shutdown(), push()])
    },
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Of this request's trace; only where traces are on. */
    span?: unknown
  }
}

/** W3C Trace Context, version 00. */
function contextOf(traceparent: string) {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent) ?? []
  if (!traceId || !spanId || !flags || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & SAMPLED, isRemote: true }
}

/** Sends bytes once; what the collector does not take is lost, and logged once until it takes some again. */
function poster({ endpoint, headers, egress, log }: TelemetryOptions) {
  let isLost = false
  return async (path: string, bytes: Uint8Array | undefined): Promise<boolean> => {
    if (!bytes) return false
    const url = new URL(endpoint + path)
    try {
      const { status } = await egress.request({
        url: url.href,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: bytes,
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: READ_BYTES,
        policy: { hosts: [url.host], loopback: url.protocol === 'http:' },
      })
      if (status >= 300) throw new Error('the collector refused')
      isLost = false
      return true
    } catch (err) {
      if (!isLost) log.warn({ err }, 'the collector of traces and metrics cannot be reached')
      isLost = true
      return false
    }
  }
}
