import type { Query } from '@kitlane/client'
import { Text } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import type { ReportSummary } from '../../api/shapes.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { IdCell } from '../../components/id-text.tsx'
import { useListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Pager } from '../../components/pager.tsx'
import { dayOf, RelativeDate } from '../../components/relative-date.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { ReportTabs } from '../../frame/report-tabs.tsx'
import { t } from '../../language/t.ts'
import { reportLabel } from './labels.ts'
import { useReportPath } from './use-report-path.ts'

const statuses = (['inReview', 'published', 'rejected'] as const).map((value) => ({
  value,
  label: reportLabel(value).label,
}))

export function ReportListPage() {
  const reportPath = useReportPath()
  const state = useListState<Query<'/api/v1/reports'>>(['status'])
  const reports = useRead('/api/v1/reports', { params: { query: state.query } }, { keep: true })
  return (
    <>
      <PageHeader title={t('Reports')} />
      <ReportTabs />
      <ListToolbar state={state} filters={[{ key: 'status', label: t('Status'), options: statuses }]} />
      <DataTable
        label={t('Reports')}
        rows={reports.data?.data}
        error={reports.error}
        retry={() => void reports.refetch()}
        columns={columns}
        state={state}
        rowKey={({ reportID }) => reportID}
        href={({ reportID, customerID }) => reportPath(reportID, customerID)}
        empty={
          state.isFiltered
            ? { title: t('No matching reports'), text: t('Clear the filter to see all reports.') }
            : {
                title: t('No reports yet'),
                text: t('A report is created when the laboratory sends the results of a kit.'),
              }
        }
      />
      <Pager state={state} pagination={reports.data?.pagination} />
    </>
  )
}

const columns: Column<ReportSummary>[] = [
  {
    header: t('Person'),
    cell: ({ customerName, customerID }) => customerName ?? t('Customer {customerID}', { customerID }),
  },
  {
    header: t('Status'),
    cell: ({ status }) => <StatusDot tone={reportLabel(status).tone}>{reportLabel(status).label}</StatusDot>,
  },
  {
    header: t('Critical'),
    isFixed: true,
    cell: ({ critical }) =>
      critical ? (
        <StatusDot tone="bad">
          {t('{count, plural, one {# critical} other {# critical}}', { count: critical })}
        </StatusDot>
      ) : (
        '–'
      ),
  },
  {
    header: t('Out of range'),
    align: 'right',
    cell: ({ outOfRange }) => (outOfRange ? <Text fw={600}>{outOfRange}</Text> : (outOfRange ?? '–')),
  },
  {
    header: t('Not assessed'),
    align: 'right',
    cell: ({ unusable, unassessed }) => (unusable === undefined ? '–' : unusable + (unassessed ?? 0)),
    isMinor: true,
  },
  { header: t('Collected'), cell: ({ collectedDate }) => (collectedDate ? dayOf(collectedDate) : '–'), isMinor: true },
  {
    header: t('Created'),
    sort: 'createdDate',
    cell: ({ createdDate }) => <RelativeDate value={createdDate} />,
    isMinor: true,
  },
  {
    header: t('Kit'),
    cell: ({ kitID }) => (kitID ? <IdCell id={kitID} /> : t('Added results')),
    align: 'right',
    isMinor: true,
  },
]
