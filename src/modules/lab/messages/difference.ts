import type { Patient } from '../parse/parsed.ts'
import { areSeveralPeople } from '../parse/person.ts'

export const differences = ['name', 'dateOfBirth', 'sex'] as const
export type Difference = (typeof differences)[number]

type Identity = Pick<Patient, 'name' | 'dateOfBirth' | 'sex'>

interface Registered {
  registration: { firstName?: string; lastName?: string; dateOfBirth?: string; sex?: 'M' | 'F' } | null
}

/** Who registered a kit; undefined where nobody did. */
export function personOf({ registration }: Registered): Identity | undefined {
  if (!registration) return undefined
  const { firstName, lastName, dateOfBirth, sex } = registration
  const name = [firstName, lastName].filter(Boolean).join(' ')
  return { ...(name && { name }), ...(dateOfBirth && { dateOfBirth }), ...(sex && { sex }) }
}

/** In what two descriptions cannot be of one person. What only one of them says is no difference. */
export function differencesOf(one: Identity | undefined, other: Identity | undefined): Difference[] {
  if (!one || !other) return []
  const isOther = (part: Difference) => areSeveralPeople([one, other].map(({ [part]: said }) => ({ [part]: said })))
  return differences.filter((part) => one[part] !== undefined && other[part] !== undefined && isOther(part))
}

const words: Record<Difference, string> = { name: 'the name', dateOfBirth: 'the date of birth', sex: 'the sex' }

export const differenceWords = (found: readonly Difference[]): string =>
  `${new Intl.ListFormat('en').format(found.map((one) => words[one]))} ${found.length === 1 ? 'differs' : 'differ'}`
