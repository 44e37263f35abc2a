import type { Difference, Identity } from '@kitlane/lab-reader/parse/person'

interface Registered {
  registration: {
    firstName?: string
    lastName?: string
    correctedName?: string
    dateOfBirth?: string
    sex?: 'M' | 'F'
  } | null
}

/**
 * Who registered a kit; undefined where nobody did. After a correction of the name a laboratory may still have the one that was
 * given, which was the person's, too. A date of birth that was wrong was not: where it is said again, a person looks.
 */
export function personOf({ registration }: Registered): Identity | undefined {
  if (!registration) return undefined
  const { firstName, lastName, correctedName, dateOfBirth, sex } = registration
  const given = [firstName, lastName].filter(Boolean).join(' ')
  const name = correctedName ?? given
  const otherNames = correctedName && given ? { otherNames: [given] } : {}
  return { ...(name && { name }), ...otherNames, ...(dateOfBirth && { dateOfBirth }), ...(sex && { sex }) }
}

const words: Record<Difference, string> = { name: 'the name', dateOfBirth: 'the date of birth', sex: 'the sex' }

export const differenceWords = (found: readonly Difference[]): string =>
  `${new Intl.ListFormat('en').format(found.map((one) => words[one]))} ${found.length === 1 ? 'differs' : 'differ'}`
