import type { Candidate } from '../../src/modules/lab/review/schema.ts'
import type { Expected } from './make-scan.ts'

export interface Score {
  right: number
  /** Right, but flagged for a second look. */
  rightFlagged: number
  wrongFlagged: number
  wrongNotFlagged: number
  missed: number
  /** Candidates without a problem for biomarkers that are not on the sheet. */
  invented: number
}

/** Compares the suggestions with the printed values. A biomarker that occurs twice counts by its best line. */
export function score(candidates: readonly Candidate[], expected: readonly Expected[]): Score {
  const total: Score = {
    right: 0,
    rightFlagged: 0,
    wrongFlagged: 0,
    wrongNotFlagged: 0,
    missed: 0,
    invented: 0,
  }
  for (const { biomarker, value } of expected) {
    const mine = candidates.filter((one) => one.biomarker === biomarker)
    const right = mine.find((one) => Number(one.value.replace(',', '')) === value)
    const hidden = mine.filter((one) => one !== right && !one.problem)
    if (right) total.right++
    if (right?.problem) total.rightFlagged++
    if (hidden.length > 0) total.wrongNotFlagged++
    else if (!right && mine.length > 0) total.wrongFlagged++
    if (mine.length === 0) total.missed++
  }
  const known = new Set(expected.map(({ biomarker }) => biomarker))
  total.invented = candidates.filter(({ biomarker, problem }) => biomarker && !known.has(biomarker) && !problem).length
  return total
}
