/** How the postcodes of a country are written, without spaces and hyphens, and an example as it stands on a letter. */
export interface PostcodeForm {
  pattern: RegExp
  example: string
}

// By libaddressinput (Google's address data, 2025). `9` is any digit, `A` any letter; the others are patterns.
const shapes: Readonly<Record<string, string | [pattern: string, example: string]>> = {
  AD: ['(AD)?[1-7]00', 'AD100'],
  AM: ['\\d{4}(\\d\\d)?', '0010'],
  AR: ['\\d{4}|[A-HJ-NP-Z]\\d{4}[A-Z]{3}', 'C1070AAM'],
  AT: '1010',
  AU: '2060',
  AX: ['22\\d{3}', '22150'],
  AZ: ['(AZ)?\\d{4}', '1000'],
  BA: '71000',
  BB: ['(BB)?\\d{5}', 'BB23026'],
  BD: '1340',
  BE: '4000',
  BG: '1000',
  BH: ['1?\\d{3}', '317'],
  BM: ['[A-Z]{2}[A-Z0-9]{2}', 'FL 07'],
  BN: ['[A-Z]{2}\\d{4}', 'BT2328'],
  BR: ['\\d{8}', '40301-110'],
  BY: '223016',
  CH: '8001',
  CL: ['\\d{7}', '834-0457'],
  CN: '266033',
  CO: '111221',
  CR: ['\\d{4,5}', '10102'],
  CV: '7600',
  CY: '2008',
  CZ: ['\\d{5}', '100 00'],
  DE: '26133',
  DK: '8660',
  DO: '11903',
  DZ: '40304',
  EC: '090105',
  EE: '69501',
  EG: '12411',
  ES: '28039',
  ET: '1000',
  FI: '00550',
  FK: ['FIQQ1ZZ', 'FIQQ 1ZZ'],
  FO: '100',
  FR: '33380',
  GE: '0101',
  GF: ['973\\d\\d', '97300'],
  GB: [
    'GIR0AA|[A-PR-UWYZ](\\d[\\dA-HJKPSTUW]?|[A-HK-Y]\\d[\\dABEHMNPRV-Y]?)\\d[ABD-HJLNP-UW-Z]{2}|BFPO\\d{1,4}',
    'EC1Y 8SY',
  ],
  GG: ['GY\\d{1,2}\\d[ABD-HJLN-UW-Z]{2}', 'GY1 1AA'],
  GI: ['GX111AA', 'GX11 1AA'],
  GL: ['39\\d\\d', '3900'],
  GN: '001',
  GP: ['97[01]\\d\\d', '97100'],
  GR: ['\\d{5}', '151 24'],
  GS: ['SIQQ1ZZ', 'SIQQ 1ZZ'],
  GT: '09001',
  GW: '1011',
  HN: '31301',
  HR: '10000',
  HT: ['(HT)?\\d{4}', '6120'],
  HU: '1037',
  ID: '40115',
  IE: ['[A-Z]\\d[\\dW][A-Z0-9]{4}', 'D02 X285'],
  IL: ['\\d{5}(\\d\\d)?', '9614303'],
  IM: ['IM\\d{1,2}\\d[ABD-HJLN-UW-Z]{2}', 'IM2 1AA'],
  IN: '110034',
  IO: ['BBND1ZZ', 'BBND 1ZZ'],
  IQ: '31001',
  IR: ['\\d{5}(\\d{5})?', '1193653471'],
  IS: '320',
  IT: '00144',
  JE: ['JE\\d{1,2}\\d[ABD-HJLN-UW-Z]{2}', 'JE1 1AA'],
  JO: '11937',
  JP: ['\\d{7}', '154-0023'],
  KE: '20100',
  KG: '720001',
  KH: ['\\d{5,6}', '120101'],
  KR: '03051',
  KW: '54541',
  KZ: ['\\d{6}|[A-Z]\\d\\d[A-Z]\\d[A-Z]\\d', '040900'],
  LA: '01160',
  LB: ['\\d{4}(\\d{4})?', '2038 3054'],
  LI: ['94[89]\\d', '9496'],
  LK: '20000',
  LS: '100',
  LT: ['(LT)?\\d{5}', 'LT-04340'],
  LU: '4750',
  LV: ['(LV)?\\d{4}', 'LV-1073'],
  MA: '53000',
  MC: ['980\\d\\d', '98000'],
  MD: ['(MD)?\\d{4}', 'MD-2012'],
  ME: '81257',
  MG: '501',
  MK: '1314',
  MM: '11181',
  MN: ['\\d{5,6}', '65030'],
  MQ: ['972\\d\\d', '97200'],
  MT: ['[A-Z]{3}\\d{2,4}', 'NXR 01'],
  MU: ['\\d{3}(\\d\\d|[A-Z]{2}\\d{3})', '42602'],
  MV: '20026',
  MX: '02860',
  MY: '43000',
  MZ: ['\\d{4}', '1102'],
  NC: ['988\\d\\d', '98814'],
  NE: '8001',
  NG: '930283',
  NI: '52000',
  NL: ['[1-9]\\d{3}[A-Z]{2}', '1234 AB'],
  NO: '0025',
  NP: '44601',
  NZ: '6001',
  OM: '133',
  PE: ['\\d{5}', '15001'],
  PF: ['987\\d\\d', '98709'],
  PG: '111',
  PH: '1008',
  PK: '44000',
  PL: ['\\d{5}', '00-950'],
  PM: ['97500', '97500'],
  PN: ['PCRN1ZZ', 'PCRN 1ZZ'],
  PT: ['\\d{7}', '2725-079'],
  PY: '1536',
  RE: ['974\\d\\d', '97400'],
  RO: '060274',
  RS: ['\\d{5,6}', '106314'],
  RU: '247112',
  SA: ['\\d{5}(\\d{4})?', '12345'],
  SE: ['\\d{5}', '114 55'],
  SG: '546080',
  SH: ['(ASCN|STHL)1ZZ', 'STHL 1ZZ'],
  SI: '4000',
  SJ: '9170',
  SK: ['\\d{5}', '010 01'],
  SM: ['4789\\d', '47890'],
  SN: '12500',
  SV: ['\\d{4,5}', '1101'],
  SZ: ['[HLMS]\\d{3}', 'H100'],
  TC: ['TKCA1ZZ', 'TKCA 1ZZ'],
  TH: '10150',
  TJ: '735450',
  TM: '744000',
  TN: '1002',
  TR: '01960',
  TW: ['\\d{3}(\\d{2,3})?', '104'],
  TZ: '34413',
  UA: '15432',
  UY: '11600',
  UZ: '702100',
  VA: ['00120', '00120'],
  VE: '1010',
  VN: ['\\d{5,6}', '70010'],
  WF: ['986\\d\\d', '98600'],
  XK: '10000',
  YT: ['976\\d\\d', '97600'],
  ZA: '0083',
  ZM: '50100',
}

const forms = new Map(
  Object.entries(shapes).map(([country, shape]): [string, PostcodeForm] => {
    const [pattern, example] = typeof shape === 'string' ? [`\\d{${shape.length}}`, shape] : shape
    return [country, { pattern: new RegExp(`^(?:${pattern})$`), example }]
  }),
)

/** The form of the postcodes of a country; undefined where it has none, or none that is known. */
export const postcodeForm = (country: string): PostcodeForm | undefined => forms.get(country)

// Where all postcodes have the space or hyphen of the example, so many letters before their end.
const separated = new Set('BR CL CZ FK GB GG GI GR GS IE IM IO JE JP NL PL PN PT SE SH SK TC'.split(' '))

/** A postcode of letters and digits alone, with the space or hyphen that its country writes; undefined where that differs. */
export function writtenPostcode(bare: string, country: string): string | undefined {
  if (bare.startsWith('BFPO')) return `BFPO ${bare.slice(4)}`
  const [, separator, end = ''] = /([ -])(\w+)$/.exec(forms.get(country)?.example ?? '') ?? []
  if (separator === undefined) return bare
  if (!separated.has(country)) return undefined
  return `${bare.slice(0, -end.length)}${separator}${bare.slice(-end.length)}`
}

// Where the post of the United States delivers beside the states, by how its ZIP codes begin.
const usPlaces: Readonly<Record<string, RegExp>> = {
  PR: /^00[679]/,
  VI: /^008/,
  GU: /^969[123]/,
  MP: /^9695[012]/,
  AS: /^96799/,
  FM: /^9694[1-4]/,
  MH: /^969[67]0/,
  PW: /^969(39|40)/,
  AA: /^340/,
  AE: /^09/,
  AP: /^96[2-6]/,
}

// The first three digits, as the Postal Service gives them to states: facts of the public domain, compared with the 41,000 ZIP codes of
// federalgovernmentzipcodes.us and GeoNames.
const usStates = `AK 995-999|AL 350-369|AR 716-729|AZ 850-865|CA 900-961|CO 800-816|CT 060-069|DC 200 202-205 569|DE 197-199
FL 320-339 341-349|GA 300-319 398-399|HI 967-968|IA 500-528|ID 832-838|IL 600-629|IN 460-479|KS 660-679|KY 400-427|LA 700-714
MA 010-027 055|MD 206-219|ME 039-049|MI 480-499|MN 550-567|MO 630-658|MS 386-397|MT 590-599|NC 270-289|ND 580-588|NE 680-693
NH 030-038|NJ 070-089|NM 870-884|NV 889-898|NY 005 100-149|OH 430-459|OK 730-731 734-749|OR 970-979|PA 150-196|RI 028-029
SC 290-299|SD 570-577|TN 370-385|TX 733 750-799 885|UT 840-847|VA 201 220-246|VT 050-054 056-059|WA 980-994|WI 530-549
WV 247-268|WY 820-831`

// ZIP codes of a state whose first three digits are a neighbour's: Fishers Island, Texhoma, Alta, and two offices of Homeland Security.
const ofNeighbour = new Map([
  ['06390', 'NY'],
  ['73960', 'TX'],
  ['83414', 'WY'],
  ['20588', 'MD'],
  ['20598', 'VA'],
])

const statesByDigits = new Map<string, string[]>()
for (const line of usStates.split(/[|\n]/)) {
  const [state = '', ...ranges] = line.split(' ')
  for (const range of ranges) {
    const [from = '', to = from] = range.split('-')
    for (let digits = Number(from); digits <= Number(to); digits++) {
      const key = String(digits).padStart(3, '0')
      statesByDigits.set(key, [...(statesByDigits.get(key) ?? []), state])
    }
  }
}

// How postcodes of other countries begin, by region: Canada Post by the letter; Australia Post by ranges, and where one crosses a border, both.
const regionsElsewhere: Readonly<Record<string, string>> = {
  CA: 'NL A|NS B|PE C|NB E|QC G-H J|ON K-N P|MB R|SK S|AB T|BC V|NT X|NU X|YT Y',
  AU: `NSW 1000-2599 2611 2618-2899 2921-2999 3585-3586 3644 3691 3707 4375-4385 5440|ACT 0200-0299 2540 2600-2620 2900-2920
VIC 2648 3000-3999 8000-8999|QLD 2406 4000-4999 9000-9999|SA 0872 5000-5999|WA 0872 6000-6999|TAS 7000-7999|NT 0800-0999 4825 4830`,
}

/** The regions of a country whose postcode it may be; none where that is not known. */
export function regionsOfPostcode(zip: string, country: string): readonly string[] {
  if (country === 'US') return statesOfZip(zip)
  return (regionsElsewhere[country]?.split(/[|\n]/) ?? []).flatMap((line) => {
    const [region = '', ...ranges] = line.split(' ')
    const isOfRegion = ranges.some((range) => {
      const [from = '', to = from] = range.split('-')
      const start = zip.trim().toUpperCase().slice(0, from.length)
      return from <= start && start <= to
    })
    return isOfRegion ? [region] : []
  })
}

/** Whether a ZIP code is one of this island or of these forces, or else of none of them, as its state says. */
export function isZipOf(zip: string, state: string): boolean {
  const own = usPlaces[state]
  return own ? own.test(zip) : !Object.values(usPlaces).some((place) => place.test(zip))
}

/** The states, islands and forces whose ZIP code it may be; none where it is not known. */
function statesOfZip(zip: string): readonly string[] {
  const place = Object.keys(usPlaces).find((one) => usPlaces[one]?.test(zip))
  return place ? [place] : (statesOf(zip) ?? [])
}

function statesOf(zip: string): readonly string[] | undefined {
  const own = ofNeighbour.get(zip.slice(0, 5))
  return own ? [own] : statesByDigits.get(zip.slice(0, 3))
}

/** Jersey, Guernsey, Man and Gibraltar, whose postcodes the British post gives: they are countries of their own, and letters name either. */
export function countryOfPostcode(zip: string, country: string): string | undefined {
  const letters = country === 'GB' ? /^\s*(JE|GY|IM|GX)/i.exec(zip)?.[1]?.toUpperCase() : undefined
  return letters?.replace('GY', 'GG').replace('GX', 'GI')
}

/** Whether a ZIP code may be one of this state; true where either is not known. */
export function isZipOfState(zip: string, state: string): boolean {
  const states = statesOf(zip)
  return states === undefined || ![...statesByDigits.values()].flat().includes(state) || states.includes(state)
}
