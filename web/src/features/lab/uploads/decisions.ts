import type { Candidate } from '../../../api/operator-shapes.ts'
import { t } from '../../../language/t.ts'

/** A value that was read, and the person's decision about it. */
export interface Decision {
  row: number
  biomarker: string
  value: string
  unit: string
  range?: Candidate['range']
  /** As printed beside the value. */
  flag: string
  state: 'open' | 'confirmed' | 'out'
}

export const initialDecisions = (candidates: readonly Candidate[]): Decision[] =>
  candidates.map(({ row, name, biomarker, suggestions, value, unit, range, flag }) => ({
    row,
    biomarker: biomarker ?? suggestions[0] ?? name,
    value,
    unit,
    ...(range && { range }),
    flag: flag ?? '',
    state: 'open',
  }))

/** A value that is on the page but was not read. */
export function blankCandidate(candidates: readonly Candidate[]): Candidate {
  const row = Math.max(0, ...candidates.map((candidate) => candidate.row)) + 1
  return { row, raw: '', name: t('Added by hand'), biomarker: '', suggestions: [], value: '', unit: '' }
}

/** Editing a value reopens it, because another value was confirmed. */
export function changeDecision(decisions: readonly Decision[], row: number, part: Partial<Decision>): Decision[] {
  return decisions.map((one) => (one.row === row ? { ...one, state: 'open', ...part } : one))
}

export const openCount = (decisions: readonly Decision[]): number =>
  decisions.filter(({ state }) => state === 'open').length

export function resultsOf(decisions: readonly Decision[]) {
  return decisions
    .filter(({ state }) => state === 'confirmed')
    .map(({ biomarker, value, unit, range, flag }) => ({
      biomarker,
      value: numberOr(value),
      unit,
      ...(range && { range }),
      ...(flag && { flag }),
    }))
}

// "<0.2" stays text: the service reads the comparator.
function numberOr(text: string): number | string {
  const value = Number(text)
  return text.trim() !== '' && Number.isFinite(value) ? value : text.trim()
}
