import { type Sentence, sentence } from '@kitlane/display/sentence'

// The GS1 General Specifications, as far as boxes of kits carry them. Anything else in a code is refused, not skipped: where an
// unknown element ends nobody knows.

/** What a code on a box says. A serial that a person typed says nothing else. */
export interface BoxCode {
  gtin?: string
  serial: string
  lot?: string
  /** YYYY-MM-DD. */
  expiresOn?: string
}

export type ReadCode = { code: BoxCode } | { problem: Sentence }

const GS = '\x1d'
const SERIAL = /^[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]{1,20}$/
const fixedLengths: Readonly<Record<string, number>> = { '01': 14, 11: 6, 12: 6, 13: 6, 15: 6, 16: 6, 17: 6, 20: 2 }
const mostLengths: Readonly<Record<string, number>> = {
  10: 20,
  21: 20,
  22: 20,
  30: 8,
  37: 8,
  240: 30,
  241: 30,
  ...Object.fromEntries(['710', '711', '712', '713', '714', '715', '716', '717'].map((ai) => [ai, 20])),
}
const dates: readonly string[] = ['11', '12', '13', '15', '16', '17']

const UNREADABLE = sentence('This is no code of a box. Scan the square code again, or type the serial number.')
const WRONG_DIGIT = sentence('The check digit of the GTIN is wrong: scan the code again, or compare what was typed.')
const WRONG_DATE = sentence('The code has a date that does not exist. Set the box apart and ask who printed it.')
export const NO_SERIAL = sentence(
  'The code has no serial number (21). Scan the square code of the box, not that of its product.',
)
const UNKNOWN = sentence('The code has an element that is not known here. Type the serial number instead.')
const TWICE = sentence('The code says the same thing twice. Set the box apart and ask who printed it.')

class Problem extends Error {
  readonly sentence: Sentence
  constructor(words: Sentence) {
    super()
    this.sentence = words
  }
}

/** Reads a scanned element string, with brackets or as a reader sends it, a GS1 Digital Link, or a bare serial number. */
export function readCode(text: string, today: string): ReadCode {
  try {
    return { code: codeOf(elementsOf(text.trim().slice(0, 400)), today) }
  } catch (error) {
    if (error instanceof Problem) return { problem: error.sentence }
    throw error
  }
}

type Elements = ReadonlyMap<string, string>

function elementsOf(text: string): Elements {
  const identifier = /^\](?:d2|C1|Q3|e0)/i.exec(text)?.[0] ?? ''
  const after = text.slice(identifier.length)
  const rest = after.startsWith(GS) ? after.slice(1) : after
  if (/^https?:\/\//i.test(rest)) return linked(rest)
  if (/^\(\d{2,4}\)/.test(rest)) return bracketed(rest)
  if (identifier || /^01\d{14}./.test(rest) || rest.includes(GS)) return raw(rest)
  if (!SERIAL.test(rest)) throw new Problem(UNREADABLE)
  return new Map([['21', rest]])
}

function collect(pairs: Iterable<readonly [string, string]>): Elements {
  const elements = new Map<string, string>()
  for (const [ai, value] of pairs) {
    if (elements.has(ai)) throw new Problem(TWICE)
    const fixed = fixedLengths[ai]
    const most = mostLengths[ai]
    if (fixed === undefined && most === undefined) {
      throw new Problem(UNKNOWN)
    }
    const isRight = fixed === undefined ? value.length <= (most ?? 0) : value.length === fixed && /^\d+$/.test(value)
    if (!isRight || !/^[!-z]+$/.test(value)) throw new Problem(UNREADABLE)
    elements.set(ai, value)
  }
  return elements
}

function bracketed(text: string): Elements {
  const parts = [...text.matchAll(/\((\d{2,4})\)((?:(?!\(\d{2,4}\)).)+)/gs)]
  if (parts.map(([whole]) => whole).join('') !== text) throw new Problem(UNREADABLE)
  return collect(parts.map(([, ai = '', value = '']) => [ai, value.trim()]))
}

function raw(text: string): Elements {
  const pairs: [string, string][] = []
  let rest = text
  while (rest !== '') {
    const ai = [2, 3].map((length) => rest.slice(0, length)).find((one) => one in fixedLengths || one in mostLengths)
    if (ai === undefined) {
      throw new Problem(UNKNOWN)
    }
    const fixed = fixedLengths[ai]
    const after = rest.slice(ai.length)
    const end = after.indexOf(GS)
    const value = fixed === undefined ? after.slice(0, end < 0 ? undefined : end) : after.slice(0, fixed)
    pairs.push([ai, value])
    rest = after.slice(value.length)
    if (rest.startsWith(GS)) rest = rest.slice(1)
  }
  return collect(pairs)
}

function linked(text: string): Elements {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const path = url?.pathname.split('/') ?? []
  const start = path.indexOf('01')
  if (!url || start < 0) throw new Problem(UNREADABLE)
  const pairs: [string, string][] = []
  for (let at = start; at < path.length; at += 2) {
    const [ai = '', value = ''] = path.slice(at, at + 2)
    if (ai === '' && at === path.length - 1) break
    pairs.push([ai, ai === '01' ? decoded(value).padStart(14, '0') : decoded(value)])
  }
  // Other parameters are the brand's own: only those that are elements count.
  for (const [ai, value] of url.searchParams) if (ai in fixedLengths || ai in mostLengths) pairs.push([ai, value])
  return collect(pairs)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Problem(UNREADABLE)
  }
}

function codeOf(elements: Elements, today: string): BoxCode {
  const gtin = elements.get('01')
  if (gtin !== undefined && !isGtin(gtin)) throw new Problem(WRONG_DIGIT)
  for (const ai of dates) {
    const value = elements.get(ai)
    if (value !== undefined && !dateOf(value, today)) throw new Problem(WRONG_DATE)
  }
  const serial = elements.get('21')
  if (serial === undefined) throw new Problem(NO_SERIAL)
  const lot = elements.get('10')
  const expiresOn = dateOf(elements.get('17') ?? '', today)
  return { serial, ...(gtin && { gtin }), ...(lot && { lot }), ...(expiresOn && { expiresOn }) }
}

/** Whether 14 digits end with the check digit of those before it. */
export function isGtin(text: string): boolean {
  if (!/^\d{14}$/.test(text) || /^0+$/.test(text)) return false
  const sum = [...text].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0)
  return sum % 10 === 0
}

/** YYMMDD by the rules of GS1: the century is the nearest one, and day 00 is the last of its month. */
function dateOf(text: string, today: string): string | undefined {
  const [, yy = '', mm = '', dd = ''] = /^(\d\d)(\d\d)(\d\d)$/.exec(text) ?? []
  const month = Number(mm)
  if (month < 1 || month > 12) return undefined
  const now = Number(today.slice(0, 4))
  const apart = Number(yy) - (now % 100)
  const year = now - (now % 100) + Number(yy) + (apart >= 51 ? -100 : apart <= -50 ? 100 : 0)
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const day = Number(dd) || last
  return day > last ? undefined : `${year}-${mm}-${String(day).padStart(2, '0')}`
}
