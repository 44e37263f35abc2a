import type { NewUnassessed } from '../../reports/unassessed/rules.ts'
import type { Unmatched } from './identify.ts'

const notKept: readonly Unmatched['code'][] = ['withdrawn', 'replaced']

/** The observations to keep for a person. Withdrawn, replaced and pending ones are not kept, unless a pending one has a value. */
export const unassessedOf = (unmatched: readonly Unmatched[]): NewUnassessed[] =>
  unmatched
    .filter(({ code, valueText }) => !notKept.includes(code) && (code !== 'pending' || valueText !== ''))
    .map(({ valueText, rangeText, ...rest }) => ({ ...rest, value: valueText, ...(rangeText && { range: rangeText }) }))
