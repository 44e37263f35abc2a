import type { Bounds, Comparator } from './parsed.ts'
import { plain } from './text.ts'

export interface Printed {
  value?: number
  comparator?: Comparator
  flag?: string
}

/** What a comma means: unknown where one file could mean either. */
export type Commas = 'decimal' | 'thousands' | 'unknown'

const sign = '(<=|>=|<|>|≤|≥|< ?OR ?=|> ?OR ?=|less than(?: or equal to)?|greater than(?: or equal to)?)'
const printed = new RegExp(String.raw`^(?:${sign})?\s*([+-]?(?:\d[\d.,]*|\.\d+))$`, 'i')
const flagWord = /\s+\(?(HH|LL|H|L|A|AA|High|Low|Critical High|Critical Low|Abnormal|Alert|Normal|N|\*+)\)?$/i
const leadingFlag = /^\(?(HH|LL|H|L|High|Low)\)?\s+(?=[<>≤≥\d])/i

/** A printed result: "5.3", "<0.2", "> OR = 20", "162 H", "5,3" where commas are known. Text has no value. */
export function readPrinted(text: string, commas: Commas = 'unknown'): Printed {
  const [rest, flag] = takeFlag(plain(text).trim())
  const match = printed.exec(rest)
  const value = match && numberOf(match[2] ?? '', commas)
  const noted = flag === undefined ? {} : { flag }
  if (match === null || value === undefined || value === null) return noted
  const comparator = comparatorOf(match[1])
  return { value, ...(comparator && { comparator }), ...noted }
}

function takeFlag(text: string): [string, string | undefined] {
  const match = flagWord.exec(text) ?? leadingFlag.exec(text)
  return match?.[1] ? [text.replace(match[0], '').trim(), flagCode(match[1])] : [text, undefined]
}

/** A flag in HL7 table 0078 where the word is known, else as it is. */
export function flagCode(word: string): string | undefined {
  const text = word.trim()
  if (text === '' || text.length > 30) return undefined
  return flagCodes.get(text.toLowerCase().replace(/[()[\]]/g, '')) ?? text
}

/** Several flags of one result, the gravest first; those that point both ways are abnormal. */
export function flagOf(words: readonly string[]): string | undefined {
  const codes = [...new Set(words.flatMap((word) => flagCode(word) ?? []))]
  const isLow = codes.some((code) => code === 'L' || code === 'LL')
  const isHigh = codes.some((code) => code === 'H' || code === 'HH')
  if (isLow && isHigh) return codes.some((code) => ['LL', 'HH', 'AA'].includes(code)) ? 'AA' : 'A'
  return gravest.find((code) => codes.includes(code)) ?? codes.find((code) => !changes.has(code)) ?? codes[0]
}

const gravest = ['HH', 'LL', 'AA', 'H', 'L', 'A', 'N']
/** Since the last result: they do not speak of the range. */
const changes = new Set(['U', 'D', 'B', 'W'])

/** A result that is off the instrument's scale (HL7 table 0078) is a bound and not a value. */
export function offScale(comparator: Comparator | undefined, flags: readonly string[]): Comparator | undefined {
  return comparator ?? (flags.includes('<') ? '<' : flags.includes('>') ? '>' : undefined)
}

const flagCodes = new Map<string, string>([
  ...['N', 'H', 'L', 'HH', 'LL', 'A', 'AA'].map((code) => [code.toLowerCase(), code] as const),
  ...[['normal', 'N'] as const, ['in range', 'N'] as const, ['high', 'H'] as const, ['low', 'L'] as const],
  ...[['critical high', 'HH'] as const, ['critical low', 'LL'] as const, ['alert', 'AA'] as const],
  ...[['abnormal', 'A'] as const, ['out of range', 'A'] as const, ['*', 'A'] as const, ['**', 'AA'] as const],
  ...[['abn', 'A'] as const, ['!', 'A'] as const, ['!!', 'AA'] as const, ['critical', 'AA'] as const],
  ...[['panic high', 'HH'] as const, ['panic low', 'LL'] as const, ['panic', 'AA'] as const],
  ...['h*', '*h', 'hi', 'above', 'above range', 'above high normal', 'above normal'].map(
    (word) => [word, 'H'] as const,
  ),
  ...['l*', '*l', 'lo', 'below', 'below range', 'below low normal', 'below normal'].map((word) => [word, 'L'] as const),
  ...['within range', 'wnl', 'within normal limits'].map((word) => [word, 'N'] as const),
])

function comparatorOf(text: string | undefined): Comparator | undefined {
  if (text === undefined) return undefined
  const word = text.toLowerCase().replace(/\s+/g, '')
  const orEqual = /=|≤|≥|equal/.test(word)
  const below = /^[<≤]|^less/.test(word)
  if (below) return orEqual ? '<=' : '<'
  return orEqual ? '>=' : '>'
}

/** Undefined where the text is no number or a comma or point could mean two things. */
export function numberOf(text: string, commas: Commas = 'unknown'): number | undefined {
  if (/^[+-]?(\d+(\.\d+)?|\.\d+)$/.test(text)) {
    // "1.234" where commas are decimal may be a thousand and more.
    return commas === 'decimal' && /^[+-]?\d{1,3}\.\d{3}$/.test(text) ? undefined : Number(text)
  }
  if (/^[+-]?\d{1,3}(,\d{3})+\.\d+$/.test(text) && commas !== 'decimal') return Number(text.replaceAll(',', ''))
  if (/^[+-]?\d{1,3}(,\d{3}){2,}$/.test(text) && commas !== 'decimal') return Number(text.replaceAll(',', ''))
  if (/^[+-]?[1-9]\d{0,2},\d{3}$/.test(text) && commas === 'thousands') return Number(text.replace(',', ''))
  if (commas !== 'decimal') return undefined
  if (/^[+-]?\d+,\d+$/.test(text)) return Number(text.replace(',', '.'))
  if (/^[+-]?\d{1,3}(\.\d{3})+,\d+$/.test(text)) return Number(text.replaceAll('.', '').replace(',', '.'))
  return undefined
}

const amount = String.raw`([+-]?(?:\d[\d.,]*|\.\d+))`
const between = new RegExp(
  String.raw`^\(?\s*${sign}?\s*${amount}\s*(?:-|–|—|_|to|\.\.\.?)\s*${sign}?\s*${amount}\s*\)?`,
  'i',
)
const limit = new RegExp(String.raw`^\(?\s*${sign}\s*${amount}\s*\)?`, 'i')
const upTo = new RegExp(String.raw`^(?:up to)\s*${amount}`, 'i')

export interface PrintedRange {
  bounds: Bounds
  /** What follows the range: a unit, as some laboratories print it. */
  rest: string
}

/** "70-105", "70_105", "4.3 to 6.2", "<150 mg/dL", "> OR = 40". Undefined for anything else, so phases and notes. */
export function readRange(text: string, commas: Commas = 'unknown'): PrintedRange | undefined {
  const line = plain(text).trim()
  const number = (part: string | undefined) => numberOf(part ?? '', commas)
  const both = between.exec(line)
  if (both) {
    const [low, high] = [number(both[2]), number(both[4])]
    const [first, second] = [comparatorOf(both[1]), comparatorOf(both[3])]
    if (low === undefined || high === undefined || low > high) return undefined
    if (first?.startsWith('<') || second?.startsWith('>')) return undefined
    return { bounds: boundsOf(low, high, first, second), rest: line.slice(both[0].length).trim() }
  }
  const one = limit.exec(line)
  const top = upTo.exec(line)
  const bound = number(one ? one[2] : top?.[1])
  const found = one ?? top
  if (!found || bound === undefined) return undefined
  const comparator = comparatorOf(one?.[1])
  const isHigh = top !== null || comparator?.startsWith('<')
  const bounds = isHigh ? boundsOf(null, bound, undefined, comparator) : boundsOf(bound, null, comparator)
  return { bounds, rest: line.slice(found[0].length).trim() }
}

/** Bounds with the strictness of their signs: 5.7 is not within "<5.7". */
export function boundsOf(low: number | null, high: number | null, lowSign?: Comparator, highSign?: Comparator): Bounds {
  return {
    low,
    high,
    ...(low !== null && lowSign === '>' && { lowExclusive: true }),
    ...(high !== null && highSign === '<' && { highExclusive: true }),
  }
}

/** A range alone, with nothing but the result's own unit after it. */
export function rangeOf(text: string | undefined, unit?: string, commas?: Commas): Bounds | undefined {
  const range = text === undefined ? undefined : readRange(text, commas)
  if (!range) return undefined
  const same = (a: string) => a.toLowerCase().replace(/\s+/g, '')
  return range.rest === '' || (unit !== undefined && same(range.rest) === same(unit)) ? range.bounds : undefined
}
