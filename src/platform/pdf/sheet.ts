import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type PDFDocument from 'pdfkit'
import type { Translator } from '../../domain/translations/translator.ts'
import { ink, page } from './paper.ts'

// Loading it takes 0.27 s of CPU and 32 MB, which a service without a report to draw does not need.
function newDocument(options: PDFKit.PDFDocumentOptions): PDFKit.PDFDocument {
  const Document: typeof PDFDocument = createRequire(import.meta.url)('pdfkit')
  return new Document(options)
}

const ASCII = /^[\x20-\x7e]*$/
type Role = 'H1' | 'H2' | 'P'

const names = { regular: 'DejaVuSans', bold: 'DejaVuSans-Bold' } as const
type Font = keyof typeof names

/** A font as fontkit parsed it. */
interface ParsedFont {
  hasGlyphForCodePoint(code: number): boolean
  /** Private there: a cache. */
  _glyphs: object
}

let parsed: Record<Font, ParsedFont> | undefined

/**
 * Both fonts, parsed once: parsing takes longer than all the rest. Their glyph caches are emptied before each document:
 * a glyph remembers the text that it was first used for, and a part of an accented letter remembers none.
 */
export function parsedFonts(): Record<Font, ParsedFont> {
  parsed ??= { regular: parse('regular'), bold: parse('bold') }
  parsed.regular._glyphs = {}
  parsed.bold._glyphs = {}
  return parsed
}

function parse(font: Font): ParsedFont {
  const bytes = readFileSync(fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${names[font]}.ttf`)))
  const doc = newDocument({ font: '' }).registerFont(font, bytes).font(font)
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
    return this.doc.font(font, size).heightOfString(this.#printable(text, font), { width })
  }

  /** Whether the font has each character of a text. */
  canShow(text: string): boolean {
    return this.#printable(text, 'regular') === text
  }

  /** A box for each character that the font lacks, such as Chinese ones: seen to be missing, not left out. */
  #printable(text: string, font: Font): string {
    if (ASCII.test(text)) return text
    const has = (char: string) => /\s/.test(char) || this.#fonts[font].hasGlyphForCodePoint(char.codePointAt(0) ?? 0)
    return Array.from(text, (char) => (has(char) ? char : '□')).join('')
  }

  /** One or more lines of text, wrapped at `width`. */
  write(text: string, x: number, y: number, style: TextStyle): void {
    const { width, size, font = 'regular', color = ink.text, align = 'left', isOneLine = false } = style
    const oneLine = isOneLine ? { height: size, ellipsis: true } : {}
    this.together(() =>
      this.doc
        .font(font, size)
        .fillColor(color)
        .text(this.#printable(text, font), x, y, { width, align, ...oneLine }),
    )
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
