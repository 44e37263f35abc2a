import { usePermissions } from '../app/permissions.ts'
import { LinkTabs } from '../components/link-tabs.tsx'
import { t } from '../language/t.ts'

/** Only people who may publish see critical results and those that were not assessed. */
export function ReportTabs() {
  const { write } = usePermissions()
  if (!write) return null
  return (
    <LinkTabs
      tabs={[
        { path: 'reports', label: t('Reports') },
        { path: 'reports/critical', label: t('Critical') },
        { path: 'reports/unassessed', label: t('Not assessed') },
      ]}
    />
  )
}
