import type { NewUnassessed } from '../../reports/unassessed/rules.ts'
import type { Unmatched } from './identify.ts'

const notKept: readonly Unmatched['code'][] = ['withdrawn', 'replaced']

/**
 * What a file or message held that is no result of a biomarker, to be kept for a person. What was withdrawn or replaced is
 * not kept, nor what is still to come: of that nothing was received.
 */
export const unassessedOf = (unmatched: readonly Unmatched[]): NewUnassessed[] =>
  unmatched
    .filter(({ code, valueText }) => !notKept.includes(code) && (code !== 'pending' || valueText !== ''))
    .map(({ valueText, rangeText, ...rest }) => ({ ...rest, value: valueText, ...(rangeText && { range: rangeText }) }))
