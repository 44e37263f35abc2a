import { mayMean } from './date.ts'
import { areSpelledAlike, hasWordsOf, haveOtherInitials, wordsOf } from './names.ts'
import type { Patient } from './parsed.ts'

/** The note of a file that a person must check before it counts for one customer. */
export const SEVERAL_PEOPLE = 'The file names more than one person'

/** Whether two descriptions cannot be of one person. A field that only one of them has is ignored. */
function areDifferentPeople(a: Patient, b: Patient): boolean {
  if (differencesOf(a, b).length > 0) return true
  if (a.name !== undefined && b.name !== undefined && haveOtherInitials(a.name, b.name)) return true
  if (!differ(a.id, b.id)) return false
  if (a.authority !== undefined && a.authority === b.authority) return true
  // One person may have numbers of two authorities, but then name and birth agree.
  const isSamePerson = a.name !== undefined && b.name !== undefined && a.dateOfBirth !== undefined
  return !(isSamePerson && a.dateOfBirth === b.dateOfBirth)
}

export const differences = ['name', 'dateOfBirth', 'sex'] as const
export type Difference = (typeof differences)[number]

/** What tells people apart. */
export type Identity = Pick<Patient, 'name' | 'otherNames' | 'dateOfBirth' | 'unreadBirth' | 'sex'>

/** What others see of a person: the sender's number and what is not certain only tell people apart. */
export const identityOf = ({ name, dateOfBirth, sex }: Patient) => ({ name, dateOfBirth, sex })

/** In what two descriptions cannot be of one person. What only one of them says is no difference. */
export function differencesOf(one: Identity | undefined, other: Identity | undefined): Difference[] {
  if (!one || !other) return []
  const found = {
    name: haveOtherNames(one, other),
    dateOfBirth: areBornApart(one, other),
    sex: differ(one.sex, other.sex),
  }
  return differences.filter((part) => found[part])
}

/** In what somebody who says who they are cannot be a known person. An initial in place of a name shows no name. */
export function differencesOfRegistered(given: Identity, known: Identity): Difference[] {
  const isInitial = wordsOf(given.name).length < Math.min(2, wordsOf(known.name).length)
  const found = new Set(differencesOf(given, known))
  return differences.filter((part) => found.has(part) || (part === 'name' && isInitial))
}

export interface NameParts {
  firstName?: string | null
  lastName?: string | null
}

/**
 * Whether given and family name of somebody who says who they are each fit those of a known person, or the two stand the other way
 * round. Either may have more words; one who gives fewer given names gives the first of them.
 */
export function fitByParts(given: NameParts, known: NameParts): boolean {
  const [first, knownFirst] = [wordsOf(given.firstName ?? ''), wordsOf(known.firstName ?? '')]
  const [last, knownLast] = [wordsOf(given.lastName ?? ''), wordsOf(known.lastName ?? '')]
  const isFirst = hasWordsOf(first, knownFirst) || hasWordsOf(knownFirst.slice(0, first.length), first)
  if (isFirst && isPartOf(last, knownLast)) return true
  return areSpelledAlike(`${given.lastName} ${given.firstName}`, `${known.firstName} ${known.lastName}`)
}

const isPartOf = (one: string[][], other: string[][]) => hasWordsOf(one, other) || hasWordsOf(other, one)

/** No name of the one is any of the other. Names in two scripts are not alike either: a person must compare them. */
function haveOtherNames(one: Identity, other: Identity): boolean {
  const [ours, theirs] = [one, other].map(({ name, otherNames = [] }) =>
    [name, ...otherNames].map((each) => ({ words: wordsOf(each), isRelative: namesRelative(each) })),
  )
  if (ours?.[0]?.words.length === 0 || theirs?.[0]?.words.length === 0) return false
  return !ours?.some((a) => theirs?.some((b) => a.isRelative === b.isRelative && isPartOf(a.words, b.words)))
}

/** "QUAY, BABY OF NORA" is not Nora Quay. */
const namesRelative = (name = ''): boolean =>
  /\b(?:baby|newborn|neonate|infant|f(?:o)?etus|twin)\b|\bb\/o\b|\b(?:mother|father|donor) (?:of|for)\b/i.test(name)

/** A year or a month that the day may lie in is no other birth. */
function areBornApart(a: Identity, b: Identity): boolean {
  if (a.dateOfBirth !== undefined && b.dateOfBirth !== undefined) return a.dateOfBirth !== b.dateOfBirth
  const [unread, day] = a.dateOfBirth === undefined ? [a.unreadBirth, b.dateOfBirth] : [b.unreadBirth, a.dateOfBirth]
  return unread !== undefined && day !== undefined && !mayMean(unread, day)
}

/** Whether a document names more than one person. */
export function areSeveralPeople(people: readonly Patient[]): boolean {
  const known = [...new Map(people.map((one) => [JSON.stringify(one), one])).values()]
  // So many different descriptions are of many people; to compare all of them would take long.
  if (known.length > 200) return true
  return known.some((one, index) => known.slice(index + 1).some((other) => areDifferentPeople(one, other)))
}

const differ = (a: string | undefined, b: string | undefined) =>
  a !== undefined && b !== undefined && a.toLowerCase() !== b.toLowerCase()
