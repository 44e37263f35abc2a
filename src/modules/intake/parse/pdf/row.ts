import { isKnownUnit } from '../../../catalogue/convert.ts'
import { flagCode, readPrinted, readRange } from '../number.ts'
import type { Observation } from '../parsed.ts'
import { clean } from '../text.ts'
import { type Column, type Placed, place } from './columns.ts'
import type { Line } from './text.ts'

export interface Row {
  name: string
  text: string
  flag?: string
  unit: string
  ranges: string[]
  comments: string[]
  line: Line
}

const flagWord = /^(HH?|LL?|A|High|Low|Abnormal|Critical|Alert|\*+)$/i
const wordResult =
  /^(TNP|QNS|DNR|N\/A|CANCEL+ED|PENDING|TEST NOT PERFORMED|NOT (PERFORMED|DETECTED|REPORTED|CALCULATED)|DETECTED|SEE (NOTE|BELOW|COMMENTS?)|NEGATIVE|POSITIVE|NON-?REACTIVE|REACTIVE|NONE SEEN|TRACE|CLEAR|YELLOW|NORMAL)\b[:.]?$/i

/** The raised number of the laboratory that did the test, which Labcorp prints behind the name. */
const labCode = /\s+(?:[A-Z],\s*)?0\d(?:,\s*0\d)*$/
const withUnit = /^[<>≤≥=]*\s*\d[\d.,]*\s+\S{1,20}(\s\S{1,12})?$/

export type Read = { kind: 'row'; row: Row } | { kind: 'name' | 'range' | 'comment' | 'unclear'; text: string }

/** What a line under the headings is: a result, a piece of a name or range, or a comment. */
export function readLine(line: Line, columns: readonly Column[]): Read {
  const placed = withFlags(place(line, columns))
  const of = (kind: Column['kind']) => placed.filter(({ column }) => column.kind === kind)
  const text = (kind: Column['kind']) =>
    of(kind)
      .map((cell) => cell.text)
      .join(' ')
  const name = text('name').replace(labCode, '')
  const values = [...of('value'), ...of('outside')]
  if (values.length === 0) {
    if (name === '' && placed.length > 0 && of('range').length === placed.length)
      return { kind: 'range', text: text('range') }
    return { kind: placed.length === of('name').length ? 'name' : 'comment', text: line.text }
  }
  const value = values.map((cell) => cell.text).join(' ')
  const isResult = readPrinted(value, 'thousands').value !== undefined || wordResult.test(value) || withUnit.test(value)
  if (!/\p{L}/u.test(name) && name !== '') return { kind: 'comment', text: line.text }
  if (!isResult || !fits(text('unit'))) return { kind: 'comment', text: line.text }
  // Two columns of values, or one that may be the previous result: which one is current is not certain.
  if (values.length > 1 || values.some((cell) => mayBePrevious(cell, columns))) return { kind: 'unclear', text: name }
  const row: Row = {
    name,
    text: value,
    unit: text('unit'),
    ranges: [text('range')].filter(Boolean),
    comments: [],
    line,
  }
  const flag = text('flag') || (of('outside').length > 0 && !readPrinted(value, 'thousands').flag ? 'A' : '')
  return { kind: 'row', row: flag ? { ...row, flag } : row }
}

/** A flag word right behind a value belongs to it, whatever column it is nearest to. */
function withFlags(placed: readonly Placed[]): Placed[] {
  return placed.map((cell, index) => {
    const before = placed[index - 1]
    const isFlag =
      before &&
      ['value', 'outside'].includes(before.column.kind) &&
      flagWord.test(cell.text) &&
      cell.x0 - before.x1 < 60
    return isFlag ? { ...cell, column: { ...cell.column, kind: 'flag' as const } } : cell
  })
}

const mayBePrevious = (cell: Placed, columns: readonly Column[]) =>
  cell.margin < 12 && columns.some(({ kind, x0 }) => kind === 'previous' && Math.abs(x0 - cell.x0) < 60)

/** Units are short and hold no sentence. */
const fits = (unit: string) => unit.length <= 30 && unit.split(' ').length <= 4

export function toObservation(row: Row, section: string): Observation {
  const { unit, rangeText, range } = readUnitAndRange(row)
  const { value, comparator, flag, unit: ownUnit } = readValue(row)
  const code = flagCode(row.flag ?? '') ?? flag
  const used = unit || ownUnit
  const isDone = !/^(TNP|QNS|DNR|CANCEL|TEST NOT PERFORMED|NOT PERFORMED)/i.test(row.text)
  const isPending = /^PENDING/i.test(row.text)
  return {
    name: clean(row.name, 200),
    valueText: clean(row.text),
    ...(value !== undefined && { value, ...(comparator && { comparator }) }),
    ...(used && { unit: clean(used, 60) }),
    ...(rangeText && { rangeText }),
    ...(range && { range }),
    ...(code && { flag: code }),
    status: isPending ? 'pending' : isDone ? 'final' : 'cancelled',
    ...(section && { section }),
    ...(row.comments.length > 0 && { comment: clean(row.comments.join(' ')) }),
    position: `page ${row.line.page}, line ${row.line.number}`,
    raw: clean([row.line.text, ...row.ranges.slice(1)].join(' '), 400),
  }
}

function readValue({ text }: Row) {
  const printed = readPrinted(text, 'thousands')
  if (printed.value !== undefined) return { ...printed, unit: undefined }
  const match = /^([<>≤≥=]*\s*[\d.,]+)\s+(\D.*)$/.exec(text)
  const split = match?.[1] ? readPrinted(match[1], 'thousands') : undefined
  return split?.value !== undefined && isKnownUnit(match?.[2] ?? '')
    ? { ...split, unit: match?.[2] }
    : { ...printed, unit: undefined }
}

/** Some print the unit behind the range, or alone when there is no range. Ranges of several lines stay text. */
function readUnitAndRange({ unit, ranges }: Row): Pick<Observation, 'unit' | 'rangeText' | 'range'> {
  const rangeText = clean(ranges.join(' '), 200)
  const printed = readRange(rangeText, 'thousands')
  if (printed && (printed.rest === '' || isSame(printed.rest, unit))) return { unit, rangeText, range: printed.bounds }
  if (unit !== '') return { unit, ...(rangeText && { rangeText }) }
  if (printed && isKnownUnit(printed.rest)) return { unit: printed.rest, rangeText, range: printed.bounds }
  if (isKnownUnit(rangeText)) return { unit: rangeText }
  const [first = '', ...below] = ranges
  const alone = below.some((line) => /\d/.test(line)) ? undefined : readRange(first, 'thousands')
  if (alone && isKnownUnit(alone.rest)) return { unit: alone.rest, rangeText, range: alone.bounds }
  const found = new Set(ranges.flatMap((line) => lastUnit(line) ?? []))
  const [only] = found
  return { ...(found.size === 1 && only && { unit: only }), ...(rangeText && { rangeText }) }
}

const isSame = (a: string, b: string) => a.toLowerCase().replace(/\s/g, '') === b.toLowerCase().replace(/\s/g, '')

function lastUnit(text: string): string | undefined {
  const words = text.split(' ')
  for (let from = Math.max(0, words.length - 4); from < words.length; from++) {
    const tail = words.slice(from).join(' ')
    if (isKnownUnit(tail)) return tail
  }
  return undefined
}
