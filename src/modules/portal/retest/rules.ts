import { countryCodes } from '@kitlane/display/postal-address'

/** After so many days a kit that nobody used holds up no other one. */
export const OPEN_DAYS = 180

/** Countries by their two letters, ordered by their names in a language. */
export function countries(language: string): [code: string, name: string][] {
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
  const named = countryCodes.flatMap((code): [string, string][] => {
    const name = names.of(code)
    return name === undefined ? [] : [[code, name]]
  })
  return named.sort(([, a], [, b]) => a.localeCompare(b, language))
}

/** The two letters of what somebody typed as their country in a registration; empty where that is not known. */
export function countryCode(typed: string | undefined, languages: readonly string[]): string {
  const wanted = typed?.trim().toLowerCase() ?? ''
  const isIt = ([code, name]: [string, string]) => code.toLowerCase() === wanted || name.toLowerCase() === wanted
  return languages.map((language) => countries(language).find(isIt)?.[0]).find(Boolean) ?? ''
}
