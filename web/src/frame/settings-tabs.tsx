import { usePermissions } from '../app/permissions.ts'
import { LinkTabs } from '../components/link-tabs.tsx'

export function SettingsTabs() {
  const { write } = usePermissions()
  if (!write) return null
  return (
    <LinkTabs
      tabs={[
        { path: 'settings', label: 'Business' },
        { path: 'settings/team', label: 'Team' },
        { path: 'settings/audit', label: 'Audit' },
      ]}
    />
  )
}
