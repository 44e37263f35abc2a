import { randomInt } from 'node:crypto'
import { alphabet, checkCharacter, isId, normalizeId, type Prefix, randomLength } from '@kitlane/display/short-id'
import { randomBytes } from './random-bytes.ts'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function newIds(prefix: Prefix, count: number): string[] {
  const ids = new Set<string>()
  while (ids.size < count) {
    const missing = count - ids.size
    const bytes = randomBytes(missing * randomLength)
    for (let i = 0; i < missing; i++) {
      let body = ''
      for (const byte of bytes.subarray(i * randomLength, (i + 1) * randomLength)) body += alphabet.charAt(byte & 31)
      ids.add(prefix + body + checkCharacter(prefix, body))
    }
  }
  return [...ids]
}

/**
 * Distinct IDs of 40 random bits. A million IDs contain a repeat with a probability of about 1 in 3, so the unique index
 * decides, and the writer retries with new IDs on a conflict.
 */
export const newKitIds = (count: number): string[] => newIds('K', count)
export const newOrderIds = (count: number): string[] => newIds('O', count)

export const newKitId = (): string => newIds('K', 1).join('')
export const newOrderId = (): string => newIds('O', 1).join('')
export const newReportId = (): string => newIds('R', 1).join('')

/** The unique indexes in which two random IDs may collide: a retry draws others. */
export const idConstraints: ReadonlySet<string> = new Set(['kits_id', 'orders_pkey', 'customers_pkey', 'reports_pkey'])

/**
 * Whether a text has the form of an ID as Kitlane writes it: of an order, kit or report with its check symbol, or with a prefix
 * and 22 characters. The number of a customer cannot be distinguished from a number of the caller's own.
 */
export const isOwnId = (text: string): boolean =>
  /^[a-z]{2,5}_[0-9A-Za-z]{22}$/.test(text) ||
  (normalizeId(text) === text && (isId('K', text) || isId('O', text) || isId('R', text)))

/** Unbiased: bytes from 248 up are drawn again, since 248 is the largest multiple of 62 in a byte. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(Math.ceil((length - text.length) * 1.1) + 4)) {
      if (byte < 248 && text.length < length) text += base62.charAt(byte % 62)
    }
  }
  return text
}

/** The number in exactly `length` base62 characters, most significant first. */
export function toBase62(value: number, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = base62.charAt(rest % 62) + text
  return text
}

/** From 0 to 1, excluding 1; for jitter. */
export const randomFraction = (): number => randomInt(2 ** 47) / 2 ** 47

/** `we_…`, `evt_…`: 22 base62 characters are 131 bits, which never repeat. */
export const newOpaqueId = (prefix: string): string => `${prefix}_${randomBase62(22)}`

/**
 * The same for what is written in great numbers: nine characters of the time come first, so that an index on them grows at
 * its end. The other 13 are 77 random bits.
 */
export const newDatedId = (prefix: string, at: Date): string =>
  `${prefix}_${at.getTime().toString(36).padStart(9, '0')}${randomBase62(13)}`

/** 256 random bits in base64url, for links and cookies. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/**
 * Twelve digits: a safe JSON number that does not reveal how many customers there are. Of a million customers in one
 * realm two collide with a probability of about 2 in 5, so the unique index decides, and the writer retries.
 */
export const newCustomerId = (): number => randomInt(100_000_000_000, 1_000_000_000_000)

/** Four groups of five lower-case Crockford characters: 100 bits that are easy to type from paper. */
export function newPassword(): string {
  const characters = Array.from(randomBytes(20), (byte) => alphabet.charAt(byte & 31).toLowerCase()).join('')
  return (characters.match(/.{5}/g) ?? []).join('-')
}
