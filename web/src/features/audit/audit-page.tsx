import type { Query } from '@kitlane/client'
import { useRead } from '../../api/hooks.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { useListState } from '../../components/list-state.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Pager } from '../../components/pager.tsx'
import { ExactDate } from '../../components/relative-date.tsx'
import { SettingsTabs } from '../../frame/settings-tabs.tsx'
import { t } from '../../language/t.ts'
import { AuditFilters } from './audit-filters.tsx'
import { Entry } from './entry.tsx'
import { useNames } from './names.ts'

// The folders of their pages.
const folders: Readonly<Record<string, readonly string[]>> = {
  bulk_job: ['bulk'],
  customer: ['customers'],
  kit: ['kits'],
  order: ['orders'],
  plan: ['plans'],
  report: ['reports'],
  shop: ['developers', 'shops'],
  upload: ['uploads'],
  webhook: ['developers', 'webhooks'],
}

export function AuditPage() {
  const state = useListState<Query<'/api/v1/audit'>>(['objectID', 'action', 'actor', 'from', 'to'])
  const audit = useRead('/api/v1/audit', { params: { query: state.query } }, { keep: true })
  const names = useNames()
  const path = useRealmPath()
  return (
    <>
      <PageHeader title={t('Settings')} sentence={t('Who did what, newest first. Entries cannot be changed.')} />
      <SettingsTabs />
      <AuditFilters state={state} />
      <DataTable
        label={t('Audit')}
        rows={audit.data?.data}
        error={audit.error}
        retry={() => void audit.refetch()}
        rowKey={({ id }) => id}
        columns={[
          { header: t('When'), cell: ({ at }) => <ExactDate value={at} /> },
          {
            header: t('What was done'),
            cell: (entry) => {
              const folder = folders[entry.objectType]
              const href = folder && path(...folder, entry.objectID)
              return <Entry entry={entry} names={names} state={state} href={href} />
            },
          },
        ]}
        empty={{ title: t('No entries'), text: t('Clear the filter to see all entries.') }}
      />
      <Pager state={state} pagination={audit.data?.pagination} />
    </>
  )
}
