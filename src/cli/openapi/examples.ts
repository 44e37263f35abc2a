/** What a test asked of a route, and was answered, by status. */
export interface RouteExample {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  request?: unknown
  answers: Record<string, unknown>
}

/** Examples that tests made: test/examples.json, written by `npm run generate:examples`. */
export interface Examples {
  /** By operationId. */
  routes: Record<string, RouteExample>
  /** Bodies of webhooks, by the type of their event. */
  events: Record<string, unknown>
  /** Refusals, by code. */
  errors: Record<string, unknown>
}

export const noExamples: Examples = { routes: {}, events: {}, errors: {} }
