import { Loader } from '@mantine/core'
import { type ReactNode, Suspense } from 'react'
import { requiredOnDemand } from '../../app/on-demand.ts'
import { useRealm } from '../../app/realm.tsx'
import { isOperator, useSession } from '../../app/session.tsx'

const SupportAccessGate = requiredOnDemand(async () => (await import('./support-access.tsx')).SupportAccessGate)

/** The pages of a business. People of the operator see them only with a support access, and load the code of it. */
export function SupportGate({ children }: { children: ReactNode }) {
  const { memberships } = useSession()
  const { businessID } = useRealm()
  const isMember = memberships.some(({ business }) => business?.id === businessID)
  const isAdmin = memberships.some((membership) => isOperator(membership) && membership.role === 'operator-admin')
  if (!isAdmin) return children
  return (
    <Suspense fallback={<Loader size="sm" />}>
      <SupportAccessGate isMember={isMember}>{children}</SupportAccessGate>
    </Suspense>
  )
}
