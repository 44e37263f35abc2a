import { usePermissions } from '../app/permissions.ts'
import { LinkTabs } from '../components/link-tabs.tsx'

export function SettingsTabs() {
  const { write } = usePermissions()
  if (!write) return null
  return (
    <LinkTabs
      tabs={[
        { path: 'settings', label: 'Business' },
        { path: 'settings/consent', label: 'Consent' },
        { path: 'settings/reminders', label: 'Reminders' },
        { path: 'settings/on-call', label: 'On call' },
        { path: 'settings/team', label: 'Team' },
        { path: 'settings/support', label: 'Support access' },
        { path: 'settings/sso', label: 'Single sign-on' },
        { path: 'settings/audit', label: 'Audit' },
      ]}
    />
  )
}
