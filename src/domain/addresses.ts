type Fields = Record<string, unknown>

// What shops, spreadsheets and other services call these fields, without case, `_` and `-`.
const otherNames: Readonly<Record<string, readonly string[]>> = {
  street1: ['address1', 'addressline1', 'line1', 'street'],
  street2: ['address2', 'addressline2', 'line2'],
  addressLine1: ['street1', 'address1', 'line1', 'street'],
  addressLine2: ['street2', 'address2', 'line2'],
  state: ['province', 'provincecode', 'region', 'stateprovince', 'stateorprovince'],
  zip: ['postalcode', 'postcode', 'zipcode', 'zippostalcode'],
  country: ['countrycode', 'countryiso', 'countryiso2'],
}

/** The other names of the fields of an address, by their letters; none where fields are not those of one. */
export function addressNames(names: readonly string[]): Map<string, string> {
  const isAddress = ['city', 'zip', 'country'].every((name) => names.includes(name))
  const own = isAddress ? names : []
  return new Map(own.flatMap((name) => (otherNames[name] ?? []).map((other) => [other, name] as const)))
}

// ISO 3166-1 alpha-3 of where kits are sent; other countries by their two letters or their English name.
const threeLetters: Readonly<Record<string, string>> = {
  ...{ usa: 'US', can: 'CA', mex: 'MX', pri: 'PR', gbr: 'GB', irl: 'IE', deu: 'DE', aut: 'AT', che: 'CH', fra: 'FR' },
  ...{ bel: 'BE', nld: 'NL', lux: 'LU', esp: 'ES', prt: 'PT', ita: 'IT', dnk: 'DK', swe: 'SE', nor: 'NO', fin: 'FI' },
  ...{ isl: 'IS', pol: 'PL', cze: 'CZ', hun: 'HU', grc: 'GR', aus: 'AU', nzl: 'NZ', jpn: 'JP', sgp: 'SG', hkg: 'HK' },
  ...{ isr: 'IL', are: 'AE', ind: 'IN', zaf: 'ZA', bra: 'BR', arg: 'AR', chl: 'CL', kor: 'KR' },
}
const said: Readonly<Record<string, string>> = {
  ...threeLetters,
  ...{ uk: 'GB', england: 'GB', scotland: 'GB', wales: 'GB', northernireland: 'GB', greatbritain: 'GB' },
  ...{ unitedstatesofamerica: 'US', theunitedstates: 'US', thenetherlands: 'NL' },
}

let byName: Map<string, string> | undefined

const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}]/gu, '').toLowerCase()

function countriesByName(): Map<string, string> {
  if (byName) return byName
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  byName = new Map(
    codes.flatMap((code) => {
      const name = names.of(code)
      return name === undefined || code === 'UK' ? [] : [[lettersOf(name), code] as const]
    }),
  )
  return byName
}

/** The two letters of a country that is written in another way, such as USA or Germany; anything else as it is. */
function countryOf(text: string): string {
  const letters = lettersOf(text)
  return said[letters] ?? (letters.length > 2 ? countriesByName().get(letters) : undefined) ?? text
}

// How many digits postcodes have that are digits alone. Elsewhere a number may have lost zeros, and nobody can tell.
const digitsIn: Readonly<Record<number, readonly string[]>> = {
  4: ['AT', 'AU', 'BE', 'CH', 'DK', 'HU', 'LU', 'NO', 'NZ', 'ZA'],
  5: ['US', 'PR', 'DE', 'ES', 'FI', 'FR', 'HR', 'IT', 'KR', 'MX', 'TR'],
  6: ['CN', 'IN', 'RO', 'SG'],
}

/** The text of a postcode that came as a number; undefined where it may have lost zeros, as 2134 of 02134 has. */
function postcodeOf(value: number, country: string): string | undefined {
  const text = String(value)
  return digitsIn[text.length]?.includes(country) && /^[1-9]\d*$/.test(text) ? text : undefined
}

/** The values of an address in the form of its schema: a country by its two letters, a whole postcode as text. */
export function addressValues(fields: Fields): Fields {
  const { country, zip } = fields
  const code = typeof country === 'string' ? countryOf(country) : country
  const isNumber = typeof zip === 'number'
  if (code === country && !isNumber) return fields
  const where = typeof code === 'string' && code !== '' ? code.toUpperCase() : 'US'
  const text = isNumber ? postcodeOf(zip, where) : undefined
  return { ...fields, ...(code !== country && { country: code }), ...(text !== undefined && { zip: text }) }
}
