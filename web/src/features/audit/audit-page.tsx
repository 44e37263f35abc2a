import type { Query } from '@kitlane/client'
import { Code, Text } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import type { AuditEntry } from '../../api/shapes.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { useListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Pager } from '../../components/pager.tsx'
import { ExactDate } from '../../components/relative-date.tsx'
import { SettingsTabs } from '../../frame/settings-tabs.tsx'
import { t } from '../../language/t.ts'

export function AuditPage() {
  const state = useListState<Query<'/api/v1/audit'>>(['objectID', 'action', 'actor', 'from', 'to'])
  const audit = useRead('/api/v1/audit', { params: { query: state.query } }, { keep: true })
  return (
    <>
      <PageHeader title={t('Settings')} sentence={t('Who did what, newest first. Entries cannot be changed.')} />
      <SettingsTabs />
      <ListToolbar state={state} filters={[{ kind: 'dates', key: 'date', label: t('When'), from: 'from', to: 'to' }]} />
      <DataTable
        label={t('Audit')}
        rows={audit.data?.data}
        error={audit.error}
        retry={() => void audit.refetch()}
        rowKey={({ id }) => id}
        columns={columns}
        empty={{ title: t('No entries'), text: t('Clear the filter to see all entries.') }}
      />
      <Pager state={state} pagination={audit.data?.pagination} />
    </>
  )
}

const columns: Column<AuditEntry>[] = [
  { header: t('When'), cell: ({ at }) => <ExactDate value={at} /> },
  { header: t('Who'), cell: ({ actor }) => actor },
  { header: t('What'), cell: ({ action }) => action },
  { header: t('Of'), cell: ({ objectType, objectID }) => `${objectType} ${objectID}` },
  {
    header: t('Details'),
    cell: ({ details, ip }) => (
      <>
        {details && <Code>{JSON.stringify(details)}</Code>}
        {ip && (
          <Text size="xs" c="dimmed">
            {t('from {ip}', { ip })}
          </Text>
        )}
      </>
    ),
    isMinor: true,
  },
]
