import { t } from '../../../language/t.ts'

const displayNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
// Regions with a Unicode name that are not, or no longer, countries of ISO 3166-1.
const NO_COUNTRY = 'AC AN BU CP CQ CS DD DG DY EA EU EZ FX HV IC NH NT RH SU TA TP UK UN VD XA XB YD YU ZR ZZ'.split(
  ' ',
)

const codes = [...LETTERS]
  .flatMap((first) => [...LETTERS].map((second) => first + second))
  .filter((code) => !NO_COUNTRY.includes(code) && displayNames.of(code) !== undefined)

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
  ...codes.map((code) => [plainName(displayNames.of(code) ?? ''), code] as const),
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

const US_STATES: Record<string, string> = {
  AL: 'Alabama',
  AK: 'Alaska',
  AZ: 'Arizona',
  AR: 'Arkansas',
  CA: 'California',
  CO: 'Colorado',
  CT: 'Connecticut',
  DE: 'Delaware',
  DC: 'District of Columbia',
  FL: 'Florida',
  GA: 'Georgia',
  HI: 'Hawaii',
  ID: 'Idaho',
  IL: 'Illinois',
  IN: 'Indiana',
  IA: 'Iowa',
  KS: 'Kansas',
  KY: 'Kentucky',
  LA: 'Louisiana',
  ME: 'Maine',
  MD: 'Maryland',
  MA: 'Massachusetts',
  MI: 'Michigan',
  MN: 'Minnesota',
  MS: 'Mississippi',
  MO: 'Missouri',
  MT: 'Montana',
  NE: 'Nebraska',
  NV: 'Nevada',
  NH: 'New Hampshire',
  NJ: 'New Jersey',
  NM: 'New Mexico',
  NY: 'New York',
  NC: 'North Carolina',
  ND: 'North Dakota',
  OH: 'Ohio',
  OK: 'Oklahoma',
  OR: 'Oregon',
  PA: 'Pennsylvania',
  RI: 'Rhode Island',
  SC: 'South Carolina',
  SD: 'South Dakota',
  TN: 'Tennessee',
  TX: 'Texas',
  UT: 'Utah',
  VT: 'Vermont',
  VA: 'Virginia',
  WA: 'Washington',
  WV: 'West Virginia',
  WI: 'Wisconsin',
  WY: 'Wyoming',
  PR: 'Puerto Rico',
  GU: 'Guam',
  VI: 'U.S. Virgin Islands',
  AS: 'American Samoa',
  MP: 'Northern Mariana Islands',
  AA: 'Armed Forces Americas',
  AE: 'Armed Forces Europe',
  AP: 'Armed Forces Pacific',
}

const CANADIAN_PROVINCES: Record<string, string> = {
  AB: 'Alberta',
  BC: 'British Columbia',
  MB: 'Manitoba',
  NB: 'New Brunswick',
  NL: 'Newfoundland and Labrador',
  NS: 'Nova Scotia',
  NT: 'Northwest Territories',
  NU: 'Nunavut',
  ON: 'Ontario',
  PE: 'Prince Edward Island',
  QC: 'Quebec',
  SK: 'Saskatchewan',
  YT: 'Yukon',
}

const regions: Record<string, Record<string, string>> = { US: US_STATES, CA: CANADIAN_PROVINCES }

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
