import { isKnownUnit } from '../../facts/convert.ts'
import { type Commas, commasIn, readRange } from '../number.ts'
import { labelledDay, orderIn, readHead } from '../pdf/head.ts'
import { rowsIn } from '../pdf/page.ts'
import { printedIn, type Row, toObservation } from '../pdf/row.ts'
import { readBlocks } from '../pdf/rows.ts'
import type { Line } from '../pdf/text.ts'
import { clean } from '../text.ts'
import { mendedName, mendedUnit } from './lookalikes.ts'
import type { FoundRow, SheetHead } from './recognised.ts'

/** A number, also one with a mark in it that is none: "1:21". */
const start = /^(.*?\p{L}[^<>≤≥]*?)\s+([<>≤≥]?\s?=?\s?\d[\d.,:;'·]*)(?:\s+(HH?|LL?|High|Low|\*))?(?:\s+(.*))?$/u

/** A line outside of any table that may be a result: a name, a number, and a unit or a range behind it. */
function looseRow(line: Line): Row | undefined {
  const found = start.exec(line.text.replace(/\s+/g, ' '))
  const [, name = '', text = '', flag, rest = ''] = found ?? []
  if (!found || name.length > 60) return undefined
  const { unit, range } = unitAndRange(rest)
  if (unit === '' && range === '') return undefined
  return { name, text, unit, ranges: range === '' ? [] : [range], comments: [], line, ...(flag && { flag }) }
}

function unitAndRange(rest: string): { unit: string; range: string } {
  const words = rest.split(' ').filter((word) => word !== '')
  for (let count = Math.min(3, words.length); count > 0; count--) {
    const unit = mendedUnit(words.slice(0, count).join(' '))
    if (isKnownUnit(unit)) return { unit, range: rangeIn(words.slice(count).join(' ')) }
  }
  return { unit: '', range: rangeIn(rest) }
}

const rangeIn = (text: string) => (readRange(text, 'thousands') ? text : '')

export interface SheetRows {
  head: SheetHead
  rows: { row: FoundRow; line: Line; valueText: string }[]
}

/** Possible results in the lines of a document, for a person: rows of its tables, and lines that look like rows. */
export function readSheet(lines: readonly Line[]): SheetRows {
  const text = lines.map((line) => line.text).join('\n')
  const order = orderIn(text)
  // A doubtful comma stays in the value: a person checks each of them.
  const found = rowsIn(readBlocks(lines, order)).filter(({ row }) => row.doubt !== 'unreadable')
  const used = new Set(found.map(({ row }) => row.line))
  const commas = commasIn(found.flatMap(({ row }) => printedIn(row)))
  const inTables = found.map(({ row, section, doubt, specimen }) => ({
    row,
    section,
    isLoose: false,
    ...(doubt && { doubt }),
    ...(specimen && { specimen }),
  }))
  const others = lines.flatMap((line) => {
    const row = used.has(line) ? undefined : looseRow(line)
    return row ? [{ row, section: '', isLoose: true }] : []
  })
  const place = new Map(lines.map((line, index) => [line, index]))
  const rows = [...inTables, ...others]
    .sort((a, b) => (place.get(a.row.line) ?? 0) - (place.get(b.row.line) ?? 0))
    .map(({ row, section, isLoose }) => ({
      line: row.line,
      valueText: row.text,
      row: foundRow(row, { section, isLoose, commas }),
    }))
  const day = (label: 'collected' | 'resulted') =>
    lines.map((_, index) => labelledDay(lines, index, label, order)).find((one) => one !== undefined)
  const { patient } = readHead(lines, order)
  const [collectedDate, resultedDate] = [day('collected'), day('resulted')]
  const head = {
    ...(patient && { patient }),
    ...(collectedDate && { collectedDate }),
    ...(resultedDate && { resultedDate }),
  }
  return { head, rows }
}

function foundRow(row: Row, about: { section: string; isLoose: boolean; commas: Commas }): FoundRow {
  const name = clean(mendedName(row.name), 200)
  const mended = { ...row, name, unit: mendedUnit(row.unit) }
  return { observation: toObservation(mended, about, about.commas), isLoose: about.isLoose }
}
