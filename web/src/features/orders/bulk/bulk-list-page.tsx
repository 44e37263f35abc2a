import type { Query } from '@kitlane/client'
import { Button, Progress } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useRead } from '../../../api/hooks.ts'
import type { BulkJobSummary } from '../../../api/shapes.ts'
import { usePermissions } from '../../../app/permissions.ts'
import { useRealmPath } from '../../../app/realm.tsx'
import { type Column, DataTable } from '../../../components/data-table.tsx'
import { bulkHeadline } from '../../../components/headlines.ts'
import { useListState } from '../../../components/list-state.ts'
import { PageHeader } from '../../../components/page-header.tsx'
import { Pager } from '../../../components/pager.tsx'
import { RelativeDate } from '../../../components/relative-date.tsx'
import { StatusDot } from '../../../components/status-dot.tsx'
import { locale, t } from '../../../language/t.ts'
import { jobLabel } from './labels.ts'

export function BulkListPage() {
  const path = useRealmPath()
  const { write } = usePermissions()
  const state = useListState<Query<'/api/v1/bulk-order-jobs'>>()
  const jobs = useRead('/api/v1/bulk-order-jobs', { params: { query: state.query } }, { keep: true })
  const start = write && (
    <Button component={Link} to={path('bulk', 'new')}>
      {t('Order by CSV')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('Bulk orders')} actions={start} />
      <DataTable
        label={t('Bulk orders')}
        rows={jobs.data?.data}
        error={jobs.error}
        retry={() => void jobs.refetch()}
        columns={columns}
        rowKey={({ jobId }) => jobId}
        href={({ jobId }) => path('bulk', jobId)}
        empty={{
          title: t('No bulk orders yet'),
          text: t(
            'Upload a CSV file with one row for each person. 20 rows or more are ordered in the background: you can leave and come back.',
          ),
          action: start,
        }}
      />
      <Pager state={state} pagination={jobs.data?.pagination} />
    </>
  )
}

const columns: Column<BulkJobSummary>[] = [
  { header: t('Bulk order'), cell: (job) => bulkHeadline(job) },
  {
    header: t('Status'),
    cell: ({ status }) => <StatusDot tone={jobLabel(status).tone}>{jobLabel(status).label}</StatusDot>,
  },
  { header: t('Ordered'), cell: ({ succeeded }) => succeeded.toLocaleString(locale()), align: 'right' },
  { header: t('Failed'), cell: ({ failed }) => failed.toLocaleString(locale()), align: 'right' },
  {
    header: t('Progress'),
    cell: ({ processed, total }) => (
      <Progress
        value={(processed / Math.max(1, total)) * 100}
        aria-label={t('{processed} of {total}', { processed, total })}
        w={120}
      />
    ),
    isMinor: true,
  },
  {
    header: t('Started'),
    cell: ({ createdDate }) => <RelativeDate value={createdDate} />,
    align: 'right',
    isMinor: true,
  },
]
