import { harmOf, type Placed } from '@kitlane/display/harm'
import { type Verdict, verdictOf } from '@kitlane/display/verdict'
import type { Tone } from '../../components/status-label.ts'
import { t } from '../../language/t.ts'

/** The same words as on the person's pages and in the PDF. */
const words: Record<Verdict, string> = {
  expected: t('As expected'),
  unexpected: t('Not as expected'),
  veryUnexpected: t('Not as expected: needs a doctor'),
  veryLow: t('Very low'),
  veryHigh: t('Very high'),
  veryFar: t('Very far outside'),
  best: t('In the best range'),
  bestLow: t('In the best range, low'),
  bestHigh: t('In the best range, high'),
  normal: t('In the normal range'),
  normalLow: t('In the normal range, low'),
  normalHigh: t('In the normal range, high'),
  slight: t('A little outside'),
  slightLow: t('A little low'),
  slightHigh: t('A little high'),
  far: t('Outside the normal range'),
  farLow: t('Low'),
  farHigh: t('High'),
  none: t('Without a verdict'),
}

type Judged = Parameters<typeof verdictOf>[0] & { preliminary?: true }

export const verdictText = (entry: Judged): string =>
  entry.preliminary ? `${words[verdictOf(entry)]}, ${t('preliminary')}` : words[verdictOf(entry)]

const tones = { critical: 'bad', outside: 'bad', little: 'fair', inRange: 'good', notJudged: 'idle' } as const

export const toneOf = (entry: Placed): Tone => tones[harmOf(entry)]
