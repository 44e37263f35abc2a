import type { PlacedStep } from '@kitlane/display/finding'
import { limitsText, unitText, valueText } from '@kitlane/display/report-text'
import type { Translator } from '../../../domain/translations/translator.ts'
import { findingWord, valueWordsOf } from '../../reports/render/words.ts'
import type { Report } from '../../reports/schema.ts'

export type Entry = Report['biomarker'][number]

/** The value, without its unit. */
export const valueWords = (t: Translator, entry: Entry): string => valueText(entry, valueWordsOf(t))

/** The value with its unit. */
export const fullValue = (t: Translator, entry: Entry): string =>
  `${valueWords(t, entry)} ${unitText(entry.displayUnit)}`.trim()

/** Limits with their unit. */
export const limitWords = (t: Translator, limits: Parameters<typeof limitsText>[0], displayUnit: string): string =>
  limitsText(limits, displayUnit, t)

/** What is normal of a value: its range, or the findings that are expected; empty where nothing says so. */
export function normalWords(t: Translator, { ranges, displayUnit, finding, expected }: Entry): string {
  if (ranges.inRange) return limitWords(t, ranges.inRange, displayUnit)
  return finding && expected
    ? t.either(expected.values.map((value) => valueWordsOf(t).finding({ ...finding, value })))
    : ''
}

/** The content of a step of a drawing. */
export function stepWord(t: Translator, { label, value }: PlacedStep, isGrade: boolean): string {
  if (value === undefined) return label
  // Six steps share the width of two.
  return isGrade && value === 'negative' ? t('finding.negativeShort') : findingWord(t, value)
}
