import { latinDigits } from './text.ts'

/** Crockford's base32: no I, L, O or U, which people misread. https://www.crockford.com/base32.html */
export const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const symbolValue = new Map([...alphabet].map((character, value) => [character, value]))

export type Prefix = 'O' | 'K' | 'R'
/** The prefix is part of the checksum, so an order ID is never a valid kit ID. O is not in the alphabet and counts as 0. */
const prefixValue: Record<Prefix, number> = { O: 0, K: 19, R: 24 }
export const randomLength = 8

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
export function checkCharacter(prefix: Prefix, body: string): string {
  let sum = weigh(body.length + 1, prefixValue[prefix])
  for (let i = 0; i < body.length; i++) sum ^= weigh(body.length - i, symbolValue.get(body.charAt(i)) ?? 0)
  return alphabet.charAt(sum)
}

/** Normalises what a person typed: upper case, and after the prefix O becomes 0, I and L become 1. Accepts any text. */
export function normalizeId(text: string): string {
  const upper = latinDigits(text).trim().toUpperCase()
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

/** The kit that a number of an order names: its ID, or its ID with the number of a later order to a laboratory (`K…-2`). */
export function kitIdOfNumber(text: string): string | undefined {
  const id = text.replace(/-\d{1,2}$/, '')
  return isKitId(id) ? normalizeId(id) : undefined
}

/** Whether a number is the ID of a kit but for one or two characters: it was to be that ID, or is one of another kit. */
export function isNearlyKit(number: string, kitId: string): boolean {
  const said = normalizeId(number.replace(/-\d{1,2}$/, ''))
  const apart = [...said].filter((character, at) => character !== kitId.charAt(at)).length
  return said.length === kitId.length && apart > 0 && apart <= 2
}
