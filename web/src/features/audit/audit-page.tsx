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

export function AuditPage() {
  const state = useListState<Query<'/api/v1/audit'>>(['objectID', 'action', 'actor', 'from', 'to'])
  const audit = useRead('/api/v1/audit', { params: { query: state.query } }, { keep: true })
  return (
    <>
      <PageHeader title="Settings" sentence="Who did what, newest first. Entries cannot be changed." />
      <SettingsTabs />
      <ListToolbar state={state} filters={[{ kind: 'dates', key: 'date', label: 'When', from: 'from', to: 'to' }]} />
      <DataTable
        label="Audit"
        rows={audit.data?.data}
        error={audit.error}
        retry={() => void audit.refetch()}
        rowKey={({ id }) => id}
        columns={columns}
        empty={{ title: 'No entries', text: 'Clear the filter to see all entries.' }}
      />
      <Pager state={state} pagination={audit.data?.pagination} />
    </>
  )
}

const columns: Column<AuditEntry>[] = [
  { header: 'When', cell: ({ at }) => <ExactDate value={at} /> },
  { header: 'Who', cell: ({ actor }) => actor },
  { header: 'What', cell: ({ action }) => action },
  { header: 'Of', cell: ({ objectType, objectID }) => `${objectType} ${objectID}` },
  {
    header: 'Details',
    cell: ({ details, ip }) => (
      <>
        {details && <Code>{JSON.stringify(details)}</Code>}
        {ip && (
          <Text size="xs" c="dimmed">
            from {ip}
          </Text>
        )}
      </>
    ),
    isMinor: true,
  },
]
