import { locale, t } from '../../../language/t.ts'
import regionNames from './regions.json' with { type: 'json' }

// Files are in English or in the language of the page.
const displayNames = ['en', locale()].map((tag) => new Intl.DisplayNames(tag, { type: 'region', fallback: 'none' }))
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
// Regions with a Unicode name that are not, or no longer, countries of ISO 3166-1.
const NO_COUNTRY = 'AC AN BU CP CQ CS DD DG DY EA EU EZ FX HV IC NH NT RH SU TA TP UK UN VD XA XB YD YU ZR ZZ'.split(
  ' ',
)

const codes = [...LETTERS]
  .flatMap((first) => [...LETTERS].map((second) => first + second))
  .filter((code) => !NO_COUNTRY.includes(code) && displayNames[0]?.of(code) !== undefined)

/** Comparable form of a name: no accents, case or punctuation, `&` as and. */
export const plainName = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('&', ' and ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const countries = new Map([
  ...displayNames.flatMap((names) => codes.map((code) => [plainName(names.of(code) ?? ''), code] as const)),
  ...Object.entries({
    usa: 'US',
    'u s a': 'US',
    'u s': 'US',
    'united states of america': 'US',
    america: 'US',
    uk: 'GB',
    'great britain': 'GB',
    england: 'GB',
    scotland: 'GB',
    wales: 'GB',
    deutschland: 'DE',
    osterreich: 'AT',
    schweiz: 'CH',
    espana: 'ES',
    italia: 'IT',
    mexico: 'MX',
    holland: 'NL',
  }),
])

// Names to be recognised in a file, not to be read.
const regions: Record<string, Record<string, string>> = regionNames

export const isCountryCode = (text: string): boolean => codes.includes(text.toUpperCase())

/** The code of a country that is written out or in lower case; undefined if it is correct or unknown. */
export function countryCodeOf(text: string): string | undefined {
  if (isCountryCode(text)) return text === text.toUpperCase() ? undefined : text.toUpperCase()
  return countries.get(plainName(text))
}

/** The code of a US state or Canadian province; undefined if it is correct or unknown. */
export function stateCodeOf(text: string, country: string): string | undefined {
  const states = regions[country]
  if (!states) return undefined
  const upper = text.replaceAll('.', '').trim().toUpperCase()
  if (upper in states) return upper === text ? undefined : upper
  const name = plainName(text)
  return Object.keys(states).find((code) => plainName(states[code] ?? '') === name)
}

/** True if the states of the country are known and this is not one of them. */
export const isUnknownState = (text: string, country: string): boolean =>
  regions[country] !== undefined && !(text in regions[country])

const zips: Record<string, { pattern: RegExp; words: string }> = {
  US: { pattern: /^\d{5}(-?\d{4})?$/, words: t('a ZIP has five digits, such as 05401, or nine') },
  CA: {
    pattern: /^[A-Za-z]\d[A-Za-z][ -]?\d[A-Za-z]\d$/,
    words: t('a Canadian postal code has letters and digits in turn, such as K1A 0B1'),
  },
}

/** What is wrong with a postal code, for countries whose format is known. */
export function zipProblem(zip: string, country: string): string | undefined {
  const form = zips[country]
  return form && !form.pattern.test(zip) ? form.words : undefined
}

/** A ZIP code with the leading zeros that a spreadsheet removed. */
export function zipWithZeros(zip: string, country: string): string | undefined {
  return country === 'US' && /^\d{3,4}$/.test(zip) ? zip.padStart(5, '0') : undefined
}
