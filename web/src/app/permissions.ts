import { useMaybeRealm } from './realm.tsx'
import { isOperator, useSession } from './session.tsx'

/** What this person may do in this business; the service checks it again. */
export function usePermissions(): { write: boolean } {
  const { memberships } = useSession()
  const realm = useMaybeRealm()
  const write = memberships.some(
    (membership) =>
      (isOperator(membership) && membership.role === 'operator-admin') ||
      (membership.business?.id === realm?.businessID && membership.role === 'business-admin'),
  )
  return { write }
}
