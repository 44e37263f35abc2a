import { isKnownUnit } from '../../facts/convert.ts'
import { annuls } from '../annulling.ts'
import { isKnownFlag } from '../flags.ts'
import type { Placed } from './columns.ts'

/** "58,0 %" and "3.758 /mm³" beside one another are the share and the count of one kind of cells. */
export function shareAndCount([share = '', count = '', ...others]: readonly string[]) {
  const unitOf = (text: string) => /^\d[\d.,]*(?: \d{3})* ?(\S+)$/.exec(text)?.[1] ?? ''
  const isCount = !['', '%'].includes(unitOf(count)) && isKnownUnit(unitOf(count))
  if (others.length > 0 || unitOf(share) !== '%' || !isCount) return undefined
  return { share, count: count.replace(/(?<=\d) (?=\d{3}(?!\d))/g, '') }
}

/** Words of a remark, where a heading does not say that its column holds remarks. */
const FEWEST_WORDS = 3

/** What is written beside a value: in a column of remarks, in one of which nothing is known, or that it may not be used. */
export const remarksIn = (placed: readonly Placed[]): string[] =>
  placed.flatMap(({ text, column }) => {
    const isRemark =
      (column.kind === 'comment' && !isKnownFlag(text)) ||
      (column.kind === 'other' && (annuls(text) || (column.isStrange && text.split(' ').length >= FEWEST_WORDS)))
    return isRemark && /\p{L}{2}/u.test(text) ? [text] : []
  })
