import { usePermissions } from '../app/permissions.ts'
import { useRealmPath } from '../app/realm.tsx'
import { Redirect } from './redirect.tsx'

/** Only administrators see tokens; everyone else starts with the webhooks. */
export function DevelopersPage() {
  const path = useRealmPath()
  const { write } = usePermissions()
  return <Redirect to={path('developers', write ? 'tokens' : 'webhooks')} />
}
