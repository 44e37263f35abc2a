import { type Messages, Sentence } from '@kitlane/display/sentence'
import { spanish } from '@kitlane/display/spanish'

/** What the dashboard speaks beside English. */
const spoken: Readonly<Record<string, Messages>> = { es: spanish }

/** The first of the languages wanted in which sentences can be said; English where there is none. */
export const sentenceLanguage = (wanted: readonly string[]): string =>
  wanted.map((tag) => tag.toLowerCase().split('-')[0] ?? '').find((tag) => tag === 'en' || spoken[tag]) ?? 'en'

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
