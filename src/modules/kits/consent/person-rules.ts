import { plain } from '../../../platform/sealing/plain.ts'
import type { StandingConsent } from '../consent-queries.ts'

/** Who is registered, and under which e-mail: of a minor, the guardian's. */
export interface Registered {
  firstName: string
  email: string
  /** Only a minor has one. */
  guardian?: object | undefined
}

/**
 * Whether a consent counts for the person who is registered. For a minor somebody gave it who says with a `relation` that it is on
 * their behalf. An adult gave it, or their caregiver did. Families share an e-mail, so the first name has to fit too, word by word:
 * "Maria" fits "Maria Luisa" and not "Mariana". Accents do not matter.
 */
export function countsFor(
  { relation, email, firstName }: Pick<StandingConsent, 'relation' | 'email' | 'firstName'>,
  registered: Registered,
): boolean {
  if (registered.guardian) return relation !== null
  if (relation !== null) return relation === 'caregiver'
  if (email?.toLowerCase() !== registered.email.toLowerCase()) return false
  const [given, wanted] = [wordsOf(firstName ?? ''), wordsOf(registered.firstName)]
  const common = Math.min(given.length, wanted.length)
  return common > 0 && given.slice(0, common).join(' ') === wanted.slice(0, common).join(' ')
}

const wordsOf = (name: string): string[] => plain(name).match(/\p{L}+/gu) ?? []
