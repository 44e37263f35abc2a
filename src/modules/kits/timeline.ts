import type { LifetimeStatus } from './lifecycle.ts'
import { exceptionOf, type KitEvent, type KitState, standing } from './rules.ts'
import { nextAfter, usualDays } from './usual-days.ts'

export const changeSources = ['operator', 'laboratory', 'carrier', 'recipient', 'business', 'system'] as const
export type ChangeSource = (typeof changeSources)[number]

/** A change of a kit, as its event keeps it. */
export interface KitChange {
  event: KitEvent
  reportStatus: 'inReview' | 'published' | 'rejected' | 'notStarted'
  reason: string | null
  at: Date
  /** Null: from before it was recorded. */
  actor: string | null
}

export interface TimelineItem {
  type: KitEvent
  at: string
  by: ChangeSource
  reason?: string
  /** At reportReady: where the report is since then. */
  report?: 'inReview' | 'published' | 'rejected'
  late?: boolean
  usuallyDays?: number
}

// The usual source of each change, where the actor does not tell: the operator's machines and staff look alike.
const usualSources: Record<KitEvent, ChangeSource> = {
  orderPlaced: 'business',
  kitPreparing: 'operator',
  kitInTransit: 'operator',
  kitDelivered: 'carrier',
  kitRegistered: 'business',
  sampleInTransit: 'carrier',
  sampleReceived: 'laboratory',
  reportReady: 'laboratory',
  sampleRejected: 'laboratory',
  deliveryException: 'carrier',
  collectionException: 'operator',
  registrationException: 'system',
  canceled: 'business',
}

// The names of actors begin with what they are.
const byActor: Readonly<Record<string, ChangeSource>> = {
  recipient: 'recipient',
  carrier: 'carrier',
  cli: 'operator',
  job: 'system',
  system: 'system',
}

/** Where a change of a kit came from. In the sandbox the business moves its kits itself. */
function sourceOf(event: KitEvent, actor: string | null, mode: 'live' | 'sandbox'): ChangeSource {
  const kind = actor?.split(':')[0] ?? ''
  const source = byActor[kind]
  if (source) return source
  if (event === 'registrationException') return 'system'
  if (mode === 'sandbox' && (kind === 'token' || kind === 'user')) return 'business'
  return usualSources[event]
}

const DAY_MS = 86_400_000

/**
 * What happened to a kit, oldest first, with the source of each change. A step that was filled in, because a later one was
 * reported at the same moment, comes from the system. `late`: more days than usual after the step before it.
 */
export function timelineOf(
  kit: { progress: KitState['progress']; createdAt: Date },
  changes: readonly KitChange[],
  { mode, placed }: { mode: 'live' | 'sandbox'; placed: { reason?: string } },
): TimelineItem[] {
  const at = kit.progress.orderPlaced ?? kit.createdAt.toISOString()
  const items: TimelineItem[] = [{ type: 'orderPlaced', at, by: 'business', ...placed }]
  for (const [index, change] of changes.entries()) {
    const last = items.at(-1)
    const report =
      change.event === 'reportReady' && change.reportStatus !== 'notStarted' ? change.reportStatus : undefined
    if (last?.type === change.event && change.event === 'reportReady' && last.report === report) continue
    const isLast = changes.findLastIndex(({ event }) => event === change.event) === index
    const at = (isLast && !report && timeOf(kit.progress, change.event)) || change.at.toISOString()
    items.push({
      type: change.event,
      at,
      by: isFilledIn(changes, index) ? 'system' : sourceOf(change.event, change.actor, mode),
      ...(change.reason !== null && isReasoned(change.event) && { reason: change.reason }),
      ...(report && { report }),
      ...(last?.type !== change.event && lateness(change.event, last?.at, at)),
    })
  }
  return items
}

const timeOf = (progress: KitState['progress'], event: KitEvent) => progress[event as LifetimeStatus]

const isReasoned = (event: KitEvent) =>
  event === 'sampleRejected' || event === 'canceled' || event.endsWith('Exception')

/** Whether a change was filled in: the reported one follows at the same moment. A registration in doubt was reported itself. */
function isFilledIn(changes: readonly KitChange[], index: number): boolean {
  const [change, next] = [changes[index], changes[index + 1]]
  return change !== undefined && next?.at.getTime() === change.at.getTime() && next.event !== 'registrationException'
}

function lateness(event: KitEvent, before: string | undefined, at: string): Pick<TimelineItem, 'late' | 'usuallyDays'> {
  const days = usualDays[event as LifetimeStatus]
  if (days === undefined || before === undefined) return {}
  return { usuallyDays: days, late: Date.parse(at) - Date.parse(before) > days * DAY_MS }
}

/** The step that a kit waits for, and since when it is late; undefined where nothing is to come, or a person has to act first. */
export function nextOf(
  state: KitState,
  now: Date,
): { type: LifetimeStatus; usuallyDays?: number; lateSince?: string } | undefined {
  if (exceptionOf(state)) return undefined
  const at = standing(state)
  const type = nextAfter(at)
  const since = state.progress[at]
  if (!type || at === 'sampleRejected') return undefined
  const days = usualDays[type]
  if (days === undefined || since === undefined) return { type }
  const due = new Date(Date.parse(since) + days * DAY_MS)
  return { type, usuallyDays: days, ...(due < now && { lateSince: due.toISOString() }) }
}
