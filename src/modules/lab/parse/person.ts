import type { Patient } from './parsed.ts'

/** The note of a file that a person must check before it counts for one customer. */
export const SEVERAL_PEOPLE = 'The file names more than one person'

/** Whether two descriptions cannot be of one person. A field that only one of them has is ignored. */
function areDifferentPeople(a: Patient, b: Patient): boolean {
  const [one, other] = [wordsOf(a.name), wordsOf(b.name)]
  const named = one.size > 0 && other.size > 0
  const isSameName = named && (isWithin(one, other) || isWithin(other, one))
  if (named && !isSameName) return true
  if (differ(a.dateOfBirth, b.dateOfBirth) || differ(a.sex, b.sex)) return true
  // One person may have two numbers, but then name and birth agree.
  const isSamePerson = isSameName && a.dateOfBirth !== undefined && a.dateOfBirth === b.dateOfBirth
  return differ(a.id, b.id) && !isSamePerson
}

/** Whether a document names more than one person. */
export function areSeveralPeople(people: readonly Patient[]): boolean {
  const known = [...new Map(people.map((one) => [JSON.stringify(one), one])).values()]
  // So many different descriptions are of many people; to compare all of them would take long.
  if (known.length > 200) return true
  return known.some((one, index) => known.slice(index + 1).some((other) => areDifferentPeople(one, other)))
}

/** Whether two names have no word in common. A name that is not given differs from none. */
export function areOtherNames(a: string | undefined, b: string | undefined): boolean {
  const [one, other] = [wordsOf(a), wordsOf(b)]
  return one.size > 0 && other.size > 0 && ![...one].some((word) => other.has(word))
}

const differ = (a: string | undefined, b: string | undefined) =>
  a !== undefined && b !== undefined && a.toLowerCase() !== b.toLowerCase()

const isWithin = (a: ReadonlySet<string>, b: ReadonlySet<string>) => [...a].every((word) => b.has(word))

const titles = new Set(['mr', 'mrs', 'ms', 'miss', 'dr', 'prof', 'herr', 'frau', 'jr', 'sr', 'ii', 'iii'])

/** "DOE, JAMIE Q" and "Ms Jamie Doe" have the same words except titles and initials. */
function wordsOf(name = ''): Set<string> {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  const telling = words.filter((word) => word.length > 1 && !titles.has(word))
  return new Set(telling.length > 0 ? telling : words)
}
