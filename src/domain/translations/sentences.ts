import { type Messages, Sentence } from '@kitlane/display/sentence'
import { spanish } from '@kitlane/display/spanish'
import table from './said.json' with { type: 'json' }

/** In these a report says its sentences; an entry of the table has them in this order. */
const column = (at: number): Messages =>
  Object.fromEntries(Object.entries(table).map(([english, line]) => [english, line.split('|')[at] ?? english]))
const ofReports = { fr: column(0), de: column(1), ja: column(2), ar: column(3) }
/** What the dashboard speaks beside English. */
const ofDashboard = { es: spanish }
const spoken: Readonly<Record<string, Messages>> = { ...ofReports, ...ofDashboard }

/** The first of the languages wanted in which every sentence can be said; English where there is none. */
export const sentenceLanguage = (wanted: readonly string[]): string =>
  wanted.map((tag) => tag.toLowerCase().split('-')[0] ?? '').find((tag) => tag === 'en' || tag in ofDashboard) ?? 'en'

/** JSON with its sentences in a language: the one place where those of an answer become text. */
export function jsonIn(language: string, body: unknown): string {
  const messages = spoken[language]
  if (!messages) return JSON.stringify(body)
  // `value` is English by then.
  return JSON.stringify(body, function (this: Record<string, unknown>, key, value) {
    const held = this[key]
    return held instanceof Sentence ? held.in(language, messages) : value
  })
}

/** One sentence in a language, or in English where sentences have none in it; what is a string already stays so. */
export function textIn(language: string, said: string | Sentence): string {
  const messages = spoken[language]
  return messages && said instanceof Sentence ? said.in(language, messages) : String(said)
}
