import type { Answer, Query } from '@kitlane/client'
import { Button, Group, SegmentedControl, Text } from '@mantine/core'
import { useRead, useWrite } from '../../api/hooks.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { useListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { moneyOf } from '../../components/money.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { Pager } from '../../components/pager.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { t } from '../../language/t.ts'
import { LabelState, legs, stateOptions } from './label-state.tsx'

type Listed = Answer<'get', '/operator/v1/labels'>['data'][number]

/** Shipping labels of all businesses: those that need a person, unless all are asked for. */
export function LabelsPage() {
  const state = useListState<Query<'/operator/v1/labels'>>(['needsAttention', 'state', 'businessID'])
  const isAll = state.filters.needsAttention === 'false' || state.filters.state !== undefined
  const query = { ...state.query, needsAttention: isAll ? ('false' as const) : ('true' as const) }
  const labels = useRead('/operator/v1/labels', { params: { query } }, { keep: true })
  return (
    <>
      <PageHeader
        title={t('Shipping labels')}
        sentence={t(
          'Labels that were bought for kits. One needs a person if it was not bought or is not refunded, or if its price or file is not as it should be.',
        )}
        actions={<PageLink to="/operator/label-accounts">{t('Label accounts')}</PageLink>}
      />
      <SegmentedControl
        mb="sm"
        aria-label={t('Which labels are listed')}
        value={isAll ? 'all' : 'attention'}
        onChange={(value) => state.filter({ state: undefined, needsAttention: value === 'all' ? 'false' : undefined })}
        data={[
          { value: 'attention', label: t('Needs a person') },
          { value: 'all', label: t('All') },
        ]}
      />
      <ListToolbar state={state} filters={filters} />
      <DataTable
        label={t('Shipping labels')}
        rows={labels.data?.data}
        error={labels.error}
        retry={() => void labels.refetch()}
        columns={columns}
        rowKey={({ labelID }) => labelID}
        empty={isAll ? noLabel : nothingToDo}
      />
      <Pager state={state} pagination={labels.data?.pagination} />
    </>
  )
}

const filters = [{ key: 'state', label: t('State'), options: stateOptions }] as const
const nothingToDo = {
  title: t('No label needs a person'),
  text: t('A label that is not bought is listed here at once.'),
}
const noLabel = { title: t('No labels'), text: t('Labels are bought at the pack station, once an account is saved.') }

function Actions({ label: { labelID, state, reason } }: { label: Listed }) {
  const voiding = useWrite('post', '/operator/v1/labels/{labelID}/void')
  const closing = useWrite('post', '/operator/v1/labels/{labelID}/close')
  const params = { path: { labelID } }
  const error = voiding.error ?? closing.error
  const isOver = state === 'refused' || state === 'voidRefused'
  const isOdd = (state === 'bought' || state === 'used') && (reason === 'price' || reason === 'badDocument')
  return (
    <Group gap="xs">
      {(state === 'voidRefused' || state === 'bought') && (
        <Button variant="default" size="xs" loading={voiding.isPending} onClick={() => voiding.mutate({ params })}>
          {state === 'bought' ? t('Void') : t('Ask again for the refund')}
        </Button>
      )}
      {(isOver || isOdd) && (
        <Button variant="default" size="xs" loading={closing.isPending} onClick={() => closing.mutate({ params })}>
          {isOver ? t('Close') : t('I have seen to it')}
        </Button>
      )}
      {error && <ErrorAlert error={error} />}
    </Group>
  )
}

const columns: Column<Listed>[] = [
  {
    header: t('Kit'),
    cell: ({ kitID, orderID, business }) => (
      <>
        <PageLink to={`/operator/orders/${orderID}`}>{kitID}</PageLink>
        <Text size="xs" c="dimmed">
          {business.name}
        </Text>
      </>
    ),
  },
  { header: t('Label'), cell: ({ leg, trackingNumber }) => [legs[leg], trackingNumber].filter(Boolean).join(' · ') },
  { header: t('State'), cell: (label) => <LabelState label={label} />, isBelow: true },
  {
    header: t('Price'),
    cell: ({ amount, currency }) => (amount !== undefined && currency ? moneyOf(amount, currency) : ''),
    isMinor: true,
  },
  { header: t('Since'), cell: ({ changedDate }) => <RelativeDate value={changedDate} />, isMinor: true },
  { header: t('Actions'), cell: (label) => <Actions label={label} />, hasButtons: true },
]
