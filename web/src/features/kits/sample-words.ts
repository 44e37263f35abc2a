import type { components } from '@kitlane/client'
import { t } from '../../language/t.ts'

type Question = components['schemas']['KitCollection']['questions'][number]

const known: Readonly<Record<string, string>> = {
  fasting: t('Fasting'),
  cyclePhase: t('Phase of the cycle'),
  cycleDay: t('Day of the cycle'),
  pregnant: t('Pregnant'),
  medication: t('Medication'),
  timeOfLastDose: t('Last dose'),
}

/** What a question is called here. */
export const questionName = ({ id, text }: Pick<Question, 'id' | 'text'>): string => known[id] ?? text?.en ?? id

/** What coded answers are called. */
export const answerWords: Readonly<Record<string, string>> = {
  yes: t('yes'),
  no: t('no'),
  none: t('none'),
  biotin: t('biotin'),
  hormones: t('hormones'),
  thyroidHormones: t('thyroid hormones'),
  statins: t('statins'),
  follicular: t('follicular phase'),
  ovulation: t('ovulation'),
  luteal: t('luteal phase'),
  postmenopausal: t('after menopause'),
}
