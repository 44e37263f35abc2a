import type { Query } from '@kitlane/client'
import { Group, Paper, Progress, Skeleton, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useRead, useWrite } from '../../../api/hooks.ts'
import type { BulkJob } from '../../../api/shapes.ts'
import { usePermissions } from '../../../app/permissions.ts'
import { useRealmPath } from '../../../app/realm.tsx'
import { ConfirmButton } from '../../../components/confirm-button.tsx'
import { type Column, DataTable } from '../../../components/data-table.tsx'
import { ErrorAlert } from '../../../components/error-alert.tsx'
import { bulkHeadline } from '../../../components/headlines.ts'
import { IdCell } from '../../../components/id-text.tsx'
import { useListState } from '../../../components/list-state.ts'
import { ListToolbar } from '../../../components/list-toolbar.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { Pager } from '../../../components/pager.tsx'
import { RawJson } from '../../../components/raw-json.tsx'
import { StatusDot } from '../../../components/status-dot.tsx'
import { t } from '../../../language/t.ts'
import { isRunning, jobLabel, rowLabel, rowOptions } from './labels.ts'

const EVERY_MS = 1_000

/** A bulk order, while it runs and afterwards. Its address is enough to come back to it. */
export function BulkPage() {
  const { jobID = '' } = useParams({ strict: false })
  const path = useRealmPath()
  const state = useListState<Query<'/api/v1/bulk-order-jobs/{jobId}'>>(['rowStatus'])
  const [isOver, setOver] = useState(false)
  const job = useRead(
    '/api/v1/bulk-order-jobs/{jobId}',
    { params: { path: { jobId: jobID }, query: state.query } },
    { keep: true, every: isOver ? false : EVERY_MS },
  )
  if (job.data && isOver === isRunning(job.data)) setOver(!isRunning(job.data))
  if (job.error && !job.data) return <ErrorAlert error={job.error} retry={() => void job.refetch()} />
  if (!job.data) return <Skeleton height={240} />
  const word = jobLabel(job.data.status)
  return (
    <>
      <PageHeader
        title={bulkHeadline(job.data)}
        id={jobID}
        crumbs={[['bulk', t('Bulk orders')]]}
        beside={<StatusDot tone={word.tone}>{word.label}</StatusDot>}
        sentence={
          isRunning(job.data) ? t('You can leave this page. The order continues in the background.') : undefined
        }
        actions={isRunning(job.data) && <Cancel jobID={jobID} />}
      />
      <ProgressBox job={job.data} />
      <ListToolbar state={state} filters={[{ key: 'rowStatus', label: t('Rows'), options: rowOptions }]} />
      <DataTable
        label={t('Rows')}
        rows={job.data.rows}
        columns={columns}
        rowKey={({ row }) => row}
        href={(row) => (row.orderId ? path('orders', row.orderId) : path('bulk', jobID))}
        empty={{ title: t('No matching rows'), text: t('Clear the filter to see all rows.') }}
      />
      <Pager state={state} pagination={job.data.pagination} />
      <RawJson value={job.data} path={`/api/v1/bulk-order-jobs/${jobID}`} />
    </>
  )
}

function Cancel({ jobID }: { jobID: string }) {
  const { write } = usePermissions()
  const cancel = useWrite('delete', '/api/v1/bulk-order-jobs/{jobId}')
  if (!write) return null
  return (
    <ConfirmButton
      label={t('Stop')}
      isDangerous
      sentence={t(
        'Rows that were ordered stay ordered. The rest are not ordered, and what was reserved for them is released.',
      )}
      action={() => cancel.mutateAsync({ params: { path: { jobId: jobID } } })}
      done={t('The remaining rows were canceled')}
    />
  )
}

function ProgressBox({ job }: { job: BulkJob }) {
  const speed = useSpeed(job)
  return (
    <Paper withBorder p="md" mb="md">
      <Group justify="space-between" mb={6}>
        <Text>
          {job.failed > 0
            ? t(
                '{processed, number} of {total, plural, one {# row} other {# rows}}, {failed, number} failed',
                countsOf(job),
              )
            : t('{processed, number} of {total, plural, one {# row} other {# rows}}', countsOf(job))}
        </Text>
        {speed !== undefined && <Text c="dimmed">{t('{speed, number} rows/s', { speed })}</Text>}
      </Group>
      <Progress.Root size="lg" transitionDuration={120}>
        <Progress.Section
          value={(job.succeeded / Math.max(1, job.total)) * 100}
          color="var(--k-good)"
          aria-label={t('{succeeded} ordered', { succeeded: job.succeeded })}
        />
        <Progress.Section
          value={(job.failed / Math.max(1, job.total)) * 100}
          color="var(--k-bad)"
          aria-label={t('{failed} failed', { failed: job.failed })}
        />
      </Progress.Root>
    </Paper>
  )
}

const countsOf = ({ processed, total, failed }: BulkJob) => ({ processed, total, failed })

/** Rows per second: of the whole job once it is done, else since this page was opened. */
function useSpeed(job: BulkJob): number | undefined {
  const start = useRef({ at: Date.now(), processed: job.processed })
  if (job.startedDate && job.completedDate) {
    const seconds = (Date.parse(job.completedDate) - Date.parse(job.startedDate)) / 1000
    return seconds > 0 ? Math.round(job.processed / seconds) : undefined
  }
  const seconds = (Date.now() - start.current.at) / 1000
  return seconds < 1 ? undefined : Math.round((job.processed - start.current.processed) / seconds)
}

const columns: Column<BulkJob['rows'][number]>[] = [
  { header: t('Row'), cell: ({ row }) => row + 1 },
  {
    header: t('Result'),
    cell: (row) => <StatusDot tone={rowLabel(row).tone}>{rowLabel(row).label}</StatusDot>,
  },
  {
    header: t('What to do'),
    cell: ({ error, pending }) =>
      error?.message ??
      (pending ? t('Open the order and pay it: its kits are made then. It may wait for a provider first.') : ''),
  },
  { header: t('Your ID'), cell: ({ externalID }) => externalID ?? '–', isMinor: true },
  { header: t('Order'), cell: ({ orderId }) => (orderId ? <IdCell id={orderId} /> : '–'), align: 'right' },
]
