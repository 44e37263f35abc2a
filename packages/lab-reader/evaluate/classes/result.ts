import type { Measured } from '../facts.ts'
import { belowTitle, type Expected } from '../truth.ts'

/** What a reader says of a line with one plain result, printed as `text`. */
export const result = (
  { fact, value }: Measured,
  text: string,
  more: Partial<Expected & { as: 'result' }> = {},
): Expected => ({ as: 'result', biomarkerId: fact.id, text, value, unit: fact.unit, isCertain: true, ...more })

/** What becomes of a result below a title of another specimen. */
export const below = (title: string, { fact: { id, unit }, name, value }: Measured, text: string): Expected =>
  belowTitle(title, { id, name, value, unit, text })
