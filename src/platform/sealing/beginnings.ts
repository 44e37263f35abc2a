import type { Keyring } from './keyring.ts'
import { plain } from './plain.ts'

// Each length costs a row and 40 bytes. Of a million people, a few hundred share five letters.
const LENGTHS = [3, 5, 8]
// A sign of Chinese, Japanese or Korean says as much as a syllable.
const LENGTHS_OF_SIGNS = [1, 2, 3, 5, 8]
const lengthsFor = (text: string) =>
  /^[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff]/.test(text) ? LENGTHS_OF_SIGNS : LENGTHS

// A shorter name is found whole.
const SHORTEST = 3

/** What hashes the texts of one realm. */
export type Hashing = Pick<Keyring, 'hash'>

/** Hashes each text once, for many rows at once: people share their first letters. */
export function hashingOnce(keys: Hashing): Hashing {
  const known = new Map<string, Buffer>()
  return {
    hash(kind, text) {
      const name = `${kind}\0${text}`
      const hash = known.get(name) ?? keys.hash(kind, text)
      known.set(name, hash)
      return hash
    },
  }
}

const term = (keys: Hashing, kind: string, text: string) => String(keys.hash(kind, text).readBigInt64BE())

/** The terms that a sealed text is found by: hashes of some of its beginnings. Each is a `bigint` in text. */
export function beginningsOf(keys: Hashing, kind: string, text: string): string[] {
  const whole = plain(text)
  const parts = lengthsFor(whole)
    .filter((length) => length <= whole.length)
    .map((length) => whole.slice(0, length))
  if (whole !== '' && whole.length < SHORTEST) parts.push(whole)
  return [...new Set(parts)].map((part) => term(keys, kind, part))
}

/**
 * The term that finds all texts which begin with this one, and perhaps more: the caller compares with `begins`.
 * A text of one or two letters finds names that are no longer.
 */
export function beginningOf(keys: Hashing, kind: string, text: string): string {
  const looked = plain(text)
  const length = lengthsFor(looked).findLast((length) => length <= looked.length)
  return term(keys, kind, looked.slice(0, length))
}

const APOSTROPHES = /['‘’‛ʹʻʼ′`´＇]/g
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}]+/u

/** The words of a text as they are searched, without apostrophes: `O’Neill-Sørensen` has `oneill` and `sorensen`. */
const joinedWords = (text: string): string[] =>
  plain(text)
    .replace(APOSTROPHES, '')
    .replaceAll('þ', 'th')
    .split(BETWEEN_WORDS)
    .filter((word) => word !== '')

/** One letter is no word, one sign is. */
const isTelling = (word: string): boolean => word.length > 1 || lengthsFor(word).includes(word.length)

/** What any word of a name is found by: also the part after an apostrophe. One letter is none. */
export const nameWordsOf = (name: string): string[] => [
  ...new Set([...joinedWords(name), ...joinedWords(name.replace(APOSTROPHES, ' '))].filter(isTelling)),
]

/** The terms to look for of what somebody typed: how it begins as a whole, and its longest word. */
export function termsOfTyped(keys: Hashing, kind: string, typed: string): string[] {
  const longest = joinedWords(typed).reduce((a, b) => (b.length > a.length ? b : a), '')
  const looked = isTelling(longest) && !typed.includes('@') ? [typed, longest] : [typed]
  return [...new Set(looked.map((text) => beginningOf(keys, kind, text)))]
}

/** Whether somebody is meant by what was typed: a text begins so, or each typed word begins a word of the name. */
export function isMeant({ texts, name }: { texts: readonly string[]; name: string | null }, typed: string): boolean {
  if (texts.some((text) => begins(text, typed))) return true
  // What has an @ is the beginning of an e-mail address, and no word of a name.
  if (typed.includes('@')) return false
  const [known, looked] = [nameWordsOf(name ?? ''), joinedWords(typed)]
  const isShort = looked.every((word) => word.length < (lengthsFor(word)[0] ?? SHORTEST))
  const isBegun = (word: string) => known.some((one) => one === word || (!isShort && one.startsWith(word)))
  return looked.length > 0 && looked.every(isBegun)
}

/** Whether the term of a text finds nothing but what begins with it, so that nothing is to be compared. */
export function isWholeBeginning(text: string): boolean {
  const looked = plain(text)
  return lengthsFor(looked).includes(looked.length) && joinedWords(text).join() === looked
}

/** Whether a text begins with what somebody typed. */
export const begins = (text: string | null, typed: string): boolean =>
  text !== null && plain(text).startsWith(plain(typed))
