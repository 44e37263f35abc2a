import type { LifetimeStatus } from './lifecycle.ts'
import { exceptionOf, type KitEvent, type KitState, standing } from './rules.ts'
import { nextAfter, usualDays } from './usual-days.ts'

export const sayers = ['operator', 'laboratory', 'carrier', 'recipient', 'business', 'system'] as const
export type Sayer = (typeof sayers)[number]

/** A change of a kit, as its event keeps it. */
export interface Said {
  event: KitEvent
  reportStatus: 'inReview' | 'published' | 'rejected' | 'notStarted'
  reason: string | null
  at: Date
  /** Null: before it was kept. */
  actor: string | null
}

export interface TimelineItem {
  type: KitEvent
  at: string
  by: Sayer
  reason?: string
  /** At reportReady: where the report is since then. */
  report?: 'inReview' | 'published' | 'rejected'
  late?: boolean
  usuallyDays?: number
}

// Who brings such news, where who said it does not tell: all of the operator's machines and staff look alike.
const usualSayers: Record<KitEvent, Sayer> = {
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
const byActor: Readonly<Record<string, Sayer>> = {
  recipient: 'recipient',
  carrier: 'carrier',
  cli: 'operator',
  job: 'system',
  system: 'system',
}

/** Who said that something happened to a kit. In the sandbox the business moves its kits itself. */
function sayerOf(event: KitEvent, actor: string | null, mode: 'live' | 'sandbox'): Sayer {
  const kind = actor?.split(':')[0] ?? ''
  const sayer = byActor[kind]
  if (sayer) return sayer
  if (event === 'registrationException') return 'system'
  if (mode === 'sandbox' && (kind === 'token' || kind === 'user')) return 'business'
  return usualSayers[event]
}

const DAY_MS = 86_400_000

/**
 * What happened to a kit, oldest first, with who said so. A step that was only filled in, because a later one was told in the
 * same moment, is said by the system. `late`: more days than usual after the step before it.
 */
export function timelineOf(
  kit: { progress: KitState['progress']; createdAt: Date },
  told: readonly Said[],
  { mode, placed }: { mode: 'live' | 'sandbox'; placed: { reason?: string } },
): TimelineItem[] {
  const at = kit.progress.orderPlaced ?? kit.createdAt.toISOString()
  const items: TimelineItem[] = [{ type: 'orderPlaced', at, by: 'business', ...placed }]
  for (const [index, said] of told.entries()) {
    const last = items.at(-1)
    const report = said.event === 'reportReady' && said.reportStatus !== 'notStarted' ? said.reportStatus : undefined
    if (last?.type === said.event && said.event === 'reportReady' && last.report === report) continue
    const isLast = told.findLastIndex(({ event }) => event === said.event) === index
    const at = (isLast && !report && timeOf(kit.progress, said.event)) || said.at.toISOString()
    items.push({
      type: said.event,
      at,
      by: isFilledIn(told, index) ? 'system' : sayerOf(said.event, said.actor, mode),
      ...(said.reason !== null && isReasoned(said.event) && { reason: said.reason }),
      ...(report && { report }),
      ...(last?.type !== said.event && lateness(said.event, last?.at, at)),
    })
  }
  return items
}

const timeOf = (progress: KitState['progress'], event: KitEvent) => progress[event as LifetimeStatus]

const isReasoned = (event: KitEvent) =>
  event === 'sampleRejected' || event === 'canceled' || event.endsWith('Exception')

/** Followed in the same moment by what was really told. A registration in doubt was told, and the doubt is ours. */
function isFilledIn(told: readonly Said[], index: number): boolean {
  const [said, next] = [told[index], told[index + 1]]
  return said !== undefined && next?.at.getTime() === said.at.getTime() && next.event !== 'registrationException'
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
