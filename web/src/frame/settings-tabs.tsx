import { usePermissions } from '../app/permissions.ts'
import { LinkTabs } from '../components/link-tabs.tsx'
import { t } from '../language/t.ts'

export function SettingsTabs() {
  const { write } = usePermissions()
  if (!write) return null
  return (
    <LinkTabs
      tabs={[
        { path: 'settings', label: t('Business') },
        { path: 'settings/consent', label: t('Consent') },
        { path: 'settings/reminders', label: t('Reminders') },
        { path: 'settings/on-call', label: t('On call') },
        { path: 'settings/team', label: t('Team') },
        { path: 'settings/support', label: t('Support access') },
        { path: 'settings/sso', label: t('Single sign-on') },
        { path: 'settings/audit', label: t('Audit') },
      ]}
    />
  )
}
