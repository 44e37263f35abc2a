import type { Measured } from '../facts.ts'
import type { Expected } from '../truth.ts'

/** What a reader says of a line with one plain result, printed as `text`. */
export const result = (
  { fact, value }: Measured,
  text: string,
  more: Partial<Expected & { as: 'result' }> = {},
): Expected => ({ as: 'result', biomarkerId: fact.id, text, value, unit: fact.unit, isCertain: true, ...more })
