import type { Query } from '@kitlane/client'
import { Button, Group, Stack, Switch, Title } from '@mantine/core'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { DataTable } from '../../components/data-table.tsx'
import { useListState } from '../../components/list-state.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Pager } from '../../components/pager.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { locale, t } from '../../language/t.ts'
import { scheduleText } from './schedule.ts'

export function JobsPage() {
  const state = useListState<Query<'/operator/v1/jobs/failed'>>()
  const jobs = useRead('/operator/v1/jobs')
  const failed = useRead('/operator/v1/jobs/failed', { params: { query: state.query } }, { keep: true })
  const [showsIdle, setShowsIdle] = useState(false)
  const shown = jobs.data?.filter((job) => showsIdle || job.queued + job.active + job.failed > 0)
  return (
    <>
      <PageHeader title={t('Jobs')} sentence={t('Background work: e-mails, files, bulk orders, clean-up.')} />
      <Stack gap="lg">
        <section aria-labelledby="failed">
          <Title order={2} id="failed" mb="xs">
            {t('Failed')}
          </Title>
          <DataTable
            label={t('Failed jobs')}
            rows={failed.data?.data}
            error={failed.error}
            retry={() => void failed.refetch()}
            rowKey={({ id }) => id}
            columns={[
              { header: t('Job'), cell: ({ name }) => name },
              { header: t('Why'), cell: ({ error }) => error ?? '–' },
              { header: t('When'), cell: ({ failedDate }) => <RelativeDate value={failedDate} /> },
              { header: t('Again'), cell: ({ id }) => <Retry id={id} />, hasButtons: true },
            ]}
            empty={{
              title: t('No job failed'),
              text: t('A job that fails is retried automatically. Jobs that ran out of retries are listed here.'),
            }}
          />
          <Pager state={state} pagination={failed.data?.pagination} />
        </section>
        <section aria-labelledby="jobs">
          <Group justify="space-between" mb="xs">
            <Title order={2} id="jobs">
              {t('At work')}
            </Title>
            <Switch
              size="xs"
              label={t('Show those that rest, too')}
              checked={showsIdle}
              onChange={(event) => setShowsIdle(event.currentTarget.checked)}
            />
          </Group>
          <DataTable
            label={t('Jobs')}
            rows={shown}
            error={jobs.error}
            retry={() => void jobs.refetch()}
            rowKey={({ name }) => name}
            columns={[
              { header: t('Job'), cell: ({ name }) => name },
              { header: t('Runs'), cell: ({ cron }) => scheduleText(cron) },
              { header: t('Queued'), align: 'right', cell: ({ queued }) => queued.toLocaleString(locale()) },
              { header: t('Running'), align: 'right', cell: ({ active }) => active },
              { header: t('Failed'), align: 'right', cell: ({ failed: count }) => count },
              {
                header: t('Waiting since'),
                cell: ({ oldestQueuedDate }) => <RelativeDate value={oldestQueuedDate} />,
                isMinor: true,
              },
            ]}
            empty={{
              title: t('All work is done'),
              text: t('{count, plural, one {# job rests} other {# jobs rest}} until there is something to do.', {
                count: jobs.data?.length ?? 0,
              }),
            }}
          />
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
      {t('Run again')}
    </Button>
  )
}
