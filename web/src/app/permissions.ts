import { useMaybeRealm } from './realm.tsx'
import { isOperator, useSession } from './session.tsx'

/** What this person may do in this business; the service checks it again. */
export function usePermissions(): { write: boolean } {
  const { memberships } = useSession()
  const realm = useMaybeRealm()
  const own = memberships.find(({ business }) => business !== undefined && business.id === realm?.businessID)
  // People of the operator see a page of a business only with a support access, which allows everything.
  const isAdmin = memberships.some((membership) => isOperator(membership) && membership.role === 'operator-admin')
  const write = own ? own.role === 'business-admin' : isAdmin
  return { write }
}
