import { usePermissions } from '../../app/permissions.ts'
import { LinkTabs } from '../../components/link-tabs.tsx'

/** What was not judged is for whoever may publish. */
export function ReportTabs() {
  const { write } = usePermissions()
  if (!write) return null
  return (
    <LinkTabs
      tabs={[
        { path: 'reports', label: 'Reports' },
        { path: 'reports/unassessed', label: 'Not assessed' },
      ]}
    />
  )
}
