import { getDocumentProxy } from 'unpdf'
import { Refusal } from '../refusal.ts'
import { plain } from '../text.ts'
import { hasHiddenText } from './hidden.ts'

export interface Cell {
  text: string
  x0: number
  x1: number
}

export interface Line {
  page: number
  /** 1-based on its page, from the top. */
  number: number
  y: number
  height: number
  cells: Cell[]
  text: string
  /** By a layout template, or as the title of another table. */
  endsTable?: true
}

export interface PdfText {
  lines: Line[]
  pages: number
  pagesWithoutText: number[]
  /** Of the file, which no page prints. */
  title: string
  /** Whether the text of a page is what a scanner recognised behind its picture. */
  isScanned(page: number): Promise<boolean>
}

interface Run extends Cell {
  y: number
  height: number
}

const maxRuns = 300_000
/** Gaps in ems: wider than a word space is another cell; narrower than the other is no space at all. */
const cellGap = 0.75
const spaceGap = 0.12

/** The text of a PDF by lines and cells, from its text layer. */
export async function readLines(bytes: Uint8Array, maxPages: number): Promise<PdfText> {
  // pdf.js takes ownership of the bytes.
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { stopAtErrors: true, verbosity: 0 })
  if (pdf.numPages > maxPages) throw new Refusal('TOO_MANY_PAGES')
  const isScanned = async (page: number) => hasHiddenText(await pdf.getPage(page))
  const { info } = await pdf.getMetadata()
  const title = 'Title' in info && typeof info.Title === 'string' ? info.Title : ''
  const text: PdfText = { lines: [], pages: pdf.numPages, pagesWithoutText: [], title, isScanned }
  let count = 0
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    count += items.length
    if (count > maxRuns) throw new Refusal('TOO_LARGE')
    const lines = linesOfItems(items, number)
    if (lines.length === 0) text.pagesWithoutText.push(number)
    text.lines.push(...lines)
    page.cleanup()
  }
  return text
}

type TextItem = { str: string; transform: number[]; width: number; height: number }

/** The lines of one page, from the text items of pdf.js. */
export function linesOfItems(items: readonly (TextItem | object)[], page: number): Line[] {
  const quarter = quarterOf(items)
  return linesOf(
    items.flatMap((item) => ('str' in item ? runsOf(quarter === 0 ? item : turned(item, quarter)) : [])),
    page,
  )
}

/** By how many quarters, counter-clockwise, most of the text of a page is turned: scanners and printers turn pages. */
export function quarterOf(items: readonly (TextItem | object)[]): 0 | 1 | 2 | 3 {
  const counts = [0, 0, 0, 0]
  for (const item of items) {
    if (!('str' in item)) continue
    const [a = 1, b = 0] = item.transform
    const quarter = (Math.round(Math.atan2(b, a) / (Math.PI / 2)) + 4) % 4
    counts[quarter] = (counts[quarter] ?? 0) + item.str.trim().length
  }
  return counts.indexOf(Math.max(...counts)) as 0 | 1 | 2 | 3
}

/** The item where it stands once its page is turned back. */
function turned(item: TextItem, quarter: 1 | 2 | 3): TextItem {
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = item.transform
  const [left, bottom] = quarter === 1 ? [y, -x] : quarter === 2 ? [-x, -y] : [-y, x]
  const scale = quarter === 2 ? Math.abs(d) : Math.abs(c)
  return { ...item, transform: [Math.hypot(a, b), 0, 0, scale, left, bottom] }
}

/** A run, split at wide gaps of spaces, as in fixed-width text. */
function runsOf(item: TextItem): Run[] {
  const [, , , scale = 0, x = 0, y = 0] = item.transform
  const height = item.height || Math.abs(scale) || 8
  const step = item.str.length > 0 ? item.width / item.str.length : 0
  return [...item.str.matchAll(/\S+(?: \S+)*/g)].map((found) => ({
    text: plain(found[0]),
    x0: x + found.index * step,
    x1: x + (found.index + found[0].length) * step,
    y,
    height,
  }))
}

function linesOf(runs: readonly Run[], page: number): Line[] {
  const rows: Run[][] = []
  for (const run of [...runs].sort((a, b) => b.y - a.y || a.x0 - b.x0)) {
    const row = rows.at(-1)
    const first = row?.[0]
    if (row && first && first.y - run.y < 0.45 * Math.max(first.height, run.height)) row.push(run)
    else rows.push([run])
  }
  return rows.map((row, index) => {
    const cells = cellsOf(row.sort((a, b) => a.x0 - b.x0)).flatMap(withoutDots)
    const height = Math.max(...row.map((run) => run.height))
    return { page, number: index + 1, y: row[0]?.y ?? 0, height, cells, text: cells.map(({ text }) => text).join('  ') }
  })
}

/** A line of dots leads from a name to its value. */
function withoutDots(cell: Cell): Cell[] {
  const text = cell.text.replace(/\s*(?:\. ?){3,}:?$/, '')
  return text === cell.text ? [cell] : text === '' ? [] : [{ ...cell, text }]
}

function cellsOf(runs: readonly Run[]): Cell[] {
  const cells: (Cell & { height: number })[] = []
  for (const { text, x0, x1, height } of runs) {
    const last = cells.at(-1)
    const gap = last ? x0 - last.x1 : Number.POSITIVE_INFINITY
    if (!last || gap > cellGap * height) cells.push({ text, x0, x1, height })
    else {
      // A smaller run is a raised footnote: "5.8" and a small "1" are not 5.81.
      const isApart = gap > spaceGap * height || Math.abs(height - last.height) > 0.15 * last.height
      last.text += isApart ? ` ${text}` : text
      last.x1 = Math.max(last.x1, x1)
      last.height = height
    }
  }
  return cells
}
