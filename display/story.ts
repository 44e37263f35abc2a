import { byHarm, harmOf, isOutside, isUrgent, type Placed } from './harm.ts'
import { type Interval, isInside } from './interval.ts'

/** What is read of a value to say how it stands in its report. */
interface StoryLine extends Placed {
  id: string
  result: number | null
  withdrawn?: object | undefined
}

interface Summed {
  biomarker: readonly Pick<
    StoryLine,
    'state' | 'interpretation' | 'critical' | 'holdsReport' | 'withdrawn' | 'expresses'
  >[]
  unassessed: readonly { critical: boolean }[]
}

/** What a sentence of an opening says; `…Slightly`: all of those outside are only a little so. */
export const openingKinds = [
  'urgent',
  'empty',
  'allWithdrawn',
  'oneOpen',
  'allOpen',
  'oneInside',
  'allInside',
  'someInside',
  'oneOutside',
  'oneOutsideSlightly',
  'outside',
  'outsideSlightly',
  'outsideSome',
  'othersInside',
  'moreInside',
  'open',
  'marked',
] as const
export type OpeningKind = (typeof openingKinds)[number]

export interface OpeningSentence {
  says: OpeningKind
  /** Of how many it says it. */
  count: number
  /** All values. */
  total: number
  /** How many of those outside are only a little so. */
  slight: number
}

/**
 * How a report opens: how many values need a doctor, are outside, are within, and could not be judged. It is counted from the
 * verdicts and says no more than they do; what was withdrawn does not count.
 */
export function openingOf({ biomarker, unassessed }: Summed): OpeningSentence[] {
  const shown = biomarker.filter(({ withdrawn, expresses }) => !withdrawn && !expresses)
  const judged = shown.filter(({ state }) => state !== 'unknown')
  const urgent = shown.filter((entry) => harmOf(entry) === 'critical').length
  const marked = unassessed.filter(({ critical }) => critical).length
  const open = shown.length - judged.length + unassessed.length
  const total = judged.length + open
  const outside = judged.filter((entry) => isOutside(entry) || isUrgent(entry)).length
  const slight = judged.filter((entry) => entry.state === 'fair' && !isUrgent(entry)).length
  const inside = judged.length - outside
  const say = (says: OpeningKind, count: number): OpeningSentence => ({ says, count, total, slight })
  const kinds = [
    ...(urgent > 0 ? [say('urgent', urgent)] : []),
    say(
      total === 0 && biomarker.some(({ withdrawn }) => withdrawn)
        ? 'allWithdrawn'
        : judgedKind({ total, judged: judged.length, outside, slight }),
      outside === 0 ? inside : outside,
    ),
    ...(outside > 0 && inside > 0 ? [say(inside === total - outside ? 'othersInside' : 'moreInside', inside)] : []),
    ...(open > 0 && judged.length > 0 ? [say('open', open)] : []),
    ...(marked > 0 ? [say('marked', marked)] : []),
  ]
  return kinds
}

interface Counts {
  total: number
  judged: number
  outside: number
  slight: number
}

function judgedKind({ total, judged, outside, slight }: Counts): OpeningKind {
  if (total === 0) return 'empty'
  if (judged === 0) return total === 1 ? 'oneOpen' : 'allOpen'
  if (outside === 0) {
    if (total === 1) return 'oneInside'
    return judged === total ? 'allInside' : 'someInside'
  }
  if (total === 1) return slight === 1 ? 'oneOutsideSlightly' : 'oneOutside'
  if (slight === 0) return 'outside'
  return slight === outside ? 'outsideSlightly' : 'outsideSome'
}

/** The zones of a value, as far as they count as a change: within the normal range there is only one. */
export type Zone = 'within' | 'slight' | 'far'

interface Zoned {
  ranges: { inRange: Interval | null; fair: readonly Interval[] }
  targetType: 'lower' | 'higher' | 'range'
}

/** Where a value lies by the ranges of a report; undefined where none judges it. A side that does no harm is within. */
export function zoneOf({ ranges: { inRange, fair }, targetType }: Zoned, value: number): Zone | undefined {
  if (!inRange) return undefined
  const isHarmless =
    (targetType === 'lower' && inRange.low !== null && value <= inRange.low) ||
    (targetType === 'higher' && inRange.high !== null && value >= inRange.high)
  if (isHarmless || isInside(inRange, value)) return 'within'
  return fair.some((one) => isInside(one, value)) ? 'slight' : 'far'
}

interface Point {
  timestamp: string
  laboratory?: string | undefined
}

export interface Followed extends StoryLine, Zoned {
  comparator?: string | undefined
  expected?: { values: readonly string[] } | undefined
  historic: readonly (Point & { result: number })[]
  historicFindings: readonly (Point & { value: string })[]
}

/** The value before the one of this report. */
export function earlierValue<T extends Followed>(entry: T): T['historic'][number] | undefined {
  return entry.result === null ? entry.historic.at(-1) : entry.historic.at(-2)
}

export interface Change<T> {
  kind: 'worse' | 'still' | 'open' | 'better' | 'new'
  entry: T
  /** The value before, where it was a number, and of which day. */
  before?: { result?: number; value?: string; timestamp: string }
}

const zones: readonly Zone[] = ['within', 'slight', 'far']

/**
 * What changed since the person's last values, worst first: a value that crossed a limit (of its normal range, or from a little
 * outside to far), judged both times by the ranges of this report; one that is new; one that could be judged before and cannot
 * now. A move within a zone is none, since values differ from one day to the next: outside both times is shown as such.
 */
export function changesSince<T extends Followed>(entries: readonly T[]): { since?: string; changes: Change<T>[] } {
  const shown = entries.filter(({ withdrawn }) => !withdrawn)
  const times = shown.flatMap((entry) =>
    [earlierValue(entry)?.timestamp ?? [], entry.historicFindings.at(-2)?.timestamp ?? []].flat(),
  )
  const since = times.toSorted().at(-1)
  if (since === undefined) return { changes: [] }
  const changes = byHarm(shown).flatMap((entry): Change<T>[] => changeOf(entry) ?? [])
  const order = ['worse', 'still', 'open', 'better', 'new']
  return { since, changes: changes.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind)) }
}

function changeOf<T extends Followed>(entry: T): Change<T>[] | undefined {
  if (entry.finding) return findingChange(entry)
  const before = earlierValue(entry)
  if (entry.result === null) return before && [{ kind: 'open', entry, before }]
  if (!before) return [{ kind: 'new', entry }]
  const [then, now] = [zoneOf(entry, before.result), stateZone(entry)]
  if (!then || !now || (then === now && now === 'within')) return undefined
  // A laboratory's flag may say otherwise than the ranges: the value then crossed nothing that is known.
  if (!entry.comparator && zoneOf(entry, entry.result) !== now) return undefined
  if (then === now) return [{ kind: 'still', entry, before }]
  return [{ kind: zones.indexOf(now) > zones.indexOf(then) ? 'worse' : 'better', entry, before }]
}

function stateZone({ state }: StoryLine): Zone | undefined {
  if (state === 'unknown') return undefined
  return state === 'poor' ? 'far' : state === 'fair' ? 'slight' : 'within'
}

function findingChange<T extends Followed>(entry: T): Change<T>[] | undefined {
  const before = entry.historicFindings.at(-2)
  if (!before) return [{ kind: 'new', entry }]
  const normal = (entry.expected?.values ?? []).map((value) => value.toLowerCase())
  if (normal.length === 0 || entry.state === 'unknown') return undefined
  const [wasNormal, isNormal] = [normal.includes(before.value.toLowerCase()), entry.state === 'good']
  return wasNormal === isNormal ? undefined : [{ kind: isNormal ? 'better' : 'worse', entry, before }]
}
