import type { Answer } from '@kitlane/client'
import { harmRank, isUrgent } from '@kitlane/display/story'

export type Reviewed = Answer<'get', '/operator/v1/reports/{reportID}'>
export type Entry = Reviewed['biomarker'][number]
export type Unassessed = Reviewed['unassessed'][number]

/** How much a value needs the reviewer; `toCheck`: in range, but a check is about it. */
export type Harm = 'critical' | 'outside' | 'little' | 'notJudged' | 'toCheck' | 'fine'

export const harms: readonly Harm[] = ['critical', 'outside', 'little', 'notJudged', 'toCheck', 'fine']

const told = (entry: Entry) => ({ ...entry, result: entry.result ?? null })

/** A finding that is never published without a person needs one as much as a critical value. */
const isCriticalEntry = (entry: Entry): boolean => isUrgent(told(entry)) || entry.holdsReport === true

/** The laboratory's own flag counts also where the catalogue's ranges say less. */
function harmOf(entry: Entry, checked: ReadonlySet<string>): Harm {
  if (isCriticalEntry(entry)) return 'critical'
  const rank = harmRank(told(entry))
  if (rank === 1) return 'outside'
  if (rank === 2 || ['L', 'H', 'A'].includes(entry.interpretation)) return 'little'
  if (rank === 3) return 'notJudged'
  return checked.has(entry.id) ? 'toCheck' : 'fine'
}

export interface Sorted {
  entries: Entry[]
  unassessed: Unassessed[]
}

/** Every value of a report by harm; among equals the farthest from its limit first. */
export function byHarm({ biomarker, unassessed, checks }: Reviewed): Map<Harm, Sorted> {
  const checked = new Set(checks.flatMap(({ biomarkers }) => biomarkers))
  const farthest = biomarker.toSorted((a, b) => Math.abs(b.deviationScore ?? 0) - Math.abs(a.deviationScore ?? 0))
  return new Map(
    harms.map((harm) => [
      harm,
      {
        // In range, the order of the report is easier to read.
        entries: (harm === 'fine' ? biomarker : farthest).filter((entry) => harmOf(entry, checked) === harm),
        unassessed: unassessed.filter(({ critical }) => harm === (critical ? 'critical' : 'notJudged')),
      },
    ]),
  )
}

/** What must be told of before the report is published, in words. */
export const criticalNames = (
  { biomarker, unassessed }: Reviewed,
  notAssessed: (one: Unassessed) => string,
): string[] => [
  ...biomarker.filter(isCriticalEntry).map(({ label }) => label),
  ...unassessed.filter(({ critical }) => critical).map(notAssessed),
]
