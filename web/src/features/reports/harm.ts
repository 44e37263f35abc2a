import type { Answer } from '@kitlane/client'
import { byHarm, harmOf, type Harm as Rank, harms as ranks } from '@kitlane/display/harm'
import type { Report, ReportReview } from '../../api/shapes.ts'

export type Reviewed = Answer<'get', '/operator/v1/reports/{reportID}'>
export type Unassessed = Reviewed['unassessed'][number]
export type AnyReport = Report | ReportReview
export type Entry = AnyReport['biomarker'][number] | Reviewed['biomarker'][number]

/** How much a value needs somebody; `toCheck`: in range, but a check is about it, or the laboratory marked it. */
export type Harm = Rank | 'toCheck'

export const harms: readonly Harm[] = ranks.flatMap((harm): Harm[] => (harm === 'inRange' ? ['toCheck', harm] : [harm]))

export interface Sorted<E> {
  entries: E[]
  unassessed: Unassessed[]
}

interface Sortable<E> {
  biomarker: readonly E[]
  unassessed: readonly Unassessed[]
  /** What a reviewer should look at; only of a report in review. */
  checks?: readonly { biomarkers: readonly string[] }[]
}

/** Every value of a report in groups, the most harmful first. */
export function groupsByHarm<E extends Entry>({ biomarker, unassessed, checks }: Sortable<E>): Map<Harm, Sorted<E>> {
  const checked = new Set(checks?.flatMap(({ biomarkers }) => biomarkers))
  const isToCheck = ({ id, interpretation }: E) =>
    checks !== undefined && (checked.has(id) || ['L', 'H', 'A'].includes(interpretation))
  const groupOf = (entry: E): Harm => {
    const harm = harmOf(entry)
    return harm === 'inRange' && isToCheck(entry) ? 'toCheck' : harm
  }
  const sorted = byHarm(biomarker)
  return new Map(
    harms.map((harm) => [
      harm,
      {
        // In range, the order of the catalogue is easier to read.
        entries: (harm === 'inRange' ? biomarker : sorted).filter((entry) => groupOf(entry) === harm),
        unassessed: unassessed.filter(({ critical }) => harm === (critical ? 'critical' : 'notJudged')),
      },
    ]),
  )
}

/** What somebody must be notified of before the report is published, in words. */
export const criticalNames = (
  { biomarker, unassessed }: Sortable<Entry>,
  notAssessed: (one: Unassessed) => string,
): string[] => [
  ...biomarker.filter((entry) => harmOf(entry) === 'critical').map(({ label }) => label),
  ...unassessed.filter(({ critical }) => critical).map(notAssessed),
]

/** Which of them wait, so that who publishes says what was seen. */
export const idsOf = (results: readonly { id?: string | undefined }[]): string[] =>
  results.flatMap(({ id }) => (id === undefined ? [] : [id]))
