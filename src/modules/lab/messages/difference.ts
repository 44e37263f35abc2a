import type { Difference, Identity } from '@kitlane/lab-reader/parse/person'

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

const words: Record<Difference, string> = { name: 'the name', dateOfBirth: 'the date of birth', sex: 'the sex' }

export const differenceWords = (found: readonly Difference[]): string =>
  `${new Intl.ListFormat('en').format(found.map((one) => words[one]))} ${found.length === 1 ? 'differs' : 'differ'}`
