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
