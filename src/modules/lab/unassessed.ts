import { normaliseName } from '@kitlane/lab-reader/facts/match'
import type { IdentifiedReport } from '@kitlane/lab-reader/identify/identify'
import type { Unmatched } from '@kitlane/lab-reader/identify/unmatched'
import { isUsable } from '@kitlane/lab-reader/parse/status'
import type { NewUnassessed } from '../reports/unassessed/rules.ts'

const notKept: readonly Unmatched['code'][] = [
  'withdrawn',
  'replaced',
  'replacedByFinal',
  'superseded',
  'absent',
  'sampleFact',
]

/** The observations to keep for a person. Withdrawn, replaced, absent and pending ones, and facts of the sample, are not kept, unless a pending one has a value. */
export const unassessedOf = (unmatched: readonly Unmatched[], collectedDate?: string): NewUnassessed[] =>
  unmatched
    .filter(({ code, valueText }) => !notKept.includes(code) && (code !== 'pending' || valueText !== ''))
    .map((one) => newUnassessed(one, collectedDate))

/**
 * The same of a file of a business: which earlier report shows what it takes back, a person has to see. What comes again in
 * the file is only replaced.
 */
export function unassessedOfFile({ results, unmatched, observations }: IdentifiedReport, collectedDate: string) {
  const standing = [...results, ...observations.filter(({ status }) => isUsable(status))]
  const names = new Set(standing.map(({ name }) => normaliseName(name)))
  const takenBack = unmatched.filter(({ code, name }) => code === 'withdrawn' && !names.has(normaliseName(name)))
  return [
    ...unassessedOf(unmatched, collectedDate),
    ...takenBack.map((one) => ({
      ...newUnassessed(one, collectedDate),
      reason: 'The laboratory took it back: see whether an earlier report shows it',
    })),
  ]
}

const newUnassessed = (
  { valueText, rangeText, sent, ...rest }: Unmatched,
  collectedDate: string | undefined,
): NewUnassessed => ({
  ...rest,
  value: valueText,
  ...(rangeText && { range: rangeText }),
  sent: { ...(collectedDate && { collectedDate }), ...sent },
})
