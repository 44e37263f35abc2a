import { plainLetters } from '../facts/letters.ts'

/** Letters with more than one spelling in plain Latin ones; the first keeps the form of the letter. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  ...{ ä: ['a', 'ae'], ö: ['o', 'oe'], ü: ['u', 'ue'], å: ['a', 'aa'], ø: ['o', 'oe'], đ: ['d', 'dj'] },
  ...{ ß: ['ss'], æ: ['ae'], œ: ['oe'], ł: ['l'], ı: ['i'], ð: ['d'], þ: ['th'], ħ: ['h'], ŋ: ['n'] },
}
const hasSpellings = new RegExp(`[${Object.keys(spellings).join('')}]`)
/** Two letters with two spellings each, and more than most names have. */
const MOST_SPELLINGS = 16

/** A word as laboratories may write it: MUELLER and MULLER for Müller, OBRIEN for O'Brien. */
function spellingsOf(word: string): string[] {
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

/** "DOE, JAMIE Q" and "Ms Jamie Doe" have the same words except titles and initials; each in all of its spellings. */
export function wordsOf(name = ''): string[][] {
  const plain = name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[’ʼ`´]/g, "'")
    .normalize('NFC')
  const words = plain.split(/[^\p{L}\p{M}\p{N}']+/u).filter((word) => /[\p{L}\p{N}]/u.test(word))
  const telling = words.filter((word) => word.length > 1 && !titles.has(word))
  return (telling.length > 0 ? telling : words).map(spellingsOf)
}

/** Whether a name has each word of another one. "Al-Salem" has "Alsalem": words that stand together may be one. */
export function hasWordsOf(name: readonly string[][], other: readonly string[][]): boolean {
  const pairs = name.slice(1).flatMap((word, at) => (name[at] ?? []).flatMap((start) => word.map((end) => start + end)))
  const held = new Set([...name.flat(), ...pairs])
  return other.every((word) => word.some((one) => held.has(one)))
}
