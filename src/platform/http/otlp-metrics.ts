import { type HrTime, ValueType } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics'
import type { MetricObjectWithValues, MetricValue } from 'prom-client'

type Collected = MetricObjectWithValues<MetricValue<string>>
type Value = Collected['values'][number] & { metricName?: string }

/** The figures of `/metrics` in the form of OTLP: counters as sums, histograms with their buckets, the rest as gauges. */
export function otlpMetrics(metrics: readonly Collected[], resource: Resource): ResourceMetrics {
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
