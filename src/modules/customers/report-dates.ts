import { z } from 'zod'
import { timestamp } from '../../platform/http/fields.ts'

const precision = z.enum(['day', 'time']).describe('day: only the day is known, from 0:00 UTC.')

/** The dates of a report: timestamps, since clients read them as such. */
export const reportDates = {
  collectedDate: timestamp.optional(),
  collectedPrecision: precision.optional(),
  resultedDate: timestamp.optional(),
  resultedPrecision: precision.optional(),
}

interface Known {
  /** `YYYY-MM-DD`, or a time. */
  collectedDate?: string | null | undefined
  resultedDate?: string | null | undefined
}

/** The dates that are known as an answer has them. */
export function datesAnswer({ collectedDate, resultedDate }: Known) {
  return {
    ...(collectedDate && { collectedDate: instant(collectedDate), collectedPrecision: precisionOf(collectedDate) }),
    ...(resultedDate && { resultedDate: instant(resultedDate), resultedPrecision: precisionOf(resultedDate) }),
  }
}

export const instant = (value: string) => new Date(value).toISOString()
const precisionOf = (value: string) => (value.length === 10 ? ('day' as const) : ('time' as const))
