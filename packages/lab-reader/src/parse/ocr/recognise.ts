import type { Line } from '../pdf/text.ts'
import { Refusal } from '../refusal.ts'
import { sniff } from '../sniff.ts'
import { type Box, type Engine, startEngine, type Word, type WordLine } from './engine.ts'
import { enlarge, pngOf, shrink, upsideDown } from './grey.ts'
import { boxOf, type Placed, placeLines } from './lines.ts'
import { imageSheets, pdfSheets, type Sheet, type Sheets } from './pages.ts'
import type { Crop, FoundRow, RecognisedFile } from './recognised.ts'
import { readSheet } from './sheet.ts'

export interface RecogniseLimits {
  maxPages: number
  /** CPU time after which no further page or number is begun. */
  budgetMs: number
}

const maxLines = 2_000
const maxRows = 500

/** Draws the pages of a PDF or a picture and reads them, by their text layer or by recognition. @throws Refusal */
export async function recogniseFile(
  bytes: Uint8Array,
  { maxPages, budgetMs }: RecogniseLimits,
): Promise<RecognisedFile> {
  const isLate = () => cpuMs() > budgetMs
  const sheets = await openSheets(bytes)
  const shortages = new Set<RecognisedFile['shortages'][number]>(sheets.total > maxPages ? ['pages'] : [])
  const seen = new Map<Line, PlacedLine>()
  const pages: RecognisedFile['pages'] = []
  let engine: Engine | undefined
  for (let number = 1; number <= Math.min(sheets.total, maxPages); number++) {
    if (isLate()) {
      shortages.add('time')
      break
    }
    const opened = await sheets.open(number)
    if (opened.lines) {
      pages.push(pictureOf(opened))
      for (const line of opened.lines) seen.set(line, { sheet: opened, line, box: printedBox(opened, line) })
      continue
    }
    engine ??= await startEngine()
    const { sheet, words } = await readUpright(engine, opened)
    pages.push(pictureOf(sheet))
    for (const placed of placedOn(sheet, words)) seen.set(placed.line, { sheet, ...placed })
  }
  const lines = [...seen.values()].slice(0, maxLines)
  if (lines.length === 0) shortages.add('nothing')
  const { head, rows } = readSheet(lines.map(({ line }) => line))
  const found: FoundRow[] = []
  for (const { row, line, valueText } of rows.slice(0, maxRows)) {
    const look = seen.get(line)
    const again = look && engine && !isLate() ? await readNumberAgain(engine, look, valueText) : undefined
    found.push({
      ...row,
      ...(look && confidenceAndCrop(look, row, valueText)),
      ...(again !== undefined && { secondReading: again }),
    })
  }
  return { totalPages: sheets.total, pages, lines: lines.map(lineOf), rows: found, head, shortages: [...shortages] }
}

/** A busy machine is slow, but reads as much as an idle one. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** A line on its page. It has words only if it was recognised. */
interface PlacedLine {
  sheet: Sheet
  line: Line
  box: Box
  words?: readonly Word[]
}

function openSheets(bytes: Uint8Array): Promise<Sheets> {
  const format = sniff(bytes)
  if (format === 'pdf') return pdfSheets(bytes)
  if (format === 'image') return imageSheets(bytes)
  throw new Refusal('UNSUPPORTED_FORMAT')
}

/** Half the size: about 150 dpi, which a person reads well. */
function pictureOf({ number, grey }: Sheet): RecognisedFile['pages'][number] {
  const small = shrink(grey, grey.width * grey.height > 3e6 ? 2 : 1)
  return { number, width: small.width, height: small.height, png: pngOf(small).toString('base64') }
}

/** Below it, the words of a page are so uncertain that it may lie upside down. */
const LEAST_MEAN = 65

/** Reads a page; if its words are hardly readable, also upside down, and keeps what can be read better. */
async function readUpright(engine: Engine, sheet: Sheet): Promise<{ sheet: Sheet; words: WordLine[] }> {
  const words = await engine.readPage(sheet.grey)
  const sure = meanConfidence(words)
  if (sure >= LEAST_MEAN) return { sheet, words }
  const turned = { ...sheet, grey: upsideDown(sheet.grey) }
  const other = await engine.readPage(turned.grey)
  return meanConfidence(other) > sure ? { sheet: turned, words: other } : { sheet, words }
}

/** Of words of two letters and more: what is no text has short ones. */
function meanConfidence(lines: readonly WordLine[]): number {
  const words = lines.flat().filter(({ text }) => /[\p{L}\d]{2}/u.test(text))
  return words.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, words.length)
}

const placedOn = ({ grey, number, pixelsPerPoint }: Sheet, words: readonly WordLine[]): Placed[] =>
  placeLines(words, { number, height: grey.height, scale: pixelsPerPoint })

function printedBox({ grey, pixelsPerPoint }: Sheet, { cells, y, height }: Line): Box {
  const bottom = grey.height - y * pixelsPerPoint
  return {
    x0: Math.min(...cells.map(({ x0 }) => x0)) * pixelsPerPoint,
    x1: Math.max(...cells.map(({ x1 }) => x1)) * pixelsPerPoint,
    y0: bottom - height * pixelsPerPoint,
    y1: bottom + 0.25 * height * pixelsPerPoint,
  }
}

function lineOf({ line, words }: PlacedLine): RecognisedFile['lines'][number] {
  const text = line.text.slice(0, 500)
  return { page: line.page, text, ...(words && { confidence: least(words) }) }
}

function confidenceAndCrop(
  look: PlacedLine,
  { observation }: FoundRow,
  valueText: string,
): Pick<FoundRow, 'confidence' | 'crop'> {
  const crop = cropOf(look)
  if (!look.words) return { crop }
  const name = new Set(observation.name.split(' '))
  const telling = look.words.filter(({ text }) => name.has(text) || valueText.split(' ').includes(text))
  return { crop, confidence: least(telling.length > 0 ? telling : look.words) }
}

const least = (words: readonly Word[]) => Math.round(Math.min(...words.map(({ confidence }) => confidence)))

function cropOf({ sheet: { grey, number }, box }: PlacedLine): Crop {
  const part = (value: number, of: number) => Math.round(Math.min(1, Math.max(0, value / of)) * 10_000) / 10_000
  const pad = 0.4 * (box.y1 - box.y0)
  const [x, y] = [part(box.x0 - pad, grey.width), part(box.y0 - pad, grey.height)]
  const [right, bottom] = [part(box.x1 + pad, grey.width), part(box.y1 + pad, grey.height)]
  return { page: number, x, y, w: part(right - x, 1), h: part(bottom - y, 1) }
}

/** Reads the number alone, from a picture of another size: if a decimal point was lost, the two seldom agree. */
async function readNumberAgain(
  engine: Engine,
  { sheet, words = [] }: PlacedLine,
  valueText: string,
): Promise<string | undefined> {
  const first = valueText.split(' ')[0] ?? ''
  const word = words.find(({ text }) => text === first)
  if (!word || !/\d/.test(first)) return undefined
  const { x0, y0, x1, y1 } = boxOf([word])
  const pad = Math.round(0.35 * (y1 - y0))
  const box = { x: x0 - pad, y: y0 - pad, w: x1 - x0 + 2 * pad, h: y1 - y0 + 2 * pad }
  return engine.readNumber(enlarge(sheet.grey, box, 1.6))
}
