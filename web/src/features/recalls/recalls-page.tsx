import type { Query } from '@kitlane/client'
import { Text } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { useListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Pager } from '../../components/pager.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { t } from '../../language/t.ts'
import { gradeOf, kindWords, lotOf, type Recall, RecallState, stateOptions } from './labels.tsx'
import { NewRecall } from './new-recall.tsx'

/** Recalls of lots, and the form that begins one. */
export function RecallsPage() {
  const state = useListState<Query<'/operator/v1/recalls'>>(['state'])
  const recalls = useRead('/operator/v1/recalls', { params: { query: state.query } }, { keep: true })
  return (
    <>
      <PageHeader
        title={t('Recalls')}
        sentence={t(
          'Take back a lot that turned out to be wrong: every kit that holds it is found and stopped at once, for all businesses.',
        )}
        actions={<NewRecall />}
      />
      <ListToolbar state={state} filters={[{ key: 'state', label: t('State'), options: stateOptions }]} />
      <DataTable
        label={t('Recalls')}
        rows={recalls.data?.data}
        error={recalls.error}
        retry={() => void recalls.refetch()}
        columns={columns}
        rowKey={({ id }) => id}
        href={({ id }) => `/operator/recalls/${id}`}
        empty={{ title: t('No recalls'), text: t('Nothing had to be taken back.') }}
      />
      <Pager state={state} pagination={recalls.data?.pagination} />
    </>
  )
}

const columns: Column<Recall>[] = [
  {
    header: t('What is recalled'),
    cell: (recall) => (
      <>
        {lotOf(recall)}
        <Text size="xs" c="dimmed">
          {[kindWords[recall.kind], gradeOf(recall)].filter(Boolean).join(', ')}
        </Text>
      </>
    ),
  },
  { header: t('State'), cell: (recall) => <RecallState recall={recall} />, isFixed: true },
  { header: t('Kits'), align: 'right', cell: ({ kits }) => kits },
  { header: t('Still to do'), align: 'right', cell: ({ due }) => due, isMinor: true },
  { header: t('Since'), cell: ({ createdDate }) => <RelativeDate value={createdDate} />, isMinor: true },
]
