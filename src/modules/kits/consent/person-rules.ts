import { plain } from '../../../platform/sealing/plain.ts'
import type { StandingConsent } from '../consent-queries.ts'

/** Who is registered, and under which e-mail: of a minor, the guardian's. */
export interface Registered {
  firstName: string
  email: string
}

/**
 * Whether a consent counts for the person who is registered: they gave it, or somebody who says with a `relation` that it is on
 * their behalf. Families share an e-mail, so the first name has to fit too; "Jon" fits "Jonathan", and accents do not matter.
 */
export function countsFor({ relation, email, firstName }: StandingConsent, registered: Registered): boolean {
  if (relation !== null) return true
  if (email?.toLowerCase() !== registered.email.toLowerCase()) return false
  const [given, wanted] = [lettersOf(firstName ?? ''), lettersOf(registered.firstName)]
  return given.startsWith(wanted) || wanted.startsWith(given)
}

const lettersOf = (name: string): string => plain(name).replace(/[^\p{L}]/gu, '')
