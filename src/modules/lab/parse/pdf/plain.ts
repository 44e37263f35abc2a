import { isKnownUnit } from '../../../catalogue/convert.ts'
import type { DayOrder } from '../date.ts'
import { readPrinted } from '../number.ts'
import { labelledDay } from './head.ts'
import type { Found } from './rows.ts'
import { labelledSpecimen } from './section.ts'
import type { Line } from './text.ts'

const flag = String.raw`(?:\s+\(?(HH?|LL?|High|Low|Normal|\*)\)?)?`
const value = String.raw`[<>≤≥]?\s?\d+(?:[.,]\d+)*`
const bounds = String.raw`(?:${value}\s*(?:-|–|to)\s*\d+(?:[.,]\d+)*|[<>≤≥]=?\s?\d+(?:[.,]\d+)*)`
const range = String.raw`(?:\s+(?:\(?(?:ref(?:erence)?(?: range)?|range|normal):?\s*)?[[(]?(${bounds})[\])]?)?`
/** A whole result on one line, `Glucose 91 mg/dL 70-99 H`, as programs write that print without columns. */
const resultLine = new RegExp(String.raw`^(\p{L}[^:;]{0,58}?):?\s+(${value})${flag}\s+(\S+)${range}${flag}$`, 'iu')
/** Not what was measured now. */
const otherValue = /^(?:previous|prior|last|earlier|goal|target|average|mean|reference|range|normal|optimal)\b/i

/** Results that stand each on a line of text, in a document without a table. Only a known unit tells them from prose. */
export function readPlain(lines: readonly Line[], order: DayOrder): Found[] {
  const days = new Set(lines.flatMap((_, index) => labelledDay(lines, index, 'collected', order) ?? []))
  // Which line is of which day is then a guess.
  if (days.size > 1) return []
  let specimen: string | undefined
  return lines.flatMap((line): Found[] => {
    specimen = labelledSpecimen(line) ?? specimen
    const [, name = '', text = '', before, unit = '', printed, after] =
      resultLine.exec(line.text.replace(/\s+/g, ' ').trim()) ?? []
    if (!isKnownUnit(unit) || otherValue.test(name) || readPrinted(text, 'thousands').value === undefined) return []
    const marked = before ?? after
    const row = { name: name.trim(), text, unit, ranges: printed ? [printed] : [], comments: [], line }
    return [{ row: { ...row, ...(marked && { flag: marked }) }, section: '', ...(specimen && { specimen }) }]
  })
}
