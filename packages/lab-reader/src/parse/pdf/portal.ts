import { isKnownUnit } from '../../facts/convert.ts'
import { type DayOrder, printedDay } from '../date.ts'
import { isKnownFlag } from '../flags.ts'
import { isPrintedNumber, readRange } from '../number.ts'
import { dayOnly, labelledDay } from './head.ts'
import type { Found } from './page.ts'
import type { Row } from './row.ts'
import { doubtIn, isOther, labelledSpecimen, noTitle, titleOf } from './section.ts'
import type { Line } from './text.ts'

const rangeLine =
  /^(?:(?:(?:reference|normal|standard|expected|healthy) )?(?:range|interval):?|(?:valor(?:es)? de referência|valores de referencia|valeurs? de référence|valori di riferimento|referenzbereich|normbereich|referentiewaarden?|wartości referencyjne|基準値)\s*[:：])\s*(.*)$/iu
const resultWords = '(?:resultado|résultat|risultato|ergebnis|result|resultaat|wynik|sonuç)'
/** What stands in the place of a name where the name is a title above. */
const resultWord = new RegExp(String.raw`^${resultWords}\s*:?$`, 'iu')
const resultField = new RegExp(String.raw`^${resultWords}\s*:\s*(\S.*)$`, 'iu')
const rangeField =
  /^(?:v\.? ?r\.?|ref\.?|reference|referência|referencia|riferimento|référence|referenz|norma?)\s*:\s*(\S.*)$/iu
const number = String.raw`((?:\*+\s?|[↑↓▲▼]\s?)?[<>≤≥]?\s?=?\s?[\d.,]+)(?:\s+(HH?|LL?|High|Low|Normal))?(?:\s+(\S+(?: \S+){0,3}))?`
const resultLine = new RegExp(String.raw`^(.*?\p{L}.*?)\s+${number}$`, 'iu')
const valueLine = new RegExp(`^${number}$`, 'i')
const bracketed = new RegExp(String.raw`^(.*?\p{L}.*?)\s+${number}\s+[[(]([^[\]()]+)[\])]$`, 'iu')
/** What an analyte is called: no sentence, no label. */
const nameLine = /^\p{L}[^:;]{0,58}[^:;.]?$/u
/** A remark of a card: a label with what belongs to it, or a legend. */
const remark = /:|^(?:very |critically )?(?:low|normal|optimal|high|borderline|deficient|in range|out of range)\b/i
/** Lines between the value of a card and its range. */
const MOST_BETWEEN = 5

/** Layouts without columns: a range below each result ("Reference Range: …"), or behind it in brackets. */
export function readPortal(lines: readonly Line[], order: DayOrder): Found[] {
  const found: Found[] = []
  let title = noTitle
  let specimen: string | undefined
  let collectedDate: string | undefined
  // A day stands above the results of that day.
  let isOfOtherDay = false
  for (const [index, line] of lines.entries()) {
    const heading = line.cells.length === 1 ? dayOnly.exec(line.text)?.[1] : undefined
    if (heading) [collectedDate, isOfOtherDay] = [printedDay(heading, order), true]
    const labelled = labelledDay(lines, index, 'collected', order)
    if (labelled) [collectedDate, isOfOtherDay] = [labelled, false]
    specimen = labelledSpecimen(line) ?? specimen
    const read = inBrackets(line) ?? ofFields(line) ?? ofCard(lines, index) ?? unread(lines, index)
    const isUndated = isOfOtherDay && collectedDate === undefined
    const behind = read && specimenBelow(lines, index)
    const own = behind ?? specimen
    // Where results above have no such field, it may be the title of those below.
    const isOfTwo = own !== specimen && (specimen !== undefined || found.some((one) => one.specimen === undefined))
    const isUnsure = isUndated || isOfTwo
    const row = read && isUnsure ? { ...read, doubt: read.doubt ?? ('severalValues' as const) } : read
    // Below a label of a specimen, another title may be of another one.
    const said = title.below ? `${title.text} / ${title.below}` : title.text
    const section = isOther(title) || specimen ? said : ''
    const doubt = doubtIn[title.holds]
    if (row)
      found.push({
        row,
        section,
        ...(doubt && { doubt }),
        ...(own && { specimen: own }),
        ...(collectedDate && { collectedDate }),
      })
    // Only what titles say of another specimen or an earlier result matters here; the name of a card is no title.
    else if (!valueLine.test(lines[index + 1]?.text.replace(/\s+/g, ' ').trim() ?? ''))
      title = titleOf(line, isOther(title) ? title : noTitle)
  }
  // Lines that only look like results make no report.
  return found.some(({ row }) => row.doubt !== 'unreadable') ? found : []
}

/** "Sodium 139 mmol/L [133 - 146]". */
function inBrackets(line: Line): Row | undefined {
  const [, name, text, flag, unit, range = ''] = bracketed.exec(oneSpaced(line)) ?? []
  const isRange = readRange(range, 'thousands') !== undefined || readRange(range, 'decimal') !== undefined
  return name && text && unit && isKnownUnit(unit) && isRange
    ? rowOf(line, { name, text, flag, unit, range })
    : undefined
}

/** "GLICOSE   Resultado: 91 mg/dL   VR: 70 a 99 mg/dL". With anything else beside it, it is kept for a person. */
function ofFields(line: Line): Row | undefined {
  const [name = '', said = '', limits, ...others] = line.cells.map((cell) => cell.text.trim())
  const value = resultField.exec(said)?.[1]
  if (value === undefined || !nameLine.test(name)) return undefined
  const range = limits === undefined ? '' : (rangeField.exec(limits) ?? rangeLine.exec(limits))?.[1]
  const [, text = '', flag, unit] = valueLine.exec(value) ?? []
  const row = others.length === 0 && range !== undefined ? rowOf(line, { name, text, flag, unit, range }) : undefined
  const kept = [value, limits, ...others].filter((one) => one !== undefined).join(' ')
  return row ?? { name, text: kept, unit: '', ranges: [], comments: [], line, doubt: 'unreadable' }
}

/** A name and a value in one line, or the value below the name; below both, maybe behind some remarks, the range. */
function ofCard(lines: readonly Line[], index: number): Row | undefined {
  const line = lines[index]
  const range = line && rangeBelow(lines, index)
  if (!line || range === undefined) return undefined
  const isNext = rangeLine.test(lines[index + 1]?.text ?? '')
  const row = (isNext ? inOneLine(line, range) : undefined) ?? below(lines[index - 1], line, range)
  if (!row || !resultWord.test(row.name)) return row
  const name = titleAbove(lines, index)
  return name === undefined ? undefined : { ...row, name }
}

/** The specimen that a field behind a result names: whether it is of that one or of the next, its title tells. */
function specimenBelow(lines: readonly Line[], index: number): string | undefined {
  for (const line of lines.slice(index + 1, index + 1 + MOST_BETWEEN)) {
    const said = labelledSpecimen(line)
    if (said !== undefined) return said
    if (!line.text.includes(':')) return undefined
  }
  return undefined
}

/** The title of a part that holds one result: behind fields such as "Material: Soro", and none of its words is a result. */
function titleAbove(lines: readonly Line[], index: number): string | undefined {
  const { page } = lines[index] ?? {}
  for (const line of lines.slice(Math.max(0, index - 3), index).reverse()) {
    if (line.page !== page) return undefined
    if (/^[^:]{3,20}:/.test(line.text) && !/^[^:]*\d/.test(line.text) && !rangeLine.test(line.text)) continue
    return line.cells.length === 1 && nameLine.test(line.text.trim()) ? line.text.trim() : undefined
  }
  return undefined
}

function rangeBelow(lines: readonly Line[], index: number): string | undefined {
  const { page } = lines[index] ?? {}
  for (const line of lines.slice(index + 1, index + 1 + MOST_BETWEEN)) {
    if (line.page !== page) return undefined
    const range = rangeLine.exec(line.text)
    if (range) return range[1] ?? ''
    if (!remark.test(line.text)) return undefined
  }
  return undefined
}

function inOneLine(line: Line, range: string): Row | undefined {
  if (valueLine.test(oneSpaced(line))) return undefined
  const [, name, text, flag, unit] = resultLine.exec(oneSpaced(line)) ?? []
  return name && text ? rowOf(line, { name, text, flag, unit, range }) : undefined
}

/** A card: the name, beside it what the result is, and below it the value in larger type. */
function below(above: Line | undefined, line: Line, range: string): Row | undefined {
  const [, text, flag, unit] = valueLine.exec(oneSpaced(line)) ?? []
  if (!text || above?.page !== line.page) return undefined
  const [name, badge, ...others] = above.cells.map((cell) => cell.text.trim())
  if (!name || others.length > 0 || !nameLine.test(name)) return undefined
  if (!badge) return rowOf(line, { name, text, flag, unit, range })
  return rowOf(line, { name, text, unit, range, ...(isKnownFlag(badge) ? { flag: badge } : { status: badge }) })
}

/** A value with its unit that no card could be made of: it is kept for a person. */
function unread(lines: readonly Line[], index: number): Row | undefined {
  const line = lines[index]
  const [, text, , unit] = (line && valueLine.exec(oneSpaced(line))) ?? []
  const above = lines[index - 1]
  if (!line || !text || !unit || !isKnownUnit(unit)) return undefined
  const name = above?.page === line.page ? oneSpaced(above) : ''
  return { name: name || line.text, text, unit, ranges: [], comments: [], line, doubt: 'unreadable' }
}

const oneSpaced = ({ text }: Line) => text.replace(/\s+/g, ' ').trim()

interface Parts {
  name: string
  text: string
  flag?: string | undefined
  status?: string
  unit?: string | undefined
  range: string
}

function rowOf(line: Line, { name, text, flag, status, unit = '', range }: Parts): Row | undefined {
  if (!isPrintedNumber(text)) return undefined
  const [, bare, behind] = /^(\S.*?)\s+(HH?|LL?|\*+|[↑↓▲▼])$/.exec(unit) ?? []
  if (bare && behind)
    return rowOf(line, { name, text, flag: flag ?? behind, ...(status && { status }), unit: bare, range })
  const ranges = range === '' ? [] : [range]
  return { name, text, unit, ranges, comments: [], line, ...(flag && { flag }), ...(status && { status }) }
}
