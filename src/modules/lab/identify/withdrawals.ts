import { isVetoed } from '../../catalogue/guarded-match.ts'
import { exactName } from '../../catalogue/match.ts'
import type { Biomarker } from '../../catalogue/schema.ts'
import { readingOf } from '../../reports/judge/reading.ts'
import type { Withdrawal } from '../../reports/versions/withdraw.ts'
import { readPrinted } from '../parse/number.ts'
import type { Observation } from '../parse/parsed.ts'
import { biomarkerOf } from './biomarker.ts'

export interface Withdrawals {
  known: (Withdrawal & { observation: Observation })[]
  /** Withdrawals of an unknown result: a person decides. */
  unknown: Observation[]
}

/** The result is pending, which withdraws no earlier one. */
const pendingWords = /^(pending|in (process|progress)|to follow)\b/i

/**
 * The earlier results that observations withdraw: withdrawn or deleted ones, those that could not be obtained, and those
 * whose newest value is not a number or not usable. `taken`: the biomarkers that have a usable new result.
 */
export function withdrawalsIn(
  observations: readonly Observation[],
  taken: ReadonlySet<string>,
  catalogue: readonly Biomarker[],
): Withdrawals {
  const found: Withdrawals = { known: [], unknown: [] }
  for (const observation of observations) {
    const why = whyWithdrawn(observation)
    if (!why) continue
    const named = biomarkerOf(catalogue, observation, () => [])
    if ('biomarker' in named) {
      const { id } = named.biomarker
      if (!taken.has(id)) found.known.push({ biomarkerId: id, why, ...printedValue(observation), observation })
    } else if ((why === 'withdrawn' || why === 'notObtained') && !isOfAnotherSpecimen(observation, catalogue)) {
      found.unknown.push(observation)
    }
  }
  return found
}

function whyWithdrawn({ status, value, valueText, doubt }: Observation): Withdrawal['why'] | undefined {
  if (status === 'entered-in-error') return 'withdrawn'
  if (status === 'cancelled') return 'notObtained'
  if (status !== 'final' && status !== 'corrected') return undefined
  if (value !== undefined || (doubt && valueText !== '')) return 'unusable'
  return valueText.trim() === '' || pendingWords.test(valueText.trim()) ? undefined : 'replaced'
}

/** Only a withdrawal prints the withdrawn value, with the same decimal sign as the result. */
function printedValue({ status, valueText: text, unit }: Observation): Pick<Withdrawal, 'value' | 'text' | 'unit'> {
  if (status !== 'entered-in-error') return {}
  const value = readingOf(text)?.value ?? readPrinted(text, 'decimal').value
  return value === undefined ? {} : { value, text, ...(unit && { unit }) }
}

function isOfAnotherSpecimen({ name, section = '' }: Observation, catalogue: readonly Biomarker[]): boolean {
  return (isVetoed(name) && !exactName(catalogue, name)) || isVetoed(section)
}
