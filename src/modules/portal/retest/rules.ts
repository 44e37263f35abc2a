import { internalKitType } from '../../catalogue/kit-type.ts'

/** After so many days a kit that nobody used holds up no other one. */
export const OPEN_DAYS = 180
/** Where parcels carry a state; elsewhere it may stay empty. */
const withStates: readonly string[] = ['US', 'CA', 'AU']

export const needsState = (country: string): boolean => withStates.includes(country)

/** Whether a business lets its people order this panel again. */
export const isOffered = (panels: readonly string[], kitType: string): boolean =>
  panels.some((panel) => internalKitType(panel) === kitType)

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
// Regions that Intl names and nobody lives in, or that are no country.
const noCountries = new Set(['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'ZZ'])

/** Countries by their two letters, ordered by their names in a language. */
export function countries(language: string): [code: string, name: string][] {
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
  const codes = [...LETTERS].flatMap((first) => [...LETTERS].map((second) => first + second))
  const isOwn = (code: string) => !noCountries.has(code) && new Intl.Locale(`und-${code}`).region === code
  const named = codes.filter(isOwn).flatMap((code): [string, string][] => {
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
