import type { Query } from '@kitlane/client'
import { Button, Stack, Title } from '@mantine/core'
import { useRead, useWrite } from '../../api/hooks.ts'
import { DataTable } from '../../components/data-table.tsx'
import { useListState } from '../../components/list-state.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Pager } from '../../components/pager.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'

export function JobsPage() {
  const state = useListState<Query<'/operator/v1/jobs/failed'>>()
  const jobs = useRead('/operator/v1/jobs')
  const failed = useRead('/operator/v1/jobs/failed', { params: { query: state.query } }, { keep: true })
  return (
    <>
      <PageHeader title="Jobs" sentence="Background work: e-mails, files, bulk orders, clean-up." />
      <Stack gap="lg">
        <DataTable
          label="Jobs"
          rows={jobs.data}
          error={jobs.error}
          retry={() => void jobs.refetch()}
          rowKey={({ name }) => name}
          columns={[
            { header: 'Job', cell: ({ name }) => name },
            { header: 'Queued', align: 'right', cell: ({ queued }) => queued.toLocaleString('en') },
            { header: 'Running', align: 'right', cell: ({ active }) => active },
            { header: 'Failed', align: 'right', cell: ({ failed: count }) => count },
            {
              header: 'Oldest',
              cell: ({ oldestQueuedDate }) => <RelativeDate value={oldestQueuedDate} />,
              isMinor: true,
            },
            { header: 'Schedule', cell: ({ cron }) => cron ?? '–', isMinor: true },
          ]}
          empty={{ title: 'No jobs', text: 'No job has been queued yet.' }}
        />
        <section aria-labelledby="failed">
          <Title order={2} id="failed" mb="xs">
            Failed
          </Title>
          <DataTable
            label="Failed jobs"
            rows={failed.data?.data}
            error={failed.error}
            retry={() => void failed.refetch()}
            rowKey={({ id }) => id}
            columns={[
              { header: 'Job', cell: ({ name }) => name },
              { header: 'Why', cell: ({ error }) => error ?? '–' },
              { header: 'When', cell: ({ failedDate }) => <RelativeDate value={failedDate} /> },
              { header: 'Again', cell: ({ id }) => <Retry id={id} /> },
            ]}
            empty={{
              title: 'No job failed',
              text: 'A job that fails is retried automatically. Jobs that ran out of retries are listed here.',
            }}
          />
          <Pager state={state} pagination={failed.data?.pagination} />
        </section>
      </Stack>
    </>
  )
}

function Retry({ id }: { id: string }) {
  const retry = useWrite('post', '/operator/v1/jobs/failed/{jobID}/retry')
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={retry.isPending}
      onClick={() => retry.mutate({ params: { path: { jobID: id } } })}
    >
      Run again
    </Button>
  )
}
