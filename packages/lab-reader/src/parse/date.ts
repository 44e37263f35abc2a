import { plainLetters } from '../facts/letters.ts'

/** `YYYY-MM-DD` of a day that exists, from 1900 on. */
function isoDay(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day))
  if (year < 1900 || year > 2200 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  return date.toISOString().slice(0, 10)
}

/** The day of an HL7 time stamp in the laboratory's time zone; undefined if it is less exact than a day. */
export function hl7Day(text: string | undefined): string | undefined {
  const match = /^(\d{4})(\d{2})(\d{2})/.exec(text?.trim() ?? '')
  return match ? isoDay(Number(match[1]), Number(match[2]), Number(match[3])) : undefined
}

const hl7Stamp = /^(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(?:\.(\d{1,4}))?([+-]\d{4})?$/

/** An HL7 time stamp as ISO 8601, as exact as it was sent, with its own zone or the one given. */
export function hl7Time(text: string, zone: string | undefined): string | undefined {
  const match = hl7Stamp.exec(text.trim())
  if (!match) return undefined
  const [, year, month, day, hour, minute, second, fraction, own] = match
  const date = [year, month, day].filter(Boolean).join('-')
  if (hour === undefined) return date
  const offset = own ?? zone
  const time = [hour, minute, second].filter(Boolean).join(':')
  return `${date}T${time}${fraction ? `.${fraction}` : ''}${offset ? `${offset.slice(0, 3)}:${offset.slice(3)}` : ''}`
}

/** When the sample of one result was taken, where it is said with its hour: the day stands in the report. */
export const withHour = (time: string | undefined): { collectedDate?: string } =>
  time?.includes('T') ? { collectedDate: time } : {}

/** "klo 7.45" in Finland, "kl. 7.45" in Denmark. */
const nordicHour = /\bklo?\.? ?(\d{1,2})\.(\d{2})(?!\d)/i

/** The hour of a printed time, such as "08:00" or "7:45 pm", on a day. */
export function timeOn(day: string, text: string): string | undefined {
  const [, hour = '', minute = '', half] =
    /(?<![\d:])(\d{1,2})[:h](\d{2})(?::\d{2})?(?: ?([ap])\.?m\b\.?)?/i.exec(text.replace(nordicHour, '$1:$2')) ?? []
  const hours = half ? (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0) : Number(hour)
  if (hour === '' || hours > 23 || Number(minute) > 59) return undefined
  return `${day}T${String(hours).padStart(2, '0')}:${minute}`
}

/** The day at the beginning of an ISO 8601 time. */
export function isoStart(text: string | undefined): string | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})(?!\d)/.exec(text?.trim() ?? '')
  return match ? isoDay(Number(match[1]), Number(match[2]), Number(match[3])) : undefined
}

export type TaughtOrder = 'month-first' | 'day-first'
export type DayOrder = TaughtOrder | 'unknown'

/** What a document proves, unless a layout template says otherwise: then neither is certain. */
export const agreed = (proven: TaughtOrder, taught: TaughtOrder | undefined): DayOrder =>
  taught === undefined || taught === proven ? proven : 'unknown'

const numeric = /^(\d{1,2})([/.-]) ?(\d{1,2})\2 ?(\d{4}|\d{2})(?!\d)/
/** How names of months begin in English, German, French, Spanish, Italian, Danish and Russian, without accents. */
const months = [
  /^(jan|ene|gen|янв)/,
  /^(feb|fev|фев)/,
  /^(mar|mrz|мар)/,
  /^(apr|avr|abr|апр)/,
  /^(may|mai|mag|maj|мая|маи)/,
  /^(jun|juin|giu|июн)/,
  /^(jul|juil|lug|июл)/,
  /^(aug|aou|ago|авг)/,
  /^(sep|set|сен)/,
  /^(oct|okt|ott|окт)/,
  /^(nov|ноя)/,
  /^(dec|dez|dic|дек)/,
]

/**
 * The order of day and month in the dates of a file; dates with points have the day first. What a layout template taught
 * counts where they prove nothing.
 */
export function dayOrder(texts: readonly string[], taught?: TaughtOrder): DayOrder {
  const found = texts.flatMap((text) => numeric.exec(text.trim()) ?? []).length > 0 ? texts : []
  const parts = found.flatMap((text) => {
    const match = numeric.exec(text.trim())
    return match ? [{ first: Number(match[1]), mark: match[2], second: Number(match[3]) }] : []
  })
  const dayFirst = parts.some(({ first, mark }) => first > 12 || mark === '.')
  const monthFirst = parts.some(({ second, mark }) => second > 12 && mark !== '.')
  if (dayFirst && monthFirst) return 'unknown'
  if (!dayFirst && !monthFirst) return taught ?? 'unknown'
  return agreed(dayFirst ? 'day-first' : 'month-first', taught)
}

/** The year before the first of each era of Japan. */
const eras: Readonly<Record<string, number>> = { 令和: 2018, 平成: 1988, 昭和: 1925 }
/** 1907 to 2057. */
const THAI_YEARS = { from: 2450, to: 2600, ahead: 543 }

/** Words of documents in languages of which no country writes the month first, unless English or Spanish stand there, too. */
const dayFirst =
  /[α-ωа-я]{3}|(?<!\p{L})(?:résultats?|prélèvement|unités?|ergebnis|einheit|entnahme|abnahme|esito|risultato|prelievo|uitslag|eenheid|bepaling|afname|staalafname|coleta|colheita|exame|svar|enhed|enhet|provtagning|wynik|jednostka|výsledek|výsledok|jednotka|tulos|yksikkö|eredmény|mértékegység|sonuç|birim|rezultat|vrijednost|rezultāts|tulemus)(?!\p{L})/iu
const mayBeMonthFirst =
  /(?<!\p{L})(?:results?|collected|collection|reference|units?|reported|specimen|resultados?|unidad(?:es)?|fecha)(?!\p{L})/iu
export const writesDayFirst = (text: string): boolean => dayFirst.test(text) && !mayBeMonthFirst.test(text)

/** A printed day: ISO, 20250131, "31 Jan 2025", "Jan 31, 2025" or numbers in a known order. */
export function printedDay(text: string | undefined, order: DayOrder): string | undefined {
  const plain = text?.trim().replace(/^(\d{1,2}\.) (\d{1,2}\.) ?/, '$1$2') ?? ''
  const iso = isoStart(plain) ?? (/^\d{8}(?!\d)/.test(plain) ? hl7Day(plain) : undefined)
  if (iso) return iso
  const japanese = /^(\d{4})年(\d{1,2})月(\d{1,2})日/.exec(plain)
  if (japanese) return isoDay(Number(japanese[1]), Number(japanese[2]), Number(japanese[3]))
  const era = /^(令和|平成|昭和) ?(\d{1,2}|元)年 ?(\d{1,2})月 ?(\d{1,2})日/.exec(plain)
  if (era) {
    const year = (eras[era[1] ?? ''] ?? 0) + (era[2] === '元' ? 1 : Number(era[2]))
    return isoDay(year, Number(era[3]), Number(era[4]))
  }
  // Taiwan counts from 1912, and no day or month has three digits.
  const republic = /^(1[01]\d)[/.](\d{1,2})[/.](\d{1,2})(?!\d)/.exec(plain)
  if (republic) return isoDay(1911 + Number(republic[1]), Number(republic[2]), Number(republic[3]))
  const slashed = /^(\d{4})(?:\/|\. ?|년 ?)(\d{1,2})(?:\/|\. ?|월 ?)(\d{1,2})(?!\d)/.exec(plain)
  if (slashed) return isoDay(Number(slashed[1]), Number(slashed[2]), Number(slashed[3]))
  const named = /^(\d{1,2})(?:\.|er|º)?[ /-](?:de )?(\p{L}{3,10})\.?[ ,/-]+(?:de )?(\d{4}|\d{2})(?!\d)/u.exec(plain)
  if (named) return isoDay(yearOf(named[3]), monthOf(named[2]), Number(named[1]))
  const yearFirst = /^(\d{4})[ /-](\p{L}{3,10})\.?[ /-](\d{1,2})(?!\d)/u.exec(plain)
  if (yearFirst) return isoDay(Number(yearFirst[1]), monthOf(yearFirst[2]), Number(yearFirst[3]))
  const american = /^([A-Za-z]{3})[a-z]*\.? (\d{1,2}),? (\d{4})/.exec(plain)
  if (american) return isoDay(Number(american[3]), monthOf(american[1]), Number(american[2]))
  const match = numeric.exec(plain)
  if (!match) return undefined
  const [first, second] = [Number(match[1]), Number(match[3])]
  const year = yearOf(match[4])
  // Thailand counts from 543 BC, and has the day first.
  if (year >= THAI_YEARS.from && year <= THAI_YEARS.to) return isoDay(year - THAI_YEARS.ahead, second, first)
  // Only one of both can be the month.
  if (first > 12 || second > 12) return first > 12 ? isoDay(year, second, first) : isoDay(year, first, second)
  if (order === 'month-first') return isoDay(year, first, second)
  return order === 'day-first' || first === second ? isoDay(year, second, first) : undefined
}

function monthOf(name = ''): number {
  const word = plainLetters(name)
  return months.findIndex((pattern) => pattern.test(word)) + 1
}

/** Whether a text is written like a day, and there is no such day: 30 February. Zeros stand for none. */
export function isNoDay(text: string): boolean {
  const match = /^(\d{4})-?(\d{2})-?(\d{2})/.exec(text.trim())
  return (
    match !== null &&
    !/^[0-]+$/.test(match[0]) &&
    isoDay(Number(match[1]), Number(match[2]), Number(match[3])) === undefined
  )
}

/** Whether what is no certain day says a year at least; zeros and words say nothing. */
export const saysYear = (text: string | undefined): boolean => /^\s*[12]\d{3}/.test(text ?? '')

/** Whether a text that has no certain meaning may mean a day: in either order, or as its month or year. */
export function mayMean(text: string, day: string): boolean {
  const part = /^(\d{4})-?(\d{2})?$/.exec(text.trim())
  if (part) return day.startsWith([part[1], part[2]].filter(Boolean).join('-'))
  return (['day-first', 'month-first'] as const).some((order) => printedDay(text, order) === day)
}

/** A year of two digits: from 1970 to 2069. */
function yearOf(text = ''): number {
  const year = Number(text)
  return text.length > 2 ? year : year < 70 ? 2000 + year : 1900 + year
}

/** The day of a birth, which lies in the past: of two digits only a year that has one meaning counts. */
export function printedBirth(text: string | undefined, order: DayOrder): string | undefined {
  const day = printedDay(text, order)
  const isShort = /(?<!\d)\d{2}$/.test(text?.trim() ?? '') && !/\d{4}/.test(text ?? '')
  if (day === undefined || !isShort || day < '2000') return day
  // Somebody born in "25" is one year old or a hundred.
  return Number(day.slice(2, 4)) < 30 ? undefined : `19${day.slice(2)}`
}
