import { createRequire } from 'node:module'

// It has no types of its own.
interface Bidi {
  getEmbeddingLevels(text: string, base: 'ltr' | 'rtl'): { levels: Uint8Array }
  getMirroredCharacter(char: string): string | null
}
const bidi: Bidi = createRequire(import.meta.url)('bidi-js')()

const words = new Intl.Segmenter('und', { granularity: 'word' })
// No line begins with one of the first, or ends with one of the second. JIS X 4051.
const CLOSING = /^[、。，．,.:;：；！？!?）)」』】〉》〕］\]｝}ー々%％،؛؟]/
const OPENING = /[（(「『【〈《〔［[｛{]$/

/** The parts of a paragraph between which a line may be broken. */
export function unitsOf(paragraph: string): { text: string; index: number }[] {
  const units: { text: string; index: number }[] = []
  for (const { segment, index } of words.segment(paragraph)) {
    const last = units.at(-1)
    const isOne = last && last.text.trim() !== '' && (CLOSING.test(segment) || OPENING.test(last.text))
    if (isOne) last.text += segment
    else units.push({ text: segment, index })
  }
  return units
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
/** Whether a part of a text is read from right to left. */
export const hasRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text)

/** What directs text and is not drawn itself. */
export const directing = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** The level of each letter of a paragraph: odd where it is read from right to left. Unicode's UAX #9. */
export const levelsOf = (paragraph: string, base: 'ltr' | 'rtl'): Uint8Array =>
  bidi.getEmbeddingLevels(paragraph, base).levels

/** The pieces of a line as they stand from left to right. UAX #9, rule L2. */
export function inVisualOrder<T extends { level: number }>(pieces: readonly T[]): T[] {
  let line = [...pieces]
  for (let level = Math.max(0, ...pieces.map((piece) => piece.level)); level > 0; level--) {
    const turned: T[] = []
    let run: T[] = []
    for (const piece of line) {
      if (piece.level >= level) run = [piece, ...run]
      else {
        turned.push(...run, piece)
        run = []
      }
    }
    line = [...turned, ...run]
  }
  return line
}

// Unicode mirrors brackets, and leaves arrows to whoever writes them.
const arrows: Readonly<Record<string, string>> = { '→': '←', '←': '→' }

/** A piece as it is given to a font, which turns letters that are read from right to left, and nothing else. */
export function asDrawn(text: string, level: number): string {
  const drawn = text.replaceAll(directing, '')
  if (level % 2 === 0) return drawn
  const mirrored = Array.from(drawn, (char) => arrows[char] ?? bidi.getMirroredCharacter(char) ?? char)
  return (hasRightToLeft(drawn) ? mirrored : mirrored.reverse()).join('')
}
