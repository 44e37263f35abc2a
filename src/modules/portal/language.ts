import { type Language, maybeFindLanguage, translatorOf } from '../../domain/translations/translator.ts'
import type { PageRequest, SetCookie } from '../../platform/http/pages.ts'
import type { Speech } from './paper.ts'

const COOKIE = 'language'
/** How long a browser keeps a choice. */
export const CHOICE_SECONDS = 180 * 24 * 3600

type LanguageChoice = Pick<PageRequest, 'query' | 'cookie' | 'languages'>

/** The language that was chosen in this browser; undefined if none was. */
export const chosenLanguage = ({ query, cookie }: LanguageChoice): Language | undefined =>
  maybeFindLanguage([query.language, cookie(COOKIE)])

/** The language of a page: what was chosen in this browser, what is saved with the person, what the browser prefers, English. */
export function speechOf(request: LanguageChoice, saved?: string | null): Speech {
  const language = chosenLanguage(request) ?? maybeFindLanguage([saved, ...request.languages]) ?? 'en'
  const { language: _, ...query } = request.query
  return { t: translatorOf(language), query }
}

/** What keeps a choice that an address makes. */
export function languageCookie({ query }: LanguageChoice): SetCookie | undefined {
  const value = maybeFindLanguage([query.language])
  return value && { name: COOKIE, value, maxAgeSeconds: CHOICE_SECONDS }
}
