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

/** Of the entries of a list those that show more than the fullest one does; of plain values two. */
export function brief(value: unknown): unknown {
  if (Array.isArray(value)) {
    const entries = value.map(brief)
    if (entries.length < 2 || !entries.every(isObject)) return entries.slice(0, 2)
    const length = (entry: object) => JSON.stringify(entry).length
    const fullest = entries.reduce((one, other) => (length(other) > length(one) ? other : one))
    return entries.filter((one) => one === fullest || Object.keys(one).some((name) => !(name in fullest)))
  }
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, brief(inner)]))
}

const isObject = (value: unknown): value is object =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

export const noExamples: Examples = { routes: {}, events: {}, errors: {} }
