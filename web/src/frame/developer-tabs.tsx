import { usePermissions } from '../app/permissions.ts'
import { useRealm } from '../app/realm.tsx'
import { LinkTabs } from '../components/link-tabs.tsx'

export function DeveloperTabs() {
  const { mode } = useRealm()
  const { write } = usePermissions()
  return (
    <LinkTabs
      tabs={[
        ...(write ? [{ path: 'developers/tokens', label: 'Tokens' }] : []),
        { path: 'developers/requests', label: 'Requests' },
        { path: 'developers/webhooks', label: 'Webhooks' },
        { path: 'developers/events', label: 'Events' },
        ...(mode === 'sandbox' && write ? [{ path: 'developers/sandbox', label: 'Sandbox' }] : []),
      ]}
    />
  )
}
