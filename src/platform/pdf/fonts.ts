import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import PDFDocument from 'pdfkit'

const names = { regular: 'DejaVuSans', bold: 'DejaVuSans-Bold' } as const
export type Font = keyof typeof names

/** A font as fontkit parsed it. */
export interface ParsedFont {
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
  const doc = new PDFDocument({ font: '' }).registerFont(font, bytes).font(font)
  // Private there.
  return (doc as unknown as { _font: { font: ParsedFont } })._font.font
}

/** pdfkit takes a parsed font too, which its types do not say. */
export function registerFont(doc: PDFKit.PDFDocument, name: string, font: ParsedFont): void {
  doc.registerFont(name, font as unknown as Buffer)
}
