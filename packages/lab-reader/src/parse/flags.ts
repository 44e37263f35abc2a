import { isCritical } from '@kitlane/display/interpretation'
import type { Comparator } from './parsed.ts'

/** The flag in HL7 table 0078 if the word is known, else the word itself. */
export function flagCode(word: string): string | undefined {
  const text = word.trim()
  if (text === '' || text.length > 30) return undefined
  return flagCodes.get(text.toLowerCase().replace(/[()[\]]/g, '')) ?? text
}

/** Whether a word is a flag and nothing else. */
export const isKnownFlag = (word: string): boolean => flagCodes.has(word.trim().toLowerCase())

/** Several flags of one result, the gravest first; those that point both ways are abnormal. */
export function flagOf(words: readonly string[]): string | undefined {
  const codes = [...new Set(words.flatMap((word) => flagCode(word) ?? []))]
  const isLow = codes.some((code) => code === 'L' || code === 'LL')
  const isHigh = codes.some((code) => code === 'H' || code === 'HH')
  if (isLow && isHigh) return codes.some(isCritical) ? 'AA' : 'A'
  return gravest.find((code) => codes.includes(code)) ?? codes.find((code) => !changes.has(code)) ?? codes[0]
}

// A finding such as "detected" is not the flag of a number, but is never normal.
const gravest = ['HH', 'LL', 'AA', 'H', 'L', 'A', 'POS', 'DET', 'RR', 'WR', 'N']
/** Changes since the last result: they are not about the range. */
const changes = new Set(['U', 'D', 'B', 'W'])

/** A result off the instrument's scale (HL7 table 0078) is a bound, not a value. */
export function offScale(comparator: Comparator | undefined, flags: readonly string[]): Comparator | undefined {
  return comparator ?? (flags.includes('<') ? '<' : flags.includes('>') ? '>' : undefined)
}

const wordsOf = (list: string) => list.split(' ')
const flagCodes = new Map<string, string>([
  ...['N', 'H', 'L', 'HH', 'LL', 'A', 'AA'].map((code) => [code.toLowerCase(), code] as const),
  ...[['normal', 'N'] as const, ['in range', 'N'] as const, ['high', 'H'] as const, ['low', 'L'] as const],
  ...[['critical high', 'HH'] as const, ['critical low', 'LL'] as const, ['alert', 'AA'] as const],
  ...[['critically high', 'HH'] as const, ['critically low', 'LL'] as const],
  ...['critically abnormal', 'critical abnormal'].map((word) => [word, 'AA'] as const),
  ...[['abnormal', 'A'] as const, ['out of range', 'A'] as const, ['*', 'A'] as const, ['**', 'AA'] as const],
  ...['↑', '▲', '+'].map((mark) => [mark, 'H'] as const),
  ...['↓', '▼', '-'].map((mark) => [mark, 'L'] as const),
  ...['↑↑', '++', '+++'].map((mark) => [mark, 'HH'] as const),
  ...['↓↓', '--', '---'].map((mark) => [mark, 'LL'] as const),
  ...[['abn', 'A'] as const, ['!', 'A'] as const, ['!!', 'AA'] as const, ['critical', 'AA'] as const],
  ...[['panic high', 'HH'] as const, ['panic low', 'LL'] as const, ['panic', 'AA'] as const],
  ...['h*', '*h', 'hi', 'above', 'above range', 'above high normal', 'above normal'].map(
    (word) => [word, 'H'] as const,
  ),
  ...['l*', '*l', 'lo', 'below', 'below range', 'below low normal', 'below normal'].map((word) => [word, 'L'] as const),
  ...wordsOf(
    'raised elevated increased erhöht élevé élevée augmenté augmentée elevado elevada aumentado aumentada alto alta elevato elevata verhoogd forhøjet forhøyet förhöjd förhöjt',
  ).map((word) => [word, 'H'] as const),
  ...wordsOf(
    'decreased reduced lowered erniedrigt vermindert abaissé abaissée diminué diminuée bajo baja disminuido disminuida basso bassa diminuito diminuita verlaagd nedsat sänkt',
  ).map((word) => [word, 'L'] as const),
  ...['within range', 'wnl', 'within normal limits'].map((word) => [word, 'N'] as const),
])

/** "134L", which beside a unit and a range is a flag that is stuck to its number, and no litre. */
export const withFlagApart = (text: string): string => text.replace(/^([<>]?\d[\d.,]*)(HH?|LL?)$/, '$1 $2')
