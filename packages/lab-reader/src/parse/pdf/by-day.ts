import { type DayOrder, printedDay } from '../date.ts'
import { currentOnly } from '../headings.ts'
import { type Column, columnsIn, knownKind } from './columns.ts'
import { everyDay, labelledDay } from './head.ts'
import type { Cell, Line } from './text.ts'

/** How such a table names its first column, or the rows above the results. */
const first = /^(?:dates?|datum|fecha|data|dato|collected|collection date|results?)(?!\p{L})\s*:?/iu
/** Rows of such a table that are about the sample. */
export const aboutSample =
  /^(?:time|lab(?:oratory)?(?: no\.?| number| ref\.?| id)?|request(?: no\.?| number)?|episode|accession|specimen|sample|fasting|coll(?:ected|ection)?|received|uhrzeit|auftrag)\b/i

/**
 * The day on which this sample was collected, if the document says one and no other. "Collected" before several days, above
 * columns of results, says none of them.
 */
export function onlyCollected(lines: readonly Line[], order: DayOrder): string | undefined {
  const days = new Set(
    lines.flatMap((line, index) => (isHistory(line) ? [] : (labelledDay(lines, index, 'collected', order) ?? []))),
  )
  const [day, ...others] = days
  return others.length === 0 ? day : undefined
}

/**
 * The columns of a table of several days, where exactly one of its days is that of this sample: only that one holds
 * results, all others are of earlier or later ones. Undefined if that is not certain, or the line heads no such table.
 */
export function columnsByDay(line: Line, order: DayOrder, collected: string | undefined): Column[] | undefined {
  const cells = line.cells.flatMap(apart)
  const days = cells.flatMap(({ text, isDay }) => (isDay ? [printedDay(text, order)] : []))
  if (!collected || days.filter((day) => day === collected).length !== 1 || days.includes(undefined)) return undefined
  const headed = cells.map(({ isDay, ...cell }, index) => {
    if (isDay) return { ...cell, text: printedDay(cell.text, order) === collected ? 'result' : 'previous' }
    return index === 0 && first.test(cell.text) ? { ...cell, text: 'test' } : cell
  })
  return columnsIn({ ...line, cells: headed, text: headed.map(({ text }) => text).join('  ') })
}

/** "Date  15/01/2025  23/07/2026" above "Request no  25-101  26-881  Units  Reference": headings that stand one line lower. */
export function withHeadingsBelow(lines: readonly Line[]): Line[] {
  const read = [...lines]
  for (const [index, line] of lines.entries()) {
    const [next, edge] = [lines[index + 1], line.cells.at(-1)?.x1 ?? 0]
    const isBelow = next?.page === line.page && line.y - next.y < 2 * line.height
    if (!next || !isBelow || !isHistory(line) || !aboutSample.test(next.text)) continue
    const [own, beside] = [next.cells.filter(({ x0 }) => x0 <= edge), next.cells.filter(({ x0 }) => x0 > edge)]
    if (!beside.every(({ text }) => ['unit', 'range'].includes(knownKind(text.toLowerCase()) ?? ''))) continue
    read[index] = withCells(line, [...line.cells, ...beside])
    read[index + 1] = withCells(next, own)
  }
  return read
}
const withCells = (line: Line, cells: Cell[]): Line => ({
  ...line,
  cells,
  text: cells.map(({ text }) => text).join('  '),
})

/** Lines with the day of this sample in a field, where words below several days say which one is current and which are earlier. */
export const withCurrentDays = (lines: readonly Line[], order: DayOrder): Line[] =>
  lines.flatMap((line, index) => {
    const [before, next] = [lines[index - 1], lines[index + 1]]
    if (before && currentDay(before, line, order)) return []
    const text = next && currentDay(line, next, order)
    if (!text) return [line]
    const said = `Date collected: ${text}`
    return [{ ...line, number: line.number - 0.5, cells: [{ text: said, x0: 0, x1: 0 }], text: said }, line]
  })

/** "05.01.26  12.02.26  18.03.26" above "earlier  earlier  current": the last one, if all others were before it. */
function currentDay(line: Line, words: Line, order: DayOrder): string | undefined {
  if (line.page !== words.page || line.y - words.y >= 2 * line.height) return undefined
  const days = line.cells.flatMap(apart).filter(({ isDay }) => isDay)
  const below = days.map(
    (day) => words.cells.find(({ x0, x1 }) => x0 < day.x1 && x1 > day.x0)?.text.toLowerCase() ?? '',
  )
  const [current, ...others] = days.filter((_, at) => currentOnly.test(below[at] ?? ''))
  const day = printedDay(current?.text, order)
  if (!current || !day || others.length > 0 || days.length < 2 || words.cells.length !== days.length) return undefined
  const isEarlier = (one: Cell, at: number) =>
    knownKind(below[at] ?? '') === 'previous' && (printedDay(one.text, order) ?? day) < day
  return days.every((one, at) => one === current || isEarlier(one, at)) ? current.text : undefined
}

/** What columns of several days hold: earlier results where this sample's day is known and is none of theirs. */
export function historyOf(
  line: Line,
  order: DayOrder,
  collected: string | undefined,
): 'earlier' | 'unsure' | undefined {
  if (isStrange(line)) return 'unsure'
  if (!isHistory(line)) return undefined
  const days = line.cells.flatMap(apart).flatMap(({ text, isDay }) => (isDay ? [printedDay(text, order)] : []))
  return collected !== undefined && days.every((day) => day !== undefined && day < collected) ? 'earlier' : 'unsure'
}

/** A heading of columns that are not known, such as "Test  Before  After  Units". */
const isStrange = ({ cells }: Line): boolean =>
  cells.length >= 3 &&
  /^(?:tests?|analytes?|parameters?|components?|untersuchung|analyse?|examen|esame|prueba|bepaling|undersökning|undersøgelse)$/i.test(
    cells[0]?.text ?? '',
  ) &&
  cells.every(({ text }) => !/^[<>≤≥]?\s*\d/.test(text) && text.length <= 40)

/** Whether a line heads columns of several days. */
export function isHistory(line: Line): boolean {
  const cells = line.cells.flatMap(apart)
  if (cells.filter(({ isDay }) => isDay).length < 2) return false
  // "Collected: 03/04/2025  Reported: 03/06/2025" stands above a table.
  if (
    /\b(?:reported|received|printed|born|dob|birth|released|ordered|informe|referto|emisión|eingang|ausgang|nacimiento|nascita)(?!\p{L})/iu.test(
      line.text,
    ) ||
    /(?:emissão|wydania|urodzenia|édité|née? le)/iu.test(line.text)
  )
    return false
  const named = first.test(line.text) ? { ...line, text: line.text.replace(first, 'test ') } : line
  return startsWithName(named.text)
}

const startsWithName = (text: string) =>
  /^(?:tests?|analytes?|biomarkers?|markers?|components?|parameters?|untersuchung|analyse?|examen|esame|prueba|bepaling|undersökning|undersøgelse)/i.test(
    text,
  )

/** The days in a cell as cells of their own. */
function apart(cell: Cell): (Cell & { isDay: boolean })[] {
  const at = (index: number) => cell.x0 + ((cell.x1 - cell.x0) * index) / Math.max(cell.text.length, 1)
  const pieces: (Cell & { isDay: boolean })[] = []
  let from = 0
  const take = (to: number, isDay: boolean) => {
    const text = cell.text.slice(from, to)
    const lead = text.length - text.trimStart().length
    if (text.trim() !== '') pieces.push({ text: text.trim(), x0: at(from + lead), x1: at(to), isDay })
    from = to
  }
  for (const found of cell.text.matchAll(everyDay)) {
    take(found.index, false)
    take(found.index + found[0].length, true)
  }
  take(cell.text.length, false)
  return pieces
}
