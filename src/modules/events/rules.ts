/** What tells of a person, in the data of any event: e-mail addresses, and why a kit or sample has a problem. */
export const personalFields = ['recipientEmail', 'registeredToEmail', 'exceptionReason'] as const

const isPersonal = new Set<string>(personalFields)

/** The data with the personal parts emptied; undefined where it has none. */
export function withoutPerson(data: unknown): unknown {
  if (data === null || typeof data !== 'object') return undefined
  const entries = Object.entries(data)
  if (!entries.some(([name, value]) => isPersonal.has(name) && value)) return undefined
  return Object.fromEntries(entries.map(([name, value]) => [name, isPersonal.has(name) ? '' : value]))
}

// A notification holds 8,000 bytes, an ID about 30.
const AT_ONCE = 150

/** Messages with the trace of these events: the trace, then the events. */
export function tracesOf(trace: string, eventIds: readonly string[]): string[] {
  const count = Math.ceil(eventIds.length / AT_ONCE)
  return Array.from({ length: count }, (_, n) => [trace, ...eventIds.slice(n * AT_ONCE, (n + 1) * AT_ONCE)].join(' '))
}
