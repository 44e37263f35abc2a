import type { Translator } from '../../domain/translations/translator.ts'
import { type Font, lineOf, maybeOtherFont, newDocument, type ParsedFont, parsedFonts, registerFont } from './fonts.ts'
import { asDrawn, directing, hasRightToLeft, inVisualOrder, levelsOf, unitsOf } from './lines.ts'
import { ink, page } from './paper.ts'

const letters = new Intl.Segmenter('und', { granularity: 'grapheme' })

interface Piece {
  text: string
  /** Undefined is the font of the sheet. */
  font: ParsedFont | undefined
  /** Odd where it is read from right to left. */
  level: number
}

interface Line {
  width: number
  pieces: (Piece & { width: number })[]
}

// A text in one piece: word by word, letters that are read from right to left would be apart from their order.
const WHOLE = { features: [] as PDFKit.Mixins.OpenTypeFeatures[] }
const opposite = { left: 'right', right: 'left', center: 'center' } as const
// From the top of a line to its baseline, in the font of the sheet.
const ASCENT = 0.928
const ASCII = /^[\x20-\x7e]*$/
type Role = 'H1' | 'H2' | 'P'

/**
 * An A4 document that is filled from top to bottom in blocks, none of which is ever cut by a page's end. It is filled
 * and finished without a pause: all of them share their fonts.
 */
export class Sheet {
  readonly doc: PDFKit.PDFDocument
  readonly #fonts = parsedFonts()
  /** Other fonts that this document has. */
  readonly #registered = new Set<ParsedFont>()
  readonly #root: PDFKit.PDFStructureElement
  /** Undefined inside a figure or an artifact, which have their role already. */
  #role: Role | undefined
  /** Whether what is drawn begins from the right. */
  #isFromRight: boolean
  /** Where the next block begins. */
  y: number = page.top

  /** The language of its words. */
  readonly t: Translator

  constructor(info: { title: string; author: string; at: Date }, t: Translator) {
    this.t = t
    this.#isFromRight = t.direction === 'rtl'
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

  /** Where something begins that is `width` wide: a language that is read from the right has its pages from there. */
  at(x: number, width: number): number {
    return this.#isFromRight ? page.left + page.right - x - width : x
  }

  /** Draws in its place what stays from left to right in any language, such as a chart, or a number with its unit. */
  fromLeft(x: number, width: number, draw: () => void): void {
    this.doc.save().translate(this.at(x, width) - x, 0)
    this.#isFromRight = false
    draw()
    this.#isFromRight = this.t.direction === 'rtl'
    this.doc.restore()
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

  /** The width of a text on one line in points. */
  widthOf(text: string, size: number, font: Font = 'regular'): number {
    if (!this.#isMixed(text, font)) return this.doc.font(font, size).widthOfString(this.#printable(text, font))
    return this.#pieces(text, font).reduce((sum, piece) => sum + this.#widthOf(piece, size, font), 0)
  }

  /** Whether every letter of a text can be drawn. */
  canShow(text: string): boolean {
    return this.#pieces(text, 'regular').every(({ text: part, font }) => font || this.#isOwn(part, 'regular'))
  }

  #isOwn(text: string, font: Font): boolean {
    const has = (char: string) =>
      /\s/.test(char) ||
      char.search(directing) === 0 ||
      this.#fonts[font].hasGlyphForCodePoint(char.codePointAt(0) ?? 0)
    return ASCII.test(text) || Array.from(text).every(has)
  }

  /** Whether a text needs other fonts, or is read from right to left. */
  #isMixed(text: string, font: Font): boolean {
    if (hasRightToLeft(text)) return true
    return !this.#isOwn(text, font) && this.#pieces(text, font).some((piece) => piece.font)
  }

  /** A text in pieces of one font and direction each; letters are apart from their marks in none of them. */
  #pieces(text: string, own: Font, levels?: Uint8Array): Piece[] {
    const pieces: Piece[] = []
    for (const { segment, index } of letters.segment(text)) {
      const font = this.#isOwn(segment, own) ? undefined : maybeOtherFont(segment, this.t.language)
      const level = levels?.[index] ?? (hasRightToLeft(segment) ? 1 : 0)
      const last = pieces.at(-1)
      if (last && last.font === font && last.level === level) last.text += segment
      else pieces.push({ text: segment, font, level })
    }
    return pieces
  }

  /** The lines of such a text, broken between words, each from its left. */
  #lines(text: string, { width, size, font = 'regular' }: TextStyle): Line[] {
    const lines: Line[] = []
    for (const paragraph of text.split('\n')) {
      const levels = hasRightToLeft(paragraph) ? levelsOf(paragraph, this.t.direction) : undefined
      let line: Line = { width: 0, pieces: [] }
      lines.push(line)
      for (const { text: unit, index } of unitsOf(paragraph)) {
        const pieces = this.#pieces(unit, font, levels?.subarray(index)).map((piece) => ({
          ...piece,
          width: this.#widthOf(piece, size, font),
        }))
        const wide = pieces.reduce((sum, piece) => sum + piece.width, 0)
        if (line.width > 0 && line.width + wide > width) {
          if (unit.trim() === '') continue
          line = { width: 0, pieces: [] }
          lines.push(line)
        }
        for (const piece of pieces) {
          const last = line.pieces.at(-1)
          if (last?.font !== piece.font || last?.level !== piece.level) line.pieces.push(piece)
          else Object.assign(last, { text: last.text + piece.text, width: last.width + piece.width })
        }
        line.width += wide
      }
    }
    return lines.map((line) => ({ ...line, pieces: inVisualOrder(line.pieces) }))
  }

  #widthOf(piece: Piece, size: number, font: Font): number {
    return this.doc.font(this.#nameOf(piece, font), size).widthOfString(this.#drawn(piece, font), WHOLE)
  }

  #nameOf({ font: other }: Piece, font: Font): string {
    if (!other) return font
    if (!this.#registered.has(other)) {
      other._glyphs = {}
      registerFont(this.doc, other.postscriptName, other)
      this.#registered.add(other)
    }
    return other.postscriptName
  }

  #drawn({ text, font: other, level }: Piece, font: Font): string {
    const drawn = asDrawn(text, level)
    return other ? drawn : this.#printable(drawn, font)
  }

  /** A box for each character that no font has: seen to be missing, not left out. */
  #printable(text: string, font: Font): string {
    const drawn = text.replaceAll(directing, '')
    if (this.#isOwn(drawn, font)) return drawn
    return Array.from(drawn, (char) => (this.#isOwn(char, font) ? char : '□')).join('')
  }

  /** One or more lines of text, wrapped at `width`. */
  write(text: string, x: number, y: number, style: TextStyle): void {
    const { width, size, font = 'regular', color = ink.text, isOneLine = false } = style
    const oneLine = isOneLine ? { height: size, ellipsis: true } : {}
    const align = this.#isFromRight ? opposite[style.align ?? 'left'] : style.align
    const left = this.at(x, width)
    this.together(() => {
      this.doc.font(font, size).fillColor(color)
      if (this.#isMixed(text, font)) this.#writeMixed(text, left, y, { ...style, align })
      else this.doc.text(this.#printable(text, font), left, y, { width, align, ...oneLine })
    })
  }

  #writeMixed(text: string, x: number, y: number, style: TextStyle): void {
    const { width, size, font = 'regular', color = ink.text, align = 'left', isOneLine = false } = style
    const all = this.#lines(text, style)
    const height = this.doc.font(font, size).currentLineHeight(true)
    for (const [index, line] of (isOneLine ? all.slice(0, 1) : all).entries()) {
      const spare = align === 'left' ? 0 : (width - line.width) / (align === 'center' ? 2 : 1)
      let left = x + Math.max(0, spare)
      const top = y + index * height + ASCENT * size
      for (const piece of line.pieces) {
        this.doc.font(this.#nameOf(piece, font), size).fillColor(color)
        // What it says is kept for whoever copies it or has it read aloud.
        this.doc.markContent('Span', { actual: piece.text })
        const stroke = piece.font ? lineOf(piece.font, font) : 0
        if (stroke > 0)
          this.doc
            .lineWidth(stroke * size)
            .lineJoin('round')
            .strokeColor(color)
        const drawn = this.#drawn(piece, font)
        this.doc.text(drawn, left, top, {
          lineBreak: false,
          baseline: 'alphabetic',
          fill: true,
          stroke: stroke > 0,
          ...WHOLE,
        })
        this.doc.endMarkedContent()
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
