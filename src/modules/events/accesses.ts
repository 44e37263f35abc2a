import type { SessionScope } from '../../domain/scopes.ts'
import { eventTypes, scopeOfEvent } from './event-types.ts'

/** An event as a caller sees it. */
export interface ShownEvent {
  type: string
  data: Record<string, unknown>
}

/** A kit that nobody has registered tells nothing about anyone's health. */
const showsPerson = ({ type, data }: ShownEvent) =>
  type === 'kit.updated' && Boolean(data.customerID ?? data.registeredToEmail)

const aboutReports = new Set(['report.published', 'result.withdrawn'])

/** The kits and the reports that events tell of somebody's health by, for the audit. */
export const kitsShown = (events: readonly ShownEvent[]): string[] =>
  events.filter(showsPerson).map(({ data }) => String(data.kitID))
export const reportsShown = (events: readonly ShownEvent[]): string[] =>
  events.filter(({ type }) => aboutReports.has(type)).map(({ data }) => String(data.reportID))

/** The requested types, or all, that the caller's scopes allow. A test event is about nobody, so everyone may read it. */
export function readableTypes(scopes: ReadonlySet<SessionScope>, requested?: readonly string[]): string[] {
  const allowed = eventTypes.filter((type) => scopes.has(scopeOfEvent[type]))
  return [...allowed, 'webhook.test'].filter((type) => requested === undefined || requested.includes(type))
}
