import type { OpeningKind, OpeningSentence } from '@kitlane/display/story'
import { t } from '../../language/t.ts'

type Say = (counts: Omit<OpeningSentence, 'says'> & { words: string; slightWords: string }) => string

const numbers = (count: number) =>
  t(
    '{count, plural, =0 {no} =1 {one} =2 {two} =3 {three} =4 {four} =5 {five} =6 {six} =7 {seven} =8 {eight} =9 {nine} =10 {ten} other {#}}',
    { count },
  )
const firstNumbers = (count: number) =>
  t(
    '{count, plural, =0 {No} =1 {One} =2 {Two} =3 {Three} =4 {Four} =5 {Five} =6 {Six} =7 {Seven} =8 {Eight} =9 {Nine} =10 {Ten} other {#}}',
    { count },
  )

const sentences: Record<OpeningKind, Say> = {
  urgent: (counts) =>
    t(
      '{count, plural, one {{words} result needs a doctor today.} other {{words} results need a doctor today.}}',
      counts,
    ),
  empty: (counts) => t('This report has no values.', counts),
  allWithdrawn: (counts) => t('All values of this report were taken back.', counts),
  oneOpen: (counts) => t('The one value could not be judged.', counts),
  allOpen: (counts) => t('None of the {total} values could be judged.', counts),
  oneInside: (counts) => t('The one value is in its normal range.', counts),
  allInside: (counts) => t('All {total} values are in their normal range.', counts),
  someInside: (counts) =>
    t(
      '{count, plural, one {{words} of {total} values is in its normal range.} other {{words} of {total} values are in their normal range.}}',
      counts,
    ),
  oneOutside: (counts) => t('The one value is outside its normal range.', counts),
  oneOutsideSlightly: (counts) => t('The one value is outside its normal range, but only a little.', counts),
  outside: (counts) =>
    t(
      '{count, plural, one {{words} of {total} values is outside its normal range.} other {{words} of {total} values are outside their normal range.}}',
      counts,
    ),
  outsideSlightly: (counts) =>
    t(
      '{count, plural, one {{words} of {total} values is outside its normal range, but only a little.} other {{words} of {total} values are outside their normal range, but only a little.}}',
      counts,
    ),
  outsideSome: (counts) =>
    t(
      '{count, plural, one {{words} of {total} values is outside its normal range, {slightWords} of them only a little.} other {{words} of {total} values are outside their normal range, {slightWords} of them only a little.}}',
      counts,
    ),
  othersInside: (counts) =>
    t('{count, plural, one {The other {words} is within it.} other {The other {words} are within it.}}', counts),
  moreInside: (counts) => t('{count, plural, one {{words} is within it.} other {{words} are within it.}}', counts),
  open: (counts) =>
    t(
      '{count, plural, one {{words} could not be judged: about it, this report says nothing.} other {{words} could not be judged: about them, this report says nothing.}}',
      counts,
    ),
  marked: (counts) =>
    t(
      '{count, plural, one {{words} of what could not be judged is marked by the laboratory: ask a doctor about it.} other {{words} of what could not be judged are marked by the laboratory: ask a doctor about them.}}',
      counts,
    ),
}

/** How a report opens: the same sentences as on the person's page and in the PDF. */
export const openingText = (opening: readonly OpeningSentence[]): string =>
  opening
    .map(({ says, ...counts }) => {
      const words = says === 'othersInside' ? numbers(counts.count) : firstNumbers(counts.count)
      return sentences[says]({ ...counts, words, slightWords: numbers(counts.slight) })
    })
    .join(' ')
