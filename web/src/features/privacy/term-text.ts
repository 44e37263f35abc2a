import { pluralize } from '../../components/pluralize.ts'

/** A term in days, as people read it. */
export const termText = (days: number): string => (days === 0 ? 'Not kept' : pluralize(days, 'day'))
