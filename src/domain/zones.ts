import type { Place } from '@kitlane/display/postal-address'

const [EAST, CENTRAL, MOUNTAIN, PACIFIC] = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
] as const

/** The time zones of the United States by postal code: 49 CFR Part 71. A state that is divided has both, that of most people first. */
const zonesOfStates: Readonly<Record<string, readonly string[]>> = {
  AL: [CENTRAL],
  AK: ['America/Anchorage', 'America/Adak'],
  AS: ['Pacific/Pago_Pago'],
  AZ: ['America/Phoenix', MOUNTAIN],
  AR: [CENTRAL],
  CA: [PACIFIC],
  CO: [MOUNTAIN],
  CT: [EAST],
  DC: [EAST],
  DE: [EAST],
  FL: [EAST, CENTRAL],
  GA: [EAST],
  GU: ['Pacific/Guam'],
  HI: ['Pacific/Honolulu'],
  IA: [CENTRAL],
  ID: [MOUNTAIN, PACIFIC],
  IL: [CENTRAL],
  IN: [EAST, CENTRAL],
  KS: [CENTRAL, MOUNTAIN],
  KY: [EAST, CENTRAL],
  LA: [CENTRAL],
  MA: [EAST],
  MD: [EAST],
  ME: [EAST],
  MI: [EAST, CENTRAL],
  MN: [CENTRAL],
  MO: [CENTRAL],
  MP: ['Pacific/Guam'],
  MS: [CENTRAL],
  MT: [MOUNTAIN],
  NC: [EAST],
  ND: [CENTRAL, MOUNTAIN],
  NE: [CENTRAL, MOUNTAIN],
  NH: [EAST],
  NJ: [EAST],
  NM: [MOUNTAIN],
  NV: [PACIFIC, MOUNTAIN],
  NY: [EAST],
  OH: [EAST],
  OK: [CENTRAL],
  OR: [PACIFIC, MOUNTAIN],
  PA: [EAST],
  PR: ['America/Puerto_Rico'],
  RI: [EAST],
  SC: [EAST],
  SD: [CENTRAL, MOUNTAIN],
  TN: [CENTRAL, EAST],
  TX: [CENTRAL, MOUNTAIN],
  UT: [MOUNTAIN],
  VA: [EAST],
  VI: ['America/Puerto_Rico'],
  VT: [EAST],
  WA: [PACIFIC],
  WI: [CENTRAL],
  WV: [EAST],
  WY: [MOUNTAIN],
}

/** Of countries whose parts have their own clocks, by the first digits of postcodes; the rest of a country last. */
const zonesOfPostcodes: Readonly<Record<string, readonly (readonly [prefix: RegExp, zone: string])[]>> = {
  ES: [
    [/^3[58]/, 'Atlantic/Canary'],
    [/^5[12]/, 'Africa/Ceuta'],
    [/^\d/, 'Europe/Madrid'],
  ],
  FR: [
    [/^971/, 'America/Guadeloupe'],
    [/^972/, 'America/Martinique'],
    [/^973/, 'America/Cayenne'],
    [/^974/, 'Indian/Reunion'],
    [/^975/, 'America/Miquelon'],
    [/^976/, 'Indian/Mayotte'],
    [/^97[78]/, 'America/Guadeloupe'],
    [/^986/, 'Pacific/Wallis'],
    [/^987/, 'Pacific/Tahiti'],
    [/^988/, 'Pacific/Noumea'],
    [/^\d/, 'Europe/Paris'],
  ],
  PT: [
    [/^9[0-4]/, 'Atlantic/Madeira'],
    [/^9/, 'Atlantic/Azores'],
    [/^\d/, 'Europe/Lisbon'],
  ],
}

/** The time zones of the part of a country in which an address is, that of most people first; undefined where the address does not tell. */
export function zonesOfPart({ country, state, zip }: Place): readonly string[] | undefined {
  if (country === 'US') return zonesOfStates[state.trim().toUpperCase()]
  const zone = zonesOfPostcodes[country]?.find(([prefix]) => prefix.test(zip))?.[1]
  return zone === undefined ? undefined : [zone]
}

/** The time zones in which somebody may live; none: nobody knows. */
export const zonesAt = (address: Place): readonly string[] => zonesOfPart(address) ?? zonesOfCountry(address.country)

// TypeScript does not know it yet.
type ZonedLocale = Intl.Locale & { getTimeZones(): string[] | undefined }

export function zonesOfCountry(country: string): readonly string[] {
  try {
    return (new Intl.Locale(`und-${country}`) as ZonedLocale).getTimeZones() ?? []
  } catch {
    return []
  }
}
