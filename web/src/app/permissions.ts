import type { Membership } from '../api/shapes.ts'
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

/** Reviewers see people and reports, providers the orders that they approve: neither sees kits, nor searches. */
export const readsKits = (role: Membership['role']): boolean => role !== 'reviewer' && role !== 'provider'

/** What somebody of the operator may see; the service checks it again. */
export function useOperatorRoles() {
  const { memberships } = useSession()
  const roles = memberships.filter(isOperator).map(({ role }) => role)
  const isAdmin = roles.includes('operator-admin')
  return {
    isAdmin,
    isPacker: isAdmin || roles.includes('fulfilment'),
    isLaboratory: isAdmin || roles.includes('lab'),
    readsKits: roles.some(readsKits),
    isReviewer: isAdmin || roles.includes('lab') || roles.includes('reviewer'),
  }
}
