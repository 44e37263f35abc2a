import type { SealedEntry } from '../../audit/reader-queries.ts'

export const alarmKinds = ['refusals', 'mass_read', 'new_place', 'broken_seal', 'access_review_due'] as const
export type AlarmKind = (typeof alarmKinds)[number]
export type CountedKind = 'refusals' | 'mass_read'

const MINUTE_MS = 60_000
/** How far back each kind adds up, and how much is too much. */
export const windowMs: Record<CountedKind, number> = { refusals: 10 * MINUTE_MS, mass_read: 60 * MINUTE_MS }

/** So much of one kind by one caller, or from one network, in one minute. */
export interface Count {
  kind: CountedKind
  subject: string
  minute: Date
  amount: number
  firstEntry: number
}

export const refusals: ReadonlySet<string> = new Set([
  'access.refused',
  'session.refused',
  'customer.date_of_birth_refused',
])
/** Actions that show somebody's data. PostgreSQL reads it too. */
export const seeing = /\.(read|viewed|listed|exported)$/
const personal = new Set([
  ...['customer', 'kit', 'order', 'report', 'upload', 'lab_message', 'email'],
  ...['unassessed_result', 'critical_result', 'shop_order', 'plan'],
])
// The person's own pages, and what the service does by itself, read nobody else's data.
const isCaller = (actor: string) => /^(token|user|operator):/.test(actor)

/** A file of a whole list, which does not say whom it showed. */
export const isWholeFile = ({ action, objectId, details }: SealedEntry): boolean =>
  action.endsWith('.listed') && objectId === '*' && !Array.isArray(details?.ids)

export const networkSubject = 'network:'

/**
 * What these entries add to the counts of alarms. Refused attempts count for the caller, or for the network where there is
 * none; `sizeOf` says how many a file of a whole list showed.
 */
export function countsOf(
  entries: readonly SealedEntry[],
  networkOf: (ip: string) => string,
  sizeOf: (entry: SealedEntry) => number,
): Count[] {
  const counts = new Map<string, Count>()
  for (const entry of entries) {
    const one = countOf(entry, networkOf, sizeOf)
    if (!one) continue
    const minute = new Date(Math.floor(entry.at.getTime() / MINUTE_MS) * MINUTE_MS)
    const key = `${one.kind} ${one.subject} ${minute.getTime()}`
    const known = counts.get(key)
    if (known) known.amount += one.amount
    else counts.set(key, { ...one, minute, firstEntry: entry.id })
    const { firstEntry } = counts.get(key) ?? { firstEntry: entry.id }
    if (entry.id < firstEntry) counts.set(key, { ...(counts.get(key) as Count), firstEntry: entry.id })
  }
  return [...counts.values()]
}

function countOf(
  entry: SealedEntry,
  networkOf: (ip: string) => string,
  sizeOf: (entry: SealedEntry) => number,
): Pick<Count, 'kind' | 'subject' | 'amount'> | undefined {
  const { action, actor, objectType, ip, details } = entry
  if (refusals.has(action)) {
    const subject = isCaller(actor) ? actor : `${networkSubject}${ip ? networkOf(ip) : 'unknown'}`
    const more = typeof details?.more === 'number' ? details.more : 1
    return { kind: 'refusals', subject, amount: more }
  }
  if (!isCaller(actor) || !personal.has(objectType) || !seeing.test(action)) return undefined
  const shown = details?.ids
  const amount = isWholeFile(entry) ? sizeOf(entry) : Array.isArray(shown) ? shown.length : 1
  return amount > 0 ? { kind: 'mass_read', subject: actor, amount } : undefined
}
