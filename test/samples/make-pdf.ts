import PDFDocument from 'pdfkit'
import { parsedFonts, registerFont } from '../../src/platform/pdf/fonts.ts'

/** One printed line: texts with their distance from the left edge in points and their size. */
export type Printed = [x: number, text: string, size?: number][]

export interface Page {
  lines: Printed[]
  fontSize?: number
  /** One of PDF itself, or `regular`, which has the signs of all languages. Helvetica, if absent. */
  font?: string
  leading?: number
  /** The text runs from bottom to top, upside down or from top to bottom. */
  turn?: 90 | 180 | 270
}

/** A made-up PDF with lines at given places. */
export function makePdf(pages: readonly Page[]): Promise<Buffer> {
  const document = new PDFDocument({ autoFirstPage: false, size: 'LETTER', margin: 0 })
  const chunks: Buffer[] = []
  document.on('data', (chunk) => chunks.push(chunk))
  if (pages.some(({ font }) => font === 'regular')) registerFont(document, 'regular', parsedFonts().regular)
  for (const { lines, fontSize = 9, font = 'Helvetica', leading = 1.3, turn } of pages) {
    document.addPage().font(font).fontSize(fontSize)
    if (turn) document.rotate(turn, { origin: [306, 306] })
    lines.forEach((line, index) => {
      for (const [x, text, size = fontSize] of line)
        document.fontSize(size).text(text, x, 40 + index * fontSize * leading, { lineBreak: false })
    })
  }
  document.end()
  return new Promise((resolve) => document.on('end', () => resolve(Buffer.concat(chunks))))
}

/** A page with a picture instead of text. */
export function makeScan(): Promise<Buffer> {
  const document = new PDFDocument({ size: 'LETTER', margin: 0 })
  const chunks: Buffer[] = []
  document.on('data', (chunk) => chunks.push(chunk))
  document.rect(50, 50, 400, 600).fill('#888888')
  document.end()
  return new Promise((resolve) => document.on('end', () => resolve(Buffer.concat(chunks))))
}
