import { isKnownUnit } from '../../facts/convert.ts'
import { isFindingText } from '../../facts/findings.ts'
import { specimensIn } from '../../facts/specimens.ts'
import { flagCode, isKnownFlag, withFlagApart } from '../flags.ts'
import { insteadOfResult } from '../instead.ts'
import {
  asThousands,
  byFlag,
  type Commas,
  commasOfLine,
  isPrintedNumber,
  isUncertain,
  readPrinted,
  readRange,
} from '../number.ts'
import type { Bounds, Doubt, Observation } from '../parsed.ts'
import { isUsable, printedStatus } from '../status.ts'
import { clean, joinedLines } from '../text.ts'
import { remarksIn, shareAndCount } from './beside-value.ts'
import { type Column, type Placed, place } from './columns.ts'
import { areFootnotes, doubtIn, holdsInBrackets, specimenOf } from './section.ts'
import type { Line } from './text.ts'

export interface Row {
  name: string
  text: string
  flag?: string
  /** What a column of specimens, or a letter before the name, says. */
  specimen?: string
  /** What a column of states says. */
  status?: string
  /** The name together with the lines of text directly above and below it, which may belong to it. */
  alsoCalled?: string[]
  unit: string
  ranges: string[]
  comments: string[]
  line: Line
  doubt?: Doubt
}

const flagWord = /^(HH?|LL?|A|High|Low|Abnormal|Critical|Alert|\*+|\+{1,3}|-{1,3}|[↑↓▲▼]{1,2})$/i
const arrow = /^[↑↓▲▼]+$/
const wordResult =
  /^(TNP|QNS|DNR|N\/A|CANCEL+ED|PENDING|TEST NOT PERFORMED|NOT (PERFORMED|DETECTED|REPORTED|CALCULATED)|DETECTED|SEE (NOTE|BELOW|COMMENTS?)|NEGATIVE|POSITIVE|NON-?REACTIVE|REACTIVE|NONE SEEN|TRACE|CLEAR|YELLOW|NORMAL|(WEAKLY |STRONGLY )?(REACTIVE|POSITIVE)|INDETERMINATE|EQUIVOCAL|BORDERLINE|(NON-?|NOT )?IMMUNE|ABSENT|PRESENT|ABNORMAL|FEW|RARE|MODERATE|MANY|[<>]?\s?1:\d+|[1-4]\+)(?:\b|(?<=\+))[:.]?(?:\s+\(?(?:AA?|HH?|LL?|N)\)?)?$/i
/** Headers and footers of pages, and remarks below a result. */
const saying =
  /[:;]|\.$|^(page|printed|report|final|collected|received|ordered|patient|name|dob|date|phone|fax|address|director|clia|performing|specimen|physician|provider|doctor|note|comment|reviewed|electronic|copyright|seite|befund|end of)\b/i

/** The raised number of the laboratory that did the test, which Labcorp prints behind the name. */
const labCode = /\s+(?:[A-Z],\s*)?0\d(?:,\s*0\d)*$/
/** "1. Glucose": the number of the row. */
const ordinal = /^\d{1,3}[.)]\s+(?=\p{L})/u
const withUnit = /^[<>≤≥=]*\s*\d[\d.,]*(?:\s+\S{1,20}|[^\s\d.,-]\S{0,19})(\s\S{1,12})?$/

export type Read =
  // `count`: the number of what the row says the share of.
  { kind: 'row'; row: Row; count?: Row } | { kind: 'name' | 'range' | 'comment'; text: string }

/** Points after the last heading: what begins there is not part of the table. */
const besideBy = 60

/** A line of a table, and what is beside the table: a second table without headings would be lost. */
export function splitBeside(line: Line, columns: readonly Column[]): { line: Line; beside?: Row } {
  const edge = Math.max(...columns.map(({ x1 }) => x1)) + besideBy
  const [first, ...rest] = line.cells.filter(({ x0 }) => x0 > edge)
  if (!first || rest.length === 0 || saying.test(first.text)) return { line }
  const cells = line.cells.filter(({ x0 }) => x0 <= edge)
  const text = rest.map((cell) => cell.text).join(' ')
  const beside: Row = { name: first.text, text, unit: '', ranges: [], comments: [], line, doubt: 'unreadable' }
  return { line: { ...line, cells, text: cells.map((cell) => cell.text).join('  ') }, beside }
}

/** What a line under the headings is: a result, a piece of a name or range, or a comment. */
export function readLine(line: Line, columns: readonly Column[]): Read {
  if (areFootnotes(line)) return { kind: 'comment', text: line.text }
  const placed = withFlags(place(line, columns))
  const of = (kind: Column['kind']) => placed.filter(({ column }) => column.kind === kind)
  const text = (kind: Column['kind']) =>
    of(kind)
      .map((cell) => cell.text)
      .join(' ')
  const [name, ownUnit] = nameAndUnit(text('name').replace(labCode, '').replace(ordinal, ''), text('unit'))
  const values = [...of('value'), ...of('outside')]
  const value = values.map((cell) => cell.text).join(' ')
  const row: Row = {
    name,
    text: value,
    unit: text('unit') || ownUnit,
    ...(text('status') && { status: text('status') }),
    ...specimenOf(text('specimen'), name),
    ranges: [text('range')].filter(Boolean),
    comments: remarksIn(placed),
    line,
  }
  const mayBeRow = line.cells.length > 1 && !saying.test(name) && /\p{L}/u.test(name)
  if (values.length === 0) {
    if (name === '' && placed.length > 0 && of('range').length === placed.length)
      return { kind: 'range', text: text('range') }
    const strays = placed.filter(({ column }) => ['unit', 'flag', 'other', 'comment'].includes(column.kind)).map(textOf)
    const stray = line.cells.length === 1 ? strayIn(line) : mayBeRow ? strays.find(isResult) : undefined
    if (stray !== undefined) return unread({ ...row, name: name || line.text, text: stray })
    return { kind: placed.length === of('name').length ? 'name' : 'comment', text: line.text }
  }
  if (!/\p{L}/u.test(name) && name !== '')
    return isResult(value) && isKnownUnit(row.unit) ? unread(row) : { kind: 'comment', text: line.text }
  // The count may stand below the heading of the units.
  const both = shareAndCount([...values.map(textOf), row.unit].filter(Boolean))
  const bare = { ...row, unit: '' }
  if (both) return { kind: 'row', row: { ...bare, text: both.share, ranges: [] }, count: { ...bare, text: both.count } }
  if (!isResult(value) || !fits(row.unit)) return mayBeRow ? unread(row) : { kind: 'comment', text: line.text }
  const flag = text('flag') || (of('outside').length > 0 && !readPrinted(value, 'thousands').flag ? 'A' : '')
  // Two columns of values, or one that may be the previous result: which one is current is not certain.
  const first = columns.find(({ kind }) => kind === 'value')
  const isSecond = ({ column }: Placed) => column.kind === 'value' && column !== first
  const isUnclear = values.length > 1 || values.some((cell) => isSecond(cell) || mayBePrevious(cell, columns))
  const doubt = isUnclear ? 'severalValues' : doubtBeside(placed)
  return { kind: 'row', row: { ...row, ...(flag && { flag }), ...(doubt && { doubt }) } }
}

/** Why a row is no result of this sample by a cell beside its value: "Previous", "Mean", "QC level 1". */
const doubtBeside = (placed: readonly Placed[]): Doubt | undefined =>
  placed
    .filter(({ column }) => ['other', 'comment', 'specimen', 'flag'].includes(column.kind))
    .map(({ text }) => doubtIn[insteadOfResult(text) ?? 'results'])
    .find((doubt) => doubt !== undefined)

/** A specimen that is printed once, beside or above the names of its rows. */
export interface Group {
  specimen: string
  /** Where the rows of the group begin. */
  from: number
}

/** The group that a row begins, or that its column of specimens names. */
export function groupIn(line: Line, columns: readonly Column[]): Group | undefined {
  const column = place(line, columns).find((cell) => cell.column.kind === 'specimen')
  if (column) return { specimen: specimenOf(column.text, '').specimen ?? column.text, from: Number.NEGATIVE_INFINITY }
  const [first, second] = line.cells
  const isGroup = second !== undefined && /\p{L}{2}/u.test(second.text) && !isKnownUnit(second.text)
  return first && isGroup && !isResult(second.text) && (specimensIn(first.text) ?? []).length > 0
    ? { specimen: first.text, from: second.x0 - 6 }
    : undefined
}

/** Whether a row has a number, a unit and a range. */
export const isWhole = ({ text, unit, ranges, doubt }: Row): boolean =>
  doubt === undefined &&
  isPrintedNumber(text) &&
  isKnownUnit(unit) &&
  ranges.some((range) => readRange(range, 'thousands') ?? readRange(range, 'decimal'))

/** "Glucose (mg/dL)": the unit behind a name, where no other one is printed. */
export function nameAndUnit(name: string, unit: string): [name: string, unit: string] {
  const [, bare, inBrackets, behind] = /^(.+?)(?:\s*[([]\s*(\S+?)\s*[)\]]|,\s+(\S+))$/.exec(name) ?? []
  const found = inBrackets ?? behind ?? ''
  return unit === '' && bare && /[/%]/.test(found) && isKnownUnit(found) ? [bare, found] : [name, '']
}

const textOf = (cell: Placed) => cell.text

/** A row whose result is not understood: it is kept as it is printed. */
const unread = (row: Row): Read => ({ kind: 'row', row: { ...row, doubt: 'unreadable' } })

const isResult = (text: string) =>
  isPrintedNumber(text) || wordResult.test(text) || isFindingText(text) || withUnit.test(text)

/** A line without gaps that reads like a row: a name, a number and a unit. */
function strayIn(line: Line): string | undefined {
  const found = /^\p{L}[^:;]{1,50}?\s+([<>]?\s?\d[\d.,]*)\s+(\S{1,12})(?=\s|$)/u.exec(line.text)
  return found?.[2] && isKnownUnit(found[2]) ? found[1] : undefined
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
    const next = placed[index + 1]
    const isBefore =
      next?.column.kind === 'value' &&
      (arrow.test(cell.text) || (cell.column.kind !== 'name' && flagWord.test(cell.text) && next.x0 - cell.x1 < 30))
    return isFlag || isBefore ? { ...cell, column: { ...cell.column, kind: 'flag' as const } } : cell
  })
}

const mayBePrevious = (cell: Placed, columns: readonly Column[]) =>
  cell.margin < 12 && columns.some(({ kind, x0 }) => kind === 'previous' && Math.abs(x0 - cell.x0) < 60)

/** Units are short and hold no sentence. */
const fits = (unit: string) => unit.length <= 30 && unit.split(' ').length <= 4

export function toObservation(
  row: Row,
  about: { section: string; doubt?: Doubt; specimen?: string },
  ofDocument: Commas,
): Observation {
  const commas = commasOfLine(ofDocument, row.text, row.ranges.join(' '))
  const { unit, rangeText, range } = readUnitAndRange(row, commas)
  const { comparator, flag, unit: ownUnit, ...printed } = readValue(row, commas, range)
  const state = isKnownFlag(row.status ?? '') ? flagCode(row.status ?? '') : undefined
  const code = flagCode(row.flag ?? '') ?? flag ?? state
  const flagged = byFlag(row.text, commas, range, code)
  const value = printed.value ?? flagged
  const used = unit || ownUnit
  const said = printedStatus(row.status ?? '')
  const [number = ''] = row.text.split(/\s+(?=[^\d\s])/)
  const doubt =
    row.doubt ??
    about.doubt ??
    doubtIn[holdsInBrackets(row.name)] ??
    (said === undefined
      ? 'unknownStatus'
      : (flagged === undefined || flagged !== value) && isUncertain(number, commas, range, rangeText ?? '')
        ? 'uncertainNumber'
        : undefined)
  const counts = value !== undefined && !doubt && isUsable(said ?? 'final')
  const large = counts ? asThousands(number, value, range, rangeText) : undefined
  const isDone = !/^(TNP|QNS|DNR|CANCEL|TEST NOT PERFORMED|NOT PERFORMED)/i.test(row.text)
  const isPending = /^PENDING/i.test(row.text)
  return {
    name: clean(row.name, 200),
    valueText: clean(row.text),
    ...(row.alsoCalled && { alsoCalled: row.alsoCalled.map((one) => clean(one, 200)) }),
    ...(counts && { value, ...(comparator && { comparator }) }),
    ...(large !== undefined && { asThousands: large }),
    ...(used && { unit: clean(used, 60) }),
    ...(rangeText && { rangeText }),
    ...(range && { range }),
    ...(code && { flag: code }),
    status: isPending ? 'pending' : isDone ? (said ?? 'final') : 'cancelled',
    ...(doubt && { doubt }),
    ...(about.section && { section: about.section }),
    ...((row.specimen ?? about.specimen) && { specimen: row.specimen ?? about.specimen }),
    ...(row.comments.length > 0 && { comment: joinedLines(row.comments) }),
    position: `page ${row.line.page}, line ${row.line.number}`,
    raw: clean([row.line.text, ...row.ranges.slice(1)].join(' '), 400),
  }
}

/** Texts of results and ranges, by which a document shows what its commas mean. */
export const printedIn = ({ text, ranges }: Row): string[] => [text, ...ranges]

function readValue({ text, unit }: Row, commas: Commas, range: Bounds | undefined) {
  const printed = readPrinted(range && isKnownUnit(unit) ? withFlagApart(text) : text, commas, range)
  if (printed.value !== undefined) return { ...printed, unit: undefined }
  const match = /^([<>≤≥=]*\s*[\d.,]+)\s*([^\d\s.,].*)$/.exec(text)
  const split = match?.[1] ? readPrinted(match[1], commas, range) : undefined
  return split?.value !== undefined && isKnownUnit(match?.[2] ?? '')
    ? { ...split, unit: match?.[2] }
    : { ...printed, unit: undefined }
}

/** Some print the unit after the range, or alone if there is no range. Ranges of several lines stay text. */
function readUnitAndRange({ unit, ranges }: Row, commas: Commas): Pick<Observation, 'unit' | 'rangeText' | 'range'> {
  const rangeText = clean(ranges.join(' '), 200)
  const printed = readRange(rangeText, commas)
  if (printed && (printed.rest === '' || isSame(printed.rest, unit))) return { unit, rangeText, range: printed.bounds }
  if (unit !== '') return { unit, ...(rangeText && { rangeText }) }
  if (printed && isKnownUnit(printed.rest)) return { unit: printed.rest, rangeText, range: printed.bounds }
  if (isKnownUnit(rangeText)) return { unit: rangeText }
  const [first = '', ...below] = ranges
  const alone = below.some((line) => /\d/.test(line)) ? undefined : readRange(first, commas)
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
