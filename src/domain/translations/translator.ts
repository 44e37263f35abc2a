import { formatOf } from '@kitlane/display/sentence'
import type { FormatXMLElementFn } from 'intl-messageformat'
import ar from './ar.json' with { type: 'json' }
import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import es from './es.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }
import ja from './ja.json' with { type: 'json' }
import names from './names.json' with { type: 'json' }

export type Language = 'en' | 'es' | 'de' | 'fr' | 'ar' | 'ja'
export type MessageKey = keyof typeof en

const messages: Readonly<Record<Language, Readonly<Record<MessageKey, string>>>> = { en, es, de, fr, ar, ja }

/** Languages of the pages, e-mails and PDFs for people tested. */
export const languages = Object.keys(messages) as Language[]

/** A name in its own language, for anyone who looks for it. */
export const nameOfLanguage = (language: string): string => {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}

const rightToLeft: readonly string[] = ['ar']
// Results, dates and IDs stand beside one another: they share their digits.
const locales: Readonly<Record<string, string>> = { ar: 'ar-u-nu-latn' }
// `20 Nov 2026`: a day and a month cannot be confused.
const dateLocales: Readonly<Record<string, string>> = { ...locales, en: 'en-GB' }

type Plain = Readonly<Record<string, string | number>>
type Rich<T> = Readonly<Record<string, string | number | T | FormatXMLElementFn<T>>>

/** Says messages in one language. @throws Error for a message whose values are not all given */
export interface Translator {
  (key: MessageKey, values?: Plain): string
  /** A message with markup in it: values may be markup, and a tag of the message is a function of what it encloses. */
  rich<T>(key: MessageKey, values: Rich<T>): readonly (string | T)[]
  readonly language: Language
  readonly direction: 'ltr' | 'rtl'
  /** `20 Nov 2026`, of a date or a time in RFC 3339. */
  date(date: string): string
  /** `9 December 1956` */
  fullDate(date: string): string
  /** As many decimals as it has, no groups of thousands. */
  number(value: number): string
  /** `a, b and c` */
  list(items: readonly string[]): string
  /** `a or b` */
  either(items: readonly string[]): string
  /** With a capital first letter where the language has them. */
  capital(text: string): string
  /** What this language calls a biomarker or a category with this English name; undefined where it has no name for it. */
  maybeNameOf(english: string): string | undefined
  /** The same, else the English name. */
  nameOf(english: string): string
  /** What this language calls another one, by its tag: `German` for `de`. */
  languageName(tag: string): string
  /** In full; by number from 0. */
  readonly months: readonly string[]
}

const made = new Map<Language, Translator>()

export function translatorOf(language: Language): Translator {
  const known = made.get(language) ?? makeTranslator(language)
  made.set(language, known)
  return known
}

/** The first of these languages that there is, `de` also for `de-AT`; undefined if it does not exist. */
export function maybeFindLanguage(wanted: readonly (string | null | undefined)[]): Language | undefined {
  const primary = wanted.map((tag) => tag?.toLowerCase().split('-')[0])
  return primary.find((tag): tag is Language => languages.some((language) => language === tag))
}

// Between them a text keeps its own direction, whatever is around it.
const isolated = (text: string) => `\u2068${text}\u2069`

function makeTranslator(language: Language): Translator {
  const locale = locales[language] ?? language
  const dateLocale = dateLocales[language] ?? language
  const isRightToLeft = rightToLeft.includes(language)
  const isolatedValues = <T>(values: Rich<T>): Rich<T> =>
    isRightToLeft
      ? Object.fromEntries(
          Object.entries(values).map(([name, of]) => [name, typeof of === 'string' ? isolated(of) : of]),
        )
      : values
  const rich = <T>(key: MessageKey, values: Rich<T>): readonly (string | T)[] =>
    [formatOf(messages[language][key], locale).format<T>(isolatedValues(values))].flat() as (string | T)[]
  const dates = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(dateLocale, { timeZone: 'UTC', ...options })
    // Of a time with its offset the day there, not that in UTC.
    return (date: string) => format.format(Date.parse(date.slice(0, 10)))
  }
  const monthName = dates({ month: 'long' })
  const numbers = new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 20 })
  const all = new Intl.ListFormat(locale)
  const any = new Intl.ListFormat(locale, { type: 'disjunction' })
  const languageNames = new Intl.DisplayNames([locale], { type: 'language' })
  return Object.assign((key: MessageKey, values: Plain = {}) => rich<never>(key, values).join(''), {
    rich,
    language,
    direction: isRightToLeft ? ('rtl' as const) : ('ltr' as const),
    date: dates({ day: 'numeric', month: 'short', year: 'numeric' }),
    fullDate: dates({ day: 'numeric', month: 'long', year: 'numeric' }),
    number: (value: number) => numbers.format(value),
    list: (items: readonly string[]) => all.format(items),
    either: (items: readonly string[]) => any.format(items),
    capital: (text: string) => text.charAt(0).toLocaleUpperCase(locale) + text.slice(1),
    maybeNameOf: (english: string) => nameIn(language, english),
    nameOf: (english: string) => nameIn(language, english) ?? english,
    languageName: (tag: string) => languageNames.of(tag) ?? tag,
    months: Array.from({ length: 12 }, (_, index) => monthName(`2026-${String(index + 1).padStart(2, '0')}-01`)),
  })
}

/** The languages of an entry of `names.json`, in its order; = is the English name, and alone that of all. */
const columns: readonly string[] = ['es', 'fr', 'de', 'ja', 'ar']

type Entry = readonly string[]
const entries = Object.entries(names).map(([english, line]): [string, Entry] => [
  english,
  (line === '=' ? columns : line.split('|')).map((name) => (name === '=' || line === '=' ? english : name)),
])
const isRule = ([english]: [string, Entry]) => /\{[xn]\}/.test(english)
const whole = new Map(entries.map(([english, entry]) => [english.toLowerCase(), entry]))
/** `{x}` is another name, `{n}` a number, a letter or both, which no language translates: `T4`, `21`, `XIII`. */
const rules = entries.filter(isRule).map(([english, entry]): [RegExp, Entry] => {
  const pattern = english
    .replace(/[()+.]/g, '\\$&')
    .replace('{x}', '(?<x>.+)')
    .replace('{n}', '(?<n>[A-Z\\d][A-Z\\d+/-]*)')
  return [new RegExp(`^${pattern}$`), entry]
})

function nameIn(language: Language, english: string): string | undefined {
  const column = columns.indexOf(language)
  if (column < 0) return language === 'en' ? english : undefined
  const known = whole.get(english.toLowerCase())
  if (known) return known[column]
  for (const [pattern, entry] of rules) {
    const { x, n } = pattern.exec(english)?.groups ?? {}
    const part = x === undefined ? n : nameIn(language, x)
    if (part !== undefined) return entry[column]?.replace(/\{[xn]\}/, () => part)
  }
  return undefined
}
