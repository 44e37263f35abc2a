import { randomInt } from 'node:crypto'
import { randomBytes } from './random-bytes.ts'

/** Crockford's base32: no I, L, O or U, which people misread. https://www.crockford.com/base32.html */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const symbolValue = new Map([...alphabet].map((character, value) => [character, value]))

type Prefix = 'O' | 'K' | 'R'
/** The prefix is part of the checksum, so an order ID is never a valid kit ID. O is not in the alphabet and counts as 0. */
const prefixValue: Record<Prefix, number> = { O: 0, K: 19, R: 24 }
const randomLength = 8

// One check symbol of a Reed-Solomon code over GF(32), x^5+x^2+1: symbol i from the right weighs 2^i. The ten weights
// differ and none is 0, so every substitution, transposition and twin error (aa for bb) of two symbols is found.
const weighted: number[][] = []
for (let position = 0, weight = 1; position <= randomLength + 1; position++, weight = times(weight, 2)) {
  weighted.push(Array.from(alphabet, (_, value) => times(weight, value)))
}

function times(left: number, right: number): number {
  let product = 0
  for (let a = left, b = right; b > 0; b >>= 1, a = a & 16 ? ((a << 1) ^ 0b100101) & 31 : a << 1) {
    if (b & 1) product ^= a
  }
  return product
}

function weigh(position: number, value: number): number {
  return weighted[position]?.[value] ?? 0
}

/** The check symbol (weight 1) that makes the sum of prefix and body 0. */
function checkCharacter(prefix: Prefix, body: string): string {
  let sum = weigh(body.length + 1, prefixValue[prefix])
  for (let i = 0; i < body.length; i++) sum ^= weigh(body.length - i, symbolValue.get(body.charAt(i)) ?? 0)
  return alphabet.charAt(sum)
}

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

/** Normalises what a person typed: upper case, and after the prefix O becomes 0, I and L become 1. Accepts any text. */
export function normalizeId(text: string): string {
  const upper = text.trim().toUpperCase()
  return upper.charAt(0) + upper.slice(1).replaceAll('O', '0').replaceAll(/[IL]/g, '1')
}

/** Whether form and check symbol are valid. Only the database knows whether the ID exists. */
export function isId(prefix: Prefix, text: string): boolean {
  const id = normalizeId(text)
  if (id.length !== randomLength + 2 || id.charAt(0) !== prefix) return false
  const body = id.slice(1, -1)
  for (const character of id.slice(1)) if (!symbolValue.has(character)) return false
  return checkCharacter(prefix, body) === id.charAt(id.length - 1)
}

export const isKitId = (text: string): boolean => isId('K', text)

/**
 * Whether a text has the form of an ID as Kitlane writes it: of an order, kit or report with its check symbol, or with a prefix
 * and 22 characters. The number of a customer is not told from a number of the caller's own.
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
