import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'
import type { ErrorCode } from '../../domain/errors.ts'
import type { Logger } from '../log.ts'
import { processFigures } from '../process-figures.ts'
import { type SpanOptions, traced } from '../tracing.ts'
import { SIMULATED } from './simulate.ts'

/** A number for each combination of labels. Labels come from lists in the code: no identifier, nothing that a caller chose. */
export interface Sample {
  labels: Record<string, string>
  value: number
}

/** What a figure means, and its labels. */
type Help = string | { help: string; labels: readonly string[] }

/** One reading; a figure that is absent is not shown. */
export type Figures<Name extends string> = Partial<Record<Name, number | readonly Sample[]>>

export interface Metrics {
  /** Counts the requests of a server. */
  measure(app: FastifyInstance): void
  /** Counts a refusal or failure by its code. */
  countError(code: ErrorCode): void
  /** Counts a request that the load shedder refused, before it was one of the requests that `measure` sees. */
  countShed(method: string, route: string): void
  /**
   * Shows numbers that are read whenever somebody asks, all from one reading. If that fails they are not shown, and
   * `kitlane_figures_read{source}` is 0.
   */
  show<Name extends string>(source: string, helps: Record<Name, Help>, read: () => Promise<Figures<Name>>): void
  contentType: string
  text(): Promise<string>
  /** All figures, for other formats. */
  collect(): Promise<MetricObjectWithValues<MetricValue<string>>[]>
}

const NAME = 'http_request_duration_seconds'
const HELP = 'Time to answer, by route and status.'
// Seconds.
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

interface Times {
  /** How many took at most the bound of that place, and longer than the one before it; the last: longer than all. */
  counts: number[]
  sum: number
}

/** A Prometheus histogram of plain numbers. The library's own reads and sorts the labels of every request: 1 µs. */
export class RequestTimes {
  readonly #byLabels = new Map<string, Times>()

  add(method: string, route: string, status: number, seconds: number): void {
    const labels = `method="${method}",route="${route}",status="${status}"`
    let times = this.#byLabels.get(labels)
    if (!times) {
      times = { counts: Array.from({ length: BOUNDS.length + 1 }, () => 0), sum: 0 }
      this.#byLabels.set(labels, times)
    }
    let place = 0
    while (place < BOUNDS.length && seconds > (BOUNDS[place] ?? 0)) place++
    times.counts[place] = (times.counts[place] ?? 0) + 1
    times.sum += seconds
  }

  /** As prom-client shows its histograms. */
  collect() {
    const values = [...this.#byLabels].flatMap(([text, { counts, sum }]) => {
      const labels = Object.fromEntries([...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]))
      let total = 0
      const buckets = counts.map((count, place) => {
        total += count
        return { metricName: `${NAME}_bucket`, labels: { ...labels, le: BOUNDS[place] ?? '+Inf' }, value: total }
      })
      return [
        ...buckets,
        { metricName: `${NAME}_sum`, labels, value: sum },
        { metricName: `${NAME}_count`, labels, value: total },
      ]
    })
    return { name: NAME, help: HELP, type: 'histogram', aggregator: 'sum', values }
  }

  /** In Prometheus' text format. */
  text(): string {
    const lines = [`# HELP ${NAME} ${HELP}`, `# TYPE ${NAME} histogram`]
    for (const [labels, { counts, sum }] of this.#byLabels) {
      let total = 0
      for (const [place, count] of counts.entries()) {
        total += count
        lines.push(`${NAME}_bucket{le="${BOUNDS[place] ?? '+Inf'}",${labels}} ${total}`)
      }
      lines.push(`${NAME}_sum{${labels}} ${sum}`, `${NAME}_count{${labels}} ${total}`)
    }
    return `${lines.join('\n')}\n`
  }
}

/** For Prometheus: process figures, and requests by route pattern (never by URL: URLs hold identifiers). */
export function createMetrics(log?: Logger): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectProcess(registry)
  const times = new RequestTimes()
  const failures = new Counter({
    name: 'http_requests_failed_total',
    help: 'Answers with a 5xx status.',
    labelNames: ['route'],
    registers,
  })
  const errors = new Counter({
    name: 'kitlane_errors_total',
    help: 'Refusals and failures, by their code: RATE_LIMITED, OVERLOADED, INTERNAL and others.',
    labelNames: ['code'],
    registers,
  })
  // Alerts read these: the first of them would be no increase of what was not there.
  for (const code of ['INTERNAL', 'OVERLOADED', 'RATE_LIMITED', 'STORAGE_FULL']) errors.inc({ code }, 0)
  const reads = new Gauge({
    name: 'kitlane_figures_read',
    help: 'Whether the figures of a source could be read: 1, or 0 if they are missing here.',
    labelNames: ['source'],
    registers,
  })
  const seconds = new Gauge({
    name: 'kitlane_figures_read_seconds',
    help: 'How long the last reading of a source took.',
    labelNames: ['source'],
    registers,
  })

  const sources: (() => Promise<void>)[] = []
  let reading: Promise<unknown> | undefined
  /** Scrapes that come together share a reading. */
  function readSources(): Promise<unknown> {
    reading ??= Promise.all(sources.map((read) => read())).finally(() => {
      reading = undefined
    })
    return reading
  }

  return {
    measure(app) {
      app.addHook('onResponse', (request, reply, done) => {
        if (reply.hasHeader(SIMULATED)) return done()
        const route = request.routeOptions.url ?? 'none'
        times.add(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
        if (reply.statusCode >= 500) failures.inc({ route })
        done()
      })
    },
    countError: (code) => errors.inc({ code }),
    countShed(method, route) {
      errors.inc({ code: 'OVERLOADED' })
      failures.inc({ route })
      times.add(method, route, 503, 0)
    },
    show(source, helps, read) {
      const gauges = Object.entries<Help>(helps).map(([name, shown]) => {
        const { help, labels } = typeof shown === 'string' ? { help: shown, labels: [] } : shown
        return { name, isAlone: labels.length === 0, gauge: new Gauge({ name, help, labelNames: labels, registers }) }
      })
      sources.push(async () => {
        const started = performance.now()
        const figures: Figures<string> | undefined = await read().catch((err: unknown) => {
          log?.warn({ err, code: source }, 'figures could not be read')
          return undefined
        })
        seconds.set({ source }, (performance.now() - started) / 1000)
        reads.set({ source }, figures ? 1 : 0)
        for (const { name, gauge, isAlone } of gauges) {
          gauge.reset()
          // A reset gauge without labels is 0, which would be a lie where nothing was read.
          if (isAlone) gauge.remove()
          fill(gauge, figures?.[name])
        }
      })
    },
    contentType: registry.contentType,
    async text() {
      await readSources()
      const texts = await Promise.all([registry.metrics(), processFigures.metrics()])
      return `${texts.join('\n')}${times.text()}`
    },
    async collect() {
      await readSources()
      const lists = await Promise.all([registry.getMetricsAsJSON(), processFigures.getMetricsAsJSON()])
      // The declarations of prom-client call the type a number.
      return [...lists.flat(), times.collect() as unknown as MetricObjectWithValues<MetricValue<string>>]
    },
  }
}

// As long as a timer can be: prom-client's own samples would wake the process 100 times a second.
const NEVER_MS = 2 ** 31 - 1

/** What prom-client shows of a process. How late the event loop is, is measured by its turns, which costs an idle process nothing. */
function collectProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS })
  for (const name of ['', '_min', '_max', '_mean', '_stddev', '_p50', '_p90', '_p99']) {
    registry.removeSingleMetric(`nodejs_eventloop_lag${name}_seconds`)
  }
  const turns = monitorEventLoopDelay({ samplePerIteration: true })
  turns.enable()
  const registers = [registry]
  new Gauge({
    name: 'nodejs_eventloop_lag_max_seconds',
    help: `The longest turn of the event loop ${LAG}: a request may have waited so long.`,
    registers,
    // The first of the three to be collected.
    collect() {
      this.set(turns.max / 1e9)
      mean.set(turns.count === 0 ? 0 : turns.mean / 1e9)
      p99.set(turns.percentile(99) / 1e9)
      turns.reset()
    },
  })
  const mean = new Gauge({ name: 'nodejs_eventloop_lag_mean_seconds', help: `The mean turn ${LAG}.`, registers })
  const p99 = new Gauge({
    name: 'nodejs_eventloop_lag_p99_seconds',
    help: `99 % of turns took less ${LAG}.`,
    registers,
  })
}

const LAG = 'since the last reading'

function fill(gauge: Gauge, figure: number | readonly Sample[] | undefined): void {
  if (typeof figure === 'number') gauge.set(figure)
  else for (const { labels, value } of figure ?? []) gauge.set(labels, value)
}

const shared = { labelNames: ['group'], registers: [processFigures] }

const requests = new Histogram({
  name: 'kitlane_group_requests',
  help: 'Requests that one group commit answered.',
  // The largest group: group-commit.ts.
  buckets: [1, 2, 4, 8, 16, 32, 64],
  ...shared,
})
const seconds = new Histogram({
  name: 'kitlane_group_seconds',
  help: 'How long the transaction of a group took.',
  buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  ...shared,
})

/**
 * Does the transaction of a group, counts and times it. It is part of the trace of its first request; those of the others
 * are linked.
 */
export async function observedGroup<T>(
  group: string,
  members: readonly { trace: string | undefined }[],
  work: () => Promise<T>,
): Promise<T> {
  const [first, ...others] = members
  const span = (): SpanOptions => ({
    name: `group ${group}`,
    kind: 'internal',
    parent: first?.trace,
    links: others.map(({ trace }) => trace),
    attributes: { 'kitlane.group_size': members.length },
  })
  const startedMs = performance.now()
  try {
    return await traced(span, work)
  } finally {
    requests.observe({ group }, members.length)
    seconds.observe({ group }, (performance.now() - startedMs) / 1000)
  }
}
