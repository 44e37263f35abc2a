import { t } from '../../language/t.ts'

/** What somebody is to a minor, in a word. */
export const relationWord = {
  parent: t('parent'),
  guardian: t('legal guardian'),
  other: t('decides by law'),
} as const
