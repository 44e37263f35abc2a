import type { Answer } from '@kitlane/client'
import { isCritical } from '@kitlane/display/interpretation'

export type Entry = Answer<'get', '/operator/v1/reports/{reportID}'>['biomarker'][number]

export type Urgency = 'critical' | 'outside' | 'unknown' | 'inside'

const order: readonly Urgency[] = ['critical', 'outside', 'unknown', 'inside']

export function urgencyOf({ interpretation, critical }: Pick<Entry, 'interpretation' | 'critical'>): Urgency {
  if (critical ?? isCritical(interpretation)) return 'critical'
  if (interpretation === 'L' || interpretation === 'H' || interpretation === 'A') return 'outside'
  return interpretation === '' ? 'unknown' : 'inside'
}

/** The most urgent first; otherwise in the order of the report. */
export function sortByUrgency(entries: readonly Entry[]): Entry[] {
  return [...entries].sort((a, b) => order.indexOf(urgencyOf(a)) - order.indexOf(urgencyOf(b)))
}
