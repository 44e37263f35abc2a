import { isKnownUnit } from '../../facts/convert.ts'
import { insteadNamedIn } from '../instead.ts'
import type { LeftOut } from '../left-out.ts'
import { isPrintedNumber } from '../number.ts'
import { strayResultIn } from '../stray.ts'
import { isHistory } from './by-day.ts'
import { type Column, place } from './columns.ts'
import { dayOnly } from './head.ts'
import type { Block } from './page.ts'
import type { Line } from './text.ts'

/** Of two tables side by side, both have a part of the same line. */
const where = ({ page, number, cells }: Line) => `${page} ${number} ${cells[0]?.x0}`

/** A name, a number, a unit and a printed range, in a line without gaps. */
const inOneText =
  /^\p{L}[\p{L}\p{N} ,()%/.-]{1,60}?\s+[<>≤≥]?\s?\d[\d.,]*\s*(?:HH?|LL?|\*+|[↑↓])?\s+(\S{1,15})\s+\(?(?:\d[\d.,]*\s?[-–]\s?\d[\d.,]*|[<>≤≥]\s?\d[\d.,]*)\)?/u
/** The first cell of a row of earlier days. */
const dayAlone = new RegExp(`${dayOnly.source}$`)

/**
 * Lines of blocks that look like results and of which no row was made; `left`: others that stand in a table or column of earlier
 * results, goals or averages, or say so. `read`: lines that were read, as a row, a part of one or a note.
 */
export function unreadLines(blocks: readonly Block[], read: readonly Line[]): { unread: Line[]; left: LeftOut[] } {
  const known = new Set([...read, ...blocks.flatMap(({ rows }) => rows.map(({ line }) => line))].map(where))
  const unread: Line[] = []
  const left: LeftOut[] = []
  const leave = ({ page, number }: Line, because: string) =>
    left.push({ position: `page ${page}, line ${number}`, because })
  for (const { table, title, history, others, rows } of blocks) {
    const comments = new Set(rows.flatMap((row) => (row.doubt === 'unreadable' ? [] : row.comments)))
    for (const line of others) {
      if (known.has(where(line))) continue
      const named = insteadNamedIn(line.text)
      if (history === 'unsure' ? hasNumber(line) : looksLikeResult(line)) {
        if (history === 'earlier' || isOfOtherColumn(line, table?.columns ?? []))
          leave(line, 'an earlier result, goal or mean')
        else unread.push(...(history === 'unsure' && others[0] && !isHistory(others[0]) ? byNumber(line) : [line]))
      } else if (isOfDays(line)) {
        if (title.holds === 'earlier' || history === 'earlier') leave(line, title.text || 'an earlier result')
        else unread.push(line)
      } else if (line.cells.length < 3 && !comments.has(line.text) && strayResultIn(line.text)) {
        if (named) leave(line, named)
        else unread.push(line)
      }
    }
  }
  return { unread, left }
}

/** "PSA  3.8  5.1" below "Present method  New method": each number is one that a person has to look at. */
function byNumber(line: Line): Line[] {
  const [name, ...rest] = line.cells
  const numbers = rest.filter(({ text }) => isPrintedNumber(text))
  if (!name || numbers.length < 2) return [line]
  const behind = rest.filter((cell) => !numbers.includes(cell))
  return numbers.map((number) => {
    const cells = [name, number, ...behind]
    return { ...line, cells, text: cells.map(({ text }) => text).join('  ') }
  })
}

/** A day with numbers behind it, and nothing else: a row of a table of days. */
const isOfDays = ({ cells: [day, ...rest] }: Line): boolean =>
  day !== undefined && dayAlone.test(day.text) && rest.length > 0 && rest.every(({ text }) => isPrintedNumber(text))

/** A name and a number behind it, whatever the columns mean. */
const hasNumber = ({ cells: [name, ...rest] }: Line): boolean =>
  name !== undefined && /^\p{L}[^:;]*$/u.test(name.text) && rest.some(({ text }) => isPrintedNumber(text))

/** Its only numbers stand under what is no result, such as an earlier one. */
function isOfOtherColumn(line: Line, columns: readonly Column[]): boolean {
  if (columns.length === 0) return false
  const placed = place(line, columns).filter(({ column }) => !['name', 'unit', 'range'].includes(column.kind))
  const numbers = placed.filter((cell) => isPrintedNumber(cell.text))
  return numbers.length > 0 && numbers.every(({ column }) => column.kind === 'previous')
}

/** A number and a known unit, or what else looks like a result: no template takes it away. */
export const mayBeResult = (line: Line): boolean =>
  looksLikeResult(line) ||
  (line.cells.some((cell) => isPrintedNumber(cell.text)) && line.cells.some((cell) => isKnownUnit(cell.text)))

/** A name, a number and a unit in cells; in one text with a range, too: without it, it may be a sentence or a legend. */
export function looksLikeResult({ cells, text }: Line): boolean {
  const [name, ...rest] = cells
  if (!name || text.length > 160 || /[.:;]$/.test(text.trim())) return false
  if (cells.length < 3) return isKnownUnit(inOneText.exec(text)?.[1] ?? '')
  if (!/^\p{L}[^:;]+$/u.test(name.text)) return false
  const numbers = rest.filter((cell) => isPrintedNumber(cell.text))
  // Germs and cells of urine are counted in a millilitre.
  const units = rest.filter(({ text }) => isKnownUnit(text) || /^\/m[lL]$/.test(text))
  return numbers.length > 0 && units.length > 0
}
