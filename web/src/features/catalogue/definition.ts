import type { Answer } from '@kitlane/client'
import { t } from '../../language/t.ts'

/** A biomarker as the catalogue defines it. */
export type Definition = Answer<'get', '/operator/v1/biomarkers/{biomarkerID}/versions'>[number]['definition']

export type Sex = 'F' | 'M'
export const sexNames: Record<Sex, string> = { F: t('Women'), M: t('Men') }

type Phase = NonNullable<Definition['phases']>['F'][number]['phase']
export const phaseNames: Record<Phase, string> = {
  follicular: t('follicular phase'),
  ovulation: t('ovulation'),
  luteal: t('luteal phase'),
  postmenopausal: t('after menopause'),
}
