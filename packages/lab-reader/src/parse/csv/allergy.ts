import { isOtherClass } from '../../facts/allergens.ts'
import type { Column } from '../headings.ts'
import { readPrinted } from '../number.ts'

export interface Allergy {
  /** The heading of its values says that they are of IgE, so that their names need not. */
  isIgE: boolean
  /** A class that is not that of its value. */
  otherClass: string | undefined
}

const classHeading = /^(?:(?:rast|ige)[- ]?)?(?:class|klasse?|clas+e|luokka)$/i

/** What the columns of a table of allergens say of a row. */
export function allergyIn(columns: readonly Column[], cells: readonly string[]): Allergy {
  const under = (is: (column: Column) => boolean) => cells.filter((_, at) => columns[at] && is(columns[at]))
  const [text = ''] = under(({ kind }) => kind === 'value')
  const classes = under(({ heading }) => classHeading.test(heading.trim())).map((cell) => cell.trim())
  const isInClasses = cells.some((cell) => /^kua?\/l$/i.test(cell.trim()))
  const { value } = readPrinted(text.trim(), 'decimal')
  return {
    isIgE: columns.some(({ kind, heading }) => kind === 'value' && /\bige\b/i.test(heading)),
    otherClass: isInClasses && value !== undefined ? classes.find((one) => isOtherClass(one, value)) : undefined,
  }
}
