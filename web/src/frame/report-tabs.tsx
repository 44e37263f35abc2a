import { usePermissions } from '../app/permissions.ts'
import { LinkTabs } from '../components/link-tabs.tsx'

/** Only people who may publish see critical results and those that were not assessed. */
export function ReportTabs() {
  const { write } = usePermissions()
  if (!write) return null
  return (
    <LinkTabs
      tabs={[
        { path: 'reports', label: 'Reports' },
        { path: 'reports/critical', label: 'Critical' },
        { path: 'reports/unassessed', label: 'Not assessed' },
      ]}
    />
  )
}
