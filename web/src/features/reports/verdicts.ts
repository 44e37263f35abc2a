import type { Answer } from '@kitlane/client'
import { t } from '../../language/t.ts'

type Entry = Answer<'get', '/operator/v1/reports/{reportID}'>['biomarker'][number]

/** Verdicts in words, by their flags. */
export const verdicts: Record<Entry['interpretation'], string> = {
  LL: t('Critically low'),
  HH: t('Critically high'),
  L: t('Low'),
  H: t('High'),
  A: t('Abnormal'),
  AA: t('Critically abnormal'),
  N: t('In range'),
  '': t('No verdict'),
}
