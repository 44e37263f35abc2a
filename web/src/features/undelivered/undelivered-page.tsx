import type { Query } from '@kitlane/client'
import { Text } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { useListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { Pager } from '../../components/pager.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { t } from '../../language/t.ts'
import { BoxActions } from './box-actions.tsx'
import { BoxState } from './box-state.tsx'
import { type Box, outcomeOptions, stateOptions } from './labels.ts'

/** Boxes of a business that did not reach their recipient. */
export function UndeliveredPage() {
  const path = useRealmPath()
  const state = useListState<Query<'/api/v1/undelivered'>>(['state', 'outcome'])
  const boxes = useRead('/api/v1/undelivered', { params: { query: state.query } }, { keep: true })
  const columns: Column<Box>[] = [
    {
      header: t('Kit'),
      cell: ({ kitID, orderID }) => (
        <>
          <PageLink to={path('kits', kitID)}>{kitID}</PageLink>
          <Text size="xs" c="dimmed">
            {orderID}
          </Text>
        </>
      ),
    },
    { header: t('What happened'), cell: (box) => <BoxState box={box} /> },
    { header: t('Since'), cell: ({ since }) => <RelativeDate value={since} />, isMinor: true },
    { header: t('What to do'), cell: (box) => <BoxActions box={box} />, isFixed: true, hasButtons: true },
  ]
  return (
    <>
      <PageHeader
        title={t('Undelivered boxes')}
        sentence={t(
          'Parcels that came back, wait to be fetched, are damaged or lost. Say where each goes, and the same kit goes out again, or a new one. Neither costs credits.',
        )}
      />
      <ListToolbar
        state={state}
        filters={[
          { key: 'state', label: t('Now'), options: stateOptions },
          { key: 'outcome', label: t('What happened'), options: outcomeOptions },
        ]}
      />
      <DataTable
        label={t('Undelivered boxes')}
        rows={boxes.data?.data}
        error={boxes.error}
        retry={() => void boxes.refetch()}
        columns={columns}
        rowKey={({ kitID }) => kitID}
        empty={{ title: t('No box needs you'), text: t('Boxes that do not reach their recipient are listed here.') }}
      />
      <Pager state={state} pagination={boxes.data?.pagination} />
    </>
  )
}
