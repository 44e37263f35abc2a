import { latinDigits } from '@kitlane/display/text'

/** The code in what a scanner read: a kit's label contains the URL where the kit is registered. */
export function codeOf(scanned: string): string {
  const text = latinDigits(scanned).trim()
  const address = /\/k\/([^/?#]+)/.exec(text)
  const code = (address?.[1] ?? text).replaceAll(/\s/g, '').toUpperCase()
  // USPS prints 420 and the ZIP code of the destination in front of the number.
  return /^420\d{5}(\d{4})?(?=9\d{21}$)/.test(code) ? code.slice(-22) : code
}

// K and nine characters of Crockford's base32, where O is read as 0, I and L as 1: src/domain/ids.ts.
export const isKitId = (code: string): boolean => /^K[0-9A-TV-Z]{9}$/.test(code)

/** A kit's code in its stored form, however it was typed. */
export const kitIdOf = (code: string): string => `K${code.slice(1).replaceAll('O', '0').replaceAll(/[IL]/g, '1')}`

/** The kit that was scanned; undefined for anything else. */
export function kitIn(scanned: string): string | undefined {
  const code = codeOf(scanned)
  return isKitId(code) ? kitIdOf(code) : undefined
}

// A GS1 code says its GTIN first, after what a reader puts before it; a bare serial number may look like a tracking number.
export const isBoxCode = (scanned: string): boolean =>
  /^(\](d2|C1|Q3)|\(01\)|01\d{14}.*21|https?:\/\/\S+\/01\/\d{8,14}(\/|$))/i.test(scanned.trim())

const carriers: [RegExp, string][] = [
  [/^1Z[0-9A-Z]{16}$/, 'UPS'],
  [/^9\d{19,21}$/, 'USPS'],
  [/^[A-Z]{2}\d{9}[A-Z]{2}$/, 'USPS'],
  [/^(\d{12}|\d{15}|\d{20})$/, 'FedEx'],
  [/^(\d{10}|JD\d{16,18})$/, 'DHL'],
]

/** The carrier whose numbers look like this; undefined where none does. */
export function carrierOf(code: string): string | undefined {
  return carriers.find(([pattern]) => pattern.test(code))?.[1]
}

/** Whether a code can be a tracking number of any carrier: long enough, and no kit's. */
export const isTrackingNumber = (code: string): boolean => /^[0-9A-Z-]{8,40}$/.test(code) && !isKitId(code)
