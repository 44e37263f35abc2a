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

/** What somebody of the operator may see; the service checks it again. */
export function useOperatorRoles() {
  const { memberships } = useSession()
  const roles = memberships.filter(isOperator).map(({ role }) => role)
  const isAdmin = roles.includes('operator-admin')
  return {
    isAdmin,
    isPacker: isAdmin || roles.includes('fulfilment'),
    isLaboratory: isAdmin || roles.includes('lab'),
    /** Reviewers see people and reports, and no kits. */
    readsKits: roles.some((role) => role !== 'reviewer'),
    isReviewer: isAdmin || roles.includes('lab') || roles.includes('reviewer'),
  }
}
