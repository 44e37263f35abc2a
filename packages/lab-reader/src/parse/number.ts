import { flagCode } from './flags.ts'
import type { Bounds, Comparator } from './parsed.ts'
import { plain } from './text.ts'

export interface Printed {
  value?: number
  comparator?: Comparator
  flag?: string
}

/**
 * What a comma is in a document, as its own numbers prove: the decimal sign, or a mark of thousands beside a decimal
 * point. `grouped`: it is decimal, and points or spaces mark thousands. `mixed`: some numbers say one, some the other.
 * `unknown`: none says either.
 */
export type Commas = 'decimal' | 'grouped' | 'thousands' | 'mixed' | 'unknown'

const below =
  'below|under|unter|weniger als|kleiner(?: als)?|inferior a|inférieure? à|moins de|menor (?:de|que)|menos de|inferiore a|minore di|mindre end'
const above =
  'above|over|more than|über|mehr als|größer(?: als)?|superior a|supérieure? à|plus de|mayor (?:de|que)|más de|superiore a|maggiore di|større end'
const sign = `(<=|>=|=<|=>|<|>|≤|≥|${below}|${above}|< ?OR ?=|> ?OR ?=|less than(?: or equal to)?|greater than(?: or equal to)?)`
const isBelow = new RegExp(`^(?:=?[<≤]|less|${below.replaceAll(' ', '')})`)
/** Digits in groups of three, parted by spaces, and "2.41E+02", as spreadsheets write 241 beside a range: else it may be rounded. */
const spaced = String.raw`\d{1,3}(?: \d{3})+(?!\d)(?:[.,]\d+)?|[1-9][.,]\d{2,}e[+-]?\d{1,2}`
const printed = new RegExp(String.raw`^(?:${sign})?\s*([+-]?(?:${spaced}|\d[\d.,'’]*|\.\d+))$`, 'i')

/** A text with the usual signs: some fonts of printers have "‹" for "<", and some put a space before "=". */
const withSigns = (text: string): string =>
  plain(text)
    .trim()
    .replaceAll('‹', '<')
    .replaceAll('›', '>')
    .replace(/([<>])\s+=/g, '$1=')
const flagWord =
  /\s+\(?(HH|LL|H|L|A|AA|High|Low|Critical High|Critical Low|Abnormal|Alert|Normal|N)\)?$|\s*(\*+|[↑↓]+|[▲▼])$|\s+(\+{1,3}|-{1,3})$/i
const leadingFlag =
  /^\(?(HH|LL|H|L|High|Low)\)?\s+(?=[<>≤≥\d])|^([↑↓]+|[▲▼]|\*+)\s*(?=[<>≤≥\d])|^(\+{1,3}|-{2,3})\s+(?=[<>≤≥\d])/i

/** A printed result: "5.3", "<0.2", "> OR = 20", "162 H", "5,3" where commas are known. Text has no value. */
export function readPrinted(text: string, commas: Commas = 'unknown', range?: Bounds): Printed {
  const [rest, flag] = takeFlag(withSigns(text))
  const match = printed.exec(rest)
  const value = match && (range || !/e/i.test(match[2] ?? '')) ? numberOf(match[2] ?? '', commas, range) : undefined
  const noted = flag === undefined ? {} : { flag }
  if (!match || value === undefined) return noted
  const comparator = comparatorOf(match[1])
  return { value, ...(comparator && { comparator }), ...noted }
}

/** Whether a text is a number as laboratories print it, whatever its commas and points mean. */
export const isPrintedNumber = (text: string): boolean =>
  (['thousands', 'grouped'] as const).some((commas) => readPrinted(text, commas).value !== undefined)

function takeFlag(text: string): [string, string | undefined] {
  const match = flagWord.exec(text) ?? leadingFlag.exec(text)
  const word = match?.[1] ?? match?.[2] ?? match?.[3]
  return match && word ? [text.replace(match[0], '').trim(), flagCode(word)] : [text, undefined]
}

function comparatorOf(text: string | undefined): Comparator | undefined {
  if (text === undefined) return undefined
  const word = text.toLowerCase().replace(/\s+/g, '')
  const orEqual = /=|≤|≥|equal/.test(word)
  if (isBelow.test(word)) return orEqual ? '<=' : '<'
  return orEqual ? '>=' : '>'
}

/** One to three digits, a mark, three digits: a thousand and more, or a number with three decimals. */
const twofold = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/

/** Undefined if the text is not a number, or if its comma or point is ambiguous. */
export function numberOf(text: string, commas: Commas = 'unknown', range?: Bounds): number | undefined {
  if (/^[+-]?\d+$/.test(text)) return Number(text)
  if (/^[+-]?[1-9][.,]\d{2,}e[+-]?\d{1,2}$/i.test(text)) return Number(text.replace(',', '.'))
  // An apostrophe only ever marks thousands.
  if (/^[+-]?\d{1,3}(['’]\d{3})+(\.\d+)?$/.test(text)) return Number(text.replace(/['’]/g, ''))
  // A space may stand before a footnote or another number.
  if (text.includes(' ')) return commas === 'grouped' ? numberOf(text.replaceAll(' ', ''), commas) : undefined
  if (twofold.test(text)) return twofoldOf(text, commas) ?? byRange(text, range)
  if (/^[+-]?(\d+\.\d+|\.\d+)$/.test(text)) return Number(text)
  const isDecimal = commas === 'decimal' || commas === 'grouped'
  if (/^[+-]?\d{1,3}(,\d{3})+\.\d+$/.test(text) && !isDecimal) return Number(text.replaceAll(',', ''))
  if (/^[+-]?\d{1,3}(,\d{3}){2,}$/.test(text) && !isDecimal) return Number(text.replaceAll(',', ''))
  // Indian groups: 2,50,000.
  if (/^[+-]?\d{1,2}(,\d{2})+,\d{3}(\.\d+)?$/.test(text) && !isDecimal) return Number(text.replaceAll(',', ''))
  if (!isDecimal) return undefined
  if (/^[+-]?\d+,\d+$/.test(text)) return Number(text.replace(',', '.'))
  if (/^[+-]?\d{1,3}(\.\d{3})+,\d+$/.test(text)) return Number(text.replaceAll('.', '').replace(',', '.'))
  if (/^[+-]?\d{1,3}(\.\d{3}){2,}$/.test(text)) return Number(text.replaceAll('.', ''))
  return undefined
}

/** Both meanings of a twofold number, the smaller one first. */
const readingsOf = (text: string) => [Number(text.replace(',', '.')), Number(text.replace(/[.,]/, ''))] as const

function twofoldOf(text: string, commas: Commas): number | undefined {
  const [small, large] = readingsOf(text)
  const isComma = text.includes(',')
  if (commas === 'thousands') return isComma ? large : small
  if (commas === 'grouped') return isComma ? small : large
  // Instruments print points into reports that use commas: "1.250" there stays in doubt.
  return commas === 'decimal' && isComma ? small : undefined
}

/** How far from its range a value may lie, as a factor, for the range to tell it from one that is a thousand times as large. */
const MOST_OFF = 5

/**
 * The one of both readings that is near the range on the same line, where the other is far from it. Hormones exceed their
 * upper limit a thousandfold, so a range without a lower limit tells nothing; a limit of whole numbers is no limit of
 * values with three decimals, unless they lie between them.
 */
function byRange(text: string, range: Bounds | undefined): number | undefined {
  const { low, high } = range ?? {}
  if (!high || !low) return undefined
  const [small, large] = readingsOf(text)
  const isNear = (value: number) => value <= high * MOST_OFF && value >= low / MOST_OFF
  if (isNear(small) === isNear(large)) return undefined
  if (isNear(large)) return large
  const isWhole = Number.isInteger(low) && Number.isInteger(high)
  return !isWhole || (small >= low && small <= high) ? small : undefined
}

/**
 * Whether a text is a number with an ambiguous comma or point: its meaning is unknown, or the assumed value is outside the
 * printed range and the other one inside. With the text of the range, the range tells which meaning is right.
 */
export function isUncertain(text: string, commas: Commas, range?: Bounds, rangeText?: string): boolean {
  const [rest] = takeFlag(withSigns(text))
  const digits = printed.exec(rest)?.[2]
  if (digits === undefined) return false
  const value = numberOf(digits, commas, rangeText === undefined ? undefined : range)
  if (value === undefined) return true
  if (!twofold.test(digits) || !range) return false
  // The document says one, and the range on the line the other.
  const near = byRange(digits, range)
  if (near !== undefined && near !== value) return true
  const other = readingsOf(digits).find((reading) => reading !== value) ?? value
  const isWithin = (number: number) => number >= (range.low ?? -Infinity) && number <= (range.high ?? Infinity)
  if (isWithin(other) && !isWithin(value)) return true
  // Beside limits in whole numbers, three decimals are rare and thousands are not: both are printed in one column.
  const isWhole = rangeText !== undefined && /\d/.test(rangeText) && !/\d[.,]\d/.test(rangeText)
  return isWhole && value < other && near === undefined
}

/**
 * What a number with three decimals would be if its mark meant thousands, where the line does not tell: its range has no
 * decimals, and is near both readings or neither. The document says that it does not, but instruments print into documents.
 */
export function asThousands(
  text: string,
  value: number | undefined,
  range?: Bounds,
  rangeText = '',
): number | undefined {
  const [digits = ''] = /[\d.,]+/.exec(withSigns(text)) ?? []
  if (!twofold.test(digits) || /\d[.,]\d/.test(rangeText) || byRange(digits, range) !== undefined) return undefined
  const [small, large] = readingsOf(digits)
  return value === small ? large : undefined
}

/**
 * The one of both readings of a number, ambiguous in its document, with which its flag and its printed range agree: "1.250"
 * that is high beside 15-150 is a thousand and more.
 */
export function byFlag(text: string, commas: Commas, range: Bounds | undefined, flag = ''): number | undefined {
  const [rest] = takeFlag(withSigns(text))
  const { low, high } = range ?? {}
  if (!twofold.test(rest) || numberOf(rest, commas) !== undefined) return undefined
  const agrees = (value: number) => {
    if (/^HH?$/.test(flag)) return typeof high === 'number' && value > high
    if (/^LL?$/.test(flag)) return typeof low === 'number' && value < low
    return flag === 'N' && value >= (low ?? -Infinity) && value <= (high ?? Infinity)
  }
  const [one, ...others] = readingsOf(rest).filter(agrees)
  return others.length === 0 ? one : undefined
}

/** What commas mean in a line whose number and range both prove them decimal, whatever else the document has. */
export function commasOfLine(commas: Commas, text: string, rangeText = ''): Commas {
  const isDecimal = [text, rangeText].every((one) => commasIn([one]) === 'decimal')
  return isDecimal && commas !== 'grouped' ? 'decimal' : commas
}

const dates = /\d{1,4}([./-])\d{1,2}\1\d{2,4}/g
const pointProof =
  /^(\d+\.(\d{1,2}|\d{4,})|0\.\d+|\d{4,}\.\d+|\d{1,3}(,\d{3})+\.\d+|\d{1,3}(,\d{3}){2,}|\d{1,2}(,\d{2})+,\d{3})$/
const swapped = (text: string) => text.replace(/[.,]/g, (mark) => (mark === '.' ? ',' : '.'))

/** Two bounds, of which a wide range has one more than half as large again: "1.005-1.030" is a density. */
const bounds =
  /(?<![\w.,])(\d{1,3}(?:[. ]\d{3})*(?:,\d+)?)(?:\s*[-‐–—−]\s*|\s(?:to|bis|à|a|til|tot)\s)(\d{1,3}(?:[. ]\d{3})*(?:,\d+)?)(?![\w.,])/
const isGroup = /^\d{1,3}([. ]\d{3})+(,\d+)?$/
const WIDE = 1.5

/** Whether a range has bounds in groups of three, which in a document of decimal commas are thousands. */
function hasGroups(text: string): boolean {
  const found = bounds.exec(text)?.slice(1) ?? []
  const [low = 0, high = 0] = found.map((bound) => numberOf(bound, 'grouped') ?? 0)
  return found.some((bound) => isGroup.test(bound)) && high > low * WIDE
}

/**
 * What the results and ranges of a document prove of its commas. "1,234" and "1.234" prove nothing by themselves; then
 * the decimal sign of its layout template counts, which proves nothing against the document.
 */
export function commasIn(texts: Iterable<string>, taughtSign?: '.' | ','): Commas {
  let [point, comma, groups] = [false, false, false]
  for (const text of texts) {
    const undated = plain(text.replace(/\d+·\d+/g, ' ')).replace(dates, ' ')
    groups ||= hasGroups(undated)
    // "1.73" behind a stroke is part of a unit.
    for (const [found] of undated.matchAll(/(?<![\w/.,])\d[\d.,]*\d/g)) {
      point ||= pointProof.test(found)
      comma ||= pointProof.test(swapped(found))
      groups ||= /^\d{1,3}(\.\d{3})+,\d+$|^\d{1,3}(\.\d{3}){2,}$/.test(found)
    }
  }
  point ||= taughtSign === '.'
  comma ||= taughtSign === ','
  if (point && comma) return 'mixed'
  if (point) return 'thousands'
  if (!comma) return 'unknown'
  return groups ? 'grouped' : 'decimal'
}

/**
 * A number of a message between machines, whose standard has the decimal point: "1.250" is one and a quarter unless the
 * message itself uses commas. Commas are numbers only where it proves them decimal.
 */
export function readSent(text: string, commas: Commas): Omit<Printed, 'flag'> {
  if (commas === 'decimal' || commas === 'grouped') {
    const { value, comparator } = readPrinted(text, commas)
    return value === undefined ? {} : { value, ...(comparator && { comparator }) }
  }
  // "GREATER THAN 2000", "> 70,000": thousands where the message proves its decimal point.
  const [, said, digits = ''] = printed.exec(withSigns(text)) ?? []
  const number = commas === 'thousands' ? digits.replace(/,(?=\d{3}(?:\D|$))/g, '') : digits
  const isOne = /^[+-]?\d*\.?\d+$/.test(number) && !(commas === 'mixed' && twofold.test(digits))
  // Groups of one meaning: 1'250, 2,41,000.
  const value = isOne ? Number(number) : /['’e]|,.*,/i.test(digits) ? numberOf(digits, commas) : undefined
  const comparator = value === undefined ? undefined : comparatorOf(said)
  return { ...(value !== undefined && { value }), ...(comparator && { comparator }) }
}

const amount = String.raw`([+-]?(?:${spaced}|\d[\d.,'’]*|\.\d+))`
const between = new RegExp(
  String.raw`^[([]?\s*${sign}?\s*${amount}\s*(?:[-‐–—−_]|to|\.\.\.?|\s(?:bis|a|à|til|tot)\s)\s*${sign}?\s*${amount}\s*[)\]]?`,
  'i',
)
const limit = new RegExp(String.raw`^[([]?\s*${sign}\s*${amount}\s*[)\]]?`, 'i')
const upTo = new RegExp(String.raw`^(?:up ?to|bis(?: zu)?|hasta|jusqu['’]à|fino a|op til)\s*${amount}`, 'i')

export interface PrintedRange {
  bounds: Bounds
  /** What follows the range: a unit, as some laboratories print it. */
  rest: string
}

/** "70-105", "70_105", "4.3 to 6.2", "<150 mg/dL", "> OR = 40". Undefined for anything else, so phases and notes. */
export function readRange(text: string, commas: Commas = 'unknown'): PrintedRange | undefined {
  const line = withSigns(text)
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
