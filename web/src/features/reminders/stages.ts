import type { components } from '@kitlane/client'
import { t } from '../../language/t.ts'

type Saved = components['schemas']['ReminderRules']['rules'][number]
export type Rule = Omit<Saved, 'sinceDate' | 'by'> & Partial<Pick<Saved, 'by'>>
export type Stage = Rule['stage']

/** What a rule waits for: as a choice, and as the middle of a sentence. */
export const stages: Readonly<Record<Stage, { label: string; what: string }>> = {
  register: { label: t('Nobody registers the kit'), what: t('after it arrived and nobody registered it') },
  post: {
    label: t('The sample is not sent back'),
    what: t('after it was registered and the sample is not on its way'),
  },
  parcel: { label: t('The kit does not arrive'), what: t('after it was sent and did not arrive') },
  sample: { label: t('The sample does not arrive'), what: t('after the sample was sent back and did not arrive') },
  retest: { label: t('Time for another test'), what: t('after the report was published') },
}

export const stageOptions = (Object.keys(stages) as Stage[]).map((value) => ({ value, label: stages[value].label }))

/** What is usual: a start that can be changed. */
export const usualRules: readonly Rule[] = [
  { stage: 'register', afterDays: 7, everyDays: 7, times: 3 },
  { stage: 'post', afterDays: 5, everyDays: 5, times: 3 },
  { stage: 'parcel', afterDays: 10, times: 1 },
  { stage: 'sample', afterDays: 10, times: 1 },
]

/** A rule in words: "7 days after it arrived and nobody registered it, then every 7 days, 3 times in all". */
export function sentenceOf({ stage, afterDays, everyDays, times }: Rule): string {
  const first = t('{days, plural, one {# day} other {# days}} {after}', { days: afterDays, after: stages[stage].what })
  return times > 1 && everyDays !== undefined
    ? t('{first}, then every {everyDays, plural, one {# day} other {# days}}, {times} times in all.', {
        first,
        everyDays,
        times,
      })
    : t('{first}, once.', { first })
}
