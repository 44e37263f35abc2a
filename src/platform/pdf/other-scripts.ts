import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A font as fontkit parsed it. */
export interface ParsedFont {
  unitsPerEm: number
  variationAxes: { wght?: { default: number } }
  hasGlyphForCodePoint(code: number): boolean
  layout(text: string): {
    glyphs: readonly { path: { toSVG(): string } }[]
    positions: readonly { xAdvance: number; xOffset: number; yOffset: number }[]
    advanceWidth: number
  }
  /** Private there: a cache. */
  _glyphs: object
}

// By script; Chinese of both ways of writing, Japanese and full-width signs are in noto-sans-sc. Each package has its font in slices, each of the letters that `unicode.json` names.
const families: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Hangul}/u, 'noto-sans-kr'],
  [/\p{Script=Thai}/u, 'noto-sans-thai'],
  [/\p{Script=Devanagari}/u, 'noto-sans-devanagari'],
  [/\p{Script=Bengali}/u, 'noto-sans-bengali'],
  [/\p{Script=Tamil}/u, 'noto-sans-tamil'],
]

interface Slice {
  url: string
  ranges: readonly (readonly [first: number, last: number])[]
}

const resolved = (path: string) => import.meta.resolve(`@fontsource-variable/${path}`)
const slicesOf = new Map<string, readonly Slice[]>()
const fonts = new Map<string, ParsedFont>()

function read(family: string): Slice[] {
  const known: Record<string, string> = JSON.parse(
    readFileSync(fileURLToPath(resolved(`${family}/unicode.json`)), 'utf8'),
  )
  return Object.entries(known).map(([name, text]) => ({
    url: resolved(`${family}/files/${family}-${name.replaceAll(/[[\]]/g, '')}-wght-normal.woff2`),
    ranges: text.split(',').map((range) => {
      const [first = '', last = first] = range.trim().slice(2).split('-')
      return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const
    }),
  }))
}

/** The font that has all letters of a text, read when it is first needed; undefined where there is none. */
export function maybeOtherFont(text: string, parse: (bytes: Buffer) => ParsedFont): ParsedFont | undefined {
  const codes = Array.from(text, (char) => char.codePointAt(0) ?? 0)
  const [first = 0] = codes
  const family = families.find(([script]) => script.test(text))?.[1] ?? 'noto-sans-sc'
  const slices = slicesOf.get(family) ?? read(family)
  slicesOf.set(family, slices)
  for (const { url, ranges } of slices) {
    if (!ranges.some(([from, to]) => from <= first && first <= to)) continue
    const font = fonts.get(url) ?? parse(readFileSync(fileURLToPath(url)))
    fonts.set(url, font)
    if (codes.every((code) => font.hasGlyphForCodePoint(code))) return font
  }
  return undefined
}

// Of an em. The fonts of Chinese and Korean begin with the thinnest weight, which a line around each stroke makes a regular one.
const LINE = { thin: 0.03, bold: 0.03 }

/** Draws the outlines of a text in one font from a point on its baseline. What it says is kept for whoever copies or reads it aloud. */
export function drawOutlines(
  doc: PDFKit.PDFDocument,
  { text, font }: { text: string; font: ParsedFont },
  { x, baseline, size, isBold, color }: { x: number; baseline: number; size: number; isBold: boolean; color: string },
): void {
  const { glyphs, positions } = font.layout(text)
  const scale = size / font.unitsPerEm
  const isThin = (font.variationAxes.wght?.default ?? 400) < 400
  const line = ((isThin ? LINE.thin : 0) + (isBold ? LINE.bold : 0)) * font.unitsPerEm
  doc.markContent('Span', { actual: text })
  doc.save().translate(x, baseline).scale(scale, -scale)
  let left = 0
  glyphs.forEach(({ path }, index) => {
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {}
    const outline = path.toSVG()
    if (outline !== '') {
      doc
        .save()
        .translate(left + xOffset, yOffset)
        .path(outline)
      if (line > 0) doc.lineWidth(line).lineJoin('round').fillAndStroke(color, color)
      else doc.fill(color)
      doc.restore()
    }
    left += xAdvance
  })
  doc.restore()
  doc.endMarkedContent()
}
