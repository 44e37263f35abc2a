import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type PDFDocument from 'pdfkit'
import { directing } from './lines.ts'

/** A font as fontkit parsed it. */
export interface ParsedFont {
  postscriptName: string
  variationAxes: { wght?: { default: number } }
  hasGlyphForCodePoint(code: number): boolean
  /** Private there: a cache. */
  _glyphs: object
}

// Loading it takes 0.27 s of CPU and 32 MB, which a service without a report to draw does not need.
export function newDocument(options: PDFKit.PDFDocumentOptions): PDFKit.PDFDocument {
  const Document: typeof PDFDocument = createRequire(import.meta.url)('pdfkit')
  return new Document(options)
}

const names = { regular: 'DejaVuSans', bold: 'DejaVuSans-Bold' } as const
export type Font = keyof typeof names

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

// By script; Chinese of both ways of writing, Japanese and full-width signs are in noto-sans-sc, in the forms of Japan in
// noto-sans-jp. Each package has its font in slices, each of the letters that `unicode.json` names.
const families: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Hangul}/u, 'noto-sans-kr'],
  [/\p{Script=Thai}/u, 'noto-sans-thai'],
  [/\p{Script=Devanagari}/u, 'noto-sans-devanagari'],
  [/\p{Script=Bengali}/u, 'noto-sans-bengali'],
  [/\p{Script=Tamil}/u, 'noto-sans-tamil'],
]
const HAN = 'noto-sans-sc'

interface Slice {
  name: string
  url: string
  ranges: readonly (readonly [first: number, last: number])[]
  /** Undefined until it is read. */
  font?: ParsedFont
}

const slicesOf = new Map<string, readonly Slice[]>()
const wantedFamilies = new Set<string>()
const wantedSlices = new Set<Slice>()

const pathOf = (path: string) => fileURLToPath(import.meta.resolve(`@fontsource-variable/${path}`))

async function slicesIn(family: string): Promise<Slice[]> {
  const known: Record<string, string> = JSON.parse(await readFile(pathOf(`${family}/unicode.json`), 'utf8'))
  return Object.entries(known).map(([key, text]) => {
    const name = `${family}-${key.replaceAll(/[[\]]/g, '')}`
    const ranges = text.split(',').map((range) => {
      const [first = '', last = first] = range.trim().slice(2).split('-')
      return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const
    })
    return { name, url: pathOf(`${family}/files/${name}-wght-normal.woff2`), ranges }
  })
}

/** The font that has all letters of a text; undefined where there is none, or it is not read yet. */
export function maybeOtherFont(text: string, language: string): ParsedFont | undefined {
  const family = families.find(([script]) => script.test(text))?.[1]
  if (family) return maybeFontOf(family, text)
  return (language === 'ja' ? maybeFontOf('noto-sans-jp', text) : undefined) ?? maybeFontOf(HAN, text)
}

function maybeFontOf(family: string, text: string): ParsedFont | undefined {
  const codes = Array.from(text.replaceAll(directing, ''), (char) => char.codePointAt(0) ?? 0)
  const [first = 0] = codes
  const slices = slicesOf.get(family)
  if (!slices) wantedFamilies.add(family)
  for (const slice of slices ?? []) {
    if (!slice.ranges.some(([from, to]) => from <= first && first <= to)) continue
    if (!slice.font) wantedSlices.add(slice)
    else if (codes.every((code) => slice.font?.hasGlyphForCodePoint(code))) return slice.font
  }
  return undefined
}

// Of an em. The fonts of Chinese, Japanese and Korean begin with the thinnest weight, which a line around each stroke makes a
// regular one; pdfkit cannot take another weight of them.
const LINE = 0.03

/** The line around each stroke of such a font, in ems. */
export const lineOf = (font: ParsedFont, weight: Font): number =>
  ((font.variationAxes.wght?.default ?? 400) < 400 ? LINE : 0) + (weight === 'bold' ? LINE : 0)

/** Reads what was looked for since, and says whether there was anything: then what was drawn is to be drawn again. */
export async function readOtherFonts(): Promise<boolean> {
  if (wantedFamilies.size + wantedSlices.size === 0) return false
  // Emptied first: what cannot be read fails this document, and none after it.
  const [unknown, unread] = [[...wantedFamilies], [...wantedSlices]]
  wantedFamilies.clear()
  wantedSlices.clear()
  for (const family of unknown) slicesOf.set(family, await slicesIn(family))
  const { default: decompress } = await import('woff2-encoder/decompress')
  for (const slice of unread) {
    const font = parse(Buffer.from(await decompress(await readFile(slice.url))))
    // By it pdfkit tells fonts apart, and all slices have the same.
    slice.font = Object.defineProperty(font, 'postscriptName', { value: slice.name })
  }
  return true
}
