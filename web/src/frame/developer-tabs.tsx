import { usePermissions } from '../app/permissions.ts'
import { useRealm } from '../app/realm.tsx'
import { LinkTabs } from '../components/link-tabs.tsx'
import { t } from '../language/t.ts'

export function DeveloperTabs() {
  const { mode } = useRealm()
  const { write } = usePermissions()
  return (
    <LinkTabs
      tabs={[
        ...(write ? [{ path: 'developers/tokens', label: t('Tokens') }] : []),
        { path: 'developers/requests', label: t('Requests') },
        { path: 'developers/webhooks', label: t('Webhooks') },
        { path: 'developers/shops', label: t('Shops') },
        { path: 'developers/events', label: t('Events') },
        ...(mode === 'sandbox' && write ? [{ path: 'developers/sandbox', label: t('Sandbox') }] : []),
      ]}
    />
  )
}
