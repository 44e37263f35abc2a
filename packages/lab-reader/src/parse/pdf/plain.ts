import { isKnownUnit } from '../../facts/convert.ts'
import type { DayOrder } from '../date.ts'
import { isPrintedNumber } from '../number.ts'
import { labelledDay } from './head.ts'
import type { Found } from './page.ts'
import { labelledSpecimen } from './section.ts'
import type { Line } from './text.ts'

const flag = String.raw`(?:\s+\(?(HH?|LL?|High|Low|Normal|\*)\)?)?`
const value = String.raw`[<>≤≥]?\s?\d+(?:[.,]\d+)*`
const bounds = String.raw`(?:${value}\s*(?:-|–|to)\s*\d+(?:[.,]\d+)*|[<>≤≥]=?\s?\d+(?:[.,]\d+)*)`
const range = String.raw`(?:\s+(?:\(?(?:ref(?:erence)?(?: range)?|range|normal):?\s*)?[[(]?(${bounds})[\])]?)?`
/** A whole result on one line, `Glucose 91 mg/dL 70-99 H`, as programs write that print without columns. */
const resultLine = new RegExp(String.raw`^(\p{L}[^:;]{0,58}?):?\s+(${value})${flag}\s+(\S+)${range}${flag}$`, 'iu')
/** Not what was measured now. */
const otherValue = /^(?:previous|prior|last|earlier|goal|target|reference|optimal)\b/i
const ofTheForm =
  /^(?:page|patient|age|kit|order|report|sample|specimen|accession|requisition|account|id|mrn|phone|tel|fax|room)\b/i
/** A name and a number, which may be a result in a form that is not known. */
const nameAndNumber = new RegExp(String.raw`^\p{L}[^:;]{0,58}?:?\s+${value}(?:\s|$)`, 'iu')

/** A line in columns. */
const isRow = ({ cells }: Line): boolean => cells.length > 2 && cells.some(({ text }) => /^[<>≤≥]?\s?\d/.test(text))

/**
 * Results that stand each on a line of text, in a document without a table that says one day of collection. Only a known unit
 * tells them from prose. None where columns stand in it, or a line that may be a result all the same: a person reads it then.
 */
export function readPlain(lines: readonly Line[], order: DayOrder): Found[] {
  const days = new Set(lines.flatMap((_, index) => labelledDay(lines, index, 'collected', order) ?? []))
  if (days.size !== 1 || lines.some(isRow)) return []
  const found: Found[] = []
  let specimen: string | undefined
  for (const line of lines) {
    specimen = labelledSpecimen(line) ?? specimen
    const text = line.text.replace(/\s+/g, ' ').trim()
    if (otherValue.test(text)) continue
    const row = rowOf(line, text)
    if (row) found.push({ row, section: '', ...(specimen && { specimen }) })
    else if (nameAndNumber.test(text) && !ofTheForm.test(text)) return []
  }
  return found
}

function rowOf(line: Line, whole: string): Found['row'] | undefined {
  const [, name = '', text = '', before, unit = '', printed, after] = resultLine.exec(whole) ?? []
  if (!isKnownUnit(unit) || !isPrintedNumber(text)) return undefined
  const flag = before ?? after
  return { name: name.trim(), text, unit, ranges: printed ? [printed] : [], comments: [], line, ...(flag && { flag }) }
}
