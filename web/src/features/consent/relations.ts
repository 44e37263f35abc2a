import { t } from '../../language/t.ts'

/** What somebody is to the person tested, in a word. */
export const relationWord = {
  parent: t('parent'),
  guardian: t('legal guardian'),
  caregiver: t('caregiver'),
  other: t('decides by law'),
} as const
