import { isVetoed } from '@kitlane/lab-reader/facts/guarded-match'
import { exactName } from '@kitlane/lab-reader/facts/match'
import { readingOf } from '@kitlane/lab-reader/facts/reading'
import type { Biomarker } from '@kitlane/lab-reader/facts/schema'
import { biomarkerOf } from '@kitlane/lab-reader/identify/biomarker'
import { readPrinted } from '@kitlane/lab-reader/parse/number'
import type { Observation } from '@kitlane/lab-reader/parse/parsed'
import { isTakenBack } from '@kitlane/lab-reader/parse/status'
import type { BiomarkerEntry } from '../../reports/schema.ts'
import { unassessedKey } from '../../reports/unassessed/service.ts'
import type { Withdrawal } from '../../reports/versions/withdraw.ts'

/** The result is pending, which withdraws no earlier one. */
const pendingWords = /^(pending|in (process|progress)|to follow)\b/i

/** Withdrawals of a result that is not known: a person decides what they mean. */
export const unknownWithdrawals = (
  observations: readonly Observation[],
  catalogue: readonly Biomarker[],
): Observation[] =>
  observations.filter(
    (one) =>
      isTakenBack(one) &&
      !('biomarker' in biomarkerOf(catalogue, one, () => [])) &&
      !isOfAnotherSpecimen(one, catalogue),
  )

interface Assigned {
  key: string
  biomarker: string
  value: string
}

/**
 * What comes again under a name that a person assigned to a biomarker. `changed`: another value, or none any more, so that
 * what the report shows of it no longer holds. `again`: names that came with the same value, which stands.
 */
export function assignedAgain(
  observations: readonly Observation[],
  assigned: readonly Assigned[],
  { entries, taken }: { entries: readonly Pick<BiomarkerEntry, 'id' | 'rawResult'>[]; taken: ReadonlySet<string> },
): { changed: (Withdrawal & { observation: Observation })[]; again: Set<string> } {
  // A name may have been assigned twice: the last one is what the report shows.
  const byKey = new Map(assigned.map((one) => [one.key, one]))
  const changed: (Withdrawal & { observation: Observation })[] = []
  const again = new Set<string>()
  for (const observation of observations) {
    const { name, loinc, status, valueText } = observation
    const one = byKey.get(unassessedKey(name, loinc))
    const isShown = one && entries.some(({ id, rawResult }) => id === one.biomarker && rawResult === one.value)
    if (!isShown || taken.has(one.biomarker) || status === 'pending') continue
    const why = whyWithdrawn(observation)
    const isTakenBack = why === 'withdrawn' || why === 'notObtained'
    if (!isTakenBack && valueText === one.value) again.add(one.key)
    else changed.push({ biomarkerId: one.biomarker, why: why ?? 'unusable', observation })
  }
  return { changed, again }
}

/** Why the earlier result of an observation without a usable one does not stand any more; undefined if it does. */
export function whyWithdrawn({ status, value, valueText, doubt }: Observation): Withdrawal['why'] | undefined {
  if (status === 'entered-in-error') return 'withdrawn'
  if (status === 'cancelled') return 'notObtained'
  if (status !== 'final' && status !== 'corrected') return undefined
  if (value !== undefined || (doubt && valueText !== '')) return 'unusable'
  return valueText.trim() === '' || pendingWords.test(valueText.trim()) ? undefined : 'replaced'
}

/** Only a withdrawal prints the withdrawn value, with the same decimal sign as the result. */
export function printedValue({
  status,
  valueText: text,
  unit,
}: Observation): Pick<Withdrawal, 'value' | 'text' | 'unit'> {
  if (status !== 'entered-in-error') return {}
  const value = readingOf(text)?.value ?? readPrinted(text, 'decimal').value
  return value === undefined ? {} : { value, text, ...(unit && { unit }) }
}

function isOfAnotherSpecimen({ name, section = '' }: Observation, catalogue: readonly Biomarker[]): boolean {
  return (isVetoed(name) && !exactName(catalogue, name)) || isVetoed(section)
}
