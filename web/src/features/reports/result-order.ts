import type { components, paths } from '@kitlane/client'
import { isCritical } from '@kitlane/display/interpretation'

export type Entry =
  paths['/operator/v1/reports/{reportID}']['get']['responses'][200]['content']['application/json']['biomarker'][number]
export type Interpretation = components['schemas']['Report']['biomarker'][number]['interpretation']

export type Urgency = 'critical' | 'outside' | 'unknown' | 'inside'

const order: readonly Urgency[] = ['critical', 'outside', 'unknown', 'inside']

export function urgencyOf({ interpretation }: Pick<Entry, 'interpretation'>): Urgency {
  if (isCritical(interpretation)) return 'critical'
  if (interpretation === 'L' || interpretation === 'H' || interpretation === 'A') return 'outside'
  return interpretation === '' ? 'unknown' : 'inside'
}

/** What a reviewer has to look at first comes first; otherwise as in the report. */
export function sortByUrgency(entries: readonly Entry[]): Entry[] {
  return [...entries].sort((a, b) => order.indexOf(urgencyOf(a)) - order.indexOf(urgencyOf(b)))
}
