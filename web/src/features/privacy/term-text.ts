import { pluralize } from '../../components/pluralize.ts'
import { t } from '../../language/t.ts'

/** A term in days, as people read it. */
export const termText = (days: number): string => (days === 0 ? t('Not kept') : pluralize(days, 'day'))
