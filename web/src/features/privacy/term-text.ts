import { t } from '../../language/t.ts'

/** A term in days, as people read it. */
export const termText = (days: number): string =>
  days === 0 ? t('Not kept') : t('{days, plural, one {# day} other {# days}}', { days })
