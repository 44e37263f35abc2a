// How carriers, and the services that they are known by, stand in exports of shipping software.
const names: readonly (readonly [pattern: RegExp, carrier: string])[] = [
  [/\busps\b|priority mail|ground advantage|first[- ]class (?:mail|package)/i, 'USPS'],
  [/\bups\b/i, 'UPS'],
  [/\bfed ?ex\b/i, 'FedEx'],
  [/\broyal mail\b/i, 'Royal Mail'],
  [/\bparcelforce\b/i, 'Parcelforce'],
  [/\bcanada post\b/i, 'Canada Post'],
  [/\bdhl\b/i, 'DHL'],
  [/\bdpd\b/i, 'DPD'],
  [/\bgls\b/i, 'GLS'],
  [/\bevri\b/i, 'Evri'],
]

// The Universal Postal Union's S10: two letters, nine digits and the country of the post.
const numbers: readonly (readonly [pattern: RegExp, carrier: string])[] = [
  [/^1Z[0-9A-Z]{16}$/, 'UPS'],
  [/^(?:420\d{5}(?:\d{4})?)?9[2-5]\d{20}$|^[A-Z]{2}\d{9}US$/, 'USPS'],
  [/^[A-Z]{2}\d{9}GB$/, 'Royal Mail'],
  [/^[A-Z]{2}\d{9}CA$/, 'Canada Post'],
]

const firstOf = (list: typeof names, text: string) => list.find(([pattern]) => pattern.test(text))?.[1]

/** Whose a service is, such as "Royal Mail Tracked 24"; undefined where no carrier is named. */
export const carrierOfService = (service: string): string | undefined => firstOf(names, service)

/** Whose a tracking number is by its form; undefined where several carriers have such numbers. */
export const carrierOfNumber = (number: string): string | undefined =>
  firstOf(numbers, number.toUpperCase().replace(/[^0-9A-Z]/g, ''))
