import { normaliseUnit } from '../facts/convert.ts'
import { exact, isPlausible } from '../facts/rules.ts'
import type { Biomarker } from '../facts/schema.ts'
import type { Observation } from '../parse/parsed.ts'
import type { Candidate } from './duplicates.ts'

/** Of the white cells: together they are all of them. */
const differential = [
  'neutrophils',
  'lymphocytes',
  'monocytes',
  'eosinophils',
  'basophils',
  'bands',
  'segs',
  'blasts',
].map((cell) => `${cell}_pct`)
const LEAST_CELLS = 3
/** Rounded shares of one whole. */
const WHOLE = { low: 0.9, high: 1.1 }

/** What an implausible number would be if its unit were the other way to say a share, where that is plausible. */
export function asOtherShare(biomarker: Biomarker, converted: number): string | undefined {
  if (biomarker.unit !== '%') return undefined
  const [share, percent] = [exact(converted * 100), exact(converted / 100)]
  if (isPlausible(biomarker, share)) return `as a share of 1 it would be ${share} %`
  return isPlausible(biomarker, percent) ? `as a percent it would be ${percent} %` : undefined
}

/** A range of a percent that lies between 0 and 1, without them, is one of shares. */
export const isRangeOfShares = (biomarker: Biomarker, { unit = '', range }: Observation): boolean =>
  biomarker.id.endsWith('_pct') && normaliseUnit(unit) === '%' && (range?.low ?? 0) > 0 && (range?.high ?? 2) <= 1

/** White cells in percent that sum up to 1 are shares. */
export function isDifferentialOfShares(candidates: readonly Candidate[]): (one: Candidate) => boolean {
  const cells = candidates.flatMap((one) =>
    'converted' in one && differential.includes(one.biomarker.id) ? [one] : [],
  )
  const sum = cells.reduce((total, { converted }) => total + converted.value, 0)
  const areShares = cells.length >= LEAST_CELLS && sum >= WHOLE.low && sum <= WHOLE.high
  return (one) => areShares && cells.some((cell) => cell === one)
}
