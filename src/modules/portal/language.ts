import { type Language, maybeFindLanguage, translatorOf } from '../../domain/translations/translator.ts'
import type { PageRequest, SetCookie } from '../../platform/http/pages.ts'
import { type UnitSystem, unitSystems } from '../reports/units/systems.ts'
import type { Speech } from './paper.ts'

const COOKIE = 'language'
/** How long a browser keeps a choice. */
const CHOICE_SECONDS = 180 * 24 * 3600

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

const UNITS_COOKIE = 'units'

type UnitChoice = Pick<PageRequest, 'query' | 'cookie'>

const known = (wanted: string | undefined): UnitSystem | undefined => unitSystems.find((one) => one === wanted)

/** The units of a report: what its address asks for, what was chosen in this browser, those of the laboratory. */
export const unitsOf = ({ query, cookie }: UnitChoice): UnitSystem =>
  known(query.units) ?? known(cookie(UNITS_COOKIE)) ?? 'reported'

/** What keeps a choice that an address makes. */
export function unitsCookie({ query }: UnitChoice): SetCookie | undefined {
  const value = known(query.units)
  return value && { name: UNITS_COOKIE, value, maxAgeSeconds: CHOICE_SECONDS }
}
