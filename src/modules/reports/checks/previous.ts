import { valueText } from '@kitlane/display/report-text'
import { exact } from '@kitlane/lab-reader/facts/rules'
import type { BiomarkerEntry } from '../schema.ts'
import type { PreviousResult } from './schema.ts'

/** An earlier published report of the same person. */
export interface EarlierVersion {
  reportId: string
  /** `YYYY-MM-DD` */
  day: string
  laboratory?: string
  entries: readonly BiomarkerEntry[]
}

/** The last earlier result of each biomarker in the same unit, and how the one of now differs; `earlier` from the newest on. */
export function previousResults(
  entries: readonly BiomarkerEntry[],
  earlier: readonly EarlierVersion[],
): ReadonlyMap<string, PreviousResult> {
  const found = entries.flatMap((entry) => {
    for (const version of earlier) {
      const then = version.entries.find(({ id, unit }) => id === entry.id && unit === entry.unit)
      if (then && (then.result !== null || then.finding)) return [[entry.id, compared(entry, then, version)] as const]
    }
    return []
  })
  return new Map(found)
}

function compared(now: BiomarkerEntry, then: BiomarkerEntry, from: EarlierVersion): PreviousResult {
  const { result, comparator, finding } = then
  const isExact = now.result !== null && result !== null && !now.comparator && !comparator
  const difference = isExact ? exact((now.result ?? 0) - result) : undefined
  return {
    reportID: from.reportId,
    date: `${from.day}T00:00:00.000Z`,
    ...(from.laboratory && { laboratory: from.laboratory }),
    ...(result !== null && { result }),
    ...(comparator && { comparator }),
    ...(finding && { value: valueText(then) }),
    ...(difference !== undefined && { difference }),
    ...(difference !== undefined && result !== null && result > 0 && { percent: round((100 * difference) / result) }),
  }
}

const round = (percent: number) => Math.round(percent * 10) / 10
