import type { Query } from '@kitlane/client'
import { SegmentedControl, Text } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { useListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Pager } from '../../components/pager.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { t } from '../../language/t.ts'
import { Attention, attentionOptions, type LabOrder, OrderState, stateOptions } from './order-state.tsx'

/** Live orders to laboratories of all businesses: those that need a person, unless all are asked for. */
export function LabOrdersPage() {
  const state = useListState<Query<'/operator/v1/lab-orders'>>(['needsAttention', 'attention', 'state', 'businessID'])
  const { needsAttention, state: one } = state.filters
  // A state is asked of all orders.
  const isAll = needsAttention === 'false' || one !== undefined
  const query = { ...state.query, needsAttention: isAll ? ('false' as const) : ('true' as const) }
  const orders = useRead('/operator/v1/lab-orders', { params: { query } }, { keep: true })
  return (
    <>
      <PageHeader
        title={t('Orders to laboratories')}
        sentence={t(
          'What laboratories are asked to test, for all businesses. An order needs a person if no laboratory takes it, or the laboratory refuses it, or does not answer: for five minutes, or for a day if it has only received it.',
        )}
      />
      <SegmentedControl
        mb="sm"
        aria-label={t('Which orders are listed')}
        value={isAll ? 'all' : 'attention'}
        onChange={(value) => state.filter({ state: undefined, needsAttention: value === 'all' ? 'false' : undefined })}
        data={[
          { value: 'attention', label: t('Needs a person') },
          { value: 'all', label: t('All') },
        ]}
      />
      <ListToolbar state={state} filters={filters} />
      <DataTable
        label={t('Orders to laboratories')}
        rows={orders.data?.data}
        error={orders.error}
        retry={() => void orders.refetch()}
        columns={columns}
        rowKey={({ kitID }) => kitID}
        href={({ kitID }) => `/operator/lab-orders/${kitID}`}
        empty={isAll ? noOrder : nothingToDo}
      />
      <Pager state={state} pagination={orders.data?.pagination} />
    </>
  )
}

const filters = [
  { key: 'attention', label: t('Why it needs a person'), options: attentionOptions },
  { key: 'state', label: t('State'), options: stateOptions },
] as const

const nothingToDo = {
  title: t('No order needs a person'),
  text: t('Every order is on its way, accepted or ended. An order that a laboratory refuses is listed here at once.'),
}
const noOrder = {
  title: t('No orders'),
  text: t(
    'There is no such order. Kits are ordered if the setting LAB_ORDERS_AT says when, and a laboratory on the page Laboratories gets orders.',
  ),
}

const columns: Column<LabOrder>[] = [
  {
    header: t('Kit'),
    cell: ({ kitID, business }) => (
      <>
        {kitID}
        <Text size="xs" c="dimmed">
          {business?.name}
        </Text>
      </>
    ),
  },
  {
    header: t('State'),
    cell: (order) => (
      <>
        <OrderState state={order.state} attention={order.attention} />
        <Attention order={order} />
      </>
    ),
    isFixed: true,
  },
  { header: t('Laboratory'), cell: ({ laboratory }) => laboratory?.name, isMinor: true },
  { header: t('Since'), cell: ({ changedDate }) => <RelativeDate value={changedDate} />, isMinor: true },
]
