import type { Finding } from './finding.ts'
import { type Interpretation, isCritical } from './interpretation.ts'
import type { Interval } from './interval.ts'

type State = 'optimal' | 'good' | 'fair' | 'poor' | 'unknown'

/** What is read of a value to say how it stands. */
export interface Told {
  id: string
  simpleLabel: string
  state: State
  interpretation: Interpretation
  deviationScore: number | null
  result: number | null
  finding?: Finding | undefined
  critical?: object | undefined
  withdrawn?: object | undefined
}

/** So far outside that the laboratory calls it critical, or beyond a critical limit. */
export const isUrgent = ({ interpretation, critical }: Pick<Told, 'interpretation' | 'critical'>): boolean =>
  critical !== undefined || isCritical(interpretation)

export const isOutside = ({ state }: Pick<Told, 'state'>): boolean => state === 'fair' || state === 'poor'

/** From 0, what needs somebody today, to 5, the best range. What could not be judged comes before what is fine. */
export function harmRank(entry: Told): number {
  if (isUrgent(entry)) return 0
  return { poor: 1, fair: 2, unknown: 3, good: 4, optimal: 5 }[entry.state]
}

/** The most harmful first; among equals the farthest from its limit, else as they came. */
export const byHarm = <T extends Told>(entries: readonly T[]): T[] =>
  entries.toSorted(
    (a, b) => harmRank(a) - harmRank(b) || Math.abs(b.deviationScore ?? 0) - Math.abs(a.deviationScore ?? 0),
  )

interface Summed {
  biomarker: readonly Told[]
  unassessed: readonly { critical: boolean }[]
}

const numbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const counted = (count: number): string => numbers[count] ?? String(count)
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const are = (count: number): string => (count === 1 ? 'is' : 'are')

/**
 * How a report opens: how many values need a doctor, are outside, are within, and could not be judged. It is counted from the
 * verdicts and says no more than they do; what was withdrawn does not count.
 */
export function openingText({ biomarker, unassessed }: Summed): string {
  const shown = biomarker.filter(({ withdrawn }) => !withdrawn)
  const judged = shown.filter(({ state }) => state !== 'unknown')
  const urgent = shown.filter(isUrgent).length
  const marked = unassessed.filter(({ critical }) => critical).length
  const open = shown.length - judged.length + unassessed.length
  const sentences = [
    urgent > 0 && `${capital(counted(urgent))} ${urgent === 1 ? 'result needs' : 'results need'} a doctor today.`,
    judgedText(judged, judged.length + open),
    open > 0 && judged.length > 0 && openText(open),
    marked > 0 &&
      `${capital(counted(marked))} of what could not be judged ${are(marked)} marked by the laboratory: ask a doctor about ${marked === 1 ? 'it' : 'them'}.`,
  ]
  return sentences.filter(Boolean).join(' ')
}

function judgedText(judged: readonly Told[], total: number): string {
  const outside = judged.filter((entry) => isOutside(entry) || isUrgent(entry)).length
  const slight = judged.filter((entry) => entry.state === 'fair' && !isUrgent(entry)).length
  const inside = judged.length - outside
  if (total === 0) return 'This report has no values.'
  if (judged.length === 0)
    return total === 1 ? 'The one value could not be judged.' : `None of the ${total} values could be judged.`
  if (outside === 0) {
    if (total === 1) return 'The one value is in its normal range.'
    return inside === total
      ? `All ${total} values are in their normal range.`
      : `${capital(counted(inside))} of ${total} values ${are(inside)} in ${inside === 1 ? 'its' : 'their'} normal range.`
  }
  const only =
    slight === 0 ? '' : slight === outside ? ', but only a little' : `, ${counted(slight)} of them only a little`
  const its = outside === 1 ? 'its' : 'their'
  const first =
    total === 1
      ? `The one value is outside its normal range${only}.`
      : `${capital(counted(outside))} of ${total} values ${are(outside)} outside ${its} normal range${only}.`
  if (inside === 0) return first
  const rest = inside === total - outside ? `The other ${counted(inside)} ${are(inside)} within it.` : ''
  return `${first} ${rest || `${capital(counted(inside))} ${are(inside)} within it.`}`
}

const openText = (open: number): string =>
  `${capital(counted(open))} could not be judged: about ${open === 1 ? 'it' : 'them'}, this report says nothing.`

/** The zones of a value, as far as they count as a change: within the normal range there is only one. */
export type Zone = 'within' | 'slight' | 'far'

interface Zoned {
  ranges: { inRange: Interval | null; fair: readonly Interval[] }
  targetType: 'lower' | 'higher' | 'range'
}

const holds = ({ low, high, lowExclusive, highExclusive }: Interval, x: number): boolean =>
  (low === null || x > low || (x === low && !lowExclusive)) &&
  (high === null || x < high || (x === high && !highExclusive))

/** Where a value lies by the ranges of a report; undefined where none judges it. A side that does no harm is within. */
export function zoneOf({ ranges: { inRange, fair }, targetType }: Zoned, value: number): Zone | undefined {
  if (!inRange) return undefined
  const isHarmless =
    (targetType === 'lower' && inRange.low !== null && value < inRange.low) ||
    (targetType === 'higher' && inRange.high !== null && value > inRange.high)
  if (isHarmless || holds(inRange, value)) return 'within'
  return fair.some((one) => holds(one, value)) ? 'slight' : 'far'
}

interface Point {
  timestamp: string
  laboratory?: string | undefined
}

export interface Followed extends Told, Zoned {
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
 * now. A move within a zone is none, since values differ from one day to the next: outside both times is said as that.
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

function stateZone({ state }: Told): Zone | undefined {
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
