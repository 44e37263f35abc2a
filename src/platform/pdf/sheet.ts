import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type PDFDocument from 'pdfkit'
import type { Translator } from '../../domain/translations/translator.ts'
import { drawOutlines, maybeOtherFont, type ParsedFont } from './other-scripts.ts'
import { ink, page } from './paper.ts'

// Loading it takes 0.27 s of CPU and 32 MB, which a service without a report to draw does not need.
function newDocument(options: PDFKit.PDFDocumentOptions): PDFKit.PDFDocument {
  const Document: typeof PDFDocument = createRequire(import.meta.url)('pdfkit')
  return new Document(options)
}

// Of the fonts of the sheet, from the top of a line to its baseline.
const ASCENT = 0.928
const letters = new Intl.Segmenter('und', { granularity: 'grapheme' })
const words = new Intl.Segmenter('und', { granularity: 'word' })

/** Undefined is the font of the sheet. */
interface Piece {
  text: string
  font: ParsedFont | undefined
}

interface Line {
  width: number
  pieces: (Piece & { width: number })[]
}

const ASCII = /^[\x20-\x7e]*$/
type Role = 'H1' | 'H2' | 'P'

const names = { regular: 'DejaVuSans', bold: 'DejaVuSans-Bold' } as const
type Font = keyof typeof names

let parsed: Record<Font, ParsedFont> | undefined

/**
 * Both fonts, parsed once: parsing takes longer than all the rest. Their glyph caches are emptied before each document:
 * a glyph remembers the text that it was first used for, and a part of an accented letter remembers none.
 */
export function parsedFonts(): Record<Font, ParsedFont> {
  parsed ??= { regular: parse(fileOf('regular')), bold: parse(fileOf('bold')) }
  parsed.regular._glyphs = {}
  parsed.bold._glyphs = {}
  return parsed
}

const fileOf = (font: Font) =>
  readFileSync(fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${names[font]}.ttf`)))

function parse(bytes: Buffer): ParsedFont {
  const doc = newDocument({ font: '' }).registerFont('parsed', bytes).font('parsed')
  // Private there.
  return (doc as unknown as { _font: { font: ParsedFont } })._font.font
}

/** pdfkit takes a parsed font too, which its types do not say. */
export function registerFont(doc: PDFKit.PDFDocument, name: string, font: ParsedFont): void {
  doc.registerFont(name, font as unknown as Buffer)
}

/**
 * An A4 document that is filled from top to bottom in blocks, none of which is ever cut by a page's end. It is filled
 * and finished without a pause: all of them share their fonts.
 */
export class Sheet {
  readonly doc: PDFKit.PDFDocument
  readonly #fonts = parsedFonts()
  readonly #root: PDFKit.PDFStructureElement
  /** Undefined inside a figure or an artifact, which have their role already. */
  #role: Role | undefined
  /** Where the next block begins. */
  y: number = page.top

  /** The language of its words. */
  readonly t: Translator

  constructor(info: { title: string; author: string; at: Date }, t: Translator) {
    this.t = t
    this.doc = newDocument({
      size: 'A4',
      margin: 0,
      font: '',
      pdfVersion: '1.7',
      tagged: true,
      lang: t.language,
      displayTitle: true,
      bufferPages: true,
      info: { Title: info.title, Author: info.author, Creator: 'Kitlane', CreationDate: info.at, ModDate: info.at },
    })
    registerFont(this.doc, 'regular', this.#fonts.regular)
    registerFont(this.doc, 'bold', this.#fonts.bold)
    this.#root = this.doc.struct('Document')
    this.doc.addStructure(this.#root)
  }

  /** Begins a new page when `height` does not fit on this one any more. */
  need(height: number): void {
    if (this.y + height <= page.bottom) return
    this.doc.addPage()
    this.y = page.top
  }

  /** Draws a block of `height` at the current place; `role` is that of each text in it for screen readers. */
  block(role: Role, height: number, draw: (y: number) => void): void {
    this.need(height)
    const top = this.y
    this.#role = role
    draw(top)
    this.#role = undefined
    this.y = top + height
  }

  /** Texts that are read as one. */
  together(draw: () => void): void {
    const role = this.#role
    this.#role = undefined
    if (role) this.#root.add(this.doc.struct(role, {}, draw))
    else draw()
    this.#role = role
  }

  /** A drawing, with what it shows in words; it takes no room of its own. */
  figure(alt: string, draw: () => void): void {
    this.#root.add(this.doc.struct('Figure', { alt }, draw))
  }

  /** What only decorates: lines, footers. */
  artifact(draw: () => void, type: 'Layout' | 'Pagination' = 'Layout'): void {
    this.doc.markContent('Artifact', { type })
    draw()
    this.doc.endMarkedContent()
  }

  /** The height of a text in points. */
  measure(text: string, width: number, size: number, font: Font = 'regular'): number {
    this.doc.font(font, size)
    if (!this.#isMixed(text, font)) return this.doc.heightOfString(this.#printable(text, font), { width })
    return this.#lines(text, { width, size, font }).length * this.doc.currentLineHeight(true)
  }

  /** Whether every letter of a text can be drawn. */
  canShow(text: string): boolean {
    return this.#pieces(text, 'regular').every(({ text: part, font }) => font || this.#isOwn(part, 'regular'))
  }

  #isOwn(text: string, font: Font): boolean {
    const has = (char: string) => /\s/.test(char) || this.#fonts[font].hasGlyphForCodePoint(char.codePointAt(0) ?? 0)
    return ASCII.test(text) || Array.from(text).every(has)
  }

  #isMixed(text: string, font: Font): boolean {
    return !this.#isOwn(text, font) && this.#pieces(text, font).some((piece) => piece.font)
  }

  /** A text in pieces of one font each; letters are apart from their marks in none of them. */
  #pieces(text: string, own: Font): Piece[] {
    const pieces: Piece[] = []
    for (const { segment } of letters.segment(text)) {
      const font = this.#isOwn(segment, own) ? undefined : maybeOtherFont(segment, parse)
      const last = pieces.at(-1)
      if (last && last.font === font) last.text += segment
      else pieces.push({ text: segment, font })
    }
    return pieces
  }

  /** The lines of a text that needs other fonts, broken between words. */
  #lines(text: string, { width, size, font = 'regular' }: TextStyle): Line[] {
    const lines: Line[] = []
    for (const paragraph of text.split('\n')) {
      let line: Line = { width: 0, pieces: [] }
      lines.push(line)
      for (const { segment } of words.segment(paragraph)) {
        const pieces = this.#pieces(segment, font).map((piece) => ({
          ...piece,
          width: this.#widthOf(piece, size, font),
        }))
        const wide = pieces.reduce((sum, piece) => sum + piece.width, 0)
        if (line.width > 0 && line.width + wide > width) {
          if (segment.trim() === '') continue
          line = { width: 0, pieces: [] }
          lines.push(line)
        }
        for (const piece of pieces) {
          const last = line.pieces.at(-1)
          if (last?.font !== piece.font || !last) line.pieces.push(piece)
          else Object.assign(last, { text: last.text + piece.text, width: last.width + piece.width })
        }
        line.width += wide
      }
    }
    return lines
  }

  #widthOf(piece: Piece, size: number, font: Font): number {
    if (piece.font) return (piece.font.layout(piece.text).advanceWidth * size) / piece.font.unitsPerEm
    return this.doc.font(font, size).widthOfString(this.#printable(piece.text, font))
  }

  /** A box for each character that no font has: seen to be missing, not left out. */
  #printable(text: string, font: Font): string {
    return this.#isOwn(text, font) ? text : Array.from(text, (char) => (this.#isOwn(char, font) ? char : '□')).join('')
  }

  /** One or more lines of text, wrapped at `width`. */
  write(text: string, x: number, y: number, style: TextStyle): void {
    const { width, size, font = 'regular', color = ink.text, align = 'left', isOneLine = false } = style
    const oneLine = isOneLine ? { height: size, ellipsis: true } : {}
    this.together(() => {
      this.doc.font(font, size).fillColor(color)
      if (this.#isMixed(text, font)) this.#writeMixed(text, x, y, style)
      else this.doc.text(this.#printable(text, font), x, y, { width, align, ...oneLine })
    })
  }

  #writeMixed(text: string, x: number, y: number, style: TextStyle): void {
    const { width, size, font = 'regular', color = ink.text, align = 'left', isOneLine = false } = style
    const all = this.#lines(text, style)
    const height = this.doc.font(font, size).currentLineHeight(true)
    for (const [index, line] of (isOneLine ? all.slice(0, 1) : all).entries()) {
      const spare = align === 'left' ? 0 : (width - line.width) / (align === 'center' ? 2 : 1)
      let left = x + Math.max(0, spare)
      const top = y + index * height
      for (const piece of line.pieces) {
        if (piece.font) {
          const place = { x: left, baseline: top + ASCENT * size, size, isBold: font === 'bold', color }
          drawOutlines(this.doc, { text: piece.text, font: piece.font }, place)
        } else {
          this.doc.font(font, size).fillColor(color)
          this.doc.text(this.#printable(piece.text, font), left, top, { lineBreak: false })
        }
        left += piece.width
      }
    }
  }

  /** Draws on every page, and gives the finished file. */
  async finish(footer: (number: number, count: number) => void): Promise<Buffer> {
    const { count } = this.doc.bufferedPageRange()
    for (let index = 0; index < count; index++) {
      this.doc.switchToPage(index)
      this.artifact(() => footer(index + 1, count), 'Pagination')
    }
    this.doc.end()
    const chunks: Buffer[] = []
    for await (const chunk of this.doc) chunks.push(chunk)
    return Buffer.concat(chunks)
  }
}

export interface TextStyle {
  width: number
  size: number
  font?: Font
  color?: string
  align?: 'left' | 'center' | 'right'
  /** Cut with an ellipsis instead of wrapped. */
  isOneLine?: boolean
}
