import { countryCodes } from '@kitlane/display/postal-address'
import { internalKitType } from '../../catalogue/kit-type.ts'

/** After so many days a kit that nobody used holds up no other one. */
export const OPEN_DAYS = 180

/** Whether a business lets its people order this panel again. */
export const isOffered = (panels: readonly string[], kitType: string): boolean =>
  panels.some((panel) => internalKitType(panel) === kitType)

/** Countries by their two letters, ordered by their names in a language. */
export function countries(language: string): [code: string, name: string][] {
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
  const named = countryCodes.flatMap((code): [string, string][] => {
    const name = names.of(code)
    return name === undefined ? [] : [[code, name]]
  })
  return named.sort(([, a], [, b]) => a.localeCompare(b, language))
}

/** The name of a country by its letters; other words stay as they are. */
export const countryName = (code: string, language: string): string =>
  countries(language).find(([one]) => one === code)?.[1] ?? code

/** The two letters of what somebody typed as their country in a registration; empty where that is not known. */
export function countryCode(typed: string | undefined, languages: readonly string[]): string {
  const wanted = typed?.trim().toLowerCase() ?? ''
  const isIt = ([code, name]: [string, string]) => code.toLowerCase() === wanted || name.toLowerCase() === wanted
  return languages.map((language) => countries(language).find(isIt)?.[0]).find(Boolean) ?? ''
}
