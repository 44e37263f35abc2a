import { isZipOf, postcodeForm, writtenPostcode } from './postcodes.ts'
import { otherRegionNames, regions } from './regions.ts'
import { latinDigits } from './text.ts'

/** The parts of an address whose rules depend on the country. */
export interface Place {
  country: string
  state: string
  zip: string
}

/** What is wrong with a part: it is missing, no such thing exists, or its form is wrong. */
export type PlaceProblem =
  | { field: 'country'; problem: 'unknown' | 'state' }
  | { field: 'state'; problem: 'missing' | 'unknown' }
  | { field: 'zip'; problem: 'missing' | 'number' | 'US' | 'PR' | 'CA' | 'place' }
  | { field: 'zip'; problem: 'form'; example: string }

// ISO 3166-1, and XK for Kosovo, which post goes to as well.
const codes = new Set(
  `AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH
CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP
GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR
LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF
PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ
TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW`.split(/\s/),
)

// Where libaddressinput (Google's address data, 2025) requires a postcode.
const withZip = new Set(
  `AS AT AU AX BE BL BR CA CH CN CZ DE DK EE ES FI FK FM FR GB GF GG GL GP GR GS GU HU IM IN IO IT JE JP KR LI LT LU LV MF MH MP MQ MX
MY NC NL NO NZ PF PL PM PN PR PT PW RE RO RU SE SG SH SJ SK SM TC TR TW UA US VI WF YT ZA`.split(/\s/),
)
// Where parcels get lost without a state. The same data requires one elsewhere too, where people often leave it out.
const withState = new Set(['US', 'CA', 'AU', 'BR', 'IN', 'MX'])
// The United States Postal Service serves them.
export const withUsZip: ReadonlySet<string> = new Set(['US', 'AS', 'FM', 'GU', 'MH', 'MP', 'PR', 'PW', 'UM', 'VI'])

// ISO 3166-1 alpha-3 of where kits are sent; other countries by their two letters or their name.
const threeLetters: Readonly<Record<string, string>> = {
  usa: 'US',
  can: 'CA',
  mex: 'MX',
  pri: 'PR',
  gbr: 'GB',
  irl: 'IE',
  deu: 'DE',
  aut: 'AT',
  che: 'CH',
  fra: 'FR',
  bel: 'BE',
  nld: 'NL',
  lux: 'LU',
  esp: 'ES',
  prt: 'PT',
  ita: 'IT',
  dnk: 'DK',
  swe: 'SE',
  nor: 'NO',
  fin: 'FI',
  isl: 'IS',
  pol: 'PL',
  cze: 'CZ',
  hun: 'HU',
  grc: 'GR',
  aus: 'AU',
  nzl: 'NZ',
  jpn: 'JP',
  sgp: 'SG',
  hkg: 'HK',
  tur: 'TR',
  chn: 'CN',
  twn: 'TW',
  svk: 'SK',
  svn: 'SI',
  hrv: 'HR',
  rou: 'RO',
  bgr: 'BG',
  est: 'EE',
  lva: 'LV',
  ltu: 'LT',
  mlt: 'MT',
  cyp: 'CY',
  ukr: 'UA',
  sau: 'SA',
  phl: 'PH',
  tha: 'TH',
  mys: 'MY',
  idn: 'ID',
  vnm: 'VN',
  col: 'CO',
  per: 'PE',
  gum: 'GU',
  vir: 'VI',
  asm: 'AS',
  mnp: 'MP',
  isr: 'IL',
  are: 'AE',
  ind: 'IN',
  zaf: 'ZA',
  bra: 'BR',
  arg: 'AR',
  chl: 'CL',
  kor: 'KR',
}
const otherNames: Readonly<Record<string, string>> = {
  ...threeLetters,
  uk: 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  northernireland: 'GB',
  greatbritain: 'GB',
  unitedstatesofamerica: 'US',
  theunitedstates: 'US',
  america: 'US',
  thenetherlands: 'NL',
  holland: 'NL',
  turkey: 'TR',
  czechrepublic: 'CZ',
  macau: 'MO',
  burma: 'MM',
  swaziland: 'SZ',
  capeverde: 'CV',
  ivorycoast: 'CI',
  korea: 'KR',
  republicofkorea: 'KR',
  republicofireland: 'IE',
  eire: 'IE',
  russianfederation: 'RU',
  uae: 'AE',
  deutschland: 'DE',
  osterreich: 'AT',
  schweiz: 'CH',
  espana: 'ES',
  italia: 'IT',
  mexico: 'MX',
  brasil: 'BR',
}

/** Countries by their two letters, in the order of the letters. */
export const countryCodes: readonly string[] = [...codes]

/** The letters and digits of a name, without accents and case, `&` as and. */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll('&', 'and')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()

const namesIn = new Map<string, ReadonlyMap<string, string>>()

function countriesByName(language: string): ReadonlyMap<string, string> {
  const known = namesIn.get(language)
  if (known) return known
  // The short one of Hong Kong SAR China is Hong Kong.
  const made = new Map(
    (['short', 'long'] as const).flatMap((style) => {
      const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none', style })
      return countryCodes.map((code) => [plain(names.of(code) ?? code), code] as const)
    }),
  )
  namesIn.set(language, made)
  return made
}

/** Georgia is a country and a state. The others whose names are in both lists, such as Puerto Rico, are one place. */
const isNameOfState = (text: string): boolean => plain(text) === 'georgia'

/** The two letters of a country however it is written, by its letters or its name; undefined: none is known, or it may be a state. */
export function countryOf(text: string, languages: readonly string[] = ['en']): string | undefined {
  if (codes.has(text)) return text
  const letters = plain(text)
  const other = Object.hasOwn(otherNames, letters) ? otherNames[letters] : undefined
  if (other) return other
  const code = letters.toUpperCase()
  if (code.length === 2) return codes.has(code) ? code : undefined
  return isNameOfState(text) ? undefined : countryByName(letters, languages)
}

const countryByName = (letters: string, languages: readonly string[]): string | undefined =>
  languages.map((language) => countriesByName(language).get(letters)).find((code) => code !== undefined)

/** The same of an address: the country Georgia, where neither the state nor the postcode is one of the US. */
export function countryOfPlace({ country, state, zip }: Place, languages: readonly string[] = ['en']) {
  if (codes.has(country)) return country
  if (!isNameOfState(country)) return countryOf(country, languages)
  const isOfUs = stateOf(state, 'US') !== undefined || /^\d{5}/.test(zip)
  return isOfUs ? undefined : countryByName(plain(country), languages)
}

const statesByName = new Map(
  Object.entries(regions).map(([country, states]) => [
    country,
    new Map([
      ...Object.entries(otherRegionNames[country] ?? {}),
      ...Object.entries(states).flatMap(([code, name]) => [code, name].map((text) => [plain(text), code] as const)),
    ]),
  ]),
)

/** The code of a state or province however it is written, also as ISO 3166-2 has it (US-IL); undefined: it is none that is known. */
export function stateOf(text: string, country: string): string | undefined {
  const [, of, code = ''] = /^\s*([A-Z]{2})-(\w+)\s*$/i.exec(text) ?? []
  return statesByName.get(country)?.get(plain(of?.toUpperCase() === country ? code : text))
}

/** What people there call the part of the country that stands in an address, by libaddressinput. */
export type RegionName = 'state' | 'province' | 'prefecture' | 'county' | 'emirate' | 'region'
const regionNames: readonly (readonly [RegionName, string])[] = [
  ['state', 'AU BR DE FM IN MX MY NG US VE'],
  ['province', 'AR BE CA CN ES ID IT KR NL PE PH TH TR VN'],
  ['prefecture', 'JP'],
  ['county', 'EE GB HR HU IE NO RO SE TW'],
  ['emirate', 'AE'],
]
export const regionNameOf = (country: string): RegionName =>
  regionNames.find(([, countries]) => countries.split(' ').includes(country))?.[0] ?? 'region'

export type PostcodeName = 'zip' | 'eircode' | 'postcode'
export const postcodeNameOf = (country: string): PostcodeName =>
  withUsZip.has(country) ? 'zip' : country === 'IE' ? 'eircode' : 'postcode'

/** Whether an address there is incomplete without a state. */
export const needsState = (country: string): boolean => withState.has(country)
/** Whether an address there is incomplete without a postcode. */
export const needsZip = (country: string): boolean => withZip.has(country)

/** What is wrong with the parts of an address by the rules of its country, which counts in capitals. */
export function placeProblems({ country, state, zip }: Place): PlaceProblem[] {
  if (!codes.has(country)) return [{ field: 'country', problem: isNameOfState(country) ? 'state' : 'unknown' }]
  const wrong = stateProblems(state, country)
  return [...wrong, ...zipProblems(zip, country, wrong.length > 0 ? '' : state)]
}

function stateProblems(state: string, country: string): PlaceProblem[] {
  if (state === '') return needsState(country) ? [{ field: 'state', problem: 'missing' }] : []
  // What is a country and a state of the US is in no other state.
  const other = withUsZip.has(country) && country !== 'US' ? stateOf(state, 'US') : undefined
  const isElsewhere = other !== undefined && other !== country
  const isUnknown = isElsewhere || (statesByName.has(country) && stateOf(state, country) === undefined)
  return isUnknown ? [{ field: 'state', problem: 'unknown' }] : []
}

/** A postcode as it stands on letters there: EC1Y 8SY of ec1y8sy. What has not the form of one stays as it is. */
export function zipOf(text: string, country: string): string {
  const zip = latinDigits(text).normalize('NFKC').trim()
  if (withUsZip.has(country)) return zip.replace(/^(\d{5})(\d{4})$/, '$1-$2')
  if (country === 'CA') return CANADIAN.test(zip) ? bare(zip).replace(/(?=...$)/, ' ') : zip
  const found = forms(zip).find((one) => postcodeForm(country)?.pattern.test(one))
  return (found && writtenPostcode(found, country)) ?? zip
}

const bare = (text: string): string => text.replace(/[\s-]/g, '').toUpperCase()
// D-10115 is written, too.
const forms = (zip: string): string[] => [zip, zip.replace(/^[A-Z]{1,3}[- ]+/i, '')].map(bare)

function zipProblems(text: string, country: string, state: string): PlaceProblem[] {
  const field = 'zip'
  const zip = latinDigits(text).normalize('NFKC').trim()
  if (zip === '') return needsZip(country) ? [{ field, problem: 'missing' }] : []
  // What spreadsheets make of digits: 62701.0, 4.1E+3.
  if (/^\d+([.,]\d+)?(E[+-]?\d+)?$/i.test(zip) && !/^\d+$/.test(zip)) return [{ field, problem: 'number' }]
  if (country === 'PR') return /^00[679]\d\d(-?\d{4})?$/.test(zip) ? [] : [{ field, problem: 'PR' }]
  // None begins with 000.
  if (withUsZip.has(country)) {
    if (!/^(?!000)\d{5}(-?\d{4})?$/.test(zip)) return [{ field, problem: 'US' }]
    const place = country === 'US' ? stateOf(state, 'US') : country
    return place === undefined || isZipOf(zip, place) ? [] : [{ field, problem: 'place' }]
  }
  if (country === 'CA') return CANADIAN.test(zip) ? [] : [{ field, problem: 'CA' }]
  const form = postcodeForm(country)
  if (!form) return []
  const isRight = forms(zip).some((one) => form.pattern.test(one)) && /[A-Z1-9]/i.test(zip)
  return isRight ? [] : [{ field, problem: 'form', example: form.example }]
}

// Without the letters that the Canadian post does not use, since they are taken for others.
const CANADIAN = /^[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z][ -]?\d[ABCEGHJ-NPRSTV-Z]\d$/i

/** How many digits postcodes of a country have that are digits alone; undefined: nobody can tell what a number was. */
export function zipDigits(country: string): number | undefined {
  if (country === 'US' || country === 'PR') return 5
  const { example = '', pattern } = postcodeForm(country) ?? {}
  return /^\d+$/.test(example) && pattern?.source === `^(?:\\d{${example.length}})$` ? example.length : undefined
}

/** A ZIP code with the leading zeros that a spreadsheet removed. */
export function zipWithZeros({ zip, country, state }: Place): string | undefined {
  if (country !== 'US' || !/^\d{3,4}$/.test(zip)) return undefined
  const whole = zip.padStart(5, '0')
  return isZipOf(whole, stateOf(state, 'US') ?? '') ? whole : undefined
}
