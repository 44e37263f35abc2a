import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export interface Metrics {
  /** Counts the requests of a server. */
  measure(app: FastifyInstance): void
  contentType: string
  text(): Promise<string>
}

/** For Prometheus: process figures, and requests by route pattern (never by URL: URLs hold identifiers). */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  const failures = new Counter({
    name: 'http_requests_failed_total',
    help: 'Answers with a 5xx status.',
    labelNames: ['route'],
    registers: [registry],
  })
  return {
    measure(app) {
      app.addHook('onResponse', async (request, reply) => {
        const route = request.routeOptions.url ?? 'none'
        seconds.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
        if (reply.statusCode >= 500) failures.inc({ route })
      })
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  }
}
