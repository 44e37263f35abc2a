import { Histogram } from 'prom-client'
import { processFigures } from '../process-figures.ts'
import { type SpanOptions, traced } from '../tracing.ts'

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
