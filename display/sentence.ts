import { IntlMessageFormat } from 'intl-messageformat'

type Value = string | number | readonly string[] | Sentence
type Values = Readonly<Record<string, Value>>
/** From the English message. */
export type Messages = Readonly<Record<string, string>>

/** A sentence as a row keeps it, beside its English text of that time: a message, which is its code, and what stands in it. */
export interface Kept {
  message: string
  values?: Readonly<Record<string, string | number | readonly string[] | Kept>>
}

/**
 * What a rule says, as data: an English ICU message, which is its own key, and what stands in it. It becomes text where it is
 * shown: in English for programs and in what is stored, else in the language of who reads it.
 */
export class Sentence {
  readonly message: string
  readonly values: Values

  constructor(message: string, values: Values = {}) {
    this.message = message
    this.values = values
  }

  /** What has no translation stays English. */
  in(language: string, messages: Messages): string {
    const shown = messages[this.message] ?? this.message
    const entries = Object.entries(this.values)
    if (entries.length === 0) return shown
    const texts = entries.map(([name, value]) => [
      name,
      name === 'date' ? dayIn(value, language) : textOf(value, language, messages),
    ])
    return String(formatOf(shown, language).format(Object.fromEntries(texts)))
  }

  /** As data for a row, which `stored` reads. */
  kept(): Kept {
    const values = Object.entries(this.values).map(([name, value]) => [
      name,
      value instanceof Sentence ? value.kept() : value,
    ])
    return { message: this.message, ...(values.length > 0 && { values: Object.fromEntries(values) }) }
  }

  toString(): string {
    return this.in('en', {})
  }

  toJSON(): string {
    return this.toString()
  }
}

/** A list among the values is joined as its language does, and a sentence among them is in the same language. */
export const sentence = (message: string, values?: Values): Sentence => new Sentence(message, values)

function textOf(value: Value, language: string, messages: Messages): string | number {
  if (value instanceof Sentence) return value.in(language, messages)
  return typeof value === 'object' ? new Intl.ListFormat(language).format(value) : value
}

/** Programs read English, where a day stays `YYYY-MM-DD`. */
function dayIn(value: Value, language: string): string {
  const day = String(value)
  if (language === 'en' || !/^\d{4}-\d\d-\d\d$/.test(day)) return day
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(day))
}

const formats = new Map<string, Map<string, IntlMessageFormat>>()

/** The ICU message of a language, as all texts of Kitlane are: of pages, e-mails, the PDF and the dashboard. */
export function formatOf(message: string, language: string): IntlMessageFormat {
  const ofLanguage = formats.get(language) ?? new Map<string, IntlMessageFormat>()
  formats.set(language, ofLanguage)
  const format = ofLanguage.get(message) ?? new IntlMessageFormat(message, language)
  ofLanguage.set(message, format)
  return format
}
