import { plainLetters } from '../facts/letters.ts'

/** Letters with more than one spelling in plain Latin ones; the first keeps the form of the letter. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  ä: ['a', 'ae'],
  ö: ['o', 'oe'],
  ü: ['u', 'ue'],
  å: ['a', 'aa'],
  ø: ['o', 'oe'],
  đ: ['d', 'dj'],
  ß: ['ss'],
  æ: ['ae'],
  œ: ['oe'],
  ł: ['l'],
  ı: ['i'],
  ð: ['d'],
  þ: ['th'],
  ħ: ['h'],
  ŋ: ['n'],
}
const hasSpellings = new RegExp(`[${Object.keys(spellings).join('')}]`)
/** Two letters with two spellings each, and more than most names have. */
const MOST_SPELLINGS = 16

/** Scripts whose single letters may be initials, and whose marks laboratories leave out. Elsewhere they tell names apart. */
const alphabet = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\p{N}]/u

/** A word as laboratories may write it: MUELLER and MULLER for Müller, OBRIEN for O'Brien. */
function spellingsOf(word: string): string[] {
  if (!alphabet.test(word)) return [word]
  const written = [...word].reduce<string[]>(
    (found, letter) => {
      const ways = hasSpellings.test(letter) ? (spellings[letter] ?? []) : [plainLetters(letter)]
      return found.flatMap((start) => ways.map((way) => start + way)).slice(0, MOST_SPELLINGS)
    },
    [''],
  )
  const afterMark = (one: string) => one.split("'").filter((part) => part.length > 1)
  return [...new Set(written.flatMap((one) => [one.replaceAll("'", ''), ...afterMark(one)]))]
}

const titles = new Set(['mr', 'mrs', 'ms', 'miss', 'dr', 'prof', 'herr', 'frau', 'jr', 'sr', 'ii', 'iii'])

/** Both ways of writing the syllables of Japanese lie this far apart in Unicode. */
const TO_KATAKANA = 0x60
const katakana = (letter: string) => String.fromCharCode(letter.charCodeAt(0) + TO_KATAKANA)

/** "DOE, JAMIE Q" and "Ms Jamie Doe" have the same words except titles and initials; each in all of its spellings. */
export function wordsOf(name = ''): string[][] {
  const words = wordsIn(name)
  const telling = words.filter((word) => (word.length > 1 || !alphabet.test(word)) && !titles.has(word))
  return (telling.length > 0 ? telling : words).map(spellingsOf)
}

function wordsIn(name: string): string[] {
  const plain = name
    .replace(/[’ʼ`´]/g, "'")
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFC')
    .replace(/[\u3041-\u3096]/g, katakana)
  return plain.split(/[^\p{L}\p{M}\p{N}']+/u).filter((word) => /[\p{L}\p{N}]/u.test(word))
}

/** Whether two names have the same words in the same order, apart from how laboratories write letters: Müller and MUELLER. */
export function areSpelledAlike(name: string, other: string): boolean {
  const [ours, theirs] = [wordsIn(name), wordsIn(other)]
  return (
    ours.length > 0 &&
    ours.length === theirs.length &&
    ours.every((word, index) => {
      const spellings = spellingsOf(theirs[index] ?? '')
      return spellingsOf(word).some((one) => spellings.includes(one))
    })
  )
}

/**
 * Whether single letters or numbers tell two names apart: "Twin A" and "Twin B", "Robin A." and "Robin B.". One that begins a
 * word of the other name alone may be its initial.
 */
export function haveOtherInitials(name: string, other: string): boolean {
  const [ours, theirs] = [wordsIn(name), wordsIn(other)]
  const left = (words: string[], others: string[]) =>
    words.filter(
      (word) =>
        [...word].length === 1 &&
        alphabet.test(word) &&
        !others.some((one) => one === word || (one.startsWith(word) && !words.includes(one))),
    )
  return left(ours, theirs).length > 0 && left(theirs, ours).length > 0
}

/**
 * Whether a name has each word of another one. "Al-Salem" has "Alsalem": words that stand together may be one, and outside
 * alphabets in either order, for 田中花子 is written without a space and sent as 花子 and 田中.
 */
export function hasWordsOf(name: readonly string[][], other: readonly string[][]): boolean {
  const joined = (start: string, end: string) => (alphabet.test(start) ? [start + end] : [start + end, end + start])
  const pairs = name
    .slice(1)
    .flatMap((word, at) => (name[at] ?? []).flatMap((start) => word.flatMap((end) => joined(start, end))))
  const held = new Set([...name.flat(), ...pairs])
  return other.every((word) => word.some((one) => held.has(one)))
}

const scripts = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Latin', 'Cyrillic', 'Greek', 'Hebrew', 'Arabic'].map(
  (script) => [script, new RegExp(String.raw`\p{Script=${script}}`, 'u')] as const,
)
/** The first script of these that a name has. Names in two scripts cannot be compared. */
const scriptOf = (name: string): string | undefined =>
  scripts.find(([, letter]) => letter.test(name.normalize('NFKC')))?.[0]

/** A name with what it is used for: by law, where nothing is said. */
export interface NamedAs {
  name: string
  isByLaw: boolean
}
const MOST_NAMES = 10

/**
 * The name of a person, and others by which the same person may be known: those in another script, and those that are not by
 * law. Another one by law in the same script is in doubt, and does not count.
 */
export function namesOf(named: readonly NamedAs[]): { name?: string; otherNames?: string[] } {
  const known = named.filter(({ name }) => name !== '')
  const first = known.find(({ isByLaw }) => isByLaw) ?? known[0]
  if (!first) return {}
  const others = known.filter(
    (one) => one.name !== first.name && (!one.isByLaw || scriptOf(one.name) !== scriptOf(first.name)),
  )
  return {
    name: first.name,
    ...(others.length > 0 && { otherNames: others.slice(0, MOST_NAMES).map(({ name }) => name) }),
  }
}
