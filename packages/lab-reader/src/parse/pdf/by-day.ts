import { type DayOrder, printedDay } from '../date.ts'
import { type Column, columnsIn } from './columns.ts'
import { everyDay, labelledDay } from './head.ts'
import type { Cell, Line } from './text.ts'

/** How such a table names its first column, or the rows above the results. */
const first = /^(?:dates?|datum|fecha|data|dato|collected|collection date|results?)(?!\p{L})\s*:?/iu
/** Rows of such a table that are about the sample. */
export const aboutSample =
  /^(?:time|lab(?:oratory)?(?: no\.?| number| ref\.?| id)?|request(?: no\.?| number)?|episode|accession|specimen|sample|fasting|coll(?:ected|ection)?|received|uhrzeit|auftrag)\b/i

/** The day on which this sample was collected, if the document says one and no other. */
export function onlyCollected(lines: readonly Line[], order: DayOrder): string | undefined {
  const days = new Set(lines.flatMap((_, index) => labelledDay(lines, index, 'collected', order) ?? []))
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
