/** Part of a trace. Its name is a route's pattern, a queue or a fixed word, its attributes are identifiers: no health data. */
export interface SpanOptions {
  name: string
  kind: 'internal' | 'consumer' | 'client'
  /** The W3C `traceparent` of what caused it; default: the span around it. */
  parent?: string | undefined
  /** Others that caused it too. */
  links?: readonly (string | undefined)[]
  attributes?: Record<string, string | number>
}

export interface Tracing {
  run<T>(options: SpanOptions, work: () => Promise<T>): Promise<T>
  /** Of the span around; undefined outside of one, or if it is not sampled. */
  traceparent(): string | undefined
}

let tracing: Tracing | undefined

/** Switches traces on, for the whole process, or off. */
export function useTracing(given: Tracing | undefined): void {
  tracing = given
}

/** Does work as a span. While traces are off this is a call and nothing more. */
export const traced = <T>(options: () => SpanOptions, work: () => Promise<T>): Promise<T> =>
  tracing ? tracing.run(options(), work) : work()

/** What to keep with work that is done later, so that it continues this trace. */
export const traceparent = (): string | undefined => tracing?.traceparent()
